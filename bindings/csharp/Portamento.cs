// portamento for C# 7.0 and up (Unity, Mono, .NET, MonoGame): the C interface with owners and plain structs.
//
// Add this file to your project and put the native library (libportamento_c.so, portamento_c.dll, libportamento_c.dylib)
// where it is found. No other file, no unsafe code.
//
//     stepper.Frame(frameSeconds);
//     while (stepper.Tick(out double dt)) { body.Integrate(dt); player.Push(body.Position, body.Rotation); }
//     Pose drawn = player.Draw(stepper.Moment);
//
// Poses: Pose has a position in floats, as batches hold and renderers take it; Pose64 one in doubles, as everything else
// has it. A Drawn becomes either by itself.
//
// A call that fails throws PortamentoException with the library's words; an object that was disposed of throws
// ObjectDisposedException. Nothing else makes garbage: all structs are blittable, arrays are pinned and not copied.
// One thread at a time may use an object; a second one gets an exception with Status.Busy.
//
// Symbols: PORTAMENTO_NUMERICS adds conversions from and to System.Numerics (on by itself where the compiler says that the
// target is .NET Core or .NET Standard 2.1), PORTAMENTO_SPANS overloads with spans (likewise). Under Unity the conversions
// from and to UnityEngine's Vector3 and Quaternion are there by themselves.
#if NETCOREAPP || NETSTANDARD2_1 || NETSTANDARD2_1_OR_GREATER
#define PORTAMENTO_NUMERICS
#define PORTAMENTO_SPANS
#endif
#if UNITY_2021_2_OR_NEWER
#define PORTAMENTO_SPANS
#endif
using System;
using System.Runtime.InteropServices;
using System.Security;

namespace Portamento
{
    /// <summary>What the library answered when it could not do what it was asked for.</summary>
    public sealed class PortamentoException : Exception
    {
        internal PortamentoException(Status status, string words) : base(words)
        {
            Status = status;
        }

        /// <summary>The kind of failure.</summary>
        public Status Status { get; private set; }
    }

    /// <summary>The answers of the native library.</summary>
    public enum Status
    {
        /// <summary>It worked.</summary>
        Ok = 0,
        /// <summary>There is nothing to give yet.</summary>
        Nothing = 1,
        /// <summary>The object was freed, or is of another kind.</summary>
        UnknownHandle = 2,
        /// <summary>Another thread, or a callback, is using this object at the moment.</summary>
        Busy = 3,
        /// <summary>A pointer that is needed is null.</summary>
        Null = 4,
        /// <summary>This file and the native library are of different versions.</summary>
        WrongSize = 5,
        /// <summary>A setting can never work.</summary>
        BadSetting = 6,
        /// <summary>A value cannot be used: not finite, not of unit length, out of range.</summary>
        BadValue = 7,
        /// <summary>An array is too short for the result.</summary>
        TooShort = 8,
        /// <summary>There is no room for more.</summary>
        Full = 9,
        /// <summary>The operating system refused.</summary>
        System = 10,
        /// <summary>The library met a bug of its own. Please report the text of the error.</summary>
        Bug = 11,
        /// <summary>Memory or a file is not a block of an exchange that this library can use.</summary>
        BadBlock = 12,
        /// <summary>A claim was refused: the client cannot have seen what it names.</summary>
        Refused = 13,
    }

    /// <summary>Three doubles: a position in a large world, a direction, a velocity.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Double3
    {
        public double X, Y, Z;

        public Double3(double x, double y, double z)
        {
            X = x;
            Y = y;
            Z = z;
        }

        public static Double3 operator +(Double3 a, Double3 b)
        {
            return new Double3(a.X + b.X, a.Y + b.Y, a.Z + b.Z);
        }

        public static Double3 operator -(Double3 a, Double3 b)
        {
            return new Double3(a.X - b.X, a.Y - b.Y, a.Z - b.Z);
        }

        public static Double3 operator *(Double3 a, double b)
        {
            return new Double3(a.X * b, a.Y * b, a.Z * b);
        }

        /// <summary>The distance from the origin.</summary>
        public double Length
        {
            get { return Math.Sqrt(X * X + Y * Y + Z * Z); }
        }

#if PORTAMENTO_NUMERICS
        public static implicit operator Double3(System.Numerics.Vector3 v)
        {
            return new Double3(v.X, v.Y, v.Z);
        }

        public static explicit operator System.Numerics.Vector3(Double3 v)
        {
            return new System.Numerics.Vector3((float)v.X, (float)v.Y, (float)v.Z);
        }
#endif
#if UNITY_5_3_OR_NEWER
        public static implicit operator Double3(UnityEngine.Vector3 v)
        {
            return new Double3(v.x, v.y, v.z);
        }

        public static explicit operator UnityEngine.Vector3(Double3 v)
        {
            return new UnityEngine.Vector3((float)v.X, (float)v.Y, (float)v.Z);
        }
#endif
    }

    /// <summary>Two doubles: a place of a flat world or of the screen.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Double2
    {
        public double X, Y;

        public Double2(double x, double y)
        {
            X = x;
            Y = y;
        }
    }

    /// <summary>Three floats, laid out as System.Numerics.Vector3 and UnityEngine.Vector3 are.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Float3
    {
        public float X, Y, Z;

        public Float3(float x, float y, float z)
        {
            X = x;
            Y = y;
            Z = z;
        }

#if PORTAMENTO_NUMERICS
        public static implicit operator Float3(System.Numerics.Vector3 v)
        {
            return new Float3(v.X, v.Y, v.Z);
        }

        public static implicit operator System.Numerics.Vector3(Float3 v)
        {
            return new System.Numerics.Vector3(v.X, v.Y, v.Z);
        }
#endif
#if UNITY_5_3_OR_NEWER
        public static implicit operator Float3(UnityEngine.Vector3 v)
        {
            return new Float3(v.x, v.y, v.z);
        }

        public static implicit operator UnityEngine.Vector3(Float3 v)
        {
            return new UnityEngine.Vector3(v.X, v.Y, v.Z);
        }
#endif
    }

    /// <summary>A unit quaternion, laid out as System.Numerics.Quaternion and UnityEngine.Quaternion are.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Quaternion4
    {
        public float X, Y, Z, W;

        public Quaternion4(float x, float y, float z, float w)
        {
            X = x;
            Y = y;
            Z = z;
            W = w;
        }

        /// <summary>Not turned.</summary>
        public static Quaternion4 Identity
        {
            get { return new Quaternion4(0f, 0f, 0f, 1f); }
        }

        /// <summary>The same direction with unit length; this must have a length.</summary>
        public Quaternion4 Normalized
        {
            get
            {
                Quaternion4 unit;
                Native.Check(Native.portamento_normalize(ref this, out unit));
                return unit;
            }
        }

#if PORTAMENTO_NUMERICS
        public static implicit operator Quaternion4(System.Numerics.Quaternion q)
        {
            return new Quaternion4(q.X, q.Y, q.Z, q.W);
        }

        public static implicit operator System.Numerics.Quaternion(Quaternion4 q)
        {
            return new System.Numerics.Quaternion(q.X, q.Y, q.Z, q.W);
        }
#endif
#if UNITY_5_3_OR_NEWER
        public static implicit operator Quaternion4(UnityEngine.Quaternion q)
        {
            return new Quaternion4(q.x, q.y, q.z, q.w);
        }

        public static implicit operator UnityEngine.Quaternion(Quaternion4 q)
        {
            return new UnityEngine.Quaternion(q.X, q.Y, q.Z, q.W);
        }
#endif
    }

    /// <summary>A position in double precision and an orientation.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Pose64
    {
        public Double3 Position;
        public Quaternion4 Rotation;

        public Pose64(Double3 position, Quaternion4 rotation)
        {
            Position = position;
            Rotation = rotation;
        }

        /// <summary>A pose at a place, not turned.</summary>
        public static Pose64 At(double x, double y, double z)
        {
            return new Pose64(new Double3(x, y, z), Quaternion4.Identity);
        }

        /// <summary>The pose `alpha` of the way from one to the other, as tracks draw it.</summary>
        public static Pose64 Blend(Pose64 from, Pose64 to, double alpha)
        {
            Pose64 between;
            Native.Check(Native.portamento_blend_poses(ref from, ref to, alpha, out between));
            return between;
        }

        /// <summary>The same with true slerp for the rotation: constant angular speed.</summary>
        public static Pose64 Slerp(Pose64 from, Pose64 to, double alpha)
        {
            Pose64 between;
            Native.Check(Native.portamento_slerp_poses(ref from, ref to, alpha, out between));
            return between;
        }
    }

    /// <summary>A position in single precision and an orientation: what batches hold, and what renderers take.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Pose
    {
        public Float3 Position;
        public Quaternion4 Rotation;

        public Pose(Float3 position, Quaternion4 rotation)
        {
            Position = position;
            Rotation = rotation;
        }

        /// <summary>With the position in doubles.</summary>
        public static implicit operator Pose64(Pose pose)
        {
            Double3 position = new Double3(pose.Position.X, pose.Position.Y, pose.Position.Z);
            return new Pose64(position, pose.Rotation);
        }

        /// <summary>With the position rounded to floats.</summary>
        public static explicit operator Pose(Pose64 pose)
        {
            Float3 position =
                new Float3((float)pose.Position.X, (float)pose.Position.Y, (float)pose.Position.Z);
            return new Pose(position, pose.Rotation);
        }

        /// <summary>A pose at a place, not turned.</summary>
        public static Pose At(float x, float y, float z)
        {
            return new Pose(new Float3(x, y, z), Quaternion4.Identity);
        }
    }

    /// <summary>The moment between two ticks that a frame draws.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Moment
    {
        /// <summary>Place between the two ticks, 0 to 1.</summary>
        public double Alpha;
        /// <summary>How far past the newest tick, in ticks.</summary>
        public double Beyond;
        /// <summary>How many seconds the picture advanced in this frame: a camera's dt.</summary>
        public double Presented;
        /// <summary>One more than the ticks run; 0 if unknown.</summary>
        public ulong Tick;
        /// <summary>Which two ticks: 0 is the previous and the newest one.</summary>
        public uint Back;
        /// <summary>Number of the frame, from 1; 0 if unknown. An entity drawn twice in one frame is the same then.</summary>
        public uint Frame;

        /// <summary>
        /// The moment of an engine that runs the ticks itself: its alpha, and the seconds that the picture advanced.
        /// </summary>
        public static Moment At(double alpha, double presented)
        {
            Native.CheckVersion();
            Moment moment;
            Native.Check(Native.portamento_moment_at(alpha, presented, out moment));
            return moment;
        }
    }

    /// <summary>
    /// How many seconds the picture advanced in a frame: what cameras take. A Moment, a PeerFrame, a WorldFrame and a Shown are
    /// one by themselves; a number of seconds becomes one by name.
    /// </summary>
    public struct Presented
    {
        public readonly double Seconds;

        Presented(double seconds)
        {
            Seconds = seconds;
        }

        public static Presented FromSeconds(double seconds)
        {
            return new Presented(seconds);
        }

        public static implicit operator Presented(Moment moment)
        {
            return new Presented(moment.Presented);
        }

        public static implicit operator Presented(PeerFrame frame)
        {
            return new Presented(frame.Presented);
        }

        public static implicit operator Presented(Shown shown)
        {
            return new Presented(shown.Presented);
        }

        public static implicit operator Presented(WorldFrame world)
        {
            return new Presented(world.Shown.Presented);
        }
    }

    /// <summary>A pose as drawn in this frame and in the one before.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Drawn
    {
        public Pose64 Now;
        public Pose64 Before;
        uint cut;
        uint reserved;

        /// <summary>Something that your own code drew, for a camera to follow.</summary>
        public Drawn(Pose64 now, Pose64 before, bool cut)
        {
            Now = now;
            Before = before;
            this.cut = cut ? 1u : 0u;
            reserved = 0;
        }

        /// <summary>A cut lies between the two: no motion blur, no camera damping across it.</summary>
        public bool Cut
        {
            get { return cut != 0; }
        }

        /// <summary>Where it is drawn in this frame.</summary>
        public static implicit operator Pose64(Drawn drawn)
        {
            return drawn.Now;
        }

        /// <summary>Where it is drawn in this frame, with the position in floats: what a renderer takes.</summary>
        public static implicit operator Pose(Drawn drawn)
        {
            return (Pose)drawn.Now;
        }
    }

    /// <summary>One step of the simulation.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Tick
    {
        /// <summary>Counted from 0 over the stepper's life.</summary>
        public ulong Number;
        /// <summary>Length in seconds.</summary>
        public double Dt;
        /// <summary>Simulated seconds at its end.</summary>
        public double Time;
    }

    /// <summary>Why time of a frame was not simulated.</summary>
    public enum LostReason : uint
    {
        None = 0,
        /// <summary>The frame was longer than MaxFrame.</summary>
        LongFrame = 1,
        /// <summary>More than MaxTicks ticks were due.</summary>
        TickLimit = 2,
        /// <summary>A gate's pending time was beyond Huge: thrown away.</summary>
        Stale = 3,
        /// <summary>The frame was too short to count.</summary>
        Tiny = 4,
    }

    /// <summary>What a stepper has counted.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct StepperCounts
    {
        public ulong Ticks;
        /// <summary>Frame times that no clock should give: NaN, infinite, zero, negative.</summary>
        public ulong Unusable;
        /// <summary>Seconds lost, for whatever reason.</summary>
        public double Lost;
        /// <summary>Seconds that snapping has added, or taken away if negative.</summary>
        public double Drift;
        /// <summary>Simulated seconds: the sum of all ticks.</summary>
        public double Simulated;
        /// <summary>Simulated seconds per real second now; 0 while paused.</summary>
        public double TimeScale;
        /// <summary>How many ticks a track or batch must keep to draw every moment.</summary>
        public uint EndsNeeded;
        uint snapping;

        /// <summary>Whether frame times are snapped at present.</summary>
        public bool Snapping
        {
            get { return snapping != 0; }
        }
    }

    /// <summary>Where a chase camera is in one frame.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Shot
    {
        /// <summary>Where the eye is, after collision.</summary>
        public Double3 Eye;
        /// <summary>The direction it looks in, a unit vector.</summary>
        public Double3 Forward;
        /// <summary>The point of the body that it follows.</summary>
        public Double3 Pivot;
        /// <summary>The direction as a unit quaternion.</summary>
        public Quaternion4 Rotation;
        /// <summary>How much of the body to show: 0 (the eye is in it) to 1.</summary>
        public float BodyOpacity;
        uint reserved;
    }

    /// <summary>How a chase camera moves.</summary>
    public enum ChaseRule : uint
    {
        /// <summary>Solved exactly: the same lag at every frame rate.</summary>
        Smooth = 0,
        /// <summary>A share of the way in each frame.</summary>
        PerFrame = 1,
    }

    /// <summary>Settings of a chase camera: ChaseSettings.YUp() or ZUp(), and change what you like.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct ChaseSettings
    {
        uint size;
        public ChaseRule Rule;
        /// <summary>How fast the position closes its distance, per second; infinite is rigid.</summary>
        public double Rate;
        /// <summary>The same for heading and pitch; infinite for mouse look.</summary>
        public double LookRate;
        public Double3 Up, Ahead;
        /// <summary>Height of the look-at point above the body's position.</summary>
        public double Lift;
        /// <summary>From that point to the eye; 0 for first person.</summary>
        public double Distance;
        /// <summary>Radians that the camera looks down.</summary>
        public double Pitch;
        /// <summary>Angle in radians between the camera and straight behind, counterclockwise seen from
        /// above.</summary>
        public double Orbit;
        /// <summary>Distances from the eye: up to X the body is invisible, from Y on fully visible.</summary>
        public Double2 Fade;
        /// <summary>
        /// While the body rises, the camera keeps its height until the body is this much higher; negative: it follows both
        /// ways.
        /// </summary>
        public double HeightHold;
        /// <summary>The last of the way is taken in one step when no more than this is left.</summary>
        public double Settle;

        /// <summary>y is up and bodies face -z.</summary>
        public static ChaseSettings YUp()
        {
            Native.CheckVersion();
            ChaseSettings settings;
            Native.Check(Native.portamento_chase_settings_y_up(out settings));
            return settings;
        }

        /// <summary>z is up and bodies face +y.</summary>
        public static ChaseSettings ZUp()
        {
            Native.CheckVersion();
            ChaseSettings settings;
            Native.Check(Native.portamento_chase_settings_z_up(out settings));
            return settings;
        }
    }

    /// <summary>How a follow camera moves.</summary>
    public enum FollowRule : uint
    {
        /// <summary>Solved exactly, with Rate: the same lag at every frame rate.</summary>
        Smooth = 0,
        /// <summary>The usual rule, with Smoothing and Speed: a share of the way in each frame.</summary>
        Exponential = 1,
    }

    /// <summary>Which way the world's y runs on the screen.</summary>
    public enum ScreenY : uint
    {
        Down = 0,
        Up = 1,
    }

    /// <summary>How a picture shakes.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct ShakeSettings
    {
        /// <summary>Pixels at full strength, along each axis.</summary>
        public double Reach;
        /// <summary>Seconds in which full strength fades to nothing.</summary>
        public double Seconds;
        /// <summary>Changes of direction per second, about.</summary>
        public double Hz;
        /// <summary>Another seed gives another shake.</summary>
        public ulong Seed;
        uint ownTime;
        uint reserved;

        /// <summary>Whether the shake advances by AdvanceShake, so that it goes on while the game is paused.</summary>
        public bool OwnTime
        {
            get { return ownTime != 0; }
            set { ownTime = value ? 1u : 0u; }
        }
    }

