//! `#[event]`: a signature without a body.

use syn::{FnArg, Pat, ReturnType, TraitItemFn};

use super::method::signature;
use super::params::params;
use super::{item, plain, span_of};
use crate::errors::Errors;
use crate::model::{Event, Role};
use crate::parse::items::{Marker, RawItem, cfgs};
use crate::parse::keys::Keys;

/// An event. A signature is parsed as a trait's: those may end in `;`.
pub(super) fn event(
    marker: Marker,
    raw: &RawItem,
    in_trait: bool,
    errors: &mut Errors,
) -> Option<Event> {
    if in_trait {
        errors.on(
            &marker.path,
            "an event is a constructor of the agent's own: put it in an inherent block, \
             `impl Agent { … }`",
        );
        return None;
    }
    let (vis, tokens) = split_visibility(raw, errors)?;
    let function: TraitItemFn = errors.keep(syn::parse2(tokens))?;
    let mistakes = errors.count();
    let sig = &function.sig;
    let rust = &sig.ident;
    let what = format!("event `{}`", plain(rust));
    if let Some(body) = &function.default {
        errors.at(
            span_of(body),
            format!("{what} has a body: the macro writes the constructor, end it with `;`"),
        );
    }
    let mut keys = Keys::parse("`#[event]`", marker.args, errors);
    let item = item(&mut keys, plain(rust), rust, &function.attrs, errors);
    keys.finish(errors);
    signature(&what, sig, errors);
    if let Some(receiver) = sig.receiver() {
        errors.on(
            receiver,
            format!("{what} has a receiver: an event is fired at an agent, not called on it"),
        );
    }
    if let ReturnType::Type(_, ty) = &sig.output {
        errors.on(
            ty,
            format!("{what} has a return type: the constructor returns the `Event`"),
        );
    }
    let params = params(&what, sig, errors);
    for param in &params {
        match param.role {
            Role::Value(_) | Role::Shared(_) => {}
            Role::World => errors.on(&param.ty, format!("{what} carries values, not the world")),
            Role::Mut(_) | Role::Out(_) | Role::Ended | Role::Asked => errors.on(
                &param.ty,
                format!(
                    "{what} carries values: take `{}` by value or by `&`",
                    param.name
                ),
            ),
        }
        if let Some(default) = &param.keys.default {
            errors.on(
                default,
                format!("{what} has no defaults: who fires it gives all"),
            );
        }
    }
    let inputs = sig.inputs.iter().filter_map(|input| match input {
        FnArg::Typed(typed) => match &*typed.pat {
            Pat::Ident(pat) => Some((pat.ident.clone(), (*typed.ty).clone(), cfgs(&typed.attrs))),
            _ => None,
        },
        FnArg::Receiver(_) => None,
    });
    let inputs = inputs.collect();
    Some(Event {
        item,
        rust: rust.clone(),
        inputs,
        params,
        attrs: function.attrs.clone(),
        vis,
        generics: sig.generics.clone(),
        is_wrong: errors.count() > mistakes,
    })
}

/// Takes the visibility off, which a trait's signature cannot have.
fn split_visibility(
    raw: &RawItem,
    errors: &mut Errors,
) -> Option<(syn::Visibility, proc_macro2::TokenStream)> {
    use syn::parse::Parser;
    let parser = |input: syn::parse::ParseStream<'_>| {
        let attrs = input.call(syn::Attribute::parse_outer)?;
        let vis: syn::Visibility = input.parse()?;
        let rest: proc_macro2::TokenStream = input.parse()?;
        Ok((vis, quote::quote!(#(#attrs)* #rest)))
    };
    errors.keep(parser.parse2(raw.without_body()))
}
