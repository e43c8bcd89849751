/* What does one call cost? Compiled as C and as C++: there the calls go through portamento.hpp.
 *
 * Each figure is the best of many short runs, in nanoseconds per call, so that whatever else the machine does counts little.
 */
#define _POSIX_C_SOURCE 200809L
#ifdef __cplusplus
#include "portamento.hpp"
#else
#include "portamento.h"
#endif

#include <stdio.h>
#include <time.h>

#define CALLS 20000
#define RUNS 300

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* So that no call is left out. */
static volatile double sink;

#define BEST(name, call)                                         \
    do {                                                         \
        double best = 1e9;                                       \
        for (int run = 0; run < RUNS; run++) {                   \
            const double start = seconds();                      \
            for (int i = 0; i < CALLS; i++) {                    \
                moment.alpha = (double)i / CALLS;                \
                call;                                            \
            }                                                    \
            const double took = (seconds() - start) / CALLS;     \
            best = took < best ? took : best;                    \
        }                                                        \
        printf("  %-28s %7.1f ns\n", name, best * 1e9);          \
    } while (0)

int main(void) {
    portamento_pose64 pose = {{1.0, 2.0, 3.0}, {0.0f, 0.0f, 0.0f, 1.0f}};
    portamento_moment moment;
    portamento_moment_at(0.5, 0.01, &moment);
#ifdef __cplusplus
    portamento::Track track(pose);
    pose = {{2.0, 3.0, 4.0}, {0.6f, 0.0f, 0.0f, 0.8f}};
    track.push(pose);
    BEST("nothing (abi_version)", sink = portamento::abi_version());
    BEST("a track's view", sink = track.view(moment).position[0]);
    BEST("a track's draw", sink = track.draw(moment).now.position[0]);
    BEST("a track's push", sink = track.push(pose));
#else
    portamento_track track;
    portamento_pose64 view;
    portamento_drawn drawn;
    portamento_track_new(&pose, &track);
    pose.position[0] = 2.0;
    pose.rotation[0] = 0.6f;
    pose.rotation[3] = 0.8f;
    portamento_track_push(track, &pose);
    BEST("nothing (abi_version)", sink = portamento_abi_version());
    BEST("a track's view", (portamento_track_view(track, &moment, &view), sink = view.position[0]));
    BEST("a track's draw", (portamento_track_draw(track, &moment, &drawn), sink = drawn.now.position[0]));
    BEST("a track's push", sink = portamento_track_push(track, &pose));
    portamento_track_free(track);
#endif
    return 0;
}
