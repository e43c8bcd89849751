// portamento for C# 7.0 and up (Unity, Mono, .NET): the C interface with owners and plain structs. Add this file to your
// project and put the native library (libportamento_c.so, portamento_c.dll, libportamento_c.dylib) where it is found.
//
// Nothing here makes garbage in a frame. A call that fails throws PortamentoException with the library's words.
using System;
using System.Runtime.InteropServices;

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
        Ok = 0,
        Nothing = 1,
        UnknownHandle = 2,
        Busy = 3,
        Null = 4,
        WrongSize = 5,
        BadSetting = 6,
        BadValue = 7,
        TooShort = 8,
        Full = 9,
        System = 10,
        Bug = 11,
    }

    /// <summary>Three doubles: a position in a large world.</summary>
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
    }

    /// <summary>A position and an orientation.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Pose
    {
        public Double3 Position;
        public Quaternion4 Rotation;

        public Pose(Double3 position, Quaternion4 rotation)
        {
            Position = position;
            Rotation = rotation;
        }

        /// <summary>A pose at a place, not turned.</summary>
        public static Pose At(double x, double y, double z)
        {
            return new Pose(new Double3(x, y, z), Quaternion4.Identity);
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
        /// <summary>One more than the ticks run so far; 0 if unknown.</summary>
        public ulong Tick;
        /// <summary>Which two ticks: 0 is the previous and the newest one.</summary>
        public uint Back;
        uint reserved;

        /// <summary>The moment of an engine that runs the ticks itself.</summary>
        public static Moment At(double alpha, double presented)
        {
            Moment moment = new Moment();
            moment.Alpha = alpha;
            moment.Presented = presented;
            return moment;
        }
    }

    /// <summary>A pose as drawn in this frame and in the one before.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Drawn
    {
        public Pose Now;
        public Pose Before;
        uint cut;
        uint reserved;

        /// <summary>A cut lies between the two: no motion blur, no camera damping across it.</summary>
        public bool Cut
        {
            get { return cut != 0; }
        }
    }

    /// <summary>Where a chase camera is in one frame.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Shot
    {
        public Double3 Eye;
        public Double3 Forward;
        public Double3 Pivot;
        public Quaternion4 Rotation;
        /// <summary>How much of the body to show: 0 (the eye is in it) to 1.</summary>
        public float BodyOpacity;
        uint reserved;
    }

    /// <summary>Settings of a chase camera: ChaseSettings.YUp() or ZUp(), and change what you like.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct ChaseSettings
    {
        uint size;
        /// <summary>0: solved exactly. 1: a share of the way in each frame.</summary>
        public uint Rule;
        public double Rate, LookRate;
        public Double3 Up, Ahead;
        public double Lift, Distance, Pitch, Orbit;
        public double FadeGone, FadeFull;
        /// <summary>Negative: the camera follows up and down.</summary>
        public double HeightHold;
        public double Settle;

        /// <summary>y is up and bodies face -z.</summary>
        public static ChaseSettings YUp()
        {
            return Defaults(0);
        }

        /// <summary>z is up and bodies face +y.</summary>
        public static ChaseSettings ZUp()
        {
            return Defaults(1);
        }

        static ChaseSettings Defaults(uint zUp)
        {
            ChaseSettings settings;
            Native.Check(Native.portamento_chase_settings_default(zUp, out settings));
            return settings;
        }
    }

    /// <summary>Settings of a quantum gate.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct GateSettings
    {
        uint size;
        /// <summary>0: drawn evenly. 1: all pending time at once. 2: at most one tick per frame.</summary>
        public uint Rule;
        public double Min, Max, Huge;

        /// <summary>The defaults of a rule.</summary>
        public static GateSettings WithRule(uint rule)
        {
            GateSettings settings;
            Native.Check(Native.portamento_gate_settings_default(rule, out settings));
            return settings;
        }
    }

    /// <summary>Settings of a fixed step.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct FixedSettings
    {
        uint size;
        /// <summary>The most ticks in one frame; 0 is no limit.</summary>
        public uint MaxTicks;
        public double Hz, MaxFrame, Extrapolate, DisplayHz;
        /// <summary>0 not at all, 1 to the step, 2 to the display.</summary>
        public uint Snapping;
        public uint CarryDrift, WatchDisplay;
        uint reserved;

        /// <summary>The defaults for so many ticks per second.</summary>
        public static FixedSettings AtHz(double hz)
        {
            FixedSettings settings;
            Native.Check(Native.portamento_fixed_settings_default(hz, out settings));
            return settings;
        }
    }

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
        public uint LostReason;
        public uint Reserved;
    }

    [StructLayout(LayoutKind.Sequential)]
    struct NativeTick
    {
        public ulong Number;
        public double Dt;
        public double Time;
    }

    static class Native
    {
        const string Library = "portamento_c";

        [DllImport(Library)]
        internal static extern uint portamento_abi_version();
        [DllImport(Library)]
        internal static extern UIntPtr portamento_last_error(byte[] buffer, UIntPtr capacity);
        [DllImport(Library)]
        internal static extern Status portamento_fixed_settings_default(double hz, out FixedSettings settings);
        [DllImport(Library)]
        internal static extern Status portamento_gate_settings_default(uint rule, out GateSettings settings);
        [DllImport(Library)]
        internal static extern Status portamento_stepper_fixed(ref FixedSettings settings, out Id stepper);
        [DllImport(Library)]
        internal static extern Status portamento_stepper_gated(ref GateSettings settings, out Id stepper);
        [DllImport(Library)]
        internal static extern Status portamento_stepper_free(Id stepper);
        [DllImport(Library)]
        internal static extern Status portamento_stepper_frame(Id stepper, double seconds, out NativeFrame frame);
        [DllImport(Library)]
        internal static extern Status portamento_stepper_tick(Id stepper, out NativeTick tick);
        [DllImport(Library)]
        internal static extern Status portamento_stepper_pause(Id stepper);
        [DllImport(Library)]
        internal static extern Status portamento_stepper_resume(Id stepper);
        [DllImport(Library)]
        internal static extern Status portamento_stepper_set_time_scale(Id stepper, double scale);
        [DllImport(Library)]
        internal static extern Status portamento_track_new(ref Pose start, out Id track);
        [DllImport(Library)]
        internal static extern Status portamento_track_free(Id track);
        [DllImport(Library)]
        internal static extern Status portamento_track_push(Id track, ref Pose pose);
        [DllImport(Library)]
        internal static extern Status portamento_track_cut(Id track, ref Pose pose);
        [DllImport(Library)]
        internal static extern Status portamento_track_correct(Id track, ref Pose pose);
        [DllImport(Library)]
        internal static extern Status portamento_track_truth(Id track, out Pose pose);
        [DllImport(Library)]
        internal static extern Status portamento_track_view(Id track, ref Moment moment, out Pose view);
        [DllImport(Library)]
        internal static extern Status portamento_track_draw(Id track, ref Moment moment, out Drawn drawn);
        [DllImport(Library)]
        internal static extern Status portamento_chase_settings_default(uint zUp, out ChaseSettings settings);
        [DllImport(Library)]
        internal static extern Status portamento_chase_new(ref ChaseSettings settings, out Id camera);
        [DllImport(Library)]
        internal static extern Status portamento_chase_free(Id camera);
        [DllImport(Library)]
        internal static extern Status portamento_chase_look(Id camera, double orbit, double pitch);
        [DllImport(Library)]
        internal static extern Status portamento_chase_cut(Id camera);
        [DllImport(Library)]
        internal static extern Status portamento_chase_update(
            Id camera, double seconds, ref Drawn body, IntPtr collide, IntPtr user, out Shot shot);

        const uint AbiVersion = 1;

        static Native()
        {
            uint found = portamento_abi_version();
            if (found != AbiVersion)
            {
                throw new DllNotFoundException(
                    "the native portamento library has interface version " + found + ", this file needs " + AbiVersion);
            }
        }

        internal static void Check(Status status)
        {
            if (status != Status.Ok)
            {
                byte[] words = new byte[256];
                ulong length = Math.Min((ulong)portamento_last_error(words, (UIntPtr)256), 255);
                throw new PortamentoException(status, System.Text.Encoding.UTF8.GetString(words, 0, (int)length));
            }
        }
    }

    /// <summary>Owns a native object and frees it, at the latest when the collector finds it.</summary>
    public abstract class NativeObject : SafeHandle
    {
        internal Id id;

        internal NativeObject(Id id) : base(IntPtr.Zero, true)
        {
            this.id = id;
        }

        public override bool IsInvalid
        {
            get { return id.Number == 0; }
        }
    }

    /// <summary>Decides when ticks run and which moment is drawn.</summary>
    public sealed class Stepper : NativeObject
    {
        Moment moment = Moment.At(1.0, 0.0);

        Stepper(Id id) : base(id)
        {
        }

        /// <summary>A fixed step of so many ticks per second.</summary>
        public static Stepper Fixed(double hz)
        {
            return Fixed(FixedSettings.AtHz(hz));
        }

        public static Stepper Fixed(FixedSettings settings)
        {
            Id id;
            Native.Check(Native.portamento_stepper_fixed(ref settings, out id));
            return new Stepper(id);
        }

        /// <summary>A quantum gate: ticks that follow the frames.</summary>
        public static Stepper Gated(GateSettings settings)
        {
            Id id;
            Native.Check(Native.portamento_stepper_gated(ref settings, out id));
            return new Stepper(id);
        }

        /// <summary>Takes in a frame. Then run its ticks with Tick, and draw Moment.</summary>
        public void Frame(double seconds)
        {
            NativeFrame frame;
            Native.Check(Native.portamento_stepper_frame(id, seconds, out frame));
            moment = frame.Moment;
            Lost = frame.Lost;
        }

        /// <summary>The next tick of the frame; false when all have run.</summary>
        public bool Tick(out double dt)
        {
            NativeTick tick;
            Status status = Native.portamento_stepper_tick(id, out tick);
            dt = tick.Dt;
            if (status == Status.Nothing)
            {
                return false;
            }
            Native.Check(status);
            return true;
        }

        /// <summary>What the last frame draws.</summary>
        public Moment Moment
        {
            get { return moment; }
        }

        /// <summary>Seconds of the last frame that will never be simulated.</summary>
        public double Lost { get; private set; }

        public void Pause()
        {
            Native.Check(Native.portamento_stepper_pause(id));
        }

        public void Resume()
        {
            Native.Check(Native.portamento_stepper_resume(id));
        }

        public void SetTimeScale(double scale)
        {
            Native.Check(Native.portamento_stepper_set_time_scale(id, scale));
        }

        protected override bool ReleaseHandle()
        {
            return Native.portamento_stepper_free(id) == Status.Ok;
        }
    }

    /// <summary>The last ticks of one entity, drawn between them.</summary>
    public sealed class Track : NativeObject
    {
        public Track(Pose start) : base(Make(start))
        {
        }

        static Id Make(Pose start)
        {
            Id id;
            Native.Check(Native.portamento_track_new(ref start, out id));
            return id;
        }

        /// <summary>The result of a tick. Call it in every tick.</summary>
        public void Push(Pose pose)
        {
            Native.Check(Native.portamento_track_push(id, ref pose));
        }

        public void Push(Double3 position, Quaternion4 rotation)
        {
            Push(new Pose(position, rotation));
        }

        /// <summary>A spawn or teleport: nothing in between is ever drawn.</summary>
        public void Cut(Pose pose)
        {
            Native.Check(Native.portamento_track_cut(id, ref pose));
        }

        /// <summary>A collision moved the newest pose within its tick: the picture glides.</summary>
        public void Correct(Pose pose)
        {
            Native.Check(Native.portamento_track_correct(id, ref pose));
        }

        /// <summary>What the simulation says now.</summary>
        public Pose Truth
        {
            get
            {
                Pose pose;
                Native.Check(Native.portamento_track_truth(id, out pose));
                return pose;
            }
        }

        /// <summary>Where to draw it, without remembering it.</summary>
        public Pose View(Moment moment)
        {
            Pose view;
            Native.Check(Native.portamento_track_view(id, ref moment, out view));
            return view;
        }

        /// <summary>Where to draw it, with the frame before and cuts. Once per frame.</summary>
        public Drawn Draw(Moment moment)
        {
            Drawn drawn;
            Native.Check(Native.portamento_track_draw(id, ref moment, out drawn));
            return drawn;
        }

        protected override bool ReleaseHandle()
        {
            return Native.portamento_track_free(id) == Status.Ok;
        }
    }

    /// <summary>A camera behind and above a body.</summary>
    public sealed class ChaseCamera : NativeObject
    {
        public ChaseCamera(ChaseSettings settings) : base(Make(settings))
        {
        }

        static Id Make(ChaseSettings settings)
        {
            Id id;
            Native.Check(Native.portamento_chase_new(ref settings, out id));
            return id;
        }

        /// <summary>Turns the camera as the mouse says, in radians. With an infinite LookRate it shows at once.</summary>
        public void Look(double orbit, double pitch)
        {
            Native.Check(Native.portamento_chase_look(id, orbit, pitch));
        }

        public void Cut()
        {
            Native.Check(Native.portamento_chase_cut(id));
        }

        /// <summary>Follows what was drawn through this frame.</summary>
        public Shot Update(Moment moment, Drawn body)
        {
            Shot shot;
            Native.Check(
                Native.portamento_chase_update(id, moment.Presented, ref body, IntPtr.Zero, IntPtr.Zero, out shot));
            return shot;
        }

        protected override bool ReleaseHandle()
        {
            return Native.portamento_chase_free(id) == Status.Ok;
        }
    }
}
