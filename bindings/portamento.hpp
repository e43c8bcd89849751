// portamento for C++17: the C interface with owners, iterators and strong types. Header only; link the C library.
//
// Nothing here throws. A factory that fails gives an object that is false, and `portamento::last_error()` has the words.
// Objects are moved, not copied, and free themselves.
#ifndef PORTAMENTO_HPP
#define PORTAMENTO_HPP

#include "portamento.h"

#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace portamento {

using Pose = portamento_pose;
using Pose64 = portamento_pose64;
using Moment = portamento_moment;
using Drawn = portamento_drawn;
using Tick = portamento_tick;
using Shot = portamento_shot;
using Framing = portamento_framing;
using Row = portamento_row;
using Status = portamento_status;

/// The words of this thread's last error.
inline std::string last_error() {
    std::string words(portamento_last_error(nullptr, 0), '\0');
    portamento_last_error(words.data(), words.size() + 1);
    return words;
}

/// A pose at a place, not turned.
inline Pose64 at(double x, double y, double z) { return {{x, y, z}, {0.0f, 0.0f, 0.0f, 1.0f}}; }

/// The moment of an engine that runs the ticks itself: its alpha, and the seconds that the picture advanced.
inline Moment moment_at(double alpha, double presented) { return {alpha, 0.0, presented, 0, 0, 0}; }

namespace detail {

/// Owns a handle and frees it.
template <class Handle, Status (*Free)(Handle)>
class Owner {
  public:
    Owner() = default;
    explicit Owner(Handle handle) : handle_(handle) {}
    Owner(Owner &&other) noexcept : handle_(std::exchange(other.handle_, Handle{})) {}
    Owner &operator=(Owner &&other) noexcept {
        std::swap(handle_, other.handle_);
        return *this;
    }
    Owner(const Owner &) = delete;
    Owner &operator=(const Owner &) = delete;
    ~Owner() {
        if (handle_.id != 0) {
            Free(handle_);
        }
    }

    /// Whether it owns an object.
    explicit operator bool() const { return handle_.id != 0; }
    /// The C handle, for functions that this header does not wrap.
    Handle get() const { return handle_; }

  protected:
    Handle handle_{};
};

}  // namespace detail

/// Decides when ticks run and which moment is drawn.
class Stepper : public detail::Owner<portamento_stepper, portamento_stepper_free> {
  public:
    using Owner::Owner;

    /// `hz` ticks per second.
    static Stepper fixed(double hz) {
        portamento_fixed_settings settings;
        portamento_fixed_settings_default(hz, &settings);
        return fixed(settings);
    }

    static Stepper fixed(const portamento_fixed_settings &settings) {
        portamento_stepper handle{};
        portamento_stepper_fixed(&settings, &handle);
        return Stepper(handle);
    }

    /// A quantum gate: ticks of 1/30 to 0.2 s that follow the frames, drawn evenly.
    static Stepper gated(std::uint32_t rule = 0) {
        portamento_gate_settings settings;
        if (portamento_gate_settings_default(rule, &settings) != PORTAMENTO_OK) {
            return Stepper();
        }
        return gated(settings);
    }

    static Stepper gated(const portamento_gate_settings &settings) {
        portamento_stepper handle{};
        portamento_stepper_gated(&settings, &handle);
        return Stepper(handle);
    }

    /// The ticks of one frame, for a range-based `for`; each is asked for when its turn comes.
    class Ticks {
      public:
        class Iterator {
          public:
            explicit Iterator(portamento_stepper stepper) : stepper_(stepper) { ++*this; }
            Iterator() = default;
            const Tick &operator*() const { return *tick_; }
            Iterator &operator++() {
                Tick next;
                const bool more = portamento_stepper_tick(stepper_, &next) == PORTAMENTO_OK;
                tick_ = more ? std::optional<Tick>(next) : std::nullopt;
                return *this;
            }
            bool operator!=(const Iterator &other) const { return tick_.has_value() != other.tick_.has_value(); }

          private:
            portamento_stepper stepper_{};
            std::optional<Tick> tick_;
        };

        Iterator begin() const { return Iterator(stepper_); }
        Iterator end() const { return Iterator(); }
        /// How many ticks are due.
        std::uint64_t size() const { return frame_.ticks; }
        /// Seconds of this frame that will never be simulated.
        double lost() const { return frame_.lost; }

      private:
        friend class Stepper;
        Ticks(portamento_stepper stepper, const portamento_frame &frame) : stepper_(stepper), frame_(frame) {}
        portamento_stepper stepper_;
        portamento_frame frame_;
    };

    /// Takes in a frame of `seconds` seconds. Run its ticks, then draw `moment()`.
    [[nodiscard]] Ticks frame(double seconds) {
        portamento_frame frame{};
        portamento_stepper_frame(handle_, seconds, &frame);
        moment_ = frame.moment;
        return Ticks(handle_, frame);
    }

    /// The moment of the last frame.
    const Moment &moment() const { return moment_; }

    Status pause() { return portamento_stepper_pause(handle_); }
    Status resume() { return portamento_stepper_resume(handle_); }
    Status set_time_scale(double scale) { return portamento_stepper_set_time_scale(handle_, scale); }

  private:
    Moment moment_ = moment_at(1.0, 0.0);
};

/// The last ticks of one entity, drawn between them.
class Track : public detail::Owner<portamento_track, portamento_track_free> {
  public:
    using Owner::Owner;

    explicit Track(const Pose64 &start) { portamento_track_new(&start, &handle_); }

    Status push(const Pose64 &pose) { return portamento_track_push(handle_, &pose); }
    Status cut(const Pose64 &pose) { return portamento_track_cut(handle_, &pose); }
    Status correct(const Pose64 &pose) { return portamento_track_correct(handle_, &pose); }

