//! `#[property]` on a getter, a setter or an associated constant.

use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{FnArg, ImplItemConst, ImplItemFn, Type};

use super::borrowed::{strip, without_lifetimes};
use super::method::{Self_, signature};
use super::params::{lifetimes, output, params, value_keys};
use super::{item, plain};
use crate::errors::Errors;
use crate::model::{Access, Property, Role, Slot, ValueKeys};
use crate::parse::items::{Marker, RawItem, parse_item};
use crate::parse::keys::Keys;

/// An associated constant.
pub(super) fn constant(marker: Marker, raw: &RawItem, errors: &mut Errors) -> Option<Property> {
    let constant: ImplItemConst = parse_item(raw, errors)?;
    let mut keys = Keys::parse("`#[property]` on a constant", marker.args, errors);
    let rust = &constant.ident;
    let item = item(&mut keys, plain(rust), rust, &constant.attrs, errors);
    let is_override = keys.flag("override", errors).is_some();
    keys.refuse(
        &["set", "read_only"],
        "goes without saying: a constant is only read",
        errors,
    );
    let values = value_keys(&mut keys, false, errors);
    keys.finish(errors);
    Some(Property {
        item,
        is_override,
        keys: values,
        span: constant.ty.span(),
        access: Access::Const {
            rust: rust.clone(),
            ty: shown(&constant.ty, &[]),
        },
    })
}

/// A getter, or with `#[property(set)]` a setter.
pub(super) fn accessor(marker: Marker, raw: &RawItem, errors: &mut Errors) -> Option<Property> {
    let function: ImplItemFn = parse_item(raw, errors)?;
    let mut keys = Keys::parse("`#[property]`", marker.args, errors);
    if keys.flag("set", errors).is_some() {
        setter(keys, &function, errors)
    } else {
        getter(keys, &function, errors)
    }
}

fn getter(mut keys: Keys, function: &ImplItemFn, errors: &mut Errors) -> Option<Property> {
    let sig = &function.sig;
    let rust = &sig.ident;
    let what = format!("getter `{}`", plain(rust));
    let item = item(&mut keys, plain(rust), rust, &function.attrs, errors);
    let is_override = keys.flag("override", errors).is_some();
    keys.refuse(
        &["read_only"],
        "goes without saying: a getter without a setter is only read",
        errors,
    );
    let values = value_keys(&mut keys, false, errors);
    keys.finish(errors);
    let receiver = signature(&what, sig, errors);
    if receiver == Self_::Mut {
        let place = sig.receiver().map(ToTokens::to_token_stream);
        errors.on(
            place,
            format!("{what} takes `&mut self`: it only looks, so `&self`"),
        );
    }
    let mut slots = Vec::new();
    for input in &sig.inputs {
        let FnArg::Typed(typed) = input else { continue };
        if typed.attrs.iter().any(|attr| attr.path().is_ident("world")) {
            let span = typed.ty.span();
            slots.push(Slot { world: true, span });
        } else if matches!(strip(&typed.ty), Type::Reference(_))
            && !slots.iter().any(|slot| !slot.world)
        {
            let span = typed.ty.span();
            slots.push(Slot { world: false, span });
        } else {
            errors.on(
                typed,
                format!(
                    "{what} takes an argument: a property is read without any (what sets it is \
                     marked `#[property(set)]`)"
                ),
            );
        }
    }
    let syn::ReturnType::Type(_, ty) = &sig.output else {
        errors.on(
            rust,
            format!("{what} returns nothing: a getter returns the value"),
        );
        return None;
    };
    Some(Property {
        item,
        is_override,
        keys: values,
        span: ty.span(),
        access: Access::Getter {
            rust: rust.clone(),
            receiver: receiver != Self_::None,
            slots,
            ty: shown(ty, &lifetimes(sig)),
        },
    })
}

fn setter(mut keys: Keys, function: &ImplItemFn, errors: &mut Errors) -> Option<Property> {
    let sig = &function.sig;
    let rust = &sig.ident;
    let what = format!("setter `{}`", plain(rust));
    keys.refuse(
        &[
            "alias",
            "display",
            "category",
            "since",
            "meta",
            "override",
            "read_only",
        ],
        "is said of a property once, on its getter",
        errors,
    );
    let named = plain(rust);
    let default_name = named.strip_prefix("set_").map(str::to_owned);
    let mut item = item(
        &mut keys,
        default_name.clone().unwrap_or_else(|| named.clone()),
        rust,
        &function.attrs,
        errors,
    );
    if item.name == named && default_name.is_none() {
        errors.on(
            rust,
            format!(
                "{what} does not say which property it sets: call it `set_<property>`, or write \
                 `#[property(set, name = \"<property>\")]`"
            ),
        );
    }
    // The compiler's check of names is about getters.
    item.aliases.clear();
    let values = value_keys(&mut keys, false, errors);
    keys.finish(errors);
    let receiver = signature(&what, sig, errors);
    let mut params = params(&what, sig, errors);
    // A context is known by its type alone; bounds go with numbers, which come by value.
    let by_value = params
        .iter_mut()
        .rev()
        .find(|p| matches!(p.role, Role::Value(_)));
    match by_value {
        Some(param) => param.keys.narrow(values),
        None => {
            if let Some(param) = params
                .iter_mut()
                .rev()
                .find(|p| matches!(p.role, Role::Shared(_)))
            {
                param.keys.narrow(values);
            }
        }
    }
    let mut values = params.iter().filter(|p| matches!(p.role, Role::Value(_)));
    if let Some(second) = values.nth(1) {
        errors.on(
            &second.ty,
            format!("{what} is given one value, and this is a second: `fn set_x(&mut self, x: T)`"),
        );
    }
    let taken = |role: &Role| matches!(role, Role::Value(_) | Role::Shared(_) | Role::Mut(_));
    if params.iter().filter(|param| taken(&param.role)).count() == 0 {
        errors.on(
            rust,
            format!("{what} takes no value: `fn set_x(&mut self, x: T)`"),
        );
    }
    for param in &params {
        if let Role::Out(_) = param.role {
            errors.on(
                &param.ty,
                format!("{what} is given a value, it has no `out`"),
            );
        }
    }
    Some(Property {
        item,
        is_override: false,
        keys: ValueKeys::default(),
        span: output(sig).1,
        access: Access::Setter {
            rust: rust.clone(),
            receiver: receiver != Self_::None,
            params,
            output: output(sig).1,
        },
    })
}

/// The type whose schema a property or a query's answer has: what a reference refers to.
pub(super) fn shown(ty: &Type, lifetimes: &[proc_macro2::Ident]) -> proc_macro2::TokenStream {
    let ty = match strip(ty) {
        Type::Reference(reference) => &*reference.elem,
        other => other,
    };
    without_lifetimes(ty.to_token_stream(), lifetimes)
}
