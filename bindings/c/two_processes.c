/* Physics in a process of its own (Linux): it ticks 60 times a second, never quite in time, and this process draws 144
 * frames a second. Halfway the physics is killed the hard way; another one is started a third of a second later.
 *
 * Prints how unevenly the body moves (judder: 0 is perfect), drawn as usual (from the arrival of the newest tick on) and as
 * portamento does, and how many frames show a place between the two lives.
 *
 * So that every run prints the same, both sides go by a clock that this process counts: it sends the time through a pipe,
 * and the physics answers when its ticks are published. In your game both ask portamento_machine_seconds and nobody waits.
 */
#define _POSIX_C_SOURCE 200809L
#include "portamento.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define SPEED 5.0
#define TICK (1.0 / 60.0)
#define FRAME (1.0 / 144.0)
#define BODY 7u
#define SECOND_LIFE 100.0

static void check(portamento_status status, const char *what) {
    char words[256];
    if (status == PORTAMENTO_OK) {
        return;
    }
    portamento_last_error(words, sizeof words);
    fprintf(stderr, "%s: %s\n", what, words);
    exit(1);
}

/* The other process. */
static int simulate(const char *path, double start_x) {
    portamento_shape shape;
    portamento_exchange exchange;
    portamento_writer writer;
    portamento_pose64 pose = {{0.0, 0.0, 0.0}, {0.0f, 0.0f, 0.0f, 1.0f}};
    double now, start = -1.0;
    unsigned tick = 0;

    check(portamento_shape_entities(16, &shape), "shape");
    shape.f64_positions = 1;
    check(portamento_exchange_create_file(path, &shape, &exchange), "create");
    check(portamento_writer_new(exchange, &writer), "writer");
    while (read(STDIN_FILENO, &now, sizeof now) == (ssize_t)sizeof now) {
        start = start < 0.0 ? now : start;
        for (;;) {
            /* A tick is published up to 6 ms late: the work of a tick takes time, and timers are late. */
            double late = 0.006 * ((tick * 2654435761u >> 8) & 0xffffu) / 65536.0;
            double published = start + tick * TICK + late;
            if (published > now) {
                break;
            }
            pose.position[0] = start_x + SPEED * tick * TICK; /* your physics, as it was */
            check(portamento_writer_set(writer, BODY, &pose), "set");
            check(portamento_writer_publish(writer, published, tick * TICK, 1.0, NULL), "publish");
            tick++;
        }
        if (write(STDOUT_FILENO, "", 1) != 1) {
            return 1;
        }
    }
    check(portamento_writer_free(writer), "free");
    check(portamento_exchange_free(exchange), "free");
    return 0;
}

struct physics {
    pid_t process;
    int to, from;
};

static struct physics start(const char *program, const char *path, const char *start_x) {
    int to[2], from[2];
    struct physics physics = {-1, -1, -1};
    if (pipe(to) != 0 || pipe(from) != 0 || (physics.process = fork()) < 0) {
        perror("physics");
        exit(1);
    }
    if (physics.process == 0) {
        dup2(to[0], STDIN_FILENO);
        dup2(from[1], STDOUT_FILENO);
        close(to[0]), close(to[1]), close(from[0]), close(from[1]);
        execl(program, program, path, start_x, (char *)NULL);
        _exit(127);
    }
    close(to[0]), close(from[1]);
    physics.to = to[1];
    physics.from = from[0];
    return physics;
}

/* Lets the physics run up to `now`. */
static void run_until(const struct physics *physics, double now) {
    char done;
    if (write(physics->to, &now, sizeof now) != (ssize_t)sizeof now || read(physics->from, &done, 1) != 1) {
        fputs("the physics is gone\n", stderr);
        exit(1);
    }
}

static void stop(struct physics *physics, int signal) {
    if (signal != 0) {
        kill(physics->process, signal);
    }
    close(physics->to), close(physics->from);
    waitpid(physics->process, NULL, 0);
}

struct judder {
    double last, sum;
    int frames;
};

static void judge(struct judder *judder, double place) {
    if (judder->frames++ > 0) {
        double off = (place - judder->last) / FRAME - SPEED;
        judder->sum += off * off;
    }
    judder->last = place;
}

static double result(const struct judder *judder) {
    return sqrt(judder->sum / (judder->frames - 1)) / SPEED;
}

/* Where the body is drawn at `now`; NaN while it is not there. */
static double drawn_at(portamento_reader reader, double now) {
    portamento_world_frame world;
    portamento_drawn drawn;
    if (portamento_reader_frame(reader, now, &world) != PORTAMENTO_OK ||
        portamento_reader_draw(reader, BODY, &drawn) != PORTAMENTO_OK) {
        return NAN;
    }
    return drawn.now.position[0];
}

int main(int count, char **words) {
    char path[64];
    struct physics physics;
    struct judder usual_judder = {0.0, 0.0, 0}, locked_judder = {0.0, 0.0, 0};
    portamento_exchange exchange;
    portamento_playhead_settings settings;
    portamento_reader usual, locked;
    portamento_reader_counts counts;
    int between = 0, frozen = 0, after = 0;
    double last = NAN;

    if (count == 3) {
        return simulate(words[1], atof(words[2]));
    }
    snprintf(path, sizeof path, "/dev/shm/portamento-two-processes-%ld", (long)getpid());
    physics = start(words[0], path, "0");
    run_until(&physics, 0.0); /* the block is there once it has answered */

    check(portamento_exchange_open_file(path, &exchange), "open");
    check(portamento_playhead_settings_at_hz(60.0, &settings), "settings");
    check(portamento_reader_new(exchange, &settings, &locked), "reader");
    settings.rule = PORTAMENTO_PLAYHEAD_RULE_SINCE_ARRIVAL;
    check(portamento_reader_new(exchange, &settings, &usual), "reader");

    for (int i = 0; i < 144 * 6; i++) {
        double now = i * FRAME, usual_x, x;
        int alive = i < 432 || i >= 480;
        if (i == 432) {
            stop(&physics, SIGKILL);
        }
        if (i == 480) {
            physics = start(words[0], path, "100");
        }
        if (alive) {
            run_until(&physics, now);
        }
        usual_x = drawn_at(usual, now);
        x = drawn_at(locked, now);
        if (i >= 144 && i < 432) {
            judge(&usual_judder, usual_x);
            judge(&locked_judder, x);
        }
        between += x > 3.0 * SPEED + 1.0 && x < SECOND_LIFE;
        frozen += !alive && x == last;
        after += x >= SECOND_LIFE;
        last = x;
    }
    check(portamento_reader_get_counts(locked, &counts), "counts");
    stop(&physics, 0);
    check(portamento_reader_free(locked), "free");
    check(portamento_reader_free(usual), "free");
    check(portamento_exchange_free(exchange), "free");
    unlink(path);

    printf("judder: from the newest tick's arrival on %.3f, portamento %.3f\n", result(&usual_judder), result(&locked_judder));
    printf("the physics was killed: %d of 48 frames without it stand still; restarts seen: %d\n", frozen,
           (int)counts.restarts);
    printf("frames between the two lives: %d; frames of the second: %d\n", between, after);
    return result(&locked_judder) < 0.1 * result(&usual_judder) && result(&usual_judder) > 0.1 && between == 0 &&
                   counts.restarts == 1 && frozen > 20 && after > 300
               ? 0
               : 1;
}
