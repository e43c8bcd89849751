//! `#[derive(Blend)]` for `portamento`.
//!
//! Use it through `portamento::blend::Blend`; this crate only exists because macros must live apart.

use proc_macro2::{TokenStream, TokenTree};
use quote::{format_ident, quote};
use syn::{
    Data, DeriveInput, Error, Field, Fields, Generics, Index, Member, Result, parse_macro_input, parse_quote,
};

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
pub fn derive_blend(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    expand(input).unwrap_or_else(Error::into_compile_error).into()
}

enum How {
    Blend,
    Snap,
    Angle,
    Slerp,
    With(syn::Path),
}

fn how(field: &Field) -> Result<How> {
    let mut how = None;
    for attribute in field.attrs.iter().filter(|a| a.path().is_ident("blend")) {
        attribute.parse_nested_meta(|meta| {
            let this = if meta.path.is_ident("snap") {
                How::Snap
            } else if meta.path.is_ident("angle") {
                How::Angle
            } else if meta.path.is_ident("slerp") {
                How::Slerp
            } else if meta.path.is_ident("with") {
                How::With(meta.value()?.parse()?)
            } else {
                return Err(meta.error("expected `snap`, `angle`, `slerp` or `with = path`"));
            };
            match how.replace(this) {
                None => Ok(()),
                Some(_) => Err(meta.error("a field is blended in one way: give one of them")),
            }
        })?;
    }
    Ok(how.unwrap_or(How::Blend))
}

/// Where the library is: `::portamento`, or what `#[blend(crate = path)]` on the struct says.
fn library(input: &DeriveInput) -> Result<syn::Path> {
    let mut library = parse_quote!(::portamento);
    for attribute in input.attrs.iter().filter(|a| a.path().is_ident("blend")) {
        attribute.parse_nested_meta(|meta| {
            if !meta.path.is_ident("crate") {
                return Err(meta.error("expected `crate = path`; how a field is drawn is said at the field"));
            }
            library = meta.value()?.call(syn::Path::parse_mod_style)?;
            Ok(())
        })?;
    }
    Ok(library)
}

/// Whether a type depends on a parameter of the struct. Only then it needs a bound: another type has `Blend` or has
/// not, and where it has not, the error points at the field.
fn names_one_of(generics: &Generics, ty: TokenStream) -> bool {
    ty.into_iter().any(|token| match token {
        TokenTree::Ident(name) => {
            generics.type_params().any(|p| p.ident == name)
                || generics.const_params().any(|p| p.ident == name)
        }
        TokenTree::Group(group) => names_one_of(generics, group.stream()),
        _ => false,
    })
}

fn expand(input: DeriveInput) -> Result<TokenStream> {
    let Data::Struct(data) = &input.data else {
        return Err(Error::new_spanned(
            &input.ident,
            "`Blend` can be derived for structs only: nothing lies between two variants of an enum. \
             Put the enum into a field with #[blend(snap)]",
        ));
    };
    let library = library(&input)?;
    let mut generics = input.generics.clone();
    let mut blended = Vec::new();
    let mut extrapolated = Vec::new();
    for (i, field) in data.fields.iter().enumerate() {
        let member = match &field.ident {
            Some(name) => Member::Named(name.clone()),
            None => Member::Unnamed(Index::from(i)),
        };
        let ty = &field.ty;
        let how = how(field)?;
        let value = match &how {
            // By the type as the field has it, so that an error about it points there and not at the derive.
            How::Blend => {
                quote!(<#ty as #library::blend::Blend>::blend(&self.#member, &to.#member, alpha))
            }
            How::Snap => quote!(#library::blend::snap(&self.#member, &to.#member, alpha)),
            How::Angle => {
                let function = match ty {
                    syn::Type::Path(p) if p.path.is_ident("f32") || p.path.is_ident("f64") => {
                        format_ident!("angle_{}", p.path.get_ident().expect("checked"))
                    }
                    _ => {
                        return Err(Error::new_spanned(ty, "#[blend(angle)] is for f32 and f64, in radians"));
                    }
                };
                quote!(#library::blend::#function(self.#member, to.#member, alpha))
            }
            How::Slerp => quote!(
                #library::blend::Rotation::from(::core::clone::Clone::clone(&self.#member))
                    .slerp(#library::blend::Rotation::from(::core::clone::Clone::clone(&to.#member)), alpha)
                    .into()
            ),
            How::With(function) => quote!(#function(&self.#member, &to.#member, alpha)),
        };
        let further = match how {
            How::Blend => {
                quote!(<#ty as #library::blend::Blend>::extrapolate(&self.#member, &to.#member, beyond))
            }
            _ => quote!(::core::clone::Clone::clone(&to.#member)),
        };
        if matches!(how, How::Blend) && names_one_of(&input.generics, quote!(#ty)) {
            generics.make_where_clause().predicates.push(parse_quote!(#ty: #library::blend::Blend));
        }
        blended.push(quote!(#member: #value));
        extrapolated.push(quote!(#member: #further));
    }
    let name = &input.ident;
    let (implementation, types, bounds) = generics.split_for_impl();
    let unused = matches!(data.fields, Fields::Unit).then(|| quote!(let _ = (to, alpha);));
    let unused_beyond = matches!(data.fields, Fields::Unit).then(|| quote!(let _ = (to, beyond);));
    Ok(quote! {
        #[automatically_derived]
        impl #implementation #library::blend::Blend for #name #types #bounds {
            #[inline]
            fn blend(&self, to: &Self, alpha: f64) -> Self {
                #unused
                Self { #(#blended),* }
            }

            #[inline]
            fn extrapolate(&self, to: &Self, beyond: f64) -> Self {
                #unused_beyond
                Self { #(#extrapolated),* }
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(input: DeriveInput) -> String {
        expand(input).unwrap_err().to_string()
    }

    #[test]
    fn what_cannot_be_blended_is_refused_with_the_cure() {
        let kinds: DeriveInput = parse_quote!(
            enum Gait {
                Walk,
                Run,
            }
        );
        assert!(refusal(kinds).contains("#[blend(snap)]"));
        let angle: DeriveInput = parse_quote!(
            struct Turret {
                #[blend(angle)]
                yaw: [f32; 2],
            }
        );
        assert!(refusal(angle).contains("f32 and f64"));
        let unknown: DeriveInput = parse_quote!(
            struct Turret {
                #[blend(lerp)]
                yaw: f32,
            }
        );
        assert!(refusal(unknown).contains("expected `snap`"));
    }

    #[test]
    fn a_field_is_asked_for_its_blend_by_the_type_as_it_stands_there() {
        let turret: DeriveInput = parse_quote!(
            struct Turret<T, const N: usize> {
                aim: [T; 2],
                barrels: Barrels<N>,
                ammo: u32,
            }
        );
        let code = expand(turret).unwrap().to_string();
        for called in ["< u32 as", "< [T ; 2] as", "< Barrels < N > as"] {
            assert_eq!(code.matches(called).count(), 2, "{called}: blend and extrapolate in {code}");
        }
        for (ty, bound) in [("u32 :", false), ("[T ; 2] :", true), ("Barrels < N > :", true)] {
            assert_eq!(code.contains(ty), bound, "{ty} in {code}");
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
        assert!(refusal(together).contains("one way"));
        let apart: DeriveInput = parse_quote!(
            struct Turret {
                #[blend(angle)]
                #[blend(with = mine)]
                yaw: f32,
            }
        );
        assert!(refusal(apart).contains("one way"));
    }
}
