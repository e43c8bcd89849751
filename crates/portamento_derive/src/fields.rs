//! What does the user say of each field, and where is the library?

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::spanned::Spanned;
use syn::{
    Data, DeriveInput, Error, Expr, ExprLit, Field, Generics, Index, Lit, Member, Path, Result, Type,
    parse_quote,
};

/// A struct whose attributes have been read.
pub struct Fields<'a> {
    pub library: Path,
    pub all: Vec<Part<'a>>,
}

/// A field, and how it is drawn.
pub struct Part<'a> {
    pub member: Member,
    pub ty: &'a Type,
    pub how: How,
}

pub enum How {
    /// By its own implementation of the trait that is derived.
    Own,
    Snap,
    /// By its own `Blend`, whatever is derived.
    Gauge,
    Angle(Precision),
    Slerp,
    With(Path),
}

#[derive(Clone, Copy)]
pub enum Precision {
    Single,
    Double,
}

impl Precision {
    /// The library's type for an angle of this precision.
    pub fn angle(self, library: &Path) -> TokenStream {
        match self {
            Self::Single => quote!(#library::blend::Angle),
            Self::Double => quote!(#library::blend::Angle64),
        }
    }
}

impl<'a> Fields<'a> {
    /// `wanted` is the trait to be derived, for errors.
    pub fn of(input: &'a DeriveInput, wanted: &str) -> Result<Self> {
        let Data::Struct(data) = &input.data else {
            return Err(Error::new_spanned(
                &input.ident,
                format!(
                    "`{wanted}` can be derived for structs only: nothing lies between two variants of an enum. \
                     Put the enum into a field with #[blend(snap)]"
                ),
            ));
        };
        let part = |(i, field): (usize, &'a Field)| {
            let member = match &field.ident {
                Some(name) => Member::Named(name.clone()),
                None => Member::Unnamed(Index::from(i)),
            };
            Ok(Part { member, ty: &field.ty, how: how(field)? })
        };
        Ok(Fields {
            library: library(input)?,
            all: data.fields.iter().enumerate().map(part).collect::<Result<_>>()?,
        })
    }

    /// The struct's generics, and a bound for each field that is drawn by its own implementation of `wanted`, or as a
    /// gauge.
    ///
    /// Also where its type depends on no parameter: one that has no such implementation is then refused once, at the
    /// field, and not at every use of it.
    pub fn generics_with(&self, input: &DeriveInput, wanted: &TokenStream) -> Generics {
        let mut generics = input.generics.clone();
        let predicates = &mut generics.make_where_clause().predicates;
        if input.generics.type_params().next().is_some() {
            // What that asks of a parameter is for the struct's own derive to say.
            predicates.push(parse_quote!(Self: ::core::clone::Clone));
        }
        let library = &self.library;
        let blend = quote!(#library::blend::Blend);
        for Part { ty, how, .. } in &self.all {
            let wanted = match how {
                How::Own => wanted,
                How::Gauge => &blend,
                _ => continue,
            };
            // The field's place in the text, but none of the user's code: lints are not for it.
            let here = Span::mixed_site().located_at(ty.span());
            let wanted = wanted.clone().into_iter().map(|mut token| {
                token.set_span(here);
                token
            });
            let wanted: TokenStream = wanted.collect();
            predicates.push(parse_quote!(#ty: #wanted));
        }
        generics
    }
}

fn how(field: &Field) -> Result<How> {
    let mut how = None;
    for attribute in field.attrs.iter().filter(|a| a.path().is_ident("blend")) {
        attribute.parse_nested_meta(|meta| {
            let this = if meta.path.is_ident("lerp") {
                How::Own
            } else if meta.path.is_ident("snap") {
                How::Snap
            } else if meta.path.is_ident("gauge") {
                How::Gauge
            } else if meta.path.is_ident("angle") {
                How::Angle(precision(&field.ty)?)
            } else if meta.path.is_ident("slerp") {
                How::Slerp
            } else if meta.path.is_ident("with") {
                How::With(meta.value()?.parse()?)
            } else {
                return Err(meta.error("expected `lerp`, `angle`, `slerp`, `gauge`, `snap` or `with = path`"));
            };
            match how.replace(this) {
                None => Ok(()),
                Some(_) => Err(meta.error("a field is blended in one way: give one of them")),
            }
        })?;
    }
    match how {
        Some(how) => Ok(how),
        None if is_four_numbers(&field.ty) => Err(Error::new_spanned(
            &field.ty,
            "is this a quaternion? A straight line between two of them is no rotation: give a quaternion in the order \
             x y z w #[blend(slerp)], or use `portamento::blend::Rotation`. Four numbers of another kind take \
             #[blend(lerp)] if they move, #[blend(gauge)] if they do not (a colour)",
        )),
        None => Ok(How::Own),
    }
}

/// Whether it is `[f32; 4]` or `[f64; 4]`: most often a quaternion, which nothing else distinguishes from four lengths.
fn is_four_numbers(ty: &Type) -> bool {
    let Type::Array(array) = ty else { return false };
    let Expr::Lit(ExprLit { lit: Lit::Int(length), .. }) = &array.len else { return false };
    precision(&array.elem).is_ok() && length.base10_parse::<usize>().is_ok_and(|n| n == 4)
}

fn precision(ty: &Type) -> Result<Precision> {
    match ty {
        Type::Path(p) if p.path.is_ident("f32") => Ok(Precision::Single),
        Type::Path(p) if p.path.is_ident("f64") => Ok(Precision::Double),
        _ => Err(Error::new_spanned(ty, "#[blend(angle)] is for f32 and f64, in radians")),
    }
}

/// Where the library is: `::portamento`, or what `#[blend(crate = path)]` on the struct says.
fn library(input: &DeriveInput) -> Result<Path> {
    let mut library = parse_quote!(::portamento);
    for attribute in input.attrs.iter().filter(|a| a.path().is_ident("blend")) {
        attribute.parse_nested_meta(|meta| {
            if !meta.path.is_ident("crate") {
                return Err(meta.error(
                    "expected `crate = path`; attributes that say how a field is drawn go on the field",
                ));
            }
            library = meta.value()?.call(Path::parse_mod_style)?;
            Ok(())
        })?;
    }
    Ok(library)
}
