/* portamento: motion that looks smooth between the ticks of a simulation and the frames of a screen.
 *
 * A stepper decides when ticks run and which moment a frame draws. Tracks and batches keep the last ticks of entities and
 * draw them at that moment. Cameras follow what was drawn, by the time that was presented.
 *
 *     every frame:   portamento_stepper_frame ─► portamento_stepper_tick ... ─► your simulation
 *                                  │                                                 │
 *                               moment                          portamento_track_push, portamento_batch_push_all
 *                                  │                                                 │
 *                                  └──► portamento_track_draw, portamento_batch_frame ──► cameras ──► your renderer
 *
 * Every function returns a status; anything but PORTAMENTO_OK changes nothing, and portamento_last_error has the words.
 * Handles are plain numbers: one that was freed or never made is a status, not a crash. One thread at a time may use an
 * object; a second one gets PORTAMENTO_BUSY. Different objects may be used by different threads. Nothing allocates in a
 * frame. Poses, times and results are copied; the library keeps no pointer of yours.
 *
 * Made from the library's source: do not edit. */

#ifndef PORTAMENTO_H
#define PORTAMENTO_H

#include <stddef.h>
#include <stdint.h>

// The version that this header describes.
#define PORTAMENTO_ABI_VERSION 1

// What every function returns. Anything but `PORTAMENTO_OK` leaves the object as it was and the results unwritten;
// `portamento_last_error` has the words.
typedef enum portamento_status {
  // It worked.
  PORTAMENTO_OK = 0,
  // There is nothing to give yet: no message arrived, no tick was published, no more ticks are due.
  PORTAMENTO_NOTHING = 1,
  // The handle names no object of this kind: it was freed, belongs to another kind, or is made up.
  PORTAMENTO_UNKNOWN_HANDLE = 2,
  // Another thread (or a callback) is using this object at the moment.
  PORTAMENTO_BUSY = 3,
  // A pointer that is needed is null.
  PORTAMENTO_NULL = 4,
  // A struct's `size` is not the one that this library knows: recompile with the header of this library.
  PORTAMENTO_WRONG_SIZE = 5,
  // A setting can never work.
  PORTAMENTO_BAD_SETTING = 6,
  // A value cannot be used: not finite, a quaternion that is not of unit length, a number out of range.
  PORTAMENTO_BAD_VALUE = 7,
  // A buffer is too short for the result.
  PORTAMENTO_TOO_SHORT = 8,
  // There is no room for more.
  PORTAMENTO_FULL = 9,
  // The operating system refused.
  PORTAMENTO_SYSTEM = 10,
  // The library met a bug of its own. The object stays usable; please report the words.
  PORTAMENTO_BUG = 11,
} portamento_status;

// Many entities. Make it with `portamento_batch_new`, free it with `portamento_batch_free`.
typedef struct portamento_batch {
  // The handle; 0 names nothing.
  uint64_t id;
} portamento_batch;

// A position in single precision and an orientation: a unit quaternion x, y, z, w.
typedef struct portamento_pose {
  // x, y, z.
  float position[3];
  // Unit quaternion x, y, z, w.
  float rotation[4];
} portamento_pose;

// One entity of a batch. `index` is its row in your arrays while it lives; it is given to another entity later, which
// then has another generation.
typedef struct portamento_row {
  // Place in your arrays.
  uint32_t index;
  // Which of the successive owners of that place.
  uint32_t generation;
} portamento_row;

// The moment between two ticks that a frame draws. `portamento_stepper_frame` returns it; if your engine runs the
// ticks, make one with `portamento_moment_at`.
typedef struct portamento_moment {
  // Place between the two ticks, 0 to 1.
  double alpha;
  // How far past the newest tick, in ticks; 0 without extrapolation.
  double beyond;
  // How many seconds the picture advanced in this frame: a camera's dt.
  double presented;
  // One more than the ticks run so far; 0 if unknown.
  uint64_t tick;
  // Which two ticks: 0 is the previous and the newest one, 1 the pair before.
  uint32_t back;
  // Zero.
  uint32_t reserved;
} portamento_moment;

// What `portamento_batch_frame` writes for each entity: one of the constants below.
typedef uint32_t portamento_form;

// All that can be chosen about a chase camera. Fill it with `portamento_chase_settings_default`, then change what you
// like.
typedef struct portamento_chase_settings {
  // Size of this struct in bytes.
  uint32_t size;
  // 0: solved exactly, the same lag at every frame rate. 1: `rate * dt` of the way in each frame.
  uint32_t rule;
  // How fast the position closes its distance, per second; infinite is rigid.
  double rate;
  // The same for heading and pitch; infinite for mouse look.
  double look_rate;
  // Which way is up.
  double up[3];
  // Which way a body faces before any rotation.
  double ahead[3];
  // How far above the body's position the point lies that the camera looks at.
  double lift;
  // From that point to the eye; 0 for first person.
  double distance;
  // Radians that the camera looks down.
  double pitch;
  // Radians that the camera stands away from straight behind, counterclockwise seen from above.
  double orbit;
  // Distances from the eye at which the body is invisible, and from which on it is fully there.
  double fade[2];
  // While the body rises, the camera keeps its height until the body is this much higher; negative: it follows both
  // ways.
  double height_hold;
  // The last of the way is taken in one step when no more than this is left and the target stands still.
  double settle;
} portamento_chase_settings;

