//! From what was parsed to the model, collecting everything that is wrong on the way.

mod agent;
mod block;
mod borrowed;
mod event;
mod method;
mod params;
mod property;

pub(crate) use agent::agent;
pub(crate) use block::block;

use proc_macro2::{Ident, Span, TokenStream};
use syn::ext::IdentExt;
use syn::{Attribute, LitStr};

use crate::errors::Errors;
use crate::model::Item;
use crate::parse::items::{cfgs, deprecated, docs};
use crate::parse::keys::{Keys, meta};

/// The keys that every item takes, and its other attributes.
pub(crate) fn item(
    keys: &mut Keys,
    default_name: String,
    rust: &Ident,
    attrs: &[Attribute],
    errors: &mut Errors,
) -> Item {
    let (name, name_span) = match keys.string("name", errors) {
        Some(text) => {
            check_name(&text, errors);
            (text.value(), text.span())
        }
        None => (default_name, rust.span()),
    };
    let aliases = aliases(keys, &name, errors);
    Item {
        name,
        name_span,
        docs: docs(attrs),
        aliases,
        display: keys.string("display", errors),
        category: keys.string("category", errors),
        since: keys.string("since", errors),
        meta: keys
            .list("meta", errors)
            .map(|tokens| meta(tokens, errors))
            .unwrap_or_default(),
        deprecated: deprecated(attrs),
        cfgs: cfgs(attrs),
    }
}

/// `alias = […]`: names, none given twice, none the item's own.
fn aliases(keys: &mut Keys, name: &str, errors: &mut Errors) -> Vec<LitStr> {
    let aliases = keys.strings("alias", errors);
    for (at, alias) in aliases.iter().enumerate() {
        check_name(alias, errors);
        if alias.value() == name {
            errors.on(alias, "an alias is another name than the name itself");
        } else if aliases[..at]
            .iter()
            .any(|other| other.value() == alias.value())
        {
            errors.on(alias, format!("alias `{}` is given twice", alias.value()));
        }
    }
    aliases
}

/// A name is something, without space around it and without control characters.
fn check_name(text: &LitStr, errors: &mut Errors) {
    let name = text.value();
    if name.is_empty() {
        errors.on(text, "a name cannot be empty");
    } else if name.trim() != name || name.chars().any(char::is_control) {
        errors.on(
            text,
            format!("name {name:?} has white space around it, or a control character in it"),
        );
    }
}

/// `r#type` is called `type`.
fn plain(ident: &Ident) -> String {
    ident.unraw().to_string()
}

/// The span of some tokens, or that of the macro's use if there are none.
fn span_of(tokens: impl quote::ToTokens) -> Span {
    let tokens: TokenStream = tokens.to_token_stream();
    tokens
        .into_iter()
        .next()
        .map_or_else(Span::call_site, |token| token.span())
}
