//! A saved timeline. (Of a playhead's and its cues' numbers, those that fit together are known in their module.)

use portamento::playhead::{Playhead, Timeline};

#[test]
fn a_restored_timeline_tells_every_cut_once_as_if_nothing_had_happened() {
    let mut playing = (Playhead::at_hz(10.0).unwrap(), Timeline::<[f64; 2], 4>::default());
    let mut cuts = 0;
    for frame in 0..300 {
        let saved = serde_json::to_string(&playing).unwrap();
        let mut again = serde_json::from_str(&saved).unwrap();
        assert_eq!(playing, again, "frame {frame}");
        let draw = |(playhead, timeline): &mut (Playhead, Timeline<[f64; 2], 4>)| {
            let now = f64::from(frame) / 60.0;
            if frame % 6 == 0 {
                let tick = frame / 6;
                playhead.observe(now, f64::from(tick) * 0.1);
                let cut = tick % 7 == 3;
                let add = if cut { Timeline::cut } else { Timeline::push };
                add(timeline, f64::from(tick) * 0.1, [f64::from(tick), f64::from(tick / 7)]);
            }
            playhead.advance(now).and_then(|shown| timeline.draw(shown))
        };
        let drawn = draw(&mut playing);
        assert_eq!(drawn, draw(&mut again), "frame {frame}");
        cuts += u32::from(drawn.is_some_and(|drawn| drawn.cut));
    }
    assert_eq!(cuts, 1 + 7, "its first frame, and seven teleports");
}