// A camera behind and above a body. Make it with `portamento_chase_new`, free it with `portamento_chase_free`.
typedef struct portamento_chase {
  // The handle; 0 names nothing.
  uint64_t id;
} portamento_chase;

// A position in double precision and an orientation, for large worlds.
typedef struct portamento_pose64 {
  // x, y, z.
  double position[3];
  // Unit quaternion x, y, z, w.
  float rotation[4];
} portamento_pose64;

// A pose as drawn in this frame and in the frame before, for motion vectors.
typedef struct portamento_drawn {
  // This frame's view.
  struct portamento_pose64 now;
  // The view of the frame before; equal to `now` when there was none.
  struct portamento_pose64 before;
  // 1 if a cut lies between the two: no motion blur, no camera damping across it.
  uint32_t cut;
  // Zero.
  uint32_t reserved;
} portamento_drawn;

// Keeps the eye out of walls: `eye` holds the place that the camera wants to be at; change it to the place allowed.
// `pivot` is the point of the body that it looks at. The camera is not in use while it runs, so it may leave by
// `longjmp` or an exception: the camera then stays as it was.
typedef void (*portamento_collide)(void *user, const double *pivot, double *eye);

// Where a chase camera is in one frame.
typedef struct portamento_shot {
  // Where the eye is, after collision.
  double eye[3];
  // The direction it looks in, a unit vector.
  double forward[3];
  // The point of the body that it follows.
  double pivot[3];
  // The direction as a unit quaternion x, y, z, w.
  float rotation[4];
  // How much of the body to show: 0 (the eye is in it) to 1.
  float body_opacity;
  // Zero.
  uint32_t reserved;
} portamento_shot;

// What can be chosen about a follow camera. Fill it with `portamento_follow_settings_default`, then change what you
// like.
typedef struct portamento_follow_settings {
  // Size of this struct in bytes.
  uint32_t size;
  // 1 if the world's y runs up on the screen, 0 if down.
  uint32_t y_up;
  // How fast the centre closes its distance, per second, along each axis; infinite is rigid.
  double rate[2];
  // Width and height of the viewport in pixels.
  double viewport[2];
  // The viewport's upper left corner in the window, for a split screen.
  double origin[2];
  // Pixels per unit of the world.
  double zoom;
  // The least and the most that zooming reaches.
  double zoom_within[2];
  // The lower corner of the world, if `bounded` is 1.
  double bounds_min[2];
  // The upper corner.
  double bounds_max[2];
  // Width and height in pixels around the centre in which the target moves without moving the picture.
  double dead_zone[2];
  // Seconds of its motion to look ahead of a moving target, along each axis.
  double look_ahead[2];
  // 1 if nothing beyond the bounds may show.
  uint32_t bounded;
  // Zero.
  uint32_t reserved;
} portamento_follow_settings;

// A camera over a flat world. Make it with `portamento_follow_new`, free it with `portamento_follow_free`.
typedef struct portamento_follow {
  // The handle; 0 names nothing.
  uint64_t id;
} portamento_follow;

// One frame's picture of a flat world.
typedef struct portamento_framing {
  // The place of the world in the middle of the picture.
  double centre[2];
  // The place of the world in the picture's corner: what to subtract when drawing.
  double offset[2];
  // The lower corner of what is visible.
  double visible_min[2];
  // The upper corner of what is visible.
  double visible_max[2];
  // Pixels per unit of the world.
  double zoom;
} portamento_framing;

// Settings of a peer. Fill it with `portamento_peer_settings_default`, then change what you like.
typedef struct portamento_peer_settings {
  // Size of this struct in bytes.
  uint32_t size;
  // 0 the defaults, 1 for people who run and shoot, 2 for vehicles, 3 for units seen from above.
  uint32_t preset;
  // Messages per second.
  double hz;
  // How many seconds to extrapolate at most; negative for the preset's own, 0 for none.
  double extrapolate;
} portamento_peer_settings;

// Somebody who sends: a server, or another player. Make it with `portamento_peer_new`, free it with
// `portamento_peer_free`.
typedef struct portamento_peer {
  // The handle; 0 names nothing.
  uint64_t id;
} portamento_peer;

// What a frame shows of one peer.
typedef struct portamento_peer_frame {
  // The moment of the peer's clock that is drawn, seconds.
  double shown;
  // The peer's clock now, as estimated, minus `shown`.
  double delay;
  // How many seconds the picture advanced in this frame: a camera's dt.
  double presented;
} portamento_peer_frame;

// One remote entity. Make it with `portamento_snapshots_new`, free it with `portamento_snapshots_free`.
typedef struct portamento_snapshots {
  // The handle; 0 names nothing.
  uint64_t id;
} portamento_snapshots;

// What a message says of one entity.
typedef struct portamento_snapshot {
  // Where it is.
  struct portamento_pose64 pose;
  // How fast it moves, if `has_velocity` is 1: units per second.
  float linear[3];
  // How fast it turns, if `has_velocity` is 1: radians per second about each axis.
  float angular[3];
  // Counts its teleports: another number than in the snapshot before is a cut.
  uint32_t epoch;
  // 1 if the velocities are given.
  uint32_t has_velocity;
} portamento_snapshot;

