// Everything that a game calls in a frame, for a thousand frames: no call may allocate.
using System;
using Portamento;

static class Everything
{
    const int Frames = 1000;
    const double FrameTime = 1.0 / 144.0;

    /// <summary>What is drawn goes here, so that it is used.</summary>
    public static double Sink;

    static void Collide(Double3 pivot, ref Double3 eye)
    {
        eye.Y = Math.Max(eye.Y, 0.1);
    }

    sealed class Game : IDisposable
    {
        readonly Stepper stepper = Stepper.Fixed(60), gate = Stepper.Gated();
        readonly Track track = new Track(Pose.At(0, 0, 0)), gated = new Track(Pose.At(0, 0, 0), 4);
        readonly PredictedTrack predicted;
        readonly VisualOffset offset = new VisualOffset();
        readonly Batch batch = new Batch();
        readonly Batch64 batch64 = new Batch64();
        readonly ChaseCamera chase = new ChaseCamera(ChaseSettings.YUp());
        readonly FollowCamera follow = new FollowCamera(FollowSettings.For(640, 360));
        readonly Playhead playhead = Playhead.AtHz(60);
        readonly Timeline timeline = new Timeline();
        readonly Peer server = Peer.AtHz(60);
        readonly Snapshots other = new Snapshots(), point = Snapshots.OfPoints();
        readonly History history = new History(HistorySettings.AtHz(60));
        readonly RemoteBody remote = new RemoteBody(WaypointSettings.YUp());
        readonly Waypoints waypoints = new Waypoints(WaypointSettings.YUp());
        readonly Exchange exchange = new Exchange(Shape.Entities(4));
        readonly ExchangeWriter writer;
        readonly ExchangeReader reader;
        readonly Row row, row64;
        readonly Row[] rows = new Row[1], moved = new Row[1];
        readonly Pose32[] poses = { Pose32.At(0, 0, 0) };
        readonly Pose[] poses64 = { Pose.At(0, 0, 0) };
        readonly float[] matrices = new float[16];
        readonly Entity[] entities = new Entity[4];
        readonly ulong[] ids = { 3 };
        readonly double[] from = { 0, 1 }, to = { 2, 3 }, between = new double[2];
        readonly byte[] wire = new byte[Claim.Length];
        public int Matches, Exact;

        public Game()
        {
            PredictedSettings settings = PredictedSettings.Default();
            settings.Saves = 8;
            predicted = new PredictedTrack(Pose.At(0, 0, 0), settings);
            chase.Collide = Everything.Collide;
            row = batch.Add(poses[0]);
            rows[0] = row;
            row64 = batch64.Add(poses64[0]);
            writer = new ExchangeWriter(exchange);
            reader = new ExchangeReader(exchange, PlayheadSettings.AtHz(60));
        }

        public void Frame(int i)
        {
            double now = i * FrameTime;
            stepper.Frame(FrameTime);
            Tick tick;
            while (stepper.NextTick(out tick))
            {
                InTick(tick, now);
            }
            gate.FrameAt(now);
            double dt;
            while (gate.Tick(out dt))
            {
                gated.Push(Pose.At(now, 0, 0));
            }
            Moment moment = stepper.Moment;
            Drawn drawn = track.Draw(moment);
            Sink = track.View(moment).Position.X + track.Truth.Position.X + gated.Draw(gate.Moment).Now.Position.X;
            Sink = track.AtRest(moment) ? 1.0 : stepper.Counts.Lost;
            Sink = predicted.Draw(moment).Now.Position.X + predicted.Offset.Length + predicted.Truth.Position.X;
            offset.Fade(moment);
            Sink = offset.Apply(drawn).Position.X + offset.Size.Length;

            batch.Write(moment, Form.Matrices4x4, matrices, moved);
            batch.Redraw();
            batch.Write(moment, Form.Positions, matrices);
            batch.Redraw();
            batch.WriteMoved(moment, Form.Poses, matrices, moved);
            batch64.Write(moment, drawn.Now.Position, Form.Positions, matrices);
            batch64.Redraw();
            batch64.Write(moment, poses64);
            Numbers.Blend(from, to, 0.5, between);
            Sink = Pose.Blend(drawn.Now, drawn.Before, 0.5).Position.X + Pose.Slerp(drawn.Now, drawn.Before, 0.5).Position.X;

            chase.Look(0.1 * now, 0.2);
            Sink = chase.Update(moment, drawn).Eye.X;
            Sink = follow.Update(moment, drawn).Zoom + follow.ToWorld(new Double2(1, 1)).X;

            Shown shown;
            if (playhead.Advance(now, out shown) && timeline.Draw(shown, out drawn))
            {
                Pose view;
                TimelinePlace place;
                timeline.View(shown, out view, out place);
                Sink = view.Position.X;
            }
            World world;
            if (reader.Frame(now, out world))
            {
                Sink = reader.Entities(entities);
                reader.Draw(3, out drawn);
            }
            Network(now);
            if (remote.Draw(moment, out drawn))
            {
                Sink = drawn.Now.Position.X;
            }
        }

