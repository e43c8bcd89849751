//! `#[derive(Blend, Hermite, Displace)]` for `portamento`.
//!
//! Use them through `portamento::blend` and `portamento::remote`; this crate only exists because macros must live apart.

mod blend;
mod fields;
mod motion;

use proc_macro::TokenStream;
use syn::{DeriveInput, Error, parse_macro_input};

/// Blends a struct field by field.
///
/// | attribute | the field is drawn |
/// |---|---|
/// | none | by its own `Blend` |
/// | `#[blend(snap)]` | as the older value until the drawn moment reaches the newer one; needs only `Clone` |
/// | `#[blend(angle)]` | as an angle in radians (`f32` or `f64`), the short way around |
/// | `#[blend(slerp)]` | as a rotation by true slerp instead of the fast kin; for `Rotation` and whatever converts to and from it |
/// | `#[blend(with = path)]` | by your function `fn(&T, &T, alpha: f64) -> T` |
///
/// A field with an attribute is not extrapolated: it stays at the newest value. `#[blend(crate = path)]` on the
/// struct names the library where it is not `::portamento` (a crate that re-exports it).
#[proc_macro_derive(Blend, attributes(blend))]
pub fn derive_blend(input: TokenStream) -> TokenStream {
    expand(input, blend::expand)
}

/// Moves a struct field by field, on curves that honour velocities. To be derived beside `Blend`, whose attributes it
/// reads.
///
/// | attribute | the field's velocity | between two values it is drawn |
/// |---|---|---|
/// | none | that of its own `Hermite` | on its own curve |
/// | `#[blend(angle)]` | radians per second, `f32` or `f64` as the field | on a curve the short way around, or the whole turns that velocities tell of |
/// | `#[blend(slerp)]` | `[f32; 3]`, axis times radians per second | on the curve of a `Rotation` |
/// | `#[blend(snap)]` | none: it does not move | as the older value until the newer one is reached |
/// | `#[blend(with = path)]` | none: it does not move | by your function; `Blend::blend` is one |
///
/// The struct's velocity is the tuple of its moving fields' velocities in their order, at most twelve. Their types are
/// part of it, so they must be as public as the struct is. What does not move costs a copy of the struct at each end of
/// a curve.
#[proc_macro_derive(Hermite, attributes(blend))]
pub fn derive_hermite(input: TokenStream) -> TokenStream {
    expand(input, motion::expand_hermite)
}

/// Measures a struct field by field, for snapshot buffers and visual offsets. To be derived beside `Blend` and
/// `Hermite`, whose attributes it reads; `PartialEq` and `Debug` are asked for too.
///
/// A moving field is measured by its own `Displace`, one with `#[blend(angle)]` or `#[blend(slerp)]` by its angle. A
/// plain number is a length, so one that is no place (a health, a heat) would be taken for motion of the whole: give it
/// `#[blend(snap)]` or `#[blend(with = Blend::blend)]`, and it is drawn without being measured.
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
                #[blend(lerp)]
                yaw: f32,
            }
        );
        is_refused(&unknown, "expected `snap`");
        let misplaced: DeriveInput = parse_quote!(
            #[blend(snap)]
            struct Turret {
                yaw: f32,
            }
        );
        is_refused(&misplaced, "at the field");
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
        }
    }
}
