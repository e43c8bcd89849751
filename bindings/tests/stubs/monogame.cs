// The parts of MonoGame that the guide uses.
using System;

namespace Microsoft.Xna.Framework
{
    public struct Vector2
    {
        public float X, Y;

        public Vector2(float x, float y)
        {
            X = x;
            Y = y;
        }
    }

    public struct Matrix
    {
        public static Matrix CreateTranslation(float x, float y, float z)
        {
            return new Matrix();
        }

        public static Matrix CreateScale(float scale)
        {
            return new Matrix();
        }

        public static Matrix operator *(Matrix a, Matrix b)
        {
            return a;
        }
    }

    public class GameTime
    {
        public TimeSpan ElapsedGameTime { get; set; }
    }

    public class Game
    {
        public bool IsFixedTimeStep { get; set; }

        protected virtual void Update(GameTime gameTime)
        {
        }

        protected virtual void Draw(GameTime gameTime)
        {
        }

        protected virtual void UnloadContent()
        {
        }
    }
}
