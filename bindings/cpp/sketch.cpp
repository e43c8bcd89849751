// The shortest program: a world of yours, drawn from a buffer of instance matrices.
#include "portamento.hpp"

#include <vector>

struct World {
    void update(double dt) { all.front().position[0] += static_cast<float>(dt); }
    const std::vector<portamento::Pose> &poses() const { return all; }
    std::vector<portamento::Pose> all{portamento::pose_at(0.0f, 0.0f, 0.0f), portamento::pose_at(0.0f, 1.0f, 0.0f)};
};

int main() {
    World world;
    portamento::Batch poses;
    for (const auto &pose : world.poses()) {
        poses.insert(pose);
    }
    std::vector<float> instance_buffer(12 * poses.rows());
    const double dt = 1.0 / 144.0;

    portamento::Stepper stepper = portamento::Stepper::fixed(60.0);
    for (int frame = 0; frame < 144; frame++) {
        for (auto tick : stepper.frame(dt)) { world.update(tick.dt); poses.push_all(world.poses()); }
        poses.write_matrices(stepper.moment(), instance_buffer);    // only what moved
    }
    // One second of ticks, drawn one tick late: the first entity at 1 - 1/60, the second where it was.
    const bool drawn = instance_buffer[3] > 0.98f && instance_buffer[3] < 0.99f && instance_buffer[12 + 7] == 1.0f;
    return drawn ? 0 : 1;
}
