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
  // One more than the ticks run; 0 if unknown.
  uint64_t tick;
  // Which two ticks: 0 is the previous and the newest one, 1 the pair before.
  uint32_t back;
  // Number of the frame, from 1; 0 if unknown. Asked twice in the same frame, `portamento_track_draw` gives the same.
  uint32_t frame;
} portamento_moment;

// What `portamento_batch_frame` writes for each entity: one of the constants below.
typedef uint32_t portamento_form;

// Many entities of a large world. Make it with `portamento_batch64_new`, free it with `portamento_batch64_free`.
typedef struct portamento_batch64 {
  // The handle; 0 names nothing.
  uint64_t id;
} portamento_batch64;

// A position in double precision and an orientation, for large worlds.
typedef struct portamento_pose64 {
  // x, y, z.
  double position[3];
  // Unit quaternion x, y, z, w.
  float rotation[4];
} portamento_pose64;

// Settings of a chase camera. Fill it with `portamento_chase_settings_default`, then change what you like.
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

// A camera behind and above a body. Make it with `portamento_chase_new`, free it with `portamento_chase_free`.
typedef struct portamento_chase {
  // The handle; 0 names nothing.
  uint64_t id;
} portamento_chase;

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

// Settings of a follow camera. Fill it with `portamento_follow_settings_default`, then change what you like.
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
  // Reserved: zero.
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

// How much a block holds. Fill it with `portamento_shape_default`, then change what you like.
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
typedef struct portamento_stamp {
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
} portamento_stamp;

// Decides when ticks run. Make it with `portamento_stepper_fixed` or `portamento_stepper_gated`, free it with
// `portamento_stepper_free`.
typedef struct portamento_stepper {
  // The handle; 0 names nothing.
  uint64_t id;
} portamento_stepper;