// What became of a snapshot: 0 it was taken, 1 it was there already, 2 it came too late, 3 a number was unusable.
typedef uint32_t portamento_inserted;

// What is drawn of a remote entity: the constants below.
typedef uint32_t portamento_snapshot_state;

// Settings of a fixed step. Fill it with `portamento_fixed_settings_default`, then change what you like.
typedef struct portamento_fixed_settings {
  // Size of this struct in bytes.
  uint32_t size;
  // The most ticks in one frame; 0 is no limit.
  uint32_t max_ticks;
  // Ticks per second.
  double hz;
  // The most seconds that one frame takes in; the rest is dropped and reported.
  double max_frame;
  // How many ticks to draw ahead of the newest one at most; 0 draws between ticks.
  double extrapolate;
  // The display's frames per second, for `snapping` 2.
  double display_hz;
  // How measured frame times are evened: 0 not at all, 1 to the step, 2 to the display.
  uint32_t snapping;
  // 1 pays back what snapping adds or takes away.
  uint32_t carry_drift;
  // 1 stops snapping by itself when the display turns out to be another one.
  uint32_t watch_display;
  // Zero.
  uint32_t reserved;
} portamento_fixed_settings;

// Decides when ticks run. Make it with `portamento_stepper_fixed` or `portamento_stepper_gated`, free it with
// `portamento_stepper_free`.
typedef struct portamento_stepper {
  // The handle; 0 names nothing.
  uint64_t id;
} portamento_stepper;

// Settings of a quantum gate. Fill it with `portamento_gate_settings_default`, then change what you like.
typedef struct portamento_gate_settings {
  // Size of this struct in bytes.
  uint32_t size;
  // 0: drawn evenly. 1: all pending time at once. 2: at most one tick per frame.
  uint32_t rule;
  // The shortest tick in seconds.
  double min;
  // The longest tick in seconds.
  double max;
  // Pending time beyond this is stale and thrown away.
  double huge;
} portamento_gate_settings;

// What a frame is to do: run its ticks (`portamento_stepper_tick`), then draw `moment`.
typedef struct portamento_frame {
  // What to draw once the ticks have run.
  struct portamento_moment moment;
  // How many ticks are due.
  uint64_t ticks;
  // Seconds of this frame that will never be simulated.
  double lost;
  // Why: 0 nothing was lost, 1 the frame was too long, 2 too many ticks were due, 3 the time was stale, 4 the frame
  // was too short.
  uint32_t lost_reason;
  // Zero.
  uint32_t reserved;
} portamento_frame;

// One step of the simulation.
typedef struct portamento_tick {
  // Counted from 0 over the stepper's life.
  uint64_t number;
  // Length in seconds.
  double dt;
  // Simulated seconds at its end.
  double time;
} portamento_tick;

// What a stepper has counted so far.
typedef struct portamento_stepper_counts {
  // Ticks run.
  uint64_t ticks;
  // Frame times that no clock should give: NaN, infinite, zero, negative.
  uint64_t unusable;
  // Seconds lost, for whatever reason.
  double lost;
  // Seconds that snapping has added, or taken away if negative.
  double drift;
  // How many ticks a batch must keep to draw every moment.
  uint32_t ends_needed;
  // 1 while frame times are snapped.
  uint32_t snapping;
} portamento_stepper_counts;

// One entity's last ticks. Make it with `portamento_track_new`, free it with `portamento_track_free`.
typedef struct portamento_track {
  // The handle; 0 names nothing.
  uint64_t id;
} portamento_track;

// What can be chosen about waypoints. Fill it with `portamento_waypoint_settings_default`, then change what you like.
typedef struct portamento_waypoint_settings {
  // Size of this struct in bytes.
  uint32_t size;
  // How a stuck body is recognised: 0 by its share of the expected speed, 1 by an older rule.
  uint32_t rule;
  // Which way is up: a unit vector.
  double up[3];
  // Which way a body faces before any rotation: a unit vector.
  double ahead[3];
  // A report farther than this outdoors is not walked to.
  double blip_outdoors;
  // The same indoors.
  double blip_indoors;
  // Bodies farther than this from the viewer are not simulated.
  double active_radius;
} portamento_waypoint_settings;

// A queue of waypoints for a body that lives elsewhere. Make it with `portamento_waypoints_new`, free it with
// `portamento_waypoints_free`.
typedef struct portamento_waypoints {
  // The handle; 0 names nothing.
  uint64_t id;
} portamento_waypoints;

// A reported pose.
typedef struct portamento_report {
  // Where the body is.
  struct portamento_pose64 pose;
  // A number of yours that comes back when the body is placed at this report, such as a cell id.
  uint64_t payload;
  // This report's own limit for walking; negative for the one of the settings.
  double blip;
  // Counts the body's teleports; wraps around.
  uint16_t teleport;
  // Counts the reports, wraps around; used if `has_sequence` is 1.
  uint16_t sequence;
  // 1 if `sequence` is given.
  uint8_t has_sequence;
  // 1 if the body stands on something.
  uint8_t contact;
  // 1 if the body keeps its heading while it walks there.
  uint8_t keep_heading;
  // 1 if the body is indoors.
  uint8_t indoors;
} portamento_report;

