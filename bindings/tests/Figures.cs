// The library's own examples, written again in C#: each prints, byte for byte, what the Rust one prints.
//
//     Figures.exe quantum_gate        cargo run -p portamento --example quantum_gate
//
// `cargo xtask c` compares the two.
using System;
using System.Globalization;
using System.IO;
using System.Text;
using Portamento;

static class Figures
{
    static TextWriter console;

    static int Main(string[] names)
    {
        CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;
        console = new StreamWriter(Console.OpenStandardOutput(), new UTF8Encoding(false));
        foreach (string name in names)
        {
            switch (name)
            {
                case "quantum_gate":
                    QuantumGate();
                    break;
                case "teleport":
                    Teleport();
                    break;
                case "chase_camera":
                    Chase.Run(console);
                    break;
                default:
                    Console.Error.WriteLine("there is no example {0}", name);
                    return 2;
            }
        }
        console.Flush();
        return 0;
    }

    static double[] DrawnSpeeds(GateRule rule, double[] frameTimes)
    {
        double[] speeds = new double[frameTimes.Length];
        double last = 0.0;
        using (Stepper stepper = Stepper.Gated(GateSettings.WithRule(rule)))
        using (Track body = new Track(Pose64.At(0.0, 0.0, 0.0)))
        {
            for (int i = 0; i < frameTimes.Length; i++)
            {
                stepper.Frame(frameTimes[i]);
                double dt;
                while (stepper.Tick(out dt))
                {
                    body.Push(Pose64.At(body.Truth.Position.X + dt, 0.0, 0.0));
                }
                double view = body.View(stepper.Moment).Position.X;
                speeds[i] = (view - last) / frameTimes[i];
                last = view;
            }
        }
        return speeds;
    }

    static void QuantumGate()
    {
        foreach (double rate in new[] { 60.0, 144.0 })
        {
            double[] frames = new double[400];
            for (uint i = 0; i < 400; i++)
            {
                frames[i] = (1.0 + 0.001 * (unchecked(i * 2654435761u) / 256 / 8388608.0 - 1.0)) / rate;
            }
            console.Write("\n{0} frames/s, drawn speed of a body that moves at 1\n", rate);
            console.Write("(a column is a frame: blank is 0, ▄ is 1, █ is 2)\n");
            foreach (GateRule rule in new[] { GateRule.OneAtATime, GateRule.AllAtOnce, GateRule.Even })
            {
                StringBuilder bars = new StringBuilder();
                double worst = 0.0;
                double[] speeds = DrawnSpeeds(rule, frames);
                for (int i = 350; i < 400; i++)
                {
                    double height = Math.Min(8.0, Math.Max(0.0, speeds[i] * 4.0));
                    bars.Append(" ▁▂▃▄▅▆▇█"[(int)Math.Round(height, MidpointRounding.AwayFromZero)]);
                    worst = Math.Max(worst, Math.Abs(speeds[i] - 1.0));
                }
                console.Write("{0,10}  {1}  worst {2,5:F1} %\n", rule, bars, worst * 100.0);
            }
        }
        console.Write("\nThe quanta of `AllAtOnce` and `Even` are the same, bit for bit:\n");
        console.Write("only the picture differs.\n");
    }

    static void Teleport()
    {
        using (Stepper stepper = Stepper.Fixed(20.0))
        using (Track body = new Track(Pose64.At(0.0, 0.0, 0.0)))
        {
            console.Write("frame   truth    view  before\n");
            for (int frame = 0; frame < 28; frame++)
            {
                stepper.Frame(1.0 / 60.0);
                Tick tick;
                while (stepper.NextTick(out tick))
                {
                    body.Push(Pose64.At(body.Truth.Position.X + 20.0 * tick.Dt, 0.0, 0.0));
                    if (tick.Number == 3)
                    {
                        console.Write("        cut to 100: nothing between is drawn\n");
                        body.Cut(Pose64.At(100.0, 0.0, 0.0));
                    }
                    if (tick.Number == 5)
                    {
                        console.Write("        a wall, corrected back to 101.3: the picture glides\n");
                        body.Correct(Pose64.At(101.3, 0.0, 0.0));
                    }
                    if (tick.Number == 7)
                    {
                        console.Write("        the world's origin moves by 100: nothing is seen but the numbers\n");
                        body.Rebase(new Double3(-100.0, 0.0, 0.0));
                    }
                }
                Drawn drawn = body.Draw(stepper.Moment);
                string mark = drawn.Cut && frame > 0 ? "  cut: no motion blur" : "";
                console.Write("{0,5} {1,7:F2} {2,7:F2} {3,7:F2}{4}\n", frame, body.Truth.Position.X, drawn.Now.Position.X,
                    drawn.Before.Position.X, mark);
            }
        }
    }
}

/// <summary>The example chase_camera.</summary>
static class Chase
{
    enum Kind
    {
        PerFrame,
        Usual,
        Smooth,
    }

    static TextWriter console;

