// portamento for C++17: the C interface with owners, iterators, spans and strong types. Header only; link the C library.
//
//     portamento::Stepper stepper = portamento::Stepper::fixed(60.0);
//     for (auto tick : stepper.frame(dt)) { world.update(tick.dt); batch.push_all(world.poses()); }
//     batch.write_matrices(stepper.moment(), instance_buffer);
//
// Objects are moved, not copied, and free themselves. Nothing here throws, and nothing allocates in a frame.
//
// Errors. A constructor or factory that fails gives an object that is false, and `portamento::last_error()` has the text.
// Any other call that fails (an object that is false, a position of NaN) changes nothing, returns its status where it has
// no other result, and is reported: to `portamento::on_error` if you set it (log there, or throw), otherwise on stderr with
// an abort in debug builds, like an assert, and not at all where NDEBUG is defined.
#ifndef PORTAMENTO_HPP
#define PORTAMENTO_HPP

#include "portamento.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace portamento {

using Pose = portamento_pose;
using Pose64 = portamento_pose64;
using Moment = portamento_moment;
using Drawn = portamento_drawn;
using Tick = portamento_tick;
using Shot = portamento_shot;
using Framing = portamento_framing;
using BatchHandle = portamento_batch_handle;
using Status = portamento_status;
using StepperCounts = portamento_stepper_counts;
using CameraCounts = portamento_camera_counts;
using PlayheadCounts = portamento_playhead_counts;
using Shown = portamento_shown;
using Cue = portamento_cue;
using OffsetSize = portamento_offset_size;
using TickStamp = portamento_tick_stamp;
using WorldFrame = portamento_world_frame;
using EntityView = portamento_entity_view;
using ReaderCounts = portamento_reader_counts;
using PeerFrame = portamento_peer_frame;
using PeerStatistics = portamento_peer_statistics;
using SnapshotCounts = portamento_snapshot_counts;
using HistoryCounts = portamento_history_counts;
using Claim = portamento_claim;
using Rewound = portamento_rewound;
using WaypointOutcome = portamento_waypoint_outcome;
using WaypointCounts = portamento_waypoint_counts;
using WaypointsState = portamento_waypoints_state;
using RemoteBodyState = portamento_remote_body_state;

// Settings are the structs of the C interface. Begin with one of the functions, then change what you like. Fields that
// hold one of several numbers take its constants: settings.rule = PORTAMENTO_GATE_RULE_EVEN.

/// Settings of a fixed step.
struct FixedSettings : portamento_fixed_settings {
    [[nodiscard]] static FixedSettings at_hz(double hz) {
        FixedSettings settings{};
        portamento_fixed_settings_at_hz(hz, &settings);
        return settings;
    }
};
/// How a quantum gate runs its ticks and draws them.
enum class GateRule : portamento_gate_rule { even = 0, all_at_once = 1, one_at_a_time = 2 };
/// Settings of a quantum gate: ticks of 1/30 to 0.2 s that follow the frames.
struct GateSettings : portamento_gate_settings {
    [[nodiscard]] static GateSettings with_rule(GateRule rule) {
        GateSettings settings{};
        portamento_gate_settings_with_rule(static_cast<portamento_gate_rule>(rule), &settings);
        return settings;
    }
};
/// Settings of a chase camera.
struct ChaseSettings : portamento_chase_settings {
    /// y is up and bodies face -z.
    [[nodiscard]] static ChaseSettings y_up() {
        ChaseSettings settings{};
        portamento_chase_settings_y_up(&settings);
        return settings;
    }
    /// z is up and bodies face +y.
    [[nodiscard]] static ChaseSettings z_up() {
        ChaseSettings settings{};
        portamento_chase_settings_z_up(&settings);
        return settings;
    }
};
/// Settings of a follow camera: begin with the defaults for a screen of `width` by `height` pixels.
struct FollowSettings : portamento_follow_settings {
    FollowSettings() = default;
    FollowSettings(double width, double height) : portamento_follow_settings{} {
        portamento_follow_settings_new(width, height, this);
    }
};
/// One of several targets of a follow camera.
struct FollowTarget : portamento_follow_target {
    FollowTarget(double x, double y, bool jumped = false) : portamento_follow_target{{x, y}, jumped ? 1u : 0u, 0} {}
    FollowTarget(const Drawn &drawn)  // NOLINT: implicit on purpose
        : FollowTarget(drawn.now.position[0], drawn.now.position[1], drawn.cut != 0) {}
};
/// Settings of a playhead.
struct PlayheadSettings : portamento_playhead_settings {
    /// For a writer on this machine that ticks `hz` times per second.
    [[nodiscard]] static PlayheadSettings at_hz(double hz) {
        PlayheadSettings settings{};
        portamento_playhead_settings_at_hz(hz, &settings);
        return settings;
    }
    /// For a writer behind a network.
    [[nodiscard]] static PlayheadSettings network(double hz) {
        PlayheadSettings settings{};
        portamento_playhead_settings_network(hz, &settings);
        return settings;
    }
};
/// Settings of a timeline.
struct TimelineSettings : portamento_timeline_settings {
    [[nodiscard]] static TimelineSettings defaults() {
        TimelineSettings settings{};
        portamento_timeline_settings_default(&settings);
        return settings;
    }
};
/// How a visual offset fades.
struct OffsetFading : portamento_offset_fading {
    /// What hides a correction of a predicted entity that is a metre or so off. Lengths are in metres.
    [[nodiscard]] static OffsetFading correction() {
        OffsetFading fading{};
        portamento_offset_fading_correction(&fading);
        return fading;
    }
};
/// How a correction is hidden.
struct ReconcileSettings : portamento_reconcile_settings {
    [[nodiscard]] static ReconcileSettings defaults() {
        ReconcileSettings settings{};
        portamento_reconcile_settings_default(&settings);
        return settings;
    }
};
/// How a batch is built.
struct BatchSettings : portamento_batch_settings {
    [[nodiscard]] static BatchSettings defaults() {
        BatchSettings settings{};
        portamento_batch_settings_default(&settings);
        return settings;
    }
};
/// How much an exchange holds: begin with the defaults for `count` entities.
struct Shape : portamento_shape {
    Shape() = default;
    explicit Shape(std::uint32_t count) : portamento_shape{} { portamento_shape_entities(count, this); }
};
/// Settings of a peer that sends `hz` messages per second.
struct PeerSettings : portamento_peer_settings {
    [[nodiscard]] static PeerSettings at_hz(double hz) {
        PeerSettings settings{};
        portamento_peer_settings_at_hz(hz, &settings);
        return settings;
    }
    /// For people who run and shoot.
    [[nodiscard]] static PeerSettings action(double hz) {
        PeerSettings settings{};
        portamento_peer_settings_action(hz, &settings);
        return settings;
    }
    /// For vehicles.
    [[nodiscard]] static PeerSettings racing(double hz) {
        PeerSettings settings{};
        portamento_peer_settings_racing(hz, &settings);
        return settings;
    }
    /// For units seen from above.
    [[nodiscard]] static PeerSettings strategy(double hz) {
        PeerSettings settings{};
        portamento_peer_settings_strategy(hz, &settings);
        return settings;
    }
};
/// Settings of a history.
struct HistorySettings : portamento_history_settings {
    [[nodiscard]] static HistorySettings at_hz(double hz) {
        HistorySettings settings{};
        portamento_history_settings_at_hz(hz, &settings);
        return settings;
    }
};
/// Settings of waypoints.
struct WaypointSettings : portamento_waypoint_settings {
    /// y is up and bodies face -z.
    [[nodiscard]] static WaypointSettings y_up() {
        WaypointSettings settings{};
        portamento_waypoint_settings_y_up(&settings);
        return settings;
    }
    /// z is up and bodies face +y.
    [[nodiscard]] static WaypointSettings z_up() {
        WaypointSettings settings{};
        portamento_waypoint_settings_z_up(&settings);
        return settings;
    }
};

/// What a batch writes for each entity: 7, 3, 12 or 16 floats.
enum class OutputForm : portamento_output_form {
    poses = PORTAMENTO_OUTPUT_FORM_POSES,
    positions = PORTAMENTO_OUTPUT_FORM_POSITIONS,
    matrices_3x4 = PORTAMENTO_OUTPUT_FORM_MATRICES_3X4,
    matrices_4x4 = PORTAMENTO_OUTPUT_FORM_MATRICES_4X4,
};
/// How measured frame times are evened.
enum class Snapping : portamento_snapping { off = 0, to_step = 1, to_display = 2 };
/// What a tick was to a playhead.
enum class Observed : portamento_observed { newest = 0, old = 1, unusable = 2 };
/// Where a moment lies among the ticks of a timeline.
enum class TimelinePlace : portamento_timeline_place { forgotten = 0, between = 1, newest = 2, beyond = 3 };
/// What became of a jump that a visual offset was given: nothing is seen of it, a part, or all.
enum class Absorbed : portamento_absorbed { kept = 0, partly = 1, snapped = 2 };
/// What a writer last reported of itself.
enum class WriterState : portamento_writer_state { none = 0, publishing = 1, closed = 2, replaced = 3, unknown = 4 };
/// What became of a report.
enum class Inserted : portamento_inserted { in = 0, duplicate = 1, too_late = 2, unusable = 3 };
/// What is drawn of a remote entity, and what a claim names: `static_cast<SnapshotState>(rewound.seen)`.
enum class SnapshotState : portamento_snapshot_state {
    not_yet = 0,
    gone = 1,
    blending = 2,
    extrapolating = 3,
    holding = 4,
};
/// What was done with a report of a remote body.
enum class Route : portamento_route { stale = 0, cut = 1, ignore = 2, place = 3, enqueue = 4 };
/// What an echo of your own player did.
enum class Echo : portamento_echo { stale = 0, cut = 1, forced = 2, leashed = 3 };
/// Why time of a frame was not simulated.
enum class LostReason : portamento_lost_reason { none = 0, long_frame = 1, tick_limit = 2, stale = 3, tiny = 4 };