// One tick, as a body meets it.
typedef struct portamento_waypoint_tick {
  // Seconds.
  double dt;
  // The body's own top speed.
  double max_speed;
  // 1 if the body stands on something.
  uint32_t contact;
  // 1 while something holds the body, so that standing still does not count as stuck.
  uint32_t sticky;
} portamento_waypoint_tick;

// How a body is to move in a tick.
typedef struct portamento_step {
  // The translation in world axes.
  double offset[3];
  // The turn relative to the body, a unit quaternion x, y, z, w: rotation after = rotation before x turn.
  float turn[4];
} portamento_step;

// What the end of a tick brought.
typedef struct portamento_outcome {
  // Where the body asks to be put, if `place` is 1.
  struct portamento_pose64 pose;
  // The velocity to have from now on, if `has_velocity` is 1.
  double velocity[3];
  // The payload of the report that the body is placed at.
  uint64_t payload;
  // 1 if the body asks to be placed: put it there and accept, or refuse.
  uint32_t place;
  // 1 if `velocity` is given.
  uint32_t has_velocity;
  // 1 if a stop node's turn came.
  uint32_t stopped;
  // 1 if the body no longer sticks to its target.
  uint32_t released;
} portamento_outcome;

// The state of a queue, for debugging and replays.
typedef struct portamento_waypoints_state {
  // The distance that the stall window measures from; 999999 if there is none.
  double baseline;
  // Nodes in the queue.
  uint32_t depth;
  // Failed windows.
  uint32_t failures;
  // Ticks in the window.
  uint32_t frames;
  // Zero.
  uint32_t reserved;
} portamento_waypoints_state;

// Somebody else's body: queue, routing of reports, leash and drawing in one. Make it with
// `portamento_remote_body_new`, free it with `portamento_remote_body_free`.
typedef struct portamento_remote_body {
  // The handle; 0 names nothing.
  uint64_t id;
} portamento_remote_body;

// Position and rotation: 7 floats.
#define PORTAMENTO_POSES 0

// Position: 3 floats.
#define PORTAMENTO_POSITIONS 1

// A 3x4 matrix, row after row: 12 floats.
#define PORTAMENTO_MATRICES_3X4 2

// A 4x4 matrix, column after column: 16 floats.
#define PORTAMENTO_MATRICES_4X4 3

// Nothing: the entity has not appeared yet.
#define PORTAMENTO_SNAPSHOT_NOT_YET 0

// Nothing: the entity vanished.
#define PORTAMENTO_SNAPSHOT_GONE 1

// A place between two snapshots.
#define PORTAMENTO_SNAPSHOT_BLENDING 2

// A place past the newest snapshot.
#define PORTAMENTO_SNAPSHOT_EXTRAPOLATING 3

// A snapshot itself.
#define PORTAMENTO_SNAPSHOT_HOLDING 4

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Makes an empty batch that keeps `ends` ticks: 2 for a fixed step, as many as `portamento_stepper_ends_needed` says
// for a gate, 16 at most.
//
// One thread at a time may use a batch. The same holds for every function below.
//
// Pointers:
// `batch` points to a place for the handle.
enum portamento_status portamento_batch_new(uint32_t ends,
                                            struct portamento_batch *batch);

// Frees a batch with all its entities.
enum portamento_status portamento_batch_free(struct portamento_batch batch);

// Makes room for `more` entities, so that adding them does not allocate.
enum portamento_status portamento_batch_reserve(struct portamento_batch batch, uint32_t more);

// Adds an entity that appears at `pose`.
//
// Pointers:
// `pose` points to a pose, `row` to a place for the result.
enum portamento_status portamento_batch_add(struct portamento_batch batch,
                                            const struct portamento_pose *pose,
                                            struct portamento_row *row);

// Removes an entity.
enum portamento_status portamento_batch_remove(struct portamento_batch batch, struct portamento_row row);

// Writes how many rows your arrays need: one more than the highest index in use.
//
// Pointers:
// `rows` points to a place for the number.
enum portamento_status portamento_batch_rows(struct portamento_batch batch, uint32_t *rows);

// The simulation ran a tick: `poses[i]` is the result of the entity in row i, after collision. `count` is the number of
// poses in the array, at least `portamento_batch_rows`; `stride` is the distance from one to the next in bytes, 0 for an
// array without gaps. Rows without an entity are not read.
//
// The poses are taken as they are: a quaternion must have unit length.
//
// Pointers:
// `poses` points to `count` poses, `stride` bytes apart.
enum portamento_status portamento_batch_push_all(struct portamento_batch batch,
                                                 const struct portamento_pose *poses,
                                                 size_t stride,
                                                 size_t count);

// A spawn, teleport or respawn of one entity: no place between is ever drawn.
//
// Pointers:
// `pose` points to a pose.
enum portamento_status portamento_batch_cut(struct portamento_batch batch,
                                            struct portamento_row row,
                                            const struct portamento_pose *pose);

// The world's origin moves: `shift` is added to everything that is remembered, and nothing is seen of it.
//
// Pointers:
// `shift` points to three numbers.
enum portamento_status portamento_batch_rebase(struct portamento_batch batch, const float *shift);

