// A client whose physics runs in quanta of 1/30 s or more, with a position to render and a chase camera that the mouse turns
// at once. The quanta stay what they were; only the picture changes.
//
// Prints the judder (0 is perfect) of the newest quantum, of the client's own blending and of portamento, how much of a turn
// of the mouse shows in the next frame, and the bytes that the frames allocated.
using System;
using Portamento;

static class QuantumGate
{
    const double Speed = 4.0;
    const int Frames = 1440, Warm = 200;

    /// <summary>The spread of the drawn speed, as a share of the true one.</summary>
    struct Judder
    {
        double last, sum;
        int frames;

        public void Judge(double place, double frameTime)
        {
            if (frames++ > 0)
            {
                double off = (place - last) / frameTime - Speed;
                sum += off * off;
            }
            last = place;
        }

        public double Result
        {
            get { return Math.Sqrt(sum / (frames - 1)) / Speed; }
        }
    }

    /// <summary>For the run that must be noticed.</summary>
    public static object Garbage;

    struct Played
    {
        public double NewestQuantum, Drawn, OnScreen, Turned;
        public ulong Quanta;
        public long Bytes;
    }

    /// <summary>Sixty frames a second, as even as a very good clock makes them: 0.1 %.</summary>
    static Played Play(GateRule rule, bool makeGarbage)
    {
        Judder newest = new Judder(), smooth = new Judder();
        Played played = new Played();
        double direction = 0.0, seen = 0.0;
        ChaseSettings settings = ChaseSettings.ZUp();
        settings.LookRate = double.PositiveInfinity; // mouse look is never smoothed
        using (Stepper stepper = Stepper.Gated(GateSettings.WithRule(rule)))
        using (Track player = new Track(Pose64.At(0.0, 0.0, 0.0)))
        using (ChaseCamera camera = new ChaseCamera(settings))
        {
            camera.Collide = KeepAboveGround;
            Pose64 body = Pose64.At(0.0, 0.0, 0.0);
            long before = 0;
            for (uint i = 0; i < Frames; i++)
            {
                if (i == Warm)
                {
                    before = GC.GetAllocatedBytesForCurrentThread();
                }
                double frameTime = (1.0 + 0.001 * (unchecked(i * 2654435761u) / 256 / 8388608.0 - 1.0)) / 60.0;
                if (i == 1001)
                {
                    camera.SetLook(1.0, 0.291); // the mouse moved by a radian
                }

                stepper.Frame(frameTime);
                double dt;
                while (stepper.Tick(out dt))
                {
                    body.Position.Y += Speed * dt; // your physics, as it was
                    player.Push(body);
                }
                Drawn drawn = player.Draw(stepper.Moment);          // the position to render
                Shot shot = camera.Update(stepper.Moment, drawn);   // the camera follows that, not the body

                double look = Math.Atan2(-shot.Forward.X, shot.Forward.Y);
                if (i == 1001)
                {
                    played.Turned = Math.Abs(look - direction);
                }
                direction = look;
                if (i > Warm)
                {
                    newest.Judge(body.Position.Y, frameTime);
                    smooth.Judge(drawn.Now.Position.Y, frameTime);
                }
                // Once the camera has settled, the body stands still on the screen.
                double onScreen = drawn.Now.Position.Y - shot.Eye.Y;
                if (i > 600 && i <= 1000)
                {
                    played.OnScreen = Math.Max(played.OnScreen, Math.Abs(onScreen - seen));
                }
                seen = onScreen;
                if (makeGarbage)
                {
                    Garbage = new object();
                }
            }
            played.Bytes = GC.GetAllocatedBytesForCurrentThread() - before;
            played.Quanta = stepper.Counts.Ticks;
        }
        played.NewestQuantum = newest.Result;
        played.Drawn = smooth.Result;
        return played;
    }

    static void KeepAboveGround(Double3 pivot, ref Double3 eye)
    {
        eye.Z = Math.Max(eye.Z, 0.1);
    }

    /// <summary>What cannot be used is refused in words, and what was disposed of is not used.</summary>
    static bool RefusesNonsense()
    {
        Track track = new Track(Pose64.At(0.0, 0.0, 0.0));
        try
        {
            track.Push(new Double3(double.NaN, 0.0, 0.0), Quaternion4.Identity);
            return false;
        }
        catch (PortamentoException error)
        {
            if (error.Status != Status.BadValue || !error.Message.Contains("NaN"))
            {
                return false;
            }
        }
        track.Dispose();
        try
        {
            track.Push(Pose64.At(0.0, 0.0, 0.0));
            return false;
        }
        catch (ObjectDisposedException)
        {
        }
        return ExceptionsArrive();
    }

    static bool ExceptionsArrive()
    {
        using (ChaseCamera camera = new ChaseCamera(ChaseSettings.YUp()))
        {
            camera.Collide = (Double3 pivot, ref Double3 eye) => { throw new NotSupportedException("a wall"); };
            try
            {
                camera.Update(Presented.FromSeconds(0.01), new Drawn(Pose64.At(0, 0, 0), Pose64.At(0, 0, 0), false));
                return false;
            }
            catch (InvalidOperationException error)
            {
                return error.InnerException is NotSupportedException;
            }
        }
    }

    static int Main()
    {
        Played client = Play(GateRule.AllAtOnce, false), even = Play(GateRule.Even, false);
        Played control = Play(GateRule.Even, true);
        Console.WriteLine("judder: newest quantum {0:F3}, the client's blending {1:F3}, portamento {2:F4}", even.NewestQuantum,
            client.Drawn, even.Drawn);
        Console.WriteLine("quanta: {0} and {1}, the same", client.Quanta, even.Quanta);
        Console.WriteLine("the body moves on the screen by at most {0:F3} mm per frame", even.OnScreen * 1000.0);
        Console.WriteLine("of a turn of the mouse by 1 rad, the next frame shows {0:F3} rad", even.Turned);
        Console.WriteLine("bytes allocated in {0} frames: {1} (with an object made in each: {2})", Frames - Warm, even.Bytes,
            control.Bytes);
        bool good = even.Drawn < 0.01 && client.Drawn > 0.1 && even.NewestQuantum > 0.9 && client.Quanta == even.Quanta
            && even.OnScreen < 0.001 && Math.Abs(even.Turned - 1.0) < 1e-6 && even.Bytes == 0
            && control.Bytes >= 16 * (Frames - Warm);
        return good && RefusesNonsense() ? 0 : 1;
    }
}
