// Everything that a game calls in a frame, for a thousand frames: no call may allocate. Then the parts that are not called
// in a frame, with what they must give.
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
        readonly Track track = new Track(Pose64.At(0, 0, 0)), gated = new Track(Pose64.At(0, 0, 0), 4);
        readonly PredictedTrack predicted;
        readonly VisualOffset offset = new VisualOffset();
        readonly Batch batch;
        readonly Batch64 batch64 = new Batch64();
        readonly ChaseCamera chase = new ChaseCamera(ChaseSettings.YUp());
        readonly FollowCamera follow = new FollowCamera(new FollowSettings(640, 360));
        readonly Playhead playhead = Playhead.AtHz(60);
        readonly Timeline timeline = new Timeline();
        readonly Peer server = Peer.AtHz(60);
        readonly Snapshots other = new Snapshots(), point = Snapshots.OfPoints();
        readonly History history = new History(HistorySettings.AtHz(60));
        readonly RemoteBody remote = new RemoteBody(WaypointSettings.YUp());
        readonly OwnPlayer own = new OwnPlayer(WaypointSettings.YUp());
        readonly TickClock clock = TickClock.AtHz(60, 8);
        readonly Cues cues = new Cues();
        readonly FollowTarget[] targets = new FollowTarget[2];
        readonly Waypoints waypoints = new Waypoints(WaypointSettings.YUp());
        readonly Exchange exchange = new Exchange(new Shape(4));
        readonly Writer writer;
        readonly Reader reader;
        readonly BatchHandle row, row64;
        readonly BatchHandle[] rows = new BatchHandle[1], moved = new BatchHandle[1];
        readonly Pose[] poses = { Pose.At(0, 0, 0) };
        readonly Pose64[] poses64 = { Pose64.At(0, 0, 0) };
        readonly float[] matrices = new float[16];
        readonly EntityView[] entities = new EntityView[4];
        readonly ulong[] ids = { 3 };
        readonly double[] from = { 0, 1 }, to = { 2, 3 }, between = new double[2];
        readonly byte[] wire = new byte[Claim.Length];
        public int Matches, Exact;

        public Game()
        {
            predicted = new PredictedTrack(Pose64.At(0, 0, 0), ReconcileSettings.Default());
            predicted.ReserveSaves(8);
            track.ReserveSaves(8);
            BatchSettings settings = BatchSettings.Default();
            settings.RememberViews = true;
            batch = new Batch(settings);
            batch.ReserveSaves(8);
            chase.Collide = Everything.Collide;
            row = batch.Insert(poses[0]);
            rows[0] = row;
            row64 = batch64.Insert(poses64[0]);
            writer = new Writer(exchange);
            reader = new Reader(exchange, PlayheadSettings.AtHz(60));
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
                gated.Push(Pose64.At(now, 0, 0));
            }
            Moment moment = stepper.Moment;
            Drawn drawn = track.Draw(moment);
            Sink = track.View(moment).Position.X + track.Truth.Position.X + gated.Draw(gate.Moment).Now.Position.X;
            Sink = track.AtRest(moment) ? 1.0 : stepper.Counts.Lost;
            Sink = predicted.Draw(moment).Now.Position.X + predicted.Offset.Length + predicted.Truth.Position.X;
            offset.Fade(moment);
            Sink = offset.Drawn(drawn).Position.X + offset.Size.Length;

            batch.Write(moment, OutputForm.Matrices4x4, matrices, moved);
            Sink = batch.Drawn(row, out drawn) ? drawn.Now.Position.X : 0.0;
            batch.Redraw();
            batch.Write(moment, OutputForm.Positions, matrices);
            batch.Redraw();
            batch.WriteMoved(moment, OutputForm.Poses, matrices, moved);
            batch64.Write(moment, drawn.Now.Position, OutputForm.Positions, matrices);
            batch64.Redraw();
            batch64.Write(moment, poses64);
            Numbers.Blend(from, to, 0.5, between);
            Sink = Pose64.Blend(drawn.Now, drawn.Before, 0.5).Position.X + Pose64.Slerp(drawn.Now, drawn.Before, 0.5).Position.X;

            chase.SetLook(0.1 * now, 0.2);
            Sink = chase.Update(moment, drawn).Eye.X;
            targets[0] = drawn;
            targets[1] = new FollowTarget(new Double2(1, 1), false);
            Sink = follow.UpdateAll(moment, targets).Zoom + follow.ToScreen(new Double2(1, 1)).X;
            follow.Pan(new Double2(1, 0));
            Sink = follow.UpdateFree(moment).Zoom + follow.Counts.Requests;
            follow.Recentre();
            Sink = follow.Update(moment, drawn).Zoom + follow.ToWorld(new Double2(1, 1)).X;

            Shown shown;
            if (playhead.Advance(now, out shown) && timeline.Draw(shown, out drawn))
            {
                Cue cue;
                while (cues.Next(shown, out cue))
                {
                    Sink = cue.Event;
                }
                Pose64 view;
                TimelinePlace place;
                timeline.View(shown, out view, out place);
                Sink = view.Position.X;
            }
            WorldFrame world;
            if (reader.Frame(now, out world))
            {
                Sink = reader.Entities(entities);
                reader.Draw(3, out drawn);
                Sink = chase.Update(world, drawn).Eye.X;
            }
            Network(now);
            if (remote.Draw(moment, out drawn))
            {
                Sink = drawn.Now.Position.X;
            }
        }

        void InTick(Tick tick, double now)
        {
            Pose64 pose = Pose64.At(tick.Time, 0, 0);
            track.Push(pose);
            track.Correct(pose);
            track.Save(tick.Number);
            track.Restore(tick.Number);
            predicted.Push(pose);
            predicted.Save(tick.Number);
            if (tick.Number % 20 == 0)
            {
                predicted.Reconcile(Pose64.At(tick.Time + 0.1, 0, 0));
                offset.Absorb(pose, Pose64.At(tick.Time + 0.1, 0, 0), new OffsetSize(1, 1));
            }
            poses[0] = Pose.At((float)tick.Time, 0, 0);
            batch.PushAll(poses);
            batch.Correct(row, batch.Truth(row));
            batch.PushSome(rows, poses, 1);
            batch.Save(tick.Number);
            if (tick.Number % 20 == 0)
            {
                batch.Restore(tick.Number);
                batch.Reconcile(row, Pose.At((float)tick.Time + 0.1f, 0, 0));
            }
            poses64[0] = pose;
            batch64.PushAll(poses64);
            batch64.Correct(row64, pose);

            playhead.Observe(now, tick.Time);
            timeline.Push(tick.Time, pose);
            cues.Add(tick.Time, tick.Number);
            writer.Set(3, pose);
            writer.Set(ids, poses64);
            writer.Publish(now, tick.Time);

            server.Receive(tick.Time, now);
            Sink = clock.Seconds((uint)(tick.Number % 256), now) + server.Statistics.Jitter + other.Offset.Length + other.Counts.Late;
            other.Insert(server, new Report(pose, 1));
            point.Insert(server, new PointReport(pose.Position, 1));
            history.Record(tick.Time, new Report(pose, 1));

            WaypointReport report = new WaypointReport(1, pose) { Payload = 7 };
            remote.Report(report, 10.0);
            remote.Frame(tick.Dt, 10.0);
            remote.StickTo(new Double3(tick.Time + 2.0, 0, 0), 1.0);
            WaypointStep step;
            Pose64 body;
            if (remote.Truth(out body) && remote.Step(new WaypointTick(tick.Dt, 4.0), out step))
            {
                if (tick.Number % 2 == 0)
                {
                    remote.Moved(step.Apply(body));
                }
                remote.Follow(new Double3(tick.Time + 2.0, 1.0, 0));
                Sink = remote.State.Strayed + remote.Counts.Stale;
                own.Echo(report, ref body);
                Sink = own.Limit(body, step, true).Offset.X;
                double units;
                own.Strayed(body, out units);
                Sink = own.IsHeld(body) ? units : own.Counts.Stale;
            }
            Quaternion4 heading;
            waypoints.Enqueue(body, report, out heading);
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
            Pose64 blended;
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
                other, point, history, remote, own, clock, cues, waypoints, writer, reader, exchange,
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

    static int wrong;

    static void Expect(bool holds, string what)
    {
        if (!holds)
        {
            wrong++;
            Console.WriteLine("not so: {0}", what);
        }
    }

    static void Poses()
    {
        Pose near = Pose.At(1, 2, 3);
        Pose64 wide = near;
        Expect(wide.Position.Y == 2.0 && ((Pose)wide).Position.Z == 3f, "poses become each other");
        using (Track track = new Track(Pose64.At(1, 0, 0)))
        {
            Pose drawn = track.Draw(Moment.At(1, 0.01));
            Pose64 exact = track.Draw(Moment.At(1, 0.01));
            Expect(drawn.Position.X == 1f && exact.Position.X == 1.0, "what is drawn becomes either");
            track.ReserveSaves(4);
            track.Save(7);
            track.Push(Pose64.At(2, 0, 0));
            Expect(track.Restore(7) && !track.Restore(6) && track.Truth.Position.X == 1.0, "rollback");
        }
    }

    static void Cameras()
    {
        FollowSettings settings = new FollowSettings(640, 360);
        settings.Shake.OwnTime = true;
        settings.Y = ScreenY.Up;
        settings.Rule = FollowRule.Smooth;
        using (FollowCamera camera = new FollowCamera(settings))
        using (ChaseCamera chase = new ChaseCamera(ChaseSettings.ZUp()))
        {
            camera.SetCentre(new Double2(10, 20));
            camera.Rebase(new Double2(5, 0));
            Expect(camera.UpdateFree(Presented.FromSeconds(0.01)).Centre.X == 15.0, "put and moved");
            camera.ZoomBy(2.0);
            camera.ZoomBy(2.0, new Double2(10, 10));
            Expect(camera.Settings.Zoom == 4.0 && camera.Framing.Zoom == 1.0, "zoomed in the next frame");
            camera.Shake(1.0);
            Expect(camera.AdvanceShake(0.03).Zoom == 4.0 && camera.Counts.Requests == 0, "it shakes by a clock of its own");
            camera.SetSettings(settings);
            chase.SetSettings(ChaseSettings.YUp());
            chase.SetLook(0.5, 0.25);
            chase.ReleaseHeight();
            chase.Rebase(new Double3(1, 0, 0));
            Expect(chase.Settings.Orbit == 0.5 && chase.Settings.Fade.Y > 0.0 && chase.Counts.Targets == 0, "looked");
        }
    }

    static void OtherClocks()
    {
        using (Playhead playhead = new Playhead(PlayheadSettings.Network(20)))
        using (Timeline timeline = new Timeline())
        using (Cues cues = new Cues())
        {
            Expect(playhead.Observe(0.0, 0.0) == Observed.Newest, "the first tick");
            Expect(playhead.ObserveCut(0.05, 0.05) == Observed.Newest && playhead.Counts.Ticks == 2, "a cut");
            timeline.Cut(0.05, Pose64.At(3, 0, 0));
            Pose64 truth;
            Expect(timeline.Truth(out truth) && truth.Position.X == 3.0, "the newest pose");
            cues.Add(0.5, 9);
            Expect(cues.Waiting == 1 && cues.Refused == 0, "one waits");
            cues.Clear();
            Expect(cues.Waiting == 0, "none waits");
        }
        using (Peer peer = new Peer(PeerSettings.Action(20)), racing = new Peer(PeerSettings.Racing(20)))
        using (Peer strategy = new Peer(PeerSettings.Strategy(20)))
        using (TickClock clock = TickClock.AtHz(20, 4))
        {
            peer.Receive(0.0, 0.03);
            peer.SetHz(10);
            Expect(peer.Statistics.Received == 1 && racing.Statistics.Received + strategy.Statistics.Received == 0, "received");
            clock.SetTick(1000, 1.0);
            Expect(clock.Seconds(1001 % 16, 1.05) == 1001 / 20.0, "the whole tick");
            clock.Restart();
            Expect(clock.Seconds(3, 2.0) == 3 / 20.0, "anew");
        }
    }

    static void Bodies()
    {
        WaypointSettings settings = WaypointSettings.ZUp();
        WaypointReport report = new WaypointReport(1, Pose64.At(2, 0, 0));
        WaypointTick tick = new WaypointTick(0.1, 4.0);
        Pose64 place;
        using (Waypoints queue = new Waypoints(settings))
        {
            Quaternion4 heading;
            queue.Enqueue(Pose64.At(0, 0, 0), report, out heading);
            queue.Rebase(new Double3(10, 0, 0));
            WaypointStep step;
            Expect(queue.Step(Pose64.At(10, 0, 0), tick, out step) && step.Offset.X > 0.0, "moved with the world");
            Expect(queue.Counts.Evicted == 0, "counts of a queue");
        }
        using (RemoteBody body = new RemoteBody(settings))
        {
            Expect(body.Report(new WaypointReport(1, Pose64.At(0, 0, 0)), 10.0) == Route.Cut, "it appears");
            body.StickTo(new Double3(5, 0, 0), 1.0);
            body.Release();
            Expect(!body.State.IsSticking && body.State.IsSimulated, "free");
            Expect(body.Report(report, 10.0) == Route.Enqueue, "it walks there");
            body.EnqueueVelocity(new Double3(0, 1, 0));
            body.EnqueueStop();
            body.Rebase(new Double3(10, 0, 0));
            Expect(!body.Walk(tick).Place && body.Truth(out place) && place.Position.X > 10.0, "walked");
            body.Stop();
            Expect(body.State.Depth == 0 && body.Counts.Failed == 0, "stands");
        }
        using (OwnPlayer me = new OwnPlayer(settings))
        {
            place = new Pose64();
            Expect(me.Echo(report, ref place) == Echo.Cut && place.Position.X == 2.0, "into the world");
            Expect(me.Echo(report, ref place) == Echo.Leashed, "leashed");
            report.Forced = 1;
            Expect(me.Echo(report, ref place) == Echo.Forced, "forced back");
            me.Rebase(new Double3(10, 0, 0));
            double units;
            Expect(me.Strayed(Pose64.At(12, 0, 0), out units) && units == 0.0, "moved with the world");
        }
    }

    static int Main()
    {
        int matches, exact;
        Play(out matches, out exact); // the runtime compiles what it meets, which allocates
        long bytes = Play(out matches, out exact);
        Console.WriteLine("bytes allocated in {0} frames that call everything: {1}", Frames, bytes);
        Console.WriteLine("claims that the server found again: {0}, to the bit: {1}", matches, exact);
        Poses();
        Cameras();
        OtherClocks();
        Bodies();
        Console.WriteLine(wrong == 0 ? "everything holds" : "some of it does not");
        return bytes == 0 && matches > 900 && matches == exact && wrong == 0 ? 0 : 1;
    }
}
