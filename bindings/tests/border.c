/* What a C program may get wrong, or do on purpose, at the border: a callback that leaves by longjmp, handles that were
 * freed, pointers that are null, settings of another version. Run by `cargo xtask c` with sanitizers and in valgrind. */
#include "portamento.h"

#include <setjmp.h>
#include <stdio.h>
#include <string.h>

static int failures;

#define CHECK(condition)                                                   \
    do {                                                                   \
        if (!(condition)) {                                                \
            fprintf(stderr, "line %d: %s\n", __LINE__, #condition);        \
            failures += 1;                                                 \
        }                                                                  \
    } while (0)

static jmp_buf out;

static void jumps(void *user, const double *pivot, double *eye)
{
    (void)user;
    (void)pivot;
    eye[0] = 1e9;
    longjmp(out, 1);
}

static struct portamento_drawn drawn(double x)
{
    struct portamento_drawn made;
    memset(&made, 0, sizeof made);
    made.now.position[0] = made.before.position[0] = x;
    made.now.rotation[3] = made.before.rotation[3] = 1.0f;
    return made;
}

/* The camera is as it was when the callback jumps out: it goes on like one that was never disturbed. */
static void a_callback_that_jumps(void)
{
    struct portamento_chase_settings settings;
    struct portamento_chase_camera jumped, plain;
    CHECK(portamento_chase_settings_y_up(&settings) == PORTAMENTO_OK);
    CHECK(portamento_chase_camera_new(&settings, &jumped) == PORTAMENTO_OK);
    CHECK(portamento_chase_camera_new(&settings, &plain) == PORTAMENTO_OK);
    for (volatile int frame = 0; frame < 100; frame++) {
        struct portamento_drawn body = drawn(0.1 * frame);
        struct portamento_shot a, b;
        if (setjmp(out) == 0) {
            portamento_chase_camera_update(jumped, 0.01, &body, jumps, NULL, &a);
            CHECK(!"it jumps");
        }
        CHECK(portamento_chase_camera_update(jumped, 0.01, &body, NULL, NULL, &a) == PORTAMENTO_OK);
        CHECK(portamento_chase_camera_update(plain, 0.01, &body, NULL, NULL, &b) == PORTAMENTO_OK);
        CHECK(memcmp(&a.eye, &b.eye, sizeof a.eye) == 0);
    }
    CHECK(portamento_chase_camera_free(jumped) == PORTAMENTO_OK);
    CHECK(portamento_chase_camera_free(plain) == PORTAMENTO_OK);
}

static void what_is_wrong_is_a_status(void)
{
    struct portamento_fixed_settings settings;
    struct portamento_stepper stepper, again;
    struct portamento_frame frame;
    char words[64];
    CHECK(portamento_require_abi(PORTAMENTO_ABI_VERSION) == PORTAMENTO_OK);
    CHECK(portamento_require_abi(PORTAMENTO_ABI_VERSION + 1) == PORTAMENTO_WRONG_SIZE);
    CHECK(portamento_fixed_settings_at_hz(60.0, &settings) == PORTAMENTO_OK);
    CHECK(portamento_stepper_fixed(&settings, NULL) == PORTAMENTO_NULL);
    CHECK(portamento_stepper_fixed(&settings, &stepper) == PORTAMENTO_OK);
    CHECK(portamento_stepper_frame(stepper, 0.1, NULL) == PORTAMENTO_NULL);
    CHECK(portamento_stepper_frame(stepper, 0.1, &frame) == PORTAMENTO_OK);
    CHECK(frame.ticks == 6);
    CHECK(portamento_stepper_free(stepper) == PORTAMENTO_OK);
    CHECK(portamento_stepper_free(stepper) == PORTAMENTO_UNKNOWN_HANDLE);
    CHECK(portamento_stepper_frame(stepper, 0.1, &frame) == PORTAMENTO_UNKNOWN_HANDLE);
    CHECK(portamento_last_error(words, sizeof words) > strlen("the handle"));
    CHECK(strncmp(words, "the handle names no such object", 31) == 0);
    CHECK(strlen(words) == portamento_last_error(NULL, 0));
    /* The same slot, and yet the old handle stays dead. */
    CHECK(portamento_stepper_fixed(&settings, &again) == PORTAMENTO_OK);
    CHECK(again.id != stepper.id);
    CHECK(portamento_stepper_frame(stepper, 0.1, &frame) == PORTAMENTO_UNKNOWN_HANDLE);
    CHECK(portamento_stepper_free(again) == PORTAMENTO_OK);
    settings.size += 4;
    CHECK(portamento_stepper_fixed(&settings, &again) == PORTAMENTO_WRONG_SIZE);
}

int main(void)
{
    a_callback_that_jumps();
    what_is_wrong_is_a_status();
    if (failures == 0) {
        puts("the border holds: longjmp, freed handles, null pointers, other versions");
    }
    return failures != 0;
}
