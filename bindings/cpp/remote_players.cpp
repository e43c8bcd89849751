// Other players over a network: three entities of a server that sends 20 messages per second, one in twenty of which is
// lost, the others late by 40 to 70 ms. One of them teleports, one vanishes.
//
// Drawn twice: the newest report as it is, and by portamento. Prints the judder of each (0 is perfect), how many frames
// show the teleporter on its way, and the statistics of the connection.
#include "portamento.hpp"

#include <cmath>
#include <cstdio>
#include <deque>
#include <map>
#include <vector>

namespace {

constexpr double Speed = 6.0;  // units per second
constexpr double Frame = 1.0 / 144.0;
constexpr int Runner = 1, Teleporter = 2, Leaver = 3;

/// What your messages hold of one entity.
struct Entity {
    int id;
    portamento::Pose64 pose;
    std::uint32_t teleports;
};

struct Message {
    double sent;
    std::vector<Entity> entities;
};

/// Stands for your transport.
class Network {
  public:
    void server_runs_until(double now) {
        for (; next_ <= now; next_ += 1.0 / 20.0) {
            Message message{next_, {{Runner, portamento::pose64_at(Speed * next_, 0.0, 0.0), 0}}};
            const bool away = next_ > 6.0;
            message.entities.push_back({Teleporter, portamento::pose64_at(away ? 500.0 : 0.0, 1.0, 0.0), away ? 1u : 0u});
            if (next_ < 8.0) {
                message.entities.push_back({Leaver, portamento::pose64_at(0.0, 2.0, 0.0), 0});
            }
            if (random() > 0.05) {
                on_the_way_.push_back({next_ + 0.04 + 0.03 * random(), message});
            }
        }
    }
    bool receive(double now, Message &message) {
        if (on_the_way_.empty() || on_the_way_.front().first > now) {
            return false;
        }
        message = on_the_way_.front().second;
        on_the_way_.pop_front();
        return true;
    }

  private:
    double random() { return (state_ = state_ * 1103515245u + 12345u) % 65536u / 65536.0; }

    double next_ = 0.0;
    std::uint32_t state_ = 1;
    std::deque<std::pair<double, Message>> on_the_way_;
};

/// The spread of a drawn speed around the true one.
class Judder {
  public:
    void judge(double place) {
        if (frames_++ > 0) {
            const double off = (place - last_) / Frame - Speed;
            sum_ += off * off;
        }
        last_ = place;
    }
    double result() const { return std::sqrt(sum_ / (frames_ - 1)) / Speed; }

  private:
    double last_ = 0.0, sum_ = 0.0;
    int frames_ = 0;
};

}  // namespace

int main() {
    Network network;
    portamento::Peer server = portamento::Peer::at_hz(20.0);
    std::map<int, portamento::Snapshots> others;
    std::map<int, portamento::Pose64> newest;
    portamento::ChaseCamera camera(portamento::ChaseSettings::y_up());
    Judder as_it_is, smooth, eye;
    int slides = 0;

    for (int i = 0; i < 144 * 10; i++) {
        const double now = i * Frame;  // your clock
        network.server_runs_until(now);

        // The stamp of each message once, then its entities, before the next message is received.
        Message message;
        while (network.receive(now, message)) {
            server.receive(message.sent, now);
            for (const Entity &entity : message.entities) {
                others[entity.id].insert(server, portamento::Report(entity.pose).with_epoch(entity.teleports));
                newest[entity.id] = entity.pose;
            }
            if (message.sent >= 8.0 && others.count(Leaver) != 0) {
                others[Leaver].vanish(server);  // your server says so
            }
        }

        // Every frame: one moment for all entities of the server, and for the camera.
        const auto frame = server.frame(now);
        if (!frame) {
            continue;  // no message came yet
        }
        for (auto other = others.begin(); other != others.end();) {
            const auto seen = other->second.draw(server);
            if (seen.state == portamento::SnapshotState::gone) {
                other = others.erase(other);
                continue;
            }
            if (seen.here) {
                const double x = seen.here->now.position[0];
                slides += other->first == Teleporter && x > 1.0 && x < 499.0;
                if (other->first == Runner) {
                    const auto shot = camera.update(*frame, *seen.here);
                    if (i > 144 * 2) {
                        as_it_is.judge(newest[Runner].position[0]);
                        smooth.judge(x);
                        eye.judge(shot.eye[0]);
                    }
                }
            }
            ++other;
        }
    }
    const auto connection = server.statistics();
    std::printf("judder: newest report %.3f, portamento %.3f, its camera %.3f\n", as_it_is.result(), smooth.result(),
                eye.result());
    std::printf("frames that show the teleporter on its way: %d; entities left: %d\n", slides,
                static_cast<int>(others.size()));
    std::printf("drawn %.0f ms behind, jitter %.0f ms, %.0f %% lost\n", 1000.0 * connection.delay,
                1000.0 * connection.jitter, 100.0 * connection.loss);
    const bool good = smooth.result() < 0.1 && eye.result() < 0.1 && as_it_is.result() > 2.0 && slides == 0;
    return good && others.size() == 2 && connection.loss > 0.01 ? 0 : 1;
}