    /// <summary>Settings of a follow camera: new FollowSettings(width, height), and change what you like.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct FollowSettings
    {
        uint size;
        public FollowRule Rule;
        /// <summary>Smooth: how fast the centre closes its distance, per second, along each axis; infinite is rigid.</summary>
        public Double2 Rate;
        /// <summary>Exponential: what is left of the way after a 60th of a second at speed 1, 0 to below 1.</summary>
        public double Smoothing;
        /// <summary>Exponential: how many times as fast.</summary>
        public double Speed;
        /// <summary>Width and height of the viewport in pixels.</summary>
        public Double2 Viewport;
        /// <summary>The viewport's upper left corner in the window, for a split screen.</summary>
        public Double2 Origin;
        /// <summary>Pixels per unit of the world; while several targets are framed, the most.</summary>
        public double Zoom;
        /// <summary>The least and the most that zooming reaches.</summary>
        public Double2 ZoomWithin;
        Double2 boundsMin, boundsMax;
        /// <summary>Width and height in pixels around the centre in which the target moves without moving the picture.</summary>
        public Double2 DeadZone;
        /// <summary>Seconds of its motion to look ahead of a moving target, along each axis.</summary>
        public Double2 LookAhead;
        /// <summary>Pixels kept free around several targets.</summary>
        public double FitMargin;
        /// <summary>How fast everything else glides, per second: the look-ahead, the zoom back in, the scroll to new bounds.</summary>
        public double EaseRate;
        /// <summary>The last of the way is taken in one step when no more pixels than this are left.</summary>
        public double Settle;
        public ShakeSettings Shake;
        uint bounded;
        /// <summary>Which way the world's y runs on the screen.</summary>
        public ScreenY Y;

        /// <summary>The defaults for a screen of this many pixels.</summary>
        public FollowSettings(double width, double height)
        {
            Native.CheckVersion();
            Native.Check(Native.portamento_follow_settings_new(width, height, out this));
        }

        /// <summary>Nothing beyond these corners shows.</summary>
        public void SetBounds(Double2 min, Double2 max)
        {
            boundsMin = min;
            boundsMax = max;
            bounded = 1;
        }
    }

    /// <summary>One of several targets of a follow camera.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct FollowTarget
    {
        public Double2 Place;
        uint cut;
        uint reserved;

        /// <summary>A target drawn at a place; cut if it jumped.</summary>
        public FollowTarget(Double2 place, bool cut)
        {
            Place = place;
            this.cut = cut ? 1u : 0u;
            reserved = 0;
        }

        public static implicit operator FollowTarget(Drawn drawn)
        {
            return new FollowTarget(new Double2(drawn.Now.Position.X, drawn.Now.Position.Y), drawn.Cut);
        }
    }

    /// <summary>What a camera was given and could not use.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct CameraCounts
    {
        public ulong Targets, Times, Places, Requests;
    }

    /// <summary>One frame's picture of a flat world.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Framing
    {
        /// <summary>The place of the world in the middle of the picture.</summary>
        public Double2 Centre;
        /// <summary>The place of the world in the picture's corner: what to subtract when drawing.</summary>
        public Double2 Offset;
        public Double2 VisibleMin, VisibleMax;
        /// <summary>Pixels per unit of the world.</summary>
        public double Zoom;
    }

    /// <summary>How a quantum gate runs and draws.</summary>
    public enum GateRule : uint
    {
        /// <summary>All pending time at once, drawn evenly.</summary>
        Even = 0,
        /// <summary>All pending time at once.</summary>
        AllAtOnce = 1,
        /// <summary>At most one tick per frame.</summary>
        OneAtATime = 2,
    }

    /// <summary>Settings of a quantum gate.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct GateSettings
    {
        uint size;
        public GateRule Rule;
        /// <summary>The shortest tick in seconds.</summary>
        public double Min;
        /// <summary>The longest tick in seconds.</summary>
        public double Max;
        /// <summary>Pending time beyond this is stale and thrown away.</summary>
        public double Huge;

        /// <summary>The defaults of a rule.</summary>
        public static GateSettings WithRule(GateRule rule)
        {
            Native.CheckVersion();
            GateSettings settings;
            Native.Check(Native.portamento_gate_settings_with_rule(rule, out settings));
            return settings;
        }
    }

    /// <summary>How measured frame times are evened.</summary>
    public enum Snapping : uint
    {
        Off = 0,
        ToStep = 1,
        ToDisplay = 2,
    }

    /// <summary>Settings of a fixed step.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct FixedSettings
    {
        uint size;
        /// <summary>The most ticks in one frame; 0 is no limit.</summary>
        public uint MaxTicks;
        public double Hz;
        /// <summary>The most seconds that one frame takes in; the rest is dropped and reported.</summary>
        public double MaxFrame;
        /// <summary>How many ticks to draw ahead of the newest one at most; 0 draws between ticks.</summary>
        public double Extrapolate;
        /// <summary>The display's frames per second, for Snapping.ToDisplay.</summary>
        public double DisplayHz;
        public Snapping Snapping;
        uint carryDrift, watchDisplay;
        uint reserved;

        /// <summary>Whether what snapping adds or takes away is paid back.</summary>
        public bool CarryDrift
        {
            get { return carryDrift != 0; }
            set { carryDrift = value ? 1u : 0u; }
        }

        /// <summary>Whether snapping stops by itself when the display turns out to be another one.</summary>
        public bool WatchDisplay
        {
            get { return watchDisplay != 0; }
            set { watchDisplay = value ? 1u : 0u; }
        }

        /// <summary>The defaults for this many ticks per second.</summary>
        public static FixedSettings AtHz(double hz)
        {
            Native.CheckVersion();
            FixedSettings settings;
            Native.Check(Native.portamento_fixed_settings_at_hz(hz, out settings));
            return settings;
        }
    }

    /// <summary>One entity of a batch. Index is its row in your arrays while it lives.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct BatchHandle
    {
        public uint Index;
        /// <summary>Which of the successive owners of that place.</summary>
        public uint Generation;
    }

    /// <summary>What a batch writes for each entity.</summary>
    public enum OutputForm : uint
    {
        /// <summary>Position and rotation: 7 floats, as in Pose.</summary>
        Poses = 0,
        /// <summary>Position: 3 floats.</summary>
        Positions = 1,
        /// <summary>A 3x4 matrix, row after row: 12 floats.</summary>
        Matrices3x4 = 2,
        /// <summary>A 4x4 matrix, column after column: 16 floats.</summary>
        Matrices4x4 = 3,
    }

    /// <summary>Settings of a peer: PeerSettings.AtHz, Action, Racing or Strategy, and change what you like.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PeerSettings
    {
        uint size;
        uint reserved;
        /// <summary>Which moment is drawn. Its Interval is the time from message to message.</summary>
        public PlayheadSettings Playhead;
        /// <summary>How fast a large visual offset fades, per second.</summary>
        public double Fade;
        /// <summary>The farthest that a picture glides, in seconds of the entity's own way at its top speed.</summary>
        public double Glide;
        /// <summary>A step of this many times the usual way is a teleport; double.MaxValue for never.</summary>
        public double Jump;
        /// <summary>
        /// An entity that does not rest and that was not mentioned for this many seconds is gone; double.MaxValue for never.
        /// </summary>
        public double Forget;

        /// <summary>The defaults for a peer that sends this many messages per second.</summary>
        public static PeerSettings AtHz(double hz)
        {
            PeerSettings settings;
            Native.CheckVersion();
            Native.Check(Native.portamento_peer_settings_at_hz(hz, out settings));
            return settings;
        }

        /// <summary>For people who run and shoot.</summary>
        public static PeerSettings Action(double hz)
        {
            PeerSettings settings;
            Native.CheckVersion();
            Native.Check(Native.portamento_peer_settings_action(hz, out settings));
            return settings;
        }

        /// <summary>For vehicles.</summary>
        public static PeerSettings Racing(double hz)
        {
            PeerSettings settings;
            Native.CheckVersion();
            Native.Check(Native.portamento_peer_settings_racing(hz, out settings));
            return settings;
        }

        /// <summary>For units seen from above.</summary>
        public static PeerSettings Strategy(double hz)
        {
            PeerSettings settings;
            Native.CheckVersion();
            Native.Check(Native.portamento_peer_settings_strategy(hz, out settings));
            return settings;
        }
    }

    /// <summary>How good the connection to a peer is.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PeerStatistics
    {
        /// <summary>The peer's clock minus the drawn moment in the last frame, seconds.</summary>
        public double Delay;
        /// <summary>How much the way through the network varies from message to message, seconds.</summary>
        public double Jitter;
        /// <summary>The share of messages that were lost, 0 to 1.</summary>
        public double Loss;
        public ulong Received, Lost, Late, Duplicates, Unusable;
        /// <summary>Seconds in which the picture was ahead of everything received.</summary>
        public double Extrapolated;
        public ulong Relocks, Restarts;
    }

    /// <summary>What did not go as planned with one remote entity.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct SnapshotCounts
    {
        public uint Duplicates, Late, Unusable, Evicted, Crowded, Snaps, Unheard;
        uint reserved;
    }

    /// <summary>What a frame shows of one peer.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PeerFrame
    {
        /// <summary>The moment of the peer's clock that is drawn, seconds.</summary>
        public double Shown;
        /// <summary>The peer's clock now, as estimated, minus Shown.</summary>
        public double Delay;
        /// <summary>How many seconds the picture advanced in this frame: a camera's dt.</summary>
        public double Presented;
        /// <summary>Real seconds since the frame before.</summary>
        public double Elapsed;
        /// <summary>Which life of the peer it is: goes up with every Restart.</summary>
        public uint Life;
        uint reserved;
    }

    /// <summary>What a message says of one entity of which only positions are reported.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PointReport
    {
        public Double3 Position;
        Double3 velocity;
        /// <summary>Counts its teleports: another number than in the report before is a cut.</summary>
        public uint Epoch;
        uint hasVelocity;
        uint rests, reserved;

        public PointReport(Double3 position, uint epoch)
        {
            Position = position;
            velocity = new Double3();
            Epoch = epoch;
            hasVelocity = 0;
            rests = 0;
            reserved = 0;
        }

        /// <summary>Whether the entity stays there until the next report, which may come much later.</summary>
        public bool Rests
        {
            get { return rests != 0; }
            set { rests = value ? 1u : 0u; }
        }

        /// <summary>How fast it moves, in units per second.</summary>
        public void SetVelocity(Double3 velocity)
        {
            this.velocity = velocity;
            hasVelocity = 1;
        }
    }

    /// <summary>What a message says of one entity.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Report
    {
        public Pose64 Pose;
        Float3 linear;
        Float3 angular;
        /// <summary>Counts its teleports: another number than in the report before is a cut.</summary>
        public uint Epoch;
        uint hasVelocity;
        uint rests, reserved;

        public Report(Pose64 pose, uint epoch)
        {
            Pose = pose;
            linear = new Float3();
            angular = new Float3();
            Epoch = epoch;
            hasVelocity = 0;
            rests = 0;
            reserved = 0;
        }

        /// <summary>Whether the entity stays there until the next report, which may come much later.</summary>
        public bool Rests
        {
            get { return rests != 0; }
            set { rests = value ? 1u : 0u; }
        }

        /// <summary>How fast it moves (units per second) and turns (radians per second about each axis).</summary>
        public void SetVelocity(Float3 linear, Float3 angular)
        {
            this.linear = linear;
            this.angular = angular;
            hasVelocity = 1;
        }
    }

    /// <summary>What became of a report.</summary>
    public enum Inserted : uint
    {
        In = 0,
        /// <summary>It was there already.</summary>
        Duplicate = 1,
        /// <summary>Its time has passed on the screen.</summary>
        TooLate = 2,
        Unusable = 3,
    }

    /// <summary>What is drawn of a remote entity.</summary>
    public enum SnapshotState : uint
    {
        /// <summary>Nothing: it has not appeared yet.</summary>
        NotYet = 0,
        /// <summary>Nothing: it vanished.</summary>
        Gone = 1,
        /// <summary>A place between two snapshots.</summary>
        Blending = 2,
        /// <summary>A place past the newest snapshot.</summary>
        Extrapolating = 3,
        /// <summary>A snapshot itself.</summary>
        Holding = 4,
    }

    /// <summary>What a client drew of one entity in one frame: twelve bytes for the wire.</summary>
    [StructLayout(LayoutKind.Sequential, Pack = 1)]
    public struct Claim
    {
        /// <summary>How many bytes it has.</summary>
        public const int Length = 12;

        uint a, b, c;

        /// <summary>A claim as it was received.</summary>
        public Claim(byte[] bytes, int start)
        {
            a = Read(bytes, start);
            b = Read(bytes, start + 4);
            c = Read(bytes, start + 8);
        }

        /// <summary>Writes the bytes to send.</summary>
        public void CopyTo(byte[] bytes, int start)
        {
            Write(a, bytes, start);
            Write(b, bytes, start + 4);
            Write(c, bytes, start + 8);
        }

        static int Shift(int i)
        {
            return BitConverter.IsLittleEndian ? 8 * i : 24 - 8 * i;
        }

        static uint Read(byte[] bytes, int start)
        {
            uint four = 0;
            for (int i = 0; i < 4; i++)
            {
                four |= (uint)bytes[start + i] << Shift(i);
            }
            return four;
        }

        static void Write(uint four, byte[] bytes, int start)
        {
            for (int i = 0; i < 4; i++)
            {
                bytes[start + i] = (byte)(four >> Shift(i));
            }
        }
    }

    /// <summary>Settings of a history: HistorySettings.AtHz(hz), and change what you like.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct HistorySettings
    {
        uint size;
        uint points;
        /// <summary>Seconds from message to message.</summary>
        public double Interval;
        /// <summary>How many seconds back a claim may reach.</summary>
        public double Back;
        /// <summary>How many seconds of snapshots a claim may skip, because they were lost.</summary>
        public double Gap;
        /// <summary>How many seconds a claim may extrapolate.</summary>
        public double Beyond;

        /// <summary>Whether the client holds the entity as positions (Snapshots.OfPoints).</summary>
        public bool Points
        {
            get { return points != 0; }
            set { points = value ? 1u : 0u; }
        }

        /// <summary>The defaults for this many messages per second.</summary>
        public static HistorySettings AtHz(double hz)
        {
            Native.CheckVersion();
            HistorySettings settings;
            Native.Check(Native.portamento_history_settings_at_hz(hz, out settings));
            return settings;
        }
    }

    /// <summary>What the shooter saw.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Rewound
    {
        /// <summary>Where the entity was in the client's picture, to the bit, without the client's visual offset.</summary>
        public Pose64 Pose;
        /// <summary>The moment of the server's clock that it showed.</summary>
        public double Moment;
        /// <summary>How far beside that the client drew it at most, because of a correction that faded.</summary>
        public double Offset;
        /// <summary>What the client drew it from: Blending, Extrapolating or Holding.</summary>
        public SnapshotState Seen;
        uint reserved;
    }

    /// <summary>What a history has counted.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct HistoryCounts
    {
        public uint Refused, Evicted, Restarts;
        uint reserved;
    }

    /// <summary>How a playhead finds the moment to draw.</summary>
    public enum PlayheadRule : uint
    {
        /// <summary>Estimates the writer's clock and stays a margin behind it.</summary>
        Locked = 0,
        /// <summary>From the arrival of the newest tick on, one interval takes the picture from the tick before to it.</summary>
        SinceArrival = 1,
    }

    /// <summary>Which lateness of ticks a playhead's margin covers.</summary>
    public enum Lateness : uint
    {
        /// <summary>The worst of the last seconds.</summary>
        Worst = 0,
        /// <summary>The median of the last ticks.</summary>
        Median = 1,
    }

    /// <summary>Settings of a playhead: PlayheadSettings.AtHz or Network, and change what you like.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PlayheadSettings
    {
        uint size;
        public PlayheadRule Rule;
        /// <summary>The nominal time from tick to tick, in seconds of the writer's clock.</summary>
        public double Interval;
        public Lateness Lateness;
        uint reserved;
        /// <summary>For how many seconds the worst lateness is remembered.</summary>
        public double MarginMemory;
        /// <summary>The least lateness assumed, in seconds.</summary>
        public double MarginFloor;
        /// <summary>Tick lengths kept besides.</summary>
        public double MarginTicks;
        /// <summary>How many seconds to extrapolate past the newest tick at most; 0 to stay at it.</summary>
        public double Extrapolate;
        /// <summary>How strongly the drawn speed answers a playhead that is not where it should be, per second.</summary>
        public double Pull;
        /// <summary>The same for a playhead that is ahead by the whole margin, per second.</summary>
        public double Brake;
        /// <summary>The most that the drawn speed is changed, as a share of it.</summary>
        public double Bend;
        /// <summary>An error beyond this many seconds is taken at once.</summary>
        public double Relock;
        /// <summary>The writer's seconds per second of ours lie between 1 / (1 + this) and 1 + this.</summary>
        public double RateWithin;
        /// <summary>What share of a surprise moves the estimated offset.</summary>
        public double OffsetGain;
        /// <summary>What share of a surprise, in ticks, moves the estimated rate.</summary>
        public double RateGain;
        /// <summary>Arrivals later than this many times the usual spread count for less than half.</summary>
        public double LateScale;

        /// <summary>The defaults for a writer on this machine that ticks so often per second.</summary>
        public static PlayheadSettings AtHz(double hz)
        {
            Native.CheckVersion();
            PlayheadSettings settings;
            Native.Check(Native.portamento_playhead_settings_at_hz(hz, out settings));
            return settings;
        }

        /// <summary>The defaults for a writer behind a network.</summary>
        public static PlayheadSettings Network(double hz)
        {
            Native.CheckVersion();
            PlayheadSettings settings;
            Native.Check(Native.portamento_playhead_settings_network(hz, out settings));
            return settings;
        }
    }