    public static void Run(TextWriter writer)
    {
        console = writer;
        console.Write("A runner ticked at 60 Hz, with a camera behind. Three cameras of the same\n");
        console.Write("stiffness (4.5 per second).\n\n");
        console.Write("Position: the runner goes at 10 m/s.\n");
        console.Write("          lag in metres at ... frames/s       shake, +-30 %   stands off at rest\n");
        console.Write("               30      60     144     240      frame jitter        (30, 240)\n");
        foreach (Kind kind in new[] { Kind.PerFrame, Kind.Usual, Kind.Smooth })
        {
            console.Write("{0,-9}", kind.ToString().ToLowerInvariant());
            double lag, shake;
            foreach (double hz in new[] { 30.0, 60.0, 144.0, 240.0 })
            {
                Behind(kind, hz, 0.0, out lag, out shake);
                console.Write("{0,8:F4}", lag);
            }
            Behind(kind, 60.0, 0.3, out lag, out shake);
            console.Write("{0,15:F3} mm {1,9:F2} {2,7:F2} mm\n", shake * 1e3, Rest(kind, 30.0) * 1e3, Rest(kind, 240.0) * 1e3);
        }
        console.Write("shake: how far the runner moves on the screen, though runner and camera go at\n");
        console.Write("constant speed.\n\n");
        Heading();
        Wall();
        Teleport();
    }

    /// <summary>A body that is just there.</summary>
    static Drawn Still(Pose64 pose)
    {
        return new Drawn(pose, pose, false);
    }

    /// <summary>Any of the three cameras, and one that has no lag, for where the eye should be.</summary>
    sealed class Camera : IDisposable
    {
        readonly ChaseCamera chase, rigid;
        readonly Kind kind;
        bool started;
        Double3 usual;

        public Camera(Kind kind)
        {
            this.kind = kind;
            ChaseSettings settings = ChaseSettings.ZUp();
            ChaseSettings ideal = settings;
            ideal.Rate = ideal.LookRate = double.PositiveInfinity;
            settings.Rule = kind == Kind.PerFrame ? ChaseRule.PerFrame : ChaseRule.Smooth;
            chase = new ChaseCamera(settings);
            rigid = new ChaseCamera(ideal);
        }

        public Double3 Ideal(Pose64 body)
        {
            return rigid.Update(Presented.FromSeconds(0.0), Still(body)).Eye;
        }

        public Shot Update(Presented presented, Pose64 body)
        {
            Shot shot = chase.Update(presented, Still(body));
            if (kind != Kind.Usual)
            {
                return shot;
            }
            Double3 ideal = Ideal(body);
            double share = 1.0 - Math.Exp(-4.5 * presented.Seconds);
            usual = started ? usual + (ideal - usual) * share : ideal;
            started = true;
            shot.Eye = usual;
            return shot;
        }

        public void Dispose()
        {
            chase.Dispose();
            rigid.Dispose();
        }
    }

    static void Behind(Kind kind, double hz, double jitter, out double lag, out double shake)
    {
        lag = 0.0;
        double least = double.MaxValue, most = double.MinValue;
        int frames = (int)(10.0 * hz);
        uint random = 1;
        Pose[] truth = new Pose[1];
        float[] view = new float[7];
        using (Stepper stepper = Stepper.Fixed(60.0))
        using (Batch runner = new Batch()) // its poses are in single precision, as the example's are
        using (Camera camera = new Camera(kind))
        {
            truth[0] = Pose.At(0f, 0f, 0f);
            runner.Insert(truth[0]);
            for (int i = 0; i < frames; i++)
            {
                random = unchecked(random * 1664525u + 1013904223u);
                double uneven = (random / (double)uint.MaxValue - 0.5) * 2.0 * jitter;
                stepper.Frame((1.0 + uneven) / hz);
                Tick tick;
                while (stepper.NextTick(out tick))
                {
                    truth[0] = Pose.At(0f, (float)(10.0 * tick.Time), 0f);
                    runner.PushAll(truth);
                }
                runner.Write(stepper.Moment, OutputForm.Poses, view);
                Pose64 drawn = Pose64.At(view[0], view[1], view[2]);
                Shot shot = camera.Update(stepper.Moment, drawn);
                lag = camera.Ideal(drawn).Y - shot.Eye.Y;
                if (i > frames / 2)
                {
                    double seen = shot.Pivot.Y - shot.Eye.Y;
                    least = Math.Min(least, seen);
                    most = Math.Max(most, seen);
                }
            }
        }
        shake = most - least;
    }

    static double Rest(Kind kind, double hz)
    {
        using (Camera camera = new Camera(kind))
        {
            Pose64 stands = Pose64.At(0.0, 1.0, 0.0);
            Moment moment = Moment.At(1.0, 1.0 / hz);
            Shot shot = camera.Update(moment, Pose64.At(0.0, 0.0, 0.0));
            for (int i = 0; i < (int)(4.0 * hz); i++)
            {
                shot = camera.Update(moment, stands);
            }
            return (shot.Eye - camera.Ideal(stands)).Length;
        }
    }

    static double Turn(Shot shot)
    {
        return Math.Atan2(-shot.Forward.X, shot.Forward.Y);
    }

