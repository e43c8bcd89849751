//! `#[derive(Blend, Hermite, Displace)]`: every attribute, every shape of struct.
#![cfg(feature = "derive")]

use portamento::blend::{Angle, Angle64, Blend, Displace, Hermite, Moving, OffsetSize, Rotation};
use portamento::remote::{Peer, Report, Snapshots};
use proptest::prelude::*;

#[derive(Clone, Debug, PartialEq, Blend, Hermite, Displace)]
struct Everything<T: Clone> {
    position: [f32; 3],
    height: f64,
    #[blend(angle)]
    yaw: f32,
    #[blend(angle)]
    pitch: f64,
    #[blend(slerp)]
    gun: Rotation,
    #[blend(snap)]
    name: &'static str,
    #[blend(with = floor_of)]
    counter: f32,
    #[blend(gauge)]
    fuel: f64,
    own: T,
}

fn floor_of(from: &f32, to: &f32, alpha: f64) -> f32 {
    (from + (to - from) * alpha as f32).floor()
}

#[derive(Clone, Debug, PartialEq, Blend, Hermite, Displace)]
struct Pair(f32, #[blend(snap)] bool);

#[derive(Clone, Debug, PartialEq, Blend, Hermite, Displace)]
struct Nothing;

fn ends() -> (Everything<f32>, Everything<f32>) {
    let from = Everything {
        position: [0.0; 3],
        height: 1.0,
        yaw: 3.0,
        pitch: -3.0,
        gun: Rotation::IDENTITY,
        name: "before",
        counter: 0.0,
        fuel: 60.0,
        own: 4.0,
    };
    let to = Everything {
        position: [2.0, 4.0, 6.0],
        height: 3.0,
        yaw: -3.0,
        pitch: 3.0,
        gun: Rotation::from_axis_angle([0.0, 0.0, 1.0], 2.0),
        name: "after",
        counter: 3.0,
        fuel: 100.0,
        own: 8.0,
    };
    (from, to)
}

#[test]
fn every_attribute_blends_its_own_way() {
    let (from, to) = ends();
    let half = from.blend(&to, 0.5);
    assert_eq!(half.position, [1.0, 2.0, 3.0]);
    assert_eq!(half.height, 2.0);
    assert!(half.yaw.abs() > 3.0 && half.pitch.abs() > 3.0);
    assert_eq!(half.gun, Rotation::IDENTITY.slerp(to.gun, 0.5));
    assert_eq!(half.name, "before");
    assert_eq!(half.counter, 1.0);
    assert_eq!(half.fuel, 80.0);
    assert_eq!(half.own, 6.0);
}

#[test]
fn the_ends_are_exact() {
    let (from, to) = ends();
    assert_eq!(from.blend(&to, 0.0), from);
    assert_eq!(from.blend(&to, 1.0), to);
}

#[test]
fn only_fields_without_an_attribute_are_extrapolated() {
    let (from, to) = ends();
    let further = from.extrapolate(&to, 0.5);
    assert_eq!(further.position, [3.0, 6.0, 9.0]);
    assert_eq!((further.yaw, further.name, further.counter, further.fuel), (to.yaw, "after", 3.0, 100.0));
}

#[test]
fn tuple_and_unit_structs_work() {
    assert_eq!(Pair(0.0, false).blend(&Pair(1.0, true), 0.5), Pair(0.5, false));
    assert_eq!(Nothing.blend(&Nothing, 0.5), Nothing);
    assert_eq!(Pair::velocity(&Pair(0.0, false), &Pair(1.0, true), 0.5), (2.0,));
    assert_eq!(Pair(0.0, true).advance(&(2.0,), 2.0), Pair(4.0, true));
    assert_eq!(Pair::size(&(-3.0,)), OffsetSize { length: 3.0, angle: 0.0 });
    assert_eq!(Nothing::hermite(&Nothing, &(), &Nothing, &(), 1.0, 0.5), Nothing);
    assert_eq!(Nothing::size(&()), OffsetSize::default());
    assert!(Nothing.is_finite() && Nothing.same_place(&Nothing));
}

/// A crate that re-exports the library, as an engine's plugin does.
mod engine {
    pub use portamento as smooth;
}

#[derive(Clone, Debug, PartialEq, Blend, Hermite, Displace)]
#[blend(crate = engine::smooth)]
struct ThroughAnEngine {
    #[blend(angle)]
    yaw: f32,
    height: f32,
}

#[test]
fn the_library_may_be_reached_through_another_crate() {
    let from = ThroughAnEngine { yaw: 0.0, height: 0.0 };
    assert_eq!(
        from.blend(&ThroughAnEngine { yaw: 1.0, height: 2.0 }, 0.5),
        ThroughAnEngine { yaw: 0.5, height: 1.0 }
    );
}

/// Without a single name in scope but for what the language has itself.
mod bare {
    #![no_implicit_prelude]

    #[derive(
        ::core::clone::Clone,
        ::core::fmt::Debug,
        ::core::cmp::PartialEq,
        ::portamento::blend::Blend,
        ::portamento::blend::Hermite,
        ::portamento::blend::Displace,
    )]
    pub struct Turret<T> {
        pub position: [f32; 3],
        #[blend(angle)]
        pub yaw: f64,
        #[blend(slerp)]
        pub gun: ::portamento::blend::Rotation,
        #[blend(snap)]
        state: State,
        #[blend(with = ::portamento::blend::Blend::blend)]
        pub heat: f32,
        #[blend(gauge)]
        pub fuel: [T; 1],
        pub own: [T; 2],
    }

    #[derive(::core::clone::Clone, ::core::fmt::Debug, ::core::cmp::PartialEq)]
    enum State {
        Aiming,
    }

    impl Turret<f32> {
        pub fn at(x: f32) -> Self {
            let gun = ::portamento::blend::Rotation::IDENTITY;
            Self { position: [x; 3], yaw: 0.0, gun, state: State::Aiming, heat: x, fuel: [x], own: [x; 2] }
        }
    }
}