    /// <summary>The moment of another clock that a frame draws. Timelines and exchange readers take it.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Shown
    {
        /// <summary>The moment, in seconds of the writer's clock.</summary>
        public double At;
        /// <summary>How many seconds the picture advanced in this frame: a camera's dt.</summary>
        public double Presented;
        /// <summary>How far past the newest tick, in seconds.</summary>
        public double Beyond;
        /// <summary>How much was skipped in this frame because the playhead was too far behind, in seconds.</summary>
        public double Skipped;
    }

    /// <summary>What a playhead has counted.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PlayheadCounts
    {
        public ulong Ticks, Old, Late, Held, Unusable, Backward, Relocks, Jumps, Restarts;
        /// <summary>Seconds skipped in all.</summary>
        public double Skipped;
    }

    /// <summary>What a tick was to a playhead.</summary>
    public enum Observed : uint
    {
        Newest = 0,
        Old = 1,
        Unusable = 2,
    }

    /// <summary>Settings of a timeline: TimelineSettings.Default(), and change what you like.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct TimelineSettings
    {
        uint size;
        /// <summary>How many ticks are kept, 2 to 1024. They should span a quarter of a second.</summary>
        public uint Ticks;
        uint slerp;
        uint reserved;

        /// <summary>Whether rotations are blended by true slerp, not by its fast approximation.</summary>
        public bool Slerp
        {
            get { return slerp != 0; }
            set { slerp = value ? 1u : 0u; }
        }

        public static TimelineSettings Default()
        {
            Native.CheckVersion();
            TimelineSettings settings;
            Native.Check(Native.portamento_timeline_settings_default(out settings));
            return settings;
        }
    }

    /// <summary>Where a moment lies among the ticks of a timeline.</summary>
    public enum TimelinePlace : uint
    {
        /// <summary>Before the oldest tick that is kept: more ticks must be kept.</summary>
        Forgotten = 0,
        Between = 1,
        Newest = 2,
        Beyond = 3,
    }

    /// <summary>How far a picture is from its truth.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct OffsetSize
    {
        /// <summary>In your unit.</summary>
        public double Length;
        /// <summary>In radians.</summary>
        public double Angle;

        public OffsetSize(double length, double angle)
        {
            Length = length;
            Angle = angle;
        }
    }

    /// <summary>How a visual offset fades: OffsetFading.Correction(), and change what you like.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct OffsetFading
    {
        uint size;
        uint reserved;
        /// <summary>How fast a small and a large offset fade, per second.</summary>
        public double Slow, Fast;
        /// <summary>Up to this an offset is small.</summary>
        public OffsetSize SmallUpTo;
        /// <summary>From this on it is large.</summary>
        public OffsetSize LargeFrom;
        /// <summary>The fastest that the picture moves because of it, per second.</summary>
        public OffsetSize TopSpeed;
        /// <summary>Less than this is nothing.</summary>
        public OffsetSize Gone;

        /// <summary>What hides a correction of a predicted entity that is a metre or so off.</summary>
        public static OffsetFading Correction()
        {
            Native.CheckVersion();
            OffsetFading fading;
            Native.Check(Native.portamento_offset_fading_correction(out fading));
            return fading;
        }
    }

    /// <summary>How a correction is hidden: ReconcileSettings.Default(), and change what you like.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct ReconcileSettings
    {
        uint size;
        uint reserved;
        public OffsetFading Fading;
        /// <summary>The farthest that the picture may be from the truth: beyond it, a correction is a cut.</summary>
        public OffsetSize Limit;
        /// <summary>How fast the picture may catch up, as a multiple of the entity's own speed.</summary>
        public double Pace;

        public static ReconcileSettings Default()
        {
            Native.CheckVersion();
            ReconcileSettings settings;
            Native.Check(Native.portamento_reconcile_settings_default(out settings));
            return settings;
        }
    }

    /// <summary>How a batch is built: BatchSettings.Default(), and change what you like.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct BatchSettings
    {
        uint size;
        /// <summary>How many ticks are kept: 2 for a fixed step, Stepper.Counts.EndsNeeded for a gate, 16 at most.</summary>
        public uint Ends;
        uint rememberViews, glideAfterRestore;
        /// <summary>How Reconcile hides corrections.</summary>
        public ReconcileSettings Reconcile;

        /// <summary>Whether what was drawn in the frame before is kept, for Batch.Drawn.</summary>
        public bool RememberViews
        {
            get { return rememberViews != 0; }
            set { rememberViews = value ? 1u : 0u; }
        }

        /// <summary>Whether what differs after a Restore glides: for hundreds of entities, not for a hundred thousand.</summary>
        public bool GlideAfterRestore
        {
            get { return glideAfterRestore != 0; }
            set { glideAfterRestore = value ? 1u : 0u; }
        }

        public static BatchSettings Default()
        {
            Native.CheckVersion();
            BatchSettings settings;
            Native.Check(Native.portamento_batch_settings_default(out settings));
            return settings;
        }
    }

    /// <summary>An event and the moment of another clock that it belongs to.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Cue
    {
        public double At;
        /// <summary>Which event: a number of yours.</summary>
        public ulong Event;
    }

    /// <summary>What became of a jump that a visual offset was given.</summary>
    public enum Absorbed : uint
    {
        /// <summary>All of it is in the offset: nothing is seen.</summary>
        Kept = 0,
        /// <summary>A part of it is seen.</summary>
        Partly = 1,
        /// <summary>It was too far: all of it is seen.</summary>
        Snapped = 2,
    }

    /// <summary>How much an exchange holds: new Shape(entities), and change what you like.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Shape
    {
        uint size;
        /// <summary>How many entities can live at the same time.</summary>
        public uint Entities;
        /// <summary>How many of the newest ticks stay readable: 4, 8, 16 or 32.</summary>
        public uint Ticks;
        /// <summary>How many readers there can be at the same time, 1 to 16.</summary>
        public uint Readers;
        /// <summary>How many floats each entity has besides its pose, 0 to 64.</summary>
        public uint F32Columns;
        /// <summary>How many uints each entity has besides its flags, 0 to 64.</summary>
        public uint U32Columns;
        uint f64Positions;
        uint reserved;

        /// <summary>Whether positions are doubles.</summary>
        public bool F64Positions
        {
            get { return f64Positions != 0; }
            set { f64Positions = value ? 1u : 0u; }
        }

        /// <summary>The defaults for this many entities: 8 ticks, 4 readers, no further columns.</summary>
        public Shape(int entities)
        {
            Native.CheckVersion();
            Native.Check(Native.portamento_shape_entities((uint)entities, out this));
        }
    }

    /// <summary>Which tick of an exchange this is, and when.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct TickStamp
    {
        /// <summary>The writer's life that it belongs to.</summary>
        public ulong Run;
        /// <summary>Its number in that life, from 0.</summary>
        public ulong Tick;
        /// <summary>When it was published, by the clock that both sides share: seconds.</summary>
        public double Published;
        /// <summary>The moment of the simulation that it stands for: seconds.</summary>
        public double Simulated;
        /// <summary>Simulated seconds per real second from this tick on; 0 while paused.</summary>
        public double Scale;
    }

    /// <summary>The world as one frame draws it.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct WorldFrame
    {
        /// <summary>The moment of the writer's clock that is drawn.</summary>
        public Shown Shown;
        /// <summary>The two ticks around it.</summary>
        public TickStamp From, To;
        /// <summary>Where between the two the moment lies, 0 to 1.</summary>
        public double Alpha;
        /// <summary>How many rows the entity table has: what Entities writes at most.</summary>
        public uint Rows;
        uint reserved;
    }

    /// <summary>One drawn entity.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct EntityView
    {
        /// <summary>The number that the writer gave it.</summary>
        public ulong Id;
        public Pose64 Pose;
        /// <summary>Its row, which stays the same while it lives: an index for arrays of your own.</summary>
        public uint Row;
        /// <summary>Tells successive entities of a row apart.</summary>
        public uint Generation;
        /// <summary>Counts its cuts.</summary>
        public uint CutEpoch;
        /// <summary>The writer's 32 bits.</summary>
        public uint Flags;
    }

    /// <summary>What a writer last reported of itself.</summary>
    public enum WriterState : uint
    {
        /// <summary>There was no writer yet.</summary>
        None = 0,
        /// <summary>It publishes, or was killed while it did.</summary>
        Publishing = 1,
        Closed = 2,
        /// <summary>The file was replaced by another: open it again.</summary>
        Replaced = 3,
        Unknown = 4,
    }

    /// <summary>What did not go as planned, since the reader attached.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct ReaderCounts
    {
        public ulong Missed, Restarts, Behind, Overtaken, Nonsense;
    }

    /// <summary>How waypoints recognise a stuck body.</summary>
    public enum WaypointRule : uint
    {
        /// <summary>By its share of the expected speed.</summary>
        BySpeed = 0,
        /// <summary>An older rule.</summary>
        ByTime = 1,
    }

    /// <summary>Settings of waypoints: WaypointSettings.YUp() or ZUp(), and change what you like.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct WaypointSettings
    {
        uint size;
        public WaypointRule Rule;
        /// <summary>Unit vectors: which way is up, and which way a body faces before any rotation.</summary>
        public Double3 Up, Ahead;
        /// <summary>A body this near to a waypoint has reached it.</summary>
        public double There;
        /// <summary>BySpeed: a stuck body this near to its waypoint counts as arrived.</summary>
        public double Close;
        /// <summary>Less progress than this in a window counts as none.</summary>
        public double LeastProgress;
        /// <summary>ByTime: this much progress in a window is always enough.</summary>
        public double AmpleProgress;
        /// <summary>The smallest share of progress.</summary>
        public double Share;
        /// <summary>The distance that the first window measures progress from.</summary>
        public double Unmeasured;
        /// <summary>The body walks at this many times its own top speed.</summary>
        public double CatchUp;
        /// <summary>A speed below this counts as none.</summary>
        public double LeastSpeed;
        /// <summary>The walking speed of a body without a top speed.</summary>
        public double FallbackSpeed;
        /// <summary>A report farther than this is not walked to.</summary>
        public double BlipOutdoors, BlipIndoors;
        /// <summary>How long a body sticks to a target that is not renewed, in seconds.</summary>
        public double StickyLease;
        /// <summary>The distance that a sticking body keeps between the two hulls.</summary>
        public double StickyGap;
        /// <summary>A sticking body moves at this many times its own top speed.</summary>
        public double StickySpeed;
        /// <summary>The speed of a sticking body without a top speed.</summary>
        public double StickyFallbackSpeed;
        /// <summary>How far from its last report a body begins to slow down (X), and where it stops (Y).</summary>
        public Double2 LeashOutdoors, LeashIndoors;
        /// <summary>Beyond this share of its leash a body counts as held.</summary>
        public double LeashFull;
        /// <summary>Bodies farther than this from the viewer are not simulated.</summary>
        public double ActiveRadius;
        /// <summary>The number of ticks after which progress is checked.</summary>
        public uint Window;
        /// <summary>The number of tolerated failures; after one more the body is placed.</summary>
        public uint Patience;
        /// <summary>With this many waypoints or more, a new position drops the oldest.</summary>
        public uint Crowd;
        uint reserved;

        /// <summary>y is up and bodies face -z.</summary>
        public static WaypointSettings YUp()
        {
            Native.CheckVersion();
            WaypointSettings settings;
            Native.Check(Native.portamento_waypoint_settings_y_up(out settings));
            return settings;
        }

        /// <summary>z is up and bodies face +y.</summary>
        public static WaypointSettings ZUp()
        {
            Native.CheckVersion();
            WaypointSettings settings;
            Native.Check(Native.portamento_waypoint_settings_z_up(out settings));
            return settings;
        }
    }

    /// <summary>A reported pose of a body that lives elsewhere.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct WaypointReport
    {
        public Pose64 Pose;
        /// <summary>A number of yours that comes back when the body is placed at this report, such as a cell id.</summary>
        public ulong Payload;
        /// <summary>This report's own limit for walking; negative for the one of the settings.</summary>
        public double Blip;
        /// <summary>Counts the body's teleports; wraps around.</summary>
        public ushort Teleport;
        ushort sequence;
        byte hasSequence;
        byte contact;
        byte keepHeading;
        byte indoors;
        /// <summary>Counts the positions that the server forced upon its receiver's own player; 0 for others.</summary>
        public ushort Forced;
        ushort reserved0, reserved1, reserved2;

        /// <summary>A body that stands on something, outdoors, and has teleported this many times.</summary>
        public WaypointReport(ushort teleport, Pose64 pose)
        {
            Native.CheckVersion();
            Native.Check(Native.portamento_waypoint_report_new(teleport, ref pose, out this));
        }

        /// <summary>Counts the reports, so that an older one that comes late is refused; wraps around.</summary>
        public void SetSequence(ushort number)
        {
            sequence = number;
            hasSequence = 1;
        }

        /// <summary>Whether the body stands on something.</summary>
        public bool Contact
        {
            get { return contact != 0; }
            set { contact = value ? (byte)1 : (byte)0; }
        }

        /// <summary>Whether the body keeps its heading while it walks there.</summary>
        public bool KeepHeading
        {
            get { return keepHeading != 0; }
            set { keepHeading = value ? (byte)1 : (byte)0; }
        }

        /// <summary>Whether the body is indoors.</summary>
        public bool Indoors
        {
            get { return indoors != 0; }
            set { indoors = value ? (byte)1 : (byte)0; }
        }
    }

    /// <summary>One tick, as a body meets it.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct WaypointTick
    {
        public double Dt;
        /// <summary>The body's own top speed.</summary>
        public double MaxSpeed;
        uint contact;
        uint sticky;

        /// <summary>A body that stands on something.</summary>
        public WaypointTick(double dt, double maxSpeed)
        {
            Dt = dt;
            MaxSpeed = maxSpeed;
            contact = 1;
            sticky = 0;
        }

        /// <summary>Whether the body stands on something.</summary>
        public bool Contact
        {
            get { return contact != 0; }
            set { contact = value ? 1u : 0u; }
        }

        /// <summary>Whether something holds the body, so that standing still does not count as stuck.</summary>
        public bool Sticky
        {
            get { return sticky != 0; }
            set { sticky = value ? 1u : 0u; }
        }
    }

    /// <summary>How a body is to move in a tick.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct WaypointStep
    {
        /// <summary>The translation in world axes.</summary>
        public Double3 Offset;
        /// <summary>The turn relative to the body: rotation after = rotation before * turn.</summary>
        public Quaternion4 Turn;

        /// <summary>Where the step takes a body that nothing stops.</summary>
        public Pose64 Apply(Pose64 body)
        {
            Pose64 after;
            Native.Check(Native.portamento_waypoint_step_apply(ref this, ref body, out after));
            return after;
        }
    }

    /// <summary>What the end of a tick brought.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct WaypointOutcome
    {
        /// <summary>Where the body asks to be put, if Place.</summary>
        public Pose64 Pose;
        /// <summary>The velocity to have from now on, if HasVelocity.</summary>
        public Double3 Velocity;
        /// <summary>The payload of the report that the body is placed at.</summary>
        public ulong Payload;
        uint place, hasVelocity, stopped, released;

        /// <summary>The body asks to be placed: put it there and Accept, or Refuse.</summary>
        public bool Place
        {
            get { return place != 0; }
        }

        public bool HasVelocity
        {
            get { return hasVelocity != 0; }
        }

        /// <summary>A stop node's turn came.</summary>
        public bool Stopped
        {
            get { return stopped != 0; }
        }

        /// <summary>The body no longer sticks to its target.</summary>
        public bool Released
        {
            get { return released != 0; }
        }
    }

    /// <summary>What was dropped, given up or refused.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct WaypointCounts
    {
        public uint Evicted, Replaced, Failed, Placed, Refused, Late, Unusable, Stale;
    }

    /// <summary>How a remote body is at the moment.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct RemoteBodyState
    {
        /// <summary>How much of its leash it has used, in units; negative without a leash.</summary>
        public double Strayed;
        /// <summary>Seconds of frames in which it was too far from the viewer to be simulated.</summary>
        public double SecondsSkipped;
        uint isSimulated, isSticking;
        /// <summary>Nodes in its queue.</summary>
        public uint Depth;
        uint reserved;

        /// <summary>Whether it is simulated in this frame.</summary>
        public bool IsSimulated
        {
            get { return isSimulated != 0; }
        }

        /// <summary>Whether it sticks to a target.</summary>
        public bool IsSticking
        {
            get { return isSticking != 0; }
        }
    }

    /// <summary>The state of a queue of waypoints.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct WaypointsState
    {
        public double Baseline;
        public uint Depth, Failures, Frames;
        uint reserved;
    }

