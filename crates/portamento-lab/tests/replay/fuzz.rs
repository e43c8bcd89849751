//! Whatever a script holds, a replay ends in a result: one line for each event, or the number of the line that is
//! wrong, with everything before it printed. Random scripts, from nearly right to line noise.

use super::{by_program, values};
use portamento_lab::replay::Failure;
use proptest::prelude::*;

/// One line of a script, without its line break.
type Line = Vec<u8>;

fn text(line: &str) -> Line {
    line.as_bytes().to_vec()
}

/// A finite number as it may stand in a script; moderate, so that nothing needs millions of ticks.
fn number() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => (-100.0..100.0f64).prop_map(|n| n.to_string()),
        1 => prop::sample::select(vec!["0", "-0.0", "1e-9", "-3", "0.05", "96", "1E2", "5e-324"])
            .prop_map(String::from),
    ]
}

fn time() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => (0.0..0.3f64).prop_map(|n| n.to_string()),
        2 => (0.0..100.0f64).prop_map(|n| n.to_string()),
        2 => prop::sample::select(vec!["\"NaN\"", "\"inf\"", "\"-inf\"", "0", "-1", "1e-9", "1e9", "1e300", "2.0"])
            .prop_map(String::from),
    ]
}

fn vector() -> impl Strategy<Value = String> {
    prop::collection::vec(number(), 3).prop_map(|numbers| format!("[{}]", numbers.join(",")))
}

/// A number of a pose, now and then so large or small that squares leave the range.
fn coordinate() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => number(),
        1 => prop::sample::select(vec!["1e300", "-1e308", "2e38", "1e160", "1e-300"]).prop_map(String::from),
    ]
}

/// A pose of three numbers, now and then of seven.
fn pose() -> impl Strategy<Value = String> {
    let turn = prop::sample::select(vec!["", "", "", ",0,0,0,1", ",0.6,0,0,-0.8", ",1,1,1,1"]);
    (prop::collection::vec(coordinate(), 3), turn)
        .prop_map(|(numbers, turn)| format!("[{}{turn}]", numbers.join(",")))
}

fn header(system: &'static str) -> BoxedStrategy<String> {
    let open = format!("{{\"replay\":1,\"system\":\"{system}\"");
    let rest = match system {
        "steps" => (1.0..500.0f64, any::<bool>(), vector())
            .prop_map(|(hz, snap, v)| format!(",\"hz\":{hz},\"snap\":{snap},\"velocity\":{v}}}"))
            .boxed(),
        "gate" => (prop::sample::select(vec!["even", "client", "seed"]), vector())
            .prop_map(|(rule, v)| format!(",\"rule\":\"{rule}\",\"velocity\":{v}}}"))
            .boxed(),
        "waypoints" => (prop::sample::select(vec!["client", "seed"]), pose())
            .prop_map(|(rule, start)| format!(",\"rule\":\"{rule}\",\"start\":{start}}}"))
            .boxed(),
        "timed" => (prop::sample::select(vec!["locked", "seed"]), 0.005..0.2f64)
            .prop_map(|(rule, interval)| format!(",\"rule\":\"{rule}\",\"interval\":{interval}}}"))
            .boxed(),
        _ => (0.005..0.2f64).prop_map(|interval| format!(",\"interval\":{interval}}}")).boxed(),
    };
    rest.prop_map(move |rest| format!("{open}{rest}")).boxed()
}