#[test]
fn what_is_derived_needs_no_names_of_the_user() {
    type Turret = bare::Turret<f32>;
    let (from, to) = (Turret::at(0.0), Turret::at(2.0));
    let velocity = Turret::velocity(&from, &to, 2.0);
    assert_eq!(velocity, ([1.0; 3], 0.0, [0.0; 3], [1.0; 2]));
    let middle = Turret::hermite(&from, &velocity, &to, &velocity, 2.0, 0.5);
    assert_eq!((middle.position, middle.own, middle.heat), ([1.0; 3], [1.0; 2], 1.0));
    assert_eq!(middle.fuel, [1.0]);
    // Five numbers move by two each; heat and fuel are drawn, and are no way.
    let apart = Turret::size(&Turret::velocity(&from, &to, 1.0));
    assert_eq!(apart, OffsetSize { length: 20f64.sqrt(), angle: 0.0 });
}

/// The same fields as `Derived`, everything written out: the second opinion.
#[derive(Clone, Debug, PartialEq)]
struct ByHand(Derived);

#[derive(Clone, Debug, PartialEq, Blend, Hermite, Displace)]
struct Derived {
    position: [f32; 3],
    height: f64,
    body: Rotation,
    #[blend(angle)]
    yaw: f32,
    #[blend(snap)]
    ammo: u32,
    #[blend(angle)]
    pitch: f64,
    #[blend(slerp)]
    gun: Rotation,
    #[blend(with = floor_of)]
    counter: f32,
    #[blend(gauge)]
    fuel: f32,
    pair: Pair,
}

impl Blend for ByHand {
    fn blend(&self, to: &Self, alpha: f64) -> Self {
        ByHand(self.0.blend(&to.0, alpha))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Blend)]
