//! `Hermite` and `Displace`: how does a struct move, and how far apart are two of them?
//!
//! Some fields move, each by the `Hermite` of some type; the others are only drawn. A velocity is the tuple of the moving
//! fields' velocities, and so is a curve, with the two structs themselves where there are others to be drawn.

use crate::fields::{Fields, How, Part};
use proc_macro2::TokenStream;
use quote::quote;
use syn::{DeriveInput, Error, Index, Path, Result, parse_quote};

/// What core's traits are implemented for.
const LONGEST_TUPLE: usize = 12;

/// A moving field.
struct Mover<'a> {
    part: &'a Part<'a>,
    /// The type whose motion it has.
    by: TokenStream,
    /// Its place in tuples.
    at: Index,
}

fn movers<'a>(fields: &'a Fields<'a>, input: &DeriveInput, wanted: &str) -> Result<Vec<Mover<'a>>> {
    let types = fields.all.iter().filter_map(|part| Some((part, part.moves_by(&fields.library)?)));
    let movers: Vec<_> =
        types.enumerate().map(|(i, (part, by))| Mover { part, by, at: Index::from(i) }).collect();
    if movers.len() > LONGEST_TUPLE {
        return Err(Error::new_spanned(
            &input.ident,
            format!(
                "`{wanted}` can be derived for up to {LONGEST_TUPLE} fields that move, and here are {}: give some of \
                 them a struct of their own, or an array",
                movers.len()
            ),
        ));
    }
    Ok(movers)
}

