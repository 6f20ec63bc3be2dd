//! `#[action]`, `#[condition]`, `#[query]`, `#[decorator]`, `#[composite]`, `#[fallback]`.

use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{Expr, ImplItemFn, LitStr, Receiver, ReceiverKind, ReturnType, Safety, Signature, Type};

use super::borrowed::strip;
use super::params::{lifetimes, output, params, slots, slots_and_args};
use super::property::shown;
use super::{item, plain};
use crate::errors::Errors;
use crate::model::{Hook, Method, MethodKind, Param, Role, Slot};
use crate::parse::items::{Marker, RawBlock, RawItem, RawKind, names_impl, parse_item};
use crate::parse::keys::{Keys, number};

/// The receiver of a method.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Self_ {
    None,
    Shared,
    Mut,
}

/// Reports signatures that no registered function can have.
pub(super) fn signature(what: &str, sig: &Signature, errors: &mut Errors) -> Self_ {
    const INSTEAD: &str = "return `Option<bool>`, `None` for started and not finished, and finish it \
                           through `cx.completion()`, `cx.finish_after(…)` or `cx.finish_on(…)`";
    callable(what, sig, INSTEAD, errors)
}

/// The same, with what to write instead of an `async fn`.
fn callable(what: &str, sig: &Signature, instead: &str, errors: &mut Errors) -> Self_ {
    if let Some(token) = sig.asyncness {
        errors.on(token, format!("{what} is an `async fn`: {instead}"));
    }
    if let Safety::Unsafe(token) = sig.safety {
        errors.on(
            token,
            format!("{what} is unsafe: trees can only call safe functions"),
        );
    }
    if let Some(abi) = &sig.abi {
        errors.on(
            abi,
            format!("{what} has a foreign ABI: trees call Rust functions"),
        );
    }
    let generic = sig.generics.type_params().next().map(Spanned::span);
    let generic = generic.or_else(|| sig.generics.const_params().next().map(Spanned::span));
    if let Some(span) = generic {
        errors.at(
            span,
            format!(
                "{what} is generic, and a tree has no types to choose: write the concrete types, \
                 or `serde_json::Value` for any value"
            ),
        );
    }
    if names_impl(sig.output.to_token_stream()) {
        errors.on(
            &sig.output,
            format!("{what} returns `impl Trait`: name the type that it returns"),
        );
    }
    match sig.receiver() {
        Some(receiver) => self_(what, receiver, errors),
        None => Self_::None,
    }
}

fn self_(what: &str, receiver: &Receiver, errors: &mut Errors) -> Self_ {
    match &receiver.kind {
        ReceiverKind::Reference(_, _, mutability) => {
            if mutability.is_some() {
                Self_::Mut
            } else {
                Self_::Shared
            }
        }
        ReceiverKind::Typed(_, ty)
            if let Type::Reference(reference) = strip(ty)
                && is_self(&reference.elem) =>
        {
            if reference.mutability.is_some() {
                Self_::Mut
            } else {
                Self_::Shared
            }
        }
        ReceiverKind::Typed(_, ty) if let Type::Reference(reference) = strip(ty) => {
            let (instead, receiver_kind) = match reference.mutability {
                Some(_) => ("&mut self", Self_::Mut),
                None => ("&self", Self_::Shared),
            };
            errors.on(
                receiver,
                format!("{what} spells the type of its receiver: write `{instead}`"),
            );
            receiver_kind
        }
        _ => {
            errors.on(
                receiver,
                format!(
                    "{what} takes `self` by value: the agent stays the caller's, so write `&self` \
                     or `&mut self`"
                ),
            );
            Self_::Mut
        }
    }
}

fn is_self(ty: &Type) -> bool {
    matches!(strip(ty), Type::Path(path) if path.path.is_ident("Self"))
}