/// The words of this thread's last error. The only function here that allocates.
inline std::string last_error() {
    std::string words(portamento_last_error(nullptr, 0), '\0');
    portamento_last_error(words.data(), words.size() + 1);
    return words;
}

/// Receives every failure of a call, with the library's words. Null for the default: see the top of this file.
inline void (*on_error)(Status status, const char *words) = nullptr;

/// Whether this header and the library that is linked are of the same version. Ask once, at the start.
inline bool is_compatible() { return portamento_require_abi(PORTAMENTO_ABI_VERSION) == PORTAMENTO_OK; }
/// The version of the library's interface.
inline std::uint32_t abi_version() { return portamento_abi_version(); }

/// A pose at a place, not turned, as tracks and everything but batches take it.
inline Pose64 pose64_at(double x, double y, double z) { return {{x, y, z}, {0.0f, 0.0f, 0.0f, 1.0f}}; }
/// The same in single precision, for batches.
inline Pose pose_at(float x, float y, float z) { return {{x, y, z}, {0.0f, 0.0f, 0.0f, 1.0f}}; }

/// The moment of an engine that runs the ticks itself: its alpha, and the seconds that the picture advanced.
inline Moment moment_at(double alpha, double presented) {
    Moment moment{};
    portamento_moment_at(alpha, presented, &moment);
    return moment;
}

/// How many seconds the picture advanced in a frame: what cameras take. Moments, frames of a peer or an exchange and what
/// a playhead shows are one by themselves; a number of seconds becomes one by name.
class Presented {
  public:
    Presented(const Moment &moment) : seconds_(moment.presented) {}          // NOLINT: implicit on purpose
    Presented(const PeerFrame &frame) : seconds_(frame.presented) {}         // NOLINT
    Presented(const Shown &shown) : seconds_(shown.presented) {}             // NOLINT
    Presented(const WorldFrame &world) : seconds_(world.shown.presented) {}  // NOLINT
    static Presented from_seconds(double seconds) { return Presented(seconds); }
    double seconds() const { return seconds_; }

  private:
    explicit Presented(double seconds) : seconds_(seconds) {}
    double seconds_;
};

/// A view of contiguous elements that it does not own, like std::span of C++20. Made from arrays, vectors, std::span
/// and the like.
template <class T>
class Span {
  public:
    constexpr Span() = default;
    constexpr Span(T *data, std::size_t size) : data_(data), size_(size) {}
    template <class Container,
              class Element = std::remove_pointer_t<decltype(std::data(std::declval<Container &>()))>,
              class = std::enable_if_t<std::is_convertible_v<Element (*)[], T (*)[]>>>
    constexpr Span(Container &&container)  // NOLINT: implicit on purpose
        : data_(std::data(container)), size_(std::size(container)) {}

    constexpr T *data() const { return data_; }
    constexpr std::size_t size() const { return size_; }

  private:
    T *data_ = nullptr;
    std::size_t size_ = 0;
};

/// The floats of vectors, matrices or vertices of your own types, for a batch to write into.
template <class Container>
Span<float> floats(Container &container) {
    using Element = std::remove_pointer_t<decltype(std::data(container))>;
    static_assert(std::is_trivially_copyable_v<Element> && std::is_standard_layout_v<Element> &&
                      sizeof(Element) % sizeof(float) == 0 && alignof(Element) >= alignof(float),
                  "the elements must be plain structs of floats");
    return {reinterpret_cast<float *>(std::data(container)), std::size(container) * (sizeof(Element) / sizeof(float))};
}

namespace detail {

/// Reports a failure; gives the status back.
inline Status checked(Status status) {
    if (status == PORTAMENTO_OK || status == PORTAMENTO_NOTHING) {
        return status;
    }
    char words[1024];
    portamento_last_error(words, sizeof words);
    if (on_error != nullptr) {
        on_error(status, words);
        return status;
    }
#ifndef NDEBUG
    std::fprintf(stderr, "portamento: %s\n", words);
    std::abort();
#else
    return status;
#endif
}

/// How many floats a form has.
constexpr std::size_t floats_of(OutputForm form) {
    return form == OutputForm::poses ? 7 : form == OutputForm::positions ? 3 : form == OutputForm::matrices_3x4 ? 12 : 16;
}

/// Whether there was something to give.
inline bool some(Status status) { return checked(status) == PORTAMENTO_OK; }

/// What a call that failed gives: at the origin, not turned, so that nothing after it divides by zero.
inline Drawn nowhere() { return {pose64_at(0.0, 0.0, 0.0), pose64_at(0.0, 0.0, 0.0), 1, 0}; }

/// Owns a handle and frees it.
template <class Handle, Status (*Free)(Handle)>
class Owner {
  public:
    Owner() = default;
    explicit Owner(Handle handle) : handle_(handle) {}
    Owner(Owner &&other) noexcept : handle_(other.detach()) {}
    Owner &operator=(Owner &&other) noexcept {
        if (this != &other) {
            reset();
            handle_ = other.detach();
        }
        return *this;
    }
    Owner(const Owner &) = delete;
    Owner &operator=(const Owner &) = delete;
    ~Owner() { reset(); }

    /// Whether it owns an object.
    explicit operator bool() const { return handle_.id != 0; }
    /// The C handle, for C functions.
    Handle get() const { return handle_; }
    /// Gives the C handle away: the caller frees it.
    [[nodiscard]] Handle detach() { return std::exchange(handle_, Handle{}); }
    /// Frees the object now.
    void reset() {
        const Handle handle = detach();
        if (handle.id != 0) {
            Free(handle);
        }
    }

  protected:
    Handle handle_{};
};

}  // namespace detail

/// The pose `alpha` of the way from one to the other, as tracks and batches draw it.
inline Pose64 blend(const Pose64 &from, const Pose64 &to, double alpha) {
    Pose64 pose = from;
    detail::checked(portamento_blend_poses(&from, &to, alpha, &pose));
    return pose;
}
/// The same with true slerp for the rotation: constant angular speed.
inline Pose64 slerp(const Pose64 &from, const Pose64 &to, double alpha) {
    Pose64 pose = from;
    detail::checked(portamento_slerp_poses(&from, &to, alpha, &pose));
    return pose;
}
/// Blends plain numbers: `out[i]` lies `alpha` of the way from `from[i]` to `to[i]`, as many as the shortest has.
inline Status blend(Span<const double> from, Span<const double> to, double alpha, Span<double> out) {
    std::size_t count = from.size() < to.size() ? from.size() : to.size();
    count = count < out.size() ? count : out.size();
    return detail::checked(portamento_blend_numbers(from.data(), to.data(), count, alpha, out.data()));
}
/// Brings the rotation of a pose to unit length.
template <class AnyPose>
Status normalize(AnyPose &pose) {
    return detail::checked(portamento_normalize(pose.rotation, pose.rotation));
}

/// Decides when ticks run and which moment is drawn.
class Stepper : public detail::Owner<portamento_stepper, portamento_stepper_free> {
  public:
    using Owner::Owner;

    /// `hz` ticks per second.
    [[nodiscard]] static Stepper fixed(double hz) { return fixed(FixedSettings::at_hz(hz)); }
    [[nodiscard]] static Stepper fixed(const FixedSettings &settings) {
        portamento_stepper handle{};
        portamento_stepper_fixed(&settings, &handle);
        return Stepper(handle);
    }

    /// A quantum gate: ticks of 1/30 to 0.2 s that follow the frames, drawn evenly.
    [[nodiscard]] static Stepper gated(GateRule rule = GateRule::even) { return gated(GateSettings::with_rule(rule)); }
    [[nodiscard]] static Stepper gated(const GateSettings &settings) {
        portamento_stepper handle{};
        portamento_stepper_gated(&settings, &handle);
        return Stepper(handle);
    }

    /// The ticks of one frame, for a range-based `for`; each is asked for when its turn comes.
    class Ticks {
      public:
        class Iterator {
          public:
            using iterator_category = std::input_iterator_tag;
            using value_type = Tick;
            using difference_type = std::ptrdiff_t;
            using pointer = const Tick *;
            using reference = const Tick &;

            Iterator() = default;
            explicit Iterator(portamento_stepper stepper) : stepper_(stepper), more_(true) { ++*this; }
            const Tick &operator*() const { return tick_; }
            const Tick *operator->() const { return &tick_; }
            Iterator &operator++() {
                more_ = detail::some(portamento_stepper_tick(stepper_, &tick_));
                return *this;
            }
            void operator++(int) { ++*this; }
            bool operator==(const Iterator &other) const { return more_ == other.more_; }
            bool operator!=(const Iterator &other) const { return more_ != other.more_; }

          private:
            portamento_stepper stepper_{};
            Tick tick_{};
            bool more_ = false;
        };

        Iterator begin() const { return Iterator(stepper_); }
        Iterator end() const { return Iterator(); }
        /// How many ticks are due.
        std::uint64_t size() const { return frame_.ticks; }
        /// Seconds of this frame that will never be simulated.
        double lost() const { return frame_.lost; }
        /// Why.
        LostReason lost_reason() const { return static_cast<LostReason>(frame_.lost_reason); }

      private:
        friend class Stepper;
        Ticks(portamento_stepper stepper, const portamento_frame &frame) : stepper_(stepper), frame_(frame) {}
        portamento_stepper stepper_;
        portamento_frame frame_;
    };

    /// Takes in a frame of `seconds` seconds. Run its ticks, then draw `moment()`.
    [[nodiscard]] Ticks frame(double seconds) {
        portamento_frame frame{};
        detail::checked(portamento_stepper_frame(handle_, seconds, &frame));
        return taken(frame);
    }
    /// Takes in a frame at `now`, a reading of your clock in seconds. The first reading starts the clock.
    [[nodiscard]] Ticks frame_at(double now) {
        portamento_frame frame{};
        detail::checked(portamento_stepper_frame_at(handle_, now, &frame));
        return taken(frame);
    }
    /// Steps a paused game by one tick.
    [[nodiscard]] Ticks step_once() {
        portamento_frame frame{};
        detail::checked(portamento_stepper_step_once(handle_, &frame));
        return taken(frame);
    }

    /// The moment of the last frame.
    const Moment &moment() const { return moment_; }

