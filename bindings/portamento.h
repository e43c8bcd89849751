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
 * What another clock brings reaches the cameras and the renderer in other ways. Ticks of another thread or process:
 * portamento_writer and portamento_reader. Poses with timestamps: portamento_playhead and portamento_timeline. Other
 * players: portamento_peer and portamento_snapshots, or portamento_remote_body where they walk and collide.
 *
 * Call portamento_require_abi(PORTAMENTO_ABI_VERSION) first. Every function returns a status; anything but PORTAMENTO_OK
 * changes nothing but counters, and portamento_last_error has the text. Handles are plain numbers: one that was freed or
 * never made is a status, not a crash. One thread at a time may use an object; a second one gets PORTAMENTO_BUSY. Different
 * objects may be used by different threads. Nothing allocates in a frame. Poses, times and results are copied; the library
 * keeps no pointer of yours. No panic leaves the library.
 *
 * Names are those of the Rust library, whose pages (docs.rs/portamento) explain more: Track::push is portamento_track_push,
 * OutputForm::Poses is PORTAMENTO_OUTPUT_FORM_POSES. A function that would have the name of its result's type begins with
 * get_ (portamento_stepper_get_counts); Peer::frame is portamento_peer_frame_at.
 *
 * Settings hold their own size. Fill them with the function that their comment names, then change what you like.
 *
 * Made from the library's source: do not edit. */

#ifndef PORTAMENTO_H
#define PORTAMENTO_H

#include <stddef.h>
#include <stdint.h>

// The version that this header describes.
#define PORTAMENTO_ABI_VERSION 1

// What every function returns. Anything but `PORTAMENTO_OK` leaves the object as it was (except what it counts) and the
// results unwritten; `portamento_last_error` has the text.
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
  // The library met a bug of its own. The object stays usable; please report the text of the error.
  PORTAMENTO_BUG = 11,
  // Memory or a file is not a block of an exchange that this library can use.
  PORTAMENTO_BAD_BLOCK = 12,
  // A claim was refused: the client cannot have seen what it names.
  PORTAMENTO_REFUSED = 13,
} portamento_status;

// Many entities. Make it with `portamento_batch_new`, free it with `portamento_batch_free`.
typedef struct portamento_batch {
  // The handle; 0 names nothing.
  uint64_t id;
} portamento_batch;

// How far a picture is from its truth.
typedef struct portamento_offset_size {
  // In your unit.
  double length;
  // In radians.
  double angle;
} portamento_offset_size;

// How a visual offset fades. Fill it with `portamento_offset_fading_correction`, then change what you like.
typedef struct portamento_offset_fading {
  // Size of this struct in bytes.
  uint32_t size;
  // Reserved: zero.
  uint32_t reserved;
  // How fast a small offset fades, per second.
  double slow;
  // How fast a large offset fades, per second.
  double fast;
  // Up to this an offset is small. (Not named `small`: windows.h has a macro of that name.)
  struct portamento_offset_size small_up_to;
  // From this on it is large; between the two the rate changes evenly.
  struct portamento_offset_size large_from;
  // The fastest that the picture moves because of it, per second.
  struct portamento_offset_size top_speed;
  // An offset below this counts as zero.
  struct portamento_offset_size gone;
} portamento_offset_fading;

// How a correction is hidden. Fill it with `portamento_reconcile_settings_default`, then change what you like.
typedef struct portamento_reconcile_settings {
  // Size of this struct in bytes.
  uint32_t size;
  // Reserved: zero.
  uint32_t reserved;
  // How the offset fades.
  struct portamento_offset_fading fading;
  // The farthest that the picture may be from the truth: beyond it, a correction is a cut.
  struct portamento_offset_size limit;
  // How fast the picture may catch up, as a multiple of the entity's own speed.
  double pace;
} portamento_reconcile_settings;

// How a batch is built. Fill it with `portamento_batch_settings_default`, then change what you like.
typedef struct portamento_batch_settings {
  // Size of this struct in bytes.
  uint32_t size;
  // How many ticks are kept: 2 for a fixed step, for a gate as many as `ends_needed` of
  // `portamento_stepper_get_counts`, 16 at most.
  uint32_t ends;
  // 1: also keep what was drawn in the frame before, for `portamento_batch_drawn`. It costs two more buffers of memory,
  // and one more to be written in every frame.
  uint32_t remember_views;
  // 1: after `portamento_batch_restore`, what differs from before glides. For hundreds of entities, not for a hundred
  // thousand.
  uint32_t glide_after_restore;
  // How `portamento_batch_reconcile` hides corrections.
  struct portamento_reconcile_settings reconcile;
} portamento_batch_settings;

// A position in single precision and an orientation: a unit quaternion x, y, z, w.
typedef struct portamento_pose {
  // x, y, z.
  float position[3];
  // Unit quaternion x, y, z, w.
  float rotation[4];
} portamento_pose;

// One entity of a batch. `index` is its row in your arrays while it lives; it is given to another entity later, which
// then has another generation.
typedef struct portamento_batch_handle {
  // Place in your arrays.
  uint32_t index;
  // Which of the successive owners of that place.
  uint32_t generation;
} portamento_batch_handle;

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
  // The view of the frame before; equal to `now` in the first frame.
  struct portamento_pose64 before;
  // 1 if a cut lies between the two: no motion blur, no camera damping across it.
  uint32_t cut;
  // Reserved: zero.
  uint32_t reserved;
} portamento_drawn;

// The moment between two ticks that a frame draws. `portamento_stepper_frame` returns it; if your engine runs the
// ticks, make one with `portamento_moment_at`.
typedef struct portamento_moment {
  // Place between the two ticks, 0 to 1.
  double alpha;
  // How far past the newest tick, in ticks; 0 without extrapolation.
  double beyond;
  // How many seconds the picture advanced in this frame: a camera's dt.
  double presented;
  // One more than the ticks run; 0 if unknown.
  uint64_t tick;
  // Which two ticks: 0 is the previous and the newest one, 1 the pair before.
  uint32_t back;
  // Number of the frame, from 1; 0 if unknown. Asked twice in the same frame, `portamento_track_draw` gives the same.
  uint32_t frame;
} portamento_moment;

// What `portamento_batch_frame` writes for each entity: one of the constants below.
typedef uint32_t portamento_output_form;

// Many entities of a large world. Make it with `portamento_batch64_new`, free it with `portamento_batch64_free`.
typedef struct portamento_batch64 {
  // The handle; 0 names nothing.
  uint64_t id;
} portamento_batch64;

// How a chase camera moves: the constants below.
typedef uint32_t portamento_chase_rule;

// Settings of a chase camera. Fill it with `portamento_chase_settings_y_up` or `_z_up`, then change
// what you like.
typedef struct portamento_chase_settings {
  // Size of this struct in bytes.
  uint32_t size;
  // How it moves.
  portamento_chase_rule rule;
  // How fast the position closes its distance, per second; infinite is rigid.
  double rate;
  // The same for heading and pitch; infinite for mouse look.
  double look_rate;
  // Which way is up.
  double up[3];
  // Which way a body faces before any rotation.
  double ahead[3];
  // Height of the look-at point above the body's position.
  double lift;
  // From that point to the eye; 0 for first person.
  double distance;
  // Radians that the camera looks down.
  double pitch;
  // Angle in radians between the camera and straight behind, counterclockwise seen from above.
  double orbit;
  // Two distances from the eye: up to the first the body is invisible, from the second on fully visible.
  double fade[2];
  // While the body rises, the camera keeps its height until the body is this much higher; negative: it follows both
  // ways.
  double height_hold;
  // The last of the way is taken in one step when no more than this is left and the target stands still.
  double settle;
} portamento_chase_settings;

// A camera behind and above a body. Make it with `portamento_chase_camera_new`, free it with `portamento_chase_camera_free`.
typedef struct portamento_chase_camera {
  // The handle; 0 names nothing.
  uint64_t id;
} portamento_chase_camera;

// What a camera was given and could not use. The counts never shrink.
typedef struct portamento_camera_counts {
  // Targets with a number that is not finite, or farther out than 1e150: the camera stayed as it was.
  uint64_t targets;
  // Frames whose time was NaN, infinite or negative: nothing moved.
  uint64_t times;
  // Places from the collision callback that were not finite, or farther out: the camera went where it wanted to.
  uint64_t places;
  // Requests (a shake, a zoom, a rebase) with a number that is not finite, or that lead farther out.
  uint64_t requests;
} portamento_camera_counts;

// Keeps the eye out of walls: `eye` holds the place that the camera wants to be at; change it to the place allowed.
// `pivot` is the look-at point. The camera is not in use while this function runs, so it may leave by `longjmp` or an
// exception: the camera then stays as it was.
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
  // Reserved: zero.
  uint32_t reserved;
} portamento_shot;

// How a follow camera moves: the constants below.
typedef uint32_t portamento_follow_rule;

// How a picture shakes. The same seed, requests and times give the same shake.
typedef struct portamento_shake_settings {
  // Screen pixels at full strength, along each axis.
  double reach;
  // Seconds in which full strength fades to nothing.
  double seconds;
  // Changes of direction per second, about.
  double hz;
  // Another seed gives another shake.
  uint64_t seed;
  // 1: the shake advances by `portamento_follow_camera_advance_shake`, so that it goes on while the game is paused.
  uint32_t own_time;
  // Reserved: zero.
  uint32_t reserved;
} portamento_shake_settings;

// Which way the world's y runs on the screen: the constants below.
typedef uint32_t portamento_screen_y;

// Settings of a follow camera. Fill it with `portamento_follow_settings_new`, then change what you like.
typedef struct portamento_follow_settings {
  // Size of this struct in bytes.
  uint32_t size;
  // How it moves.
  portamento_follow_rule rule;
  // `SMOOTH`: how fast the centre closes its distance, per second, along each axis; infinite is rigid.
  double rate[2];
  // `EXPONENTIAL`: what is left of the way after a 60th of a second at speed 1, 0 to below 1.
  double smoothing;
  // `EXPONENTIAL`: how many times as fast.
  double speed;
  // Width and height of the viewport in pixels.
  double viewport[2];
  // The viewport's upper left corner in the window, for a split screen.
  double origin[2];
  // Pixels per unit of the world; while several targets are framed, the most.
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
  // Pixels kept free around several targets.
  double fit_margin;
  // How fast everything else glides, per second: the look-ahead, the zoom back in when several targets come closer, the
  // scroll to new bounds.
  double ease_rate;
  // The last of the way is taken in one step when the target stands still and no more pixels than this are left.
  double settle;
  // How the picture shakes.
  struct portamento_shake_settings shake;
  // 1 if nothing beyond the bounds may show.
  uint32_t bounded;
  // Which way the world's y runs on the screen.
  portamento_screen_y y;
} portamento_follow_settings;

// A camera over a flat world. Make it with `portamento_follow_camera_new`, free it with `portamento_follow_camera_free`.
typedef struct portamento_follow_camera {
  // The handle; 0 names nothing.
  uint64_t id;
} portamento_follow_camera;

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

// One of several targets of a follow camera.
typedef struct portamento_follow_target {
  // Where it was drawn: x, y.
  double place[2];
  // 1 if it jumped.
  uint32_t cut;
  // Reserved: zero.
  uint32_t reserved;
} portamento_follow_target;

// Events stamped with simulation time that fire when the drawn moment reaches them: a splash is heard when it is seen. At
// most 64 wait. Make it with `portamento_cues_new`, free it with `portamento_cues_free`.
typedef struct portamento_cues {
  // The handle; 0 names nothing.
  uint64_t id;
} portamento_cues;

// The moment of another clock that a frame draws. Timelines and exchange readers take it.
typedef struct portamento_shown {
  // The moment, in seconds of the writer's clock.
  double at;
  // How many seconds the picture advanced in this frame: a camera's dt.
  double presented;
  // How far past the newest tick, in seconds; 0 without extrapolation.
  double beyond;
  // How much was skipped in this frame because the playhead was too far behind, in seconds.
  double skipped;
} portamento_shown;

// An event and the moment that it belongs to.
typedef struct portamento_cue {
  // The moment of the writer's clock, seconds.
  double at;
  // Which event: a number of yours.
  uint64_t event;
} portamento_cue;

// How much a block holds. Fill it with `portamento_shape_entities`, then change what you like.
typedef struct portamento_shape {
  // Size of this struct in bytes.
  uint32_t size;
  // How many entities can live at the same time.
  uint32_t entities;
  // How many of the newest ticks stay readable: 4, 8, 16 or 32.
  uint32_t ticks;
  // How many readers there can be at the same time, 1 to 16.
  uint32_t readers;
  // How many f32 numbers each entity has besides its pose, 0 to 64.
  uint32_t f32_columns;
  // How many u32 numbers each entity has besides its flags, 0 to 64.
  uint32_t u32_columns;
  // 1 if positions are f64.
  uint32_t f64_positions;
  // Reserved: zero.
  uint32_t reserved;
} portamento_shape;

// A block of memory or a file that a writer and readers meet at. Make it with `portamento_exchange_new`,
// `portamento_exchange_create_file` or `portamento_exchange_open_file`, free it with `portamento_exchange_free`; its
// writer and readers may outlive it.
typedef struct portamento_exchange {
  // The handle; 0 names nothing.
  uint64_t id;
} portamento_exchange;

// The side that simulates. Make it with `portamento_writer_new`, free it with `portamento_writer_free`.
typedef struct portamento_writer {
  // The handle; 0 names nothing.
  uint64_t id;
} portamento_writer;

// Which tick this is, and when.
typedef struct portamento_tick_stamp {
  // The writer's life that it belongs to.
  uint64_t run;
  // Its number in that life, from 0.
  uint64_t tick;
  // When it was published, by the clock that both sides share: seconds. Your clock minus this is its age.
  double published;
  // The moment of the simulation that it stands for: seconds.
  double simulated;
  // Simulated seconds per real second from this tick on; 0 while paused.
  double scale;
} portamento_tick_stamp;

// Decides when ticks run. Make it with `portamento_stepper_fixed` or `portamento_stepper_gated`, free it with
// `portamento_stepper_free`.
typedef struct portamento_stepper {
  // The handle; 0 names nothing.
  uint64_t id;
} portamento_stepper;

// How a playhead finds the moment to draw: the constants below.
typedef uint32_t portamento_playhead_rule;

// Which lateness of ticks a playhead's margin covers: the constants below.
typedef uint32_t portamento_lateness;

// Settings of a playhead. Fill it with `portamento_playhead_settings_at_hz` or `_network`, then change what you like.
typedef struct portamento_playhead_settings {
  // Size of this struct in bytes.
  uint32_t size;
  // How it finds the moment to draw.
  portamento_playhead_rule rule;
  // The nominal time from tick to tick, in seconds of the writer's clock.
  double interval;
  // Which lateness the margin covers.
  portamento_lateness lateness;
  // Reserved: zero.
  uint32_t reserved;
  // For how many seconds the worst lateness is remembered.
  double margin_memory;
  // The least lateness assumed, in seconds.
  double margin_floor;
  // Tick lengths kept besides.
  double margin_ticks;
  // How many seconds to extrapolate past the newest tick at most; 0 to stay at it.
  double extrapolate;
  // How strongly the drawn speed answers a playhead that is not where it should be, per second.
  double pull;
  // The same for a playhead that is ahead by the whole margin, per second.
  double brake;
  // The most that the drawn speed is changed, as a share of it.
  double bend;
  // An error beyond this many seconds is corrected at once, by a jump.
  double relock;
  // The writer's seconds per second of ours lie between 1 / (1 + this) and 1 + this.
  double rate_within;
  // What share of a surprise moves the estimated offset.
  double offset_gain;
  // What share of a surprise, in ticks, moves the estimated rate when it has long been known.
  double rate_gain;
  // Arrivals later than this many times the usual spread count for less than half.
  double late_scale;
} portamento_playhead_settings;