impl Part<'_> {
    /// The type whose motion the field has; `None` if it has none.
    fn moves_by(&self, library: &Path) -> Option<TokenStream> {
        let ty = self.ty;
        match self.how {
            How::Own => Some(quote!(#ty)),
            How::Angle(precision) => Some(precision.angle(library)),
            How::Slerp => Some(quote!(#library::blend::Rotation)),
            How::Snap | How::Gauge | How::With(_) => None,
        }
    }
}

impl Mover<'_> {
    /// A reference to the field of `this`, as the type it moves by.
    fn of(&self, this: TokenStream) -> TokenStream {
        let (by, Part { member, how, .. }) = (&self.by, self.part);
        match how {
            How::Angle(_) => quote!(&#by(#this.#member)),
            How::Slerp => {
                quote!(&<#by as ::core::convert::From<_>>::from(::core::clone::Clone::clone(&#this.#member)))
            }
            _ => quote!(&#this.#member),
        }
    }

    /// The field's own type from the one it moves by.
    fn back(&self, value: TokenStream) -> TokenStream {
        match self.part.how {
            How::Angle(_) => quote!(#value.0),
            How::Slerp => quote!(::core::convert::Into::into(#value)),
            _ => value,
        }
    }
}

pub fn expand_hermite(input: &DeriveInput) -> Result<TokenStream> {
    let fields = Fields::of(input, "Hermite")?;
    let library = &fields.library;
    let hermite = quote!(#library::blend::Hermite);
    let movers = movers(&fields, input, "Hermite")?;
    let generics = fields.generics_with(input, &hermite);
    let (implementation, types, bounds) = generics.split_for_impl();
    let name = &input.ident;

    let by: Vec<_> = movers.iter().map(|mover| &mover.by).collect();
    let at: Vec<_> = movers.iter().map(|mover| &mover.at).collect();
    let from: Vec<_> = movers.iter().map(|mover| mover.of(quote!(from))).collect();
    let to: Vec<_> = movers.iter().map(|mover| mover.of(quote!(to))).collect();
    let curves = quote!((#(<#by as #hermite>::Curve,)*));
    let ways = quote!((#(<#by as #hermite>::curve(#from, &leaving.#at, #to, &arriving.#at, span),)*));
    // The ends as a whole and not the fields alone: a type that only a private field has cannot stand in `Curve`.
    let (curve, made, parts) = if movers.len() == fields.all.len() {
        (curves, ways, quote!(ways))
    } else {
        let clone = quote!(::core::clone::Clone::clone);
        (quote!((#curves, Self, Self)), quote!((#ways, #clone(from), #clone(to))), quote!((ways, from, to)))
    };
    let each = |moved: &dyn Fn(&Mover) -> TokenStream, other: &dyn Fn(&Part) -> TokenStream| {
        let mut movers = movers.iter().peekable();
        let values = fields.all.iter().map(|part| {
            let (member, value) = match movers.next_if(|mover| core::ptr::eq(mover.part, part)) {
                Some(mover) => (&part.member, mover.back(moved(mover))),
                None => (&part.member, other(part)),
            };
            quote!(#member: #value)
        });
        let values: Vec<_> = values.collect();
        quote!(Self { #(#values),* })
    };
    let on = each(&|Mover { by, at, .. }| quote!(<#by as #hermite>::on(&ways.#at, alpha)), &|part| {
        part.blended(library, &quote!(from), &quote!(to))
    });
    let advanced = each(
        &|mover| {
            let (Mover { by, at, .. }, this) = (mover, mover.of(quote!(self)));
            quote!(<#by as #hermite>::advance(#this, &velocity.#at, seconds))
        },
        &|Part { member, .. }| quote!(::core::clone::Clone::clone(&self.#member)),
    );
    Ok(quote! {
        #[automatically_derived]
        #[allow(clippy::unused_unit)] // the velocity of what does not move
        impl #implementation #hermite for #name #types #bounds {
            type Velocity = (#(<#by as #hermite>::Velocity,)*);
            type Curve = #curve;

            #[inline]
            fn curve(
                from: &Self,
                leaving: &Self::Velocity,
                to: &Self,
                arriving: &Self::Velocity,
                span: ::core::primitive::f64,
            ) -> Self::Curve {
                let _ = (from, leaving, to, arriving, span); // there may be nothing that moves
                #made
            }

            #[inline]
            fn on(curve: &Self::Curve, alpha: ::core::primitive::f64) -> Self {
                let #parts = curve;
                let _ = (ways, alpha);
                #on
            }

            #[inline]
            fn velocity(from: &Self, to: &Self, span: ::core::primitive::f64) -> Self::Velocity {
                let _ = (from, to, span);
                (#(<#by as #hermite>::velocity(#from, #to, span),)*)
            }

            #[inline]
            fn advance(&self, velocity: &Self::Velocity, seconds: ::core::primitive::f64) -> Self {
                let _ = (velocity, seconds);
                #advanced
            }
        }
    })
}

pub fn expand_displace(input: &DeriveInput) -> Result<TokenStream> {
    let fields = Fields::of(input, "Displace")?;
    let library = &fields.library;
    let displace = quote!(#library::blend::Displace);
    let movers = movers(&fields, input, "Displace")?;
    let size = quote!(#library::blend::OffsetSize);
    let mut generics = fields.generics_with(input, &displace);
    if input.generics.type_params().next().is_some() {
        // As with `Clone`.
        let predicates = &mut generics.make_where_clause().predicates;
        predicates.push(parse_quote!(Self: ::core::cmp::PartialEq));
        if movers.len() < fields.all.len() {
            predicates.push(parse_quote!(Self: ::core::fmt::Debug));
        }
    }
    let (implementation, types, bounds) = generics.split_for_impl();
    let name = &input.ident;

    let by: Vec<_> = movers.iter().map(|mover| &mover.by).collect();
    let at: Vec<_> = movers.iter().map(|mover| &mover.at).collect();
    let this: Vec<_> = movers.iter().map(|mover| mover.of(quote!(self))).collect();
    let other: Vec<_> = movers.iter().map(|mover| mover.of(quote!(other))).collect();
    Ok(quote! {
        #[automatically_derived]
        #[allow(clippy::unused_unit)] // the velocity of what does not move
        impl #implementation #displace for #name #types #bounds {
            #[inline]
            fn inner(a: &Self::Velocity, b: &Self::Velocity) -> #size {
                let _ = (a, b); // there may be nothing that moves
                let sum = <#size as ::core::default::Default>::default();
                #(
                    let part = <#by as #displace>::inner(&a.#at, &b.#at);
                    let sum = #size { length: sum.length + part.length, angle: sum.angle + part.angle };
                )*
                sum
            }

            #[inline]
            fn scaled(by: &Self::Velocity, factor: #size) -> Self::Velocity {
                let _ = (by, factor);
                (#(<#by as #displace>::scaled(&by.#at, factor),)*)
            }

            #[inline]
            fn is_finite(&self) -> ::core::primitive::bool {
                true #(&& <#by as #displace>::is_finite(#this))*
            }

            #[inline]
            fn same_place(&self, other: &Self) -> ::core::primitive::bool {
                let _ = other;
                true #(&& <#by as #displace>::same_place(#this, #other))*
            }

            #[inline]
            fn checksum(&self) -> ::core::primitive::u64 {
                let sum: ::core::primitive::u64 = 1;
                #(let sum = sum.rotate_left(23).wrapping_add(<#by as #displace>::checksum(#this));)*
                sum
            }
        }
    })
}
