// A fixed-step 2D game: entities in a batch, a following camera, a teleport. Drawn naively and by portamento.
//
// Prints the judder of both (0 is perfect) and checks that no frame shows a place between the two sides of the teleport.
#include "portamento.hpp"

#include <cmath>
#include <cstdio>
#include <stdexcept>

namespace {

constexpr double Speed = 120.0;  // pixels per second

struct World {
    std::vector<portamento::Pose> poses;

    void update(double dt) {
        for (auto &pose : poses) {
            pose.position[0] += static_cast<float>(Speed * dt);
        }
    }
};

struct Judder {
    double last = 0.0, sum = 0.0;
    int frames = 0;

    void judge(double place, double frame_time) {
        if (frames++ > 0) {
            const double off = (place - last) / frame_time - Speed;
            sum += off * off;
        }
        last = place;
    }
    double result() const { return std::sqrt(sum / (frames - 1)) / Speed; }
};

}  // namespace

int main() {
    portamento::Stepper stepper = portamento::Stepper::fixed(60.0);
    portamento::Batch batch;
    portamento::FollowCamera camera(portamento::FollowCamera::defaults(640.0, 360.0));
    World world;
    std::vector<portamento::Row> rows;
    for (int i = 0; i < 500; i++) {
        portamento::Pose pose{{0.0f, static_cast<float>(i), 0.0f}, {0.0f, 0.0f, 0.0f, 1.0f}};
        world.poses.push_back(pose);
        rows.push_back(batch.add(pose).value());
    }
    std::vector<float> drawn(3 * batch.rows());

    Judder naive, smooth;
    bool jumps = false, between = false;
    for (int i = 0; i < 1440; i++) {
        const double frame_time = (i % 3 == 0 ? 1.2 : 0.9) / 144.0;
        for (auto tick : stepper.frame(frame_time)) {
            world.update(tick.dt);
            batch.push_all(world.poses);
            if (!jumps && i > 700) {  // the last one teleports
                jumps = true;
                world.poses.back().position[0] += 100000.0f;
                batch.cut(rows.back(), world.poses.back());
            }
        }
        batch.write_positions(stepper.moment(), drawn);
        const double x = drawn[0], last = drawn[3 * (world.poses.size() - 1)];
        camera.update(stepper.moment(), x, 0.0);
        between = between || (last > 5000.0 && last < 100000.0);
        if (i > 10) {
            naive.judge(world.poses[0].position[0], frame_time);
            smooth.judge(x, frame_time);
        }
    }
    std::printf("judder: newest tick %.3f, portamento %.3f\n", naive.result(), smooth.result());

    // A collision callback that throws: the exception arrives, the camera stays usable.
    portamento::ChaseCamera chase = portamento::ChaseCamera::z_up();
    portamento::Track body(portamento::at(0.0, 0.0, 0.0));
    const auto view = body.draw(stepper.moment());
    bool caught = false;
    try {
        chase.update(stepper.moment(), view, [](const double *, double *) { throw std::runtime_error("a wall"); });
    } catch (const std::runtime_error &) {
        caught = true;
    }
    const auto shot = chase.update(stepper.moment(), view, [](const double *, double *eye) { eye[2] = 7.0; });

    return smooth.result() < 0.1 * naive.result() && !between && jumps && caught && shot.eye[2] == 7.0 ? 0 : 1;
}
