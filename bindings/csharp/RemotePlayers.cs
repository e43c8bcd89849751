// Other players of an online game, reported five times a second. Each walks to its reports with collision, and is
// placed when it cannot get there. It sticks to its opponent, and a leash holds it when the server falls silent.
//
// Prints the judder (0 is perfect) of the walker drawn naively and by portamento, what became of the others, and the bytes
// that the frames allocated.
using System;
using Portamento;

static class RemotePlayers
{
    const double Speed = 4.0, FrameTime = 1.0 / 144.0, GateAt = 6.0;
    const int Frames = 144 * 12, Warm = 144 * 2, EveryReport = 29;

    /// <summary>The spread of the drawn speed, as a share of the true one.</summary>
    struct Judder
    {
        double last, sum;
        int frames;

        public void Judge(double place)
        {
            if (frames++ > 0)
            {
                double off = (place - last) / FrameTime - Speed;
                sum += off * off;
            }
            last = place;
        }

        public double Result
        {
            get { return Math.Sqrt(sum / (frames - 1)) / Speed; }
        }
    }

    /// <summary>The world is made of cells of 8 units, numbered from 1; a cell that is not loaded has no room for anybody.</summary>
    static ulong CellOf(Double3 place)
    {
        return 1 + (ulong)(Math.Max(0.0, place.X) / 8.0);
    }

    /// <summary>A report as the server sends it: pose, teleport count, and the cell as payload.</summary>
    static WaypointReport ReportAt(double x, double y)
    {
        Pose64 pose = Pose64.At(x, y, 0.0);
        return new WaypointReport(1, pose) { Payload = CellOf(pose.Position) };
    }

    /// <summary>Our physics: no one passes the gate on foot.</summary>
    static Pose64 Collide(Pose64 from, Pose64 wish)
    {
        if (from.Position.X < GateAt && wish.Position.X > GateAt - 0.3)
        {
            wish.Position.X = Math.Max(from.Position.X, GateAt - 0.3);
        }
        return wish;
    }

    static int Main()
    {
        // The first time, the runtime compiles what it meets, which allocates; the second time nothing may.
        Play(false);
        return Play(true) ? 0 : 1;
    }