    static Drawn Turned(double angle)
    {
        float half = (float)angle / 2f;
        return Still(new Pose64(new Double3(), new Quaternion4(0f, 0f, (float)Math.Sin(half), (float)Math.Cos(half))));
    }

    static void Heading()
    {
        console.Write("Heading: the runner turns by 2 rad/s on the spot, then by 1 rad at once.\n");
        console.Write("                          lag in rad at ... frames/s         shown of that turn\n");
        console.Write("                         30      60     144     240    in the next 60 Hz frame\n");
        Heading("perframe", ChaseRule.PerFrame, 4.5);
        Heading("smooth", ChaseRule.Smooth, 4.5);
        Heading("smooth, look_rate 20", ChaseRule.Smooth, 20.0);
        Heading("smooth, mouse look", ChaseRule.Smooth, double.PositiveInfinity);
        console.Write("\n");
    }

    static void Heading(string name, ChaseRule rule, double lookRate)
    {
        ChaseSettings settings = ChaseSettings.ZUp();
        settings.Rule = rule;
        settings.LookRate = lookRate;
        console.Write("{0,-21}", name);
        foreach (double hz in new[] { 30.0, 60.0, 144.0, 240.0 })
        {
            using (ChaseCamera camera = new ChaseCamera(settings))
            {
                double angle = 0.0;
                Shot shot = new Shot();
                for (int i = 0; i < (int)(6.0 * hz); i++)
                {
                    angle += 2.0 / hz;
                    shot = camera.Update(Presented.FromSeconds(1.0 / hz), Turned(angle));
                }
                double lag = angle - Turn(shot);
                console.Write("{0,8:F4}", Math.Abs(lag - Math.Round(lag / (2.0 * Math.PI)) * 2.0 * Math.PI));
            }
        }
        using (ChaseCamera camera = new ChaseCamera(settings))
        {
            camera.Update(Presented.FromSeconds(1.0 / 60.0), Turned(0.0));
            console.Write("{0,20:F3} rad\n", Turn(camera.Update(Presented.FromSeconds(1.0 / 60.0), Turned(1.0))));
        }
    }

    static string Strip(Shot shot, double origin, bool wall)
    {
        char[] cells = new string(' ', 68).ToCharArray();
        Action<double, char> put = (y, c) =>
        {
            int at = (int)Math.Round((y - origin) * 15.0, MidpointRounding.AwayFromZero);
            if (at >= 0 && at < cells.Length)
            {
                cells[at] = c;
            }
        };
        if (wall)
        {
            put(0.0, '|');
        }
        put(shot.Pivot.Y, shot.BodyOpacity < 1f ? 'o' : '@');
        put(shot.Eye.Y, '<');
        return new string(cells).TrimEnd();
    }

    static void Wall()
    {
        console.Write("A runner who starts with the back to a wall. Your hook keeps the eye out of it;\n");
        console.Write("the next frame starts from where the hook let it be, so nothing jumps when\n");
        console.Write("there is room again:\n\n");
        using (ChaseCamera camera = new ChaseCamera(ChaseSettings.ZUp()))
        {
            camera.Collide = (Double3 pivot, ref Double3 eye) => eye.Y = Math.Max(eye.Y, 0.1);
            for (int i = 0; i <= 140; i++)
            {
                float y = 0.8f + 0.03f * Math.Max(i - 20f, 0f);
                Shot shot = camera.Update(Presented.FromSeconds(1.0 / 60.0), Still(Pose64.At(0.0, y, 0.0)));
                if (i % 20 == 0)
                {
                    console.Write("  {0,5:F2} s  {1}\n", i / 60.0, Strip(shot, 0.0, true));
                }
            }
        }
        console.Write("\n");
    }

    static void Teleport()
    {
        console.Write("A teleport of 1 km. A cut is a cut; under the older rule the camera starts in\n");
        console.Write("the body, which is hidden as long as it is in the way:\n\n");
        foreach (ChaseRule rule in new[] { ChaseRule.Smooth, ChaseRule.PerFrame })
        {
            ChaseSettings settings = ChaseSettings.ZUp();
            settings.Rule = rule;
            using (Stepper stepper = Stepper.Fixed(60.0))
            using (Track runner = new Track(Pose64.At(0.0, 0.0, 0.0)))
            using (ChaseCamera camera = new ChaseCamera(settings))
            {
                console.Write("  {0}\n", rule);
                for (int i = 0; i <= 45; i++)
                {
                    stepper.Frame(1.0 / 60.0);
                    double dt;
                    while (stepper.Tick(out dt))
                    {
                        runner.Push(runner.Truth);
                    }
                    if (i == 15)
                    {
                        runner.Cut(Pose64.At(0.0, 1000.0, 0.0));
                    }
                    Shot shot = camera.Update(stepper.Moment, runner.Draw(stepper.Moment));
                    if (i == 14 || i >= 15 && (i - 15) % 10 == 0)
                    {
                        double origin = i < 15 ? -3.0 : 997.0;
                        console.Write("  y {0,6:F1}  body {1,3:F0} %  {2}\n", shot.Pivot.Y, shot.BodyOpacity * 100f,
                            Strip(shot, origin, false));
                    }
                }
            }
        }
    }
}