    /// Stops time. The picture keeps its place between two ticks.
    Status pause() { return detail::checked(portamento_stepper_pause(handle_)); }
    Status resume() { return detail::checked(portamento_stepper_resume(handle_)); }
    /// 0.5 is slow motion.
    Status set_time_scale(double scale) { return detail::checked(portamento_stepper_set_time_scale(handle_, scale)); }
    /// Another tick rate from the next tick on. An error for a gate, which has no rate.
    Status set_hz(double hz) { return detail::checked(portamento_stepper_set_hz(handle_, hz)); }
    /// Evens frame times in another way: for a window that moves to another display. Not for a gate.
    Status set_snapping(Snapping snapping, double display_hz = 0.0) {
        return detail::checked(
            portamento_stepper_set_snapping(handle_, static_cast<portamento_snapping>(snapping), display_hz));
    }
    /// Reports that the world itself was cut: a level loaded, the player activated. Cut every track too.
    Status cut() {
        const Status status = detail::checked(portamento_stepper_cut(handle_));
        detail::checked(portamento_stepper_moment(handle_, &moment_));
        return status;
    }
    StepperCounts counts() const {
        StepperCounts counts{};
        detail::checked(portamento_stepper_get_counts(handle_, &counts));
        return counts;
    }

  private:
    Ticks taken(const portamento_frame &frame) {
        moment_ = frame.moment;
        return Ticks(handle_, frame);
    }

    Moment moment_ = moment_at(1.0, 0.0);
};

/// The last ticks of one entity, drawn between them.
class Track : public detail::Owner<portamento_track, portamento_track_free> {
  public:
    using Owner::Owner;

    /// An entity that appears at `start`. Its first frame shows exactly that.
    explicit Track(const Pose64 &start) { portamento_track_new(&start, &handle_); }
    /// Keeps `ends` ticks, 2 to 64: for a gate that needs more than 8 (`counts().ends_needed` of the stepper).
    Track(const Pose64 &start, std::uint32_t ends) { portamento_track_with_ends(&start, ends, &handle_); }

    /// The result of a tick. Call it in every tick, also when the entity did not move.
    Status push(const Pose64 &pose) { return detail::checked(portamento_track_push(handle_, &pose)); }
    /// A spawn or teleport: nothing in between is ever drawn.
    Status cut(const Pose64 &pose) { return detail::checked(portamento_track_cut(handle_, &pose)); }
    /// A collision moved the newest pose within its tick: the picture glides.
    Status correct(const Pose64 &pose) { return detail::checked(portamento_track_correct(handle_, &pose)); }
    /// The world's origin moves by x, y, z, and nothing is seen of it.
    Status rebase(double x, double y, double z) {
        const double shift[3] = {x, y, z};
        return detail::checked(portamento_track_rebase(handle_, shift));
    }

    /// Makes room for the saves of the last `count` ticks, for rollback. It allocates.
    Status reserve_saves(std::uint32_t count) {
        return detail::checked(portamento_track_reserve_saves(handle_, count));
    }
    /// Saves the truth after a tick.
    Status save(std::uint64_t tick) { return detail::checked(portamento_track_save(handle_, tick)); }
    /// Puts the truth back to what it was when a tick was saved; false if that is not kept. Then push anew.
    bool restore(std::uint64_t tick) { return detail::some(portamento_track_restore(handle_, tick)); }

    /// The truth: the newest pose pushed.
    Pose64 truth() const {
        Pose64 pose = pose64_at(0.0, 0.0, 0.0);
        detail::checked(portamento_track_truth(handle_, &pose));
        return pose;
    }
    /// Where to draw it, without remembering it.
    Pose64 view(const Moment &moment) const {
        Pose64 pose = pose64_at(0.0, 0.0, 0.0);
        detail::checked(portamento_track_view(handle_, &moment, &pose));
        return pose;
    }
    /// Where to draw it, with the frame before and cuts, for cameras and motion vectors. Once per frame.
    Drawn draw(const Moment &moment) {
        Drawn drawn = detail::nowhere();
        detail::checked(portamento_track_draw(handle_, &moment, &drawn));
        return drawn;
    }
    /// Whether the view is the truth's own bits and stays so until the next change.
    bool at_rest(const Moment &moment) const {
        std::uint32_t rests = 0;
        detail::checked(portamento_track_at_rest(handle_, &moment, &rests));
        return rests != 0;
    }
};

/// The last ticks of thousands of entities, drawn by one call.
class Batch : public detail::Owner<portamento_batch, portamento_batch_free> {
  public:
    using Owner::Owner;

    /// Keeps `ends` ticks: 2 for a fixed step, `counts().ends_needed` of the stepper for a gate, 16 at most.
    explicit Batch(std::uint32_t ends = 2) { portamento_batch_new(ends, &handle_); }
    explicit Batch(const BatchSettings &settings) { portamento_batch_with_settings(&settings, &handle_); }

    /// Makes room for more entities, so that adding them does not allocate.
    Status reserve(std::uint32_t more) { return detail::checked(portamento_batch_reserve(handle_, more)); }
    /// Adds an entity that appears at `pose`; nothing if that failed.
    std::optional<BatchHandle> insert(const Pose &pose) {
        BatchHandle row{};
        return detail::some(portamento_batch_insert(handle_, &pose, &row)) ? std::optional<BatchHandle>(row) : std::nullopt;
    }
    Status remove(BatchHandle row) { return detail::checked(portamento_batch_remove(handle_, row)); }
    /// A spawn, teleport or respawn of one entity.
    Status cut(BatchHandle row, const Pose &pose) { return detail::checked(portamento_batch_cut(handle_, row, &pose)); }
    /// The world's origin moves by x, y, z, and nothing is seen of it.
    Status rebase(float x, float y, float z) {
        const float shift[3] = {x, y, z};
        return detail::checked(portamento_batch_rebase(handle_, shift));
    }
    /// Counts everything as moved in the next frame: for a buffer that is new or was lost.
    Status redraw() { return detail::checked(portamento_batch_redraw(handle_)); }

    /// How many rows your arrays need.
    std::uint32_t rows() const {
        std::uint32_t count = 0;
        detail::checked(portamento_batch_rows(handle_, &count));
        return count;
    }

    /// A tick: `poses[i]` is the result of the entity in row i, after collision.
    Status push_all(Span<const Pose> poses) { return push_strided(poses.data(), 0, poses.size()); }
    /// The same from structs that hold a pose: `batch.push_all(entities, &Item::pose)`.
    template <class Entities, class Item>
    Status push_all(const Entities &entities, Pose Item::*pose) {
        const Item *first = std::data(entities);
        return push_strided(std::size(entities) == 0 ? nullptr : &(first->*pose), sizeof(Item), std::size(entities));
    }
    /// The same by hand: `first` is the first pose, `stride` the bytes from one to the next.
    Status push_strided(const Pose *first, std::size_t stride, std::size_t count) {
        const Pose none{};
        return detail::checked(
            portamento_batch_push_all(handle_, first == nullptr && count == 0 ? &none : first, stride, count));
    }

    /// A tick in which only these entities moved: `rows[i]` went to `poses[i]`. All others stay.
    Status push_some(Span<const BatchHandle> rows, Span<const Pose> poses) {
        const std::size_t count = rows.size() < poses.size() ? rows.size() : poses.size();
        const BatchHandle no_row{};
        const Pose no_pose{};
        return detail::checked(portamento_batch_push_some(handle_, count == 0 ? &no_row : rows.data(), 0,
                                                          count == 0 ? &no_pose : poses.data(), 0, count));
    }
    /// A collision moved the newest pose of one entity within its tick: the picture glides.
    Status correct(BatchHandle row, const Pose &pose) {
        return detail::checked(portamento_batch_correct(handle_, row, &pose));
    }
    /// The server says that one entity is there now: the truth jumps, the picture glides.
    Status reconcile(BatchHandle row, const Pose &pose) {
        return detail::checked(portamento_batch_reconcile(handle_, row, &pose));
    }
    /// Makes room for the saves of the last `count` ticks, for rollback. It allocates.
    Status reserve_saves(std::uint32_t count) {
        return detail::checked(portamento_batch_reserve_saves(handle_, count));
    }
    /// Saves the truth of all entities after a tick.
    Status save(std::uint64_t tick) { return detail::checked(portamento_batch_save(handle_, tick)); }
    /// Puts the truth of all back to what it was when a tick was saved; false if that is not kept. Then push anew.
    bool restore(std::uint64_t tick) { return detail::some(portamento_batch_restore(handle_, tick)); }
    /// What the last frame drew of one entity, with the frame before, for a camera: needs `remember_views` of the settings.
    /// Nothing if the batch has changed since its last frame.
    std::optional<Drawn> drawn(BatchHandle row) const {
        Drawn drawn{};
        return detail::some(portamento_batch_drawn(handle_, row, &drawn)) ? std::optional<Drawn>(drawn) : std::nullopt;
    }
    /// The truth of one entity: the newest pose pushed.
    Pose truth(BatchHandle row) const {
        Pose pose = pose_at(0.0f, 0.0f, 0.0f);
        detail::checked(portamento_batch_truth(handle_, row, &pose));
        return pose;
    }

    /// Writes what moved one after the other without gaps, in the order of `moved`: a list to upload. Returns how many.
    std::size_t write_moved(const Moment &moment, OutputForm form, Span<float> out, Span<BatchHandle> moved) {
        std::size_t count = 0;
        detail::checked(portamento_batch_frame_moved(handle_, &moment, static_cast<portamento_output_form>(form), out.data(),
                                                     out.size(), moved.data(), moved.size(), &count));
        return count;
    }
    /// Writes into structs of yours: `batch.write<OutputForm::positions>(moment, sprites, &Sprite::place)`. The member is an
    /// array of as many floats as the form has.
    template <OutputForm form, class Entities, class Item, std::size_t Floats>
    std::size_t write(const Moment &moment, Entities &entities, float (Item::*member)[Floats]) {
        static_assert(Floats == detail::floats_of(form), "the member must have as many floats as the form");
        float none[Floats] = {};
        Item *first = std::data(entities);
        std::size_t count = 0;
        detail::checked(portamento_batch_frame_strided(handle_, &moment, static_cast<portamento_output_form>(form),
                                                       std::size(entities) == 0 ? none : first->*member, sizeof(Item),
                                                       std::size(entities), nullptr, 0, &count));
        return count;
    }