    static bool Play(bool print)
    {
        WaypointSettings settings = WaypointSettings.ZUp();
        using (Stepper stepper = Stepper.Fixed(30))
        using (RemoteBody walker = new RemoteBody(settings))
        using (RemoteBody behindGate = new RemoteBody(settings))
        using (RemoteBody fighter = new RemoteBody(settings))
        using (RemoteBody runner = new RemoteBody(settings))
        using (Peer server = Peer.AtHz(144.0 / EveryReport))
        using (Snapshots snapshots = new Snapshots())
        {
            Judder naive = new Judder(), newest = new Judder(), smooth = new Judder(), alternative = new Judder();
            double reported = 0.0;
            int refused = 0, placed = 0, between = 0, released = 0;
            ulong cell = 0;
            double worstGap = 0.0, farthest = 0.0;
            bool cut = false;
            long before = 0;

            for (int i = 0; i < Frames; i++)
            {
                if (i == Warm)
                {
                    before = GC.GetAllocatedBytesForCurrentThread();
                }
                double now = i * FrameTime;
                bool loaded = now > 6.0; // the cells behind the gate stream in late
                Double3 opponent = new Double3(20.0 + Math.Sin(now), 40.0, 0.0);

                // The network.
                if (i % EveryReport == 0)
                {
                    reported = Speed * now;
                    walker.Report(ReportAt(Speed * now, 0.0), 10.0);
                    server.Receive(now, now);
                    snapshots.Insert(server, new Report(Pose64.At(Speed * now, 0.0, 0.0), 1));
                    behindGate.Report(ReportAt(Math.Min(Speed * now, 16.0), 20.0), 10.0);
                    fighter.Report(ReportAt(20.0, 38.0), 10.0);
                    if (now < 2.0)
                    {
                        // Indoors the leash is 20 units; after 2 s the server falls silent.
                        WaypointReport indoors = ReportAt(Speed * now, 60.0);
                        indoors.Indoors = true;
                        runner.Report(indoors, 10.0);
                    }
                }

                // The simulation, in its ticks.
                stepper.Frame(FrameTime);
                Tick tick;
                while (stepper.NextTick(out tick))
                {
                    WaypointTick walk = new WaypointTick(tick.Dt, Speed);
                    WaypointStep animation = new WaypointStep();
                    animation.Offset = new Double3(Speed * tick.Dt, 0.0, 0.0);
                    animation.Turn = Quaternion4.Identity;
                    Pose64 from;
                    WaypointStep step;

                    if (walker.Truth(out from) && walker.Step(walk, animation, out step)
                        && walker.Moved(step.Apply(from)).Place)
                    {
                        walker.Accept();
                    }
                    if (behindGate.Truth(out from) && behindGate.Step(walk, out step))
                    {
                        WaypointOutcome outcome = behindGate.Moved(Collide(from, step.Apply(from)));
                        if (outcome.Place && (loaded || outcome.Payload < 2))
                        {
                            behindGate.Accept();
                            placed++;
                            cell = outcome.Payload;
                        }
                        else if (outcome.Place)
                        {
                            behindGate.Refuse(); // it asks again in the next tick
                            refused++;
                        }
                    }
                    if (now > 3.0 && now < 8.0)
                    {
                        fighter.StickTo(opponent, 0.5 + 0.5); // for a second from now: both have a radius of 0.5
                    }
                    if (fighter.Truth(out from) && fighter.Step(walk, out step))
                    {
                        released += fighter.Moved(step.Apply(from)).Released ? 1 : 0;
                    }
                    if (runner.Truth(out from) && runner.Step(walk, animation, out step))
                    {
                        runner.Moved(step.Apply(from));
                    }
                }

                // The picture.
                Drawn drawn;
                Pose64 truth;
                if (i > Warm && walker.Truth(out truth) && walker.Draw(stepper.Moment, out drawn))
                {
                    naive.Judge(reported);
                    newest.Judge(truth.Position.X);
                    smooth.Judge(drawn.Now.Position.X);
                    PeerFrame frame;
                    SnapshotState state;
                    if (server.Frame(now, out frame) && snapshots.Draw(server, out drawn, out state))
                    {
                        alternative.Judge(drawn.Now.Position.X);
                    }
                }
                if (behindGate.Draw(stepper.Moment, out drawn))
                {
                    double x = drawn.Now.Position.X;
                    between += x > GateAt - 0.29 && x < 15.9 ? 1 : 0;
                    cut = cut || drawn.Cut && i > Warm;
                }
                if (fighter.Draw(stepper.Moment, out drawn) && now > 4.0 && now < 8.0)
                {
                    double gap = (opponent - drawn.Now.Position).Length - 1.0;
                    worstGap = Math.Max(worstGap, Math.Abs(gap - 0.3));
                }
                if (runner.Draw(stepper.Moment, out drawn))
                {
                    farthest = Math.Max(farthest, drawn.Now.Position.X);
                }
            }
            long bytes = GC.GetAllocatedBytesForCurrentThread() - before;

            if (print)
            {
                Console.WriteLine("walker, reports 5 times a second, judder:");
                Console.WriteLine("  newest report {0:F2}, newest tick of the walk {1:F2}, portamento {2:F2}", naive.Result,
                    newest.Result, smooth.Result);
                Console.WriteLine("  (snapshots instead of a walk, where bodies need no collision: {0:F3})",
                    alternative.Result);
                Console.WriteLine("gate: {0} placements refused, {1} accepted, in cell {2}; frames inside the gate: {3}",
                    refused, placed, cell, between);
                Console.WriteLine("fighter: at most {0:F2} off the gap of 0.3 to a moving opponent; released {1} time",
                    worstGap, released);
                Console.WriteLine("runner: last report at 7.7, then silence; held at {0:F1} by a leash of 20", farthest);
                Console.WriteLine("bytes allocated in {0} frames: {1}", Frames - Warm, bytes);
            }
            return naive.Result > 4.0 && smooth.Result < 0.1 * newest.Result && refused > 0 && placed == 1 && cell == 3
                && between == 0 && cut && worstGap < 0.15 && released == 1 && farthest > 20.0 && farthest < 27.8
                && bytes == 0;
        }
    }
}