// A side that draws. Make it with `portamento_reader_new`, free it with `portamento_reader_free`.
typedef struct portamento_reader {
  // The handle; 0 names nothing.
  uint64_t id;
} portamento_reader;

// The world as one frame draws it.
typedef struct portamento_world_frame {
  // The moment of the writer's clock that is drawn; `presented` is a camera's dt.
  struct portamento_shown shown;
  // The older of the two ticks around it.
  struct portamento_tick_stamp from;
  // The newer; the same when only one is there.
  struct portamento_tick_stamp to;
  // Where between the two the moment lies, 0 to 1.
  double alpha;
  // How many rows the entity table has, empty ones included: what `portamento_reader_entities` writes at most.
  uint32_t rows;
  // Reserved: zero.
  uint32_t reserved;
} portamento_world_frame;

// One drawn entity.
typedef struct portamento_entity_view {
  // The number that the writer gave it.
  uint64_t id;
  // Where to draw it.
  struct portamento_pose64 pose;
  // Its row, which stays the same while it lives: an index for arrays of your own.
  uint32_t row;
  // Distinguishes successive entities of a row.
  uint32_t generation;
  // Counts its cuts: another number than in the frame before means that a cut lies between.
  uint32_t cut_epoch;
  // The writer's 32 bits.
  uint32_t flags;
} portamento_entity_view;

// What a writer last reported of itself: the constants below.
typedef uint32_t portamento_writer_state;

// What did not go as planned, since the reader attached.
typedef struct portamento_reader_counts {
  // Ticks that were overwritten before this reader saw them.
  uint64_t missed;
  // New lives of the writer after the first one.
  uint64_t restarts;
  // Frames for a moment before the oldest tick that is kept: more ticks should be kept.
  uint64_t behind;
  // Frames that show the ticks of the frame before because the writer overtook every attempt to read newer ones.
  uint64_t overtaken;
  // Words in the block that no writer that keeps to the protocol can have written.
  uint64_t nonsense;
} portamento_reader_counts;

// Settings of a history. Fill it with `portamento_history_settings_at_hz`, then change what you like.
typedef struct portamento_history_settings {
  // Size of this struct in bytes.
  uint32_t size;
  // 1 if the client holds the entity as positions (`portamento_snapshots_new_points`), 0 as poses.
  uint32_t points;
  // Seconds from message to message.
  double interval;
  // How many seconds back a claim may reach.
  double back;
  // How many seconds of snapshots a claim may skip, because they were lost.
  double gap;
  // How many seconds a claim may extrapolate.
  double beyond;
} portamento_history_settings;

// What the server sent of one entity. Make it with `portamento_history_new`, free it with `portamento_history_free`.
typedef struct portamento_history {
  // The handle; 0 names nothing.
  uint64_t id;
} portamento_history;

// What a message says of one entity.
typedef struct portamento_report {
  // Where it is.
  struct portamento_pose64 pose;
  // How fast it moves, if `has_velocity` is 1: units per second.
  float linear[3];
  // How fast it turns, if `has_velocity` is 1: radians per second about each axis.
  float angular[3];
  // Counts its teleports: another number than in the report before is a cut.
  uint32_t epoch;
  // 1 if the velocities are given.
  uint32_t has_velocity;
  // 1 if the entity stays there until the next report, which may come much later.
  uint32_t rests;
  // Reserved: zero.
  uint32_t reserved;
} portamento_report;

// What a message says of an entity of which only positions are reported.
typedef struct portamento_point_report {
  // Where it is.
  double position[3];
  // How fast it moves, if `has_velocity` is 1: units per second.
  double velocity[3];
  // Counts its teleports: another number than in the report before is a cut.
  uint32_t epoch;
  // 1 if the velocity is given.
  uint32_t has_velocity;
  // 1 if the entity stays there until the next report, which may come much later.
  uint32_t rests;
  // Reserved: zero.
  uint32_t reserved;
} portamento_point_report;

// What a client drew of one entity in one frame: twelve bytes for the wire. `portamento_snapshots_claim` makes it.
typedef struct portamento_claim {
  // The bytes, as they are sent.
  uint8_t bytes[12];
} portamento_claim;

// What is drawn of a remote entity: the constants below.
typedef uint32_t portamento_snapshot_state;

// What the shooter saw.
typedef struct portamento_rewound {
  // Where the entity was in the client's picture, to the bit, without the client's visual offset.
  struct portamento_pose64 pose;
  // The moment of the server's clock that it showed.
  double moment;
  // How far beside that the client drew it at most, because of a correction that faded.
  double offset;
  // What the client drew it from: `BLENDING`, `EXTRAPOLATING` or `HOLDING`.
  portamento_snapshot_state seen;
  // Reserved: zero.
  uint32_t reserved;
} portamento_rewound;

// What a history has counted.
typedef struct portamento_history_counts {
  // Snapshots that were not recorded.
  uint32_t refused;
  // Snapshots that were forgotten before they were too old, because they came faster than the interval says.
  uint32_t evicted;
  // How often the server's clock ran back.
  uint32_t restarts;
  // Reserved: zero.
  uint32_t reserved;
} portamento_history_counts;

// How a stuck body is recognised: the constants below.
typedef uint32_t portamento_waypoint_rule;

// Settings of waypoints. Fill it with `portamento_waypoint_settings_y_up` or `_z_up`, then change what you
// like.
typedef struct portamento_waypoint_settings {
  // Size of this struct in bytes.
  uint32_t size;
  // How a stuck body is recognised.
  portamento_waypoint_rule rule;
  // Which way is up: a unit vector.
  double up[3];
  // Which way a body faces before any rotation: a unit vector.
  double ahead[3];
  // A body this near to a waypoint has reached it; two waypoints this near to each other are one.
  double there;
  // `BY_SPEED`: a stuck body this near to its waypoint counts as arrived.
  double close;
  // Less progress than this in a window counts as none.
  double least_progress;
  // `BY_TIME`: this much progress in a window is always enough.
  double ample_progress;
  // The smallest share of progress: of the expected speed with `BY_SPEED`, of the tick with `BY_TIME`.
  double share;
  // The distance that the first window measures progress from.
  double unmeasured;
  // The body walks at this many times its own top speed.
  double catch_up;
  // A speed below this counts as none, in units per second.
  double least_speed;
  // The walking speed of a body without a top speed, in units per second.
  double fallback_speed;
  // A report farther than this outdoors is not walked to.
  double blip_outdoors;
  // The same indoors.
  double blip_indoors;
  // How long a body sticks to a target that is not renewed, in seconds.
  double sticky_lease;
  // The distance that a sticking body keeps between the two hulls.
  double sticky_gap;
  // A sticking body moves at this many times its own top speed.
  double sticky_speed;
  // The speed of a sticking body without a top speed, in units per second.
  double sticky_fallback_speed;
  // Outdoors, how far from its last report a body begins to slow down, and where it stops.
  double leash_outdoors[2];
  // The same indoors.
  double leash_indoors[2];
  // Beyond this share of its leash a body counts as held.
  double leash_full;
  // Bodies farther than this from the viewer are not simulated.
  double active_radius;
  // The number of ticks after which progress is checked.
  uint32_t window;
  // The number of tolerated failures; after one more the body is placed.
  uint32_t patience;
  // With this many waypoints or more, a new position drops the oldest.
  uint32_t crowd;
  // Reserved: zero.
  uint32_t reserved;
} portamento_waypoint_settings;

// The player at this machine, and what the server's reports of it (its echoes) do. Make it with
// `portamento_own_player_new`, free it with `portamento_own_player_free`.
//
// An echo says where the player was. Walking towards it would mean walking backwards, so there is no queue here: an echo
// puts the player on a leash, and teleports and forced positions cut.
typedef struct portamento_own_player {
  // The handle; 0 names nothing.
  uint64_t id;
} portamento_own_player;

// A reported pose. Fill it with `portamento_waypoint_report_new`, then change what you like.
typedef struct portamento_waypoint_report {
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
  // Counts the positions that the server forced upon its receiver's own player (`portamento_own_player_echo`); 0 for
  // others. Wraps around.
  uint16_t forced;
  // Reserved: zeros.
  uint16_t reserved[3];
} portamento_waypoint_report;

// What an echo did: the constants below.
typedef uint32_t portamento_echo;

// How a body is to move in a tick.
typedef struct portamento_waypoint_step {
  // The translation in world axes.
  double offset[3];
  // The turn relative to the body, a unit quaternion x, y, z, w: rotation after = rotation before x turn.
  float turn[4];
} portamento_waypoint_step;

// What was dropped, given up or refused, over a whole life.
typedef struct portamento_waypoint_counts {
  // Oldest nodes dropped because there were too many.
  uint32_t evicted;
  // Newest nodes replaced by a report of the same place.
  uint32_t replaced;
  // Waypoints given up after a window without progress.
  uint32_t failed;
  // Placements accepted.
  uint32_t placed;
  // Placements refused.
  uint32_t refused;
  // Answers to placements that something newer had replaced.
  uint32_t late;
  // Calls refused for an input that cannot be used.
  uint32_t unusable;
  // Reports refused because a newer one had overtaken them.
  uint32_t stale;
} portamento_waypoint_counts;

// Chooses which moment of another clock is drawn. Make it with `portamento_playhead_new`, free it with
// `portamento_playhead_free`.
typedef struct portamento_playhead {
  // The handle; 0 names nothing.
  uint64_t id;
} portamento_playhead;

// What a tick was to a playhead: the constants below.
typedef uint32_t portamento_observed;

// What a playhead has counted.
typedef struct portamento_playhead_counts {
  // Ticks that moved the newest moment on.
  uint64_t ticks;
  // Ticks that did not: duplicates, or overtaken by newer ones.
  uint64_t old;
  // Ticks that came when the playhead had run out of them.
  uint64_t late;
  // Frames that had no tick to move towards.
  uint64_t held;
  // Times that were NaN or infinite.
  uint64_t unusable;
  // Times that ran backwards.
  uint64_t backward;
  // How often the writer's clock was estimated anew.
  uint64_t relocks;
  // Frames in which time was skipped.
  uint64_t jumps;
  // Lives of the writer after the first.
  uint64_t restarts;
  // Seconds skipped in all.
  double skipped;
} portamento_playhead_counts;

// Settings of a timeline. Fill it with `portamento_timeline_settings_default`, then change what you like.
typedef struct portamento_timeline_settings {
  // Size of this struct in bytes.
  uint32_t size;
  // How many ticks are kept, 2 to 1024. They should span a quarter of a second.
  uint32_t ticks;
  // 1: rotations by true slerp. 0: by its fast approximation, as tracks and batches draw them.
  uint32_t slerp;
  // Reserved: zero.
  uint32_t reserved;
} portamento_timeline_settings;

// The last poses of one entity, each with its simulation time. Make it with `portamento_timeline_new`, free it with
// `portamento_timeline_free`.
typedef struct portamento_timeline {
  // The handle; 0 names nothing.
  uint64_t id;
} portamento_timeline;

// Where a moment lies among the ticks of a timeline: the constants below.
typedef uint32_t portamento_timeline_place;

// An entity that is predicted here, and corrected by a server or rolled back. Make it with `portamento_predicted_track_new`,
// free it with `portamento_predicted_track_free`.
typedef struct portamento_predicted_track {
  // The handle; 0 names nothing.
  uint64_t id;
} portamento_predicted_track;

// The distance from a truth of your own to its picture, fading. Make it with `portamento_visual_offset_new`, free it with
// `portamento_visual_offset_free`.
typedef struct portamento_visual_offset {
  // The handle; 0 names nothing.
  uint64_t id;
} portamento_visual_offset;

// What became of a jump that a visual offset was given: the constants below.
typedef uint32_t portamento_absorbed;

// Settings of a peer. Fill it with `portamento_peer_settings_at_hz`, `_action`, `_racing` or `_strategy`, then change what
// you like.
typedef struct portamento_peer_settings {
  // Size of this struct in bytes.
  uint32_t size;
  // Reserved: zero.
  uint32_t reserved;
  // Which moment is drawn: delay, extrapolation, re-locking. Its `interval` is the time from message to message.
  struct portamento_playhead_settings playhead;
  // How fast a large visual offset fades, per second: after `1 / fade` seconds 37 % of it are left. The offset hides a
  // gap, a late message or a wrong extrapolation: the picture stays where it was and glides.
  double fade;
  // The farthest that a picture glides, in seconds of the entity's own way at its top speed. Beyond it the picture is
  // cut.
  double glide;
  // A step from one report to the next is a teleport, and drawn as a cut, if it is this many times longer than the
  // entity's usual pace and its reported velocities explain. `DBL_MAX` for never.
  double jump;
  // An entity that does not rest, and that the peer has not mentioned for this many seconds while it reported others,
  // is gone. `DBL_MAX` for never.
  double forget;
} portamento_peer_settings;

// A sender: a server, or another player. Make it with `portamento_peer_new`, free it with
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
  // Real seconds since the frame before.
  double elapsed;
  // Which life of the peer it is: goes up with every `portamento_peer_restart`.
  uint32_t life;
  // Reserved: zero.
  uint32_t reserved;
} portamento_peer_frame;

// How good the connection to a peer is.
typedef struct portamento_peer_statistics {
  // The peer's clock, as its messages show it, minus the drawn moment in the last frame, seconds. The picture is later
  // than that by the usual way through the network.
  double delay;
  // How much the way through the network varies from message to message, a mean over the last sixteen or so, seconds.
  // Near 1, or a delay that makes no sense: a time that was given is not in seconds.
  double jitter;
  // The share of messages that were lost, 0 to 1.
  double loss;
  // Messages received, each once, however many packets it came in.
  uint64_t received;
  // Messages that should have come between others and did not, by the send interval.
  uint64_t lost;
  // Messages older than what was drawn already.
  uint64_t late;
  // Packets with a stamp that was there already: further parts of a message, or copies.
  uint64_t duplicates;
  // Times that were NaN or infinite.
  uint64_t unusable;
  // Seconds in which the picture was ahead of everything received.
  double extrapolated;
  // Times that the drawn moment had to be taken elsewhere: outages, a peer's clock that was set.
  uint64_t relocks;
  // Lives of the peer that ended.
  uint64_t restarts;
} portamento_peer_statistics;

// One remote entity. Make it with `portamento_snapshots_new`, free it with `portamento_snapshots_free`.
typedef struct portamento_snapshots {
  // The handle; 0 names nothing.
  uint64_t id;
} portamento_snapshots;

// What became of a report: the constants below.
typedef uint32_t portamento_inserted;

// What did not go as planned with one remote entity.
typedef struct portamento_snapshot_counts {
  // Reports that were there already.
  uint32_t duplicates;
  // Reports whose time had passed on the screen, or whose life of the peer was over.
  uint32_t late;
  // Reports with a NaN or infinite number.
  uint32_t unusable;
  // Reports dropped because 32 were kept already, before the picture had passed them: the delay is too long for the
  // rate, or no frame was drawn for long.
  uint32_t evicted;
  // Reports that took the place of one stamped at almost the same time.
  uint32_t crowded;
  // Undeclared cuts: after a long outage, or because a step was far too long for the entity's pace.
  uint32_t snaps;
  // How often it disappeared because its peer had not mentioned it for long.
  uint32_t unheard;
  // Reserved: zero.
  uint32_t reserved;
} portamento_snapshot_counts;

// Turns the wrapping tick counter of a sender into seconds of its clock. Make it with `portamento_tick_clock_at_hz`, free
// it with `portamento_tick_clock_free`.
typedef struct portamento_tick_clock {
  // The handle; 0 names nothing.
  uint64_t id;
} portamento_tick_clock;

// How measured frame times are evened: the constants below.
typedef uint32_t portamento_snapping;