    /// <summary>What was done with a report.</summary>
    public enum Route : uint
    {
        Stale = 0,
        Cut = 1,
        /// <summary>Ignored: the body is in the air.</summary>
        Ignore = 2,
        /// <summary>The body was placed there.</summary>
        Place = 3,
        /// <summary>The body walks there.</summary>
        Enqueue = 4,
    }

    /// <summary>What an echo of your own player did.</summary>
    public enum Echo : uint
    {
        /// <summary>It is older than what is known already.</summary>
        Stale = 0,
        /// <summary>The server teleported the player, or put it into the world: put the body there, cut its track.</summary>
        Cut = 1,
        /// <summary>The server forced a position upon the player: put the body there, cut its track.</summary>
        Forced = 2,
        /// <summary>The player walks on, on a new leash.</summary>
        Leashed = 3,
    }

    /// <summary>Keeps a camera's eye out of walls: change it to a place that is allowed.</summary>
    public delegate void Collide(Double3 pivot, ref Double3 eye);

    [StructLayout(LayoutKind.Sequential)]
    struct Id
    {
        public ulong Number;
    }

    [StructLayout(LayoutKind.Sequential)]
    struct NativeFrame
    {
        public Moment Moment;
        public ulong Ticks;
        public double Lost;
        public LostReason LostReason;
        public uint Reserved;
    }

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    delegate void NativeCollide(IntPtr user, ref Double3 pivot, ref Double3 eye);

#if ENABLE_IL2CPP
    /// <summary>Unity's compiler looks for this name on methods that native code calls.</summary>
    sealed class MonoPInvokeCallbackAttribute : Attribute
    {
        public MonoPInvokeCallbackAttribute(Type type)
        {
        }
    }
#endif

    [SuppressUnmanagedCodeSecurity]
    static class Native
    {
#if (UNITY_IOS || UNITY_WEBGL) && !UNITY_EDITOR
        const string Library = "__Internal";
#else
        const string Library = "portamento_c";
#endif
        const CallingConvention C = CallingConvention.Cdecl;
        const uint AbiVersion = 1;
        static bool checkedVersion;

        [DllImport(Library, CallingConvention = C)]
        internal static extern uint portamento_abi_version();
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_require_abi(uint version);
        [DllImport(Library, CallingConvention = C)]
        internal static extern UIntPtr portamento_last_error(byte[] buffer, UIntPtr capacity);

        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_fixed_settings_at_hz(double hz, out FixedSettings settings);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_gate_settings_with_rule(GateRule rule, out GateSettings settings);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_stepper_fixed(ref FixedSettings settings, out Id stepper);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_stepper_gated(ref GateSettings settings, out Id stepper);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_stepper_free(Id stepper);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_stepper_frame(Id stepper, double seconds, out NativeFrame frame);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_stepper_frame_at(Id stepper, double now, out NativeFrame frame);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_stepper_step_once(Id stepper, out NativeFrame frame);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_stepper_tick(Id stepper, out Tick tick);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_stepper_moment(Id stepper, out Moment moment);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_stepper_pause(Id stepper);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_stepper_resume(Id stepper);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_stepper_set_time_scale(Id stepper, double scale);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_stepper_set_hz(Id stepper, double hz);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_stepper_set_snapping(Id stepper, Snapping snapping, double displayHz);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_stepper_cut(Id stepper);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_stepper_get_counts(Id stepper, out StepperCounts counts);

        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_moment_at(double alpha, double presented, out Moment moment);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_blend_numbers(
            [In] double[] from, [In] double[] to, UIntPtr count, double alpha, [In, Out] double[] result);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_blend_poses(ref Pose64 from, ref Pose64 to, double alpha, out Pose64 result);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_slerp_poses(ref Pose64 from, ref Pose64 to, double alpha, out Pose64 result);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_normalize(ref Quaternion4 rotation, out Quaternion4 result);

        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_track_new(ref Pose64 start, out Id track);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_track_with_ends(ref Pose64 start, uint ends, out Id track);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_track_reserve_saves(Id track, uint count);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_track_save(Id track, ulong tick);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_track_restore(Id track, ulong tick);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_track_free(Id track);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_track_push(Id track, ref Pose64 pose);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_track_cut(Id track, ref Pose64 pose);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_track_correct(Id track, ref Pose64 pose);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_track_rebase(Id track, ref Double3 shift);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_track_truth(Id track, out Pose64 pose);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_track_view(Id track, ref Moment moment, out Pose64 view);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_track_draw(Id track, ref Moment moment, out Drawn drawn);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_track_at_rest(Id track, ref Moment moment, out uint rests);

        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_batch_new(uint ends, out Id batch);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_batch_settings_default(out BatchSettings settings);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_batch_with_settings(ref BatchSettings settings, out Id batch);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_batch_reconcile(Id batch, BatchHandle row, ref Pose pose);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_batch_reserve_saves(Id batch, uint count);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_batch_save(Id batch, ulong tick);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_batch_restore(Id batch, ulong tick);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_batch_drawn(Id batch, BatchHandle row, out Drawn drawn);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_batch_free(Id batch);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_batch_reserve(Id batch, uint more);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_batch_insert(Id batch, ref Pose pose, out BatchHandle row);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_batch_remove(Id batch, BatchHandle row);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_batch_rows(Id batch, out uint rows);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_batch_push_all(
            Id batch, [In] Pose[] poses, UIntPtr stride, UIntPtr count);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_batch_push_all(Id batch, IntPtr poses, UIntPtr stride, UIntPtr count);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_batch_cut(Id batch, BatchHandle row, ref Pose pose);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_batch_rebase(Id batch, ref Float3 shift);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_batch_redraw(Id batch);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_batch_frame(
            Id batch, ref Moment moment, OutputForm form, [In, Out] float[] buffer, UIntPtr floats, [In, Out] BatchHandle[] moved,
            UIntPtr capacity, out UIntPtr written);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_batch_frame(
            Id batch, ref Moment moment, OutputForm form, IntPtr buffer, UIntPtr floats, [In, Out] BatchHandle[] moved,
            UIntPtr capacity, out UIntPtr written);

        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_batch_push_some(
            Id batch, [In] BatchHandle[] rows, UIntPtr rowStride, [In] Pose[] poses, UIntPtr poseStride, UIntPtr count);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_batch_correct(Id batch, BatchHandle row, ref Pose pose);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_batch_truth(Id batch, BatchHandle row, out Pose pose);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_batch_frame_moved(
            Id batch, ref Moment moment, OutputForm form, [In, Out] float[] buffer, UIntPtr floats, [In, Out] BatchHandle[] moved,
            UIntPtr capacity, out UIntPtr written);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_batch_frame_strided(
            Id batch, ref Moment moment, OutputForm form, IntPtr buffer, UIntPtr stride, UIntPtr rows, [In, Out] BatchHandle[] moved,
            UIntPtr capacity, out UIntPtr written);

        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_batch64_new(uint ends, out Id batch);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_batch64_free(Id batch);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_batch64_reserve(Id batch, uint more);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_batch64_insert(Id batch, ref Pose64 pose, out BatchHandle row);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_batch64_remove(Id batch, BatchHandle row);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_batch64_rows(Id batch, out uint rows);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_batch64_push_all(
            Id batch, [In] Pose64[] poses, UIntPtr stride, UIntPtr count);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_batch64_cut(Id batch, BatchHandle row, ref Pose64 pose);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_batch64_correct(Id batch, BatchHandle row, ref Pose64 pose);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_batch64_rebase(Id batch, ref Double3 shift);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_batch64_redraw(Id batch);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_batch64_frame(
            Id batch, ref Moment moment, ref Double3 origin, OutputForm form, [In, Out] float[] buffer, UIntPtr stride,
            UIntPtr rows, [In, Out] BatchHandle[] moved, UIntPtr capacity, out UIntPtr written);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_batch64_frame(
            Id batch, ref Moment moment, IntPtr origin, uint form, [In, Out] Pose64[] poses, UIntPtr stride, UIntPtr rows,
            [In, Out] BatchHandle[] moved, UIntPtr capacity, out UIntPtr written);

        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_chase_settings_y_up(out ChaseSettings settings);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_chase_settings_z_up(out ChaseSettings settings);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_chase_camera_settings(Id camera, out ChaseSettings settings);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_chase_camera_rebase(Id camera, ref Double3 shift);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_chase_camera_release_height(Id camera);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_chase_camera_get_counts(Id camera, out CameraCounts counts);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_chase_camera_new(ref ChaseSettings settings, out Id camera);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_chase_camera_free(Id camera);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_chase_camera_set_settings(Id camera, ref ChaseSettings settings);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_chase_camera_set_look(Id camera, double orbit, double pitch);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_chase_camera_cut(Id camera);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_chase_camera_update(
            Id camera, double seconds, ref Drawn body, NativeCollide collide, IntPtr user, out Shot shot);

        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_follow_settings_new(
            double width, double height, out FollowSettings settings);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_follow_camera_settings(Id camera, out FollowSettings settings);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_follow_camera_update_all(
            Id camera, double seconds, [In] FollowTarget[] targets, UIntPtr stride, UIntPtr count, out Framing framing);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_follow_camera_update_free(Id camera, double seconds, out Framing framing);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_follow_camera_framing(Id camera, out Framing framing);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_follow_camera_set_centre(Id camera, ref Double2 centre);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_follow_camera_pan(Id camera, ref Double2 pixels);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_follow_camera_recentre(Id camera);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_follow_camera_rebase(Id camera, ref Double2 shift);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_follow_camera_get_counts(Id camera, out CameraCounts counts);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_follow_camera_zoom_by(Id camera, double factor, IntPtr about);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_follow_camera_zoom_by(Id camera, double factor, ref Double2 about);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_follow_camera_advance_shake(Id camera, double seconds, out Framing framing);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_follow_camera_to_screen(Id camera, ref Double2 world, out Double2 screen);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_follow_camera_new(ref FollowSettings settings, out Id camera);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_follow_camera_free(Id camera);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_follow_camera_set_settings(Id camera, ref FollowSettings settings);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_follow_camera_update(
            Id camera, double seconds, ref Double2 place, uint cut, out Framing framing);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_follow_camera_zoom_to(Id camera, double zoom, IntPtr about);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_follow_camera_zoom_to(Id camera, double zoom, ref Double2 about);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_follow_camera_shake(Id camera, double strength);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_follow_camera_cut(Id camera);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_follow_camera_to_world(Id camera, ref Double2 screen, out Double2 world);

        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_playhead_settings_at_hz(double hz, out PlayheadSettings settings);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_playhead_settings_network(double hz, out PlayheadSettings settings);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_playhead_observe(
            Id playhead, double arrival, double simulated, out Observed observed);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_playhead_observe_cut(
            Id playhead, double arrival, double simulated, out Observed observed);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_timeline_push(Id timeline, double simulated, ref Pose64 pose);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_timeline_cut(Id timeline, double simulated, ref Pose64 pose);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_cues_new(out Id cues);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_cues_free(Id cues);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_cues_add(Id cues, double at, ulong number);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_cues_next(Id cues, ref Shown shown, out Cue cue);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_cues_waiting(Id cues, out uint waiting);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_cues_refused(Id cues, out ulong refused);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_cues_clear(Id cues);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_playhead_new(ref PlayheadSettings settings, out Id playhead);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_playhead_free(Id playhead);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_playhead_advance(Id playhead, double now, out Shown shown);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_playhead_set_time_scale(Id playhead, double at, double scale);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_playhead_restart(Id playhead);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_playhead_alpha_since_arrival(Id playhead, out double alpha);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_playhead_get_counts(Id playhead, out PlayheadCounts counts);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_timeline_settings_default(out TimelineSettings settings);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_timeline_new(ref TimelineSettings settings, out Id timeline);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_timeline_free(Id timeline);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_timeline_view(
            Id timeline, ref Shown shown, out Pose64 view, out TimelinePlace place, out double alpha);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_timeline_draw(Id timeline, ref Shown shown, out Drawn drawn);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_timeline_truth(Id timeline, out Pose64 pose);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_timeline_rebase(Id timeline, ref Double3 shift);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_timeline_clear(Id timeline);

        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_shape_entities(uint entities, out Shape shape);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_exchange_new(ref Shape shape, out Id exchange);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_exchange_create_file([In] byte[] path, ref Shape shape, out Id exchange);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_exchange_open_file([In] byte[] path, out Id exchange);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_exchange_is_replaced(Id exchange, out uint replaced);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_exchange_shape(Id exchange, out Shape shape);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_exchange_free(Id exchange);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_machine_seconds(out double seconds);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_writer_new(Id exchange, out Id writer);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_writer_free(Id writer);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_writer_set(Id writer, ulong entity, ref Pose64 pose);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_writer_set_many(
            Id writer, [In] ulong[] entities, UIntPtr entityStride, [In] Pose64[] poses, UIntPtr poseStride, UIntPtr count);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_writer_cut(Id writer, ulong entity, ref Pose64 pose);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_writer_remove(Id writer, ulong entity);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_writer_set_flags(Id writer, ulong entity, uint flags);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_writer_set_f32(Id writer, ulong entity, uint column, float value);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_writer_set_u32(Id writer, ulong entity, uint column, uint value);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_writer_publish(
            Id writer, double now, double simulated, double scale, out TickStamp stamp);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_writer_publish_stepper(Id writer, double now, Id stepper, out TickStamp stamp);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_reader_new(Id exchange, ref PlayheadSettings settings, out Id reader);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_reader_free(Id reader);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_reader_frame(Id reader, double now, out WorldFrame world);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_reader_entities(
            Id reader, [In, Out] EntityView[] entities, UIntPtr stride, UIntPtr capacity, out UIntPtr count);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_reader_draw(Id reader, ulong entity, out Drawn drawn);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_reader_f32(Id reader, uint row, uint column, out float value);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_reader_u32(Id reader, uint row, uint column, out uint value);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_reader_wait(Id reader, double seconds);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_reader_writer(Id reader, out WriterState state);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_reader_get_counts(Id reader, out ReaderCounts counts);

        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_offset_fading_correction(out OffsetFading fading);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_reconcile_settings_default(out ReconcileSettings settings);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_predicted_track_new(
            ref Pose64 start, ref ReconcileSettings settings, out Id predicted);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_predicted_track_reserve_saves(Id predicted, uint count);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_predicted_track_free(Id predicted);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_predicted_track_push(Id predicted, ref Pose64 pose);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_predicted_track_cut(Id predicted, ref Pose64 pose);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_predicted_track_correct(Id predicted, ref Pose64 pose);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_predicted_track_reconcile(Id predicted, ref Pose64 pose);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_predicted_track_save(Id predicted, ulong tick);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_predicted_track_restore(Id predicted, ulong tick);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_predicted_track_rebase(Id predicted, ref Double3 shift);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_predicted_track_truth(Id predicted, out Pose64 pose);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_predicted_track_draw(Id predicted, ref Moment moment, out Drawn drawn);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_predicted_track_offset(Id predicted, out OffsetSize size);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_visual_offset_new(out Id offset);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_visual_offset_free(Id offset);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_visual_offset_absorb(
            Id offset, ref Pose64 from, ref Pose64 to, ref OffsetSize limit, out Absorbed absorbed);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_visual_offset_fade(Id offset, double seconds, IntPtr fading);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_visual_offset_fade(Id offset, double seconds, ref OffsetFading fading);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_visual_offset_drawn(Id offset, ref Pose64 truth, out Pose64 view);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_visual_offset_clear(Id offset);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_visual_offset_size(Id offset, out OffsetSize size);

        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_peer_settings_at_hz(double hz, out PeerSettings settings);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_peer_new(ref PeerSettings settings, out Id peer);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_peer_settings_action(double hz, out PeerSettings settings);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_peer_settings_racing(double hz, out PeerSettings settings);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_peer_settings_strategy(double hz, out PeerSettings settings);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_peer_set_hz(Id peer, double hz);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_peer_get_statistics(Id peer, out PeerStatistics statistics);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_tick_clock_at_hz(double hz, uint bits, out Id clock);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_tick_clock_free(Id clock);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_tick_clock_seconds(
            Id clock, uint counter, double arrived, out double seconds);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_tick_clock_set_tick(Id clock, ulong tick, double arrived);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_tick_clock_restart(Id clock);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_snapshots_offset(Id snapshots, out OffsetSize size);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_snapshots_get_counts(Id snapshots, out SnapshotCounts counts);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_peer_free(Id peer);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_peer_receive(Id peer, double sent, double arrived);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_peer_restart(Id peer);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_peer_frame_at(Id peer, double now, out PeerFrame frame);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_snapshots_new(out Id snapshots);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_snapshots_new_points(out Id snapshots);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_snapshots_free(Id snapshots);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_snapshots_insert(
            Id snapshots, Id peer, ref Report report, out Inserted result);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_snapshots_insert_point(
            Id snapshots, Id peer, ref PointReport report, out Inserted result);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_snapshots_vanish(Id snapshots, Id peer);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_snapshots_draw(
            Id snapshots, Id peer, out Drawn drawn, out SnapshotState state);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_snapshots_extra_delay(Id snapshots, out double seconds);

        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_snapshots_claim(Id snapshots, Id peer, out Claim claim);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_snapshots_hand_over(Id snapshots);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_snapshots_rebase(Id snapshots, ref Double3 shift);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_snapshots_blended(Id snapshots, out Pose64 pose);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_history_settings_at_hz(double hz, out HistorySettings settings);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_history_new(ref HistorySettings settings, out Id history);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_history_free(Id history);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_history_record(
            Id history, double sent, ref Report report, out uint recorded);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_history_record_point(
            Id history, double sent, ref PointReport report, out uint recorded);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_history_vanish(Id history, double sent, out uint recorded);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_history_rewind(
            Id history, ref Claim claim, double now, out Rewound rewound);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_history_at(Id history, double moment, out Pose64 pose);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_history_get_counts(Id history, out HistoryCounts counts);

        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_waypoints_new(ref WaypointSettings settings, out Id waypoints);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_waypoint_settings_y_up(out WaypointSettings settings);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_waypoint_settings_z_up(out WaypointSettings settings);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_waypoint_report_new(
            ushort teleport, ref Pose64 pose, out WaypointReport report);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_waypoints_rebase(Id waypoints, ref Double3 shift);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_waypoints_get_counts(Id waypoints, out WaypointCounts counts);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_waypoints_free(Id waypoints);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_waypoints_enqueue(
            Id waypoints, ref Pose64 body, ref WaypointReport report, out Quaternion4 heading, out uint turned);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_waypoints_enqueue_velocity(Id waypoints, ref Double3 velocity);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_waypoints_enqueue_stop(Id waypoints);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_waypoints_stop(Id waypoints);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_waypoints_step(
            Id waypoints, ref Pose64 body, ref WaypointTick tick, out WaypointStep step);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_waypoint_step_apply(ref WaypointStep step, ref Pose64 body, out Pose64 after);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_waypoints_end_tick(
            Id waypoints, ref Pose64 body, double dt, out WaypointOutcome outcome);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_waypoints_accept(Id waypoints);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_waypoints_refuse(Id waypoints);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_waypoints_get_state(Id waypoints, out WaypointsState state);

        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_remote_body_new(ref WaypointSettings settings, out Id body);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_remote_body_walk(Id body, ref WaypointTick tick, out WaypointOutcome outcome);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_remote_body_follow(Id body, ref Double3 target);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_remote_body_release(Id body);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_remote_body_enqueue_velocity(Id body, ref Double3 velocity);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_remote_body_enqueue_stop(Id body);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_remote_body_stop(Id body);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_remote_body_rebase(Id body, ref Double3 shift);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_remote_body_get_state(Id body, out RemoteBodyState state);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_remote_body_get_counts(Id body, out WaypointCounts counts);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_own_player_new(ref WaypointSettings settings, out Id player);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_own_player_free(Id player);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_own_player_echo(
            Id player, ref WaypointReport report, out Echo echo, ref Pose64 pose);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_own_player_limit(
            Id player, ref Pose64 body, ref WaypointStep step, uint contact, out WaypointStep limited);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_own_player_strayed(Id player, ref Pose64 body, out double units);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_own_player_is_held(Id player, ref Pose64 body, out uint held);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_own_player_rebase(Id player, ref Double3 shift);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_own_player_get_counts(Id player, out WaypointCounts counts);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_remote_body_free(Id body);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_remote_body_report(
            Id body, ref WaypointReport report, double fromViewer, out Route route);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_remote_body_frame(Id body, double dt, double fromViewer);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_remote_body_step(
            Id body, ref WaypointTick tick, IntPtr root, out WaypointStep step);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_remote_body_step(
            Id body, ref WaypointTick tick, ref WaypointStep root, out WaypointStep step);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_remote_body_moved(Id body, ref Pose64 truth, out WaypointOutcome outcome);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_remote_body_accept(Id body);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_remote_body_refuse(Id body);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_remote_body_stick_to(Id body, ref Double3 target, double radii);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_remote_body_truth(Id body, out Pose64 truth);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_remote_body_draw(Id body, ref Moment moment, out Drawn drawn);

#if PORTAMENTO_SPANS
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_batch_push_all(Id batch, ref Pose poses, UIntPtr stride, UIntPtr count);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status portamento_batch_frame(
            Id batch, ref Moment moment, OutputForm form, ref float buffer, UIntPtr floats, IntPtr moved, UIntPtr capacity,
            out UIntPtr written);
#endif

