// A collision callback that throws: the exception passes through the library to whoever called it, and the camera is as it
// was. Run by `cargo xtask c` with sanitizers and in valgrind.
#include "portamento.h"

#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>

namespace {

struct Wall {
    std::string name; // something that must be destroyed on the way
};

void throws(void *user, const double *, double *eye)
{
    Wall wall = *static_cast<Wall *>(user);
    eye[0] = 1e9;
    throw std::runtime_error(wall.name);
}

portamento_drawn drawn(double x)
{
    portamento_drawn made{};
    made.now.position[0] = made.before.position[0] = x;
    made.now.rotation[3] = made.before.rotation[3] = 1.0f;
    return made;
}

} // namespace

int main()
{
    portamento_chase_settings settings;
    portamento_chase_camera thrown, plain;
    int failures = 0;
    failures += portamento_chase_settings_y_up(&settings) != PORTAMENTO_OK;
    failures += portamento_chase_camera_new(&settings, &thrown) != PORTAMENTO_OK;
    failures += portamento_chase_camera_new(&settings, &plain) != PORTAMENTO_OK;
    Wall wall{"a wall with a name too long to be kept in the string itself"};
    int caught = 0;
    for (int frame = 0; frame < 100; frame++) {
        portamento_drawn body = drawn(0.1 * frame);
        portamento_shot a, b;
        try {
            portamento_chase_camera_update(thrown, 0.01, &body, throws, &wall, &a);
        } catch (const std::runtime_error &error) {
            caught += error.what() == wall.name;
        }
        failures += portamento_chase_camera_update(thrown, 0.01, &body, nullptr, nullptr, &a) != PORTAMENTO_OK;
        failures += portamento_chase_camera_update(plain, 0.01, &body, nullptr, nullptr, &b) != PORTAMENTO_OK;
        failures += std::memcmp(&a.eye, &b.eye, sizeof a.eye) != 0;
    }
    failures += portamento_chase_camera_free(thrown) != PORTAMENTO_OK;
    failures += portamento_chase_camera_free(plain) != PORTAMENTO_OK;
    std::printf("%d exceptions came through, %d failures\n", caught, failures);
    return caught == 100 && failures == 0 ? 0 : 1;
}
