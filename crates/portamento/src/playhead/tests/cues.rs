use super::*;

fn shown(at: f64) -> Shown {
    Shown { at, presented: 0.0, beyond: 0.0, skipped: 0.0 }
}

fn due<const N: usize>(cues: &mut Cues<u32, N>, at: f64) -> Vec<u32> {
    let mut fired = Vec::new();
    while let Some(cue) = cues.next(shown(at)) {
        assert!(cue.at <= at);
        fired.push(cue.event);
    }
    fired
}

#[test]
fn cues_fire_once_in_order_when_their_moment_is_drawn() {
    let mut cues = Cues::<u32>::new();
    for (at, event) in [(0.3, 3), (0.1, 1), (0.2, 2), (0.2, 22), (9.0, 9)] {
        cues.add(at, event).unwrap();
    }
    assert!(due(&mut cues, 0.05).is_empty());
    assert_eq!(due(&mut cues, 0.2), [1, 2, 22]);
    assert!(due(&mut cues, 0.2).is_empty());
    cues.add(0.1, 11).unwrap();
    assert_eq!(due(&mut cues, 0.5), [11, 3], "one that comes late fires at the next frame");
    assert_eq!(cues.waiting(), 1);
    cues.clear();
    assert!(due(&mut cues, 10.0).is_empty());
}

#[test]
fn one_cue_too_many_comes_back_and_is_counted() {
    let mut cues = Cues::<&str, 2>::default();
    cues.add(1.0, "a").unwrap();
    cues.add(2.0, "b").unwrap();
    assert_eq!(cues.add(0.5, "c"), Err(Cue { at: 0.5, event: "c" }));
    assert_eq!(cues.add(f64::NAN, "d").unwrap_err().event, "d");
    assert_eq!(cues.refused, 2);
    assert_eq!(cues.next(shown(5.0)).unwrap().event, "a", "those that waited still do");
}

proptest! {
    #[test]
    fn cues_agree_with_a_sorted_list(
        steps in proptest::collection::vec((proptest::option::of(0..50u32), 0..4u32), 0..100),
    ) {
        let mut cues = Cues::<u32, 16>::default();
        let mut list: Vec<(f64, u32)> = Vec::new();
        let mut at = 0.0;
        for (number, (add, advance)) in steps.into_iter().enumerate() {
            let number = number as u32;
            if let Some(time) = add {
                let time = f64::from(time);
                let taken = cues.add(time, number).is_ok();
                prop_assert_eq!(taken, list.len() < 16);
                if taken {
                    list.push((time, number));
                    list.sort_by(|a, b| a.0.total_cmp(&b.0));
                }
            }
            at += f64::from(advance);
            let ready = list.partition_point(|cue| cue.0 <= at);
            let want: Vec<u32> = list.drain(..ready).map(|cue| cue.1).collect();
            prop_assert_eq!(due(&mut cues, at), want);
            prop_assert_eq!(cues.waiting(), list.len());
        }
    }
}

#[cfg(feature = "serde")]
#[test]
fn saved_cues_still_fire_and_a_ring_of_nonsense_is_refused() {
    let mut cues = Cues::<u32, 3>::default();
    for at in [1, 2, 3] {
        cues.add(f64::from(at), at).unwrap();
    }
    assert_eq!(due(&mut cues, 1.0), [1]);
    cues.add(1.5, 15).unwrap();
    let text = serde_json::to_string(&cues).unwrap();
    let mut restored: Cues<u32, 3> = serde_json::from_str(&text).unwrap();
    assert_eq!(due(&mut restored, 9.0), [15, 2, 3]);
    for (from, to) in [("\"len\":3", "\"len\":2"), ("\"first\":1", "\"first\":7")] {
        let nonsense = text.replace(from, to);
        assert_ne!(nonsense, text);
        assert!(serde_json::from_str::<Cues<u32, 3>>(&nonsense).is_err(), "{from}");
    }
}
