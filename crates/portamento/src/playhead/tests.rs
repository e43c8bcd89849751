use super::*;
use proptest::prelude::*;

fn any_time() -> impl Strategy<Value = f64> {
    prop_oneof![
        8 => -1.0..100.0f64,
        1 => any::<f64>(),
        1 => prop_oneof![Just(f64::NAN), Just(f64::INFINITY), Just(f64::NEG_INFINITY), Just(f64::MAX), Just(f64::MIN)],
    ]
}

#[derive(Clone, Debug)]
enum Event {
    Tick(f64, f64),
    Frame(f64),
}

fn events() -> impl Strategy<Value = Vec<Event>> {
    let event = prop_oneof![
        (any_time(), any_time()).prop_map(|(arrival, sim)| Event::Tick(arrival, sim)),
        any_time().prop_map(Event::Frame),
    ];
    proptest::collection::vec(event, 0..200)
}

proptest! {
    #[test]
    fn whatever_the_times_the_drawn_moment_never_goes_back_nor_past_its_limit(
        events in events(),
        limit in prop_oneof![Just(0.0), 0.001..0.5f64],
    ) {
        let settings = Settings::new(1.0 / 60.0).with_beyond(Beyond::Extrapolate { limit });
        let mut playhead = Playhead::with(settings).unwrap();
        let mut last = f64::NEG_INFINITY;
        for event in events {
            match event {
                Event::Tick(arrival, sim) => {
                    playhead.observe(arrival, sim);
                }
                Event::Frame(now) => {
                    if let Some(shown) = playhead.advance(now) {
                        prop_assert!(shown.at.is_finite());
                        prop_assert!(shown.at >= last, "{} after {}", shown.at, last);
                        let newest = playhead.newest().unwrap();
                        prop_assert!(shown.at <= newest + limit, "{} past {}", shown.at, newest);
                        last = shown.at;
                    }
                }
            }
        }
    }
}