        /// <summary>Structs of another version would be read and written wrongly: refuse before the first one.</summary>
        internal static void CheckVersion()
        {
            if (checkedVersion)
            {
                return;
            }
            Check(portamento_require_abi(AbiVersion));
            checkedVersion = true;
        }

        internal static void Check(Status status)
        {
            if (status != Status.Ok)
            {
                throw Failure(status);
            }
        }

        /// <summary>Characters that a zero ends.</summary>
        internal static byte[] Text(string text)
        {
            CheckVersion();
            return System.Text.Encoding.UTF8.GetBytes(text + '\0');
        }

        internal static PortamentoException Failure(Status status)
        {
            byte[] words = new byte[1024];
            ulong length = Math.Min((ulong)portamento_last_error(words, (UIntPtr)words.Length), (ulong)words.Length - 1);
            return new PortamentoException(status, System.Text.Encoding.UTF8.GetString(words, 0, (int)length));
        }
    }

    /// <summary>The native library.</summary>
    public static class Library
    {
        /// <summary>The version of its interface.</summary>
        public static int AbiVersion
        {
            get { return (int)Native.portamento_abi_version(); }
        }

        /// <summary>Throws if it is not the one that this file was written for. Every object does so by itself.</summary>
        public static void Require()
        {
            Native.CheckVersion();
        }
    }

    /// <summary>
    /// Owns a native object and frees it, at the latest when the collector finds it. The native handle has 64 bits also where
    /// a pointer has 32, so it is kept beside the SafeHandle's own; the native side refuses one that was freed.
    /// </summary>
    public abstract class NativeObject : SafeHandle
    {
        internal Id id;

        internal NativeObject() : base(IntPtr.Zero, true)
        {
            Native.CheckVersion();
        }

        public override bool IsInvalid
        {
            get { return id.Number == 0; }
        }

        /// <summary>Throws what a status means. Also keeps this object alive until the native call is over.</summary>
        internal void Check(Status status)
        {
            if (status != Status.Ok)
            {
                Throw(status);
            }
            GC.KeepAlive(this);
        }

        /// <summary>The same where "nothing" is an answer: false then.</summary>
        internal bool Some(Status status)
        {
            if (status == Status.Nothing)
            {
                GC.KeepAlive(this);
                return false;
            }
            Check(status);
            return true;
        }

        void Throw(Status status)
        {
            if (status == Status.UnknownHandle && IsClosed)
            {
                throw new ObjectDisposedException(GetType().Name);
            }
            throw Native.Failure(status);
        }
    }

    /// <summary>Decides when ticks run and which moment is drawn.</summary>
    public sealed class Stepper : NativeObject
    {
        Moment moment;

        Stepper()
        {
            moment.Alpha = 1.0;
        }

        /// <summary>A fixed step of this many ticks per second.</summary>
        public static Stepper Fixed(double hz)
        {
            return Fixed(FixedSettings.AtHz(hz));
        }

        /// <summary>A fixed step.</summary>
        public static Stepper Fixed(FixedSettings settings)
        {
            Stepper stepper = new Stepper();
            stepper.Check(Native.portamento_stepper_fixed(ref settings, out stepper.id));
            return stepper;
        }

        /// <summary>A quantum gate: ticks of 1/30 to 0.2 s that follow the frames, drawn evenly.</summary>
        public static Stepper Gated()
        {
            return Gated(GateSettings.WithRule(GateRule.Even));
        }

        /// <summary>A quantum gate.</summary>
        public static Stepper Gated(GateSettings settings)
        {
            Stepper stepper = new Stepper();
            stepper.Check(Native.portamento_stepper_gated(ref settings, out stepper.id));
            return stepper;
        }

        /// <summary>Takes in a frame. Then run its ticks with Tick, and draw Moment.</summary>
        public void Frame(double seconds)
        {
            NativeFrame frame;
            Check(Native.portamento_stepper_frame(id, seconds, out frame));
            Take(ref frame);
        }

        /// <summary>Takes in a frame at `now`, a reading of your clock in seconds. The first reading starts the clock.</summary>
        public void FrameAt(double now)
        {
            NativeFrame frame;
            Check(Native.portamento_stepper_frame_at(id, now, out frame));
            Take(ref frame);
        }

        /// <summary>Steps a paused game by one tick.</summary>
        public void StepOnce()
        {
            NativeFrame frame;
            Check(Native.portamento_stepper_step_once(id, out frame));
            Take(ref frame);
        }

        void Take(ref NativeFrame frame)
        {
            moment = frame.Moment;
            Lost = frame.Lost;
            LostReason = frame.LostReason;
        }

        /// <summary>The next tick of the frame, by its length; false when all have run.</summary>
        public bool Tick(out double dt)
        {
            Tick tick;
            bool more = NextTick(out tick);
            dt = tick.Dt;
            return more;
        }

        /// <summary>The next tick of the frame; false when all have run.</summary>
        public bool NextTick(out Tick tick)
        {
            return Some(Native.portamento_stepper_tick(id, out tick));
        }

        /// <summary>What the last frame draws.</summary>
        public Moment Moment
        {
            get { return moment; }
        }

        /// <summary>Seconds of the last frame that will never be simulated.</summary>
        public double Lost { get; private set; }

        /// <summary>Why.</summary>
        public LostReason LostReason { get; private set; }

        /// <summary>What was counted.</summary>
        public StepperCounts Counts
        {
            get
            {
                StepperCounts counts;
                Check(Native.portamento_stepper_get_counts(id, out counts));
                return counts;
            }
        }

        /// <summary>Stops time. The picture keeps its place between two ticks.</summary>
        public void Pause()
        {
            Check(Native.portamento_stepper_pause(id));
        }

        /// <summary>Lets time go on.</summary>
        public void Resume()
        {
            Check(Native.portamento_stepper_resume(id));
        }

        /// <summary>How many seconds are simulated per real second: 0.5 is slow motion.</summary>
        public void SetTimeScale(double scale)
        {
            Check(Native.portamento_stepper_set_time_scale(id, scale));
        }

        /// <summary>Another tick rate from the next tick on. A gate has none: an exception.</summary>
        public void SetHz(double hz)
        {
            Check(Native.portamento_stepper_set_hz(id, hz));
        }

        /// <summary>Evens frame times in another way: for a window that moves to another display. Not for a gate.</summary>
        public void SetSnapping(Snapping snapping, double displayHz)
        {
            Check(Native.portamento_stepper_set_snapping(id, snapping, displayHz));
        }

        /// <summary>Reports that the world itself was cut: a level loaded, the player activated. Cut every track
        /// too.</summary>
        public void Cut()
        {
            Check(Native.portamento_stepper_cut(id));
            Check(Native.portamento_stepper_moment(id, out moment));
        }

        protected override bool ReleaseHandle()
        {
            return Native.portamento_stepper_free(id) == Status.Ok;
        }
    }

    /// <summary>The last ticks of one entity, drawn between them.</summary>
    public sealed class Track : NativeObject
    {
        /// <summary>An entity that appears at a place. Its first frame shows exactly that.</summary>
        public Track(Pose64 start)
        {
            Check(Native.portamento_track_new(ref start, out id));
        }

        /// <summary>Keeps this many ticks, 2 to 64: for a gate that needs more than 8 (Stepper.Counts.EndsNeeded).</summary>
        public Track(Pose64 start, int ends)
        {
            Check(Native.portamento_track_with_ends(ref start, (uint)ends, out id));
        }

        /// <summary>The result of a tick. Call it in every tick, also when the entity did not move.</summary>
        public void Push(Pose64 pose)
        {
            Check(Native.portamento_track_push(id, ref pose));
        }

        /// <summary>The result of a tick. Call it in every tick, also when the entity did not move.</summary>
        public void Push(Double3 position, Quaternion4 rotation)
        {
            Push(new Pose64(position, rotation));
        }

        /// <summary>A spawn or teleport: nothing in between is ever drawn.</summary>
        public void Cut(Pose64 pose)
        {
            Check(Native.portamento_track_cut(id, ref pose));
        }

        /// <summary>A collision moved the newest pose within its tick: the picture glides.</summary>
        public void Correct(Pose64 pose)
        {
            Check(Native.portamento_track_correct(id, ref pose));
        }

        /// <summary>The world's origin moves by shift, and nothing is seen of it.</summary>
        public void Rebase(Double3 shift)
        {
            Check(Native.portamento_track_rebase(id, ref shift));
        }

        /// <summary>The truth: the newest pose pushed.</summary>
        public Pose64 Truth
        {
            get
            {
                Pose64 pose;
                Check(Native.portamento_track_truth(id, out pose));
                return pose;
            }
        }

        /// <summary>Where to draw it, without remembering it.</summary>
        public Pose64 View(Moment moment)
        {
            Pose64 view;
            Check(Native.portamento_track_view(id, ref moment, out view));
            return view;
        }

        /// <summary>Where to draw it, with the frame before and cuts. Once per frame.</summary>
        public Drawn Draw(Moment moment)
        {
            Drawn drawn;
            Check(Native.portamento_track_draw(id, ref moment, out drawn));
            return drawn;
        }

        /// <summary>Whether the view is the truth's own bits and stays so until the next change.</summary>
        public bool AtRest(Moment moment)
        {
            uint rests;
            Check(Native.portamento_track_at_rest(id, ref moment, out rests));
            return rests != 0;
        }

        /// <summary>Makes room for the saves of the last ticks, for rollback. It allocates.</summary>
        public void ReserveSaves(int count)
        {
            Check(Native.portamento_track_reserve_saves(id, (uint)count));
        }

        /// <summary>Saves the truth after a tick.</summary>
        public void Save(ulong tick)
        {
            Check(Native.portamento_track_save(id, tick));
        }

        /// <summary>Puts the truth back to what it was when a tick was saved; false if that is not kept. Then push anew.</summary>
        public bool Restore(ulong tick)
        {
            return Some(Native.portamento_track_restore(id, tick));
        }

        protected override bool ReleaseHandle()
        {
            return Native.portamento_track_free(id) == Status.Ok;
        }
    }

    /// <summary>The last ticks of thousands of entities, drawn by one call.</summary>
    public sealed class Batch : NativeObject
    {
        /// <summary>For a fixed step.</summary>
        public Batch() : this(2)
        {
        }

        /// <summary>Keeps this many ticks: 2 for a fixed step, Stepper.Counts.EndsNeeded for a gate, 16 at most.</summary>
        public Batch(int ends)
        {
            Check(Native.portamento_batch_new((uint)ends, out id));
        }

        public Batch(BatchSettings settings)
        {
            Check(Native.portamento_batch_with_settings(ref settings, out id));
        }

        /// <summary>Makes room for more entities, so that adding them does not allocate.</summary>
        public void Reserve(int more)
        {
            Check(Native.portamento_batch_reserve(id, (uint)more));
        }

        /// <summary>Adds an entity that appears at a pose.</summary>
        public BatchHandle Insert(Pose pose)
        {
            BatchHandle row;
            Check(Native.portamento_batch_insert(id, ref pose, out row));
            return row;
        }

        public void Remove(BatchHandle row)
        {
            Check(Native.portamento_batch_remove(id, row));
        }

        /// <summary>How many rows your arrays need: one more than the highest index in use.</summary>
        public int Rows
        {
            get
            {
                uint rows;
                Check(Native.portamento_batch_rows(id, out rows));
                return (int)rows;
            }
        }

        /// <summary>A tick: poses[i] is the result of the entity in row i, after collision.</summary>
        public void PushAll(Pose[] poses)
        {
            Check(Native.portamento_batch_push_all(id, poses, UIntPtr.Zero, (UIntPtr)poses.Length));
        }

        /// <summary>The same from native memory, such as a NativeArray: stride is the bytes from one pose to the next.</summary>
        public void PushAll(IntPtr first, int stride, int count)
        {
            Check(Native.portamento_batch_push_all(id, first, (UIntPtr)stride, (UIntPtr)count));
        }

        /// <summary>A tick in which only these entities moved: rows[i] went to poses[i]. All others stay.</summary>
        public void PushSome(BatchHandle[] rows, Pose[] poses, int count)
        {
            if (count > rows.Length || count > poses.Length)
            {
                throw new ArgumentOutOfRangeException("count");
            }
            Check(Native.portamento_batch_push_some(
                id, rows, UIntPtr.Zero, poses, UIntPtr.Zero, (UIntPtr)count));
        }

        /// <summary>A collision moved the newest pose of one entity within its tick: the picture glides.</summary>
        public void Correct(BatchHandle row, Pose pose)
        {
            Check(Native.portamento_batch_correct(id, row, ref pose));
        }

        /// <summary>The truth of one entity: the newest pose pushed.</summary>
        public Pose Truth(BatchHandle row)
        {
            Pose pose;
            Check(Native.portamento_batch_truth(id, row, out pose));
            return pose;
        }

        /// <summary>A spawn, teleport or respawn of one entity.</summary>
        public void Cut(BatchHandle row, Pose pose)
        {
            Check(Native.portamento_batch_cut(id, row, ref pose));
        }

        /// <summary>The world's origin moves by shift, and nothing is seen of it.</summary>
        public void Rebase(Float3 shift)
        {
            Check(Native.portamento_batch_rebase(id, ref shift));
        }

        /// <summary>Counts everything as moved in the next frame: for a buffer that is new or was lost.</summary>
        public void Redraw()
        {
            Check(Native.portamento_batch_redraw(id));
        }

        /// <summary>
        /// Writes what moved since the last frame, each entity at its own row, and leaves the other rows alone. Returns how
        /// many moved.
        /// </summary>
        public int Write(Moment moment, OutputForm form, float[] buffer)
        {
            return Write(moment, form, buffer, null);
        }

