//! A few seconds of every driver, with the same seeds each time: what the soak does with other seeds for longer.

use portamento_soak::{DRIVERS, driver, run_case};

fn some_cases(name: &str, cases: u64) {
    let driver = driver(name).expect(name);
    let calls: u64 = (0..cases).map(|case| run_case(&driver, 0x5eed, case)).sum();
    println!("{name}: {calls} calls in {cases} cases");
    assert!(calls > 100 * cases, "{calls} calls are too few to tell anything");
}

macro_rules! some_cases {
    ($($(#[$if:meta])* $name:ident: $cases:literal,)*) => {
        $(#[test]
        $(#[$if])*
        fn $name() {
            some_cases(stringify!($name), $cases);
        })*

        #[test]
        fn every_driver_is_here() {
            let here = [$($(#[$if])* stringify!($name)),*];
            let all: Vec<_> = DRIVERS.iter().map(|driver| driver.name).collect();
            assert_eq!(here.as_slice(), all);
        }
    };
}

some_cases! {
    stepper: 60,
    blend: 60,
    track: 40,
    predicted: 40,
    offset: 60,
    batch: 20,
    playhead: 60,
    follow: 60,
    chase: 60,
    network: 40,
    claims: 40,
    waypoints: 40,
    exchange: 40,
    saves: 40,
    #[cfg(feature = "lab")]
    replay: 20,
    #[cfg(feature = "lab")]
    traces: 20,
}