// Settings of a fixed step. Fill it with `portamento_fixed_settings_at_hz`, then change what you like.
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
  // The display's frames per second, for `PORTAMENTO_SNAPPING_TO_DISPLAY`.
  double display_hz;
  // How measured frame times are evened.
  portamento_snapping snapping;
  // 1 pays back what snapping adds or takes away.
  uint32_t carry_drift;
  // 1 stops snapping by itself when the display turns out to be another one.
  uint32_t watch_display;
  // Reserved: zero.
  uint32_t reserved;
} portamento_fixed_settings;

// How a quantum gate runs its ticks and draws them: the constants below.
typedef uint32_t portamento_gate_rule;

// Settings of a quantum gate. Fill it with `portamento_gate_settings_with_rule`, then change what you like.
typedef struct portamento_gate_settings {
  // Size of this struct in bytes.
  uint32_t size;
  // How it runs its ticks and draws them.
  portamento_gate_rule rule;
  // The shortest tick in seconds.
  double min;
  // The longest tick in seconds.
  double max;
  // Pending time beyond this is stale and thrown away.
  double huge;
} portamento_gate_settings;

// Why time of a frame was not simulated: the constants below.
typedef uint32_t portamento_lost_reason;

// What a frame is to do: run its ticks (`portamento_stepper_tick`), then draw `moment`.
typedef struct portamento_frame {
  // What to draw once the ticks have run.
  struct portamento_moment moment;
  // How many ticks are due.
  uint64_t ticks;
  // Seconds of this frame that will never be simulated.
  double lost;
  // Why.
  portamento_lost_reason lost_reason;
  // Reserved: zero.
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

// What a stepper has counted.
typedef struct portamento_stepper_counts {
  // Ticks run.
  uint64_t ticks;
  // Frame times that no clock should give: NaN, infinite, zero, negative.
  uint64_t unusable;
  // Seconds lost, for whatever reason.
  double lost;
  // Seconds that snapping has added, or taken away if negative.
  double drift;
  // Simulated seconds: the sum of all ticks.
  double simulated;
  // Simulated seconds per real second now; 0 while paused.
  double time_scale;
  // How many ticks a track or batch must keep to draw every moment.
  uint32_t ends_needed;
  // 1 while frame times are snapped.
  uint32_t snapping;
} portamento_stepper_counts;

// One entity's last ticks. Make it with `portamento_track_new`, free it with `portamento_track_free`.
typedef struct portamento_track {
  // The handle; 0 names nothing.
  uint64_t id;
} portamento_track;

// A queue of waypoints for a body that lives elsewhere. Make it with `portamento_waypoints_new`, free it with
// `portamento_waypoints_free`.
typedef struct portamento_waypoints {
  // The handle; 0 names nothing.
  uint64_t id;
} portamento_waypoints;

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

// What the end of a tick brought.
typedef struct portamento_waypoint_outcome {
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
} portamento_waypoint_outcome;

// The state of a queue, for debugging and replays.
typedef struct portamento_waypoints_state {
  // The distance that the stall window measures from; `unmeasured` of the settings before it has one.
  double baseline;
  // Nodes in the queue.
  uint32_t depth;
  // Failed windows.
  uint32_t failures;
  // Ticks in the window.
  uint32_t frames;
  // Reserved: zero.
  uint32_t reserved;
} portamento_waypoints_state;

// Another player's body: queue, routing of reports, leash and drawing in one. Make it with
// `portamento_remote_body_new`, free it with `portamento_remote_body_free`.
typedef struct portamento_remote_body {
  // The handle; 0 names nothing.
  uint64_t id;
} portamento_remote_body;

// What was done with a report: the constants below.
typedef uint32_t portamento_route;

// How a remote body is at the moment.
typedef struct portamento_remote_body_state {
  // How much of its leash it has used, in units; negative without a leash.
  double strayed;
  // Seconds of frames in which it was too far from the viewer to be simulated.
  double seconds_skipped;
  // 1 if it is simulated in this frame.
  uint32_t is_simulated;
  // 1 if it sticks to a target.
  uint32_t is_sticking;
  // Nodes in its queue.
  uint32_t depth;
  // Reserved: zero.
  uint32_t reserved;
} portamento_remote_body_state;

// Position and rotation: 7 floats.
#define PORTAMENTO_OUTPUT_FORM_POSES 0

// Position: 3 floats.
#define PORTAMENTO_OUTPUT_FORM_POSITIONS 1

// A 3x4 matrix, row after row: 12 floats.
#define PORTAMENTO_OUTPUT_FORM_MATRICES_3X4 2

// A 4x4 matrix, column after column: 16 floats.
#define PORTAMENTO_OUTPUT_FORM_MATRICES_4X4 3

// Position in double precision and rotation, a `portamento_pose64`: only for `portamento_batch64_frame`, which then does
// not subtract the origin.
#define PORTAMENTO_OUTPUT_FORM_POSES64 4

// Solved exactly: the same lag at every frame rate.
#define PORTAMENTO_CHASE_RULE_SMOOTH 0

// `rate * dt` of the way in each frame.
#define PORTAMENTO_CHASE_RULE_PER_FRAME 1

// Solved exactly, with `rate`: the same lag at every frame rate.
#define PORTAMENTO_FOLLOW_RULE_SMOOTH 0

// The usual rule, with `smoothing` and `speed`: a share of the way in each frame.
#define PORTAMENTO_FOLLOW_RULE_EXPONENTIAL 1

// Down, as pixels do.
#define PORTAMENTO_SCREEN_Y_DOWN 0

// Up.
#define PORTAMENTO_SCREEN_Y_UP 1

// There was no writer yet.
#define PORTAMENTO_WRITER_STATE_NONE 0

// It publishes, or was killed while it did.
#define PORTAMENTO_WRITER_STATE_PUBLISHING 1

// It ended properly.
#define PORTAMENTO_WRITER_STATE_CLOSED 2

// The file was replaced by another: open it again.
#define PORTAMENTO_WRITER_STATE_REPLACED 3

// The block holds a number that means nothing.
#define PORTAMENTO_WRITER_STATE_UNKNOWN 4

// It is older than what is known already: refused, and counted.
#define PORTAMENTO_ECHO_STALE 0

// The server teleported the player, or put it into the world: put the body there, and cut its track.
#define PORTAMENTO_ECHO_CUT 1

// The server forced a position upon the player: put the body there, and cut its track.
#define PORTAMENTO_ECHO_FORCED 2

// The player walks on, on a new leash.
#define PORTAMENTO_ECHO_LEASHED 3

// Estimates the writer's clock and stays a margin behind it.
#define PORTAMENTO_PLAYHEAD_RULE_LOCKED 0

// From the arrival of the newest tick on, one interval takes the picture from the tick before to it.
#define PORTAMENTO_PLAYHEAD_RULE_SINCE_ARRIVAL 1

// The worst of the last seconds.
#define PORTAMENTO_LATENESS_WORST 0

// The median of the last ticks.
#define PORTAMENTO_LATENESS_MEDIAN 1

// It moved the newest moment on.
#define PORTAMENTO_OBSERVED_NEWEST 0

// Not newer than the newest one: ignored.
#define PORTAMENTO_OBSERVED_OLD 1

// A time is NaN or infinite: ignored.
#define PORTAMENTO_OBSERVED_UNUSABLE 2

// Before the oldest tick that is kept, which is drawn: more ticks must be kept.
#define PORTAMENTO_TIMELINE_PLACE_FORGOTTEN 0

// Between two ticks.
#define PORTAMENTO_TIMELINE_PLACE_BETWEEN 1

// At the newest tick.
#define PORTAMENTO_TIMELINE_PLACE_NEWEST 2

// Past the newest tick.
#define PORTAMENTO_TIMELINE_PLACE_BEYOND 3

// All of it is in the offset: nothing is seen.
#define PORTAMENTO_ABSORBED_KEPT 0

// A part of it is seen.
#define PORTAMENTO_ABSORBED_PARTLY 1

// It was too far: all of it is seen.
#define PORTAMENTO_ABSORBED_SNAPPED 2

// It was taken.
#define PORTAMENTO_INSERTED_IN 0

// It was there already.
#define PORTAMENTO_INSERTED_DUPLICATE 1

// Its time has passed on the screen.
#define PORTAMENTO_INSERTED_TOO_LATE 2

// A number in it is NaN or infinite.
#define PORTAMENTO_INSERTED_UNUSABLE 3

// Nothing: the entity has not appeared yet.
#define PORTAMENTO_SNAPSHOT_STATE_NOT_YET 0

// Nothing: the entity vanished.
#define PORTAMENTO_SNAPSHOT_STATE_GONE 1

// A place between two snapshots.
#define PORTAMENTO_SNAPSHOT_STATE_BLENDING 2

// A place past the newest snapshot.
#define PORTAMENTO_SNAPSHOT_STATE_EXTRAPOLATING 3

// A snapshot itself.
#define PORTAMENTO_SNAPSHOT_STATE_HOLDING 4

// Not at all.
#define PORTAMENTO_SNAPPING_OFF 0

// To multiples of the step.
#define PORTAMENTO_SNAPPING_TO_STEP 1

// To multiples of the display's frame, `display_hz`.
#define PORTAMENTO_SNAPPING_TO_DISPLAY 2

// All pending time at once, drawn evenly.
#define PORTAMENTO_GATE_RULE_EVEN 0

// All pending time at once.
#define PORTAMENTO_GATE_RULE_ALL_AT_ONCE 1

// At most one tick per frame.
#define PORTAMENTO_GATE_RULE_ONE_AT_A_TIME 2

// Nothing was lost.
#define PORTAMENTO_LOST_REASON_NONE 0

// The frame was longer than `max_frame`.
#define PORTAMENTO_LOST_REASON_LONG_FRAME 1

// More than `max_ticks` ticks were due.
#define PORTAMENTO_LOST_REASON_TICK_LIMIT 2

// A gate's pending time was beyond `huge`: thrown away.
#define PORTAMENTO_LOST_REASON_STALE 3

// The frame was too short to count.
#define PORTAMENTO_LOST_REASON_TINY 4

// By its share of the expected speed.
#define PORTAMENTO_WAYPOINT_RULE_BY_SPEED 0

// By an older rule, with `ample_progress`.
#define PORTAMENTO_WAYPOINT_RULE_BY_TIME 1

// Refused: a newer one had overtaken it.
#define PORTAMENTO_ROUTE_STALE 0

// The body was cut there.
#define PORTAMENTO_ROUTE_CUT 1

// Ignored: the body is in the air.
#define PORTAMENTO_ROUTE_IGNORE 2

// The body was placed there.
#define PORTAMENTO_ROUTE_PLACE 3

// The body walks there.
#define PORTAMENTO_ROUTE_ENQUEUE 4

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Makes an empty batch that keeps `ends` ticks: 2 for a fixed step, for a gate as many as `ends_needed` of
// `portamento_stepper_get_counts`, 16 at most.
//
// Pointers:
// `batch` points to a place for the handle.
//
// Threads: any.
enum portamento_status portamento_batch_new(uint32_t ends, struct portamento_batch *batch);

// Fills `settings` with the defaults: those of `portamento_batch_new` with 2 ticks.
//
// Pointers:
// `settings` points to a place for the settings.
//
// Threads: any.
enum portamento_status portamento_batch_settings_default(struct portamento_batch_settings *settings);

// Makes an empty batch with these settings.
//
// Pointers:
// `settings` points to settings, `batch` to a place for the handle.
//
// Threads: any.
enum portamento_status portamento_batch_with_settings(const struct portamento_batch_settings *settings,
                                                      struct portamento_batch *batch);

// Frees a batch with all its entities.
//
// Threads: any, one at a time for each portamento_batch; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_batch_free(struct portamento_batch batch);

// Reserves memory for `more` entities, so that adding them does not allocate.
//
// Threads: any, one at a time for each portamento_batch; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_batch_reserve(struct portamento_batch batch, uint32_t more);

// Adds an entity that appears at `pose`.
//
// Pointers:
// `pose` points to a pose, `row` to a place for the result.
//
// Threads: any, one at a time for each portamento_batch; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_batch_insert(struct portamento_batch batch,
                                               const struct portamento_pose *pose,
                                               struct portamento_batch_handle *row);

// Removes an entity.
//
// Threads: any, one at a time for each portamento_batch; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_batch_remove(struct portamento_batch batch,
                                               struct portamento_batch_handle row);

// Writes how many rows your arrays need: one more than the highest index in use.
//
// Pointers:
// `rows` points to a place for the number.
//
// Threads: any, one at a time for each portamento_batch; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_batch_rows(struct portamento_batch batch, uint32_t *rows);

// The simulation ran a tick: `poses[i]` is the result of the entity in row i, after collision. `count` is the number of
// poses in the array, at least `portamento_batch_rows`; `stride` is the distance from one to the next in bytes, 0 for an
// array without gaps. Rows without an entity are not read.
//
// The poses are taken as they are: a quaternion must have unit length.
//
// Pointers:
// `poses` points to `count` poses, `stride` bytes apart.
//
// Threads: any, one at a time for each portamento_batch; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_batch_push_all(struct portamento_batch batch,
                                                 const struct portamento_pose *poses,
                                                 size_t stride,
                                                 size_t count);

// The simulation ran a tick in which only these entities moved: `rows[i]` went to `poses[i]`. All others stay where they
// are. Each stride is the distance from one to the next in bytes, 0 for an array without gaps. A row that names no entity
// ends the call with a status; those before it have moved.
//
// Pointers:
// `rows` and `poses` point to `count` rows and poses, their strides apart.
//
// Threads: any, one at a time for each portamento_batch; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_batch_push_some(struct portamento_batch batch,
                                                  const struct portamento_batch_handle *rows,
                                                  size_t row_stride,
                                                  const struct portamento_pose *poses,
                                                  size_t pose_stride,
                                                  size_t count);

// Corrects the newest pose of one entity within its tick (a collision after the move): the picture glides there.
//
// Pointers:
// `pose` points to a pose.
//
// Threads: any, one at a time for each portamento_batch; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_batch_correct(struct portamento_batch batch,
                                                struct portamento_batch_handle row,
                                                const struct portamento_pose *pose);

// Jumps to `pose` with one entity (spawn, teleport, respawn): no place between is ever drawn.
//
// Pointers:
// `pose` points to a pose.
//
// Threads: any, one at a time for each portamento_batch; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_batch_cut(struct portamento_batch batch,
                                            struct portamento_batch_handle row,
                                            const struct portamento_pose *pose);

// Replaces the newest pose of one entity by the server's (reconciliation without rollback): the truth jumps to `pose`, the
// picture glides, as `reconcile` of the settings says.
//
// Pointers:
// `pose` points to a pose.
//
// Threads: any, one at a time for each portamento_batch; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_batch_reconcile(struct portamento_batch batch,
                                                  struct portamento_batch_handle row,
                                                  const struct portamento_pose *pose);

// Makes room for the saves of the last `count` ticks, 0 to 1024. Earlier saves are forgotten. It allocates `count` times
// the memory of the batch.
//
// Threads: any, one at a time for each portamento_batch; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_batch_reserve_saves(struct portamento_batch batch,
                                                      uint32_t count);

// Saves the truth of all entities after tick number `tick`, for rollback. As many of the newest saves are kept as
// `portamento_batch_reserve_saves` made room for: without room it is `PORTAMENTO_FULL`. It allocates only when the batch
// has grown since then.
//
// Threads: any, one at a time for each portamento_batch; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_batch_save(struct portamento_batch batch,
                                             uint64_t tick);

// Puts the truth of all entities back to what it was when `tick` was saved. Simulate the ticks since then before the next
// frame. What differs from before is drawn at once, or glides with `glide_after_restore` of the settings. Entities that
// were inserted since are gone; inserted again in the same order, they get the same rows and generations.
// `PORTAMENTO_NOTHING` if that tick was not saved, or is too long ago. It allocates only the first time, and for what was
// inserted since the save.
//
// Threads: any, one at a time for each portamento_batch; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_batch_restore(struct portamento_batch batch,
                                                uint64_t tick);