// Settings of a playhead. Fill it with `portamento_playhead_settings_default`, then change what you like.
typedef struct portamento_playhead_settings {
  // Size of this struct in bytes.
  uint32_t size;
  // 0: estimates the writer's clock and stays a margin behind it. 1: from the arrival of the newest tick on, one
  // interval takes the picture from the tick before to it.
  uint32_t rule;
  // The nominal time from tick to tick, in seconds of the writer's clock.
  double interval;
  // Which lateness the margin covers: 0 the worst of the last seconds, 1 the median of the last ticks.
  uint32_t lateness;
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

// The world as one frame draws it.
typedef struct portamento_world {
  // The moment of the writer's clock that is drawn; `presented` is a camera's dt.
  struct portamento_shown shown;
  // The older of the two ticks around it.
  struct portamento_stamp from;
  // The newer; the same when only one is there.
  struct portamento_stamp to;
  // Where between the two the moment lies, 0 to 1.
  double alpha;
  // How many rows the entity table has, empty ones included: what `portamento_reader_entities` writes at most.
  uint32_t rows;
  // Reserved: zero.
  uint32_t reserved;
} portamento_world;

// One drawn entity.
typedef struct portamento_entity {
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
} portamento_entity;

// What a writer last reported of itself. 0: there was no writer yet. 1: it publishes, or was killed while it did. 2:
// it ended properly. 3: the file was replaced by another; open it again. 4: the block holds a number that means
// nothing.
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

// Settings of a history. Fill it with `portamento_history_settings_default`, then change what you like.
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

// What a message says of an entity of which only positions are reported.
typedef struct portamento_point_snapshot {
  // Where it is.
  double position[3];
  // How fast it moves, if `has_velocity` is 1: units per second.
  double velocity[3];
  // Counts its teleports: another number than in the snapshot before is a cut.
  uint32_t epoch;
  // 1 if the velocity is given.
  uint32_t has_velocity;
} portamento_point_snapshot;

// What a client drew of one entity in one frame: twelve bytes for the wire. `portamento_snapshots_claim` makes it.
typedef struct portamento_claim {
  // The bytes, as they are sent.
  uint8_t bytes[12];
} portamento_claim;

// What the shooter saw.
typedef struct portamento_rewound {
  // Where the entity was in the client's picture, to the bit, without the client's visual offset.
  struct portamento_pose64 pose;
  // The moment of the server's clock that it showed.
  double moment;
  // How far beside that the client drew it at most, because of a correction that faded.
  double offset;
  // 0 between two snapshots, 1 past the newest one the client had, 2 on one.
  uint32_t seen;
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

// Chooses which moment of another clock is drawn. Make it with `portamento_playhead_new`, free it with
// `portamento_playhead_free`.
typedef struct portamento_playhead {
  // The handle; 0 names nothing.
  uint64_t id;
} portamento_playhead;

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

// How far a picture is from its truth.
typedef struct portamento_offset_size {
  // In your unit.
  double length;
  // In radians.
  double angle;
} portamento_offset_size;

// How a visual offset fades. Fill it with `portamento_fading_default`, then change what you like.
typedef struct portamento_fading {
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
} portamento_fading;

// How a correction is hidden. Fill it with `portamento_predicted_settings_default`, then change what you like.
typedef struct portamento_predicted_settings {
  // Size of this struct in bytes.
  uint32_t size;
  // How many ticks `portamento_predicted_save` keeps, 0 to 1024.
  uint32_t saves;
  // How the offset fades.
  struct portamento_fading fading;
  // The picture is never farther from the truth than this; a jump of more than four times that is a cut.
  struct portamento_offset_size limit;
  // The picture is at most this many times as fast as the entity itself.
  double pace;
} portamento_predicted_settings;

// An entity that is predicted here, and corrected by a server or rolled back. Make it with `portamento_predicted_new`,
// free it with `portamento_predicted_free`.
typedef struct portamento_predicted {
  // The handle; 0 names nothing.
  uint64_t id;
} portamento_predicted;

// The distance from a truth of your own to its picture, fading. Make it with `portamento_offset_new`, free it with
// `portamento_offset_free`.
typedef struct portamento_offset {
  // The handle; 0 names nothing.
  uint64_t id;
} portamento_offset;

// Settings of a peer. Fill it with `portamento_peer_settings_default`, then change what you like.
typedef struct portamento_peer_settings {
  // Size of this struct in bytes.
  uint32_t size;
  // 0 the defaults, 1 for people who run and shoot, 2 for vehicles, 3 for units seen from above.
  uint32_t preset;
  // Messages per second.
  double hz;
  // Seconds from message to message, where the rate is not exact enough; 0 for 1 / `hz`.
  double interval;
  // How many seconds to extrapolate at most; negative for the preset's own, 0 for none.
  double extrapolate;
  // How fast what is left of a correction fades, per second; 0 for the preset's own.
  double fade;
  // After a gap, the way of this many seconds is glided back and not jumped; negative for the preset's own.
  double glide;
  // A step of this many times the usual way is a teleport; 0 for the preset's own.
  double jump;
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
  // Which life of the peer it is: goes up with every `portamento_peer_restart`.
  uint32_t life;
  // Reserved: zero.
  uint32_t reserved;
} portamento_peer_frame;

// One remote entity. Make it with `portamento_snapshots_new`, free it with `portamento_snapshots_free`.
typedef struct portamento_snapshots {
  // The handle; 0 names nothing.
  uint64_t id;
} portamento_snapshots;

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
  // Reserved: zero.
  uint32_t reserved;
} portamento_fixed_settings;

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

// Settings of waypoints. Fill it with `portamento_waypoint_settings_default`, then change what you like.
typedef struct portamento_waypoint_settings {
  // Size of this struct in bytes.
  uint32_t size;
  // How a stuck body is recognised: 0 by its share of the expected speed, 1 by an older rule.
  uint32_t rule;
  // Which way is up: a unit vector.
  double up[3];
  // Which way a body faces before any rotation: a unit vector.
  double ahead[3];
  // A body this near to a waypoint has reached it; two waypoints this near to each other are one.
  double there;
  // Rule 0: a stuck body this near to its waypoint counts as arrived.
  double close;
  // Less progress than this in a window counts as none.
  double least_progress;
  // Rule 1: this much progress in a window is always enough.
  double ample_progress;
  // The smallest share of progress: of the expected speed with rule 0, of the tick with rule 1.
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

// Position and rotation: 7 floats.
#define PORTAMENTO_POSES 0

// Position: 3 floats.
#define PORTAMENTO_POSITIONS 1

// A 3x4 matrix, row after row: 12 floats.
#define PORTAMENTO_MATRICES_3X4 2

// A 4x4 matrix, column after column: 16 floats.
#define PORTAMENTO_MATRICES_4X4 3

// Position in double precision and rotation, a `portamento_pose64`: only for `portamento_batch64_frame`, which then does
// not subtract the origin.
#define PORTAMENTO_POSES64 4

// Before the oldest tick that is kept, which is drawn: more ticks must be kept.
#define PORTAMENTO_PLACE_FORGOTTEN 0

// Between two ticks.
#define PORTAMENTO_PLACE_BETWEEN 1

// At the newest tick.
#define PORTAMENTO_PLACE_NEWEST 2

// Past the newest tick.
#define PORTAMENTO_PLACE_BEYOND 3

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

// Makes an empty batch that keeps `ends` ticks: 2 for a fixed step, for a gate as many as `ends_needed` of
// `portamento_stepper_get_counts`, 16 at most.
//
// Pointers:
// `batch` points to a place for the handle.
//
// Threads: any.
enum portamento_status portamento_batch_new(uint32_t ends, struct portamento_batch *batch);

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
enum portamento_status portamento_batch_add(struct portamento_batch batch,
                                            const struct portamento_pose *pose,
                                            struct portamento_row *row);

// Removes an entity.
//
// Threads: any, one at a time for each portamento_batch; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_batch_remove(struct portamento_batch batch, struct portamento_row row);

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
                                                  const struct portamento_row *rows,
                                                  size_t row_stride,
                                                  const struct portamento_pose *poses,
                                                  size_t pose_stride,
                                                  size_t count);

// The simulation corrects the newest pose of one entity within a tick (a collision after the move): the picture glides
// there.
//
// Pointers:
// `pose` points to a pose.
//
// Threads: any, one at a time for each portamento_batch; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_batch_correct(struct portamento_batch batch,
                                                struct portamento_row row,
                                                const struct portamento_pose *pose);