        /// <summary>The same, with which entities moved: as many as fit into moved, which may be null.</summary>
        public int Write(Moment moment, OutputForm form, float[] buffer, BatchHandle[] moved)
        {
            UIntPtr written, capacity = (UIntPtr)(moved == null ? 0 : moved.Length);
            Check(Native.portamento_batch_frame(
                id, ref moment, form, buffer, (UIntPtr)buffer.Length, moved, capacity, out written));
            return (int)written;
        }

        /// <summary>
        /// Writes what moved one after the other without gaps, in the order of `moved`: a list to upload. Returns how many.
        /// </summary>
        public int WriteMoved(Moment moment, OutputForm form, float[] buffer, BatchHandle[] moved)
        {
            UIntPtr written;
            Check(Native.portamento_batch_frame_moved(
                id, ref moment, form, buffer, (UIntPtr)buffer.Length, moved, (UIntPtr)moved.Length, out written));
            return (int)written;
        }

        /// <summary>Writes into structs of yours in native memory: `first` is where those of row 0 go.</summary>
        public int Write(Moment moment, OutputForm form, IntPtr first, int stride, int rows)
        {
            UIntPtr written;
            Check(Native.portamento_batch_frame_strided(
                id, ref moment, form, first, (UIntPtr)stride, (UIntPtr)rows, null, UIntPtr.Zero, out written));
            return (int)written;
        }

        /// <summary>The same into native memory of this many floats, such as a mapped buffer or a NativeArray.</summary>
        public int Write(Moment moment, OutputForm form, IntPtr buffer, int floats)
        {
            UIntPtr written;
            Check(Native.portamento_batch_frame(
                id, ref moment, form, buffer, (UIntPtr)floats, null, UIntPtr.Zero, out written));
            return (int)written;
        }

#if PORTAMENTO_SPANS
        /// <summary>A tick: poses[i] is the result of the entity in row i, after collision.</summary>
        public void PushAll(ReadOnlySpan<Pose> poses)
        {
            Check(Native.portamento_batch_push_all(
                id, ref MemoryMarshal.GetReference(poses), UIntPtr.Zero, (UIntPtr)poses.Length));
        }

        /// <summary>Writes what moved since the last frame. Returns how many moved.</summary>
        public int Write(Moment moment, OutputForm form, Span<float> buffer)
        {
            UIntPtr written;
            Check(Native.portamento_batch_frame(
                id, ref moment, form, ref MemoryMarshal.GetReference(buffer), (UIntPtr)buffer.Length, IntPtr.Zero,
                UIntPtr.Zero, out written));
            return (int)written;
        }
#endif

        /// <summary>The server says that one entity is there now: the truth jumps, the picture glides.</summary>
        public void Reconcile(BatchHandle row, Pose pose)
        {
            Check(Native.portamento_batch_reconcile(id, row, ref pose));
        }

        /// <summary>Makes room for the saves of the last ticks, for rollback. It allocates.</summary>
        public void ReserveSaves(int count)
        {
            Check(Native.portamento_batch_reserve_saves(id, (uint)count));
        }

        /// <summary>Saves the truth of all entities after a tick.</summary>
        public void Save(ulong tick)
        {
            Check(Native.portamento_batch_save(id, tick));
        }

        /// <summary>Puts the truth of all back to what it was when a tick was saved; false if that is not kept. Then push anew.</summary>
        public bool Restore(ulong tick)
        {
            return Some(Native.portamento_batch_restore(id, tick));
        }

        /// <summary>What the last frame drew of one entity, with the frame before, for a camera: needs BatchSettings.RememberViews.
        /// False if the batch has changed since its last frame.</summary>
        public bool Drawn(BatchHandle row, out Drawn drawn)
        {
            return Some(Native.portamento_batch_drawn(id, row, out drawn));
        }

        protected override bool ReleaseHandle()
        {
            return Native.portamento_batch_free(id) == Status.Ok;
        }
    }

    /// <summary>The last ticks of thousands of entities of a large world, drawn as seen from a camera.</summary>
    public sealed class Batch64 : NativeObject
    {
        const uint Poses64 = 4;

        /// <summary>For a fixed step.</summary>
        public Batch64() : this(2)
        {
        }

        /// <summary>Keeps this many ticks: 2 for a fixed step, Stepper.Counts.EndsNeeded for a gate, 16 at most.</summary>
        public Batch64(int ends)
        {
            Check(Native.portamento_batch64_new((uint)ends, out id));
        }

        /// <summary>Makes room for more entities, so that adding them does not allocate.</summary>
        public void Reserve(int more)
        {
            Check(Native.portamento_batch64_reserve(id, (uint)more));
        }

        /// <summary>Adds an entity that appears at a pose.</summary>
        public BatchHandle Insert(Pose64 pose)
        {
            BatchHandle row;
            Check(Native.portamento_batch64_insert(id, ref pose, out row));
            return row;
        }

        public void Remove(BatchHandle row)
        {
            Check(Native.portamento_batch64_remove(id, row));
        }

        /// <summary>How many rows your arrays need: one more than the highest index in use.</summary>
        public int Rows
        {
            get
            {
                uint rows;
                Check(Native.portamento_batch64_rows(id, out rows));
                return (int)rows;
            }
        }

        /// <summary>A tick: poses[i] is the result of the entity in row i, after collision.</summary>
        public void PushAll(Pose64[] poses)
        {
            Check(Native.portamento_batch64_push_all(id, poses, UIntPtr.Zero, (UIntPtr)poses.Length));
        }

        /// <summary>A spawn, teleport or respawn of one entity.</summary>
        public void Cut(BatchHandle row, Pose64 pose)
        {
            Check(Native.portamento_batch64_cut(id, row, ref pose));
        }

        /// <summary>A collision moved the newest pose of one entity within its tick: the picture glides.</summary>
        public void Correct(BatchHandle row, Pose64 pose)
        {
            Check(Native.portamento_batch64_correct(id, row, ref pose));
        }

        /// <summary>The world's origin moves by shift, and nothing is seen of it.</summary>
        public void Rebase(Double3 shift)
        {
            Check(Native.portamento_batch64_rebase(id, ref shift));
        }

        /// <summary>Counts everything as moved in the next frame: for a buffer that is new or was lost.</summary>
        public void Redraw()
        {
            Check(Native.portamento_batch64_redraw(id));
        }

        /// <summary>
        /// Writes what moved since the last frame, as seen from `origin`: the camera's position. Each entity at its own row;
        /// returns how many moved. When the origin is another one than in the frame before, everything moved.
        /// </summary>
        public int Write(Moment moment, Double3 origin, OutputForm form, float[] buffer)
        {
            UIntPtr written;
            int floats = form == OutputForm.Poses ? 7 : form == OutputForm.Positions ? 3 : form == OutputForm.Matrices3x4 ? 12 : 16;
            Check(Native.portamento_batch64_frame(
                id, ref moment, ref origin, form, buffer, UIntPtr.Zero, (UIntPtr)(buffer.Length / floats), null,
                UIntPtr.Zero, out written));
            return (int)written;
        }

        /// <summary>Writes what moved since the last frame, in double precision. Returns how many moved.</summary>
        public int Write(Moment moment, Pose64[] poses)
        {
            UIntPtr written;
            Check(Native.portamento_batch64_frame(
                id, ref moment, IntPtr.Zero, Poses64, poses, UIntPtr.Zero, (UIntPtr)poses.Length, null, UIntPtr.Zero,
                out written));
            return (int)written;
        }

        protected override bool ReleaseHandle()
        {
            return Native.portamento_batch64_free(id) == Status.Ok;
        }
    }

    /// <summary>A camera behind and above a body.</summary>
    public sealed class ChaseCamera : NativeObject
    {
        static readonly NativeCollide OnCollide = RunCollide;
        [ThreadStatic]
        static ChaseCamera updating;
        Exception thrown;

        public ChaseCamera(ChaseSettings settings)
        {
            Check(Native.portamento_chase_camera_new(ref settings, out id));
        }

        /// <summary>Keeps the eye out of walls; null for none. Set it once: a new delegate in each frame is garbage.</summary>
        public Collide Collide { get; set; }

        /// <summary>Replaces the settings; the camera goes on from where it is.</summary>
        public void SetSettings(ChaseSettings settings)
        {
            Check(Native.portamento_chase_camera_set_settings(id, ref settings));
        }

        /// <summary>Turns the camera as the mouse says, in radians. With an infinite LookRate it shows at once.</summary>
        public void SetLook(double orbit, double pitch)
        {
            Check(Native.portamento_chase_camera_set_look(id, orbit, pitch));
        }

        /// <summary>Starts anew at the target in the next update.</summary>
        public void Cut()
        {
            Check(Native.portamento_chase_camera_cut(id));
        }

        /// <summary>Follows what was drawn through this frame. If Collide throws, the eye stays where the camera wanted it.</summary>
        public Shot Update(Presented presented, Drawn body)
        {
            Shot shot;
            if (Collide == null)
            {
                Check(Native.portamento_chase_camera_update(id, presented.Seconds, ref body, null, IntPtr.Zero, out shot));
                return shot;
            }
            ChaseCamera outer = updating;
            updating = this;
            Status status;
            try
            {
                status = Native.portamento_chase_camera_update(id, presented.Seconds, ref body, OnCollide, IntPtr.Zero, out shot);
            }
            finally
            {
                updating = outer;
            }
            if (thrown != null)
            {
                Exception from = thrown;
                thrown = null;
                throw new InvalidOperationException("the Collide of a ChaseCamera threw", from);
            }
            Check(status);
            return shot;
        }

        /// <summary>An exception must not pass through native code: it waits here.</summary>
#if ENABLE_IL2CPP
        [MonoPInvokeCallback(typeof(NativeCollide))]
#endif
        static void RunCollide(IntPtr user, ref Double3 pivot, ref Double3 eye)
        {
            ChaseCamera camera = updating;
            try
            {
                camera.Collide(pivot, ref eye);
            }
            catch (Exception exception)
            {
                camera.thrown = exception;
            }
        }

        /// <summary>The settings in force.</summary>
        public ChaseSettings Settings
        {
            get
            {
                ChaseSettings now;
                Check(Native.portamento_chase_camera_settings(id, out now));
                return now;
            }
        }

        /// <summary>The body has landed: with HeightHold of the settings, the camera may come up to it now.</summary>
        public void ReleaseHeight()
        {
            Check(Native.portamento_chase_camera_release_height(id));
        }

        /// <summary>The world's origin moves by shift, and nothing is seen of it.</summary>
        public void Rebase(Double3 shift)
        {
            Check(Native.portamento_chase_camera_rebase(id, ref shift));
        }

        /// <summary>What could not be used.</summary>
        public CameraCounts Counts
        {
            get
            {
                CameraCounts now;
                Check(Native.portamento_chase_camera_get_counts(id, out now));
                return now;
            }
        }

        protected override bool ReleaseHandle()
        {
            return Native.portamento_chase_camera_free(id) == Status.Ok;
        }
    }

    /// <summary>A camera over a flat world.</summary>
    public sealed class FollowCamera : NativeObject
    {
        public FollowCamera(FollowSettings settings)
        {
            Check(Native.portamento_follow_camera_new(ref settings, out id));
        }

        /// <summary>Replaces the settings; the camera goes on from where it is.</summary>
        public void SetSettings(FollowSettings settings)
        {
            Check(Native.portamento_follow_camera_set_settings(id, ref settings));
        }

        /// <summary>Follows what was drawn, by its x and y.</summary>
        public Framing Update(Presented presented, Drawn target)
        {
            return Update(presented, target.Now.Position.X, target.Now.Position.Y, target.Cut);
        }

        /// <summary>Follows what was drawn at x, y; cut if it jumped.</summary>
        public Framing Update(Presented presented, double x, double y, bool cut)
        {
            Double2 place = new Double2(x, y);
            Framing framing;
            Check(Native.portamento_follow_camera_update(id, presented.Seconds, ref place, cut ? 1u : 0u, out framing));
            return framing;
        }

        /// <summary>Zooms to this many pixels per unit, about the middle.</summary>
        public void ZoomTo(double zoom)
        {
            Check(Native.portamento_follow_camera_zoom_to(id, zoom, IntPtr.Zero));
        }

        /// <summary>Zooms; the place of the world under a point of the screen stays there.</summary>
        public void ZoomTo(double zoom, Double2 about)
        {
            Check(Native.portamento_follow_camera_zoom_to(id, zoom, ref about));
        }

        /// <summary>Shakes the picture: 0 to 1.</summary>
        public void Shake(double strength)
        {
            Check(Native.portamento_follow_camera_shake(id, strength));
        }

        /// <summary>Starts anew over the target in the next update.</summary>
        public void Cut()
        {
            Check(Native.portamento_follow_camera_cut(id));
        }

        /// <summary>The place of the world under a point of the screen, by the picture last drawn: what a click means.</summary>
        public Double2 ToWorld(Double2 screen)
        {
            Double2 world;
            Check(Native.portamento_follow_camera_to_world(id, ref screen, out world));
            return world;
        }

        /// <summary>The settings in force; the zoom is where zooming has brought it.</summary>
        public FollowSettings Settings
        {
            get
            {
                FollowSettings now;
                Check(Native.portamento_follow_camera_settings(id, out now));
                return now;
            }
        }

        /// <summary>Follows the middle of all targets, and zooms out as far as needed to show them all.</summary>
        public Framing UpdateAll(Presented presented, FollowTarget[] targets)
        {
            Framing framing;
            Check(Native.portamento_follow_camera_update_all(
                id, presented.Seconds, targets, UIntPtr.Zero, (UIntPtr)targets.Length, out framing));
            return framing;
        }

        /// <summary>Follows nothing in this frame: the picture stays where it is, or where Pan and SetCentre move it.</summary>
        public Framing UpdateFree(Presented presented)
        {
            Framing framing;
            Check(Native.portamento_follow_camera_update_free(id, presented.Seconds, out framing));
            return framing;
        }

        /// <summary>The picture last drawn.</summary>
        public Framing Framing
        {
            get
            {
                Framing now;
                Check(Native.portamento_follow_camera_framing(id, out now));
                return now;
            }
        }

        /// <summary>Moves the middle of the picture there at once, and forgets the motion before.</summary>
        public void SetCentre(Double2 centre)
        {
            Check(Native.portamento_follow_camera_set_centre(id, ref centre));
        }

        /// <summary>Moves the picture by these pixels, as a mouse drags it: it stays that far beside its target until Recentre.</summary>
        public void Pan(Double2 pixels)
        {
            Check(Native.portamento_follow_camera_pan(id, ref pixels));
        }

        /// <summary>Lets the picture glide back over its target.</summary>
        public void Recentre()
        {
            Check(Native.portamento_follow_camera_recentre(id));
        }

        /// <summary>The world's origin moves by shift, and nothing is seen of it.</summary>
        public void Rebase(Double2 shift)
        {
            Check(Native.portamento_follow_camera_rebase(id, ref shift));
        }

        /// <summary>Zooms in by a factor about the middle; below 1 out.</summary>
        public void ZoomBy(double factor)
        {
            Check(Native.portamento_follow_camera_zoom_by(id, factor, IntPtr.Zero));
        }

        /// <summary>Zooms in by a factor; the place of the world under a point of the screen stays there.</summary>
        public void ZoomBy(double factor, Double2 about)
        {
            Check(Native.portamento_follow_camera_zoom_by(id, factor, ref about));
        }

        /// <summary>Advances the shake by seconds of a clock of your own: only with Shake.OwnTime of the settings.</summary>
        public Framing AdvanceShake(double seconds)
        {
            Framing framing;
            Check(Native.portamento_follow_camera_advance_shake(id, seconds, out framing));
            return framing;
        }

        /// <summary>The point of the screen over a place of the world, by the picture last drawn: for labels and health bars.</summary>
        public Double2 ToScreen(Double2 world)
        {
            Double2 screen;
            Check(Native.portamento_follow_camera_to_screen(id, ref world, out screen));
            return screen;
        }

        /// <summary>What could not be used.</summary>
        public CameraCounts Counts
        {
            get
            {
                CameraCounts now;
                Check(Native.portamento_follow_camera_get_counts(id, out now));
                return now;
            }
        }

        protected override bool ReleaseHandle()
        {
            return Native.portamento_follow_camera_free(id) == Status.Ok;
        }
    }

    /// <summary>Blends of plain numbers, such as bones, colours or health bars of your own.</summary>
    public static class Numbers
    {
        /// <summary>result[i] lies `alpha` of the way from from[i] to to[i]; result may be one of the two.</summary>
        public static void Blend(double[] from, double[] to, double alpha, double[] result)
        {
            if (to.Length < from.Length || result.Length < from.Length)
            {
                throw new ArgumentException("to and result must be as long as from");
            }
            Native.CheckVersion();
            Native.Check(Native.portamento_blend_numbers(from, to, (UIntPtr)from.Length, alpha, result));
        }
    }

    /// <summary>Chooses which moment of another clock is drawn.</summary>
    public sealed class Playhead : NativeObject
    {
        public Playhead(PlayheadSettings settings)
        {
            Check(Native.portamento_playhead_new(ref settings, out id));
        }

        /// <summary>For a writer on this machine that ticks so often per second.</summary>
        public static Playhead AtHz(double hz)
        {
            return new Playhead(PlayheadSettings.AtHz(hz));
        }