struct Motion {
    position: [f32; 3],
    height: f64,
    body: [f32; 3],
    yaw: f32,
    pitch: f64,
    gun: [f32; 3],
    pair: f32,
}

impl Hermite for ByHand {
    type Velocity = Motion;
    /// Everything anew in every frame: slow, and nothing to get wrong.
    type Curve = (ByHand, Motion, ByHand, Motion, f64);

    fn curve(from: &Self, leaving: &Motion, to: &Self, arriving: &Motion, span: f64) -> Self::Curve {
        (from.clone(), *leaving, to.clone(), *arriving, span)
    }

    fn on((ByHand(a), u, ByHand(b), v, span): &Self::Curve, alpha: f64) -> Self {
        let (span, angle) = (*span, Angle::hermite);
        ByHand(Derived {
            position: Hermite::hermite(&a.position, &u.position, &b.position, &v.position, span, alpha),
            height: Hermite::hermite(&a.height, &u.height, &b.height, &v.height, span, alpha),
            body: Rotation::hermite(&a.body, &u.body, &b.body, &v.body, span, alpha),
            yaw: angle(&Angle(a.yaw), &u.yaw, &Angle(b.yaw), &v.yaw, span, alpha).0,
            ammo: if alpha >= 1.0 { b.ammo } else { a.ammo },
            pitch: Angle64::hermite(&Angle64(a.pitch), &u.pitch, &Angle64(b.pitch), &v.pitch, span, alpha).0,
            gun: Rotation::hermite(&a.gun, &u.gun, &b.gun, &v.gun, span, alpha),
            counter: floor_of(&a.counter, &b.counter, alpha),
            fuel: a.fuel.blend(&b.fuel, alpha),
            pair: Pair(
                f32::hermite(&a.pair.0, &u.pair, &b.pair.0, &v.pair, span, alpha),
                if alpha >= 1.0 { b.pair.1 } else { a.pair.1 },
            ),
        })
    }

    fn velocity(ByHand(a): &Self, ByHand(b): &Self, span: f64) -> Motion {
        Motion {
            position: Hermite::velocity(&a.position, &b.position, span),
            height: Hermite::velocity(&a.height, &b.height, span),
            body: Rotation::velocity(&a.body, &b.body, span),
            yaw: Angle::velocity(&Angle(a.yaw), &Angle(b.yaw), span),
            pitch: Angle64::velocity(&Angle64(a.pitch), &Angle64(b.pitch), span),
            gun: Rotation::velocity(&a.gun, &b.gun, span),
            pair: f32::velocity(&a.pair.0, &b.pair.0, span),
        }
    }

    fn advance(&self, by: &Motion, seconds: f64) -> Self {
        let ByHand(a) = self;
        ByHand(Derived {
            position: a.position.advance(&by.position, seconds),
            height: a.height.advance(&by.height, seconds),
            body: a.body.advance(&by.body, seconds),
            yaw: Angle(a.yaw).advance(&by.yaw, seconds).0,
            pitch: Angle64(a.pitch).advance(&by.pitch, seconds).0,
            gun: a.gun.advance(&by.gun, seconds),
            pair: Pair(a.pair.0.advance(&by.pair, seconds), a.pair.1),
            ..a.clone()
        })
    }
}

impl Displace for ByHand {
    fn inner(a: &Motion, b: &Motion) -> OffsetSize {
        let lengths = [
            <[f32; 3]>::inner(&a.position, &b.position),
            f64::inner(&a.height, &b.height),
            f32::inner(&a.pair, &b.pair),
        ];
        let angles = [
            Rotation::inner(&a.body, &b.body),
            Angle::inner(&a.yaw, &b.yaw),
            Angle64::inner(&a.pitch, &b.pitch),
            Rotation::inner(&a.gun, &b.gun),
        ];
        OffsetSize {
            length: lengths.iter().fold(0.0, |sum, part| sum + part.length),
            angle: angles.iter().fold(0.0, |sum, part| sum + part.angle),
        }
    }

