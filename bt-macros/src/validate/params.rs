//! Parameters: what each is, and `#[arg(…)]`.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::spanned::Spanned;
use syn::{Attribute, Expr, FnArg, Pat, PatType, Signature, Type};

use super::borrowed::{borrowing_type, borrows, strip, without_lifetimes};
use super::{aliases, check_name, plain};
use crate::errors::Errors;
use crate::model::{Param, Role, Slot, ValueKeys};
use crate::parse::items::{ARG_KEYS, cfgs, docs, names_impl};
use crate::parse::keys::{Keys, number};

/// The number of parameters that a method can have beside its receiver and the world.
const MOST: usize = 12;

/// The parameters of a registered method.
pub(super) fn params(what: &str, sig: &Signature, errors: &mut Errors) -> Vec<Param> {
    let mut params: Vec<Param> = Vec::new();
    for (typed, name) in typed(what, sig, errors) {
        let lifetimes = lifetimes(sig);
        let Some(param) = param(what, typed, name, &lifetimes, errors) else {
            continue;
        };
        if matches!(param.role, Role::World)
            && params.iter().any(|other| matches!(other.role, Role::World))
        {
            errors.on(&typed.pat, format!("{what} takes the world twice"));
            continue;
        }
        let names = |p: &Param| {
            let mut names = vec![p.name.clone()];
            names.extend(p.keys.aliases.iter().map(syn::LitStr::value));
            names
        };
        let others = params.iter().filter(|other| is_value(&other.role));
        let taken: Vec<_> = others.flat_map(names).collect();
        let twice = names(&param).into_iter().find(|name| taken.contains(name));
        if let Some(name) = twice.filter(|_| is_value(&param.role)) {
            errors.on(
                &typed.pat,
                format!("{what} has two arguments called `{name}`"),
            );
            continue;
        }
        params.push(param);
    }
    let count = params
        .iter()
        .filter(|p| !matches!(p.role, Role::World))
        .count();
    if count > MOST {
        errors.on(
            &sig.ident,
            format!(
                "{what} has {count} parameters beside the world, the most is {MOST}: put some \
                 together in a struct"
            ),
        );
    }
    if params.iter().filter(|p| !p.cfgs.is_empty()).count() > 4 {
        errors.on(
            &sig.ident,
            format!("{what} has more than 4 parameters with `#[cfg]`"),
        );
    }
    params
}

/// Returns true if a type is spelled as the context.
fn is_context(ty: &Type) -> bool {
    let Type::Reference(reference) = strip(ty) else {
        return false;
    };
    let Type::Path(path) = strip(&reference.elem) else {
        return false;
    };
    path.path
        .segments
        .last()
        .is_some_and(|last| last.ident == "Context")
}

fn is_value(role: &Role) -> bool {
    !matches!(role, Role::World | Role::Ended | Role::Asked)
}

/// The lifetimes that a method declares.
pub(super) fn lifetimes(sig: &Signature) -> Vec<Ident> {
    let lifetimes = sig.generics.lifetimes();
    lifetimes
        .map(|param| param.lifetime.ident.clone())
        .collect()
}

/// The parameters after the receiver, each with its name.
fn typed<'a>(what: &str, sig: &'a Signature, errors: &mut Errors) -> Vec<(&'a PatType, Ident)> {
    let mut found = Vec::new();
    for input in &sig.inputs {
        let FnArg::Typed(typed) = input else { continue };
        match &*typed.pat {
            Pat::Ident(pat) if pat.subpat.is_none() && pat.by_ref.is_none() => {
                found.push((typed, pat.ident.clone()));
            }
            Pat::Wild(_) => errors.on(
                &typed.pat,
                format!(
                    "an argument of {what} has no name: trees and the editor call it by name, so \
                     write `_name: …` or `name: …`"
                ),
            ),
            _ => errors.on(
                &typed.pat,
                format!(
                    "an argument of {what} is taken apart in the signature: give it one name, and \
                     take it apart in the body"
                ),
            ),
        }
    }
    found
}

