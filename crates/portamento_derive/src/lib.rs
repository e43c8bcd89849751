//! `#[derive(Blend, Hermite, Displace)]` for `portamento`.
//!
//! Use them through `portamento::blend` and `portamento::remote`; this crate exists only because procedural macros need
//! a crate of their own.

mod blend;
mod fields;
mod motion;

use proc_macro::TokenStream;
use syn::{DeriveInput, Error, parse_macro_input};

/// Blends a struct field by field.
///
/// ```
/// use portamento::Track;
/// use portamento::blend::{Blend, Rotation};
///
/// #[derive(Clone, PartialEq, Blend)]
/// struct Tank {
///     position: [f32; 3],
///     body: Rotation,
///     #[blend(angle)]
///     turret: f32,
///     #[blend(gauge)]
///     fuel: f32,
///     #[blend(snap)]
///     ammo: u32,
/// }
///
/// let from = Tank { position: [0.0; 3], body: Rotation::IDENTITY, turret: 3.0, fuel: 60.0, ammo: 9 };
/// let to = Tank { position: [1.0, 0.0, 0.0], turret: -3.0, fuel: 59.0, ammo: 8, ..from.clone() };
/// let view = from.blend(&to, 0.5);
/// assert_eq!((view.position, view.fuel), ([0.5, 0.0, 0.0], 59.5));
/// assert!(view.turret.abs() > 3.0); // across the half turn, not back through zero
/// assert_eq!(view.ammo, 9); // until the drawn moment reaches the newer tick
///
/// let mut tank = Track::<Tank>::new(from); // whatever blends can be drawn between ticks
/// tank.push(to);
/// ```
#[doc = include_str!("attributes.md")]
#[proc_macro_derive(Blend, attributes(blend))]
pub fn derive_blend(input: TokenStream) -> TokenStream {
    expand(input, blend::expand)
}

/// Moves a struct field by field, on curves that follow velocities. Derive it beside `Blend`, whose attributes it
/// reads.
///
/// The struct's velocity is the tuple of its moving fields' velocities in their order, at most twelve. Their types are
/// part of it, so they must be as public as the struct is. What does not move costs a copy of the struct at each end of
/// a curve.
///
/// ```
/// use portamento::blend::{Blend, Hermite, Pose2, Velocity2};
///
/// #[derive(Clone, Blend, Hermite)]
/// struct Tank {
///     pose: Pose2, // moves by a Velocity2
///     #[blend(angle)]
///     turret: f32, // by an f32, radians per second
///     #[blend(gauge)]
///     fuel: f32, // is drawn, but does not move
/// }
///
/// let tank = Tank { pose: Pose2::at([0.0, 5.0]), turret: 3.0, fuel: 60.0 };
/// let velocity = (Velocity2 { linear: [2.0, 0.0], angular: 0.1 }, 0.5);
/// let later = tank.advance(&velocity, 2.0);
/// assert_eq!((later.pose.position, later.fuel), ([4.0, 5.0], 60.0));
/// assert!((later.turret - (4.0 - core::f32::consts::TAU)).abs() < 1e-6);
///
/// let (pose, turret) = Tank::velocity(&tank, &later, 2.0);
/// assert!(pose.linear == [2.0, 0.0] && (pose.angular - 0.1).abs() < 1e-6 && (turret - 0.5).abs() < 1e-6);
/// ```
#[doc = include_str!("attributes.md")]
#[proc_macro_derive(Hermite, attributes(blend))]
pub fn derive_hermite(input: TokenStream) -> TokenStream {
    expand(input, motion::expand_hermite)
}

/// Measures a struct field by field, for snapshot buffers and visual offsets. Derive it beside `Blend` and `Hermite`,
/// whose attributes it reads; `PartialEq` and `Debug` are needed too.
///
/// A number is a length unless its field has another attribute. A number that is not a place (fuel, health) must be a
/// `#[blend(gauge)]`. Otherwise it would count as motion of the whole. And when a message is lost, it would go on as it
/// last changed, past a full tank too.
///
/// ```
/// use portamento::blend::{Blend, Displace, Hermite, Pose2, Velocity2};
/// use portamento::remote::{Report, Peer, Snapshots};
///
/// #[derive(Clone, Debug, PartialEq, Blend, Hermite, Displace)]
/// struct Tank {
///     pose: Pose2,
///     #[blend(angle)]
///     turret: f32,
///     #[blend(gauge)]
///     fuel: f32,
///     #[blend(snap)]
///     ammo: u32,
/// }
///
/// let mut server = Peer::at_hz(20.0)?;
/// let mut enemy = Snapshots::<Tank>::new();
/// let tank = Tank { pose: Pose2::at([3.0, 0.0]), turret: 0.5, fuel: 60.0, ammo: 9 };
/// // The velocities of what moves, in the order of the fields: where a sender knows them, they need not be guessed.
/// let velocity = (Velocity2 { linear: [2.0, 0.0], angular: 0.1 }, 0.5);
/// enemy.insert(server.receive(70.0, 0.03), Report::new(tank).with_velocity(velocity));
///
/// let frame = server.frame(0.04).expect("a message came");
/// assert_eq!(enemy.draw(&frame).here().expect("it has appeared").now.fuel, 60.0);
/// # Ok::<(), portamento::SettingError>(())
/// ```
#[doc = include_str!("attributes.md")]
#[proc_macro_derive(Displace, attributes(blend))]
pub fn derive_displace(input: TokenStream) -> TokenStream {
    expand(input, motion::expand_displace)
}