    fn scaled(by: &Motion, factor: OffsetSize) -> Motion {
        Motion {
            position: <[f32; 3]>::scaled(&by.position, factor),
            height: by.height * factor.length,
            body: Rotation::scaled(&by.body, factor),
            yaw: (f64::from(by.yaw) * factor.angle) as f32,
            pitch: by.pitch * factor.angle,
            gun: Rotation::scaled(&by.gun, factor),
            pair: f32::scaled(&by.pair, factor),
        }
    }

    fn is_finite(&self) -> bool {
        let ByHand(a) = self;
        let turns = a.body.to_array().into_iter().chain(a.gun.to_array());
        let places = a.position.into_iter().chain([a.yaw, a.pair.0]).chain(turns);
        places.map(f64::from).chain([a.height, a.pitch]).all(f64::is_finite)
    }

    fn same_place(&self, ByHand(b): &Self) -> bool {
        let ByHand(a) = self;
        (a.position, a.height, a.body, a.yaw, a.pitch, a.gun, a.pair.0)
            == (b.position, b.height, b.body, b.yaw, b.pitch, b.gun, b.pair.0)
    }
}

fn number() -> impl Strategy<Value = f32> {
    prop_oneof![6 => -9f32..9.0, 1 => Just(0.0), 1 => any::<f32>()]
}

fn rotation() -> impl Strategy<Value = Rotation> {
    let part = -1f32..1.0;
    let axis = (part.clone(), part.clone(), part);
    (axis, -5f32..5.0).prop_map(|((x, y, z), angle)| Rotation::from_axis_angle([x, y, z], angle))
}

prop_compose! {
    fn any_value()(
        position in prop::array::uniform3(number()), height in number(), body in rotation(), yaw in number(),
        ammo in 0u32..3, pitch in number(), gun in rotation(), counter in 0f32..9.0, fuel in number(),
        pair in number(), ready: bool,
    ) -> Derived {
        let (height, pitch) = (f64::from(height), f64::from(pitch));
        Derived { position, height, body, yaw, ammo, pitch, gun, counter, fuel, pair: Pair(pair, ready) }
    }
}

/// As one number each, for NaN is not equal to itself.
fn bits(value: &Derived) -> String {
    format!("{value:?}")
}

fn velocities(a: &Derived, b: &Derived, span: f64) -> (<Derived as Hermite>::Velocity, Motion) {
    (Derived::velocity(a, b, span), ByHand::velocity(&ByHand(a.clone()), &ByHand(b.clone()), span))
}

