// Are the structs of Portamento.cs those of portamento.h? `cargo xtask c` makes the list that this reads, from the header:
// the name of a struct, its size, and where its fields are.
using System;
using System.Collections.Generic;
using System.IO;
using System.Reflection;
using System.Runtime.InteropServices;
using Portamento;

static class Layout
{
    static readonly Dictionary<string, Type> Types = new Dictionary<string, Type>
    {
        { "portamento_pose", typeof(Pose) },
        { "portamento_batch_handle", typeof(BatchHandle) },
        { "portamento_moment", typeof(Moment) },
        { "portamento_chase_settings", typeof(ChaseSettings) },
        { "portamento_pose64", typeof(Pose64) },
        { "portamento_drawn", typeof(Drawn) },
        { "portamento_shot", typeof(Shot) },
        { "portamento_follow_settings", typeof(FollowSettings) },
        { "portamento_framing", typeof(Framing) },
        { "portamento_playhead_settings", typeof(PlayheadSettings) },
        { "portamento_shown", typeof(Shown) },
        { "portamento_playhead_counts", typeof(PlayheadCounts) },
        { "portamento_timeline_settings", typeof(TimelineSettings) },
        { "portamento_point_report", typeof(PointReport) },
        { "portamento_shape", typeof(Shape) },
        { "portamento_tick_stamp", typeof(TickStamp) },
        { "portamento_world_frame", typeof(WorldFrame) },
        { "portamento_entity_view", typeof(EntityView) },
        { "portamento_reader_counts", typeof(ReaderCounts) },
        { "portamento_offset_size", typeof(OffsetSize) },
        { "portamento_offset_fading", typeof(OffsetFading) },
        { "portamento_reconcile_settings", typeof(ReconcileSettings) },
        { "portamento_history_settings", typeof(HistorySettings) },
        { "portamento_claim", typeof(Claim) },
        { "portamento_rewound", typeof(Rewound) },
        { "portamento_history_counts", typeof(HistoryCounts) },
        { "portamento_peer_settings", typeof(PeerSettings) },
        { "portamento_peer_frame", typeof(PeerFrame) },
        { "portamento_report", typeof(Report) },
        { "portamento_fixed_settings", typeof(FixedSettings) },
        { "portamento_gate_settings", typeof(GateSettings) },
        { "portamento_frame", typeof(Stepper).Assembly.GetType("Portamento.NativeFrame") },
        { "portamento_tick", typeof(Tick) },
        { "portamento_stepper_counts", typeof(StepperCounts) },
        { "portamento_waypoint_settings", typeof(WaypointSettings) },
        { "portamento_waypoint_report", typeof(WaypointReport) },
        { "portamento_waypoint_tick", typeof(WaypointTick) },
        { "portamento_waypoint_step", typeof(WaypointStep) },
        { "portamento_waypoint_outcome", typeof(WaypointOutcome) },
        { "portamento_camera_counts", typeof(CameraCounts) },
        { "portamento_shake_settings", typeof(ShakeSettings) },
        { "portamento_follow_target", typeof(FollowTarget) },
        { "portamento_cue", typeof(Cue) },
        { "portamento_batch_settings", typeof(BatchSettings) },
        { "portamento_peer_statistics", typeof(PeerStatistics) },
        { "portamento_snapshot_counts", typeof(SnapshotCounts) },
        { "portamento_waypoint_counts", typeof(WaypointCounts) },
        { "portamento_remote_body_state", typeof(RemoteBodyState) },
        { "portamento_waypoints_state", typeof(WaypointsState) },
    };

    /// <summary>Where each number of a struct is, also within the structs in it.</summary>
    static void Places(Type type, int start, HashSet<int> places)
    {
        foreach (FieldInfo field in type.GetFields(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic))
        {
            int place = start + (int)Marshal.OffsetOf(type, field.Name);
            places.Add(place);
            if (!field.FieldType.IsPrimitive && !field.FieldType.IsEnum)
            {
                Places(field.FieldType, place, places);
            }
        }
    }

    static int Main(string[] arguments)
    {
        int structs = 0;
        foreach (string line in File.ReadAllLines(arguments[0]))
        {
            string[] words = line.Split(' ');
            Type type;
            if (!Types.TryGetValue(words[0], out type))
            {
                Console.WriteLine("{0} is not in Portamento.cs (or not in the list of Layout.cs)", words[0]);
                return 1;
            }
            int size = Marshal.SizeOf(type);
            if (size != int.Parse(words[1]))
            {
                Console.WriteLine("{0} has {1} bytes, in C {2}", type, size, words[1]);
                return 1;
            }
            HashSet<int> places = new HashSet<int>();
            Places(type, 0, places);
            for (int i = 2; i < words.Length; i++)
            {
                if (!places.Contains(int.Parse(words[i])))
                {
                    Console.WriteLine("{0} has nothing at byte {1}, where {2} has a field", type, words[i], words[0]);
                    return 1;
                }
            }
            structs++;
        }
        Console.WriteLine("{0} structs are the same in C and C#", structs);
        return structs == Types.Count ? 0 : 1;
    }
}