// Writes what the simulation says of one entity: the newest pose pushed.
//
// Pointers:
// `pose` points to a place for a pose.
//
// Threads: any, one at a time for each portamento_batch; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_batch_truth(struct portamento_batch batch,
                                              struct portamento_row row,
                                              struct portamento_pose *pose);

// A spawn, teleport or respawn of one entity: no place between is ever drawn.
//
// Pointers:
// `pose` points to a pose.
//
// Threads: any, one at a time for each portamento_batch; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_batch_cut(struct portamento_batch batch,
                                            struct portamento_row row,
                                            const struct portamento_pose *pose);

// Moves the world's origin: adds `shift` to everything remembered, so that nothing moves on the screen.
//
// Pointers:
// `shift` points to three numbers.
//
// Threads: any, one at a time for each portamento_batch; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_batch_rebase(struct portamento_batch batch, const float *shift);

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
                                              portamento_form form,
                                              float *out,
                                              size_t floats,
                                              struct portamento_row *moved,
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
                                                    portamento_form form,
                                                    float *out,
                                                    size_t floats,
                                                    struct portamento_row *moved,
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
                                                      portamento_form form,
                                                      float *out,
                                                      size_t stride,
                                                      size_t rows,
                                                      struct portamento_row *moved,
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
enum portamento_status portamento_batch64_add(struct portamento_batch64 batch,
                                              const struct portamento_pose64 *pose,
                                              struct portamento_row *row);

// Removes an entity.
//
// Threads: any, one at a time for each portamento_batch64; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_batch64_remove(struct portamento_batch64 batch, struct portamento_row row);

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

// A spawn, teleport or respawn of one entity: no place between is ever drawn.
//
// Pointers:
// `pose` points to a pose.
//
// Threads: any, one at a time for each portamento_batch64; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_batch64_cut(struct portamento_batch64 batch,
                                              struct portamento_row row,
                                              const struct portamento_pose64 *pose);

// The simulation corrects the newest pose of one entity within a tick (a collision after the move).
//
// Pointers:
// `pose` points to a pose.
//
// Threads: any, one at a time for each portamento_batch64; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_batch64_correct(struct portamento_batch64 batch,
                                                  struct portamento_row row,
                                                  const struct portamento_pose64 *pose);

// The world's origin moves: `shift` is added to everything that is remembered.
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
                                                portamento_form form,
                                                void *out,
                                                size_t stride,
                                                size_t rows,
                                                struct portamento_row *moved,
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

// Fills `settings` with the defaults: `z_up` 0 for a world where y is up and bodies face -z, 1 for one where z is up and
// bodies face +y.
//
// Pointers:
// `settings` points to a place for the settings.
//
// Threads: any.
enum portamento_status portamento_chase_settings_default(uint32_t z_up,
                                                         struct portamento_chase_settings *settings);