// Writes what the last frame drew of one entity with the frame before, for a camera that follows it or for motion
// vectors. It needs `remember_views` of the settings. `PORTAMENTO_NOTHING` if the batch has changed since its last frame:
// call it after `portamento_batch_frame` or its like, before the next tick.
//
// Pointers:
// `drawn` points to a place for the result.
//
// Threads: any, one at a time for each portamento_batch; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_batch_drawn(struct portamento_batch batch,
                                              struct portamento_batch_handle row,
                                              struct portamento_drawn *drawn);

// Writes what the simulation says of one entity: the newest pose pushed.
//
// Pointers:
// `pose` points to a place for a pose.
//
// Threads: any, one at a time for each portamento_batch; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_batch_truth(struct portamento_batch batch,
                                              struct portamento_batch_handle row,
                                              struct portamento_pose *pose);

// Moves the world's origin: adds `shift` to everything remembered, so that nothing moves on the screen. Saves are
// forgotten.
//
// Pointers:
// `shift` points to three numbers.
//
// Threads: any, one at a time for each portamento_batch; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_batch_rebase(struct portamento_batch batch,
                                               const float *shift);

// Counts everything as moved in the next frame: for a buffer that is new or was lost.
//
// Threads: any, one at a time for each portamento_batch; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_batch_redraw(struct portamento_batch batch);

// Draws a frame: writes what moved since the last frame into `out`, each entity at its own row, and leaves the other
// rows alone. `floats` is the length of `out`, at least `portamento_batch_rows` times the floats of the form.
//
// `moved` may be null; otherwise it has room for `capacity` rows and receives which entities moved, as many as fit.
// `written` may be null; otherwise it receives how many moved.
//
// Pointers:
// `moment` points to a moment, `out` to `floats` floats, `moved` to `capacity` rows or nothing.
//
// Threads: any, one at a time for each portamento_batch; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_batch_frame(struct portamento_batch batch,
                                              const struct portamento_moment *moment,
                                              portamento_output_form form,
                                              float *out,
                                              size_t floats,
                                              struct portamento_batch_handle *moved,
                                              size_t capacity,
                                              size_t *written);

// Draws a frame: writes what moved since the last frame into `out`, one after the other without gaps, in the order of
// `moved`: a list to upload. `floats` is the length of `out`, at least `portamento_batch_rows` times the floats of the
// form; `moved`, `capacity` and `written` as for `portamento_batch_frame`.
//
// Pointers:
// `moment` points to a moment, `out` to `floats` floats, `moved` to `capacity` rows or nothing.
//
// Threads: any, one at a time for each portamento_batch; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_batch_frame_moved(struct portamento_batch batch,
                                                    const struct portamento_moment *moment,
                                                    portamento_output_form form,
                                                    float *out,
                                                    size_t floats,
                                                    struct portamento_batch_handle *moved,
                                                    size_t capacity,
                                                    size_t *written);

// Draws a frame into structs of yours: as `portamento_batch_frame`, with `stride` bytes from the floats of one row to
// those of the next. `out` points to those of row 0, and `rows` is how many rows there are, at least
// `portamento_batch_rows`. A stride of 0 is that of an array without gaps.
//
// Pointers:
// `moment` points to a moment, `out` to `rows` times the floats of the form, `stride` bytes apart, `moved` to `capacity`
// rows or nothing.
//
// Threads: any, one at a time for each portamento_batch; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_batch_frame_strided(struct portamento_batch batch,
                                                      const struct portamento_moment *moment,
                                                      portamento_output_form form,
                                                      float *out,
                                                      size_t stride,
                                                      size_t rows,
                                                      struct portamento_batch_handle *moved,
                                                      size_t capacity,
                                                      size_t *written);

// Makes an empty batch that keeps `ends` ticks: 2 for a fixed step, for a gate as many as `ends_needed` of
// `portamento_stepper_get_counts`, 16 at most.
//
// Pointers:
// `batch` points to a place for the handle.
//
// Threads: any.
enum portamento_status portamento_batch64_new(uint32_t ends, struct portamento_batch64 *batch);

// Frees a batch with all its entities.
//
// Threads: any, one at a time for each portamento_batch64; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_batch64_free(struct portamento_batch64 batch);

// Reserves memory for `more` entities, so that adding them does not allocate.
//
// Threads: any, one at a time for each portamento_batch64; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_batch64_reserve(struct portamento_batch64 batch, uint32_t more);

// Adds an entity that appears at `pose`.
//
// Pointers:
// `pose` points to a pose, `row` to a place for the result.
//
// Threads: any, one at a time for each portamento_batch64; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_batch64_insert(struct portamento_batch64 batch,
                                                 const struct portamento_pose64 *pose,
                                                 struct portamento_batch_handle *row);

// Removes an entity.
//
// Threads: any, one at a time for each portamento_batch64; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_batch64_remove(struct portamento_batch64 batch,
                                                 struct portamento_batch_handle row);

// Writes how many rows your arrays need: one more than the highest index in use.
//
// Pointers:
// `rows` points to a place for the number.
//
// Threads: any, one at a time for each portamento_batch64; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_batch64_rows(struct portamento_batch64 batch, uint32_t *rows);

// The simulation ran a tick: `poses[i]` is the result of the entity in row i, after collision. `count` is the number of
// poses in the array, at least `portamento_batch64_rows`; `stride` is the distance from one to the next in bytes, 0 for
// an array without gaps. Rows without an entity are not read. The poses are taken as they are.
//
// Pointers:
// `poses` points to `count` poses, `stride` bytes apart.
//
// Threads: any, one at a time for each portamento_batch64; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_batch64_push_all(struct portamento_batch64 batch,
                                                   const struct portamento_pose64 *poses,
                                                   size_t stride,
                                                   size_t count);

// Jumps to `pose` with one entity (spawn, teleport, respawn): no place between is ever drawn.
//
// Pointers:
// `pose` points to a pose.
//
// Threads: any, one at a time for each portamento_batch64; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_batch64_cut(struct portamento_batch64 batch,
                                              struct portamento_batch_handle row,
                                              const struct portamento_pose64 *pose);

// Corrects the newest pose of one entity within its tick (a collision after the move): the picture glides there.
//
// Pointers:
// `pose` points to a pose.
//
// Threads: any, one at a time for each portamento_batch64; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_batch64_correct(struct portamento_batch64 batch,
                                                  struct portamento_batch_handle row,
                                                  const struct portamento_pose64 *pose);

// Moves the world's origin: adds `shift` to everything remembered, so that nothing moves on the screen.
//
// Pointers:
// `shift` points to three numbers.
//
// Threads: any, one at a time for each portamento_batch64; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_batch64_rebase(struct portamento_batch64 batch, const double *shift);

// Counts everything as moved in the next frame: for a buffer that is new or was lost.
//
// Threads: any, one at a time for each portamento_batch64; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_batch64_redraw(struct portamento_batch64 batch);

// Draws a frame: writes what moved since the last frame, each entity at its own row, as seen from `origin` (three
// numbers: the camera's position; null is the world's origin). When the origin is another one than in the frame before,
// everything moved. `out` points to row 0, `stride` is the distance from one row to the next in bytes (0 for an array
// without gaps), and `rows` is how many there are, at least `portamento_batch64_rows`. `moved`, `capacity` and `written`
// as for `portamento_batch_frame`.
//
// Pointers:
// `moment` points to a moment, `origin` to three numbers or nothing, `out` to `rows` rows of the form, `stride` bytes
// apart, `moved` to `capacity` rows or nothing.
//
// Threads: any, one at a time for each portamento_batch64; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_batch64_frame(struct portamento_batch64 batch,
                                                const struct portamento_moment *moment,
                                                const double *origin,
                                                portamento_output_form form,
                                                void *out,
                                                size_t stride,
                                                size_t rows,
                                                struct portamento_batch_handle *moved,
                                                size_t capacity,
                                                size_t *written);

// Blends `count` plain numbers: `out[i]` lies `alpha` of the way from `from[i]` to `to[i]`. Equal numbers keep their
// bits; `alpha` 0 and 1 give the ends exactly. `out` may be `from` or `to`.
//
// Pointers:
// `from` and `to` point to `count` numbers, `out` to a place for as many.
//
// Threads: any.
enum portamento_status portamento_blend_numbers(const double *from,
                                                const double *to,
                                                size_t count,
                                                double alpha,
                                                double *out);

// Writes the pose `alpha` of the way from `from` to `to`, as tracks and batches draw it.
//
// Pointers:
// `from` and `to` point to poses, `out` to a place for one.
//
// Threads: any.
enum portamento_status portamento_blend_poses(const struct portamento_pose64 *from,
                                              const struct portamento_pose64 *to,
                                              double alpha,
                                              struct portamento_pose64 *out);

// The same with true slerp for the rotation: constant angular speed. The fast approximation of
// `portamento_blend_poses` is within 1.1e-5 radians of it up to 90 degrees, within 5.2e-4 up to 180.
//
// Pointers:
// `from` and `to` point to poses, `out` to a place for one.
//
// Threads: any.
enum portamento_status portamento_slerp_poses(const struct portamento_pose64 *from,
                                              const struct portamento_pose64 *to,
                                              double alpha,
                                              struct portamento_pose64 *out);

// Brings a quaternion x, y, z, w of any length but zero to unit length. `out` may be `rotation`.
//
// Pointers:
// `rotation` points to four numbers, `out` to a place for four.
//
// Threads: any.
enum portamento_status portamento_normalize(const float *rotation, float *out);

// Fills `settings` with the defaults for a world where y is up and bodies face -z.
//
// Pointers:
// `settings` points to a place for the settings.
//
// Threads: any.
enum portamento_status portamento_chase_settings_y_up(struct portamento_chase_settings *settings);

// Fills `settings` with the defaults for a world where z is up and bodies face +y.
//
// Pointers:
// `settings` points to a place for the settings.
//
// Threads: any.
enum portamento_status portamento_chase_settings_z_up(struct portamento_chase_settings *settings);

// Makes a chase camera. Its first update puts it in place.
//
// Pointers:
// `settings` points to settings, `camera` to a place for the handle.
//
// Threads: any.
enum portamento_status portamento_chase_camera_new(const struct portamento_chase_settings *settings,
                                                   struct portamento_chase_camera *camera);

// Frees a chase camera.
//
// Threads: any, one at a time for each portamento_chase_camera; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_chase_camera_free(struct portamento_chase_camera camera);

// Replaces the settings; the camera goes on from where it is.
//
// Pointers:
// `settings` points to settings.
//
// Threads: any, one at a time for each portamento_chase_camera; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_chase_camera_set_settings(struct portamento_chase_camera camera,
                                                            const struct portamento_chase_settings *settings);

// Turns the camera: `orbit` and `pitch` in radians, as the mouse says. With an infinite `look_rate` it shows at once.
//
// Threads: any, one at a time for each portamento_chase_camera; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_chase_camera_set_look(struct portamento_chase_camera camera,
                                                        double orbit,
                                                        double pitch);

// Starts anew at the target in the next update.
//
// Threads: any, one at a time for each portamento_chase_camera; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_chase_camera_cut(struct portamento_chase_camera camera);

// Moves the world's origin: adds `shift` to everything remembered. Give the same shift to every track.
//
// Pointers:
// `shift` points to three numbers.
//
// Threads: any, one at a time for each portamento_chase_camera; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_chase_camera_rebase(struct portamento_chase_camera camera,
                                                      const double *shift);

// Reports that the body has landed: with `height_hold` of the settings, the camera may come up to it now.
//
// Threads: any, one at a time for each portamento_chase_camera; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_chase_camera_release_height(struct portamento_chase_camera camera);

// Writes the settings in force: `orbit` and `pitch` are where looking has brought them.
//
// Pointers:
// `settings` points to a place for the settings.
//
// Threads: any, one at a time for each portamento_chase_camera; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_chase_camera_settings(struct portamento_chase_camera camera,
                                                        struct portamento_chase_settings *settings);

// Writes what could not be used.
//
// Pointers:
// `counts` points to a place for the result.
//
// Threads: any, one at a time for each portamento_chase_camera; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_chase_camera_get_counts(struct portamento_chase_camera camera,
                                                          struct portamento_camera_counts *counts);

// Follows `body` through a frame in which the picture advanced by `seconds`: `presented` of the frame's moment.
// `collide` may be null; otherwise it keeps the eye out of walls and is handed `user`.
//
// Pointers:
// `body` points to what was drawn, `shot` to a place for the result; `collide` can be called with `user`.
//
// Threads: any, one at a time for each portamento_chase_camera; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_chase_camera_update(struct portamento_chase_camera camera,
                                                      double seconds,
                                                      const struct portamento_drawn *body,
                                                      portamento_collide collide,
                                                      void *user,
                                                      struct portamento_shot *shot);

// Fills `settings` with the defaults for a screen of `width` by `height` pixels.
//
// Pointers:
// `settings` points to a place for the settings.
//
// Threads: any.
enum portamento_status portamento_follow_settings_new(double width,
                                                      double height,
                                                      struct portamento_follow_settings *settings);

// Makes a follow camera. Its first update puts it over the target.
//
// Pointers:
// `settings` points to settings, `camera` to a place for the handle.
//
// Threads: any.
enum portamento_status portamento_follow_camera_new(const struct portamento_follow_settings *settings,
                                                    struct portamento_follow_camera *camera);

// Frees a follow camera.
//
// Threads: any, one at a time for each portamento_follow_camera; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_follow_camera_free(struct portamento_follow_camera camera);

// Replaces the settings; the camera goes on from where it is.
//
// Pointers:
// `settings` points to settings.
//
// Threads: any, one at a time for each portamento_follow_camera; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_follow_camera_set_settings(struct portamento_follow_camera camera,
                                                             const struct portamento_follow_settings *settings);

// Follows a target drawn at `place` through a frame in which the picture advanced by `seconds`: `presented` of the
// frame's moment. `cut` is 1 if the target jumped.
//
// Pointers:
// `place` points to two numbers, `framing` to a place for the result.
//
// Threads: any, one at a time for each portamento_follow_camera; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_follow_camera_update(struct portamento_follow_camera camera,
                                                       double seconds,
                                                       const double *place,
                                                       uint32_t cut,
                                                       struct portamento_framing *framing);

// Follows the middle of all `targets`, and zooms out from `zoom` of the settings as far as needed to show them all with
// `fit_margin` around them. The picture jumps when all of them have jumped. `stride` is the distance from one to the next
// in bytes, 0 for an array without gaps. Without a target the picture stays where it is.
//
// Pointers:
// `targets` points to `count` targets, `stride` bytes apart, `framing` to a place for the result.
//
// Threads: any, one at a time for each portamento_follow_camera; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_follow_camera_update_all(struct portamento_follow_camera camera,
                                                           double seconds,
                                                           const struct portamento_follow_target *targets,
                                                           size_t stride,
                                                           size_t count,
                                                           struct portamento_framing *framing);

// Follows nothing in this frame: the picture stays where it is, or where `portamento_follow_camera_pan` and
// `portamento_follow_camera_set_centre` move it.
//
// Pointers:
// `framing` points to a place for the result.
//
// Threads: any, one at a time for each portamento_follow_camera; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_follow_camera_update_free(struct portamento_follow_camera camera,
                                                            double seconds,
                                                            struct portamento_framing *framing);

// Writes the picture last drawn.
//
// Pointers:
// `framing` points to a place for the result.
//
// Threads: any, one at a time for each portamento_follow_camera; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_follow_camera_framing(struct portamento_follow_camera camera,
                                                        struct portamento_framing *framing);

// Moves the middle of the picture to `centre`, x and y, at once, and forgets the motion before: the next frame starts
// here.
//
// Pointers:
// `centre` points to two numbers.
//
// Threads: any, one at a time for each portamento_follow_camera; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_follow_camera_set_centre(struct portamento_follow_camera camera,
                                                           const double *centre);

