// The parts of Godot's C# interface that the guide uses.
using System;

namespace Godot
{
    public struct Vector3
    {
        public float X, Y, Z;

        public Vector3(float x, float y, float z)
        {
            X = x;
            Y = y;
            Z = z;
        }
    }

    public struct Quaternion
    {
        public float X, Y, Z, W;

        public Quaternion(float x, float y, float z, float w)
        {
            X = x;
            Y = y;
            Z = z;
            W = w;
        }
    }

    public struct Basis
    {
        readonly Quaternion quaternion;

        public Basis(Quaternion quaternion)
        {
            this.quaternion = quaternion;
        }

        public Quaternion GetRotationQuaternion()
        {
            return quaternion;
        }
    }

    public class Node3D
    {
        public bool TopLevel { get; set; }
        public Vector3 GlobalPosition { get; set; }
        public Basis GlobalBasis { get; set; }

        public virtual void _Ready()
        {
        }

        public virtual void _PhysicsProcess(double delta)
        {
        }

        public virtual void _Process(double delta)
        {
        }

        public virtual void _ExitTree()
        {
        }
    }

    public class Camera3D : Node3D
    {
    }

    public class CharacterBody3D : Node3D
    {
        public bool MoveAndSlide()
        {
            return false;
        }
    }

    public static class Engine
    {
        public static double GetPhysicsInterpolationFraction()
        {
            return 0.0;
        }
    }

    public sealed class ExportAttribute : Attribute
    {
    }
}