    /// Writes what moved since the last frame into `out`, each entity at its own row. Returns how many moved, and which in
    /// `moved`, as many as fit.
    std::size_t write(const Moment &moment, OutputForm form, Span<float> out, Span<BatchHandle> moved = {}) {
        std::size_t count = 0;
        detail::checked(portamento_batch_frame(handle_, &moment, static_cast<portamento_output_form>(form), out.data(),
                                               out.size(), moved.data(), moved.size(), &count));
        return count;
    }
    /// 12 floats for each row: a 3x4 matrix, row after row.
    std::size_t write_matrices(const Moment &moment, Span<float> out) { return write(moment, OutputForm::matrices_3x4, out); }
    /// 16 floats for each row: a 4x4 matrix, column after column, as OpenGL and glm have it.
    std::size_t write_matrices_4x4(const Moment &moment, Span<float> out) {
        return write(moment, OutputForm::matrices_4x4, out);
    }
    /// 3 floats for each row.
    std::size_t write_positions(const Moment &moment, Span<float> out) { return write(moment, OutputForm::positions, out); }
};

/// The last ticks of thousands of entities of a large world, drawn as seen from a camera.
class Batch64 : public detail::Owner<portamento_batch64, portamento_batch64_free> {
  public:
    using Owner::Owner;

    /// Keeps `ends` ticks: 2 for a fixed step, `counts().ends_needed` of the stepper for a gate, 16 at most.
    explicit Batch64(std::uint32_t ends = 2) { portamento_batch64_new(ends, &handle_); }

    /// Makes room for more entities, so that adding them does not allocate.
    Status reserve(std::uint32_t more) { return detail::checked(portamento_batch64_reserve(handle_, more)); }
    /// Adds an entity that appears at `pose`; nothing if that failed.
    std::optional<BatchHandle> insert(const Pose64 &pose) {
        BatchHandle row{};
        return detail::some(portamento_batch64_insert(handle_, &pose, &row)) ? std::optional<BatchHandle>(row) : std::nullopt;
    }
    Status remove(BatchHandle row) { return detail::checked(portamento_batch64_remove(handle_, row)); }
    /// A spawn, teleport or respawn of one entity.
    Status cut(BatchHandle row, const Pose64 &pose) { return detail::checked(portamento_batch64_cut(handle_, row, &pose)); }
    /// A collision moved the newest pose of one entity within its tick: the picture glides.
    Status correct(BatchHandle row, const Pose64 &pose) {
        return detail::checked(portamento_batch64_correct(handle_, row, &pose));
    }
    /// The world's origin moves by x, y, z, and nothing is seen of it.
    Status rebase(double x, double y, double z) {
        const double shift[3] = {x, y, z};
        return detail::checked(portamento_batch64_rebase(handle_, shift));
    }
    /// Counts everything as moved in the next frame: for a buffer that is new or was lost.
    Status redraw() { return detail::checked(portamento_batch64_redraw(handle_)); }
    /// How many rows your arrays need.
    std::uint32_t rows() const {
        std::uint32_t count = 0;
        detail::checked(portamento_batch64_rows(handle_, &count));
        return count;
    }
    /// A tick: `poses[i]` is the result of the entity in row i, after collision.
    Status push_all(Span<const Pose64> poses) {
        const Pose64 none{};
        return detail::checked(
            portamento_batch64_push_all(handle_, poses.size() == 0 ? &none : poses.data(), 0, poses.size()));
    }

    /// Writes what moved since the last frame, as seen from `origin` (three numbers: the camera's position). Each entity
    /// at its own row; returns how many moved. When the origin is another one than before, everything moved.
    std::size_t write(const Moment &moment, const double (&origin)[3], OutputForm form, Span<float> out, Span<BatchHandle> moved = {}) {
        return write(moment, origin, static_cast<portamento_output_form>(form), out.data(),
                     out.size() / detail::floats_of(form), moved);
    }
    /// Writes what moved since the last frame, in double precision. Returns how many moved.
    std::size_t write(const Moment &moment, Span<Pose64> out, Span<BatchHandle> moved = {}) {
        return write(moment, nullptr, PORTAMENTO_OUTPUT_FORM_POSES64, out.data(), out.size(), moved);
    }

  private:
    std::size_t write(const Moment &moment, const double *origin, portamento_output_form form, void *out, std::size_t count,
                      Span<BatchHandle> moved) {
        std::size_t written = 0;
        detail::checked(portamento_batch64_frame(handle_, &moment, origin, form, out, 0, count, moved.data(),
                                                 moved.size(), &written));
        return written;
    }
};

/// A camera behind and above a body.
class ChaseCamera : public detail::Owner<portamento_chase_camera, portamento_chase_camera_free> {
  public:
    using Owner::Owner;

    explicit ChaseCamera(const ChaseSettings &settings) { portamento_chase_camera_new(&settings, &handle_); }

    /// Replaces the settings; the camera goes on from where it is.
    Status set_settings(const ChaseSettings &settings) {
        return detail::checked(portamento_chase_camera_set_settings(handle_, &settings));
    }
    /// The settings in force.
    ChaseSettings settings() const {
        ChaseSettings settings{};
        detail::checked(portamento_chase_camera_settings(handle_, &settings));
        return settings;
    }
    /// Turns the camera as the mouse says, in radians. With an infinite `look_rate` it shows at once.
    Status set_look(double orbit, double pitch) {
        return detail::checked(portamento_chase_camera_set_look(handle_, orbit, pitch));
    }
    /// The body has landed: with `height_hold` of the settings, the camera may come up to it now.
    Status release_height() { return detail::checked(portamento_chase_camera_release_height(handle_)); }
    /// The world's origin moves by x, y, z, and nothing is seen of it.
    Status rebase(double x, double y, double z) {
        const double shift[3] = {x, y, z};
        return detail::checked(portamento_chase_camera_rebase(handle_, shift));
    }
    /// What could not be used.
    CameraCounts counts() const {
        CameraCounts counts{};
        detail::checked(portamento_chase_camera_get_counts(handle_, &counts));
        return counts;
    }
    /// Starts anew at the target in the next update.
    Status cut() { return detail::checked(portamento_chase_camera_cut(handle_)); }

    /// Follows `body` through this frame.
    Shot update(Presented presented, const Drawn &body) { return updated(presented, body, nullptr, nullptr); }

    /// Follows `body`, with `collide(pivot, eye)` to keep the eye out of walls: it changes the three numbers of `eye`.
    /// If it throws, the exception goes on to the caller and the camera stays as it was.
    template <class Collide>
    Shot update(Presented presented, const Drawn &body, Collide &&collide) {
        Call<std::remove_reference_t<Collide>> call{collide};
        return updated(presented, body, &call.run, &call);
    }

  private:
    template <class Collide>
    struct Call {
        Collide &collide;
        static void run(void *self, const double *pivot, double *eye) {
            static_cast<Call *>(self)->collide(pivot, eye);
        }
    };

    Shot updated(Presented presented, const Drawn &body, portamento_collide collide, void *user) {
        Shot shot{};
        shot.rotation[3] = 1.0f;
        detail::checked(portamento_chase_camera_update(handle_, presented.seconds(), &body, collide, user, &shot));
        return shot;
    }
};

/// A camera over a flat world.
class FollowCamera : public detail::Owner<portamento_follow_camera, portamento_follow_camera_free> {
  public:
    using Owner::Owner;

    explicit FollowCamera(const FollowSettings &settings) { portamento_follow_camera_new(&settings, &handle_); }

    /// Replaces the settings; the camera goes on from where it is.
    Status set_settings(const FollowSettings &settings) {
        return detail::checked(portamento_follow_camera_set_settings(handle_, &settings));
    }
    /// The settings in force; the zoom is where zooming has brought it.
    FollowSettings settings() const {
        FollowSettings settings{};
        detail::checked(portamento_follow_camera_settings(handle_, &settings));
        return settings;
    }

    /// Follows what was drawn at x, y; `cut` if it jumped.
    Framing update(Presented presented, double x, double y, bool cut = false) {
        const double place[2] = {x, y};
        Framing framing{};
        detail::checked(portamento_follow_camera_update(handle_, presented.seconds(), place, cut ? 1 : 0, &framing));
        return framing;
    }
    Framing update(Presented presented, const Drawn &target) {
        return update(presented, target.now.position[0], target.now.position[1], target.cut != 0);
    }

    /// Follows the middle of all targets, and zooms out as far as needed to show them all.
    Framing update_all(Presented presented, Span<const FollowTarget> targets) {
        Framing framing{};
        detail::checked(portamento_follow_camera_update_all(handle_, presented.seconds(), targets.data(), 0,
                                                            targets.size(), &framing));
        return framing;
    }
    /// Follows nothing in this frame: the picture stays where it is, or where `pan` and `set_centre` move it.
    Framing update_free(Presented presented) {
        Framing framing{};
        detail::checked(portamento_follow_camera_update_free(handle_, presented.seconds(), &framing));
        return framing;
    }
    /// The picture last drawn.
    Framing framing() const {
        Framing framing{};
        detail::checked(portamento_follow_camera_framing(handle_, &framing));
        return framing;
    }
    /// Moves the middle of the picture to x, y at once, and forgets the motion before.
    Status set_centre(double x, double y) {
        const double centre[2] = {x, y};
        return detail::checked(portamento_follow_camera_set_centre(handle_, centre));
    }
    /// Moves the picture by these pixels, as a mouse drags it: it stays that far beside its target until `recentre`.
    Status pan(double x, double y) {
        const double pixels[2] = {x, y};
        return detail::checked(portamento_follow_camera_pan(handle_, pixels));
    }
    /// Lets the picture glide back over its target.
    Status recentre() { return detail::checked(portamento_follow_camera_recentre(handle_)); }
    /// The world's origin moves by x, y, and nothing is seen of it.
    Status rebase(double x, double y) {
        const double shift[2] = {x, y};
        return detail::checked(portamento_follow_camera_rebase(handle_, shift));
    }
    /// What could not be used.
    CameraCounts counts() const {
        CameraCounts counts{};
        detail::checked(portamento_follow_camera_get_counts(handle_, &counts));
        return counts;
    }

