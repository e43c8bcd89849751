// A client whose physics runs in quanta of 1/30 s or more, drawn naively and by portamento, with a chase camera that the
// mouse turns at once. Prints the judder of both (0 is perfect) and how many bytes a frame allocates.
using System;
using Portamento;

static class QuantumGate
{
    const double Speed = 4.0;

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

    static int Main()
    {
        Judder naive = new Judder(), smooth = new Judder();
        double turned = 0.0;
        long before = 0, after = 0;
        ChaseSettings settings = ChaseSettings.ZUp();
        settings.LookRate = double.PositiveInfinity;
        using (Stepper stepper = Stepper.Gated(GateSettings.WithRule(0)))
        using (Track player = new Track(Pose.At(0.0, 0.0, 0.0)))
        using (ChaseCamera camera = new ChaseCamera(settings))
        {
            Pose body = Pose.At(0.0, 0.0, 0.0);
            for (int i = 0; i < 1440; i++)
            {
                if (i == 200)
                {
                    before = GC.GetTotalMemory(false);
                }
                double frameTime = (i % 3 == 0 ? 1.01 : 0.995) / 60.0;
                stepper.Frame(frameTime);
                double dt;
                while (stepper.Tick(out dt))
                {
                    body.Position.Y += Speed * dt; // your physics, as it was
                    player.Push(body);
                }
                Drawn drawn = player.Draw(stepper.Moment);
                Shot shot = camera.Update(stepper.Moment, drawn);
                if (i == 1000)
                {
                    camera.Look(1.0, 0.291);
                    turned = shot.Forward.X;
                }
                if (i == 1001)
                {
                    turned = shot.Forward.X - turned;
                }
                if (i > 100)
                {
                    naive.Judge(body.Position.Y, frameTime);
                    smooth.Judge(drawn.Now.Position.Y, frameTime);
                }
            }
            after = GC.GetTotalMemory(false);

            bool refused = false;
            try
            {
                player.Push(new Double3(double.NaN, 0.0, 0.0), Quaternion4.Identity);
            }
            catch (PortamentoException error)
            {
                refused = error.Status == Status.BadValue && error.Message.Contains("NaN");
            }
            if (!refused)
            {
                Console.WriteLine("a position of NaN was taken");
                return 1;
            }
        }
        Console.WriteLine("judder: newest quantum {0:F3}, portamento {1:F3}", naive.Result, smooth.Result);
        Console.WriteLine("bytes allocated in 1240 frames: {0}", after - before);
        Console.WriteLine("a turn of the mouse by 1 rad shows in the next frame: {0:F3} of sin(1)", Math.Abs(turned) / Math.Sin(1.0));
        bool good = smooth.Result < 0.1 * naive.Result && after == before && Math.Abs(turned) > 0.7;
        return good ? 0 : 1;
    }
}