proptest! {
    #[test]
    fn what_is_derived_is_what_is_written_by_hand(
        [a, b, c, d] in prop::array::uniform4(any_value()), span in 0.01f64..3.0, alpha in -0.1f64..1.1,
    ) {
        let hand = |value: &Derived| ByHand(value.clone());
        let ((u, by_hand_u), (v, by_hand_v)) = (velocities(&a, &c, span), velocities(&b, &d, span));
        let parts = |m: Motion| (m.position, m.height, m.body, m.yaw, m.pitch, m.gun, (m.pair,));
        prop_assert_eq!(format!("{u:?}"), format!("{:?}", parts(by_hand_u)));
        let on = Derived::hermite(&a, &u, &b, &v, span, alpha);
        prop_assert_eq!(
            bits(&on),
            bits(&ByHand::hermite(&hand(&a), &by_hand_u, &hand(&b), &by_hand_v, span, alpha).0)
        );
        prop_assert_eq!(bits(&a.advance(&v, span)), bits(&hand(&a).advance(&by_hand_v, span).0));
        prop_assert_eq!(
            format!("{:?}", Derived::inner(&u, &v)),
            format!("{:?}", ByHand::inner(&by_hand_u, &by_hand_v))
        );
        let factor = OffsetSize { length: span, angle: alpha };
        prop_assert_eq!(
            format!("{:?}", Derived::scaled(&u, factor)),
            format!("{:?}", parts(ByHand::scaled(&by_hand_u, factor)))
        );
        prop_assert_eq!(a.is_finite(), hand(&a).is_finite());
        let elsewhere = Derived { ammo: 9, counter: 77.0, fuel: 77.0, ..a.clone() };
        for other in [&a, &b, &elsewhere] {
            prop_assert_eq!(a.same_place(other), hand(&a).same_place(&hand(other)));
        }
    }

    #[test]
    fn a_derived_struct_is_drawn_like_one_by_hand(
        values in prop::collection::vec(any_value(), 4..20), late in prop::collection::vec(0.0f64..0.09, 20),
    ) {
        let (mut derived, mut by_hand) = (Snapshots::<Derived>::new(), Snapshots::<ByHand>::new());
        let mut sender = Peer::at_hz(20.0).unwrap();
        let mut coming: Vec<_> = values.iter().zip(&late).enumerate().map(|(i, (value, late))| {
            let sent = i as f64 * 0.05;
            (sent + late, sent, value)
        }).collect();
        coming.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut coming = coming.into_iter().peekable();
        for frame in 0..80 {
            let now = f64::from(frame) / 60.0;
            while let Some((arrival, sent, value)) = coming.next_if(|message| message.0 <= now) {
                let stamp = sender.receive(sent, arrival);
                derived.insert(stamp, Report::new(value.clone()));
                by_hand.insert(stamp, Report::new(ByHand(value.clone())));
            }
            let Some(frame) = sender.frame(now) else { continue };
            let (a, b) = (derived.draw(&frame).here(), by_hand.draw(&frame).here());
            prop_assert_eq!(a.as_ref().map(|a| bits(&a.now)), b.as_ref().map(|b| bits(&b.now.0)));
            prop_assert_eq!(a.map(|a| a.cut), b.map(|b| b.cut));
            prop_assert_eq!((derived.statistics().state, derived.statistics().moved), (by_hand.statistics().state, by_hand.statistics().moved));
        }
        prop_assert_eq!(derived.statistics(), by_hand.statistics());
    }
}

#[test]
fn a_count_that_changes_is_no_motion() {
    // It runs, stops, and goes on counting: the picture must not swing beyond where it stopped.
    let mut sender = Peer::at_hz(20.0).unwrap();
    let mut thing = Snapshots::<Counter>::new();
    #[derive(Clone, Debug, PartialEq, Blend, Hermite, Displace)]
    struct Counter {
        x: f32,
        #[blend(snap)]
        count: u32,
    }
    for frame in 0..240u16 {
        let now = f64::from(frame) / 60.0;
        if frame % 3 == 0 {
            let x = f32::from(frame.min(120)) / 12.0;
            thing.insert(sender.receive(now, now), Report::new(Counter { x, count: frame.into() }));
        }
        // No one foresees a stop, so that a late frame may go too far: not this one, which is late enough.
        if let Some(frame) = sender.frame(now) {
            let view = thing.draw(&frame).here().unwrap().now;
            assert!(view.x <= 10.0 + 1e-5, "{view:?} at {now}");
        }
    }
}

#[derive(Clone, Debug, PartialEq, Blend, Hermite, Displace)]
struct Tank {
    x: f32,
    #[blend(gauge)]
    fuel: f32,
}

/// As it must not be written.
#[derive(Clone, Debug, PartialEq, Blend, Hermite, Displace)]
struct Unmarked {
    x: f32,
    fuel: f32,
}