    /// Zooms to `zoom` pixels per unit, about the middle.
    Status zoom_to(double zoom) { return detail::checked(portamento_follow_camera_zoom_to(handle_, zoom, nullptr)); }
    /// Zooms; the place of the world under this point of the screen stays there.
    Status zoom_to(double zoom, double screen_x, double screen_y) {
        const double about[2] = {screen_x, screen_y};
        return detail::checked(portamento_follow_camera_zoom_to(handle_, zoom, about));
    }
    /// Zooms in by `factor` about the middle; below 1 out.
    Status zoom_by(double factor) { return detail::checked(portamento_follow_camera_zoom_by(handle_, factor, nullptr)); }
    /// Zooms in by `factor`; the place of the world under this point of the screen stays there.
    Status zoom_by(double factor, double screen_x, double screen_y) {
        const double about[2] = {screen_x, screen_y};
        return detail::checked(portamento_follow_camera_zoom_by(handle_, factor, about));
    }
    /// Advances the shake by `seconds` of a clock of your own: only with `shake.own_time` of the settings.
    Framing advance_shake(double seconds) {
        Framing framing{};
        detail::checked(portamento_follow_camera_advance_shake(handle_, seconds, &framing));
        return framing;
    }
    /// Shakes the picture: 0 to 1.
    Status shake(double strength) { return detail::checked(portamento_follow_camera_shake(handle_, strength)); }
    /// Starts anew over the target in the next update.
    Status cut() { return detail::checked(portamento_follow_camera_cut(handle_)); }

    /// The place of the world under a point of the screen, by the picture last drawn: what a click means.
    std::pair<double, double> to_world(double screen_x, double screen_y) const {
        const double screen[2] = {screen_x, screen_y};
        double world[2] = {0.0, 0.0};
        detail::checked(portamento_follow_camera_to_world(handle_, screen, world));
        return {world[0], world[1]};
    }
    /// The point of the screen over a place of the world, by the picture last drawn: for labels and health bars.
    std::pair<double, double> to_screen(double x, double y) const {
        const double world[2] = {x, y};
        double screen[2] = {0.0, 0.0};
        detail::checked(portamento_follow_camera_to_screen(handle_, world, screen));
        return {screen[0], screen[1]};
    }
};

/// Chooses which moment of another clock is drawn.
class Playhead : public detail::Owner<portamento_playhead, portamento_playhead_free> {
  public:
    using Owner::Owner;

    explicit Playhead(const PlayheadSettings &settings) { portamento_playhead_new(&settings, &handle_); }
    /// For a writer on this machine that ticks `hz` times per second.
    [[nodiscard]] static Playhead at_hz(double hz) { return Playhead(PlayheadSettings::at_hz(hz)); }

    /// Takes the arrival of a tick: it stands for `simulated` seconds of the writer's clock, and came at `arrival` by
    /// ours.
    Observed observe(double arrival, double simulated) {
        portamento_observed observed = PORTAMENTO_OBSERVED_UNUSABLE;
        detail::checked(portamento_playhead_observe(handle_, arrival, simulated, &observed));
        return static_cast<Observed>(observed);
    }
    /// The same for a tick in which everything was cut.
    Observed observe_cut(double arrival, double simulated) {
        portamento_observed observed = PORTAMENTO_OBSERVED_UNUSABLE;
        detail::checked(portamento_playhead_observe_cut(handle_, arrival, simulated, &observed));
        return static_cast<Observed>(observed);
    }
    /// A frame is drawn at `now` by our clock; nothing before the first tick. Once per frame.
    std::optional<Shown> advance(double now) {
        Shown shown{};
        return detail::some(portamento_playhead_advance(handle_, now, &shown)) ? std::optional<Shown>(shown)
                                                                              : std::nullopt;
    }
    /// The writer's clock runs at another rate from `at` by our clock on; 0 while paused.
    Status set_time_scale(double at, double scale) {
        return detail::checked(portamento_playhead_set_time_scale(handle_, at, scale));
    }
    /// Forgets the writer's clock: call it when the writer began a new life.
    Status restart() { return detail::checked(portamento_playhead_restart(handle_)); }
    /// The place between the last two ticks that PORTAMENTO_PLAYHEAD_RULE_SINCE_ARRIVAL draws; nothing with the other rule.
    std::optional<double> alpha_since_arrival() const {
        double alpha = 0.0;
        return detail::some(portamento_playhead_alpha_since_arrival(handle_, &alpha)) ? std::optional<double>(alpha) : std::nullopt;
    }
    PlayheadCounts counts() const {
        PlayheadCounts counts{};
        detail::checked(portamento_playhead_get_counts(handle_, &counts));
        return counts;
    }
};

/// The last poses of one entity, each with its simulation time.
class Timeline : public detail::Owner<portamento_timeline, portamento_timeline_free> {
  public:
    using Owner::Owner;

    explicit Timeline(const TimelineSettings &settings = TimelineSettings::defaults()) {
        portamento_timeline_new(&settings, &handle_);
    }

    /// The pose of a tick that stands for `simulated` seconds.
    Status push(double simulated, const Pose64 &pose) {
        return detail::checked(portamento_timeline_push(handle_, simulated, &pose));
    }
    /// A teleport at `simulated` seconds.
    Status cut(double simulated, const Pose64 &pose) {
        return detail::checked(portamento_timeline_cut(handle_, simulated, &pose));
    }
    /// Where to draw it, without remembering it; nothing before the first tick.
    std::optional<Pose64> view(const Shown &shown, TimelinePlace *place = nullptr) const {
        Pose64 pose{};
        portamento_timeline_place found = PORTAMENTO_TIMELINE_PLACE_FORGOTTEN;
        const bool some = detail::some(portamento_timeline_view(handle_, &shown, &pose, &found, nullptr));
        if (place != nullptr) {
            *place = static_cast<TimelinePlace>(found);
        }
        return some ? std::optional<Pose64>(pose) : std::nullopt;
    }
    /// Where to draw it, with the frame before and cuts; nothing before the first tick. Once per frame.
    std::optional<Drawn> draw(const Shown &shown) {
        Drawn drawn{};
        return detail::some(portamento_timeline_draw(handle_, &shown, &drawn)) ? std::optional<Drawn>(drawn)
                                                                              : std::nullopt;
    }
    /// What the simulation says: the newest pose; nothing before the first tick.
    std::optional<Pose64> truth() const {
        Pose64 pose{};
        return detail::some(portamento_timeline_truth(handle_, &pose)) ? std::optional<Pose64>(pose) : std::nullopt;
    }
    /// The world's origin moves by x, y, z, and nothing is seen of it.
    Status rebase(double x, double y, double z) {
        const double shift[3] = {x, y, z};
        return detail::checked(portamento_timeline_rebase(handle_, shift));
    }
    /// Forgets everything: call it when the writer began a new life.
    Status clear() { return detail::checked(portamento_timeline_clear(handle_)); }
};

/// Events that fire when the drawn moment of another clock reaches them; at most 64 wait.
class Cues : public detail::Owner<portamento_cues, portamento_cues_free> {
  public:
    using Owner::Owner;

    Cues() { portamento_cues_new(&handle_); }
    /// Adds an event, a number of yours, that fires at the moment `at` of the writer's clock.
    Status add(double at, std::uint64_t event) { return detail::checked(portamento_cues_add(handle_, at, event)); }
    /// The next cue that a frame has reached: in every frame, call it until there is none.
    std::optional<Cue> next(const Shown &shown) {
        Cue cue{};
        return detail::some(portamento_cues_next(handle_, &shown, &cue)) ? std::optional<Cue>(cue) : std::nullopt;
    }
    /// How many cues wait.
    std::uint32_t waiting() const {
        std::uint32_t count = 0;
        detail::checked(portamento_cues_waiting(handle_, &count));
        return count;
    }
    /// How many cues were refused.
    std::uint64_t refused() const {
        std::uint64_t count = 0;
        detail::checked(portamento_cues_refused(handle_, &count));
        return count;
    }
    /// Forgets all that wait: call it when the writer began a new life.
    Status clear() { return detail::checked(portamento_cues_clear(handle_)); }
};

/// An entity that is predicted here, and corrected by a server or rolled back: the picture glides.
class PredictedTrack : public detail::Owner<portamento_predicted_track, portamento_predicted_track_free> {
  public:
    using Owner::Owner;

    explicit PredictedTrack(const Pose64 &start) { portamento_predicted_track_new(&start, nullptr, &handle_); }
    PredictedTrack(const Pose64 &start, const ReconcileSettings &settings) {
        portamento_predicted_track_new(&start, &settings, &handle_);
    }

    /// The result of a tick. Call it in every tick.
    Status push(const Pose64 &pose) { return detail::checked(portamento_predicted_track_push(handle_, &pose)); }
    /// A spawn or teleport: nothing in between is ever drawn.
    Status cut(const Pose64 &pose) { return detail::checked(portamento_predicted_track_cut(handle_, &pose)); }
    /// A collision moved the newest pose within its tick.
    Status correct(const Pose64 &pose) { return detail::checked(portamento_predicted_track_correct(handle_, &pose)); }
    /// The server says that the entity is there now: the truth jumps, the picture glides.
    Status reconcile(const Pose64 &pose) { return detail::checked(portamento_predicted_track_reconcile(handle_, &pose)); }
    /// Makes room for the saves of the last `count` ticks, for rollback. It allocates.
    Status reserve_saves(std::uint32_t count) {
        return detail::checked(portamento_predicted_track_reserve_saves(handle_, count));
    }
    /// Saves the truth after a tick.
    Status save(std::uint64_t tick) { return detail::checked(portamento_predicted_track_save(handle_, tick)); }
    /// Puts the truth back to what it was when a tick was saved; false if that is not kept. Then push anew.
    bool restore(std::uint64_t tick) { return detail::some(portamento_predicted_track_restore(handle_, tick)); }
    /// The world's origin moves by x, y, z, and nothing is seen of it.
    Status rebase(double x, double y, double z) {
        const double shift[3] = {x, y, z};
        return detail::checked(portamento_predicted_track_rebase(handle_, shift));
    }
    /// The truth: the newest pose pushed.
    Pose64 truth() const {
        Pose64 pose = pose64_at(0.0, 0.0, 0.0);
        detail::checked(portamento_predicted_track_truth(handle_, &pose));
        return pose;
    }
    /// Where to draw it, with the frame before and cuts. Once per frame.
    Drawn draw(const Moment &moment) {
        Drawn drawn = detail::nowhere();
        detail::checked(portamento_predicted_track_draw(handle_, &moment, &drawn));
        return drawn;
    }
    /// How far the picture stands from the truth.
    OffsetSize offset() const {
        OffsetSize size{};
        detail::checked(portamento_predicted_track_offset(handle_, &size));
        return size;
    }
};

