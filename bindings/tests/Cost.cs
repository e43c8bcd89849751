// What does one call cost from C#? See cost.c.
using System;
using System.Diagnostics;
using System.Globalization;
using Portamento;

static class Cost
{
    const int Calls = 20000, Runs = 300;
    static Track track;
    static Moment moment;
    static Pose64 pose;

    /// <summary>So that no call is left out.</summary>
    public static double Sink;

    static void Nothing()
    {
        for (int i = 0; i < Calls; i++)
        {
            Sink = Library.AbiVersion;
        }
    }

    static void View()
    {
        for (int i = 0; i < Calls; i++)
        {
            moment.Alpha = (double)i / Calls;
            Sink = track.View(moment).Position.X;
        }
    }

    static void Draw()
    {
        for (int i = 0; i < Calls; i++)
        {
            moment.Alpha = (double)i / Calls;
            Sink = track.Draw(moment).Now.Position.X;
        }
    }

    static void Push()
    {
        for (int i = 0; i < Calls; i++)
        {
            track.Push(pose);
        }
    }

    static void Best(string name, Action calls)
    {
        double best = double.MaxValue;
        for (int run = 0; run < Runs; run++)
        {
            long start = Stopwatch.GetTimestamp();
            calls();
            best = Math.Min(best, (Stopwatch.GetTimestamp() - start) * 1e9 / Stopwatch.Frequency / Calls);
        }
        Console.WriteLine(string.Format(CultureInfo.InvariantCulture, "  {0,-28} {1,7:F1} ns", name, best));
    }

    static void Main()
    {
        moment = Moment.At(0.5, 0.01);
        using (track = new Track(Pose64.At(1.0, 2.0, 3.0)))
        {
            pose = new Pose64(new Double3(2.0, 3.0, 4.0), new Quaternion4(0.6f, 0f, 0f, 0.8f));
            track.Push(pose);
            Best("nothing (abi_version)", Nothing);
            Best("a track's view", View);
            Best("a track's draw", Draw);
            Best("a track's push", Push);
        }
    }
}
