// The shortest program: a body of yours in System.Numerics, ticked and drawn.
using System.Numerics;
using Portamento;

static class Sketch
{
    sealed class Body
    {
        public Vector3 Position;
        public Quaternion Rotation = Quaternion.Identity;

        public void Integrate(double dt)
        {
            Position.X += (float)dt;
        }
    }

    static int Main()
    {
        Body body = new Body();
        Pose start = new Pose(body.Position, body.Rotation), drawn = start;
        const double frameSeconds = 1.0 / 144.0;

        using (var stepper = Stepper.Fixed(60))
        using (var player = new Track(start))
        {
            for (int frame = 0; frame < 144; frame++)
            {
                stepper.Frame(frameSeconds);
                while (stepper.Tick(out double dt)) { body.Integrate(dt); player.Push(body.Position, body.Rotation); }
                drawn = player.Draw(stepper.Moment);
            }
        }
        Vector3 place = (Vector3)drawn.Position;
        return place.X > 0.98f && place.X < 0.99f ? 0 : 1; // one second of ticks, drawn one tick late
    }
}