/// The distance from a truth of your own to its picture, fading.
class VisualOffset : public detail::Owner<portamento_visual_offset, portamento_visual_offset_free> {
  public:
    using Owner::Owner;

    VisualOffset() { portamento_visual_offset_new(&handle_); }

    /// Hides a jump of the truth: the picture stays where it is, at most `limit` from the truth.
    Absorbed absorb(const Pose64 &from, const Pose64 &to, const OffsetSize &limit) {
        portamento_absorbed absorbed = PORTAMENTO_ABSORBED_SNAPPED;
        detail::checked(portamento_visual_offset_absorb(handle_, &from, &to, &limit, &absorbed));
        return static_cast<Absorbed>(absorbed);
    }
    /// Lets a frame pass. Without `fading` by the defaults.
    Status fade(Presented presented, const OffsetFading *fading = nullptr) {
        return detail::checked(portamento_visual_offset_fade(handle_, presented.seconds(), fading));
    }
    /// What is drawn for a truth.
    Pose64 drawn(const Pose64 &truth) const {
        Pose64 view = truth;
        detail::checked(portamento_visual_offset_drawn(handle_, &truth, &view));
        return view;
    }
    /// Puts the picture on the truth at once: after a cut.
    Status clear() { return detail::checked(portamento_visual_offset_clear(handle_)); }
    /// How far the picture stands from the truth.
    OffsetSize size() const {
        OffsetSize size{};
        detail::checked(portamento_visual_offset_size(handle_, &size));
        return size;
    }
};

/// The clock that all processes of this machine share, in seconds. It is never set. Linux only.
inline double machine_seconds() {
    double seconds = 0.0;
    detail::checked(portamento_machine_seconds(&seconds));
    return seconds;
}

/// A block of memory or a file that a writer and readers meet at; they may outlive it.
class Exchange : public detail::Owner<portamento_exchange, portamento_exchange_free> {
  public:
    using Owner::Owner;

    /// In memory, for threads of one process.
    explicit Exchange(const Shape &shape) { portamento_exchange_new(&shape, &handle_); }
    /// In a file, or the one that is there and has this shape: a writer's way to begin. Linux only.
    [[nodiscard]] static Exchange create_file(const char *path, const Shape &shape) {
        portamento_exchange handle{};
        portamento_exchange_create_file(path, &shape, &handle);
        return Exchange(handle);
    }
    /// In a file that is there: a reader's way to begin. Linux only.
    [[nodiscard]] static Exchange open_file(const char *path) {
        portamento_exchange handle{};
        portamento_exchange_open_file(path, &handle);
        return Exchange(handle);
    }

    /// Whether the path leads to another file by now: open it again. Ask once a second, not in every frame.
    bool is_replaced() const {
        std::uint32_t replaced = 0;
        detail::checked(portamento_exchange_is_replaced(handle_, &replaced));
        return replaced != 0;
    }
    Shape shape() const {
        Shape shape{};
        detail::checked(portamento_exchange_shape(handle_, &shape));
        return shape;
    }
};

/// The side of an exchange that simulates.
class Writer : public detail::Owner<portamento_writer, portamento_writer_free> {
  public:
    using Owner::Owner;

    /// Becomes the writer and begins a new run; false if there is one that lives.
    explicit Writer(const Exchange &exchange) { portamento_writer_new(exchange.get(), &handle_); }

    /// Moves an entity; readers interpolate. A number that is not in use yet is a new entity.
    Status set(std::uint64_t entity, const Pose64 &pose) {
        return detail::checked(portamento_writer_set(handle_, entity, &pose));
    }
    /// Moves many: `entities[i]` goes to `poses[i]`.
    Status set(Span<const std::uint64_t> entities, Span<const Pose64> poses) {
        const std::size_t count = entities.size() < poses.size() ? entities.size() : poses.size();
        return detail::checked(portamento_writer_set_many(handle_, entities.data(), 0, poses.data(), 0, count));
    }
    /// Moves an entity there at once: nothing in between is ever drawn.
    Status cut(std::uint64_t entity, const Pose64 &pose) {
        return detail::checked(portamento_writer_cut(handle_, entity, &pose));
    }
    Status remove(std::uint64_t entity) { return detail::checked(portamento_writer_remove(handle_, entity)); }
    /// The 32 bits that travel with an entity; their meaning is yours.
    Status set_flags(std::uint64_t entity, std::uint32_t flags) {
        return detail::checked(portamento_writer_set_flags(handle_, entity, flags));
    }
    /// One of the entity's f32 numbers, which readers interpolate.
    Status set_f32(std::uint64_t entity, std::uint32_t column, float value) {
        return detail::checked(portamento_writer_set_f32(handle_, entity, column, value));
    }
    /// One of the entity's u32 numbers, which readers do not interpolate.
    Status set_u32(std::uint64_t entity, std::uint32_t column, std::uint32_t value) {
        return detail::checked(portamento_writer_set_u32(handle_, entity, column, value));
    }
    /// Publishes one tick that stands for `simulated` seconds, at `now` of a clock that the readers share. `scale` is how
    /// many seconds are simulated per real second; 0 while paused.
    TickStamp publish(double now, double simulated, double scale = 1.0) {
        TickStamp stamp{};
        detail::checked(portamento_writer_publish(handle_, now, simulated, scale, &stamp));
        return stamp;
    }
    /// Publishes one tick at the moment of the stepper, with its time scale and pause.
    TickStamp publish(double now, const Stepper &stepper) {
        TickStamp stamp{};
        detail::checked(portamento_writer_publish_stepper(handle_, now, stepper.get(), &stamp));
        return stamp;
    }
};

/// A side of an exchange that draws.
class Reader : public detail::Owner<portamento_reader, portamento_reader_free> {
  public:
    using Owner::Owner;

    /// Takes a seat; false if every seat has a reader that lives. `PlayheadSettings::at_hz` with the writer's tick rate
    /// is right for most.
    Reader(const Exchange &exchange, const PlayheadSettings &settings) {
        portamento_reader_new(exchange.get(), &settings, &handle_);
    }

    /// A frame is drawn at `now`, by the writer's clock; nothing before the first tick. Once per frame.
    std::optional<WorldFrame> frame(double now) {
        WorldFrame world{};
        return detail::some(portamento_reader_frame(handle_, now, &world)) ? std::optional<WorldFrame>(world) : std::nullopt;
    }
    /// Writes all entities of the last frame, and returns how many; there must be room for `rows` of its world.
    std::size_t entities(Span<EntityView> out) {
        std::size_t count = 0;
        detail::checked(portamento_reader_entities(handle_, out.data(), 0, out.size(), &count));
        return count;
    }
    /// One entity of the last frame with the frame before, for a camera; nothing while it is not there.
    std::optional<Drawn> draw(std::uint64_t entity) {
        Drawn drawn{};
        return detail::some(portamento_reader_draw(handle_, entity, &drawn)) ? std::optional<Drawn>(drawn) : std::nullopt;
    }
    /// One of the f32 numbers of the entity in a row, interpolated; nothing if there is no such row or column.
    std::optional<float> f32(std::uint32_t row, std::uint32_t column) {
        float value = 0.0f;
        return detail::some(portamento_reader_f32(handle_, row, column, &value)) ? std::optional<float>(value)
                                                                                : std::nullopt;
    }
    /// One of the u32 numbers of the entity in a row; nothing if there is no such row or column.
    std::optional<std::uint32_t> u32(std::uint32_t row, std::uint32_t column) {
        std::uint32_t value = 0;
        return detail::some(portamento_reader_u32(handle_, row, column, &value)) ? std::optional<std::uint32_t>(value)
                                                                                : std::nullopt;
    }
    /// Sleeps until a tick is published; false if none was within `seconds`. Not for renderers. Linux only.
    bool wait(double seconds) { return detail::some(portamento_reader_wait(handle_, seconds)); }
    /// What the writer last reported of itself. One that was killed reports nothing: check the age of the ticks too.
    WriterState writer() const {
        portamento_writer_state state = 0;
        detail::checked(portamento_reader_writer(handle_, &state));
        return static_cast<WriterState>(state);
    }
    ReaderCounts counts() const {
        ReaderCounts counts{};
        detail::checked(portamento_reader_get_counts(handle_, &counts));
        return counts;
    }
};

/// What a message says of one entity.
struct Report : portamento_report {
    Report() : Report(pose64_at(0.0, 0.0, 0.0)) {}
    explicit Report(const Pose64 &at) : portamento_report{at, {}, {}, 0, 0, 0, 0} {}
    /// Counts its teleports: another number than in the report before is a cut.
    Report &with_epoch(std::uint32_t teleports) {
        epoch = teleports;
        return *this;
    }
    /// How fast it moves (units per second) and turns (radians per second about each axis).
    Report &with_velocity(const float (&units)[3], const float (&radians)[3]) {
        for (int i = 0; i < 3; i++) {
            linear[i] = units[i];
            angular[i] = radians[i];
        }
        has_velocity = 1;
        return *this;
    }
    /// The entity stays there until the next report, which may come much later.
    Report &at_rest() {
        rests = 1;
        return *this;
    }
};
/// What a message says of an entity of which only positions are reported.
struct PointReport : portamento_point_report {
    PointReport() : PointReport(0.0, 0.0, 0.0) {}
    PointReport(double x, double y, double z) : portamento_point_report{{x, y, z}, {}, 0, 0, 0, 0} {}
    /// Counts its teleports: another number than in the report before is a cut.
    PointReport &with_epoch(std::uint32_t teleports) {
        epoch = teleports;
        return *this;
    }
    /// How fast it moves, in units per second.
    PointReport &with_velocity(double x, double y, double z) {
        velocity[0] = x;
        velocity[1] = y;
        velocity[2] = z;
        has_velocity = 1;
        return *this;
    }
    /// The entity stays there until the next report, which may come much later.
    PointReport &at_rest() {
        rests = 1;
        return *this;
    }
};

