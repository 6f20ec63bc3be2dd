//! The lifetimes and references that a type borrows.

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{GenericArgument, PathArguments, Type};

/// Reports a type that borrows for longer than the call, and the remedy: `&'static str`, and references
/// inside of it, `Option<&str>`.
pub(super) fn borrows(ty: &Type, lifetimes: &[Ident]) -> Option<(Span, String)> {
    let (outer, inner) = match strip(ty) {
        Type::Reference(reference) => (reference.lifetime.as_ref(), strip(&reference.elem)),
        ty => (None, ty),
    };
    let known = |one: &&syn::Lifetime| lifetimes.contains(&one.ident) || one.ident == "_";
    if let Some(lifetime) = outer.filter(|one| !known(one)) {
        return Some((
            lifetime.span(),
            format!(
                "`&{}`",
                inner.to_token_stream().to_string().replace(" ", "")
            ),
        ));
    }
    let token = inner_reference(inner.to_token_stream())?;
    let instead = "an owned type there, such as `Option<String>` or `&[String]`";
    Some((token, instead.to_owned()))
}

/// The first lifetime of a type that is passed by value. A `Cow` can own; `'static` is what an owning
/// type has; and `&Context<'_>` is none of a value.
pub(super) fn borrowing_type(ty: &Type) -> Option<Span> {
    match strip(ty) {
        Type::Reference(reference) => match strip(&reference.elem) {
            Type::Slice(slice) => borrowing_type(&slice.elem),
            _ => None,
        },
        Type::Path(path) => path.path.segments.iter().find_map(|segment| {
            let PathArguments::AngleBracketed(given) = &segment.arguments else {
                return None;
            };
            let can_own = segment.ident == "Cow" || segment.ident == "Context";
            given.args.iter().find_map(|arg| match arg {
                GenericArgument::Lifetime(lifetime) if lifetime.ident != "static" && !can_own => {
                    Some(lifetime.span())
                }
                GenericArgument::Type(inner) => borrowing_type(inner),
                _ => None,
            })
        }),
        Type::Slice(slice) => borrowing_type(&slice.elem),
        Type::Array(array) => borrowing_type(&array.elem),
        Type::Tuple(tuple) => tuple.elems.iter().find_map(borrowing_type),
        _ => None,
    }
}

/// The first reference inside of a type.
fn inner_reference(tokens: TokenStream) -> Option<Span> {
    tokens.into_iter().find_map(|token| match token {
        TokenTree::Punct(punct) if punct.as_char() == '&' => Some(punct.span()),
        TokenTree::Group(group) => inner_reference(group.stream()),
        _ => None,
    })
}

/// A type without the parentheses and invisible groups around it.
pub(super) fn strip(ty: &Type) -> &Type {
    match ty {
        Type::Paren(inner) => strip(&inner.elem),
        Type::Group(inner) => strip(&inner.elem),
        other => other,
    }
}

/// A type in which the method's own lifetimes are left to inference.
pub(super) fn without_lifetimes(tokens: TokenStream, lifetimes: &[Ident]) -> TokenStream {
    if lifetimes.is_empty() {
        return tokens;
    }
    let mut out = TokenStream::new();
    let mut after_tick = false;
    for token in tokens {
        let tick = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '\'');
        let token = match token {
            TokenTree::Ident(ident) if after_tick && lifetimes.contains(&ident) => {
                TokenTree::Ident(Ident::new("_", ident.span()))
            }
            TokenTree::Group(group) => {
                let mut inner = Group::new(
                    group.delimiter(),
                    without_lifetimes(group.stream(), lifetimes),
                );
                inner.set_span(group.span());
                TokenTree::Group(inner)
            }
            other => other,
        };
        after_tick = tick;
        out.extend([token]);
    }
    out
}