/// One method that a tree calls by name.
pub(super) fn method(
    kind: MethodKind,
    marker: Marker,
    raw: &RawItem,
    block: &RawBlock,
    errors: &mut Errors,
) -> Option<Method> {
    let function: ImplItemFn = parse_item(raw, errors)?;
    let sig = &function.sig;
    let what = format!("{} `{}`", kind.word(), plain(&sig.ident));
    let mut keys = Keys::parse(format!("`{}`", marker.title()), marker.args, errors);
    let item = item(
        &mut keys,
        plain(&sig.ident),
        &sig.ident,
        &function.attrs,
        errors,
    );
    let receiver = match kind {
        MethodKind::Query => {
            let instead = "a query answers at once; what takes time is an `#[action]`";
            callable(&what, sig, instead, errors)
        }
        MethodKind::Action
        | MethodKind::Condition
        | MethodKind::Decorator
        | MethodKind::Composite => signature(&what, sig, errors),
    };
    let mut params = params(&what, sig, errors);
    let only_looks = matches!(kind, MethodKind::Condition | MethodKind::Query);
    if only_looks && receiver == Self_::Mut {
        let place = sig.receiver().map(ToTokens::to_token_stream);
        errors.on(
            place,
            format!("{what} takes `&mut self`: it only looks, so `&self`"),
        );
    }
    let mut answer = None;
    match kind {
        MethodKind::Action => {}
        MethodKind::Query => {
            params.iter().for_each(|param| looks(&what, param, errors));
            match &sig.output {
                ReturnType::Type(_, ty) => answer = Some(shown(ty, &lifetimes(sig))),
                ReturnType::Default => errors.on(
                    &sig.ident,
                    format!(
                        "{what} returns nothing: it answers with a value, such as `-> f64`; what only does \
                         something is an `#[action]`"
                    ),
                ),
            }
        }
        MethodKind::Condition => {
            for param in &params {
                if let Role::Out(_) = param.role {
                    errors.on(
                        &param.ty,
                        format!("{what} writes a result: that is an `#[action]`"),
                    );
                }
            }
        }
        MethodKind::Decorator => {
            const USAGE: &str = "a decorator's last parameter is `ended: Option<bool>`: how its \
                                 child ended, `None` on entry; or it takes `asked: Asked`";
            let mut last = params.iter_mut().rev();
            let last = last.find(|p| !matches!(p.role, Role::World));
            let ended = last.filter(|last| last.name == "ended");
            if let Some(ended) = ended {
                ended.role = Role::Ended;
            } else if !asked(&mut params) {
                errors.on(
                    &sig.ident,
                    format!("{what} does not take how its child ended: {USAGE}"),
                );
            }
        }
        MethodKind::Composite => {
            if !asked(&mut params) {
                errors.on(
                    &sig.ident,
                    format!(
                        "{what} does not take why it is called: its first parameter is `asked: Asked`, which says \
                         that the node is entered, or which child has ended and how"
                    ),
                );
            }
        }
    }
    let is_override = keys.flag("override", errors).is_some();
    let (mut running, mut children) = (false, None);
    let (mut exit, mut resume) = (None, None);
    match kind {
        MethodKind::Action | MethodKind::Decorator | MethodKind::Composite => {
            let mut hook = |key, usage: &str, errors: &mut Errors| {
                let name = keys.string(key, errors)?;
                let hook = hook(key, &name, block, (&what, &params), usage, errors)?;
                Some((name, hook))
            };
            exit = hook(
                "exit",
                "`fn(&mut self, cx: &mut Context, exit: Exit)`, then any arguments of the method that names it, and \
                 `#[world] …` anywhere",
                errors,
            );
            resume = hook(
                "resume",
                "`fn(&mut self, cx: &mut Context, kept: T) -> Option<bool>`, and `#[world] …` anywhere",
                errors,
            );
        }
        MethodKind::Condition | MethodKind::Query => {
            let why = format!(
                "goes with `#[action]`, `#[decorator]` and `#[composite]`: a {} is never left running",
                kind.word()
            );
            keys.refuse(&["exit", "resume"], &why, errors);
        }
    }
    if let MethodKind::Decorator | MethodKind::Composite = kind
        && let Some(span) = keys.flag("running", errors)
    {
        running = true;
        if params.iter().any(|param| matches!(param.role, Role::Ended)) {
            errors.at(
                span,
                format!(
                    "{what} is called while its child runs, too: take `asked: Asked` in place of `ended: Option<bool>`"
                ),
            );
        }
    }
    if kind == MethodKind::Composite {
        let least = keys.expr("min", errors);
        let most = keys.expr("max", errors);
        let least = least.map_or(Some(1), |least| count("min", &least, errors));
        let most = most.map(|most| (count("max", &most, errors), most));
        if let (Some(least), Some((Some(found), place))) = (least, &most)
            && *found < least
        {
            let message = format!("`max` ({found}) is below `min` ({least})");
            errors.on(place, message);
        }
        let most = most.and_then(|(most, _)| most);
        children = Some((least.unwrap_or(1), most));
    }
    keys.finish(errors);
    Some(Method {
        kind,
        item,
        rust: sig.ident.clone(),
        receiver: receiver != Self_::None,
        is_override,
        params,
        output: output(sig).1,
        answer,
        exit,
        resume,
        running,
        children,
    })
}