/// A sender: a server, or another player.
class Peer : public detail::Owner<portamento_peer, portamento_peer_free> {
  public:
    using Owner::Owner;

    explicit Peer(const PeerSettings &settings) { portamento_peer_new(&settings, &handle_); }
    /// A peer that sends `hz` messages per second.
    [[nodiscard]] static Peer at_hz(double hz) { return Peer(PeerSettings::at_hz(hz)); }

    /// A message stamped `sent` by the peer's clock arrived at `arrived` by ours. Once per message.
    Status receive(double sent, double arrived) {
        return detail::checked(portamento_peer_receive(handle_, sent, arrived));
    }
    /// The peer sends this many messages per second from now on.
    Status set_hz(double hz) { return detail::checked(portamento_peer_set_hz(handle_, hz)); }
    /// How good the connection is: delay, jitter, loss.
    PeerStatistics statistics() const {
        PeerStatistics statistics{};
        detail::checked(portamento_peer_get_statistics(handle_, &statistics));
        return statistics;
    }
    /// The peer began a new life: its clock starts over.
    Status restart() { return detail::checked(portamento_peer_restart(handle_)); }
    /// A frame is drawn at `now` by our clock; nothing before the first message. Then draw its entities.
    std::optional<PeerFrame> frame(double now) {
        PeerFrame frame{};
        return detail::some(portamento_peer_frame_at(handle_, now, &frame)) ? std::optional<PeerFrame>(frame) : std::nullopt;
    }
};

/// The wrapping tick counter of a sender, turned into seconds of its clock: what `Peer::receive` takes.
class TickClock : public detail::Owner<portamento_tick_clock, portamento_tick_clock_free> {
  public:
    using Owner::Owner;

    /// A counter of `bits` bits (1 to 32) that counts `hz` ticks per second.
    [[nodiscard]] static TickClock at_hz(double hz, std::uint32_t bits) {
        portamento_tick_clock handle{};
        portamento_tick_clock_at_hz(hz, bits, &handle);
        return TickClock(handle);
    }
    /// The sender's time that `counter` stands for in a message that arrived at `arrived` by our clock.
    double seconds(std::uint32_t counter, double arrived) {
        double seconds = 0.0;
        detail::checked(portamento_tick_clock_seconds(handle_, counter, arrived, &seconds));
        return seconds;
    }
    /// How far the sender has counted in all: its whole tick in a message that arrived at `arrived`.
    Status set_tick(std::uint64_t tick, double arrived) {
        return detail::checked(portamento_tick_clock_set_tick(handle_, tick, arrived));
    }
    /// Starts anew, after the sender and its counter did.
    Status restart() { return detail::checked(portamento_tick_clock_restart(handle_)); }
};

/// One remote entity: its last 32 reports, drawn between them (snapshot interpolation).
class Snapshots : public detail::Owner<portamento_snapshots, portamento_snapshots_free> {
  public:
    using Owner::Owner;

    Snapshots() { portamento_snapshots_new(&handle_); }
    /// An entity of which only positions are reported: `insert` takes a `PointReport`.
    [[nodiscard]] static Snapshots of_points() {
        portamento_snapshots handle{};
        portamento_snapshots_new_points(&handle);
        return Snapshots(handle);
    }

    /// Adds what the peer's last message reports of the entity.
    Inserted insert(const Peer &peer, const Report &report) {
        portamento_inserted result = static_cast<portamento_inserted>(Inserted::unusable);
        detail::checked(portamento_snapshots_insert(handle_, peer.get(), &report, &result));
        return static_cast<Inserted>(result);
    }
    /// The same for an entity made by `of_points`.
    Inserted insert(const Peer &peer, const PointReport &report) {
        portamento_inserted result = static_cast<portamento_inserted>(Inserted::unusable);
        detail::checked(portamento_snapshots_insert_point(handle_, peer.get(), &report, &result));
        return static_cast<Inserted>(result);
    }
    /// How many seconds farther back than its peer's frame it is drawn, because it is rarely in a message.
    double extra_delay() const {
        double seconds = 0.0;
        detail::checked(portamento_snapshots_extra_delay(handle_, &seconds));
        return seconds;
    }
    /// How far the picture is from what the snapshots give.
    OffsetSize offset() const {
        OffsetSize size{};
        detail::checked(portamento_snapshots_offset(handle_, &size));
        return size;
    }
    /// What did not go as planned.
    SnapshotCounts counts() const {
        SnapshotCounts counts{};
        detail::checked(portamento_snapshots_get_counts(handle_, &counts));
        return counts;
    }
    /// Removes the entity from the moment of the peer's last message on.
    Status vanish(const Peer &peer) { return detail::checked(portamento_snapshots_vanish(handle_, peer.get())); }

    /// What the last frame drew of it, for the server's `History`; nothing when nothing is drawn.
    std::optional<Claim> claim(const Peer &peer) const {
        Claim claim{};
        return detail::some(portamento_snapshots_claim(handle_, peer.get(), &claim)) ? std::optional<Claim>(claim)
                                                                                    : std::nullopt;
    }
    /// The entity is another peer's from now on: its picture goes on without a jump.
    Status hand_over() { return detail::checked(portamento_snapshots_hand_over(handle_)); }
    /// The world's origin moves by x, y, z, and nothing is seen of it.
    Status rebase(double x, double y, double z) {
        const double shift[3] = {x, y, z};
        return detail::checked(portamento_snapshots_rebase(handle_, shift));
    }
    /// Where the snapshots had it in the last frame, without the visual offset; nothing if nothing was drawn.
    std::optional<Pose64> blended() const {
        Pose64 pose{};
        return detail::some(portamento_snapshots_blended(handle_, &pose)) ? std::optional<Pose64>(pose) : std::nullopt;
    }

    /// What is drawn of it in a frame: `here` is there unless the state is `not_yet` or `gone`.
    struct Seen {
        std::optional<Drawn> here;
        SnapshotState state = SnapshotState::not_yet;
    };
    /// What to draw in the peer's last frame.
    Seen draw(const Peer &peer) {
        Drawn drawn{};
        portamento_snapshot_state state = PORTAMENTO_SNAPSHOT_STATE_NOT_YET;
        const bool here = detail::some(portamento_snapshots_draw(handle_, peer.get(), &drawn, &state));
        return {here ? std::optional<Drawn>(drawn) : std::nullopt, static_cast<SnapshotState>(state)};
    }
};

/// What the server sent of one entity, to find again what a shooter saw (lag compensation).
class History : public detail::Owner<portamento_history, portamento_history_free> {
  public:
    using Owner::Owner;

    explicit History(const HistorySettings &settings) { portamento_history_new(&settings, &handle_); }
    [[nodiscard]] static History at_hz(double hz) { return History(HistorySettings::at_hz(hz)); }

    /// Records what was sent in the message stamped `sent`; false if that was unusable or known already.
    bool record(double sent, const Report &report) {
        std::uint32_t recorded = 0;
        detail::checked(portamento_history_record(handle_, sent, &report, &recorded));
        return recorded != 0;
    }
    /// The same for a history of positions.
    bool record(double sent, const PointReport &report) {
        std::uint32_t recorded = 0;
        detail::checked(portamento_history_record_point(handle_, sent, &report, &recorded));
        return recorded != 0;
    }
    /// The entity is not there from the message stamped `sent` on.
    bool vanish(double sent) {
        std::uint32_t recorded = 0;
        detail::checked(portamento_history_vanish(handle_, sent, &recorded));
        return recorded != 0;
    }
    /// What the client of this claim saw; `now` is the server's clock. Nothing if it cannot have seen that: the claim is
    /// too old, names snapshots that were never sent, or was made up (`last_error()` has the reason).
    std::optional<Rewound> rewind(const Claim &claim, double now) {
        Rewound rewound{};
        const Status status = portamento_history_rewind(handle_, &claim, now, &rewound);
        // Whatever comes over the wire is no mistake of this program.
        const bool refused = status == PORTAMENTO_REFUSED || status == PORTAMENTO_BAD_VALUE;
        return !refused && detail::some(status) ? std::optional<Rewound>(rewound) : std::nullopt;
    }
    /// Where the entity was at a moment of the server's clock; nothing if that is too long ago.
    std::optional<Pose64> at(double moment) const {
        Pose64 pose{};
        return detail::some(portamento_history_at(handle_, moment, &pose)) ? std::optional<Pose64>(pose) : std::nullopt;
    }
    HistoryCounts counts() const {
        HistoryCounts counts{};
        detail::checked(portamento_history_get_counts(handle_, &counts));
        return counts;
    }
};

/// A reported pose: of a body that stands on something outdoors, until you change the fields.
struct WaypointReport : portamento_waypoint_report {
    WaypointReport() : WaypointReport(0, pose64_at(0.0, 0.0, 0.0)) {}
    /// `teleports` counts the body's teleports.
    WaypointReport(std::uint16_t teleports, const Pose64 &at) : portamento_waypoint_report{} {
        portamento_waypoint_report_new(teleports, &at, this);
    }
    /// Adds a number of yours that comes back when the body is placed at this report, such as a cell id.
    WaypointReport &with_payload(std::uint64_t number) {
        payload = number;
        return *this;
    }
};