        /// <summary>Takes the arrival of a tick: it stands for `simulated` seconds of the writer's clock, and came at
        /// `arrival` by ours.</summary>
        public Observed Observe(double arrival, double simulated)
        {
            Observed observed;
            Check(Native.portamento_playhead_observe(id, arrival, simulated, out observed));
            return observed;
        }

        /// <summary>The same for a tick in which everything was cut.</summary>
        public Observed ObserveCut(double arrival, double simulated)
        {
            Observed observed;
            Check(Native.portamento_playhead_observe_cut(id, arrival, simulated, out observed));
            return observed;
        }

        /// <summary>A frame is drawn at `now` by our clock; false before the first tick. Once per frame.</summary>
        public bool Advance(double now, out Shown shown)
        {
            return Some(Native.portamento_playhead_advance(id, now, out shown));
        }

        /// <summary>The writer's clock runs at another rate from `at` by our clock on; 0 while paused.</summary>
        public void SetTimeScale(double at, double scale)
        {
            Check(Native.portamento_playhead_set_time_scale(id, at, scale));
        }

        /// <summary>Forgets the writer's clock: call it when the writer began a new life.</summary>
        public void Restart()
        {
            Check(Native.portamento_playhead_restart(id));
        }

        /// <summary>The place between the last two ticks that SinceArrival draws; false with the other rule.</summary>
        public bool AlphaSinceArrival(out double alpha)
        {
            return Some(Native.portamento_playhead_alpha_since_arrival(id, out alpha));
        }

        public PlayheadCounts Counts
        {
            get
            {
                PlayheadCounts counts;
                Check(Native.portamento_playhead_get_counts(id, out counts));
                return counts;
            }
        }

        protected override bool ReleaseHandle()
        {
            return Native.portamento_playhead_free(id) == Status.Ok;
        }
    }

    /// <summary>The last poses of one entity, each with its simulation time.</summary>
    public sealed class Timeline : NativeObject
    {
        public Timeline() : this(TimelineSettings.Default())
        {
        }

        public Timeline(TimelineSettings settings)
        {
            Check(Native.portamento_timeline_new(ref settings, out id));
        }

        /// <summary>The pose of a tick that stands for `simulated` seconds.</summary>
        public void Push(double simulated, Pose64 pose)
        {
            Check(Native.portamento_timeline_push(id, simulated, ref pose));
        }

        /// <summary>A teleport at `simulated` seconds.</summary>
        public void Cut(double simulated, Pose64 pose)
        {
            Check(Native.portamento_timeline_cut(id, simulated, ref pose));
        }

        /// <summary>Where to draw it, without remembering it; false before the first tick.</summary>
        public bool View(Shown shown, out Pose64 view, out TimelinePlace place)
        {
            double alpha;
            return Some(Native.portamento_timeline_view(id, ref shown, out view, out place, out alpha));
        }

        /// <summary>Where to draw it, with the frame before and cuts; false before the first tick. Once per frame.</summary>
        public bool Draw(Shown shown, out Drawn drawn)
        {
            return Some(Native.portamento_timeline_draw(id, ref shown, out drawn));
        }

        /// <summary>What the simulation says: the newest pose; false before the first tick.</summary>
        public bool Truth(out Pose64 pose)
        {
            return Some(Native.portamento_timeline_truth(id, out pose));
        }

        /// <summary>The world's origin moves by shift, and nothing is seen of it.</summary>
        public void Rebase(Double3 shift)
        {
            Check(Native.portamento_timeline_rebase(id, ref shift));
        }

        /// <summary>Forgets everything: call it when the writer began a new life.</summary>
        public void Clear()
        {
            Check(Native.portamento_timeline_clear(id));
        }

        protected override bool ReleaseHandle()
        {
            return Native.portamento_timeline_free(id) == Status.Ok;
        }
    }

    /// <summary>Events that fire when the drawn moment of another clock reaches them; at most 64 wait.</summary>
    public sealed class Cues : NativeObject
    {
        public Cues()
        {
            Check(Native.portamento_cues_new(out id));
        }

        /// <summary>Adds an event, a number of yours, that fires at the moment `at` of the writer's clock.</summary>
        public void Add(double at, ulong number)
        {
            Check(Native.portamento_cues_add(id, at, number));
        }

        /// <summary>The next cue that a frame has reached: in every frame, call it until it is false.</summary>
        public bool Next(Shown shown, out Cue cue)
        {
            return Some(Native.portamento_cues_next(id, ref shown, out cue));
        }

        /// <summary>How many cues wait.</summary>
        public uint Waiting
        {
            get
            {
                uint now;
                Check(Native.portamento_cues_waiting(id, out now));
                return now;
            }
        }

        /// <summary>How many cues were refused.</summary>
        public ulong Refused
        {
            get
            {
                ulong now;
                Check(Native.portamento_cues_refused(id, out now));
                return now;
            }
        }

        /// <summary>Forgets all that wait: call it when the writer began a new life.</summary>
        public void Clear()
        {
            Check(Native.portamento_cues_clear(id));
        }

        protected override bool ReleaseHandle()
        {
            return Native.portamento_cues_free(id) == Status.Ok;
        }
    }

    /// <summary>An entity that is predicted here, and corrected by a server or rolled back: the picture glides.</summary>
    public sealed class PredictedTrack : NativeObject
    {
        public PredictedTrack(Pose64 start) : this(start, ReconcileSettings.Default())
        {
        }

        public PredictedTrack(Pose64 start, ReconcileSettings settings)
        {
            Check(Native.portamento_predicted_track_new(ref start, ref settings, out id));
        }

        /// <summary>The result of a tick. Call it in every tick.</summary>
        public void Push(Pose64 pose)
        {
            Check(Native.portamento_predicted_track_push(id, ref pose));
        }

        /// <summary>A spawn or teleport: nothing in between is ever drawn.</summary>
        public void Cut(Pose64 pose)
        {
            Check(Native.portamento_predicted_track_cut(id, ref pose));
        }

        /// <summary>A collision moved the newest pose within its tick.</summary>
        public void Correct(Pose64 pose)
        {
            Check(Native.portamento_predicted_track_correct(id, ref pose));
        }

        /// <summary>The server says that the entity is there now: the truth jumps, the picture glides.</summary>
        public void Reconcile(Pose64 pose)
        {
            Check(Native.portamento_predicted_track_reconcile(id, ref pose));
        }

        /// <summary>Saves the truth after a tick, for rollback.</summary>
        public void Save(ulong tick)
        {
            Check(Native.portamento_predicted_track_save(id, tick));
        }

        /// <summary>Puts the truth back to what it was when a tick was saved; false if that is not kept. Then push anew.</summary>
        public bool Restore(ulong tick)
        {
            return Some(Native.portamento_predicted_track_restore(id, tick));
        }

        /// <summary>The world's origin moves by shift, and nothing is seen of it.</summary>
        public void Rebase(Double3 shift)
        {
            Check(Native.portamento_predicted_track_rebase(id, ref shift));
        }

        /// <summary>The truth: the newest pose pushed.</summary>
        public Pose64 Truth
        {
            get
            {
                Pose64 pose;
                Check(Native.portamento_predicted_track_truth(id, out pose));
                return pose;
            }
        }

        /// <summary>Where to draw it, with the frame before and cuts. Once per frame.</summary>
        public Drawn Draw(Moment moment)
        {
            Drawn drawn;
            Check(Native.portamento_predicted_track_draw(id, ref moment, out drawn));
            return drawn;
        }

        /// <summary>How far the picture stands from the truth.</summary>
        public OffsetSize Offset
        {
            get
            {
                OffsetSize size;
                Check(Native.portamento_predicted_track_offset(id, out size));
                return size;
            }
        }

        /// <summary>Makes room for the saves of the last ticks, for rollback. It allocates.</summary>
        public void ReserveSaves(int count)
        {
            Check(Native.portamento_predicted_track_reserve_saves(id, (uint)count));
        }

        protected override bool ReleaseHandle()
        {
            return Native.portamento_predicted_track_free(id) == Status.Ok;
        }
    }

    /// <summary>The distance from a truth of your own to its picture, fading.</summary>
    public sealed class VisualOffset : NativeObject
    {
        public VisualOffset()
        {
            Check(Native.portamento_visual_offset_new(out id));
        }

        /// <summary>The truth jumped, which no one is meant to see: the picture stays, at most `limit` from the truth.</summary>
        public Absorbed Absorb(Pose64 from, Pose64 to, OffsetSize limit)
        {
            Absorbed absorbed;
            Check(Native.portamento_visual_offset_absorb(id, ref from, ref to, ref limit, out absorbed));
            return absorbed;
        }

        /// <summary>Lets a frame pass.</summary>
        public void Fade(Presented presented)
        {
            Check(Native.portamento_visual_offset_fade(id, presented.Seconds, IntPtr.Zero));
        }

        /// <summary>Lets a frame pass, fading in a way of your own.</summary>
        public void Fade(Presented presented, OffsetFading fading)
        {
            Check(Native.portamento_visual_offset_fade(id, presented.Seconds, ref fading));
        }

        /// <summary>What is drawn for a truth.</summary>
        public Pose64 Drawn(Pose64 truth)
        {
            Pose64 view;
            Check(Native.portamento_visual_offset_drawn(id, ref truth, out view));
            return view;
        }

        /// <summary>Puts the picture on the truth at once: after a cut.</summary>
        public void Clear()
        {
            Check(Native.portamento_visual_offset_clear(id));
        }

        /// <summary>How far the picture stands from the truth.</summary>
        public OffsetSize Size
        {
            get
            {
                OffsetSize size;
                Check(Native.portamento_visual_offset_size(id, out size));
                return size;
            }
        }

        protected override bool ReleaseHandle()
        {
            return Native.portamento_visual_offset_free(id) == Status.Ok;
        }
    }

    /// <summary>A block of memory or a file that a writer and readers meet at; they may outlive it.</summary>
    public sealed class Exchange : NativeObject
    {
        Exchange()
        {
        }

        /// <summary>In memory, for threads of one process.</summary>
        public Exchange(Shape shape)
        {
            Check(Native.portamento_exchange_new(ref shape, out id));
        }

        /// <summary>In a file, or the one that is there and has this shape: a writer's way to begin. Linux only.</summary>
        public static Exchange CreateFile(string path, Shape shape)
        {
            Exchange exchange = new Exchange();
            exchange.Check(Native.portamento_exchange_create_file(Native.Text(path), ref shape, out exchange.id));
            return exchange;
        }

        /// <summary>In a file that is there: a reader's way to begin. Linux only.</summary>
        public static Exchange OpenFile(string path)
        {
            Exchange exchange = new Exchange();
            exchange.Check(Native.portamento_exchange_open_file(Native.Text(path), out exchange.id));
            return exchange;
        }

        /// <summary>Whether the path leads to another file by now: open it again. Ask once a second, not in every frame.</summary>
        public bool IsReplaced
        {
            get
            {
                uint replaced;
                Check(Native.portamento_exchange_is_replaced(id, out replaced));
                return replaced != 0;
            }
        }

        public Shape Shape
        {
            get
            {
                Shape shape;
                Check(Native.portamento_exchange_shape(id, out shape));
                return shape;
            }
        }

        /// <summary>The clock that all processes of this machine share and no one sets. Linux only.</summary>
        public static double MachineSeconds
        {
            get
            {
                double seconds;
                Native.Check(Native.portamento_machine_seconds(out seconds));
                return seconds;
            }
        }

        protected override bool ReleaseHandle()
        {
            return Native.portamento_exchange_free(id) == Status.Ok;
        }
    }

    /// <summary>The side of an exchange that simulates.</summary>
    public sealed class Writer : NativeObject
    {
        /// <summary>Becomes the writer and begins a new run. Status.Full if there is one that lives.</summary>
        public Writer(Exchange exchange)
        {
            Check(Native.portamento_writer_new(exchange.id, out id));
            GC.KeepAlive(exchange);
        }

        /// <summary>Moves an entity; readers interpolate. A number that is not in use yet is a new entity.</summary>
        public void Set(ulong entity, Pose64 pose)
        {
            Check(Native.portamento_writer_set(id, entity, ref pose));
        }

        /// <summary>Moves many: entities[i] goes to poses[i].</summary>
        public void Set(ulong[] entities, Pose64[] poses)
        {
            UIntPtr count = (UIntPtr)Math.Min(entities.Length, poses.Length);
            Check(Native.portamento_writer_set_many(id, entities, UIntPtr.Zero, poses, UIntPtr.Zero, count));
        }

        /// <summary>Moves an entity there at once: nothing in between is ever drawn.</summary>
        public void Cut(ulong entity, Pose64 pose)
        {
            Check(Native.portamento_writer_cut(id, entity, ref pose));
        }

        public void Remove(ulong entity)
        {
            Check(Native.portamento_writer_remove(id, entity));
        }

        /// <summary>The 32 bits that travel with an entity; their meaning is yours.</summary>
        public void SetFlags(ulong entity, uint flags)
        {
            Check(Native.portamento_writer_set_flags(id, entity, flags));
        }

        /// <summary>One of the entity's floats, which readers interpolate.</summary>
        public void SetF32(ulong entity, int column, float value)
        {
            Check(Native.portamento_writer_set_f32(id, entity, (uint)column, value));
        }

        /// <summary>One of the entity's uints, which readers do not interpolate.</summary>
        public void SetU32(ulong entity, int column, uint value)
        {
            Check(Native.portamento_writer_set_u32(id, entity, (uint)column, value));
        }

        /// <summary>Publishes one tick that stands for `simulated` seconds, at `now` of a clock that the readers share.</summary>
        public TickStamp Publish(double now, double simulated)
        {
            return Publish(now, simulated, 1.0);
        }

        /// <summary>The same, with this many simulated seconds per real second; 0 while paused.</summary>
        public TickStamp Publish(double now, double simulated, double scale)
        {
            TickStamp stamp;
            Check(Native.portamento_writer_publish(id, now, simulated, scale, out stamp));
            return stamp;
        }

        /// <summary>Publishes one tick at the moment of the stepper, with its time scale and pause.</summary>
        public TickStamp Publish(double now, Stepper stepper)
        {
            TickStamp stamp;
            Check(Native.portamento_writer_publish_stepper(id, now, stepper.id, out stamp));
            GC.KeepAlive(stepper);
            return stamp;
        }

        protected override bool ReleaseHandle()
        {
            return Native.portamento_writer_free(id) == Status.Ok;
        }
    }

    /// <summary>A side of an exchange that draws.</summary>
    public sealed class Reader : NativeObject
    {
        /// <summary>Takes a seat. PlayheadSettings.AtHz with the writer's tick rate is right for most.</summary>
        public Reader(Exchange exchange, PlayheadSettings settings)
        {
            Check(Native.portamento_reader_new(exchange.id, ref settings, out id));
            GC.KeepAlive(exchange);
        }

        /// <summary>A frame is drawn at `now`, by the writer's clock; false before the first tick. Once per frame.</summary>
        public bool Frame(double now, out WorldFrame world)
        {
            return Some(Native.portamento_reader_frame(id, now, out world));
        }

        /// <summary>Writes all entities of the last frame, and returns how many; there must be room for WorldFrame.Rows.</summary>
        public int Entities(EntityView[] entities)
        {
            UIntPtr count;
            Check(Native.portamento_reader_entities(
                id, entities, UIntPtr.Zero, (UIntPtr)entities.Length, out count));
            return (int)count;
        }

        /// <summary>One entity of the last frame with the frame before, for a camera; false while it is not there.</summary>
        public bool Draw(ulong entity, out Drawn drawn)
        {
            return Some(Native.portamento_reader_draw(id, entity, out drawn));
        }

        /// <summary>One of the floats of the entity in a row, interpolated; false if there is no such row or column.</summary>
        public bool F32(uint row, int column, out float value)
        {
            return Some(Native.portamento_reader_f32(id, row, (uint)column, out value));
        }

        /// <summary>One of the uints of the entity in a row; false if there is no such row or column.</summary>
        public bool U32(uint row, int column, out uint value)
        {
            return Some(Native.portamento_reader_u32(id, row, (uint)column, out value));
        }

        /// <summary>Sleeps until a tick is published; false if none was in this many seconds. Not for renderers. Linux only.</summary>
        public bool Wait(double seconds)
        {
            return Some(Native.portamento_reader_wait(id, seconds));
        }

        /// <summary>What the writer last reported of itself. One that was killed reports nothing: check the ticks' age too.</summary>
        public WriterState Writer
        {
            get
            {
                WriterState state;
                Check(Native.portamento_reader_writer(id, out state));
                return state;
            }
        }

        public ReaderCounts Counts
        {
            get
            {
                ReaderCounts counts;
                Check(Native.portamento_reader_get_counts(id, out counts));
                return counts;
            }
        }

        protected override bool ReleaseHandle()
        {
            return Native.portamento_reader_free(id) == Status.Ok;
        }
    }

    /// <summary>A sender: a server, or another player.</summary>
    public sealed class Peer : NativeObject
    {
        public Peer(PeerSettings settings)
        {
            Check(Native.portamento_peer_new(ref settings, out id));
        }

        /// <summary>A peer that sends this many messages per second.</summary>
        public static Peer AtHz(double hz)
        {
            return new Peer(PeerSettings.AtHz(hz));
        }

        /// <summary>A message stamped `sent` by the peer's clock arrived at `arrived` by ours. Once per message.</summary>
        public void Receive(double sent, double arrived)
        {
            Check(Native.portamento_peer_receive(id, sent, arrived));
        }