// Counts everything as moved in the next frame: for a buffer that is new or was lost.
enum portamento_status portamento_batch_redraw(struct portamento_batch batch);

// Draws a frame: writes what moved since the last frame into `out`, each entity at its own row, and leaves the other
// rows alone. `floats` is the length of `out`, at least `portamento_batch_rows` times the floats of the form.
//
// `moved` may be null; otherwise it has room for `capacity` rows and receives which entities moved, as many as fit.
// `written` may be null; otherwise it receives how many moved.
//
// Pointers:
// `moment` points to a moment, `out` to `floats` floats, `moved` to `capacity` rows or nothing.
enum portamento_status portamento_batch_frame(struct portamento_batch batch,
                                              const struct portamento_moment *moment,
                                              portamento_form form,
                                              float *out,
                                              size_t floats,
                                              struct portamento_row *moved,
                                              size_t capacity,
                                              size_t *written);

// Fills `settings` with the defaults: `z_up` 0 for a world where y is up and bodies face -z, 1 for one where z is up and
// bodies face +y.
//
// Pointers:
// `settings` points to a place for the settings.
enum portamento_status portamento_chase_settings_default(uint32_t z_up,
                                                         struct portamento_chase_settings *settings);

// Makes a chase camera. Its first update puts it in place.
//
// One thread at a time may use a camera. The same holds for every function below.
//
// Pointers:
// `settings` points to settings, `camera` to a place for the handle.
enum portamento_status portamento_chase_new(const struct portamento_chase_settings *settings,
                                            struct portamento_chase *camera);

// Frees a chase camera.
enum portamento_status portamento_chase_free(struct portamento_chase camera);

// Replaces the settings; the camera goes on from where it is.
//
// Pointers:
// `settings` points to settings.
enum portamento_status portamento_chase_set(struct portamento_chase camera,
                                            const struct portamento_chase_settings *settings);

// Turns the camera: `orbit` and `pitch` in radians, as the mouse says. With an infinite `look_rate` it shows at once.
enum portamento_status portamento_chase_look(struct portamento_chase camera,
                                             double orbit,
                                             double pitch);

// Starts anew at the target in the next update.
enum portamento_status portamento_chase_cut(struct portamento_chase camera);

// Follows `body` through a frame in which the picture advanced by `seconds`: `presented` of the frame's moment.
// `collide` may be null; otherwise it keeps the eye out of walls and is handed `user`.
//
// Pointers:
// `body` points to what was drawn, `shot` to a place for the result; `collide` can be called with `user`.
enum portamento_status portamento_chase_update(struct portamento_chase camera,
                                               double seconds,
                                               const struct portamento_drawn *body,
                                               portamento_collide collide,
                                               void *user,
                                               struct portamento_shot *shot);

// Fills `settings` with the defaults for a screen of `width` by `height` pixels.
//
// Pointers:
// `settings` points to a place for the settings.
enum portamento_status portamento_follow_settings_default(double width,
                                                          double height,
                                                          struct portamento_follow_settings *settings);

// Makes a follow camera. Its first update puts it over the target.
//
// One thread at a time may use a camera. The same holds for every function below.
//
// Pointers:
// `settings` points to settings, `camera` to a place for the handle.
enum portamento_status portamento_follow_new(const struct portamento_follow_settings *settings,
                                             struct portamento_follow *camera);

// Frees a follow camera.
enum portamento_status portamento_follow_free(struct portamento_follow camera);

// Replaces the settings; the camera goes on from where it is.
//
// Pointers:
// `settings` points to settings.
enum portamento_status portamento_follow_set(struct portamento_follow camera,
                                             const struct portamento_follow_settings *settings);

// Follows a target drawn at `place` through a frame in which the picture advanced by `seconds`: `presented` of the
// frame's moment. `cut` is 1 if the target jumped.
//
// Pointers:
// `place` points to two numbers, `framing` to a place for the result.
enum portamento_status portamento_follow_update(struct portamento_follow camera,
                                                double seconds,
                                                const double *place,
                                                uint32_t cut,
                                                struct portamento_framing *framing);

// Zooms to `zoom` pixels per unit. The place of the world under `about`, a point of the screen, stays there; null is the
// middle.
//
// Pointers:
// `about` points to two numbers or nothing.
enum portamento_status portamento_follow_zoom_to(struct portamento_follow camera,
                                                 double zoom,
                                                 const double *about);

// Shakes the picture: `strength` from 0 to 1.
enum portamento_status portamento_follow_shake(struct portamento_follow camera, double strength);

// Starts anew over the target in the next update.
enum portamento_status portamento_follow_cut(struct portamento_follow camera);

// Converts a point of the screen into a place of the world, by the picture last drawn: what a click means.
//
// Pointers:
// `screen` points to two numbers, `world` to a place for two.
enum portamento_status portamento_follow_to_world(struct portamento_follow camera,
                                                  const double *screen,
                                                  double *world);

// Fills `settings` with the defaults for a peer that sends `hz` messages per second.
//
// Pointers:
// `settings` points to a place for the settings.
enum portamento_status portamento_peer_settings_default(double hz, struct portamento_peer_settings *settings);

// Makes a peer.
//
// One thread at a time may use a peer, and one at a time each of its entities. The same holds for every function below.
//
// Pointers:
// `settings` points to settings, `peer` to a place for the handle.
enum portamento_status portamento_peer_new(const struct portamento_peer_settings *settings,
                                           struct portamento_peer *peer);