/// One tick, as a body that stands on something meets it, until you change the fields.
struct WaypointTick : portamento_waypoint_tick {
    /// A tick of `seconds` seconds for a body whose own top speed is `top_speed`.
    WaypointTick(double seconds, double top_speed) : portamento_waypoint_tick{seconds, top_speed, 1, 0} {}
};

/// How a body is to move in a tick.
struct WaypointStep : portamento_waypoint_step {
    /// Where it takes a body that nothing stops.
    Pose64 apply(const Pose64 &body) const {
        Pose64 after = body;
        detail::checked(portamento_waypoint_step_apply(this, &body, &after));
        return after;
    }
};

/// A queue of waypoints for a body that lives elsewhere. `RemoteBody` has one and does more.
class Waypoints : public detail::Owner<portamento_waypoints, portamento_waypoints_free> {
  public:
    using Owner::Owner;

    explicit Waypoints(const WaypointSettings &settings) { portamento_waypoints_new(&settings, &handle_); }

    /// Takes in a report. The result is there if the body stands there already and must turn: a quaternion x, y, z, w.
    struct Heading {
        float xyzw[4];
    };
    std::optional<Heading> enqueue(const Pose64 &body, const WaypointReport &report) {
        Heading heading{};
        std::uint32_t turned = 0;
        detail::checked(portamento_waypoints_enqueue(handle_, &body, &report, heading.xyzw, &turned));
        return turned != 0 ? std::optional<Heading>(heading) : std::nullopt;
    }
    /// Adds a node that sets the velocity when its turn comes.
    Status enqueue_velocity(double x, double y, double z) {
        const double velocity[3] = {x, y, z};
        return detail::checked(portamento_waypoints_enqueue_velocity(handle_, velocity));
    }
    /// Adds a node that stops the body when its turn comes.
    Status enqueue_stop() { return detail::checked(portamento_waypoints_enqueue_stop(handle_)); }
    /// Forgets all nodes.
    Status stop() { return detail::checked(portamento_waypoints_stop(handle_)); }
    /// The step for this tick, before collision; nothing if there is nothing to walk to: use the animation's own motion.
    std::optional<WaypointStep> step(const Pose64 &body, const WaypointTick &tick) {
        WaypointStep step{};
        return detail::some(portamento_waypoints_step(handle_, &body, &tick, &step)) ? std::optional<WaypointStep>(step)
                                                                                   : std::nullopt;
    }
    /// Ends a tick with the body where collision left it. If it asks to be placed, `accept` or `refuse`.
    WaypointOutcome end_tick(const Pose64 &body, double dt) {
        WaypointOutcome outcome{};
        detail::checked(portamento_waypoints_end_tick(handle_, &body, dt, &outcome));
        return outcome;
    }
    /// The body was put where it asked; false if something newer has replaced the request.
    bool accept() { return detail::some(portamento_waypoints_accept(handle_)); }
    /// The body cannot be put there; it asks again in the next tick.
    bool refuse() { return detail::some(portamento_waypoints_refuse(handle_)); }
    /// The world's origin moves by x, y, z.
    Status rebase(double x, double y, double z) {
        const double shift[3] = {x, y, z};
        return detail::checked(portamento_waypoints_rebase(handle_, shift));
    }
    /// What was dropped, given up or refused.
    WaypointCounts counts() const {
        WaypointCounts counts{};
        detail::checked(portamento_waypoints_get_counts(handle_, &counts));
        return counts;
    }
    WaypointsState state() const {
        WaypointsState state{};
        detail::checked(portamento_waypoints_get_state(handle_, &state));
        return state;
    }
};

/// Another player's body: queue, routing of reports, leash and drawing in one.
class RemoteBody : public detail::Owner<portamento_remote_body, portamento_remote_body_free> {
  public:
    using Owner::Owner;

    /// A body that is not in the world yet: its first report puts it there.
    explicit RemoteBody(const WaypointSettings &settings) { portamento_remote_body_new(&settings, &handle_); }

    /// Takes in a report. It puts the body `from_viewer` units from the viewer.
    Route report(const WaypointReport &report, double from_viewer) {
        portamento_route route = PORTAMENTO_ROUTE_STALE;
        detail::checked(portamento_remote_body_report(handle_, &report, from_viewer, &route));
        return static_cast<Route>(route);
    }
    /// Begins a frame. Far bodies are not simulated; their time is lost, not saved up.
    Status frame(double dt, double from_viewer) {
        return detail::checked(portamento_remote_body_frame(handle_, dt, from_viewer));
    }
    /// The step for your physics to take and to collide; nothing if the body is not simulated. `root` is the animation's
    /// own motion.
    std::optional<WaypointStep> step(const WaypointTick &tick, const WaypointStep *root = nullptr) {
        WaypointStep step{};
        return detail::some(portamento_remote_body_step(handle_, &tick, root, &step)) ? std::optional<WaypointStep>(step)
                                                                                     : std::nullopt;
    }
    /// Ends a tick with the body where collision left it. If it asks to be placed, `accept` or `refuse`.
    WaypointOutcome moved(const Pose64 &truth) {
        WaypointOutcome outcome{};
        detail::checked(portamento_remote_body_moved(handle_, &truth, &outcome));
        return outcome;
    }
    /// The body was put where it asked, and the picture cuts there; false if something newer came.
    bool accept() { return detail::some(portamento_remote_body_accept(handle_)); }
    /// The body cannot be put there; it asks again in the next tick.
    bool refuse() { return detail::some(portamento_remote_body_refuse(handle_)); }
    /// Keeps the body beside a target for a second; call it again to renew. `radii` is the sum of both radii.
    Status stick_to(double x, double y, double z, double radii) {
        const double target[3] = {x, y, z};
        return detail::checked(portamento_remote_body_stick_to(handle_, target, radii));
    }
    /// Moves the target that the body sticks to, without renewing it.
    Status follow(double x, double y, double z) {
        const double target[3] = {x, y, z};
        return detail::checked(portamento_remote_body_follow(handle_, target));
    }
    /// Releases the body from its target.
    Status release() { return detail::checked(portamento_remote_body_release(handle_)); }
    /// One tick of a world without obstacles: step, the whole of it, and every placement accepted.
    WaypointOutcome walk(const WaypointTick &tick) {
        WaypointOutcome outcome{};
        detail::checked(portamento_remote_body_walk(handle_, &tick, &outcome));
        return outcome;
    }
    /// Adds a velocity that the body is to have when it has reached everything reported.
    Status enqueue_velocity(double x, double y, double z) {
        const double velocity[3] = {x, y, z};
        return detail::checked(portamento_remote_body_enqueue_velocity(handle_, velocity));
    }
    /// Adds a stop: the body is to stand when it has reached everything reported.
    Status enqueue_stop() { return detail::checked(portamento_remote_body_enqueue_stop(handle_)); }
    /// Forgets all waypoints: the body stays where it is.
    Status stop() { return detail::checked(portamento_remote_body_stop(handle_)); }
    /// The world's origin moves by x, y, z, and nothing is seen of it.
    Status rebase(double x, double y, double z) {
        const double shift[3] = {x, y, z};
        return detail::checked(portamento_remote_body_rebase(handle_, shift));
    }
    /// How the body is at the moment.
    RemoteBodyState state() const {
        RemoteBodyState state{};
        detail::checked(portamento_remote_body_get_state(handle_, &state));
        return state;
    }
    /// What was dropped, given up or refused.
    WaypointCounts counts() const {
        WaypointCounts counts{};
        detail::checked(portamento_remote_body_get_counts(handle_, &counts));
        return counts;
    }
    /// Where the body is; nothing before its first report.
    std::optional<Pose64> truth() const {
        Pose64 truth{};
        return detail::some(portamento_remote_body_truth(handle_, &truth)) ? std::optional<Pose64>(truth) : std::nullopt;
    }
    /// What to draw; nothing before the first report. Once per frame.
    std::optional<Drawn> draw(const Moment &moment) {
        Drawn drawn{};
        return detail::some(portamento_remote_body_draw(handle_, &moment, &drawn)) ? std::optional<Drawn>(drawn)
                                                                                  : std::nullopt;
    }
};

/// The player at this machine, and what the server's reports of it (its echoes) do: a leash, teleports, forced positions.
class OwnPlayer : public detail::Owner<portamento_own_player, portamento_own_player_free> {
  public:
    using Owner::Owner;

    /// A player who is not in the world yet: the first echo puts it there.
    explicit OwnPlayer(const WaypointSettings &settings) { portamento_own_player_new(&settings, &handle_); }

    /// Takes in an echo. After `cut` and `forced`, put the body to `pose`, and cut its track.
    Echo echo(const WaypointReport &report, Pose64 &pose) {
        portamento_echo echo = PORTAMENTO_ECHO_STALE;
        detail::checked(portamento_own_player_echo(handle_, &report, &echo, &pose));
        return static_cast<Echo>(echo);
    }
    /// What the leash leaves of the player's own step from `body`; `contact` if the body stands on something.
    WaypointStep limit(const Pose64 &body, const WaypointStep &step, bool contact) {
        WaypointStep limited = step;
        detail::checked(portamento_own_player_limit(handle_, &body, &step, contact ? 1 : 0, &limited));
        return limited;
    }
    /// How much of the leash the player at `body` has used, in units; nothing without a leash.
    std::optional<double> strayed(const Pose64 &body) const {
        double units = 0.0;
        return detail::some(portamento_own_player_strayed(handle_, &body, &units)) ? std::optional<double>(units)
                                                                                  : std::nullopt;
    }
    /// Whether the leash is nearly or wholly used up: wait for the next echo.
    bool is_held(const Pose64 &body) const {
        std::uint32_t held = 0;
        detail::checked(portamento_own_player_is_held(handle_, &body, &held));
        return held != 0;
    }
    /// The world's origin moves by x, y, z.
    Status rebase(double x, double y, double z) {
        const double shift[3] = {x, y, z};
        return detail::checked(portamento_own_player_rebase(handle_, shift));
    }
    /// What was refused.
    WaypointCounts counts() const {
        WaypointCounts counts{};
        detail::checked(portamento_own_player_get_counts(handle_, &counts));
        return counts;
    }
};

}  // namespace portamento

#endif
