// Each part of portamento.hpp once, with what it must give.
#include "portamento.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

using namespace portamento;

namespace {

int failures = 0;
int reported = 0;

void expect(bool holds, const char *what) {
    if (!holds) {
        failures++;
        std::printf("not so: %s\n", what);
    }
}

void owners() {
    Track first(pose64_at(1.0, 0.0, 0.0));
    const auto handle = first.get();
    Track second = std::move(first);
    expect(!first && second && second.get().id == handle.id, "a move takes the handle");
    Track third(pose64_at(3.0, 0.0, 0.0));
    const auto replaced = third.get();
    third = std::move(second);
    Pose64 pose{};
    expect(portamento_track_truth(replaced, &pose) == PORTAMENTO_UNKNOWN_HANDLE, "a move frees what it replaces");
    expect(third.truth().position[0] == 1.0, "and keeps what it took");
    third.reset();
    expect(!third, "reset frees");

    reported = 0;
    on_error = [](Status, const char *words) { reported += std::strlen(words) > 10; };
    expect(third.push(pose64_at(0.0, 0.0, 0.0)) == PORTAMENTO_UNKNOWN_HANDLE && reported == 1, "failures are reported");
    expect(third.view(moment_at(1.0, 0.0)).rotation[3] == 1.0f, "a failed view is not turned");
    expect(!Stepper::fixed(-1.0) && !last_error().empty(), "a factory that fails gives false and words");
    on_error = nullptr;
    expect(is_compatible() && abi_version() == PORTAMENTO_ABI_VERSION, "header and library fit");
}

void steps() {
    Stepper stepper = Stepper::fixed(50.0);
    int ticks = 0;
    for (const auto &tick : stepper.frame_at(10.0)) {
        ticks += tick.dt > 0.0;
    }
    expect(ticks == 0, "the first reading starts the clock");
    for (const auto &tick : stepper.frame_at(10.1)) {
        ticks += tick.dt > 0.0;
    }
    expect(ticks == 5 && stepper.counts().ticks == 5, "a tenth of a second has five ticks");
    stepper.pause();
    expect(stepper.frame(1.0).size() == 0, "a pause has no ticks");
    expect(stepper.step_once().size() == 1, "but for one");
    stepper.resume();
    stepper.set_time_scale(0.5);
    stepper.set_hz(100.0);
    stepper.set_snapping(Snapping::to_step);
    stepper.cut();
    stepper.set_snapping(Snapping::off);
    Stepper gated = Stepper::gated();
    expect(gated.frame(0.05).size() == 1, "a gate ticks with the frame");
    const auto stale = gated.frame(3.0);
    expect(stale.lost() >= 3.0 && stale.lost_reason() == LostReason::stale, "and loses stale time");
}

void tracks() {
    Track track(pose64_at(0.0, 0.0, 0.0), 4);
    track.push(pose64_at(2.0, 0.0, 0.0));
    expect(track.view(moment_at(0.5, 0.0)).position[0] == 1.0, "halfway");
    track.correct(pose64_at(4.0, 0.0, 0.0));
    expect(track.draw(moment_at(0.5, 0.01)).now.position[0] == 2.0, "a correction moves the newest");
    track.rebase(10.0, 0.0, 0.0);
    expect(track.truth().position[0] == 14.0, "rebase shifts");
    track.reserve_saves(4);
    track.save(7);
    track.push(pose64_at(20.0, 0.0, 0.0));
    expect(track.restore(7) && !track.restore(6) && track.truth().position[0] == 14.0, "rollback");
    track.cut(pose64_at(0.0, 0.0, 0.0));
    expect(track.draw(moment_at(0.5, 0.01)).cut == 1 && track.at_rest(moment_at(0.5, 0.01)), "a cut is a cut, and rests");

    Pose64 turned = pose64_at(1.0, 0.0, 0.0);
    turned.rotation[0] = 3.0f;
    turned.rotation[3] = 4.0f;
    expect(normalize(turned) == PORTAMENTO_OK && turned.rotation[3] == 0.8f, "normalize");
    expect(blend(pose64_at(0.0, 0.0, 0.0), turned, 0.5).position[0] == 0.5, "blend");
    expect(slerp(pose64_at(0.0, 0.0, 0.0), turned, 1.0).rotation[0] == 0.6f, "slerp");
    const double from[2] = {0.0, 10.0}, to[2] = {1.0, 20.0};
    double out[2];
    expect(blend(from, to, 0.5, out) == PORTAMENTO_OK && out[1] == 15.0, "numbers");
}

struct Sprite {
    int id;
    float place[3];
};

/// A place for one position.
Span<float> near_one() {
    static float place[3];
    return place;
}

void batches() {
    Batch batch;
    batch.reserve(2);
    const BatchHandle first = batch.insert(pose_at(0.0f, 0.0f, 0.0f)).value(), second = batch.insert(pose_at(5.0f, 0.0f, 0.0f)).value();
    const std::vector<BatchHandle> some{second};
    const std::vector<Pose> poses{pose_at(7.0f, 0.0f, 0.0f)};
    batch.push_some(some, poses);
    batch.correct(first, pose_at(1.0f, 0.0f, 0.0f));
    expect(batch.truth(second).position[0] == 7.0f && batch.truth(first).position[0] == 1.0f, "some moved");
    Sprite sprites[2] = {};
    expect(batch.write<OutputForm::positions>(moment_at(0.5, 0.0), sprites, &Sprite::place) == 2 &&
               sprites[1].place[0] == 6.0f && sprites[1].id == 0,
           "into structs");
    batch.redraw();
    float packed[6];
    BatchHandle moved[2];
    expect(batch.write_moved(moment_at(1.0, 0.0), OutputForm::positions, packed, moved) == 2, "packed");
    std::unique_ptr<float[]> matrices(new float[32]);
    batch.redraw();
    expect(batch.write_matrices_4x4(moment_at(1.0, 0.0), {matrices.get(), 32}) == 2 && matrices[16 + 12] == 7.0f, "4x4");
    batch.rebase(1.0f, 0.0f, 0.0f);
    batch.remove(first);
    batch.cut(second, pose_at(9.0f, 0.0f, 0.0f));
    std::vector<Sprite> all(2);
    batch.write(moment_at(1.0, 0.0), OutputForm::poses, std::vector<float>(14), moved);
    expect(floats(all).size() == 8, "any struct of floats");

    BatchSettings settings = BatchSettings::defaults();
    settings.remember_views = 1;
    Batch corrected(settings);
    const BatchHandle one = corrected.insert(pose_at(0.0f, 0.0f, 0.0f)).value();
    corrected.reserve_saves(4);
    corrected.save(1);
    const std::vector<Pose> next{pose_at(1.0f, 0.0f, 0.0f)};
    corrected.push_all(next);
    corrected.write_positions(moment_at(1.0, 0.01), near_one());
    corrected.reconcile(one, pose_at(1.4f, 0.0f, 0.0f));
    expect(!corrected.drawn(one), "changed since its frame");
    corrected.write_positions(moment_at(1.0, 0.01), near_one());
    const auto drawn = corrected.drawn(one);
    expect(drawn && drawn->now.position[0] < 1.4 && drawn->before.position[0] == 1.0, "it glides, for a camera too");
    expect(corrected.restore(1) && !corrected.restore(2) && corrected.truth(one).position[0] == 0.0f, "rollback of all");

    Batch64 large;
    large.reserve(1);
    const BatchHandle row = large.insert(pose64_at(1e9, 0.0, 0.0)).value();
    const std::vector<Pose64> pushed{pose64_at(1e9 + 1.0, 0.0, 0.0)};
    large.push_all(pushed);
    const double camera[3] = {1e9, 0.0, 0.0};
    float near[3];
    expect(large.write(moment_at(0.5, 0.0), camera, OutputForm::positions, near) == 1 && near[0] == 0.5f, "from the camera");
    std::vector<Pose64> far(large.rows());
    large.correct(row, pose64_at(1e9 + 2.0, 0.0, 0.0));
    large.redraw();
    expect(large.write(moment_at(1.0, 0.0), far) == 1 && far[0].position[0] == 1e9 + 2.0, "in doubles");
    large.rebase(-1e9, 0.0, 0.0);
    large.cut(row, pose64_at(0.0, 0.0, 0.0));
    large.remove(row);
}

void cameras() {
    FollowSettings settings(640.0, 360.0);
    settings.shake.own_time = 1;
    FollowCamera camera(settings);
    camera.update(Presented::from_seconds(0.01), 100.0, 50.0);
    expect(camera.to_world(320.0, 180.0) == std::pair<double, double>(100.0, 50.0), "the middle of the screen");
    expect(camera.to_screen(100.0, 50.0) == std::pair<double, double>(320.0, 180.0), "and back");
    camera.pan(32.0, 0.0);
    expect(camera.update_free(Presented::from_seconds(0.01)).centre[0] == 68.0, "panned");
    camera.recentre();
    camera.set_centre(10.0, 20.0);
    camera.rebase(5.0, 0.0);
    const FollowTarget targets[2] = {{0.0, 0.0}, {900.0, 100.0, true}};
    expect(camera.update_all(Presented::from_seconds(0.01), targets).zoom <= 1.0, "room for both");
    expect(camera.framing().zoom == camera.framing().zoom, "the picture last drawn");
    camera.zoom_to(2.0);
    camera.zoom_to(1.0, 10.0, 10.0);
    camera.zoom_by(2.0);
    camera.zoom_by(0.5, 10.0, 10.0);
    expect(camera.settings().zoom == 1.0 && camera.settings().rule == PORTAMENTO_FOLLOW_RULE_SMOOTH, "zoomed back");
    camera.shake(0.1);
    camera.advance_shake(0.01);
    camera.cut();
    camera.set_settings(settings);
    expect(camera.counts().requests == 0, "nothing was refused");
    ChaseCamera chase(ChaseSettings::y_up());
    chase.set_settings(ChaseSettings::z_up());
    chase.set_look(0.1, 0.2);
    expect(chase.settings().orbit == 0.1 && chase.counts().targets == 0, "looked");
    chase.release_height();
    chase.rebase(1.0, 0.0, 0.0);
    chase.cut();
    Track body(pose64_at(0.0, 0.0, 0.0));
    expect(chase.update(moment_at(1.0, 0.01), body.draw(moment_at(1.0, 0.01))).body_opacity == 1.0f, "chase");
}

void other_clocks() {
    Playhead playhead = Playhead::at_hz(50.0);
    Timeline timeline;
    Cues cues;
    cues.add(0.5, 9);
    cues.add(100.0, 10);
    std::uint64_t heard = 0;
    expect(!playhead.advance(0.0) && !timeline.truth(), "nothing yet");
    for (int i = 0; i < 100; i++) {
        expect(playhead.observe(i * 0.02, i * 0.02) == Observed::newest, "in order");
        timeline.push(i * 0.02, pose64_at(i, 0.0, 0.0));
        if (const auto shown = playhead.advance(i * 0.02 + 0.005)) {
            while (const auto cue = cues.next(*shown)) {
                heard += cue->event;
            }
            TimelinePlace place{};
            expect(timeline.draw(*shown).has_value() && timeline.view(*shown, &place).has_value(), "drawn");
            ChaseCamera(ChaseSettings::y_up()).update(*shown, *timeline.draw(*shown));
        }
    }
    expect(heard == 9 && cues.waiting() == 1 && cues.refused() == 0, "one cue was reached");
    cues.clear();
    expect(playhead.counts().ticks == 100 && !playhead.alpha_since_arrival(), "counts");
    expect(playhead.observe_cut(2.0, 2.0) == Observed::newest && Playhead(PlayheadSettings::network(20.0)), "a cut");
    timeline.cut(2.0, pose64_at(99.0, 0.0, 0.0));
    playhead.set_time_scale(2.0, 0.5);
    playhead.restart();
    timeline.rebase(1.0, 0.0, 0.0);
    expect(timeline.truth()->position[0] == 100.0, "rebase");
    timeline.clear();

    ReconcileSettings settings = ReconcileSettings::defaults();
    settings.pace = 2.0;
    PredictedTrack predicted(pose64_at(0.0, 0.0, 0.0), settings);
    predicted.reserve_saves(8);
    predicted.push(pose64_at(0.1, 0.0, 0.0));
    predicted.save(1);
    predicted.push(pose64_at(0.2, 0.0, 0.0));
    predicted.draw(moment_at(1.0, 0.01));
    expect(!predicted.restore(7), "never saved");
    predicted.reconcile(pose64_at(0.3, 0.0, 0.0));
    expect(predicted.draw(moment_at(1.0, 0.001)).now.position[0] < 0.3 && predicted.offset().length > 0.0, "it glides");
    predicted.correct(pose64_at(0.3, 0.0, 0.0));
    predicted.rebase(1.0, 0.0, 0.0);
    predicted.cut(pose64_at(5.0, 0.0, 0.0));
    expect(predicted.truth().position[0] == 5.0, "cut");

    VisualOffset offset;
    expect(offset.absorb(pose64_at(0.0, 0.0, 0.0), pose64_at(0.5, 0.0, 0.0), {1.0, 1.0}) == Absorbed::kept, "absorbed");
    expect(offset.drawn(pose64_at(0.5, 0.0, 0.0)).position[0] == 0.0 && offset.size().length == 0.5, "the picture stays");
    offset.fade(moment_at(1.0, 0.1));
    const OffsetFading fading = OffsetFading::correction();
    offset.fade(moment_at(1.0, 0.1), &fading);
    offset.clear();
    expect(offset.size().length == 0.0, "gone");
}

void exchanges() {
    Shape shape(8);
    shape.f32_columns = 1;
    shape.u32_columns = 1;
    Exchange exchange(shape);
    Writer writer(exchange);
    expect(!Writer(exchange), "one writer");
    Reader reader(exchange, PlayheadSettings::at_hz(50.0));
    Stepper stepper = Stepper::fixed(50.0);
    expect(!reader.frame(0.0), "nothing yet");
    std::vector<EntityView> entities(8);
    for (int i = 0; i < 50; i++) {
        for (const auto &tick : stepper.frame(0.02)) {
            writer.set(3, pose64_at(tick.time, 0.0, 0.0));
            const std::uint64_t ids[1] = {4};
            const Pose64 poses[1] = {pose64_at(tick.time, 1.0, 0.0)};
            writer.set(ids, poses);
            writer.set_flags(3, 7);
            writer.set_f32(3, 0, 0.5f);
            writer.set_u32(3, 0, 9);
        }
        writer.publish(i * 0.02, stepper);
        const auto world = reader.frame(i * 0.02 + 0.005);
        expect(world.has_value() && reader.entities(entities) == 2, "two entities");
        expect(reader.draw(3).has_value() && !reader.draw(5), "by number");
        expect(ChaseCamera(ChaseSettings::y_up()).update(*world, *reader.draw(3)).body_opacity > 0.0f, "followed");
        expect(reader.f32(entities[0].row, 0).has_value() && reader.u32(entities[0].row, 0).has_value(), "columns");
    }
    writer.cut(3, pose64_at(0.0, 0.0, 0.0));
    writer.remove(4);
    expect(writer.publish(2.0, 2.0).tick == 50, "published");
    expect(reader.wait(0.0) && reader.counts().missed == 0, "a tick is waiting");
    expect(reader.writer() == WriterState::publishing && exchange.shape().entities == 8, "state and shape");
    writer.reset();
    expect(reader.writer() == WriterState::closed, "ended");
    expect(machine_seconds() > 0.0, "a clock");

    const std::string path = "/dev/shm/portamento-everything-" + std::to_string(std::rand()) + "-" +
                             std::to_string(static_cast<long long>(machine_seconds() * 1e9));
    {
        Exchange file = Exchange::create_file(path.c_str(), shape);
        expect(file && Exchange::open_file(path.c_str()) && !file.is_replaced(), "in a file");
    }
    std::remove(path.c_str());
    expect(!Exchange::open_file(path.c_str()), "no file");
}

void network() {
    Peer server = Peer::at_hz(20.0);
    Snapshots other, point = Snapshots::of_points();
    History history = History::at_hz(20.0);
    TickClock ticks = TickClock::at_hz(20.0, 4);
    for (int i = 0; i < 40; i++) {
        const double now = i * 0.05;
        Report report(pose64_at(now, 0.0, 0.0));
        report.with_epoch(1);
        PointReport place(now, 0.0, 0.0);
        place.with_epoch(1).with_velocity(1.0, 0.0, 0.0);
        expect(ticks.seconds(static_cast<std::uint32_t>(i % 16), now + 0.03) == i / 20.0, "a counter of four bits");
        server.receive(now, now + 0.03);
        expect(other.insert(server, report) == Inserted::in, "taken");
        expect(point.insert(server, place) == Inserted::in, "a point too");
        expect(history.record(now, report), "recorded");
        if (i > 20) {
            const auto frame = server.frame(now + 0.04);
            const auto seen = other.draw(server);
            expect(frame.has_value() && seen.here.has_value(), "seen");
            const auto claim = other.claim(server);
            const auto rewound = claim ? history.rewind(*claim, now + 0.06) : std::nullopt;
            expect(rewound && other.blended() &&
                       std::memcmp(rewound->pose.position, other.blended()->position, sizeof rewound->pose.position) == 0,
                   "the server finds what the client saw, to the bit");
            point.draw(server);
        }
    }
    Claim made_up{};
    std::memset(made_up.bytes, 0xab, sizeof made_up.bytes);
    expect(!history.rewind(made_up, 2.0), "a claim that is made up");
    expect(history.at(1.0).has_value() && history.counts().refused == 0, "without a claim");
    PointReport wrong;
    on_error = [](Status, const char *) {};
    history.record(3.0, wrong);
    on_error = nullptr;
    expect(other.extra_delay() >= 0.0 && other.offset().length >= 0.0 && other.counts().late == 0, "delay");
    expect(server.statistics().received == 40 && server.statistics().loss == 0.0, "a good connection");
    server.set_hz(10.0);
    ticks.set_tick(1000, 2.0);
    ticks.restart();
    expect(Peer(PeerSettings::action(20.0)) && Peer(PeerSettings::racing(20.0)) && Peer(PeerSettings::strategy(20.0)),
           "the other presets");
    other.rebase(1.0, 0.0, 0.0);
    other.hand_over();
    other.vanish(server);
    history.vanish(3.5);
    server.restart();

    const WaypointSettings settings = WaypointSettings::z_up();
    Waypoints queue(settings);
    Pose64 body = pose64_at(0.0, 0.0, 0.0);
    queue.enqueue(body, WaypointReport(1, pose64_at(1.0, 0.0, 0.0)).with_payload(7));
    queue.enqueue_velocity(1.0, 0.0, 0.0);
    queue.enqueue_stop();
    const WaypointTick tick(0.1, 4.0);
    const auto step = queue.step(body, tick);
    expect(step.has_value() && step->offset[0] == 0.8, "twice its speed");
    body = step->apply(body);
    expect(queue.end_tick(body, 0.1).place == 0 && queue.state().depth == 3, "on its way");
    expect(!queue.accept() && !queue.refuse(), "nothing was asked");
    queue.rebase(1.0, 0.0, 0.0);
    expect(queue.counts().evicted == 0, "counts of a queue");
    queue.stop();

    RemoteBody remote(settings);
    expect(!remote.truth() && !remote.draw(moment_at(1.0, 0.0)), "not in the world");
    expect(remote.report(WaypointReport(1, pose64_at(0.0, 0.0, 0.0)), 10.0) == Route::cut, "it appears");
    remote.frame(0.1, 10.0);
    remote.stick_to(3.0, 0.0, 0.0, 1.0);
    const auto beside = remote.step(tick);
    expect(beside.has_value() && !remote.moved(beside->apply(*remote.truth())).place, "beside");
    expect(!remote.accept() && !remote.refuse() && remote.draw(moment_at(1.0, 0.01)).has_value(), "drawn");
    remote.follow(3.0, 1.0, 0.0);
    expect(remote.state().is_sticking == 1, "sticks");
    remote.release();
    expect(remote.state().is_sticking == 0, "no longer");
    remote.report(WaypointReport(1, pose64_at(2.0, 0.0, 0.0)), 10.0);
    remote.enqueue_velocity(0.0, 1.0, 0.0);
    remote.enqueue_stop();
    remote.rebase(10.0, 0.0, 0.0);
    remote.walk(tick);
    expect(remote.truth()->position[0] > 10.0 && remote.counts().stale == 0, "it walks there");
    remote.stop();

    OwnPlayer me(settings);
    WaypointReport echo(1, pose64_at(40.0, 0.0, 0.0));
    expect(me.echo(echo, body) == Echo::cut && body.position[0] == 40.0, "into the world");
    expect(!me.strayed(body) && me.echo(echo, body) == Echo::leashed, "a leash");
    WaypointStep walk{};
    walk.offset[0] = 0.3;
    walk.turn[3] = 1.0f;
    expect(me.limit(body, walk, true).offset[0] == 0.3 && me.strayed(body) && !me.is_held(body), "it is slack");
    echo.forced = 1;
    expect(me.echo(echo, body) == Echo::forced && me.counts().stale == 0, "forced back");
    me.rebase(1.0, 0.0, 0.0);
}

}  // namespace

int main() {
    owners();
    steps();
    tracks();
    batches();
    cameras();
    other_clocks();
    exchanges();
    network();
    std::printf("%s\n", failures == 0 ? "everything holds" : "some of it does not");
    return failures == 0 ? 0 : 1;
}