// Moves the picture at once by these screen pixels, x and y, as a mouse drags it: what was under the pointer stays under
// it. While a target is followed, the picture stays that far beside it until `portamento_follow_camera_recentre`.
//
// Pointers:
// `pixels` points to two numbers.
//
// Threads: any, one at a time for each portamento_follow_camera; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_follow_camera_pan(struct portamento_follow_camera camera,
                                                    const double *pixels);

// Lets the picture glide back over its target after panning, and after zooming about a point.
//
// Threads: any, one at a time for each portamento_follow_camera; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_follow_camera_recentre(struct portamento_follow_camera camera);

// Moves the world's origin: adds `shift`, x and y, to everything remembered, the bounds too. Give the same shift to every
// track.
//
// Pointers:
// `shift` points to two numbers.
//
// Threads: any, one at a time for each portamento_follow_camera; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_follow_camera_rebase(struct portamento_follow_camera camera,
                                                       const double *shift);

// Writes the settings in force: `zoom` is where zooming has brought it.
//
// Pointers:
// `settings` points to a place for the settings.
//
// Threads: any, one at a time for each portamento_follow_camera; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_follow_camera_settings(struct portamento_follow_camera camera,
                                                         struct portamento_follow_settings *settings);

// Writes what could not be used.
//
// Pointers:
// `counts` points to a place for the result.
//
// Threads: any, one at a time for each portamento_follow_camera; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_follow_camera_get_counts(struct portamento_follow_camera camera,
                                                           struct portamento_camera_counts *counts);

// Zooms to `zoom` pixels per unit. The place of the world under `about`, a point of the screen, stays there; null is the
// middle.
//
// Pointers:
// `about` points to two numbers or nothing.
//
// Threads: any, one at a time for each portamento_follow_camera; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_follow_camera_zoom_to(struct portamento_follow_camera camera,
                                                        double zoom,
                                                        const double *about);

// Zooms in by `factor`, below 1 out. Otherwise as `portamento_follow_camera_zoom_to`.
//
// Pointers:
// `about` points to two numbers or nothing.
//
// Threads: any, one at a time for each portamento_follow_camera; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_follow_camera_zoom_by(struct portamento_follow_camera camera,
                                                        double factor,
                                                        const double *about);

// Shakes the picture: `strength` from 0 to 1.
//
// Threads: any, one at a time for each portamento_follow_camera; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_follow_camera_shake(struct portamento_follow_camera camera,
                                                      double strength);

// Advances the shake by `seconds` of a clock of your own, and writes the picture. Call it once per frame, with `own_time`
// of the shake's settings; without that it is refused and counted.
//
// Pointers:
// `framing` points to a place for the result.
//
// Threads: any, one at a time for each portamento_follow_camera; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_follow_camera_advance_shake(struct portamento_follow_camera camera,
                                                              double seconds,
                                                              struct portamento_framing *framing);

// Starts anew over the target in the next update.
//
// Threads: any, one at a time for each portamento_follow_camera; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_follow_camera_cut(struct portamento_follow_camera camera);

// Converts a point of the screen into a place of the world, by the picture last drawn: what a click means.
//
// Pointers:
// `screen` points to two numbers, `world` to a place for two.
//
// Threads: any, one at a time for each portamento_follow_camera; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_follow_camera_to_world(struct portamento_follow_camera camera,
                                                         const double *screen,
                                                         double *world);

// Converts a place of the world into a point of the screen, by the picture last drawn: for labels and health bars.
//
// Pointers:
// `world` points to two numbers, `screen` to a place for two.
//
// Threads: any, one at a time for each portamento_follow_camera; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_follow_camera_to_screen(struct portamento_follow_camera camera,
                                                          const double *world,
                                                          double *screen);

// Makes an empty queue of cues.
//
// Pointers:
// `cues` points to a place for the handle.
//
// Threads: any.
enum portamento_status portamento_cues_new(struct portamento_cues *cues);

// Frees a queue of cues.
//
// Threads: any, one at a time for each portamento_cues; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_cues_free(struct portamento_cues cues);

// Adds an event that fires at the moment `at` of the writer's clock. If that moment has already been drawn, it fires in
// the next frame. `PORTAMENTO_FULL` if 64 wait.
//
// Threads: any, one at a time for each portamento_cues; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_cues_add(struct portamento_cues cues,
                                           double at,
                                           uint64_t event);

// Writes the next cue that `shown` has reached, in the order of their moments. In every frame, call it until it answers
// `PORTAMENTO_NOTHING`.
//
// Pointers:
// `shown` points to what its type says, `cue` to a place for the result.
//
// Threads: any, one at a time for each portamento_cues; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_cues_next(struct portamento_cues cues,
                                            const struct portamento_shown *shown,
                                            struct portamento_cue *cue);

// Writes how many cues wait.
//
// Pointers:
// `waiting` points to a place for the number.
//
// Threads: any, one at a time for each portamento_cues; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_cues_waiting(struct portamento_cues cues, uint32_t *waiting);

// Writes how many cues were refused.
//
// Pointers:
// `refused` points to a place for the number.
//
// Threads: any, one at a time for each portamento_cues; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_cues_refused(struct portamento_cues cues, uint64_t *refused);

// Forgets all waiting cues: call it when the writer began a new life.
//
// Threads: any, one at a time for each portamento_cues; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_cues_clear(struct portamento_cues cues);

// Fills `shape` with the defaults for `entities` entities: 8 ticks, 4 readers, f32 positions, no further columns.
//
// Pointers:
// `shape` points to a place for the shape.
//
// Threads: any.
enum portamento_status portamento_shape_entities(uint32_t entities,
                                                 struct portamento_shape *shape);

// Makes a block in memory, for threads of one process.
//
// Pointers:
// `shape` points to a shape, `exchange` to a place for the handle.
//
// Threads: any.
enum portamento_status portamento_exchange_new(const struct portamento_shape *shape,
                                               struct portamento_exchange *exchange);

// Makes a block in the file at `path`, or opens the one that is there and has this shape: a writer's way to begin. Linux
// only. Every process may come late, die at any moment and come back.
//
// Pointers:
// `path` points to characters that a zero ends, `shape` to a shape, `exchange` to a place for the handle.
//
// Threads: any.
enum portamento_status portamento_exchange_create_file(const char *path,
                                                       const struct portamento_shape *shape,
                                                       struct portamento_exchange *exchange);

// Opens the block in the file at `path`: a reader's way to begin. Linux only.
//
// Pointers:
// `path` points to characters that a zero ends, `exchange` to a place for the handle.
//
// Threads: any.
enum portamento_status portamento_exchange_open_file(const char *path, struct portamento_exchange *exchange);

// Writes 1 if the path of the block leads to another file by now, or to no file: then open it again. It asks the
// operating system: call it once a second, not in every frame.
//
// Pointers:
// `replaced` points to a place for the number.
//
// Threads: any, one at a time for each portamento_exchange; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_exchange_is_replaced(struct portamento_exchange exchange,
                                                       uint32_t *replaced);

// Writes how much the block holds.
//
// Pointers:
// `shape` points to a place for the result.
//
// Threads: any, one at a time for each portamento_exchange; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_exchange_shape(struct portamento_exchange exchange,
                                                 struct portamento_shape *shape);

// Frees an exchange. Its writer and readers go on.
//
// Threads: any, one at a time for each portamento_exchange; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_exchange_free(struct portamento_exchange exchange);

// Writes the seconds of the clock that all processes of this machine share, and that is never set: for `now` of
// writers and readers. Linux only.
//
// Pointers:
// `seconds` points to a place for the number.
//
// Threads: any.
enum portamento_status portamento_machine_seconds(double *seconds);

// Becomes the writer of the block and begins a new run. `PORTAMENTO_FULL` if it has a writer that lives.
//
// Pointers:
// `writer` points to a place for the handle.
//
// Threads: any, one at a time for each portamento_exchange; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_writer_new(struct portamento_exchange exchange,
                                             struct portamento_writer *writer);

// Frees a writer: it gives its place back. The last ticks stay readable.
//
// Threads: any, one at a time for each portamento_writer; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_writer_free(struct portamento_writer writer);

// Moves an entity; readers interpolate. An `entity` number that is not in use yet is a new entity, first seen at this
// pose. `PORTAMENTO_FULL` if the block has no row for it.
//
// Pointers:
// `pose` points to a pose.
//
// Threads: any, one at a time for each portamento_writer; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_writer_set(struct portamento_writer writer,
                                             uint64_t entity,
                                             const struct portamento_pose64 *pose);

// Moves `count` entities: the i-th is number `entities[i]` and goes to `poses[i]`. Each stride is the distance from one
// to the next in bytes, 0 for an array without gaps. A pose or number that cannot be taken ends the call; those before it
// have been taken.
//
// Pointers:
// `entities` and `poses` point to `count` numbers and poses, their strides apart.
//
// Threads: any, one at a time for each portamento_writer; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_writer_set_many(struct portamento_writer writer,
                                                  const uint64_t *entities,
                                                  size_t entity_stride,
                                                  const struct portamento_pose64 *poses,
                                                  size_t pose_stride,
                                                  size_t count);

// Moves an entity there at once: no reader draws anything between its last pose and this one.
//
// Pointers:
// `pose` points to a pose.
//
// Threads: any, one at a time for each portamento_writer; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_writer_cut(struct portamento_writer writer,
                                             uint64_t entity,
                                             const struct portamento_pose64 *pose);

// Removes an entity: it is not in the next tick.
//
// Threads: any, one at a time for each portamento_writer; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_writer_remove(struct portamento_writer writer, uint64_t entity);

// Sets the 32 bits that travel with an entity; their meaning is yours.
//
// Threads: any, one at a time for each portamento_writer; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_writer_set_flags(struct portamento_writer writer,
                                                   uint64_t entity,
                                                   uint32_t flags);

// Sets one of the entity's f32 numbers. Readers interpolate it.
//
// Threads: any, one at a time for each portamento_writer; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_writer_set_f32(struct portamento_writer writer,
                                                 uint64_t entity,
                                                 uint32_t column,
                                                 float value);

// Sets one of the entity's u32 numbers. Readers do not interpolate it.
//
// Threads: any, one at a time for each portamento_writer; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_writer_set_u32(struct portamento_writer writer,
                                                 uint64_t entity,
                                                 uint32_t column,
                                                 uint32_t value);

// Publishes the present state as one tick that stands for `simulated` seconds and leaves at `now`, by a clock that the
// readers share. `scale` is how many seconds are simulated per real second: 1 normally, 0 while paused. When no time was
// simulated since the last call, nothing is published. It never waits. `stamp` may be null; otherwise it receives the
// newest tick's.
//
// Pointers:
// `stamp` points to a place for the result or nothing.
//
// Threads: any, one at a time for each portamento_writer; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_writer_publish(struct portamento_writer writer,
                                                 double now,
                                                 double simulated,
                                                 double scale,
                                                 struct portamento_tick_stamp *stamp);

// Publishes the present state as one tick at the moment of the stepper, with its time scale and pause. Otherwise as
// `portamento_writer_publish`.
//
// Pointers:
// `stamp` points to a place for the result or nothing.
//
// Threads: any, one at a time for each portamento_writer and each portamento_stepper; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_writer_publish_stepper(struct portamento_writer writer,
                                                         double now,
                                                         struct portamento_stepper stepper,
                                                         struct portamento_tick_stamp *stamp);

// Takes a seat at the block. `settings` choose what the reader draws: `portamento_playhead_settings_at_hz` with the
// writer's tick rate is right for most. `PORTAMENTO_FULL` if every seat has a reader that lives.
//
// Pointers:
// `settings` points to settings, `reader` to a place for the handle.
//
// Threads: any, one at a time for each portamento_exchange; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_reader_new(struct portamento_exchange exchange,
                                             const struct portamento_playhead_settings *settings,
                                             struct portamento_reader *reader);

// Frees a reader: it gives its seat back.
//
// Threads: any, one at a time for each portamento_reader; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_reader_free(struct portamento_reader reader);

// Takes in a frame at `now`, by the clock that the writer's `now` comes from. `PORTAMENTO_NOTHING` before the first
// tick. Call it once per frame; the functions below then return what it shows.
//
// Pointers:
// `world` points to a place for the result.
//
// Threads: any, one at a time for each portamento_reader; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_reader_frame(struct portamento_reader reader,
                                               double now,
                                               struct portamento_world_frame *world);

// Writes all entities of the last frame, `stride` bytes apart (0 for an array without gaps), and how many there are to
// `count`. `capacity` is how many fit into your array: at least `rows` of the frame's world.
//
// Pointers:
// `entities` points to room for `capacity` entities, `stride` bytes apart, `count` to a place for the number.
//
// Threads: any, one at a time for each portamento_reader; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_reader_entities(struct portamento_reader reader,
                                                  struct portamento_entity_view *entities,
                                                  size_t stride,
                                                  size_t capacity,
                                                  size_t *count);

// Writes one entity of the last frame with the frame before, for a camera or motion vectors. `PORTAMENTO_NOTHING` while
// it is not there. Searches the table.
//
// Pointers:
// `drawn` points to a place for the result.
//
// Threads: any, one at a time for each portamento_reader; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_reader_draw(struct portamento_reader reader,
                                              uint64_t entity,
                                              struct portamento_drawn *drawn);

// Writes one of the f32 numbers of the entity in this row, interpolated as its pose is. `PORTAMENTO_NOTHING` if there is
// no such row or column.
//
// Pointers:
// `value` points to a place for the result.
//
// Threads: any, one at a time for each portamento_reader; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_reader_f32(struct portamento_reader reader,
                                             uint32_t row,
                                             uint32_t column,
                                             float *value);

// Writes one of the u32 numbers of the entity in this row. Otherwise as `portamento_reader_f32`.
//
// Pointers:
// `value` points to a place for the result.
//
// Threads: any, one at a time for each portamento_reader; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_reader_u32(struct portamento_reader reader,
                                             uint32_t row,
                                             uint32_t column,
                                             uint32_t *value);

// Sleeps until a tick is published that this reader has not seen, at most `seconds` seconds; `PORTAMENTO_NOTHING` if none
// was. For programs that have nothing to do between ticks; a renderer need not wait. Linux only. Meanwhile the reader is
// busy for other threads.
//
// Threads: any, one at a time for each portamento_reader; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_reader_wait(struct portamento_reader reader,
                                              double seconds);

// Writes what the writer last reported of itself. One that was killed reports nothing any more: check the age of the
// newest tick too.
//
// Pointers:
// `state` points to a place for the result.
//
// Threads: any, one at a time for each portamento_reader; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_reader_writer(struct portamento_reader reader,
                                                portamento_writer_state *state);

// Writes what did not go as planned.
//
// Pointers:
// `counts` points to a place for the result.
//
// Threads: any, one at a time for each portamento_reader; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_reader_get_counts(struct portamento_reader reader,
                                                    struct portamento_reader_counts *counts);

// Fills `settings` with the defaults for `hz` messages per second.
//
// Pointers:
// `settings` points to a place for the settings.
//
// Threads: any.
enum portamento_status portamento_history_settings_at_hz(double hz,
                                                         struct portamento_history_settings *settings);

// Makes an empty history.
//
// Pointers:
// `settings` points to settings, `history` to a place for the handle.
//
// Threads: any.
enum portamento_status portamento_history_new(const struct portamento_history_settings *settings,
                                              struct portamento_history *history);

// Frees a history.
//
// Threads: any, one at a time for each portamento_history; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_history_free(struct portamento_history history);

// Records what was sent of the entity in the message stamped `sent`: the very numbers that the client decodes. `recorded`
// may be null; otherwise it receives 1, or 0 if a number was unusable or the message was recorded already.
//
// Pointers:
// `report` points to a report, `recorded` to a place for a number or nothing.
//
// Threads: any, one at a time for each portamento_history; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_history_record(struct portamento_history history,
                                                 double sent,
                                                 const struct portamento_report *report,
                                                 uint32_t *recorded);