// Makes a chase camera. Its first update puts it in place.
//
// Pointers:
// `settings` points to settings, `camera` to a place for the handle.
//
// Threads: any.
enum portamento_status portamento_chase_new(const struct portamento_chase_settings *settings,
                                            struct portamento_chase *camera);

// Frees a chase camera.
//
// Threads: any, one at a time for each portamento_chase; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_chase_free(struct portamento_chase camera);

// Replaces the settings; the camera goes on from where it is.
//
// Pointers:
// `settings` points to settings.
//
// Threads: any, one at a time for each portamento_chase; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_chase_set(struct portamento_chase camera,
                                            const struct portamento_chase_settings *settings);

// Turns the camera: `orbit` and `pitch` in radians, as the mouse says. With an infinite `look_rate` it shows at once.
//
// Threads: any, one at a time for each portamento_chase; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_chase_look(struct portamento_chase camera,
                                             double orbit,
                                             double pitch);

// Starts anew at the target in the next update.
//
// Threads: any, one at a time for each portamento_chase; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_chase_cut(struct portamento_chase camera);

// Follows `body` through a frame in which the picture advanced by `seconds`: `presented` of the frame's moment.
// `collide` may be null; otherwise it keeps the eye out of walls and is handed `user`.
//
// Pointers:
// `body` points to what was drawn, `shot` to a place for the result; `collide` can be called with `user`.
//
// Threads: any, one at a time for each portamento_chase; a second one gets PORTAMENTO_BUSY.
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
//
// Threads: any.
enum portamento_status portamento_follow_settings_default(double width,
                                                          double height,
                                                          struct portamento_follow_settings *settings);

// Makes a follow camera. Its first update puts it over the target.
//
// Pointers:
// `settings` points to settings, `camera` to a place for the handle.
//
// Threads: any.
enum portamento_status portamento_follow_new(const struct portamento_follow_settings *settings,
                                             struct portamento_follow *camera);

// Frees a follow camera.
//
// Threads: any, one at a time for each portamento_follow; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_follow_free(struct portamento_follow camera);

// Replaces the settings; the camera goes on from where it is.
//
// Pointers:
// `settings` points to settings.
//
// Threads: any, one at a time for each portamento_follow; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_follow_set(struct portamento_follow camera,
                                             const struct portamento_follow_settings *settings);

// Follows a target drawn at `place` through a frame in which the picture advanced by `seconds`: `presented` of the
// frame's moment. `cut` is 1 if the target jumped.
//
// Pointers:
// `place` points to two numbers, `framing` to a place for the result.
//
// Threads: any, one at a time for each portamento_follow; a second one gets PORTAMENTO_BUSY.
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
//
// Threads: any, one at a time for each portamento_follow; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_follow_zoom_to(struct portamento_follow camera,
                                                 double zoom,
                                                 const double *about);

// Shakes the picture: `strength` from 0 to 1.
//
// Threads: any, one at a time for each portamento_follow; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_follow_shake(struct portamento_follow camera, double strength);

// Starts anew over the target in the next update.
//
// Threads: any, one at a time for each portamento_follow; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_follow_cut(struct portamento_follow camera);

// Converts a point of the screen into a place of the world, by the picture last drawn: what a click means.
//
// Pointers:
// `screen` points to two numbers, `world` to a place for two.
//
// Threads: any, one at a time for each portamento_follow; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_follow_to_world(struct portamento_follow camera,
                                                  const double *screen,
                                                  double *world);

// Fills `shape` with the defaults for `entities` entities: 8 ticks, 4 readers, f32 positions, no further columns.
//
// Pointers:
// `shape` points to a place for the shape.
//
// Threads: any.
enum portamento_status portamento_shape_default(uint32_t entities,
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
enum portamento_status portamento_exchange_get_shape(struct portamento_exchange exchange,
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
                                                 struct portamento_stamp *stamp);

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
                                                         struct portamento_stamp *stamp);

// Takes a seat at the block. `settings` choose what the reader draws: `portamento_playhead_settings_default` with the
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
                                               struct portamento_world *world);

