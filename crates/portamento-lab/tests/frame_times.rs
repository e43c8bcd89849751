//! Frame-time files as people have them: worked values, every dialect, and everything that can be wrong.

use portamento_lab::traces::{
    FrameFormat, FrameTimes, TraceError, read_frames, read_frames_of, read_motion, read_motion_up_to,
    read_network,
};
use proptest::prelude::*;
use std::path::PathBuf;

/// A file that is gone after the test.
struct File(PathBuf);

impl File {
    fn new(name: &str, content: impl AsRef<[u8]>) -> Self {
        let path = std::env::temp_dir().join(format!("portamento-{}-{name}", std::process::id()));
        std::fs::write(&path, content).unwrap();
        Self(path)
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn frames(name: &str, content: &str) -> FrameTimes {
    read_frames(&File::new(name, content).0).unwrap()
}

fn milliseconds(errors: &[f64]) -> Vec<f64> {
    errors.iter().map(|e| (e * 1e6).round() / 1e3).collect()
}

/// Content starts when the frame before was handed over, so frame k's content moved on by MsBetweenPresents of
/// frame k-1; it was shown MsBetweenDisplayChange after the one before it.
///   frame 1: 16 - 16 = 0; frame 2: 17 - 16 = +1; frame 3: 15 - 18 = -3; frame 4 is dropped; frame 5: (16 + 20) - 33 = +3.
const PRESENTMON_1: &str = "\
Application,ProcessID,TimeInSeconds,MsBetweenPresents,MsBetweenDisplayChange,Dropped
game.exe,12,0.016,16,16,0
game.exe,12,0.033,17,16,0
game.exe,12,0.048,15,16,0
game.exe,12,0.064,16,18,0
game.exe,12,0.084,20,0,1
game.exe,12,0.100,16,33,0
";

#[test]
fn animation_error_from_presentmon_1_columns() {
    let read = frames("pm1.csv", PRESENTMON_1);
    assert_eq!(read.format, FrameFormat::PresentMon1);
    assert_eq!((read.rows, read.dropped, read.intervals.len()), (6, 1, 5));
    assert_eq!(milliseconds(&read.animation_errors), [0.0, 1.0, -3.0, 3.0]);
    let animation = read.pacing().animation.unwrap();
    assert!((animation.rms * 1e3 - (19.0_f64 / 4.0).sqrt()).abs() < 1e-9);
    assert!((animation.per_second - 7.0 / 99.0).abs() < 1e-9);
}

/// The rows of the game as above, with those of a browser and of the game's second swap chain in between.
const MIXED: &str = "\
Application,ProcessID,SwapChainAddress,MsBetweenPresents,MsBetweenDisplayChange,Dropped
game.exe,12,0xA,16,16,0
browser.exe,7,0xC,33,33,0
game.exe,12,0xA,17,16,0
game.exe,12,0xB,100,100,0
game.exe,12,0xA,15,16,0
browser.exe,7,0xC,34,35,0
game.exe,12,0xA,16,18,0
game.exe,12,0xA,20,0,1
browser.exe,7,0xC,31,29,0
game.exe,12,0xB,90,100,0
game.exe,12,0xA,16,33,0
";

#[test]
fn programs_and_swap_chains_of_one_capture_are_told_apart() {
    let file = File::new("mixed.csv", MIXED);
    let (alone, read) = (frames("alone.csv", PRESENTMON_1), read_frames(&file.0).unwrap());
    assert_eq!(
        (&read.intervals, &read.animation_errors, read.dropped),
        (&alone.intervals, &alone.animation_errors, 1)
    );
    let names = |read: &FrameTimes| {
        let others: Vec<String> =
            read.others.iter().map(|(source, rows)| format!("{source}: {rows}")).collect();
        (read.source.as_ref().unwrap().to_string(), others.join("; "))
    };
    let rest = "browser.exe, process 7, swap chain 0xC: 3; game.exe, process 12, swap chain 0xB: 2";
    assert_eq!(names(&read), ("game.exe, process 12, swap chain 0xA".into(), rest.into()));
    for wanted in ["browser.exe", "Browser", "7", "0xC"] {
        let read = read_frames_of(&file.0, Some(wanted)).unwrap();
        assert_eq!(read.intervals, [0.033, 0.035, 0.029], "{wanted}");
    }
    let refused = read_frames_of(&file.0, Some("editor")).unwrap_err().to_string();
    assert!(
        refused.contains("no frames of `editor`") && refused.contains("browser.exe, process 7"),
        "{refused}"
    );
}

#[test]
fn a_motion_that_is_too_long_is_refused_with_its_length() {
    let file = File::new("long.csv", "t,x,y,z,cut\n0,0,0,0,0\n1,1,0,0,0\n1000001,2,0,0,0\n");
    let refused = read_motion(&file.0).unwrap_err().to_string();
    assert!(refused.contains("line 4") && refused.contains("1000001 s after"), "{refused}");
    assert!(refused.contains("3600 s") && refused.contains("--max-motion"), "{refused}");
    assert!(read_motion_up_to(&file.0, 2e6).is_ok(), "the limit can be raised");
}

#[test]
fn ocat_and_capframex_spell_the_columns_their_own_way() {
    let small = PRESENTMON_1.replace("Ms", "ms").replace("Dropped", "dropped").replace("TimeIn", "timeIn");
    let capframex = format!("//GameName=Something\n//Processor=Some CPU, with a comma\n{PRESENTMON_1}");
    for (name, text) in
        [("ocat.csv", small), ("capframex.csv", capframex), ("crlf.csv", PRESENTMON_1.replace('\n', "\r\n"))]
    {
        let read = frames(name, &text);
        assert_eq!(milliseconds(&read.animation_errors), [0.0, 1.0, -3.0, 3.0], "{name}");
    }
}

/// A frame is shown DisplayedTime after the one before it; its content moved on by FrameTime of that one:
///   frame 1: 16 - 17 = -1; frame 2: 18 - 16 = +2; frame 3 is not displayed; frame 4: (15 + 17) - 33 = -1.
const PRESENTMON_2: &str = "\
\u{feff}Application,ProcessID,CPUStartTime,FrameTime,DisplayLatency,DisplayedTime
game.exe,12,0,16,20,17
game.exe,12,16,18,20,16
game.exe,12,34,15,20,33
game.exe,12,49,17,NA,NA
game.exe,12,66,16,20,16
";

#[test]
fn animation_error_from_presentmon_2_columns() {
    let read = frames("pm2.csv", PRESENTMON_2);
    assert_eq!(read.format, FrameFormat::PresentMon2);
    assert_eq!((read.rows, read.dropped, read.intervals.len()), (5, 1, 4));
    assert_eq!(milliseconds(&read.animation_errors), [-1.0, 2.0, -1.0]);
}

#[test]
fn presentmon_2_may_give_the_error_or_the_animation_time_itself() {
    let given = "Application,MsBetweenPresents,DisplayedTime,MsAnimationError,AnimationTime\n\
                 g,16,17,NA,100\ng,18,16,-0.5,116\ng,15,33,1.25,134\ng,17,NA,NA,NA\n";
    assert_eq!(milliseconds(&frames("given.csv", given).animation_errors), [-0.5, 1.25]);
    // 116 - 100 - 17 = -1; 133 - 116 - 16 = +1.
    let times =
        "Application,MsBetweenPresents,DisplayedTime,AnimationTime\ng,9,17,100\ng,9,16,116\ng,9,33,133\n";
    assert_eq!(milliseconds(&frames("times.csv", times).animation_errors), [-1.0, 1.0]);
}

#[test]
fn pacing_of_worked_intervals() {
    let mut text = String::from("display_interval_ms\n");
    for k in 0..200 {
        text += if k == 50 { "60\n" } else { "10\n" };
    }
    let pacing = frames("intervals.csv", &text).pacing();
    assert!((pacing.rate - 200.0 / 2.05).abs() < 1e-9);
    assert_eq!((pacing.hitches, pacing.p50, pacing.longest), (1, 0.010, 0.060));
    assert_eq!(pacing.animation, None, "intervals alone say nothing of the content");
}

#[test]
fn a_file_that_cannot_be_used_says_where_and_what_would_cure_it() {
    let refused =
        |name: &str, content: &[u8]| -> TraceError { read_frames(&File::new(name, content).0).unwrap_err() };
    let truncated = &PRESENTMON_1.as_bytes()[..PRESENTMON_1.len() - 12];
    for (name, content, line, word) in [
        ("empty.csv", b"".as_slice(), None, "empty"),
        ("header.csv", b"MsBetweenPresents,MsBetweenDisplayChange\n", None, "0 displayed frames"),
        ("wrong.csv", b"name,age\nAda,36\n", Some(1), "no column of frame times"),
        ("text.csv", b"MsBetweenPresents\n16\nsixteen\n", Some(3), "`sixteen`"),
        ("truncated.csv", truncated, Some(7), "3 of 6 fields"),
        ("binary.csv", b"\x7fELF\x02\x01\xff\xfe\x00\x00", Some(1), "not text"),
        ("utf16.csv", b"\xff\xfeM\x00s\x00", Some(1), "UTF-16"),
    ] {
        let error = refused(name, content);
        assert_eq!(error.line, line, "{error}");
        let text = error.to_string();
        assert!(text.contains(word) && text.contains(name) && !error.cure.is_empty(), "{text}");
    }
    let missing = read_frames(&std::env::temp_dir().join("portamento-no-such-file.csv")).unwrap_err();
    assert!(missing.to_string().contains("cannot be opened"), "{missing}");
    assert!(read_frames(&std::env::temp_dir()).unwrap_err().to_string().contains("directory"));
}

#[test]
fn motions_and_networks_are_refused_with_line_and_cure() {
    let motion = |content: &str| read_motion(&File::new("motion.csv", content).0).unwrap_err().to_string();
    let network = |content: &str| read_network(&File::new("network.csv", content).0).unwrap_err().to_string();
    for (text, line, word) in [
        (motion("t,x,y\n0,1,2\n"), "line 1", "t,x,y,z,cut"),
        (motion("t,x,y,z,cut\n0,0,0,0,0\n0,1,1,1,0\n"), "line 3", "times must rise"),
        (motion("t,x,y,z,cut\n0,0,0,0,0\n1,NaN,1,1,0\n"), "line 3", "x is `NaN`"),
        (motion("t,x,y,z,cut\n0,0,0,0,2\n"), "line 2", "1 marks a jump"),
        (motion("t,x,y,z,cut\n0,0,0,0,0\n1,2\n"), "line 3", "2 of 5 fields"),
        (motion("t,qx,qy,qz,qw,cut\n0,0,0,0,7,0\n"), "line 2", "unit quaternion"),
        (motion("t,x,y,z,cut\n0,0,0,0,0\n"), "motion.csv", "at least two"),
        (network("sent,arrived\n0,1\n0,2\n"), "line 3", "sending order"),
        (network("sent,arrived\n5,1\n"), "line 2", "before it was sent"),
        (network("sent,arrived\n0,1\n1e300,1e300\n"), "line 3", "1e12"),
        (network("a,b\n"), "line 1", "sent,arrived"),
    ] {
        assert!(text.contains(line) && text.contains(word), "{text}");
    }
}

/// How long a processor has worked for this thread, in seconds: a busy machine does not count. 0 where nothing says it.
fn worked() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split(' ').next().and_then(|nanoseconds| nanoseconds.parse::<f64>().ok()).unwrap_or(0.0) / 1e9
}

#[test]
fn a_million_rows_are_read_and_analysed_within_five_seconds_of_work() {
    let mut text = String::from(
        "Application,CPUStartTime,FrameTime,DisplayLatency,DisplayedTime,ClickToPhotonLatency\n",
    );
    for k in 0..1_000_000_u32 {
        let off = f64::from(k.wrapping_mul(2_654_435_761) >> 22) / 1000.0;
        text += &format!("game.exe,{}.5,{:.4},21.3,{:.4},NA\n", k * 16, 16.0 + off, 16.5 + off / 2.0);
    }
    let file = File::new("million.csv", text);
    let before = worked();
    let read = read_frames(&file.0).unwrap();
    let pacing = read.pacing();
    let took = worked() - before;
    assert_eq!((read.rows, read.animation_errors.len()), (1_000_000, 999_999));
    assert!(pacing.rate > 50.0 && pacing.animation.is_some());
    assert!(took < 5.0, "{took:.1} s");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever stands in a file, it is read or refused with a reason; nothing in between, and every row counts.
    #[test]
    fn any_file_is_read_or_refused(
        header in prop::collection::vec(
            prop::sample::select(vec!["MsBetweenPresents", "msBetweenDisplayChange", "DisplayedTime", "Dropped",
                "MsAnimationError", "AnimationTime", "FrameTime", "display_interval_ms", "x", ""]),
            1..6,
        ),
        rows in prop::collection::vec("([0-9]{1,4}(\\.[0-9]{1,3})?|NA|-1|0|1e3|nan|\"7\"|)(,([0-9]{1,3}|NA|))*", 0..12),
        tail in prop::collection::vec(any::<u8>(), 0..20),
    ) {
        let mut bytes = header.join(",").into_bytes();
        for row in &rows {
            bytes.push(b'\n');
            bytes.extend(row.bytes());
        }
        bytes.extend(tail);
        let file = File::new(&format!("any-{:?}.csv", std::thread::current().id()), &bytes);
        match read_frames(&file.0) {
            Ok(frames) => {
                prop_assert_eq!(frames.rows, frames.intervals.len() + frames.dropped);
                prop_assert!(frames.intervals.iter().chain(&frames.animation_errors).all(|v| v.is_finite()));
                prop_assert!(frames.pacing().rate > 0.0);
            }
            Err(error) => prop_assert!(!error.what.is_empty() && !error.cure.is_empty()),
        }
    }
}