// The same for a history of positions.
//
// Pointers:
// `report` points to a report, `recorded` to a place for a number or nothing.
//
// Threads: any, one at a time for each portamento_history; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_history_record_point(struct portamento_history history,
                                                       double sent,
                                                       const struct portamento_point_report *report,
                                                       uint32_t *recorded);

// Records that the entity is not there from the message stamped `sent` on. `recorded` as for
// `portamento_history_record`.
//
// Pointers:
// `recorded` points to a place for a number or nothing.
//
// Threads: any, one at a time for each portamento_history; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_history_vanish(struct portamento_history history,
                                                 double sent,
                                                 uint32_t *recorded);

// Writes what the client of this `claim` saw. `now` is the server's clock. `PORTAMENTO_REFUSED` if it cannot have seen
// that: the claim is too old, names snapshots that were never sent, or was made up; `portamento_last_error` has the
// reason.
//
// Pointers:
// `claim` points to a claim, `rewound` to a place for the result.
//
// Threads: any, one at a time for each portamento_history; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_history_rewind(struct portamento_history history,
                                                 const struct portamento_claim *claim,
                                                 double now,
                                                 struct portamento_rewound *rewound);

// Writes where the entity was at a `moment` of the server's clock, without a claim: for what stood between the shooter and
// its target. `PORTAMENTO_NOTHING` if that is too long ago, or it was not there.
//
// Pointers:
// `pose` points to a place for the result.
//
// Threads: any, one at a time for each portamento_history; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_history_at(struct portamento_history history,
                                             double moment,
                                             struct portamento_pose64 *pose);

// Writes what was counted.
//
// Pointers:
// `counts` points to a place for the result.
//
// Threads: any, one at a time for each portamento_history; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_history_get_counts(struct portamento_history history,
                                                     struct portamento_history_counts *counts);

// Makes a player who is not in the world yet: its first echo puts it there.
//
// Pointers:
// `settings` points to settings, `player` to a place for the handle.
//
// Threads: any.
enum portamento_status portamento_own_player_new(const struct portamento_waypoint_settings *settings,
                                                 struct portamento_own_player *player);

// Frees a player.
//
// Threads: any, one at a time for each portamento_own_player; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_own_player_free(struct portamento_own_player player);

// Takes in an echo: the server's report of your own movement. `echo` receives what it did. `pose` may be null; otherwise
// it receives where to put the body after `PORTAMENTO_ECHO_CUT` and `PORTAMENTO_ECHO_FORCED`.
//
// Pointers:
// `report` points to a report, `echo` to a place for a number, `pose` to a place for a pose or nothing.
//
// Threads: any, one at a time for each portamento_own_player; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_own_player_echo(struct portamento_own_player player,
                                                  const struct portamento_waypoint_report *report,
                                                  portamento_echo *echo,
                                                  struct portamento_pose64 *pose);

// Writes what the leash leaves of the player's own `step` from `body`. `contact` is 1 if the body stands on something.
// `limited` may be `step`.
//
// Pointers:
// `body` and `step` point to what their types say, `limited` to a place for the result.
//
// Threads: any, one at a time for each portamento_own_player; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_own_player_limit(struct portamento_own_player player,
                                                   const struct portamento_pose64 *body,
                                                   const struct portamento_waypoint_step *step,
                                                   uint32_t contact,
                                                   struct portamento_waypoint_step *limited);

// Writes how much of the leash the player at `body` has used, in units; `PORTAMENTO_NOTHING` without a leash.
//
// Pointers:
// `body` points to a pose, `units` to a place for the number.
//
// Threads: any, one at a time for each portamento_own_player; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_own_player_strayed(struct portamento_own_player player,
                                                     const struct portamento_pose64 *body,
                                                     double *units);

// Writes 1 if the leash of the player at `body` is nearly or wholly used up: the player should wait for the next echo.
// Otherwise 0.
//
// Pointers:
// `body` points to a pose, `held` to a place for the number.
//
// Threads: any, one at a time for each portamento_own_player; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_own_player_is_held(struct portamento_own_player player,
                                                     const struct portamento_pose64 *body,
                                                     uint32_t *held);

// Moves the world's origin: adds `shift` to everything remembered.
//
// Pointers:
// `shift` points to three numbers.
//
// Threads: any, one at a time for each portamento_own_player; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_own_player_rebase(struct portamento_own_player player, const double *shift);

// Writes what was refused: `stale` echoes, and calls with `unusable` numbers.
//
// Pointers:
// `counts` points to a place for the result.
//
// Threads: any, one at a time for each portamento_own_player; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_own_player_get_counts(struct portamento_own_player player,
                                                        struct portamento_waypoint_counts *counts);

// Fills `settings` with the defaults for a writer on this machine that ticks `hz` times per second.
//
// Pointers:
// `settings` points to a place for the settings.
//
// Threads: any.
enum portamento_status portamento_playhead_settings_at_hz(double hz,
                                                          struct portamento_playhead_settings *settings);

// Fills `settings` with the defaults for a writer behind a network that ticks `hz` times per second.
//
// Pointers:
// `settings` points to a place for the settings.
//
// Threads: any.
enum portamento_status portamento_playhead_settings_network(double hz,
                                                            struct portamento_playhead_settings *settings);

// Makes a playhead.
//
// Pointers:
// `settings` points to settings, `playhead` to a place for the handle.
//
// Threads: any.
enum portamento_status portamento_playhead_new(const struct portamento_playhead_settings *settings,
                                               struct portamento_playhead *playhead);

// Frees a playhead.
//
// Threads: any, one at a time for each portamento_playhead; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_playhead_free(struct portamento_playhead playhead);

// Takes the arrival of a tick: it stands for `simulated` seconds of the writer's clock, and came at `arrival` by ours.
// `observed` may be null; otherwise it receives what the tick was.
//
// Pointers:
// `observed` points to a place for a number or nothing.
//
// Threads: any, one at a time for each portamento_playhead; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_playhead_observe(struct portamento_playhead playhead,
                                                   double arrival,
                                                   double simulated,
                                                   portamento_observed *observed);

// The same for a tick in which everything was cut (a level loaded): nothing between it and the tick before is drawn.
//
// Pointers:
// `observed` points to a place for a number or nothing.
//
// Threads: any, one at a time for each portamento_playhead; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_playhead_observe_cut(struct portamento_playhead playhead,
                                                       double arrival,
                                                       double simulated,
                                                       portamento_observed *observed);

// Takes in a frame at `now` by our clock. `PORTAMENTO_NOTHING` before the first tick. Call it once per frame.
//
// Pointers:
// `shown` points to a place for the result.
//
// Threads: any, one at a time for each portamento_playhead; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_playhead_advance(struct portamento_playhead playhead,
                                                   double now,
                                                   struct portamento_shown *shown);

// Sets how fast the writer's clock runs from `at` (by our clock) on, in simulated seconds per real second: below 1 in
// slow motion, 0 while paused. A number that cannot be used is counted and ignored.
//
// Threads: any, one at a time for each portamento_playhead; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_playhead_set_time_scale(struct portamento_playhead playhead,
                                                          double at,
                                                          double scale);

// Forgets the writer's clock: call it when the writer began a new life.
//
// Threads: any, one at a time for each portamento_playhead; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_playhead_restart(struct portamento_playhead playhead);

// Writes the place between the last two ticks that `PORTAMENTO_PLAYHEAD_RULE_SINCE_ARRIVAL` draws; `PORTAMENTO_NOTHING`
// with the other rule, and before the first tick.
//
// Pointers:
// `alpha` points to a place for the result.
//
// Threads: any, one at a time for each portamento_playhead; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_playhead_alpha_since_arrival(struct portamento_playhead playhead,
                                                               double *alpha);

// Writes what was counted.
//
// Pointers:
// `counts` points to a place for the result.
//
// Threads: any, one at a time for each portamento_playhead; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_playhead_get_counts(struct portamento_playhead playhead,
                                                      struct portamento_playhead_counts *counts);

// Fills `settings` with the defaults: 16 ticks, the fast approximation of slerp.
//
// Pointers:
// `settings` points to a place for the settings.
//
// Threads: any.
enum portamento_status portamento_timeline_settings_default(struct portamento_timeline_settings *settings);

// Makes an empty timeline.
//
// Pointers:
// `settings` points to settings, `timeline` to a place for the handle.
//
// Threads: any.
enum portamento_status portamento_timeline_new(const struct portamento_timeline_settings *settings,
                                               struct portamento_timeline *timeline);

// Frees a timeline.
//
// Threads: any, one at a time for each portamento_timeline; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_timeline_free(struct portamento_timeline timeline);

// Takes in the pose of a tick that stands for `simulated` seconds. A time before the newest one counts as that one.
//
// Pointers:
// `pose` points to a pose.
//
// Threads: any, one at a time for each portamento_timeline; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_timeline_push(struct portamento_timeline timeline,
                                                double simulated,
                                                const struct portamento_pose64 *pose);

// Takes in a teleport at `simulated` seconds: `pose` is drawn from its own time on, and the pose before it until then.
//
// Pointers:
// `pose` points to a pose.
//
// Threads: any, one at a time for each portamento_timeline; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_timeline_cut(struct portamento_timeline timeline,
                                               double simulated,
                                               const struct portamento_pose64 *pose);

// Writes the view at `shown`, and where that lies: `place` and `alpha`, each of which may be null. `alpha` is the place
// between the two ticks, 0 to 1. `PORTAMENTO_NOTHING` before the first tick. Nothing is remembered.
//
// Pointers:
// `shown` points to what its type says, `view` to a place for a pose, `place` and `alpha` to places for a number or
// nothing.
//
// Threads: any, one at a time for each portamento_timeline; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_timeline_view(struct portamento_timeline timeline,
                                                const struct portamento_shown *shown,
                                                struct portamento_pose64 *view,
                                                portamento_timeline_place *place,
                                                double *alpha);

// Writes the view at `shown` with the view of the frame before and whether a cut lies between. `PORTAMENTO_NOTHING`
// before the first tick. Call it once per frame.
//
// Pointers:
// `shown` points to what its type says, `drawn` to a place for the result.
//
// Threads: any, one at a time for each portamento_timeline; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_timeline_draw(struct portamento_timeline timeline,
                                                const struct portamento_shown *shown,
                                                struct portamento_drawn *drawn);

// Writes the newest pose: what the simulation computed last. `PORTAMENTO_NOTHING` before the first tick.
//
// Pointers:
// `pose` points to a place for a pose.
//
// Threads: any, one at a time for each portamento_timeline; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_timeline_truth(struct portamento_timeline timeline,
                                                 struct portamento_pose64 *pose);

// Moves the world's origin: adds `shift` to everything remembered, so that nothing moves on the screen.
//
// Pointers:
// `shift` points to three numbers.
//
// Threads: any, one at a time for each portamento_timeline; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_timeline_rebase(struct portamento_timeline timeline, const double *shift);

// Forgets everything: call it when the writer began a new life.
//
// Threads: any, one at a time for each portamento_timeline; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_timeline_clear(struct portamento_timeline timeline);

// Fills `fading` with the defaults: what hides a correction of a predicted entity that is a metre or so off.
//
// Pointers:
// `fading` points to a place for the settings.
//
// Threads: any.
enum portamento_status portamento_offset_fading_correction(struct portamento_offset_fading *fading);

// Fills `settings` with the defaults, for lengths in metres.
//
// Pointers:
// `settings` points to a place for the settings.
//
// Threads: any.
enum portamento_status portamento_reconcile_settings_default(struct portamento_reconcile_settings *settings);

// Makes a predicted entity that appears at `start`. `settings` may be null for the defaults.
//
// Pointers:
// `start` points to a pose, `settings` to settings or nothing, `predicted` to a place for the handle.
//
// Threads: any.
enum portamento_status portamento_predicted_track_new(const struct portamento_pose64 *start,
                                                      const struct portamento_reconcile_settings *settings,
                                                      struct portamento_predicted_track *predicted);

// Frees a predicted entity.
//
// Threads: any, one at a time for each portamento_predicted_track; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_predicted_track_free(struct portamento_predicted_track predicted);

// Takes the result of a tick. Call it in every tick.
//
// Pointers:
// `pose` points to a pose.
//
// Threads: any, one at a time for each portamento_predicted_track; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_predicted_track_push(struct portamento_predicted_track predicted,
                                                       const struct portamento_pose64 *pose);

// Jumps to `pose` (spawn, teleport, respawn): no place between is ever drawn.
//
// Pointers:
// `pose` points to a pose.
//
// Threads: any, one at a time for each portamento_predicted_track; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_predicted_track_cut(struct portamento_predicted_track predicted,
                                                      const struct portamento_pose64 *pose);

// Corrects the newest pose within its tick (a collision after the move).
//
// Pointers:
// `pose` points to a pose.
//
// Threads: any, one at a time for each portamento_predicted_track; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_predicted_track_correct(struct portamento_predicted_track predicted,
                                                          const struct portamento_pose64 *pose);

// Replaces the newest pose by the server's (reconciliation without rollback): the truth jumps to `pose`, the picture
// glides.
//
// Pointers:
// `pose` points to a pose.
//
// Threads: any, one at a time for each portamento_predicted_track; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_predicted_track_reconcile(struct portamento_predicted_track predicted,
                                                            const struct portamento_pose64 *pose);

// Makes room for the saves of the last `count` ticks, 0 to 1024. Earlier saves are forgotten. It allocates.
//
// Threads: any, one at a time for each portamento_predicted_track; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_predicted_track_reserve_saves(struct portamento_predicted_track predicted,
                                                                uint32_t count);

// Saves the truth after tick number `tick`, for rollback. As many of the newest saves are kept as
// `portamento_predicted_track_reserve_saves` made room for: without room it is `PORTAMENTO_FULL`.
//
// Threads: any, one at a time for each portamento_predicted_track; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_predicted_track_save(struct portamento_predicted_track predicted,
                                                       uint64_t tick);

// Puts the truth back to what it was when `tick` was saved. Simulate the ticks since then with
// `portamento_predicted_track_push` before the next frame; what differs from before glides. `PORTAMENTO_NOTHING` if
// that tick was not saved, or is too long ago.
//
// Threads: any, one at a time for each portamento_predicted_track; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_predicted_track_restore(struct portamento_predicted_track predicted,
                                                          uint64_t tick);

// Moves the world's origin: adds `shift` to everything remembered, saves too, so that nothing moves on the
// screen.
//
// Pointers:
// `shift` points to three numbers.
//
// Threads: any, one at a time for each portamento_predicted_track; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_predicted_track_rebase(struct portamento_predicted_track predicted,
                                                         const double *shift);

// Writes the truth: the newest pose pushed.
//
// Pointers:
// `pose` points to a place for a pose.
//
// Threads: any, one at a time for each portamento_predicted_track; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_predicted_track_truth(struct portamento_predicted_track predicted,
                                                        struct portamento_pose64 *pose);

// Writes the view at `moment` with the view of the frame before and whether a cut lies between. Call it once per frame.
//
// Pointers:
// `moment` points to a moment, `drawn` to a place for the result.
//
// Threads: any, one at a time for each portamento_predicted_track; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_predicted_track_draw(struct portamento_predicted_track predicted,
                                                       const struct portamento_moment *moment,
                                                       struct portamento_drawn *drawn);

// Writes how far the picture is from the truth.
//
// Pointers:
// `size` points to a place for the result.
//
// Threads: any, one at a time for each portamento_predicted_track; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_predicted_track_offset(struct portamento_predicted_track predicted,
                                                         struct portamento_offset_size *size);

// Makes a visual offset of zero, for jumps of a truth that you draw yourself.
//
// Pointers:
// `offset` points to a place for the handle.
//
// Threads: any.
enum portamento_status portamento_visual_offset_new(struct portamento_visual_offset *offset);

// Frees a visual offset.
//
// Threads: any, one at a time for each portamento_visual_offset; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_visual_offset_free(struct portamento_visual_offset offset);