/// Finds the parameter that says what is asked; whether there is one.
fn asked(params: &mut [Param]) -> bool {
    let mut all = params.iter_mut();
    let found = all.find(|param| param.name == "asked" && matches!(param.role, Role::Value(_)));
    found.map(|asked| asked.role = Role::Asked).is_some()
}

/// A number of children.
fn count(key: &str, value: &Expr, errors: &mut Errors) -> Option<u32> {
    let found = number(value).filter(|count| count.fract() == 0.0);
    let found = found.filter(|count| (1.0..=f64::from(u32::MAX)).contains(count));
    if found.is_none() {
        let message = format!("`{key}` is a number of children: write a whole number from 1");
        errors.on(value, message);
    }
    found.map(|count| count as u32)
}

/// Reports a parameter through which a query could change something.
fn looks(what: &str, param: &Param, errors: &mut Errors) {
    let Ok(Type::Reference(reference)) = syn::parse2(param.ty.clone()) else {
        return;
    };
    if reference.mutability.is_some() {
        let of = reference
            .elem
            .to_token_stream()
            .to_string()
            .replace(' ', "");
        errors.on(
            &param.ty,
            format!("{what} takes `&mut {of}`: it only looks, so `&{of}`"),
        );
    }
}

/// A method that another names. Where the block defines it, its parameters are read; else it has
/// those of the contract, and the compiler checks.
fn hook(
    key: &str,
    name: &LitStr,
    block: &RawBlock,
    action: (&str, &[Param]),
    usage: &str,
    errors: &mut Errors,
) -> Option<Hook> {
    let Ok(mut rust) = name.parse::<syn::Ident>() else {
        errors.on(name, format!("`{}` is no method's name", name.value()));
        return None;
    };
    let defined = block.items.iter().find(|item| match &item.kind {
        RawKind::Fn(name) => *name == rust,
        RawKind::Const(_) | RawKind::Type(_) | RawKind::Other => false,
    });
    let (slots, args) = match defined {
        Some(raw) => {
            let function: ImplItemFn = parse_item(raw, errors)?;
            let what = format!("{key} method `{rust}`");
            if signature(&what, &function.sig, errors) == Self_::None {
                errors.on(
                    &function.sig.ident,
                    format!("{what} has no receiver: {usage}"),
                );
                return None;
            }
            match key {
                "exit" => slots_and_args(&what, &function.sig, action, usage, errors)?,
                _ => (slots(&what, &function.sig, 2, usage, errors)?, Vec::new()),
            }
        }
        None => {
            let given = Slot {
                world: false,
                span: name.span(),
            };
            (vec![given; 2], Vec::new())
        }
    };
    rust.set_span(name.span());
    Some(Hook {
        line: name.span(),
        rust,
        slots,
        args,
        is_here: defined.is_some(),
    })
}

/// `#[fallback]`
pub(super) fn fallback(marker: Marker, raw: &RawItem, errors: &mut Errors) -> Option<Hook> {
    const USAGE: &str = "`fn(&mut self, cx: &mut Context, name: &str, args: &[Value]) -> \
                         Option<bool>`, and `#[world] …` anywhere";
    let function: ImplItemFn = parse_item(raw, errors)?;
    let sig = &function.sig;
    let what = format!("fallback `{}`", plain(&sig.ident));
    Keys::parse("`#[fallback]`", marker.args, errors).finish(errors);
    if signature(&what, sig, errors) == Self_::None {
        errors.on(&sig.ident, format!("{what} has no receiver: {USAGE}"));
        return None;
    }
    Some(Hook {
        slots: slots(&what, sig, 3, USAGE, errors)?,
        args: Vec::new(),
        is_here: true,
        rust: sig.ident.clone(),
        line: sig.ident.span(),
    })
}