fn event(system: &'static str) -> BoxedStrategy<String> {
    match system {
        "steps" | "gate" => prop_oneof![
            4 => time().prop_map(|t| format!("{{\"frame\":{t}}}")),
            1 => (prop::sample::select(vec!["velocity", "cut", "correct", "rebase"]), vector())
                .prop_map(|(kind, v)| format!("{{\"{kind}\":{v}}}")),
        ]
        .boxed(),
        "waypoints" => prop_oneof![
            2 => (pose(), any::<bool>()).prop_map(|(p, keep)| format!("{{\"enqueue\":{p},\"keep_heading\":{keep}}}")),
            1 => vector().prop_map(|v| format!("{{\"enqueue_velocity\":{v}}}")),
            1 => prop::sample::select(vec!["{\"enqueue_stop\":true}", "{\"stop\":true}"]).prop_map(String::from),
            4 => (time(), any::<bool>(), any::<bool>())
                .prop_map(|(t, contact, place)| format!("{{\"tick\":{t},\"contact\":{contact},\"place\":{place}}}")),
            1 => (time(), vector()).prop_map(|(t, v)| format!("{{\"tick\":{t},\"moved\":{v},\"sticky\":true}}")),
        ]
        .boxed(),
        "timed" => prop_oneof![
            3 => (prop::sample::select(vec!["tick", "cut"]), time(), pose())
                .prop_map(|(kind, t, p)| format!("{{\"{kind}\":{t},\"pose\":{p}}}")),
            1 => (time(), time(), pose()).prop_map(|(t, sim, p)| format!("{{\"tick\":{t},\"sim\":{sim},\"pose\":{p}}}")),
            1 => (time(), pose(), 0.0001..50.0f64)
                .prop_map(|(t, p, scale)| format!("{{\"tick\":{t},\"pose\":{p},\"scale\":{scale}}}")),
            3 => time().prop_map(|t| format!("{{\"frame\":{t}}}")),
        ]
        .boxed(),
        _ => prop_oneof![
            3 => (time(), time(), pose())
                .prop_map(|(sent, at, p)| format!("{{\"receive\":{sent},\"at\":{at},\"pose\":{p}}}")),
            1 => (time(), time(), pose(), vector(), 0..5u32).prop_map(|(sent, at, p, v, epoch)| {
                format!("{{\"receive\":{sent},\"at\":{at},\"pose\":{p},\"velocity\":{v},\"epoch\":{epoch}}}")
            }),
            3 => time().prop_map(|t| format!("{{\"frame\":{t}}}")),
        ]
        .boxed(),
    }
}

/// A line with something wrong or odd done to it. Often it is still right.
fn damaged(line: impl Strategy<Value = String>) -> impl Strategy<Value = Line> {
    let odd = vec![
        "null",
        "true",
        "\"x\"",
        "[]",
        "{}",
        "-1",
        "0",
        "\"NaN\"",
        "[1,2]",
        "[1,2,3]",
        "[1,2,3,4,5,6,7]",
        "1e400",
        "[1,\"NaN\",3]",
        "\"\\ud800\"",
        "01",
    ];
    (line, any::<prop::sample::Index>(), any::<u8>(), prop::sample::select(odd), 0..7u8).prop_map(
        |(line, at, byte, odd, how)| {
            let mut bytes = line.clone().into_bytes();
            let at = at.index(bytes.len());
            match how {
                0 => bytes[at] = byte,
                1 => _ = bytes.remove(at),
                2 => bytes.insert(at, byte),
                3 => bytes.truncate(at),
                4 => bytes.extend_from_slice(line.as_bytes()),
                // The value of one key is replaced.
                5 => {
                    let colons: Vec<usize> = line.match_indices(':').map(|(i, _)| i).collect();
                    if let Some(&colon) = colons.get(at % colons.len().max(1)) {
                        let key_start = line[..colon].rfind(['{', ',']).map_or(0, |i| i + 1);
                        bytes = format!("{{{}:{odd}}}", &line[key_start..colon]).into_bytes();
                    }
                }
                // One key more than there should be.
                _ => bytes = line.replacen('{', &format!("{{\"extra\":{odd},"), 1).into_bytes(),
            }
            // A line break would make two lines of it, and blank lines are not counted below.
            bytes.retain(|b| *b != b'\n');
            if bytes.trim_ascii().is_empty() { text("?") } else { bytes }
        },
    )
}

fn garbage() -> impl Strategy<Value = Line> {
    prop_oneof![
        prop::collection::vec(any::<u8>().prop_filter("one line", |b| *b != b'\n'), 1..60)
            .prop_filter("blank lines are skipped", |line| !line.trim_ascii().is_empty()),
        "[\\[\\]{}\",:0-9a-z.eE+-]{1,40}".prop_map(String::into_bytes),
        (1..400usize).prop_map(|depth| "[".repeat(depth).into_bytes()),
        (1..300usize)
            .prop_map(|depth| format!("{}1{}", "{\"a\":".repeat(depth), "}".repeat(depth)).into_bytes()),
    ]
}