    /// What the simulation says now.
    Pose64 truth() const {
        Pose64 pose{};
        portamento_track_truth(handle_, &pose);
        return pose;
    }

    /// Where to draw it, without remembering it.
    Pose64 view(const Moment &moment) const {
        Pose64 pose{};
        portamento_track_view(handle_, &moment, &pose);
        return pose;
    }

    /// Where to draw it, with the frame before and cuts, for cameras and motion vectors. Once per frame.
    Drawn draw(const Moment &moment) {
        Drawn drawn{};
        portamento_track_draw(handle_, &moment, &drawn);
        return drawn;
    }
};

/// The last ticks of thousands of entities, drawn by one call.
class Batch : public detail::Owner<portamento_batch, portamento_batch_free> {
  public:
    using Owner::Owner;

    explicit Batch(std::uint32_t ends = 2) { portamento_batch_new(ends, &handle_); }

    std::optional<Row> add(const Pose &pose) {
        Row row{};
        return portamento_batch_add(handle_, &pose, &row) == PORTAMENTO_OK ? std::optional<Row>(row) : std::nullopt;
    }
    Status remove(Row row) { return portamento_batch_remove(handle_, row); }
    Status cut(Row row, const Pose &pose) { return portamento_batch_cut(handle_, row, &pose); }

    /// How many rows your arrays need.
    std::uint32_t rows() const {
        std::uint32_t count = 0;
        portamento_batch_rows(handle_, &count);
        return count;
    }

    /// A tick: one pose for each row. `poses` is any contiguous container of `Pose`.
    template <class Poses>
    Status push_all(const Poses &poses) {
        return portamento_batch_push_all(handle_, std::data(poses), 0, std::size(poses));
    }

    /// The same from structs that hold a pose: `first` is the first one's, `stride` the bytes from one to the next.
    Status push_all(const Pose *first, std::size_t stride, std::size_t count) {
        return portamento_batch_push_all(handle_, first, stride, count);
    }

    /// Writes what moved into `out`, each entity at its own row. Returns how many moved.
    template <class Floats>
    std::size_t write_matrices(const Moment &moment, Floats &out) {
        return write(moment, PORTAMENTO_MATRICES_3X4, out);
    }
    template <class Floats>
    std::size_t write_positions(const Moment &moment, Floats &out) {
        return write(moment, PORTAMENTO_POSITIONS, out);
    }
    template <class Floats>
    std::size_t write(const Moment &moment, portamento_form form, Floats &out) {
        static_assert(std::is_same_v<std::remove_reference_t<decltype(*std::data(out))>, float>,
                      "portamento writes floats: give a container of float");
        std::size_t moved = 0;
        portamento_batch_frame(handle_, &moment, form, std::data(out), std::size(out), nullptr, 0, &moved);
        return moved;
    }
};

/// A camera behind and above a body.
class ChaseCamera : public detail::Owner<portamento_chase, portamento_chase_free> {
  public:
    using Owner::Owner;

    /// y is up and bodies face -z.
    static ChaseCamera y_up() { return defaults(0); }
    /// z is up and bodies face +y.
    static ChaseCamera z_up() { return defaults(1); }

    explicit ChaseCamera(const portamento_chase_settings &settings) { portamento_chase_new(&settings, &handle_); }

    Status look(double orbit, double pitch) { return portamento_chase_look(handle_, orbit, pitch); }
    Status cut() { return portamento_chase_cut(handle_); }

    /// Follows `body` through this frame.
    Shot update(const Moment &moment, const Drawn &body) {
        Shot shot{};
        portamento_chase_update(handle_, moment.presented, &body, nullptr, nullptr, &shot);
        return shot;
    }

    /// Follows `body`, with `collide(pivot, eye)` to keep the eye out of walls: it changes the three numbers of `eye`.
    /// If it throws, the exception goes on to the caller and the camera stays as it was.
    template <class Collide>
    Shot update(const Moment &moment, const Drawn &body, Collide &&collide) {
        Shot shot{};
        Call<std::remove_reference_t<Collide>> call{collide};
        portamento_chase_update(handle_, moment.presented, &body, &call.run, &call, &shot);
        return shot;
    }

  private:
    template <class Collide>
    struct Call {
        Collide &collide;
        static void run(void *self, const double *pivot, double *eye) {
            static_cast<Call *>(self)->collide(pivot, eye);
        }
    };

    static ChaseCamera defaults(std::uint32_t z_up) {
        portamento_chase_settings settings;
        portamento_chase_settings_default(z_up, &settings);
        return ChaseCamera(settings);
    }
};

/// A camera over a flat world.
class FollowCamera : public detail::Owner<portamento_follow, portamento_follow_free> {
  public:
    using Owner::Owner;

    explicit FollowCamera(const portamento_follow_settings &settings) { portamento_follow_new(&settings, &handle_); }

    /// The defaults for a screen of so many pixels, to change what you like.
    static portamento_follow_settings defaults(double width, double height) {
        portamento_follow_settings settings;
        portamento_follow_settings_default(width, height, &settings);
        return settings;
    }

    /// Follows what was drawn at x, y.
    Framing update(const Moment &moment, double x, double y, bool cut = false) {
        const double place[2] = {x, y};
        Framing framing{};
        portamento_follow_update(handle_, moment.presented, place, cut ? 1 : 0, &framing);
        return framing;
    }

    Framing update(const Moment &moment, const Drawn &target) {
        return update(moment, target.now.position[0], target.now.position[1], target.cut != 0);
    }

    Status zoom_to(double zoom) { return portamento_follow_zoom_to(handle_, zoom, nullptr); }
    Status shake(double strength) { return portamento_follow_shake(handle_, strength); }
};

}  // namespace portamento

#endif