fn param(
    what: &str,
    typed: &PatType,
    ident: Ident,
    lifetimes: &[Ident],
    errors: &mut Errors,
) -> Option<Param> {
    let mut world = false;
    let mut args: Option<TokenStream> = None;
    for attr in &typed.attrs {
        if attr.path().is_ident("world") {
            if !matches!(attr.meta, syn::Meta::Path(_)) {
                errors.on(attr, "`#[world]` takes no keys");
            }
            if world {
                errors.on(attr, "`#[world]` is given twice");
            }
            world = true;
        } else if attr.path().is_ident("arg") {
            if args.is_some() {
                errors.on(attr, "`#[arg]` is given twice: put all keys in one");
            }
            args = Some(arg_tokens(attr, errors));
        } else if let Some(key) = ARG_KEYS.iter().find(|key| attr.path().is_ident(key)) {
            let value = match &attr.meta {
                syn::Meta::NameValue(pair) => format!(" = {}", pair.value.to_token_stream()),
                syn::Meta::Path(_) | syn::Meta::List(_) if *key == "out" => String::new(),
                syn::Meta::Path(_) | syn::Meta::List(_) => " = …".to_owned(),
            };
            errors.on(
                attr,
                format!("`{key}` is a key of `#[arg]`: write `#[arg({key}{value})]`"),
            );
        }
    }
    let shown = plain(&ident);
    let mut keys = Keys::parse("`#[arg]`", args.unwrap_or_default(), errors);
    if world {
        keys.refuse(
            ALL_ARG_KEYS,
            "belongs to an argument, the world is none",
            errors,
        );
        keys.finish(errors);
        if !matches!(strip(&typed.ty), Type::Reference(_)) {
            errors.on(
                &typed.ty,
                "the world is borrowed for the time of a poll: write `&mut World` or `&World`",
            );
            return None;
        }
        return Some(Param {
            name: shown,
            rust: ident,
            role: Role::World,
            docs: Vec::new(),
            keys: ValueKeys::default(),
            cfgs: cfgs(&typed.attrs),
            ty: typed.ty.to_token_stream(),
            span: typed.ty.span(),
        });
    }
    let out = keys.flag("out", errors);
    let name = match keys.string("name", errors) {
        Some(text) => {
            check_name(&text, errors);
            text.value()
        }
        // `_unused` is called `unused`.
        None => match shown.trim_start_matches('_') {
            "" => shown.clone(),
            name => name.to_owned(),
        },
    };
    if names_impl(typed.ty.to_token_stream()) {
        errors.on(
            &typed.ty,
            format!(
                "argument `{name}` of {what} has no type of its own (`impl Trait`): name one that \
                 is decoded from JSON"
            ),
        );
        return None;
    }
    if let Some((token, instead)) = borrows(&typed.ty, lifetimes) {
        errors.at(
            token,
            format!(
                "argument `{name}` of {what} borrows from outside the call, and is decoded from JSON for the \
                 time of the call: write {instead}"
            ),
        );
        return None;
    }
    if let Some(token) = borrowing_type(&typed.ty) {
        errors.at(
            token,
            format!(
                "argument `{name}` of {what} is of a type that borrows, and is decoded from JSON for \
                 the time of the call: write a type that owns what it holds, such as `String`"
            ),
        );
        return None;
    }
    let role = role(&typed.ty, out, &name, lifetimes, errors);
    if let Role::Mut(_) | Role::Out(_) = role {
        keys.refuse(
            &["default", "choices"],
            "goes with an argument that is given a value; a `&mut` one takes the name of a \
             blackboard key",
            errors,
        );
    }
    let aliases = aliases(&mut keys, &name, errors);
    let mut values = value_keys(&mut keys, true, errors);
    values.aliases = aliases;
    values.display = keys.string("display", errors);
    values.deprecated = keys.flag("deprecated", errors).is_some();
    keys.finish(errors);
    Some(Param {
        name,
        rust: ident,
        role,
        docs: docs(&typed.attrs),
        keys: values,
        cfgs: cfgs(&typed.attrs),
        ty: without_lifetimes(typed.ty.to_token_stream(), lifetimes),
        span: typed.ty.span(),
    })
}

const ALL_ARG_KEYS: &[&str] = &[
    "default",
    "min",
    "max",
    "step",
    "unit",
    "choices",
    "out",
    "name",
    "alias",
    "display",
    "deprecated",
];

