//! What the macros submit for each item of a block: methods, properties, events, the fallback.

use serde_json::Value;

use super::catalogue::{MethodKind, ReturnKind};
use super::descriptor::ItemDesc;
use super::value::{ParamDesc, Shape, ValueDesc};
use crate::Agent;
use crate::call::{AnyCall, CallError, Context, ExitHook, ResumeHook};

/// An action, a condition or a decorator.
pub struct Method<A: Agent> {
    pub(crate) item: ItemDesc,
    pub(crate) kind: MethodKind,
    pub(crate) is_static: bool,
    pub(crate) is_override: bool,
    pub(crate) args: &'static [ParamDesc],
    pub(crate) call: &'static dyn AnyCall<A>,
    pub(crate) exit: Option<(&'static str, ExitHook<A>)>,
    pub(crate) resume: Option<(&'static str, ResumeHook<A>)>,
}

/// A method without its agent.
#[derive(Debug, Clone, Copy)]
pub struct MethodDesc {
    pub(crate) item: ItemDesc,
    pub(crate) kind: MethodKind,
    pub(crate) is_static: bool,
    pub(crate) is_override: bool,
    pub(crate) args: &'static [ParamDesc],
    pub(crate) shapes: &'static [Shape],
    pub(crate) result: ReturnKind,
    pub(crate) fallible: bool,
    pub(crate) exit: Option<&'static str>,
    pub(crate) resume: Option<&'static str>,
}

/// A method with a receiver.
pub const fn method<A: Agent>(
    kind: MethodKind,
    item: ItemDesc,
    args: &'static [ParamDesc],
    call: &'static dyn AnyCall<A>,
) -> Method<A> {
    Method {
        item,
        kind,
        is_static: false,
        is_override: false,
        args,
        call,
        exit: None,
        resume: None,
    }
}

impl<A: Agent> Method<A> {
    /// Without a receiver.
    pub const fn without_receiver(mut self) -> Self {
        self.is_static = true;
        self
    }

    /// `override`.
    pub const fn overriding(mut self) -> Self {
        self.is_override = true;
        self
    }

    /// `exit = "…"`.
    pub const fn exit(mut self, name: &'static str, hook: ExitHook<A>) -> Self {
        self.exit = Some((name, hook));
        self
    }

    /// `resume = "…"`.
    pub const fn resume(mut self, name: &'static str, hook: ResumeHook<A>) -> Self {
        self.resume = Some((name, hook));
        self
    }

    pub(crate) fn desc(&self) -> MethodDesc {
        let (result, fallible) = self.call.result();
        MethodDesc {
            item: self.item,
            kind: self.kind,
            is_static: self.is_static,
            is_override: self.is_override,
            args: self.args,
            shapes: self.call.shapes(),
            result,
            fallible,
            exit: self.exit.map(|(name, _)| name),
            resume: self.resume.map(|(name, _)| name),
        }
    }
}

/// A property's entry: a getter, a setter, or both (a field).
pub struct Property<A: Agent> {
    pub(crate) desc: PropertyDesc,
    pub(crate) get: Option<Getter<A>>,
    pub(crate) set: Option<&'static dyn AnyCall<A>>,
}

/// A property without its agent.
#[derive(Debug, Clone, Copy)]
pub struct PropertyDesc {
    pub(crate) item: ItemDesc,
    /// What a getter shows; none for a setter alone.
    pub(crate) value: Option<ValueDesc>,
    /// A setter's parameters.
    pub(crate) params: Option<&'static [ParamDesc]>,
    /// Their shapes, once they are known.
    pub(crate) shapes: &'static [Shape],
    pub(crate) is_static: bool,
    pub(crate) is_override: bool,
}

/// Reads a property.
pub type Getter<A> = for<'w, 's, 'c> fn(
    &mut A,
    &mut <A as Agent>::World<'w, 's>,
    &mut Context<'c>,
) -> Result<Value, CallError>;

/// A property that can be read.
pub const fn property<A: Agent>(item: ItemDesc, value: ValueDesc) -> Property<A> {
    Property {
        desc: PropertyDesc {
            item,
            value: Some(value),
            params: None,
            shapes: &[],
            is_static: false,
            is_override: false,
        },
        get: None,
        set: None,
    }
}

/// `#[property(set)]`
pub const fn setter<A: Agent>(
    item: ItemDesc,
    params: &'static [ParamDesc],
    set: &'static dyn AnyCall<A>,
) -> Property<A> {
    Property {
        desc: PropertyDesc {
            item,
            value: None,
            params: Some(params),
            shapes: &[],
            is_static: false,
            is_override: false,
        },
        get: None,
        set: Some(set),
    }
}

impl<A: Agent> Property<A> {
    pub(crate) fn desc(&self) -> PropertyDesc {
        let mut desc = self.desc;
        if let Some(set) = self.set {
            desc.shapes = set.shapes();
        }
        desc
    }

    /// With a getter.
    pub const fn get(mut self, get: Getter<A>) -> Self {
        self.get = Some(get);
        self
    }

    /// With a setter.
    pub const fn set(mut self, params: &'static [ParamDesc], set: &'static dyn AnyCall<A>) -> Self {
        self.desc.params = Some(params);
        self.set = Some(set);
        self
    }

    /// `override`.
    pub const fn overriding(mut self) -> Self {
        self.desc.is_override = true;
        self
    }

    /// Needs no agent.
    pub const fn without_receiver(mut self) -> Self {
        self.desc.is_static = true;
        self
    }
}

/// An event.
#[derive(Debug, Clone, Copy)]
pub struct EventDesc {
    /// Name, docs and keys.
    pub item: ItemDesc,
    /// The parameters.
    pub params: &'static [ValueDesc],
}

/// `#[fallback]`.
pub struct Fallback<A: Agent> {
    /// The line of its name.
    pub line: u32,
    /// The method.
    pub call: FallbackCall<A>,
}

/// Answers for a name that nothing registers.
pub type FallbackCall<A> = for<'w, 's, 'c> fn(
    &mut A,
    &mut <A as Agent>::World<'w, 's>,
    &mut Context<'c>,
    &str,
    &[Value],
) -> Option<bool>;