/// A script in which lines go wrong now and then.
fn script() -> impl Strategy<Value = Vec<Line>> {
    prop::sample::select(vec!["steps", "gate", "waypoints", "timed", "snapshots"]).prop_flat_map(|system| {
        let first = prop_oneof![
            12 => header(system).prop_map(String::into_bytes),
            2 => damaged(header(system)),
            1 => garbage(),
        ];
        let later = prop_oneof![
            24 => event(system).prop_map(String::into_bytes),
            2 => damaged(event(system)),
            1 => garbage(),
            1 => event("steps").prop_map(String::into_bytes),
        ];
        (first, prop::collection::vec(later, 0..40)).prop_map(|(first, mut later)| {
            later.insert(0, first);
            later
        })
    })
}

fn joined(lines: &[Line]) -> Vec<u8> {
    lines.iter().flat_map(|line| line.iter().copied().chain([b'\n'])).collect()
}

fn replay(lines: &[Line]) -> (String, Result<(), Failure>) {
    super::replay(joined(lines))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]
    #[test]
    fn every_script_ends_in_lines_or_in_the_number_of_the_bad_one(script in script()) {
        let (output, result) = replay(&script);
        let good = match result {
            Ok(()) => script.len(),
            Err(Failure::Line { number, what }) => {
                prop_assert!((1..=script.len()).contains(&number), "line {number} of {}", script.len());
                prop_assert!(!what.is_empty());
                number - 1
            }
            Err(other) => return Err(TestCaseError::fail(other.to_string())),
        };
        prop_assert_eq!(output.lines().count(), good.saturating_sub(1), "one line for each good event");
        for (line, value) in output.lines().zip(values(&output)) {
            prop_assert!(value.is_object(), "{}", line);
            // These two have something to say at every event: null would stand for a number that is not one.
            let own_loop = value.get("alpha").is_some() && value.get("position").is_some();
            prop_assert!(!(own_loop && line.contains("null")), "{}", line);
        }
        // The bad line, and what follows it, changed nothing of what came before.
        if good > 0 {
            let (again, result) = replay(&script[..good]);
            prop_assert!(result.is_ok());
            prop_assert_eq!(again, output);
        }
    }

    #[test]
    fn noise_alone_is_refused_in_its_first_line(noise in prop::collection::vec(garbage(), 1..4)) {
        let (output, result) = replay(&noise);
        prop_assert!(output.is_empty());
        prop_assert!(matches!(result, Err(Failure::Line { number: 1, .. })), "{result:?}");
    }

    #[test]
    fn blank_lines_are_skipped_and_counted(script in script(), blanks in prop::collection::vec(any::<prop::sample::Index>(), 0..5)) {
        let mut spaced: Vec<Line> = script.clone();
        for blank in blanks {
            spaced.insert(blank.index(spaced.len() + 1), text(" \t\r"));
        }
        let (output, result) = replay(&script);
        let (spaced_output, spaced_result) = replay(&spaced);
        prop_assert_eq!(output, spaced_output);
        if let (Err(Failure::Line { number: a, what }), Err(Failure::Line { number: b, what: again })) = (result, spaced_result) {
            prop_assert_eq!(&script[a - 1], &spaced[b - 1], "the number is that of the line in the file");
            prop_assert_eq!(what, again);
        }
    }
}

proptest! {
    // Each case starts the program.
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn the_program_says_the_same_and_ends_with_2(script in script()) {
        let (output, result) = replay(&script);
        let program = by_program(&joined(&script));
        prop_assert_eq!(String::from_utf8_lossy(&program.stdout), output);
        let error = String::from_utf8_lossy(&program.stderr);
        match result {
            Ok(()) => prop_assert_eq!((program.status.code(), &*error), (Some(0), "")),
            Err(failure) => {
                prop_assert_eq!(program.status.code(), Some(2));
                prop_assert_eq!(error.trim_end(), format!("{failure}").trim_end().to_owned());
                prop_assert!(error.starts_with("line "), "{}", error);
            }
        }
    }
}