fn arg_tokens(attr: &Attribute, errors: &mut Errors) -> TokenStream {
    match &attr.meta {
        syn::Meta::Path(_) => TokenStream::new(),
        syn::Meta::List(list) => list.tokens.clone(),
        syn::Meta::NameValue(_) => {
            errors.on(
                attr,
                "`#[arg]` takes keys in parentheses: `#[arg(unit = \"m\")]`",
            );
            TokenStream::new()
        }
    }
}

/// `default`, `min`, `max`, `step`, `unit`, `choices`: what narrows a value.
pub(super) fn value_keys(keys: &mut Keys, with_default: bool, errors: &mut Errors) -> ValueKeys {
    let values = ValueKeys {
        default: with_default.then(|| keys.expr("default", errors)).flatten(),
        min: keys.expr("min", errors),
        max: keys.expr("max", errors),
        step: keys.expr("step", errors),
        choices: keys.exprs("choices", errors),
        unit: keys.string("unit", errors),
        ..ValueKeys::default()
    };
    // What is written out can be compared here; the rest is checked where a value arrives.
    let at = |value: &Option<Expr>| value.as_ref().and_then(number);
    if let (Some(min), Some(max)) = (at(&values.min), at(&values.max))
        && min > max
    {
        errors.on(&values.max, format!("`max` ({max}) is below `min` ({min})"));
    }
    if let Some(default) = at(&values.default) {
        if at(&values.min).is_some_and(|min| default < min) {
            errors.on(
                &values.default,
                format!("the default {default} is below `min`"),
            );
        }
        if at(&values.max).is_some_and(|max| default > max) {
            errors.on(
                &values.default,
                format!("the default {default} is above `max`"),
            );
        }
    }
    if at(&values.step).is_some_and(|step| step <= 0.0) {
        errors.on(
            &values.step,
            "`step` is what an editor adds to a value: above zero",
        );
    }
    if let (Some(default), Some(choices)) = (&values.default, &values.choices) {
        let text = |value: &Expr| value.to_token_stream().to_string();
        let literal = |value: &Expr| matches!(value, Expr::Lit(_));
        let apart = choices.iter().all(|choice| text(choice) != text(default));
        if literal(default) && choices.iter().all(literal) && apart {
            errors.on(default, "the default is none of the `choices`");
        }
    }
    values
}

/// The way in which a parameter is passed, from its reference and nothing else.
fn role(
    ty: &Type,
    out: Option<Span>,
    name: &str,
    lifetimes: &[Ident],
    errors: &mut Errors,
) -> Role {
    let not_mut = |errors: &mut Errors| {
        if let Some(span) = out {
            errors.at(
                span,
                format!("`out` is a result, written through a reference: `{name}: &mut T`"),
            );
        }
    };
    match strip(ty) {
        Type::Reference(reference) => {
            let inner = without_lifetimes(reference.elem.to_token_stream(), lifetimes);
            match (reference.mutability, out) {
                (None, _) => {
                    not_mut(errors);
                    Role::Shared(inner)
                }
                (Some(_), None) => Role::Mut(inner),
                (Some(_), Some(_)) => Role::Out(inner),
            }
        }
        ty => {
            not_mut(errors);
            Role::Value(without_lifetimes(ty.to_token_stream(), lifetimes))
        }
    }
}

/// The parameters of a method that is given fixed things in a fixed order: which is the world.
/// `None` if that is not what was written.
pub(super) fn slots(
    what: &str,
    sig: &Signature,
    expected: usize,
    usage: &str,
    errors: &mut Errors,
) -> Option<Vec<Slot>> {
    let slots = all_slots(what, sig, usage, errors);
    let given = slots.iter().filter(|slot| !slot.world).count();
    if given != expected || slots.len() - given > 1 {
        errors.on(&sig.ident, other_parameters(what, usage));
        return None;
    }
    Some(slots)
}

fn other_parameters(what: &str, usage: &str) -> String {
    format!("{what} has other parameters than it is given: {usage}")
}