fn expand(
    input: TokenStream,
    by: fn(&DeriveInput) -> Result<proc_macro2::TokenStream, Error>,
) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    by(&input).unwrap_or_else(Error::into_compile_error).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse_quote;

    type Expand = fn(&DeriveInput) -> Result<proc_macro2::TokenStream, Error>;

    const ALL: [(&str, Expand); 3] = [
        ("Blend", blend::expand),
        ("Hermite", motion::expand_hermite),
        ("Displace", motion::expand_displace),
    ];

    #[track_caller]
    fn is_refused(input: &DeriveInput, cure: &str) {
        for (name, expand) in ALL {
            let refusal = expand(input).unwrap_err().to_string();
            assert!(refusal.contains(cure), "{name}: {refusal}");
        }
    }

    #[test]
    fn what_cannot_be_blended_is_refused_with_the_cure() {
        let kinds: DeriveInput = parse_quote!(
            enum Gait {
                Walk,
                Run,
            }
        );
        is_refused(&kinds, "#[blend(snap)]");
        for (name, expand) in ALL {
            assert!(expand(&kinds).unwrap_err().to_string().contains(name), "{name} is named");
        }
        let angle: DeriveInput = parse_quote!(
            struct Turret {
                #[blend(angle)]
                yaw: [f32; 2],
            }
        );
        is_refused(&angle, "f32 and f64");
        let unknown: DeriveInput = parse_quote!(
            struct Turret {
                #[blend(straight)]
                yaw: f32,
            }
        );
        is_refused(&unknown, "`gauge`");
        let misplaced: DeriveInput = parse_quote!(
            #[blend(snap)]
            struct Turret {
                yaw: f32,
            }
        );
        is_refused(&misplaced, "on the field");
    }

    #[test]
    fn four_numbers_that_may_be_a_quaternion_are_refused_until_they_say_what_they_are() {
        for number in [quote::quote!(f32), quote::quote!(f64)] {
            is_refused(&parse_quote!(struct Gun { aim: [#number; 4] }), "#[blend(slerp)]");
            for (name, expand) in ALL {
                let colour = parse_quote!(struct Gun { #[blend(gauge)] heat: [#number; 4] });
                let plane = parse_quote!(struct Gun { #[blend(lerp)] plane: [#number; 4] });
                let axes = parse_quote!(struct Gun { axes: [[#number; 4]; 2], three: [#number; 3] });
                for four in [colour, plane, axes] {
                    assert!(expand(&four).is_ok(), "{name}");
                }
            }
        }
    }

    #[test]
    fn the_table_of_attributes_has_them_all() {
        let table = include_str!("attributes.md");
        for known in ["lerp", "angle", "slerp", "gauge", "snap", "with = path", "crate = path"] {
            assert!(table.contains(&format!("`#[blend({known})]`")), "{known}");
        }
    }

    #[test]
    fn two_ways_for_one_field_are_refused() {
        let together: DeriveInput = parse_quote!(
            struct Turret {
                #[blend(snap, angle)]
                yaw: f32,
            }
        );
        is_refused(&together, "one way");
        let apart: DeriveInput = parse_quote!(
            struct Turret {
                #[blend(angle)]
                #[blend(with = mine)]
                yaw: f32,
            }
        );
        is_refused(&apart, "one way");
    }

    #[test]
    fn more_moving_fields_than_a_tuple_holds_are_refused() {
        let numbers = |n: usize| -> DeriveInput {
            let fields = vec![quote::quote!(f32); n];
            parse_quote!(struct Many(#(#fields,)* #[blend(snap)] f32);)
        };
        for (name, expand) in &ALL[1..] {
            assert!(expand(&numbers(12)).is_ok(), "{name}: what does not move does not count");
            let refusal = expand(&numbers(13)).unwrap_err().to_string();
            assert!(refusal.contains("here are 13") && refusal.contains("struct of their own"), "{refusal}");
        }
    }

    #[test]
    fn a_field_is_asked_by_the_type_as_it_stands_there() {
        let turret: DeriveInput = parse_quote!(
            struct Turret<T, const N: usize> {
                aim: [T; 2],
                barrels: Barrels<N>,
                ammo: u32,
                #[blend(gauge)]
                fuel: Fuel,
            }
        );
        for (name, expand) in ALL {
            let code = expand(&turret).unwrap().to_string();
            for called in ["< u32 as", "< [T ; 2] as", "< Barrels < N > as"] {
                assert!(code.matches(called).count() >= 2, "{name}: {called} in {code}");
            }
            for bound in ["u32 :", "[T ; 2] :", "Barrels < N > :"] {
                assert!(code.contains(bound), "{name}: {bound} in {code}");
            }
            assert!(
                code.contains("Fuel : :: portamento :: blend :: Blend"),
                "{name}: a gauge is blended in {code}"
            );
        }
    }
}