// Frees a peer.
enum portamento_status portamento_peer_free(struct portamento_peer peer);

// A message stamped `sent` by the peer's clock arrived at `arrived` by ours, in seconds. Call it once per message, then
// `portamento_snapshots_insert` for each entity in it.
enum portamento_status portamento_peer_receive(struct portamento_peer peer,
                                               double sent,
                                               double arrived);

// The peer began a new life: its clock starts over. Call it when the run number in its messages changes.
enum portamento_status portamento_peer_restart(struct portamento_peer peer);

// A frame is drawn at `now` by our clock. `PORTAMENTO_NOTHING` before the first message. Then draw its entities with
// `portamento_snapshots_draw`.
//
// Pointers:
// `frame` points to a place for the result.
enum portamento_status portamento_peer_draw(struct portamento_peer peer,
                                            double now,
                                            struct portamento_peer_frame *frame);

// Makes an entity of which nothing is known yet.
//
// Pointers:
// `snapshots` points to a place for the handle.
enum portamento_status portamento_snapshots_new(struct portamento_snapshots *snapshots);

// Frees an entity.
enum portamento_status portamento_snapshots_free(struct portamento_snapshots snapshots);

// The peer's last message says this of the entity. `result` may be null; otherwise it receives what became of it.
//
// Pointers:
// `snapshot` points to a snapshot, `result` to a place for a number or nothing.
enum portamento_status portamento_snapshots_insert(struct portamento_snapshots snapshots,
                                                   struct portamento_peer peer,
                                                   const struct portamento_snapshot *snapshot,
                                                   portamento_inserted *result);

// The entity is not there from the moment of the peer's last message on.
enum portamento_status portamento_snapshots_vanish(struct portamento_snapshots snapshots,
                                                   struct portamento_peer peer);

// Writes what to draw of the entity in the peer's last frame, and from what (`state`, which may be null).
// `PORTAMENTO_NOTHING` if there is nothing to draw: `state` says whether it has not appeared yet or is gone for good.
//
// Pointers:
// `drawn` points to a place for the result, `state` to one for a number or nothing.
enum portamento_status portamento_snapshots_draw(struct portamento_snapshots snapshots,
                                                 struct portamento_peer peer,
                                                 struct portamento_drawn *drawn,
                                                 portamento_snapshot_state *state);

// Copies the words of this thread's last error into `buffer`, at most `capacity` bytes with the ending zero.
// Returns how many bytes the words have, without the zero; call it with a null `buffer` to ask.
//
// Any thread; each has its own last error.
//
// Pointers:
// `buffer` is null or has room for `capacity` bytes.
size_t portamento_last_error(char *buffer, size_t capacity);

// The version of this interface. It changes when a struct or a function changes; compare it with
// `PORTAMENTO_ABI_VERSION` of the header you compiled with.
uint32_t portamento_abi_version(void);

// Fills `settings` with the defaults for `hz` ticks per second.
//
// Pointers:
// `settings` points to a place for the settings.
enum portamento_status portamento_fixed_settings_default(double hz,
                                                         struct portamento_fixed_settings *settings);

// Makes a stepper with a fixed step.
//
// One thread at a time may use a stepper. The same holds for every function below.
//
// Pointers:
// `settings` points to settings, `stepper` to a place for the handle.
enum portamento_status portamento_stepper_fixed(const struct portamento_fixed_settings *settings,
                                                struct portamento_stepper *stepper);

// Fills `settings` with the defaults of a quantum gate: ticks of 1/30 to 0.2 s, drawn evenly.
//
// Pointers:
// `settings` points to a place for the settings.
enum portamento_status portamento_gate_settings_default(uint32_t rule,
                                                        struct portamento_gate_settings *settings);

// Makes a stepper with a quantum gate.
//
// Pointers:
// `settings` points to settings, `stepper` to a place for the handle.
enum portamento_status portamento_stepper_gated(const struct portamento_gate_settings *settings,
                                                struct portamento_stepper *stepper);

// Frees a stepper.
enum portamento_status portamento_stepper_free(struct portamento_stepper stepper);

// Takes in a frame of `seconds` seconds. Run its ticks with `portamento_stepper_tick` until it answers
// `PORTAMENTO_NOTHING`, then draw `frame->moment`.
//
// Pointers:
// `frame` points to a place for the result.
enum portamento_status portamento_stepper_frame(struct portamento_stepper stepper,
                                                double seconds,
                                                struct portamento_frame *frame);

// Steps a paused game by one tick.
//
// Pointers:
// `frame` points to a place for the result.
enum portamento_status portamento_stepper_step_once(struct portamento_stepper stepper,
                                                    struct portamento_frame *frame);

// Writes the next tick of the last frame; `PORTAMENTO_NOTHING` when all have been given.
//
// Pointers:
// `tick` points to a place for the result.
enum portamento_status portamento_stepper_tick(struct portamento_stepper stepper,
                                               struct portamento_tick *tick);

// Writes the moment drawn now, without moving it.
//
// Pointers:
// `moment` points to a place for the result.
enum portamento_status portamento_stepper_moment(struct portamento_stepper stepper,
                                                 struct portamento_moment *moment);