/// The same where arguments of the action may follow: an exit method.
pub(super) fn slots_and_args(
    what: &str,
    sig: &Signature,
    (action, params): (&str, &[Param]),
    usage: &str,
    errors: &mut Errors,
) -> Option<(Vec<Slot>, Vec<Param>)> {
    let slots = all_slots(what, sig, usage, errors);
    let given = slots.iter().filter(|slot| !slot.world).count();
    if given < 2 || slots.len() - given > 1 {
        errors.on(&sig.ident, other_parameters(what, usage));
        return None;
    }
    let is_world = |typed: &PatType| typed.attrs.iter().any(|attr| attr.path().is_ident("world"));
    let typed = sig.inputs.iter().filter_map(|input| match input {
        FnArg::Typed(typed) if !is_world(typed) => Some(typed),
        _ => None,
    });
    let mistakes = errors.count();
    let args: Vec<_> = typed
        .skip(2)
        .filter_map(|typed| exit_arg(what, sig, typed, (action, params), errors))
        .collect();
    (errors.count() == mistakes).then_some((slots, args))
}

/// An argument of the action that its exit method takes: by the same name.
fn exit_arg(
    what: &str,
    sig: &Signature,
    typed: &PatType,
    (action, params): (&str, &[Param]),
    errors: &mut Errors,
) -> Option<Param> {
    let Pat::Ident(pat) = &*typed.pat else {
        errors.on(
            &typed.pat,
            format!("{what} takes an argument of {action} without its name: it goes by that"),
        );
        return None;
    };
    let arguments = params.iter().filter(|param| {
        let is_context = syn::parse2(param.ty.clone()).is_ok_and(|ty| is_context(&ty));
        is_value(&param.role) && !is_context
    });
    let arguments: Vec<_> = arguments.collect();
    let name = plain(&pat.ident);
    let short = |name: &str| name.trim_start_matches('_').to_owned();
    let same = |param: &&&Param| short(&plain(&param.rust)) == short(&name);
    let Some(argument) = arguments.iter().find(same) else {
        let names: Vec<_> = arguments
            .iter()
            .map(|param| format!("`{}`", plain(&param.rust)))
            .collect();
        let has = match names.as_slice() {
            [] => "it has none".to_owned(),
            names => format!("it has {}", names.join(", ")),
        };
        errors.on(
            &typed.pat,
            format!("{what} takes `{name}`, which is no argument of {action}: {has}"),
        );
        return None;
    };
    let why = match (&argument.role, &argument.cfgs[..]) {
        (Role::Mut(_) | Role::Out(_), _) => {
            Some("which is written back to its key: an exit method gets what the call was given")
        }
        (_, [_, ..]) => Some("which has a `#[cfg]`: an exit method takes what is always there"),
        (Role::World | Role::Ended | Role::Asked | Role::Value(_) | Role::Shared(_), []) => None,
    };
    if let Some(why) = why {
        errors.on(
            &typed.pat,
            format!("{what} takes `{name}` of {action}, {why}"),
        );
        return None;
    }
    let mut param = param(what, typed, pat.ident.clone(), &lifetimes(sig), errors)?;
    if let Role::Mut(_) = param.role {
        errors.on(
            &typed.ty,
            format!("{what} changes `{name}`, which nobody sees: take it by value or by `&`"),
        );
        return None;
    }
    param.name.clone_from(&argument.name);
    Some(param)
}

fn all_slots(what: &str, sig: &Signature, usage: &str, errors: &mut Errors) -> Vec<Slot> {
    let mut slots = Vec::new();
    for input in &sig.inputs {
        let FnArg::Typed(typed) = input else { continue };
        let mut world = false;
        for attr in &typed.attrs {
            world |= attr.path().is_ident("world");
            if attr.path().is_ident("arg") {
                errors.on(
                    attr,
                    format!("{what} takes no arguments from trees: {usage}"),
                );
            }
        }
        let span = typed.ty.span();
        slots.push(Slot { world, span });
    }
    slots
}

/// The type that a signature returns; `()` if it says nothing.
pub(super) fn output(sig: &Signature) -> (TokenStream, Span) {
    match &sig.output {
        syn::ReturnType::Default => (quote!(()), sig.ident.span()),
        syn::ReturnType::Type(_, ty) => (ty.to_token_stream(), ty.span()),
    }
}
