/* A plain game loop, as in raylib or SDL: 60 ticks per second, 144 uneven frames per second, one ball.
 *
 * Prints how unevenly the ball moves (judder: 0 is perfect) drawn naively and drawn by portamento, then uses handles that
 * are not: each is a status, not a crash.
 */
#include "portamento.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define SPEED 5.0

static void check(portamento_status status, const char *what) {
    char words[256];
    if (status == PORTAMENTO_OK) {
        return;
    }
    portamento_last_error(words, sizeof words);
    fprintf(stderr, "%s: %s\n", what, words);
    exit(1);
}

/* How unevenly a picture moves: the spread of its speed, as a share of the true one. */
struct judder {
    double last, sum;
    int frames;
};

static void judge(struct judder *judder, double place, double frame_time) {
    if (judder->frames++ > 0) {
        double off = (place - judder->last) / frame_time - SPEED;
        judder->sum += off * off;
    }
    judder->last = place;
}

static double result(const struct judder *judder) {
    return sqrt(judder->sum / (judder->frames - 1)) / SPEED;
}

int main(void) {
    portamento_fixed_settings settings;
    portamento_stepper stepper;
    portamento_track ball;
    portamento_pose64 pose = {{0.0, 0.0, 0.0}, {0.0f, 0.0f, 0.0f, 1.0f}};
    struct judder naive = {0.0, 0.0, 0}, smooth = {0.0, 0.0, 0};

    if (portamento_abi_version() != PORTAMENTO_ABI_VERSION) {
        fprintf(stderr, "the library is not the one of this header\n");
        return 1;
    }
    check(portamento_fixed_settings_at_hz(60.0, &settings), "settings");
    check(portamento_stepper_fixed(&settings, &stepper), "stepper");
    check(portamento_track_new(&pose, &ball), "track");

    for (int i = 0; i < 1440; i++) {
        double frame_time = (i % 3 == 0 ? 1.2 : 0.9) / 144.0; /* your clock's, which is uneven */
        portamento_frame frame;
        portamento_tick tick;
        portamento_drawn drawn;

        check(portamento_stepper_frame(stepper, frame_time, &frame), "frame");
        while (portamento_stepper_tick(stepper, &tick) == PORTAMENTO_OK) {
            pose.position[0] += SPEED * tick.dt; /* your simulation, as it was */
            check(portamento_track_push(ball, &pose), "push");
        }
        check(portamento_track_draw(ball, &frame.moment, &drawn), "draw");
        if (i > 10) {
            judge(&naive, pose.position[0], frame_time);
            judge(&smooth, drawn.now.position[0], frame_time);
        }
    }
    printf("judder: newest tick %.3f, portamento %.3f\n", result(&naive), result(&smooth));

    /* What must never crash. */
    check(portamento_track_free(ball), "free");
    if (portamento_track_push(ball, &pose) != PORTAMENTO_UNKNOWN_HANDLE ||
        portamento_track_push((portamento_track){0x123456789abcdefu}, &pose) != PORTAMENTO_UNKNOWN_HANDLE ||
        portamento_track_free((portamento_track){stepper.id}) != PORTAMENTO_UNKNOWN_HANDLE ||
        portamento_stepper_frame(stepper, 0.01, NULL) != PORTAMENTO_NULL) {
        fprintf(stderr, "a misused handle was taken\n");
        return 1;
    }
    pose.rotation[3] = 7.0f;
    if (portamento_track_new(&pose, &ball) != PORTAMENTO_BAD_VALUE) {
        fprintf(stderr, "a quaternion of length 7 was taken\n");
        return 1;
    }
    check(portamento_stepper_free(stepper), "free");
    return result(&smooth) < 0.1 * result(&naive) ? 0 : 1;
}