// Hides a jump of the truth from `from` to `to`: the picture stays where it is, at most `limit` from the truth.
// `absorbed` may be null; otherwise it receives what became of the jump.
//
// Pointers:
// `from`, `to` and `limit` point to what their types say, `absorbed` to a place for a number or nothing.
//
// Threads: any, one at a time for each portamento_visual_offset; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_visual_offset_absorb(struct portamento_visual_offset offset,
                                                       const struct portamento_pose64 *from,
                                                       const struct portamento_pose64 *to,
                                                       const struct portamento_offset_size *limit,
                                                       portamento_absorbed *absorbed);

// Lets `seconds` pass: once per frame, `presented` of the frame's moment. `fading` may be null for the defaults.
//
// Pointers:
// `fading` points to settings or nothing.
//
// Threads: any, one at a time for each portamento_visual_offset; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_visual_offset_fade(struct portamento_visual_offset offset,
                                                     double seconds,
                                                     const struct portamento_offset_fading *fading);

// Writes what is drawn for `truth`. `view` may be `truth`.
//
// Pointers:
// `truth` points to a pose, `view` to a place for one.
//
// Threads: any, one at a time for each portamento_visual_offset; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_visual_offset_drawn(struct portamento_visual_offset offset,
                                                      const struct portamento_pose64 *truth,
                                                      struct portamento_pose64 *view);

// Puts the picture on the truth at once: after a cut.
//
// Threads: any, one at a time for each portamento_visual_offset; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_visual_offset_clear(struct portamento_visual_offset offset);

// Writes how far the picture is from the truth; zeros when it is exactly on it.
//
// Pointers:
// `size` points to a place for the result.
//
// Threads: any, one at a time for each portamento_visual_offset; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_visual_offset_size(struct portamento_visual_offset offset,
                                                     struct portamento_offset_size *size);

// Fills `settings` with the defaults for a peer that sends `hz` messages per second.
//
// Pointers:
// `settings` points to a place for the settings.
//
// Threads: any.
enum portamento_status portamento_peer_settings_at_hz(double hz, struct portamento_peer_settings *settings);

// Fills `settings` with the settings for people who run and shoot: `hz` messages per second.
//
// Pointers:
// `settings` points to a place for the settings.
//
// Threads: any.
enum portamento_status portamento_peer_settings_action(double hz, struct portamento_peer_settings *settings);

// Fills `settings` with the settings for vehicles: `hz` messages per second.
//
// Pointers:
// `settings` points to a place for the settings.
//
// Threads: any.
enum portamento_status portamento_peer_settings_racing(double hz, struct portamento_peer_settings *settings);

// Fills `settings` with the settings for units seen from above: `hz` messages per second.
//
// Pointers:
// `settings` points to a place for the settings.
//
// Threads: any.
enum portamento_status portamento_peer_settings_strategy(double hz,
                                                         struct portamento_peer_settings *settings);

// Makes a peer.
//
// Pointers:
// `settings` points to settings, `peer` to a place for the handle.
//
// Threads: any.
enum portamento_status portamento_peer_new(const struct portamento_peer_settings *settings,
                                           struct portamento_peer *peer);

// Frees a peer.
//
// Threads: any, one at a time for each portamento_peer; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_peer_free(struct portamento_peer peer);

// Takes the arrival of a message: `sent` is its stamp by the peer's clock, `arrived` when it came by ours, in seconds.
// Call it once per message, then `portamento_snapshots_insert` for each entity in it.
//
// Threads: any, one at a time for each portamento_peer; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_peer_receive(struct portamento_peer peer,
                                               double sent,
                                               double arrived);

// Starts a new life of the peer: its clock starts over. Call it when the run number in its messages changes.
//
// Threads: any, one at a time for each portamento_peer; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_peer_restart(struct portamento_peer peer);

// Takes in a frame at `now` by our clock. `PORTAMENTO_NOTHING` before the first message. Then draw its entities with
// `portamento_snapshots_draw`.
//
// Pointers:
// `frame` points to a place for the result.
//
// Threads: any, one at a time for each portamento_peer; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_peer_frame_at(struct portamento_peer peer,
                                                double now,
                                                struct portamento_peer_frame *frame);

// Sets how many messages per second the peer sends from now on. Call it before the first message at the new rate. A rate
// that changes without this call is noticed after eight messages; until then what seems to be missing counts as lost.
//
// Threads: any, one at a time for each portamento_peer; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_peer_set_hz(struct portamento_peer peer,
                                              double hz);

// Writes how good the connection to the peer is.
//
// Pointers:
// `statistics` points to a place for the result.
//
// Threads: any, one at a time for each portamento_peer; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_peer_get_statistics(struct portamento_peer peer,
                                                      struct portamento_peer_statistics *statistics);

// Makes an entity of which nothing is known yet. It keeps its last 32 reports: enough for a second and a half at 20
// messages per second.
//
// Pointers:
// `snapshots` points to a place for the handle.
//
// Threads: any.
enum portamento_status portamento_snapshots_new(struct portamento_snapshots *snapshots);

// Makes an entity of which only positions are reported, with `portamento_snapshots_insert_point`.
//
// Pointers:
// `snapshots` points to a place for the handle.
//
// Threads: any.
enum portamento_status portamento_snapshots_new_points(struct portamento_snapshots *snapshots);

// Frees an entity.
//
// Threads: any, one at a time for each portamento_snapshots; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_snapshots_free(struct portamento_snapshots snapshots);

// Adds what the peer's last message reports of the entity. `result` may be null; otherwise it receives what became of
// it.
//
// Pointers:
// `report` points to a report, `result` to a place for a number or nothing.
//
// Threads: any, one at a time for each portamento_peer and each portamento_snapshots; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_snapshots_insert(struct portamento_snapshots snapshots,
                                                   struct portamento_peer peer,
                                                   const struct portamento_report *report,
                                                   portamento_inserted *result);

// The same for an entity that was made with `portamento_snapshots_new_points`.
//
// Pointers:
// `report` points to a report, `result` to a place for a number or nothing.
//
// Threads: any, one at a time for each portamento_peer and each portamento_snapshots; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_snapshots_insert_point(struct portamento_snapshots snapshots,
                                                         struct portamento_peer peer,
                                                         const struct portamento_point_report *report,
                                                         portamento_inserted *result);

// Removes the entity from the moment of the peer's last message on.
//
// Threads: any, one at a time for each portamento_peer and each portamento_snapshots; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_snapshots_vanish(struct portamento_snapshots snapshots,
                                                   struct portamento_peer peer);

// Writes what to draw of the entity in the peer's last frame, and from what (`state`, which may be null).
// `PORTAMENTO_NOTHING` if there is nothing to draw: `state` says whether it has not appeared yet or is gone for good.
//
// Pointers:
// `drawn` points to a place for the result, `state` to one for a number or nothing.
//
// Threads: any, one at a time for each portamento_peer and each portamento_snapshots; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_snapshots_draw(struct portamento_snapshots snapshots,
                                                 struct portamento_peer peer,
                                                 struct portamento_drawn *drawn,
                                                 portamento_snapshot_state *state);

// Writes how many seconds farther back than its peer's frame the entity is drawn, because it is rarely in a message.
//
// Pointers:
// `seconds` points to a place for the result.
//
// Threads: any, one at a time for each portamento_snapshots; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_snapshots_extra_delay(struct portamento_snapshots snapshots,
                                                        double *seconds);

// Writes how far the picture is from what the snapshots give: the visual offset that fades.
//
// Pointers:
// `size` points to a place for the result.
//
// Threads: any, one at a time for each portamento_snapshots; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_snapshots_offset(struct portamento_snapshots snapshots,
                                                   struct portamento_offset_size *size);

// Writes what did not go as planned with this entity.
//
// Pointers:
// `counts` points to a place for the result.
//
// Threads: any, one at a time for each portamento_snapshots; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_snapshots_get_counts(struct portamento_snapshots snapshots,
                                                       struct portamento_snapshot_counts *counts);

// Writes what the last frame drew of the entity, in twelve bytes for the server: `portamento_history_rewind` finds it
// again. `PORTAMENTO_NOTHING` when nothing is drawn.
//
// Pointers:
// `claim` points to a place for the result.
//
// Threads: any, one at a time for each portamento_peer and each portamento_snapshots; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_snapshots_claim(struct portamento_snapshots snapshots,
                                                  struct portamento_peer peer,
                                                  struct portamento_claim *claim);

// Hands the entity over to another peer: its picture goes on without a jump when the clocks of the two differ.
//
// Threads: any, one at a time for each portamento_snapshots; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_snapshots_hand_over(struct portamento_snapshots snapshots);

// Moves the world's origin: adds `shift` to everything remembered, so that nothing moves on the screen. Snapshots that
// come from now on are relative to the new origin.
//
// Pointers:
// `shift` points to three numbers.
//
// Threads: any, one at a time for each portamento_snapshots; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_snapshots_rebase(struct portamento_snapshots snapshots,
                                                   const double *shift);

// Writes where the snapshots had the entity in the last frame, without the visual offset: what a claim names and the
// server finds. `PORTAMENTO_NOTHING` if nothing was drawn.
//
// Pointers:
// `pose` points to a place for the result.
//
// Threads: any, one at a time for each portamento_snapshots; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_snapshots_blended(struct portamento_snapshots snapshots,
                                                    struct portamento_pose64 *pose);

// Makes the clock of a counter of `bits` bits (1 to 32) that counts `hz` ticks per second. Use it where messages carry
// such a counter and no time: it gives the seconds that `portamento_peer_receive` takes.
//
// Pointers:
// `clock` points to a place for the handle.
//
// Threads: any.
enum portamento_status portamento_tick_clock_at_hz(double hz,
                                                   uint32_t bits,
                                                   struct portamento_tick_clock *clock);

// Frees the clock of a counter.
//
// Threads: any, one at a time for each portamento_tick_clock; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_tick_clock_free(struct portamento_tick_clock clock);

// Writes the sender's time, in seconds, that `counter` stands for in a message that arrived at `arrived` by our clock.
// Bits above the agreed ones are ignored. `PORTAMENTO_BAD_VALUE` if a time is not finite or lies beyond 9e15 ticks.
//
// Pointers:
// `seconds` points to a place for the result.
//
// Threads: any, one at a time for each portamento_tick_clock; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_tick_clock_seconds(struct portamento_tick_clock clock,
                                                     uint32_t counter,
                                                     double arrived,
                                                     double *seconds);

// Sets how far the sender has counted in all: its whole tick in a message that arrived at `arrived` by our clock. A
// client that joins late needs it for claims (`portamento_snapshots_claim`), which name the server's own stamps. A time
// that is not finite and anything beyond 9e15 ticks is ignored.
//
// Threads: any, one at a time for each portamento_tick_clock; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_tick_clock_set_tick(struct portamento_tick_clock clock,
                                                      uint64_t tick,
                                                      double arrived);

// Starts anew, after the sender and its counter did.
//
// Threads: any, one at a time for each portamento_tick_clock; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_tick_clock_restart(struct portamento_tick_clock clock);

// Copies the text of this thread's last error into `buffer`, at most `capacity` bytes with the ending zero.
// Returns how many bytes the text has, without the zero; call it with a null `buffer` to ask.
//
// Each thread has its own last error.
//
// Pointers:
// `buffer` is null or has room for `capacity` bytes.
//
// Threads: any.
size_t portamento_last_error(char *buffer, size_t capacity);

// The version of this interface. It changes when a struct or a function changes; compare it with
// `PORTAMENTO_ABI_VERSION` of the header you compiled with.
//
// Threads: any.
uint32_t portamento_abi_version(void);

// Compares the version that you were compiled with, `PORTAMENTO_ABI_VERSION`, with the library's:
// `PORTAMENTO_WRONG_SIZE` if they differ, with an error text that says what to do. Call it once, before anything else.
//
// Threads: any.
enum portamento_status portamento_require_abi(uint32_t version);

// Fills `settings` with the defaults for `hz` ticks per second.
//
// Pointers:
// `settings` points to a place for the settings.
//
// Threads: any.
enum portamento_status portamento_fixed_settings_at_hz(double hz, struct portamento_fixed_settings *settings);

// Makes a stepper with a fixed step.
//
// Pointers:
// `settings` points to settings, `stepper` to a place for the handle.
//
// Threads: any.
enum portamento_status portamento_stepper_fixed(const struct portamento_fixed_settings *settings,
                                                struct portamento_stepper *stepper);

// Fills `settings` with the defaults of a quantum gate with this `rule`: ticks of 1/30 to 0.2 s, for
// `PORTAMENTO_GATE_RULE_EVEN` drawn evenly.
//
// Pointers:
// `settings` points to a place for the settings.
//
// Threads: any.
enum portamento_status portamento_gate_settings_with_rule(portamento_gate_rule rule,
                                                          struct portamento_gate_settings *settings);

// Makes a stepper with a quantum gate.
//
// Pointers:
// `settings` points to settings, `stepper` to a place for the handle.
//
// Threads: any.
enum portamento_status portamento_stepper_gated(const struct portamento_gate_settings *settings,
                                                struct portamento_stepper *stepper);

// Frees a stepper.
//
// Threads: any, one at a time for each portamento_stepper; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_stepper_free(struct portamento_stepper stepper);

// Takes in a frame of `seconds` seconds. Run its ticks with `portamento_stepper_tick` until it returns
// `PORTAMENTO_NOTHING`, then draw `frame->moment`.
//
// Pointers:
// `frame` points to a place for the result.
//
// Threads: any, one at a time for each portamento_stepper; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_stepper_frame(struct portamento_stepper stepper,
                                                double seconds,
                                                struct portamento_frame *frame);

// Takes in a frame at `now`, a reading of your clock in seconds: the time since the reading before is the frame's. The
// first reading starts the clock.
//
// Pointers:
// `frame` points to a place for the result.
//
// Threads: any, one at a time for each portamento_stepper; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_stepper_frame_at(struct portamento_stepper stepper,
                                                   double now,
                                                   struct portamento_frame *frame);

// Steps a paused game by one tick.
//
// Pointers:
// `frame` points to a place for the result.
//
// Threads: any, one at a time for each portamento_stepper; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_stepper_step_once(struct portamento_stepper stepper,
                                                    struct portamento_frame *frame);

// Writes the next tick of the last frame; `PORTAMENTO_NOTHING` when all have been given.
//
// Pointers:
// `tick` points to a place for the result.
//
// Threads: any, one at a time for each portamento_stepper; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_stepper_tick(struct portamento_stepper stepper,
                                               struct portamento_tick *tick);

// Writes the moment drawn now, without moving it.
//
// Pointers:
// `moment` points to a place for the result.
//
// Threads: any, one at a time for each portamento_stepper; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_stepper_moment(struct portamento_stepper stepper,
                                                 struct portamento_moment *moment);

// Stops time. The picture keeps its place between two ticks.
//
// Threads: any, one at a time for each portamento_stepper; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_stepper_pause(struct portamento_stepper stepper);

// Lets time go on.
//
// Threads: any, one at a time for each portamento_stepper; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_stepper_resume(struct portamento_stepper stepper);

// Sets how many seconds are simulated per real second: 0.5 is slow motion.
//
// Threads: any, one at a time for each portamento_stepper; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_stepper_set_time_scale(struct portamento_stepper stepper, double scale);

// Sets another tick rate from the next tick on. An error for a gate, which has no rate.
//
// Threads: any, one at a time for each portamento_stepper; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_stepper_set_hz(struct portamento_stepper stepper, double hz);

// Changes how measured frame times are evened, as `snapping` and `display_hz` of the settings say: for a window that
// moves to another display. An error for a gate, which has no snapping.
//
// Threads: any, one at a time for each portamento_stepper; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_stepper_set_snapping(struct portamento_stepper stepper,
                                                       portamento_snapping snapping,
                                                       double display_hz);

// Reports that the world itself was cut: a level loaded, the player activated. Cut every track too.
//
// Threads: any, one at a time for each portamento_stepper; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_stepper_cut(struct portamento_stepper stepper);