        /// <summary>The peer began a new life: its clock starts over.</summary>
        public void Restart()
        {
            Check(Native.portamento_peer_restart(id));
        }

        /// <summary>A frame is drawn at `now` by our clock; false before the first message. Then draw its entities.</summary>
        public bool Frame(double now, out PeerFrame frame)
        {
            return Some(Native.portamento_peer_frame_at(id, now, out frame));
        }

        /// <summary>The peer sends this many messages per second from now on.</summary>
        public void SetHz(double hz)
        {
            Check(Native.portamento_peer_set_hz(id, hz));
        }

        /// <summary>How good the connection is: delay, jitter, loss.</summary>
        public PeerStatistics Statistics
        {
            get
            {
                PeerStatistics now;
                Check(Native.portamento_peer_get_statistics(id, out now));
                return now;
            }
        }

        protected override bool ReleaseHandle()
        {
            return Native.portamento_peer_free(id) == Status.Ok;
        }
    }

    /// <summary>The wrapping tick counter of a sender, turned into seconds of its clock: what Peer.Receive takes.</summary>
    public sealed class TickClock : NativeObject
    {
        TickClock(double hz, uint bits)
        {
            Check(Native.portamento_tick_clock_at_hz(hz, bits, out id));
        }

        /// <summary>A counter of this many bits (1 to 32) that counts this many ticks per second.</summary>
        public static TickClock AtHz(double hz, int bits)
        {
            return new TickClock(hz, (uint)bits);
        }

        /// <summary>The sender's time that a counter stands for in a message that arrived at `arrived` by our clock.</summary>
        public double Seconds(uint counter, double arrived)
        {
            double seconds;
            Check(Native.portamento_tick_clock_seconds(id, counter, arrived, out seconds));
            return seconds;
        }

        /// <summary>How far the sender has counted in all: its whole tick in a message that arrived at `arrived`.</summary>
        public void SetTick(ulong tick, double arrived)
        {
            Check(Native.portamento_tick_clock_set_tick(id, tick, arrived));
        }

        /// <summary>Starts anew, after the sender and its counter did.</summary>
        public void Restart()
        {
            Check(Native.portamento_tick_clock_restart(id));
        }

        protected override bool ReleaseHandle()
        {
            return Native.portamento_tick_clock_free(id) == Status.Ok;
        }
    }

    /// <summary>One remote entity: its last 32 reports, drawn between them (snapshot interpolation).</summary>
    public sealed class Snapshots : NativeObject
    {
        public Snapshots()
        {
            Check(Native.portamento_snapshots_new(out id));
        }

        Snapshots(bool points)
        {
            Check(Native.portamento_snapshots_new_points(out id));
        }

        /// <summary>An entity of which only positions are reported: Insert takes a PointReport.</summary>
        public static Snapshots OfPoints()
        {
            return new Snapshots(true);
        }

        /// <summary>The same for an entity made by OfPoints.</summary>
        public Inserted Insert(Peer peer, PointReport report)
        {
            Inserted inserted;
            Check(Native.portamento_snapshots_insert_point(id, peer.id, ref report, out inserted));
            GC.KeepAlive(peer);
            return inserted;
        }

        /// <summary>How many seconds farther back than its peer's frame it is drawn, because it is rarely in a message.</summary>
        public double ExtraDelay
        {
            get
            {
                double seconds;
                Check(Native.portamento_snapshots_extra_delay(id, out seconds));
                return seconds;
            }
        }

        /// <summary>Adds what the peer's last message reports of the entity.</summary>
        public Inserted Insert(Peer peer, Report report)
        {
            Inserted inserted;
            Check(Native.portamento_snapshots_insert(id, peer.id, ref report, out inserted));
            GC.KeepAlive(peer);
            return inserted;
        }

        /// <summary>Removes the entity from the moment of the peer's last message on.</summary>
        public void Vanish(Peer peer)
        {
            Check(Native.portamento_snapshots_vanish(id, peer.id));
            GC.KeepAlive(peer);
        }

        /// <summary>What the last frame drew of it, for the server's History; false when nothing is drawn.</summary>
        public bool Claim(Peer peer, out Claim claim)
        {
            bool drawn = Some(Native.portamento_snapshots_claim(id, peer.id, out claim));
            GC.KeepAlive(peer);
            return drawn;
        }

        /// <summary>The entity is another peer's from now on: its picture goes on without a jump.</summary>
        public void HandOver()
        {
            Check(Native.portamento_snapshots_hand_over(id));
        }

        /// <summary>The world's origin moves by shift, and nothing is seen of it.</summary>
        public void Rebase(Double3 shift)
        {
            Check(Native.portamento_snapshots_rebase(id, ref shift));
        }

        /// <summary>Where the snapshots had it in the last frame, without the visual offset; false if nothing was drawn.</summary>
        public bool Blended(out Pose64 pose)
        {
            return Some(Native.portamento_snapshots_blended(id, out pose));
        }

        /// <summary>What to draw in the peer's last frame; false if there is nothing: state says why.</summary>
        public bool Draw(Peer peer, out Drawn drawn, out SnapshotState state)
        {
            bool here = Some(Native.portamento_snapshots_draw(id, peer.id, out drawn, out state));
            GC.KeepAlive(peer);
            return here;
        }

        /// <summary>How far the picture is from what the snapshots give.</summary>
        public OffsetSize Offset
        {
            get
            {
                OffsetSize now;
                Check(Native.portamento_snapshots_offset(id, out now));
                return now;
            }
        }

        /// <summary>What did not go as planned.</summary>
        public SnapshotCounts Counts
        {
            get
            {
                SnapshotCounts now;
                Check(Native.portamento_snapshots_get_counts(id, out now));
                return now;
            }
        }

        protected override bool ReleaseHandle()
        {
            return Native.portamento_snapshots_free(id) == Status.Ok;
        }
    }

    /// <summary>What the server sent of one entity, to find again what a shooter saw (lag compensation).</summary>
    public sealed class History : NativeObject
    {
        /// <summary>For this many messages per second.</summary>
        public static History AtHz(double hz)
        {
            return new History(HistorySettings.AtHz(hz));
        }

        public History(HistorySettings settings)
        {
            Check(Native.portamento_history_new(ref settings, out id));
        }

        /// <summary>Records what was sent in the message stamped `sent`; false if that was unusable or known already.</summary>
        public bool Record(double sent, Report report)
        {
            uint recorded;
            Check(Native.portamento_history_record(id, sent, ref report, out recorded));
            return recorded != 0;
        }

        /// <summary>The same for a history of positions.</summary>
        public bool Record(double sent, PointReport report)
        {
            uint recorded;
            Check(Native.portamento_history_record_point(id, sent, ref report, out recorded));
            return recorded != 0;
        }

        /// <summary>The entity is not there from the message stamped `sent` on.</summary>
        public bool Vanish(double sent)
        {
            uint recorded;
            Check(Native.portamento_history_vanish(id, sent, out recorded));
            return recorded != 0;
        }

        /// <summary>
        /// What the client of this claim saw; `now` is the server's clock. False if it cannot have seen that: the claim is too
        /// old, names snapshots that were never sent, or was made up.
        /// </summary>
        public bool Rewind(Claim claim, double now, out Rewound rewound)
        {
            Status status = Native.portamento_history_rewind(id, ref claim, now, out rewound);
            if (status == Status.Refused || status == Status.BadValue)
            {
                // Whatever comes over the wire is no mistake of this program.
                GC.KeepAlive(this);
                return false;
            }
            return Some(status);
        }

        /// <summary>Where the entity was at a moment of the server's clock; false if that is too long ago.</summary>
        public bool At(double moment, out Pose64 pose)
        {
            return Some(Native.portamento_history_at(id, moment, out pose));
        }

        public HistoryCounts Counts
        {
            get
            {
                HistoryCounts counts;
                Check(Native.portamento_history_get_counts(id, out counts));
                return counts;
            }
        }

        protected override bool ReleaseHandle()
        {
            return Native.portamento_history_free(id) == Status.Ok;
        }
    }

    /// <summary>A queue of waypoints for a body that lives elsewhere. RemoteBody has one and does more.</summary>
    public sealed class Waypoints : NativeObject
    {
        public Waypoints(WaypointSettings settings)
        {
            Check(Native.portamento_waypoints_new(ref settings, out id));
        }

        /// <summary>Takes in a report. True if the body is there already and must turn to `heading`.</summary>
        public bool Enqueue(Pose64 body, WaypointReport report, out Quaternion4 heading)
        {
            uint turned;
            Check(Native.portamento_waypoints_enqueue(id, ref body, ref report, out heading, out turned));
            return turned != 0;
        }

        /// <summary>Adds a node that sets the velocity when its turn comes.</summary>
        public void EnqueueVelocity(Double3 velocity)
        {
            Check(Native.portamento_waypoints_enqueue_velocity(id, ref velocity));
        }

        /// <summary>Adds a node that stops the body when its turn comes.</summary>
        public void EnqueueStop()
        {
            Check(Native.portamento_waypoints_enqueue_stop(id));
        }

        /// <summary>Forgets all nodes.</summary>
        public void Stop()
        {
            Check(Native.portamento_waypoints_stop(id));
        }

        /// <summary>The step for this tick, before collision; false if there is nothing to walk to: use the
        /// animation's own motion.</summary>
        public bool Step(Pose64 body, WaypointTick tick, out WaypointStep step)
        {
            return Some(Native.portamento_waypoints_step(id, ref body, ref tick, out step));
        }

        /// <summary>Ends a tick with the body where collision left it. If it asks to be placed, Accept or Refuse.</summary>
        public WaypointOutcome EndTick(Pose64 body, double dt)
        {
            WaypointOutcome outcome;
            Check(Native.portamento_waypoints_end_tick(id, ref body, dt, out outcome));
            return outcome;
        }

        /// <summary>The body was put where it asked; false if something newer has replaced the request.</summary>
        public bool Accept()
        {
            return Some(Native.portamento_waypoints_accept(id));
        }

        /// <summary>The body cannot be put there; it asks again in the next tick.</summary>
        public bool Refuse()
        {
            return Some(Native.portamento_waypoints_refuse(id));
        }

        public WaypointsState State
        {
            get
            {
                WaypointsState state;
                Check(Native.portamento_waypoints_get_state(id, out state));
                return state;
            }
        }

        /// <summary>The world's origin moves by shift.</summary>
        public void Rebase(Double3 shift)
        {
            Check(Native.portamento_waypoints_rebase(id, ref shift));
        }

        /// <summary>What was dropped, given up or refused.</summary>
        public WaypointCounts Counts
        {
            get
            {
                WaypointCounts now;
                Check(Native.portamento_waypoints_get_counts(id, out now));
                return now;
            }
        }

        protected override bool ReleaseHandle()
        {
            return Native.portamento_waypoints_free(id) == Status.Ok;
        }
    }

    /// <summary>Another player's body: queue, routing of reports, leash and drawing in one.</summary>
    public sealed class RemoteBody : NativeObject
    {
        /// <summary>A body that is not in the world yet: its first report puts it there.</summary>
        public RemoteBody(WaypointSettings settings)
        {
            Check(Native.portamento_remote_body_new(ref settings, out id));
        }

        /// <summary>Takes in a report. It puts the body <c>fromViewer</c> units from the viewer.</summary>
        public Route Report(WaypointReport report, double fromViewer)
        {
            Route route;
            Check(Native.portamento_remote_body_report(id, ref report, fromViewer, out route));
            return route;
        }

        /// <summary>Begins a frame. Far bodies are not simulated; their time is lost, not saved up.</summary>
        public void Frame(double dt, double fromViewer)
        {
            Check(Native.portamento_remote_body_frame(id, dt, fromViewer));
        }

        /// <summary>The step for your physics to take and to collide; false if the body is not simulated.</summary>
        public bool Step(WaypointTick tick, out WaypointStep step)
        {
            return Some(Native.portamento_remote_body_step(id, ref tick, IntPtr.Zero, out step));
        }

        /// <summary>The same, with the animation's own motion.</summary>
        public bool Step(WaypointTick tick, WaypointStep root, out WaypointStep step)
        {
            return Some(Native.portamento_remote_body_step(id, ref tick, ref root, out step));
        }

        /// <summary>Ends a tick with the body where collision left it. If it asks to be placed, Accept or Refuse.</summary>
        public WaypointOutcome Moved(Pose64 truth)
        {
            WaypointOutcome outcome;
            Check(Native.portamento_remote_body_moved(id, ref truth, out outcome));
            return outcome;
        }

        /// <summary>The body was put where it asked, and the picture cuts there; false if something newer came.</summary>
        public bool Accept()
        {
            return Some(Native.portamento_remote_body_accept(id));
        }

        /// <summary>The body cannot be put there; it asks again in the next tick.</summary>
        public bool Refuse()
        {
            return Some(Native.portamento_remote_body_refuse(id));
        }

        /// <summary>Keeps the body beside a target for a second; call it again to renew. `radii` is the sum of both radii.</summary>
        public void StickTo(Double3 target, double radii)
        {
            Check(Native.portamento_remote_body_stick_to(id, ref target, radii));
        }

        /// <summary>Where the body is; false before its first report.</summary>
        public bool Truth(out Pose64 truth)
        {
            return Some(Native.portamento_remote_body_truth(id, out truth));
        }

        /// <summary>What to draw; false before the first report. Once per frame.</summary>
        public bool Draw(Moment moment, out Drawn drawn)
        {
            return Some(Native.portamento_remote_body_draw(id, ref moment, out drawn));
        }

        /// <summary>Moves the target that the body sticks to, without renewing it.</summary>
        public void Follow(Double3 target)
        {
            Check(Native.portamento_remote_body_follow(id, ref target));
        }

        /// <summary>Releases the body from its target.</summary>
        public void Release()
        {
            Check(Native.portamento_remote_body_release(id));
        }

        /// <summary>One tick of a world without obstacles: step, the whole of it, and every placement accepted.</summary>
        public WaypointOutcome Walk(WaypointTick tick)
        {
            WaypointOutcome outcome;
            Check(Native.portamento_remote_body_walk(id, ref tick, out outcome));
            return outcome;
        }

        /// <summary>Adds a velocity that the body is to have when it has reached everything reported.</summary>
        public void EnqueueVelocity(Double3 velocity)
        {
            Check(Native.portamento_remote_body_enqueue_velocity(id, ref velocity));
        }

        /// <summary>Adds a stop: the body is to stand when it has reached everything reported.</summary>
        public void EnqueueStop()
        {
            Check(Native.portamento_remote_body_enqueue_stop(id));
        }

        /// <summary>Forgets all waypoints: the body stays where it is.</summary>
        public void Stop()
        {
            Check(Native.portamento_remote_body_stop(id));
        }

        /// <summary>The world's origin moves by shift, and nothing is seen of it.</summary>
        public void Rebase(Double3 shift)
        {
            Check(Native.portamento_remote_body_rebase(id, ref shift));
        }

        /// <summary>How the body is at the moment.</summary>
        public RemoteBodyState State
        {
            get
            {
                RemoteBodyState now;
                Check(Native.portamento_remote_body_get_state(id, out now));
                return now;
            }
        }

        /// <summary>What was dropped, given up or refused.</summary>
        public WaypointCounts Counts
        {
            get
            {
                WaypointCounts now;
                Check(Native.portamento_remote_body_get_counts(id, out now));
                return now;
            }
        }

        protected override bool ReleaseHandle()
        {
            return Native.portamento_remote_body_free(id) == Status.Ok;
        }
    }

    /// <summary>
    /// The player at this machine, and what the server's reports of it (its echoes) do: a leash, teleports, forced positions.
    /// </summary>
    public sealed class OwnPlayer : NativeObject
    {
        /// <summary>A player who is not in the world yet: the first echo puts it there.</summary>
        public OwnPlayer(WaypointSettings settings)
        {
            Check(Native.portamento_own_player_new(ref settings, out id));
        }

        /// <summary>Takes in an echo. After Cut and Forced, put the body to `pose`, and cut its track.</summary>
        public Echo Echo(WaypointReport report, ref Pose64 pose)
        {
            Echo echo;
            Check(Native.portamento_own_player_echo(id, ref report, out echo, ref pose));
            return echo;
        }

        /// <summary>What the leash leaves of the player's own step; contact if the body stands on something.</summary>
        public WaypointStep Limit(Pose64 body, WaypointStep step, bool contact)
        {
            WaypointStep limited;
            Check(Native.portamento_own_player_limit(id, ref body, ref step, contact ? 1u : 0u, out limited));
            return limited;
        }

        /// <summary>How much of the leash the player has used, in units; false without a leash.</summary>
        public bool Strayed(Pose64 body, out double units)
        {
            return Some(Native.portamento_own_player_strayed(id, ref body, out units));
        }

        /// <summary>Whether the leash is nearly or wholly used up: wait for the next echo.</summary>
        public bool IsHeld(Pose64 body)
        {
            uint held;
            Check(Native.portamento_own_player_is_held(id, ref body, out held));
            return held != 0;
        }

        /// <summary>The world's origin moves by shift.</summary>
        public void Rebase(Double3 shift)
        {
            Check(Native.portamento_own_player_rebase(id, ref shift));
        }

        /// <summary>What was refused.</summary>
        public WaypointCounts Counts
        {
            get
            {
                WaypointCounts now;
                Check(Native.portamento_own_player_get_counts(id, out now));
                return now;
            }
        }

        protected override bool ReleaseHandle()
        {
            return Native.portamento_own_player_free(id) == Status.Ok;
        }
    }
}