        void InTick(Tick tick, double now)
        {
            Pose pose = Pose.At(tick.Time, 0, 0);
            track.Push(pose);
            track.Correct(pose);
            predicted.Push(pose);
            predicted.Save(tick.Number);
            if (tick.Number % 20 == 0)
            {
                predicted.Reconcile(Pose.At(tick.Time + 0.1, 0, 0));
                offset.Absorb(pose, Pose.At(tick.Time + 0.1, 0, 0), new OffsetSize(1, 1));
            }
            poses[0] = Pose32.At((float)tick.Time, 0, 0);
            batch.PushAll(poses);
            batch.Correct(row, batch.Truth(row));
            batch.PushSome(rows, poses, 1);
            poses64[0] = pose;
            batch64.PushAll(poses64);
            batch64.Correct(row64, pose);

            playhead.Observe(now, tick.Time, false);
            timeline.Push(tick.Time, pose, false);
            writer.Set(3, pose);
            writer.Set(ids, poses64);
            writer.Publish(now, tick.Time);

            server.Receive(tick.Time, now);
            other.Insert(server, new Snapshot(pose, 1));
            point.Insert(server, new PointSnapshot(pose.Position, 1));
            history.Record(tick.Time, new Snapshot(pose, 1));

            remote.Report(new Report(pose, 1, 7), 10.0);
            remote.Frame(tick.Dt, 10.0);
            remote.StickTo(new Double3(tick.Time + 2.0, 0, 0), 1.0);
            Step step;
            Pose body;
            if (remote.Truth(out body) && remote.Step(new WaypointTick(tick.Dt, 4.0), out step))
            {
                remote.Moved(step.Apply(body));
            }
            Quaternion4 heading;
            waypoints.Enqueue(body, new Report(pose, 1, 7), out heading);
            waypoints.Step(body, new WaypointTick(tick.Dt, 4.0), out step);
            waypoints.EndTick(body, tick.Dt);
            Sink = waypoints.State.Depth;
        }

        void Network(double now)
        {
            PeerFrame frame;
            Drawn drawn;
            SnapshotState state;
            Claim claim;
            Pose blended;
            Rewound rewound;
            if (!server.Frame(now, out frame) || !other.Draw(server, out drawn, out state) || !other.Blended(out blended))
            {
                return;
            }
            point.Draw(server, out drawn, out state);
            if (other.Claim(server, out claim))
            {
                // Over the wire, and to the server.
                claim.CopyTo(wire, 0);
                if (history.Rewind(new Claim(wire, 0), now, out rewound))
                {
                    Matches++;
                    Exact += rewound.Pose.Position.X == blended.Position.X ? 1 : 0;
                }
            }
        }

        public void Dispose()
        {
            foreach (IDisposable part in new IDisposable[]
            {
                stepper, gate, track, gated, predicted, offset, batch, batch64, chase, follow, playhead, timeline, server,
                other, point, history, remote, waypoints, writer, reader, exchange,
            })
            {
                part.Dispose();
            }
        }
    }

    static long Play(out int matches, out int exact)
    {
        using (Game game = new Game())
        {
            long before = 0;
            for (int i = 0; i < 200 + Frames; i++)
            {
                if (i == 200)
                {
                    before = GC.GetAllocatedBytesForCurrentThread();
                }
                game.Frame(i);
            }
            long bytes = GC.GetAllocatedBytesForCurrentThread() - before;
            matches = game.Matches;
            exact = game.Exact;
            return bytes;
        }
    }

    static int Main()
    {
        int matches, exact;
        Play(out matches, out exact); // the runtime compiles what it meets, which allocates
        long bytes = Play(out matches, out exact);
        Console.WriteLine("bytes allocated in {0} frames that call everything: {1}", Frames, bytes);
        Console.WriteLine("claims that the server found again: {0}, to the bit: {1}", matches, exact);
        return bytes == 0 && matches > 900 && matches == exact ? 0 : 1;
    }
}