// Writes what was counted.
//
// Pointers:
// `counts` points to a place for the result.
//
// Threads: any, one at a time for each portamento_stepper; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_stepper_get_counts(struct portamento_stepper stepper,
                                                     struct portamento_stepper_counts *counts);

// Makes a track for an entity that appears at `start`. Its first frame shows exactly `start`.
//
// Pointers:
// `start` points to a pose, `track` to a place for the handle.
//
// Threads: any.
enum portamento_status portamento_track_new(const struct portamento_pose64 *start,
                                            struct portamento_track *track);

// Makes a track that keeps `ends` ticks, 2 to 64, for a gate whose `ends_needed` (`portamento_stepper_get_counts`) is
// more than 8.
//
// Pointers:
// `start` points to a pose, `track` to a place for the handle.
//
// Threads: any.
enum portamento_status portamento_track_with_ends(const struct portamento_pose64 *start,
                                                  uint32_t ends,
                                                  struct portamento_track *track);

// Frees a track.
//
// Threads: any, one at a time for each portamento_track; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_track_free(struct portamento_track track);

// Takes the result of a tick, after collision. Call it in every tick, also when the entity did not move: that is how
// the view comes to rest.
//
// Pointers:
// `pose` points to a pose.
//
// Threads: any, one at a time for each portamento_track; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_track_push(struct portamento_track track,
                                             const struct portamento_pose64 *pose);

// Jumps to `pose` (spawn, teleport, respawn): no place between is ever drawn. Call it instead of
// `portamento_track_push` in its tick, or after it.
//
// Pointers:
// `pose` points to a pose.
//
// Threads: any, one at a time for each portamento_track; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_track_cut(struct portamento_track track,
                                            const struct portamento_pose64 *pose);

// Corrects the newest pose within its tick (a collision after the move): the picture glides there.
//
// Pointers:
// `pose` points to a pose.
//
// Threads: any, one at a time for each portamento_track; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_track_correct(struct portamento_track track,
                                                const struct portamento_pose64 *pose);

// Makes room for the saves of the last `count` ticks, 0 to 1024. Earlier saves are forgotten. It allocates.
//
// Threads: any, one at a time for each portamento_track; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_track_reserve_saves(struct portamento_track track, uint32_t count);

// Saves the truth after tick number `tick`, for rollback. As many of the newest saves are kept as
// `portamento_track_reserve_saves` made room for: without room it is `PORTAMENTO_FULL`.
//
// Threads: any, one at a time for each portamento_track; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_track_save(struct portamento_track track, uint64_t tick);

// Puts the truth back to what it was when `tick` was saved. Simulate the ticks since then with `portamento_track_push`
// before the next frame. What differs from before is drawn at once; a `portamento_predicted_track` lets it glide. A cut
// that has been reported is not reported again. `PORTAMENTO_NOTHING` if that tick was not saved, or is too long ago.
//
// Threads: any, one at a time for each portamento_track; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_track_restore(struct portamento_track track,
                                                uint64_t tick);

// Moves the world's origin: adds `shift` to everything remembered, saves too, so that nothing moves on the
// screen.
//
// Pointers:
// `shift` points to three numbers.
//
// Threads: any, one at a time for each portamento_track; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_track_rebase(struct portamento_track track, const double *shift);

// Writes the truth: the newest pose pushed.
//
// Pointers:
// `pose` points to a place for a pose.
//
// Threads: any, one at a time for each portamento_track; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_track_truth(struct portamento_track track, struct portamento_pose64 *pose);

// Writes the view at `moment`, without remembering it.
//
// Pointers:
// `moment` points to a moment, `view` to a place for a pose.
//
// Threads: any, one at a time for each portamento_track; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_track_view(struct portamento_track track,
                                             const struct portamento_moment *moment,
                                             struct portamento_pose64 *view);

// Writes the view at `moment` with the view of the frame before and whether a cut lies between: what cameras and motion
// vectors need. Call it once per frame.
//
// Pointers:
// `moment` points to a moment, `drawn` to a place for the result.
//
// Threads: any, one at a time for each portamento_track; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_track_draw(struct portamento_track track,
                                             const struct portamento_moment *moment,
                                             struct portamento_drawn *drawn);

// Writes 1 if the view at `moment` is the truth's own bits and stays so until the next change, otherwise 0.
//
// Pointers:
// `moment` points to a moment, `rests` to a place for a number.
//
// Threads: any, one at a time for each portamento_track; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_track_at_rest(struct portamento_track track,
                                                const struct portamento_moment *moment,
                                                uint32_t *rests);

// Makes the moment `alpha` of the way from the previous to the newest tick, for engines that run the ticks themselves.
// `presented` is how many seconds the picture advanced in this frame. Set `frame` to your frame's number, from 1, if you
// draw an entity more than once in a frame.
//
// Pointers:
// `moment` points to a place for the result.
//
// Threads: any.
enum portamento_status portamento_moment_at(double alpha,
                                            double presented,
                                            struct portamento_moment *moment);

// Fills `settings` with the defaults for a world where y is up and bodies face -z.
//
// Pointers:
// `settings` points to a place for the settings.
//
// Threads: any.
enum portamento_status portamento_waypoint_settings_y_up(struct portamento_waypoint_settings *settings);

// Fills `settings` with the defaults for a world where z is up and bodies face +y.
//
// Pointers:
// `settings` points to a place for the settings.
//
// Threads: any.
enum portamento_status portamento_waypoint_settings_z_up(struct portamento_waypoint_settings *settings);

// Fills `report` with one of a body that stands at `pose` outdoors and has teleported `teleport` times.
//
// Pointers:
// `pose` points to a pose, `report` to a place for the report.
//
// Threads: any.
enum portamento_status portamento_waypoint_report_new(uint16_t teleport,
                                                      const struct portamento_pose64 *pose,
                                                      struct portamento_waypoint_report *report);

// Makes an empty queue.
//
// Pointers:
// `settings` points to settings, `waypoints` to a place for the handle.
//
// Threads: any.
enum portamento_status portamento_waypoints_new(const struct portamento_waypoint_settings *settings,
                                                struct portamento_waypoints *waypoints);

// Frees a queue.
//
// Threads: any, one at a time for each portamento_waypoints; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_waypoints_free(struct portamento_waypoints waypoints);

// Takes in a report of the body, which is at `body` now. `turned` receives 1 if the body is there already and must turn
// to `heading`, a quaternion x, y, z, w; otherwise 0. Both may be null.
//
// Pointers:
// `body` and `report` point to what their types say, `heading` and `turned` to places for results or nothing.
//
// Threads: any, one at a time for each portamento_waypoints; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_waypoints_enqueue(struct portamento_waypoints waypoints,
                                                    const struct portamento_pose64 *body,
                                                    const struct portamento_waypoint_report *report,
                                                    float *heading,
                                                    uint32_t *turned);

// Adds a node that sets the velocity when its turn comes.
//
// Pointers:
// `velocity` points to three numbers.
//
// Threads: any, one at a time for each portamento_waypoints; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_waypoints_enqueue_velocity(struct portamento_waypoints waypoints,
                                                             const double *velocity);

// Adds a node that stops the body when its turn comes.
//
// Threads: any, one at a time for each portamento_waypoints; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_waypoints_enqueue_stop(struct portamento_waypoints waypoints);

// Forgets all nodes.
//
// Threads: any, one at a time for each portamento_waypoints; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_waypoints_stop(struct portamento_waypoints waypoints);

// Writes the step for this tick, before collision; `PORTAMENTO_NOTHING` if the queue asks for nothing: then use the
// animation's own motion.
//
// Pointers:
// `body` and `tick` point to what their types say, `step` to a place for the result.
//
// Threads: any, one at a time for each portamento_waypoints; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_waypoints_step(struct portamento_waypoints waypoints,
                                                 const struct portamento_pose64 *body,
                                                 const struct portamento_waypoint_tick *tick,
                                                 struct portamento_waypoint_step *step);

// Writes where `body` is after `step` if nothing is in its way. `after` may be `body`.
//
// Pointers:
// `step` and `body` point to what their types say, `after` to a place for a pose.
//
// Threads: any.
enum portamento_status portamento_waypoint_step_apply(const struct portamento_waypoint_step *step,
                                                      const struct portamento_pose64 *body,
                                                      struct portamento_pose64 *after);

// Ends a tick of `dt` seconds, with the body at `body` after collision. If it asks to be placed, answer with
// `portamento_waypoints_accept` or `portamento_waypoints_refuse`; it asks again in every tick until then.
//
// Pointers:
// `body` points to a pose, `outcome` to a place for the result.
//
// Threads: any, one at a time for each portamento_waypoints; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_waypoints_end_tick(struct portamento_waypoints waypoints,
                                                     const struct portamento_pose64 *body,
                                                     double dt,
                                                     struct portamento_waypoint_outcome *outcome);

// Confirms that the body was put where the last outcome asked. `PORTAMENTO_NOTHING` if something newer has replaced the
// request: then leave the body where it is.
//
// Threads: any, one at a time for each portamento_waypoints; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_waypoints_accept(struct portamento_waypoints waypoints);

// Declines the placement of the last outcome. Everything is kept, and the request repeated in the next tick.
//
// Threads: any, one at a time for each portamento_waypoints; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_waypoints_refuse(struct portamento_waypoints waypoints);

// Writes the state of the queue.
//
// Pointers:
// `state` points to a place for the result.
//
// Threads: any, one at a time for each portamento_waypoints; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_waypoints_get_state(struct portamento_waypoints waypoints,
                                                      struct portamento_waypoints_state *state);

// Moves the world's origin: adds `shift` to everything remembered.
//
// Pointers:
// `shift` points to three numbers.
//
// Threads: any, one at a time for each portamento_waypoints; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_waypoints_rebase(struct portamento_waypoints waypoints,
                                                   const double *shift);

// Writes what was counted.
//
// Pointers:
// `counts` points to a place for the result.
//
// Threads: any, one at a time for each portamento_waypoints; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_waypoints_get_counts(struct portamento_waypoints waypoints,
                                                       struct portamento_waypoint_counts *counts);

// Makes a body that is not in the world yet: its first report puts it there.
//
// Pointers:
// `settings` points to settings, `body` to a place for the handle.
//
// Threads: any.
enum portamento_status portamento_remote_body_new(const struct portamento_waypoint_settings *settings,
                                                  struct portamento_remote_body *body);

// Frees a body.
//
// Threads: any, one at a time for each portamento_remote_body; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_remote_body_free(struct portamento_remote_body body);

// Takes in a report of the body, which it puts `from_viewer` units from the viewer. `route` may be null; otherwise it
// receives what was done.
//
// Pointers:
// `report` points to a report, `route` to a place for the result or nothing.
//
// Threads: any, one at a time for each portamento_remote_body; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_remote_body_report(struct portamento_remote_body body,
                                                     const struct portamento_waypoint_report *report,
                                                     double from_viewer,
                                                     portamento_route *route);

// Begins a frame of `dt` seconds with the body `from_viewer` units from the viewer. Far bodies are not simulated; their
// time is lost, not saved up.
//
// Threads: any, one at a time for each portamento_remote_body; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_remote_body_frame(struct portamento_remote_body body,
                                                    double dt,
                                                    double from_viewer);

// Begins a tick and writes the step for your physics to take and to collide. `root` is the animation's own motion, or
// null for none. `PORTAMENTO_NOTHING`: the body is not in the world, or too far to be simulated.
//
// Pointers:
// `tick` points to a tick, `root` to a step or nothing, `step` to a place for the result.
//
// Threads: any, one at a time for each portamento_remote_body; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_remote_body_step(struct portamento_remote_body body,
                                                   const struct portamento_waypoint_tick *tick,
                                                   const struct portamento_waypoint_step *root,
                                                   struct portamento_waypoint_step *step);

// Ends a tick with the body at `truth` after collision.
//
// Pointers:
// `truth` points to a pose, `outcome` to a place for the result.
//
// Threads: any, one at a time for each portamento_remote_body; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_remote_body_moved(struct portamento_remote_body body,
                                                    const struct portamento_pose64 *truth,
                                                    struct portamento_waypoint_outcome *outcome);

// Runs one tick of a world without obstacles: the step, the whole of it, and every placement accepted. `place` of the
// outcome says where the body was put; it needs no answer.
//
// Pointers:
// `tick` points to a tick, `outcome` to a place for the result.
//
// Threads: any, one at a time for each portamento_remote_body; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_remote_body_walk(struct portamento_remote_body body,
                                                   const struct portamento_waypoint_tick *tick,
                                                   struct portamento_waypoint_outcome *outcome);

// Confirms that the body was put where the last outcome asked: the picture cuts there. `PORTAMENTO_NOTHING` if something
// newer has replaced the request.
//
// Threads: any, one at a time for each portamento_remote_body; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_remote_body_accept(struct portamento_remote_body body);

// Declines the placement of the last outcome. Everything is kept, and the request repeated in the next tick.
//
// Threads: any, one at a time for each portamento_remote_body; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_remote_body_refuse(struct portamento_remote_body body);

// Keeps the body beside a target at `target`, until the lease of a second is not renewed. `radii` is the sum of both
// radii.
//
// Pointers:
// `target` points to three numbers.
//
// Threads: any, one at a time for each portamento_remote_body; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_remote_body_stick_to(struct portamento_remote_body body,
                                                       const double *target,
                                                       double radii);

// Moves the target that the body sticks to, if there is one. This does not renew the lease.
//
// Pointers:
// `target` points to three numbers.
//
// Threads: any, one at a time for each portamento_remote_body; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_remote_body_follow(struct portamento_remote_body body,
                                                     const double *target);

// Releases the body from its target.
//
// Threads: any, one at a time for each portamento_remote_body; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_remote_body_release(struct portamento_remote_body body);

// Adds a velocity, in units per second, that the body is to have when it has reached everything reported.
//
// Pointers:
// `velocity` points to three numbers.
//
// Threads: any, one at a time for each portamento_remote_body; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_remote_body_enqueue_velocity(struct portamento_remote_body body,
                                                               const double *velocity);

// Adds a stop: the body is to stand when it has reached everything reported.
//
// Threads: any, one at a time for each portamento_remote_body; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_remote_body_enqueue_stop(struct portamento_remote_body body);

// Forgets all waypoints: the body stays where it is.
//
// Threads: any, one at a time for each portamento_remote_body; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_remote_body_stop(struct portamento_remote_body body);

// Moves the world's origin: adds `shift` to everything remembered, so that nothing moves on the screen.
//
// Pointers:
// `shift` points to three numbers.
//
// Threads: any, one at a time for each portamento_remote_body; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_remote_body_rebase(struct portamento_remote_body body, const double *shift);

// Writes how the body is at the moment.
//
// Pointers:
// `state` points to a place for the result.
//
// Threads: any, one at a time for each portamento_remote_body; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_remote_body_get_state(struct portamento_remote_body body,
                                                        struct portamento_remote_body_state *state);

// Writes what was counted.
//
// Pointers:
// `counts` points to a place for the result.
//
// Threads: any, one at a time for each portamento_remote_body; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_remote_body_get_counts(struct portamento_remote_body body,
                                                         struct portamento_waypoint_counts *counts);

// Writes where the body is; `PORTAMENTO_NOTHING` before its first report.
//
// Pointers:
// `truth` points to a place for the result.
//
// Threads: any, one at a time for each portamento_remote_body; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_remote_body_truth(struct portamento_remote_body body,
                                                    struct portamento_pose64 *truth);

// Writes what to draw at `moment`; `PORTAMENTO_NOTHING` before the first report. Call it once per frame.
//
// Pointers:
// `moment` points to a moment, `drawn` to a place for the result.
//
// Threads: any, one at a time for each portamento_remote_body; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_remote_body_draw(struct portamento_remote_body body,
                                                   const struct portamento_moment *moment,
                                                   struct portamento_drawn *drawn);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* PORTAMENTO_H */