/// What is drawn of a tank that drives at 2 m/s and is filled up, 60 to 100, in the last message before an outage.
fn refuelled<T: Displace>(tank: impl Fn(f32, f32) -> T) -> Vec<T> {
    let mut sender = Peer::at_hz(20.0).unwrap();
    let mut thing = Snapshots::<T>::new();
    let mut drawn = Vec::new();
    for frame in 0..300 {
        let now = f64::from(frame) / 60.0;
        if frame % 3 == 0 && !(124..180).contains(&frame) {
            let fuel = if frame < 123 { 60.0 } else { 100.0 };
            thing.insert(sender.receive(now, now), Report::new(tank(2.0 * now as f32, fuel)));
        }
        drawn.extend(sender.frame(now).and_then(|frame| thing.draw(&frame).here()).map(|drawn| drawn.now));
    }
    drawn
}

#[test]
fn a_gauge_never_shows_more_than_was_reported() {
    let drawn = refuelled(|x, fuel| Tank { x, fuel });
    assert!(drawn.iter().all(|tank| (60.0..=100.0).contains(&tank.fuel)));
    assert!(drawn.is_sorted_by_key(|tank| tank.fuel), "it is filled once");
    assert!(drawn.iter().any(|tank| 60.0 < tank.fuel && tank.fuel < 100.0), "and is seen to be filled");
    assert_eq!(drawn.last().unwrap().fuel, 100.0);
    // Without the attribute a number is a way, and so long a step of it is taken for a teleport.
    let jumps = refuelled(|x, fuel| Unmarked { x, fuel });
    assert!(jumps.iter().all(|tank| tank.fuel == 60.0 || tank.fuel == 100.0));
}

#[test]
fn a_gauge_is_no_distance() {
    let (from, to) = (Tank { x: 0.0, fuel: 60.0 }, Tank { x: 3.0, fuel: 100.0 });
    assert_eq!(Tank::size(&Tank::velocity(&from, &to, 1.0)), OffsetSize { length: 3.0, angle: 0.0 });
    assert!(to.same_place(&Tank { fuel: 0.0, ..to.clone() }));
    // Nor does it bend the way of what moves: x is drawn as if it were alone.
    let alone = refuelled(|x, _| x);
    let with_fuel = refuelled(|x, fuel| Tank { x, fuel });
    assert!(alone.iter().eq(with_fuel.iter().map(|tank| &tank.x)));
}

#[test]
fn a_derived_struct_rests_when_its_parts_do() {
    #[derive(Clone, Debug, PartialEq, Blend)]
    struct Crane {
        hook: Moving<f32>,
        #[blend(angle)]
        arm: f32,
        #[blend(snap)]
        load: &'static str,
    }
    let standing = Crane { hook: Moving { value: 1.0, velocity: 0.0, step: 0.1 }, arm: 0.0, load: "steel" };
    let swinging = Crane { hook: Moving { velocity: 5.0, ..standing.hook }, ..standing.clone() };
    let turned = Crane { arm: -0.0, ..standing.clone() };
    assert!(standing.rests(&standing));
    assert!(!swinging.rests(&swinging), "between the two it swings");
    assert!(standing == turned && !standing.rests(&turned), "equal, with other bits");
}

#[derive(Clone, Debug, PartialEq, Blend, Hermite, Displace)]
struct Plain {
    #[blend(slerp)]
    quaternion: [f32; 4],
    #[blend(lerp)]
    plane: [f64; 4],
}

#[test]
fn a_quaternion_in_an_array_turns_like_a_rotation() {
    let turn = Rotation::from_axis_angle([0.0, 1.0, 0.0], 2.0);
    let from = Plain { quaternion: Rotation::IDENTITY.into(), plane: [0.0; 4] };
    let to = Plain { quaternion: turn.into(), plane: [0.0, 1.0, 0.0, 8.0] };
    let half = from.blend(&to, 0.25);
    assert_eq!(half.quaternion, Rotation::IDENTITY.slerp(turn, 0.25).to_array());
    assert_eq!(half.plane, [0.0, 0.25, 0.0, 2.0]);
    let size = Plain::size(&Plain::velocity(&from, &to, 1.0));
    assert!((size.angle - 2.0).abs() < 1e-6 && size.length == 65f64.sqrt(), "{size:?}");
}