// Stops time. The picture keeps its place between two ticks.
enum portamento_status portamento_stepper_pause(struct portamento_stepper stepper);

// Lets time go on.
enum portamento_status portamento_stepper_resume(struct portamento_stepper stepper);

// Sets how many seconds are simulated per real second: 0.5 is slow motion.
enum portamento_status portamento_stepper_set_time_scale(struct portamento_stepper stepper, double scale);

// Sets another tick rate from the next tick on. A gate has none: an error.
enum portamento_status portamento_stepper_set_rate(struct portamento_stepper stepper, double hz);

// The world itself was cut: a level loaded, the player activated. Cut every track too.
enum portamento_status portamento_stepper_cut(struct portamento_stepper stepper);

// Writes what was counted so far.
//
// Pointers:
// `counts` points to a place for the result.
enum portamento_status portamento_stepper_get_counts(struct portamento_stepper stepper,
                                                     struct portamento_stepper_counts *counts);

// Makes a track for an entity that appears at `start`. Its first frame shows exactly `start`.
//
// One thread at a time may use a track; different tracks may be used by different threads. The same holds for every
// function below.
//
// Pointers:
// `start` points to a pose, `track` to a place for the handle.
enum portamento_status portamento_track_new(const struct portamento_pose64 *start,
                                            struct portamento_track *track);

// Frees a track.
enum portamento_status portamento_track_free(struct portamento_track track);

// The simulation ran a tick, and `pose` is its result after collision. Call it in every tick, also when the entity did
// not move: that is how the view comes to rest.
//
// Pointers:
// `pose` points to a pose.
enum portamento_status portamento_track_push(struct portamento_track track,
                                             const struct portamento_pose64 *pose);

// A spawn, teleport or respawn: no place between is ever drawn. Call it instead of `portamento_track_push` in its tick,
// or after it.
//
// Pointers:
// `pose` points to a pose.
enum portamento_status portamento_track_cut(struct portamento_track track,
                                            const struct portamento_pose64 *pose);

// The simulation corrects its newest pose within a tick (a collision after the move): the picture glides there.
//
// Pointers:
// `pose` points to a pose.
enum portamento_status portamento_track_correct(struct portamento_track track,
                                                const struct portamento_pose64 *pose);

// The world's origin moves: `shift` is added to everything that is remembered, and nothing is seen of it.
//
// Pointers:
// `shift` points to three numbers.
enum portamento_status portamento_track_rebase(struct portamento_track track, const double *shift);

// Writes what the simulation says now: the newest pose pushed.
//
// Pointers:
// `pose` points to a place for a pose.
enum portamento_status portamento_track_truth(struct portamento_track track, struct portamento_pose64 *pose);

// Writes the view at `moment`, without remembering it.
//
// Pointers:
// `moment` points to a moment, `view` to a place for a pose.
enum portamento_status portamento_track_view(struct portamento_track track,
                                             const struct portamento_moment *moment,
                                             struct portamento_pose64 *view);

// Writes the view at `moment` with the view of the frame before and whether a cut lies between: what cameras and motion
// vectors need. Call it once per frame.
//
// Pointers:
// `moment` points to a moment, `drawn` to a place for the result.
enum portamento_status portamento_track_draw(struct portamento_track track,
                                             const struct portamento_moment *moment,
                                             struct portamento_drawn *drawn);

// Writes 1 if the view at `moment` is the truth's own bits and stays so until the next change, otherwise 0.
//
// Pointers:
// `moment` points to a moment, `rests` to a place for a number.
enum portamento_status portamento_track_at_rest(struct portamento_track track,
                                                const struct portamento_moment *moment,
                                                uint32_t *rests);

// Fills `settings` with the defaults: `z_up` 0 for a world where y is up and bodies face -z, 1 for one where z is up and
// bodies face +y; `rule` as in the struct.
//
// Pointers:
// `settings` points to a place for the settings.
enum portamento_status portamento_waypoint_settings_default(uint32_t z_up,
                                                            uint32_t rule,
                                                            struct portamento_waypoint_settings *settings);

// Makes an empty queue.
//
// One thread at a time may use a queue. The same holds for every function below.
//
// Pointers:
// `settings` points to settings, `waypoints` to a place for the handle.
enum portamento_status portamento_waypoints_new(const struct portamento_waypoint_settings *settings,
                                                struct portamento_waypoints *waypoints);

// Frees a queue.
enum portamento_status portamento_waypoints_free(struct portamento_waypoints waypoints);

// Takes in a report of the body, which is at `body` now. `turned` receives 1 if the body is there already and must turn
// to `heading`, a quaternion x, y, z, w; otherwise 0. Both may be null.
//
// Pointers:
// `body` and `report` point to what their types say, `heading` and `turned` to places for results or nothing.
enum portamento_status portamento_waypoints_enqueue(struct portamento_waypoints waypoints,
                                                    const struct portamento_pose64 *body,
                                                    const struct portamento_report *report,
                                                    float *heading,
                                                    uint32_t *turned);

// Adds a node that sets the velocity when its turn comes.
//
// Pointers:
// `velocity` points to three numbers.
enum portamento_status portamento_waypoints_enqueue_velocity(struct portamento_waypoints waypoints,
                                                             const double *velocity);

