//! The built-in tour keeps its promises, whatever the seed.

use portamento_lab::lab::{self, Case, Kind, Options, Scenario};

fn tour(seed: u64) -> Vec<Case> {
    let options = Options { seed, seconds: 8.0, ..Options::default() };
    let jobs: Vec<_> = Scenario::built_in().flat_map(|s| s.jobs(&options)).collect();
    lab::run(&jobs, &options, |_| {})
}

#[test]
fn in_every_built_in_case_ours_is_smoother_than_what_comes() {
    for case in tour(3) {
        let (raw, ours) =
            (case.raw().unwrap(), case.ours().unwrap_or_else(|| panic!("{}: nothing of ours", case.name)));
        assert!(
            ours.figures.judder < 0.6 * raw.figures.judder,
            "{}: {} against {}",
            case.name,
            ours.figures.judder,
            raw.figures.judder
        );
    }
}

#[test]
fn nobody_beats_the_oracle_and_ours_shows_no_slide_and_stays_out_of_walls() {
    for case in tour(4) {
        for row in &case.rows {
            if row.name == "oracle" {
                assert!(row.figures.judder < 0.01, "{}: {}", case.name, row.figures.judder);
            }
            if row.kind == Kind::Ours {
                assert_eq!(row.figures.slide.time, 0.0, "{}: {}", case.name, row.name);
                assert!(row.penetration.unwrap_or(0.0) < 0.01, "{}: {}", case.name, row.name);
            }
        }
    }
}

#[test]
fn every_strategy_is_measured_on_real_frames() {
    for case in tour(5) {
        for row in &case.rows {
            let f = &row.figures;
            assert!(
                f.frames > 100 && f.ideal_speed > 0.0,
                "{}: {} on {} frames",
                case.name,
                row.name,
                f.frames
            );
            let all =
                [f.latency, f.judder, f.judder2, f.freeze, f.jump, f.reverse, f.off_path_p99, f.off_path_max];
            assert!(all.iter().all(|v| v.is_finite()), "{}: {}: {f:?}", case.name, row.name);
        }
    }
}