// Writes all entities of the last frame, `stride` bytes apart (0 for an array without gaps), and how many there are to
// `count`. `capacity` is how many fit into your array: at least `rows` of the frame's world.
//
// Pointers:
// `entities` points to room for `capacity` entities, `stride` bytes apart, `count` to a place for the number.
//
// Threads: any, one at a time for each portamento_reader; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_reader_entities(struct portamento_reader reader,
                                                  struct portamento_entity *entities,
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
enum portamento_status portamento_reader_writer_state(struct portamento_reader reader,
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
enum portamento_status portamento_history_settings_default(double hz,
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
// `snapshot` points to a snapshot, `recorded` to a place for a number or nothing.
//
// Threads: any, one at a time for each portamento_history; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_history_record(struct portamento_history history,
                                                 double sent,
                                                 const struct portamento_snapshot *snapshot,
                                                 uint32_t *recorded);

// The same for a history of positions.
//
// Pointers:
// `snapshot` points to a snapshot, `recorded` to a place for a number or nothing.
//
// Threads: any, one at a time for each portamento_history; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_history_record_point(struct portamento_history history,
                                                       double sent,
                                                       const struct portamento_point_snapshot *snapshot,
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

// Fills `settings` with the defaults for a writer that ticks `hz` times per second: on the same machine if `network` is
// 0, otherwise behind a network.
//
// Pointers:
// `settings` points to a place for the settings.
//
// Threads: any.
enum portamento_status portamento_playhead_settings_default(double hz,
                                                            uint32_t network,
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
// `cut` is 1 if everything in it was cut. `observed` may be null; otherwise it receives what the tick was: 0 the
// newest, 1 not newer than the newest one, 2 unusable, because a time is NaN or infinite.
//
// Pointers:
// `observed` points to a place for a number or nothing.
//
// Threads: any, one at a time for each portamento_playhead; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_playhead_observe(struct portamento_playhead playhead,
                                                   double arrival,
                                                   double simulated,
                                                   uint32_t cut,
                                                   uint32_t *observed);

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

// Writes the place between the last two ticks that rule 1 draws; `PORTAMENTO_NOTHING` with the other rule, and before
// the first tick.
//
// Pointers:
// `alpha` points to a place for the result.
//
// Threads: any, one at a time for each portamento_playhead; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_playhead_alpha(struct portamento_playhead playhead,
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

// Takes in the pose of a tick that stands for `simulated` seconds. `cut` is 1 if it is a teleport: it is drawn from its
// own time on, and the pose before it until then. A time before the newest one counts as that one.
//
// Pointers:
// `pose` points to a pose.
//
// Threads: any, one at a time for each portamento_timeline; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_timeline_push(struct portamento_timeline timeline,
                                                double simulated,
                                                const struct portamento_pose64 *pose,
                                                uint32_t cut);

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
enum portamento_status portamento_fading_default(struct portamento_fading *fading);

// Fills `settings` with the defaults, for lengths in metres.
//
// Pointers:
// `settings` points to a place for the settings.
//
// Threads: any.
enum portamento_status portamento_predicted_settings_default(struct portamento_predicted_settings *settings);

// Makes a predicted entity that appears at `start`. `settings` may be null for the defaults.
//
// Pointers:
// `start` points to a pose, `settings` to settings or nothing, `predicted` to a place for the handle.
//
// Threads: any.
enum portamento_status portamento_predicted_new(const struct portamento_pose64 *start,
                                                const struct portamento_predicted_settings *settings,
                                                struct portamento_predicted *predicted);

// Frees a predicted entity.
//
// Threads: any, one at a time for each portamento_predicted; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_predicted_free(struct portamento_predicted predicted);

// Takes the result of a tick. Call it in every tick.
//
// Pointers:
// `pose` points to a pose.
//
// Threads: any, one at a time for each portamento_predicted; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_predicted_push(struct portamento_predicted predicted,
                                                 const struct portamento_pose64 *pose);

// Jumps to `pose` (spawn, teleport, respawn): no place between is ever drawn.
//
// Pointers:
// `pose` points to a pose.
//
// Threads: any, one at a time for each portamento_predicted; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_predicted_cut(struct portamento_predicted predicted,
                                                const struct portamento_pose64 *pose);

// Corrects the newest pose within its tick (a collision after the move).
//
// Pointers:
// `pose` points to a pose.
//
// Threads: any, one at a time for each portamento_predicted; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_predicted_correct(struct portamento_predicted predicted,
                                                    const struct portamento_pose64 *pose);

