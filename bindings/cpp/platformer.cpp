// A fixed-step 2D game: 500 entities, a camera that follows the first, a teleport. The entities keep the idiom of many
// engines: store the previous position at the start of a tick, then update.
//
// One simulation, drawn three times: the newest tick as it is; blended by hand between the two stored positions, with the
// teleport that forgets to set both and the camera that reads the hero for itself; and by portamento. Prints the judder of
// each (0 is perfect), how much the hero shakes on the screen, and how many frames show the teleporter on its way.
#include "portamento.hpp"

#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <vector>

namespace {

constexpr double Speed = 120.0;  // pixels per second
constexpr double Step = 1.0 / 60.0;
constexpr float Away = 100000.0f;

/// An entity as the engine has it. Nothing here changes with portamento.
struct Entity {
    portamento::Pose pose;
    float previous_x = 0.0f;

    void store_previous() { previous_x = pose.position[0]; }
    void update(double dt) { pose.position[0] += static_cast<float>(Speed * dt); }
};

struct World {
    std::vector<Entity> entities;
    bool teleported = false;

    void update(double dt) {
        for (Entity &entity : entities) {
            entity.store_previous();
            entity.update(dt);
        }
    }
};

/// The spread of a drawn speed around the true one, as a share of the hero's speed.
class Judder {
  public:
    explicit Judder(double speed) : speed_(speed) {}
    void judge(double place, double frame_time) {
        if (frames_++ > 0) {
            const double off = (place - last_) / frame_time - speed_;
            sum_ += off * off;
        }
        last_ = place;
    }
    double result() const { return std::sqrt(sum_ / (frames_ - 1)) / Speed; }

  private:
    double speed_, last_ = 0.0, sum_ = 0.0;
    int frames_ = 0;
};

/// What is measured of each picture.
struct Picture {
    const char *name;
    Judder hero{Speed}, screen{0.0};
    int slides = 0;

    void frame(bool judged, double frame_time, double hero_x, double camera_x, double teleporter_x) {
        if (judged) {
            hero.judge(hero_x, frame_time);
            screen.judge(hero_x - camera_x, frame_time);
        }
        slides += teleporter_x > 5000.0 && teleporter_x < Away;
    }
    void print() const {
        std::printf("  %-14s %8.3f %14.3f %12d\n", name, hero.result(), screen.result(), slides);
    }
};

/// The camera that most engines have: a share of the way to what it reads, in each frame.
struct HandCamera {
    double x = 0.0;
    double follow(double target, double dt) { return x += (target - x) * (1.0 - std::pow(0.875, dt * 60.0)); }
};

/// An exception from a collision callback arrives, and the camera stays usable.
bool callbacks_may_throw(const portamento::Moment &moment) {
    portamento::ChaseCamera chase(portamento::ChaseSettings::z_up());
    portamento::Track body(portamento::pose64_at(0.0, 0.0, 0.0));
    const portamento::Drawn view = body.draw(moment);
    bool caught = false;
    try {
        chase.update(moment, view, [](const double *, double *) { throw std::runtime_error("a wall"); });
    } catch (const std::runtime_error &) {
        caught = true;
    }
    return caught && chase.update(moment, view, [](const double *, double *eye) { eye[2] = 7.0; }).eye[2] == 7.0;
}

}  // namespace

int main() {
    if (!portamento::is_compatible()) {
        std::fputs("the library is not the one of this header\n", stderr);
        return 1;
    }
    World world;
    portamento::Stepper stepper = portamento::Stepper::fixed(60.0);
    portamento::Batch batch;
    portamento::FollowCamera camera(portamento::FollowSettings(640.0, 360.0));
    std::vector<portamento::BatchHandle> rows;
    for (int i = 0; i < 500; i++) {
        world.entities.push_back({portamento::pose_at(0.0f, static_cast<float>(i), 0.0f)});
        rows.push_back(batch.insert(world.entities.back().pose).value());
    }
    std::vector<float> drawn(3 * batch.rows());

    Picture newest{"newest tick"}, by_hand{"by hand"}, smooth{"portamento"};
    HandCamera newest_camera, hand_camera;
    double accumulator = 0.0;
    for (int i = 0; i < 1440; i++) {
        const double frame_time = (i % 3 == 0 ? 1.2 : 0.9) / 144.0;  // your clock's, which is uneven
        for (const auto &tick : stepper.frame(frame_time)) {
            world.update(tick.dt);
            batch.push_all(world.entities, &Entity::pose);
            if (!world.teleported && i > 700) {
                world.teleported = true;
                world.entities.back().pose.position[0] += Away;
                batch.cut(rows.back(), world.entities.back().pose);
            }
        }
        const Entity &hero = world.entities.front(), &teleporter = world.entities.back();
        const bool judged = i > 720;  // the cameras have settled

        // What most games do first.
        const double newest_x = hero.pose.position[0];
        newest.frame(judged, frame_time, newest_x, newest_camera.follow(newest_x, frame_time), teleporter.pose.position[0]);

        // What they do next.
        accumulator += frame_time;
        while (accumulator >= Step) {
            accumulator -= Step;
        }
        const auto blended = [alpha = accumulator / Step](const Entity &entity) {
            return entity.previous_x + (entity.pose.position[0] - entity.previous_x) * alpha;
        };
        by_hand.frame(judged, frame_time, blended(hero), hand_camera.follow(newest_x, frame_time), blended(teleporter));

        // The same by portamento: one moment for everything, the camera included.
        batch.write_positions(stepper.moment(), drawn);
        const portamento::Framing framing = camera.update(stepper.moment(), drawn[0], 0.0);
        smooth.frame(judged, frame_time, drawn[0], framing.centre[0], drawn[3 * (world.entities.size() - 1)]);
    }
    std::printf("                  judder  on the screen  slid frames\n");
    newest.print();
    by_hand.print();
    smooth.print();

    const bool good = smooth.hero.result() < 0.01 && smooth.screen.result() < 0.01 && smooth.slides == 0 &&
                      newest.hero.result() > 1.0 && by_hand.slides > 0 && by_hand.screen.result() > 0.02;
    return good && world.teleported && callbacks_may_throw(stepper.moment()) ? 0 : 1;
}
