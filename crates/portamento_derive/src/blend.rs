//! `Blend`: what lies between two structs?

use crate::fields::{Fields, How, Part};
use proc_macro2::TokenStream;
use quote::quote;
use syn::{DeriveInput, Path, Result};

pub fn expand(input: &DeriveInput) -> Result<TokenStream> {
    let fields = Fields::of(input, "Blend")?;
    let library = &fields.library;
    let generics = fields.generics_with(input, &quote!(#library::blend::Blend));
    let (implementation, types, bounds) = generics.split_for_impl();
    let name = &input.ident;
    let members = fields.all.iter().map(|part| &part.member).collect::<Vec<_>>();
    let blended = fields.all.iter().map(|part| part.blended(library, &quote!(self), &quote!(to)));
    let extrapolated = fields.all.iter().map(|part| {
        let Part { member, ty, how } = part;
        match how {
            How::Own => {
                quote!(<#ty as #library::blend::Blend>::extrapolate(&self.#member, &to.#member, beyond))
            }
            _ => quote!(::core::clone::Clone::clone(&to.#member)),
        }
    });
    // Of the others, equal values are all that is known.
    let asked = fields.all.iter().filter(|part| matches!(part.how, How::Own | How::Gauge | How::Angle(_)));
    let rest = asked.map(
        |Part { member, ty, .. }| quote!(<#ty as #library::blend::Blend>::rests(&self.#member, &to.#member)),
    );
    Ok(quote! {
        #[automatically_derived]
        impl #implementation #library::blend::Blend for #name #types #bounds {
            #[inline]
            fn blend(&self, to: &Self, alpha: ::core::primitive::f64) -> Self {
                let _ = (to, alpha); // a struct may have no fields
                Self { #(#members: #blended),* }
            }

            #[inline]
            fn extrapolate(&self, to: &Self, beyond: ::core::primitive::f64) -> Self {
                let _ = (to, beyond);
                Self { #(#members: #extrapolated),* }
            }

            #[inline]
            fn rests(&self, to: &Self) -> ::core::primitive::bool {
                let _ = to;
                true #(&& #rest)*
            }
        }
    })
}

impl Part<'_> {
    /// The field's value at `alpha` between two structs.
    pub fn blended(&self, library: &Path, from: &TokenStream, to: &TokenStream) -> TokenStream {
        let Part { member, ty, how } = self;
        match how {
            // By the type as the field has it, so that an error about it points there and not at the derive.
            How::Own | How::Gauge => {
                quote!(<#ty as #library::blend::Blend>::blend(&#from.#member, &#to.#member, alpha))
            }
            How::Snap => {
                quote!(::core::clone::Clone::clone(if alpha >= 1.0 { &#to.#member } else { &#from.#member }))
            }
            How::Angle(precision) => {
                let angle = precision.angle(library);
                let blend = quote!(<#angle as #library::blend::Blend>::blend);
                quote!(#blend(&#angle(#from.#member), &#angle(#to.#member), alpha).0)
            }
            How::Slerp => {
                let rotation = quote!(#library::blend::Rotation);
                let of = |this| {
                    let value = quote!(::core::clone::Clone::clone(&#this.#member));
                    quote!(<#rotation as ::core::convert::From<_>>::from(#value))
                };
                let (from, to) = (of(from), of(to));
                quote!(::core::convert::Into::into(#rotation::slerp(#from, #to, alpha)))
            }
            How::With(function) => quote!(#function(&#from.#member, &#to.#member, alpha)),
        }
    }
}