// Replaces the newest pose by the server's (reconciliation without rollback): the truth jumps to `pose`, the picture
// glides.
//
// Pointers:
// `pose` points to a pose.
//
// Threads: any, one at a time for each portamento_predicted; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_predicted_reconcile(struct portamento_predicted predicted,
                                                      const struct portamento_pose64 *pose);

// Saves the truth after tick number `tick`, for rollback. Saved ticks that lie less than `saves` (of the settings)
// before the newest are kept.
//
// Threads: any, one at a time for each portamento_predicted; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_predicted_save(struct portamento_predicted predicted,
                                                 uint64_t tick);

// Puts the truth back to what it was when `tick` was saved. Simulate the ticks since then with
// `portamento_predicted_push` before the next frame; what differs from before glides. `PORTAMENTO_NOTHING` if that
// tick was not saved, or is too long ago.
//
// Threads: any, one at a time for each portamento_predicted; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_predicted_restore(struct portamento_predicted predicted,
                                                    uint64_t tick);

// Moves the world's origin: adds `shift` to everything remembered, so that nothing moves on the screen. Saves are
// forgotten.
//
// Pointers:
// `shift` points to three numbers.
//
// Threads: any, one at a time for each portamento_predicted; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_predicted_rebase(struct portamento_predicted predicted,
                                                   const double *shift);

// Writes the truth: the newest pose pushed.
//
// Pointers:
// `pose` points to a place for a pose.
//
// Threads: any, one at a time for each portamento_predicted; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_predicted_truth(struct portamento_predicted predicted,
                                                  struct portamento_pose64 *pose);

// Writes the view at `moment` with the view of the frame before and whether a cut lies between. Call it once per frame.
//
// Pointers:
// `moment` points to a moment, `drawn` to a place for the result.
//
// Threads: any, one at a time for each portamento_predicted; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_predicted_draw(struct portamento_predicted predicted,
                                                 const struct portamento_moment *moment,
                                                 struct portamento_drawn *drawn);

// Writes how far the picture is from the truth.
//
// Pointers:
// `size` points to a place for the result.
//
// Threads: any, one at a time for each portamento_predicted; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_predicted_offset(struct portamento_predicted predicted,
                                                   struct portamento_offset_size *size);

// Makes a visual offset of zero, for jumps of a truth that you draw yourself.
//
// Pointers:
// `offset` points to a place for the handle.
//
// Threads: any.
enum portamento_status portamento_offset_new(struct portamento_offset *offset);

// Frees a visual offset.
//
// Threads: any, one at a time for each portamento_offset; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_offset_free(struct portamento_offset offset);

// Hides a jump of the truth from `from` to `to`: the picture stays where it is, at most `limit` from the truth.
// `absorbed` may be null; otherwise it receives what became of the jump: 0 all of it is in the offset, 1 a part of it
// is seen, 2 it was too far, and all of it is seen.
//
// Pointers:
// `from`, `to` and `limit` point to what their types say, `absorbed` to a place for a number or nothing.
//
// Threads: any, one at a time for each portamento_offset; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_offset_absorb(struct portamento_offset offset,
                                                const struct portamento_pose64 *from,
                                                const struct portamento_pose64 *to,
                                                const struct portamento_offset_size *limit,
                                                uint32_t *absorbed);

// Lets `seconds` pass: once per frame, `presented` of the frame's moment. `fading` may be null for the defaults.
//
// Pointers:
// `fading` points to settings or nothing.
//
// Threads: any, one at a time for each portamento_offset; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_offset_fade(struct portamento_offset offset,
                                              double seconds,
                                              const struct portamento_fading *fading);

// Writes what is drawn for `truth`. `view` may be `truth`.
//
// Pointers:
// `truth` points to a pose, `view` to a place for one.
//
// Threads: any, one at a time for each portamento_offset; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_offset_apply(struct portamento_offset offset,
                                               const struct portamento_pose64 *truth,
                                               struct portamento_pose64 *view);

// Puts the picture on the truth at once: after a cut.
//
// Threads: any, one at a time for each portamento_offset; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_offset_clear(struct portamento_offset offset);

// Writes how far the picture is from the truth; zeros when it is exactly on it.
//
// Pointers:
// `size` points to a place for the result.
//
// Threads: any, one at a time for each portamento_offset; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_offset_get_size(struct portamento_offset offset,
                                                  struct portamento_offset_size *size);

