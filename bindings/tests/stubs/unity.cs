// The parts of UnityEngine that the guide uses.
using System;
using System.Collections;

namespace UnityEngine
{
    public struct Vector3
    {
        public float x, y, z;

        public Vector3(float x, float y, float z)
        {
            this.x = x;
            this.y = y;
            this.z = z;
        }
    }

    public struct Quaternion
    {
        public float x, y, z, w;

        public Quaternion(float x, float y, float z, float w)
        {
            this.x = x;
            this.y = y;
            this.z = z;
            this.w = w;
        }

        public static Quaternion LookRotation(Vector3 forward)
        {
            return new Quaternion(forward.x, forward.y, forward.z, 1f);
        }
    }

    public struct Pose
    {
        public Vector3 position;
        public Quaternion rotation;
    }

    public class Transform
    {
        public void SetPositionAndRotation(Vector3 position, Quaternion rotation)
        {
        }
    }

    public class MonoBehaviour
    {
        public Transform transform
        {
            get { return new Transform(); }
        }

        public T GetComponent<T>() where T : new()
        {
            return new T();
        }

        public void StartCoroutine(IEnumerator routine)
        {
        }
    }

    public enum RigidbodyInterpolation
    {
        None,
        Interpolate,
    }

    public class Rigidbody
    {
        public Vector3 position { get; set; }
        public Quaternion rotation { get; set; }
        public RigidbodyInterpolation interpolation { get; set; }
    }

    public class WaitForFixedUpdate
    {
    }

    public static class Time
    {
        public static float time, fixedTime, fixedDeltaTime, deltaTime;
    }

    public static class Input
    {
        public static float GetAxis(string name)
        {
            return 0f;
        }
    }

    public sealed class RequireComponent : Attribute
    {
        public RequireComponent(Type type)
        {
        }
    }
}