// Adds a node that stops the body when its turn comes.
enum portamento_status portamento_waypoints_enqueue_stop(struct portamento_waypoints waypoints);

// Forgets all nodes.
enum portamento_status portamento_waypoints_stop(struct portamento_waypoints waypoints);

// Writes the step for this tick, before collision; `PORTAMENTO_NOTHING` if the queue has no say and the animation's own
// motion stands.
//
// Pointers:
// `body` and `tick` point to what their types say, `step` to a place for the result.
enum portamento_status portamento_waypoints_step(struct portamento_waypoints waypoints,
                                                 const struct portamento_pose64 *body,
                                                 const struct portamento_waypoint_tick *tick,
                                                 struct portamento_step *step);

// Ends a tick of `dt` seconds, with the body at `body` after collision. If it asks to be placed, answer with
// `portamento_waypoints_accept` or `portamento_waypoints_refuse`; it asks again in every tick until then.
//
// Pointers:
// `body` points to a pose, `outcome` to a place for the result.
enum portamento_status portamento_waypoints_end_tick(struct portamento_waypoints waypoints,
                                                     const struct portamento_pose64 *body,
                                                     double dt,
                                                     struct portamento_outcome *outcome);

// Confirms that the body was put where the last outcome asked. `PORTAMENTO_NOTHING` if something newer has replaced the
// request: then leave the body where it is.
enum portamento_status portamento_waypoints_accept(struct portamento_waypoints waypoints);

// Declines the placement of the last outcome. Everything is kept, and the request repeated in the next tick.
enum portamento_status portamento_waypoints_refuse(struct portamento_waypoints waypoints);

// Writes the state of the queue.
//
// Pointers:
// `state` points to a place for the result.
enum portamento_status portamento_waypoints_get_state(struct portamento_waypoints waypoints,
                                                      struct portamento_waypoints_state *state);

// Makes a body that is not in the world yet: its first report puts it there.
//
// One thread at a time may use a body. The same holds for every function below.
//
// Pointers:
// `settings` points to settings, `body` to a place for the handle.
enum portamento_status portamento_remote_body_new(const struct portamento_waypoint_settings *settings,
                                                  struct portamento_remote_body *body);

// Frees a body.
enum portamento_status portamento_remote_body_free(struct portamento_remote_body body);

// Takes in a report of the body, which it puts `from_viewer` units from the viewer. `route` may be null; otherwise it
// receives what was done: 0 refused as stale, 1 cut there, 2 ignored in the air, 3 placed there, 4 it walks there.
//
// Pointers:
// `report` points to a report, `route` to a place for the result or nothing.
enum portamento_status portamento_remote_body_report(struct portamento_remote_body body,
                                                     const struct portamento_report *report,
                                                     double from_viewer,
                                                     uint32_t *route);

// Begins a frame of `dt` seconds with the body `from_viewer` units from the viewer. Far bodies are not simulated; their
// time is lost, not saved up.
enum portamento_status portamento_remote_body_frame(struct portamento_remote_body body,
                                                    double dt,
                                                    double from_viewer);

// Begins a tick and writes the step for your physics to take and to collide. `root` is the animation's own motion, or
// null for none. `PORTAMENTO_NOTHING`: the body is not in the world, or too far to be simulated.
//
// Pointers:
// `tick` points to a tick, `root` to a step or nothing, `step` to a place for the result.
enum portamento_status portamento_remote_body_step(struct portamento_remote_body body,
                                                   const struct portamento_waypoint_tick *tick,
                                                   const struct portamento_step *root,
                                                   struct portamento_step *step);

// Ends a tick with the body at `truth` after collision.
//
// Pointers:
// `truth` points to a pose, `outcome` to a place for the result.
enum portamento_status portamento_remote_body_moved(struct portamento_remote_body body,
                                                    const struct portamento_pose64 *truth,
                                                    struct portamento_outcome *outcome);

// Confirms that the body was put where the last outcome asked: the picture cuts there. `PORTAMENTO_NOTHING` if something
// newer has replaced the request.
enum portamento_status portamento_remote_body_accept(struct portamento_remote_body body);

// Declines the placement of the last outcome. Everything is kept, and the request repeated in the next tick.
enum portamento_status portamento_remote_body_refuse(struct portamento_remote_body body);

// Keeps the body beside a target at `target`, until the lease of a second is not renewed. `radii` is the sum of both
// radii.
//
// Pointers:
// `target` points to three numbers.
enum portamento_status portamento_remote_body_stick_to(struct portamento_remote_body body,
                                                       const double *target,
                                                       double radii);

// Writes where the body is; `PORTAMENTO_NOTHING` before its first report.
//
// Pointers:
// `truth` points to a place for the result.
enum portamento_status portamento_remote_body_truth(struct portamento_remote_body body,
                                                    struct portamento_pose64 *truth);

// Writes what to draw at `moment`; `PORTAMENTO_NOTHING` before the first report. Call it once per frame.
//
// Pointers:
// `moment` points to a moment, `drawn` to a place for the result.
enum portamento_status portamento_remote_body_draw(struct portamento_remote_body body,
                                                   const struct portamento_moment *moment,
                                                   struct portamento_drawn *drawn);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* PORTAMENTO_H */