// Fills `settings` with the defaults for a peer that sends `hz` messages per second.
//
// Pointers:
// `settings` points to a place for the settings.
//
// Threads: any.
enum portamento_status portamento_peer_settings_default(double hz, struct portamento_peer_settings *settings);

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
enum portamento_status portamento_peer_draw(struct portamento_peer peer,
                                            double now,
                                            struct portamento_peer_frame *frame);

// Makes an entity of which nothing is known yet.
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
// `snapshot` points to a snapshot, `result` to a place for a number or nothing.
//
// Threads: any, one at a time for each portamento_peer and each portamento_snapshots; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_snapshots_insert(struct portamento_snapshots snapshots,
                                                   struct portamento_peer peer,
                                                   const struct portamento_snapshot *snapshot,
                                                   portamento_inserted *result);

// The same for an entity that was made with `portamento_snapshots_new_points`.
//
// Pointers:
// `snapshot` points to a snapshot, `result` to a place for a number or nothing.
//
// Threads: any, one at a time for each portamento_peer and each portamento_snapshots; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_snapshots_insert_point(struct portamento_snapshots snapshots,
                                                         struct portamento_peer peer,
                                                         const struct portamento_point_snapshot *snapshot,
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
enum portamento_status portamento_fixed_settings_default(double hz,
                                                         struct portamento_fixed_settings *settings);

// Makes a stepper with a fixed step.
//
// Pointers:
// `settings` points to settings, `stepper` to a place for the handle.
//
// Threads: any.
enum portamento_status portamento_stepper_fixed(const struct portamento_fixed_settings *settings,
                                                struct portamento_stepper *stepper);

// Fills `settings` with the defaults of a quantum gate: ticks of 1/30 to 0.2 s, drawn evenly.
//
// Pointers:
// `settings` points to a place for the settings.
//
// Threads: any.
enum portamento_status portamento_gate_settings_default(uint32_t rule,
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
enum portamento_status portamento_stepper_set_rate(struct portamento_stepper stepper, double hz);

// Changes how measured frame times are evened, as `snapping` and `display_hz` of the settings say: for a window that
// moves to another display. An error for a gate, which has no snapping.
//
// Threads: any, one at a time for each portamento_stepper; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_stepper_set_snapping(struct portamento_stepper stepper,
                                                       uint32_t snapping,
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
enum portamento_status portamento_track_new_with_ends(const struct portamento_pose64 *start,
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

// Moves the world's origin: adds `shift` to everything remembered, so that nothing moves on the screen.
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

// Fills `settings` with the defaults: `z_up` 0 for a world where y is up and bodies face -z, 1 for one where z is up and
// bodies face +y; `rule` as in the struct.
//
// Pointers:
// `settings` points to a place for the settings.
//
// Threads: any.
enum portamento_status portamento_waypoint_settings_default(uint32_t z_up,
                                                            uint32_t rule,
                                                            struct portamento_waypoint_settings *settings);

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
                                                    const struct portamento_report *report,
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
                                                 struct portamento_step *step);

// Writes where `body` is after `step` if nothing is in its way. `after` may be `body`.
//
// Pointers:
// `step` and `body` point to what their types say, `after` to a place for a pose.
//
// Threads: any.
enum portamento_status portamento_step_apply(const struct portamento_step *step,
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
                                                     struct portamento_outcome *outcome);

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

// Takes in a report of the body. It puts the body `from_viewer` units from the viewer. `route` may be null; otherwise
// it receives what was done: 0 refused as stale, 1 cut there, 2 ignored in the air, 3 placed there, 4 it walks there.
//
// Pointers:
// `report` points to a report, `route` to a place for the result or nothing.
//
// Threads: any, one at a time for each portamento_remote_body; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_remote_body_report(struct portamento_remote_body body,
                                                     const struct portamento_report *report,
                                                     double from_viewer,
                                                     uint32_t *route);

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
                                                   const struct portamento_step *root,
                                                   struct portamento_step *step);

// Ends a tick with the body at `truth` after collision.
//
// Pointers:
// `truth` points to a pose, `outcome` to a place for the result.
//
// Threads: any, one at a time for each portamento_remote_body; a second one gets PORTAMENTO_BUSY.
enum portamento_status portamento_remote_body_moved(struct portamento_remote_body body,
                                                    const struct portamento_pose64 *truth,
                                                    struct portamento_outcome *outcome);

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
