//! Everything that the macros submit for each item of a block: methods, properties, events, the fallback.

use serde_json::Value;

use super::carries::{Carries, Normal};
use super::item::ItemDesc;
use crate::Agent;
use crate::call::typed_field::AnyField;
use crate::call::{Answer, AnyCall, Context, ExitHook, ExitWith, ResumeHook, Static};
use crate::describe::catalogue::{MethodKind, ReturnKind};
use crate::describe::value::{ParamDesc, Shape, ValueDesc};
use crate::error::CallError;

/// The way in which a method is called: on an agent, or without one.
pub enum Call<A: Agent> {
    /// With a receiver.
    Own(&'static dyn AnyCall<A>),
    /// Without one.
    Static(&'static dyn AnyCall<Static<A>>),
}

// Not derived: an agent need not be `Copy`.
impl<A: Agent> Clone for Call<A> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A: Agent> Copy for Call<A> {}

impl<A: Agent> Call<A> {
    const fn is_static(&self) -> bool {
        matches!(self, Call::Static(_))
    }

    fn result(&self) -> (ReturnKind, bool) {
        match self {
            Call::Own(call) => call.result(),
            Call::Static(call) => call.result(),
        }
    }

    fn shapes(&self) -> &'static [Shape] {
        match self {
            Call::Own(call) => call.shapes(),
            Call::Static(call) => call.shapes(),
        }
    }
}

/// An action, a condition, a query, a decorator or a composite.
pub struct Method<A: Agent> {
    pub(crate) item: ItemDesc,
    pub(crate) kind: MethodKind,
    pub(crate) is_override: bool,
    pub(crate) takes_world: bool,
    pub(crate) args: &'static [ParamDesc],
    pub(crate) answer: Option<Answer>,
    pub(crate) call: Call<A>,
    pub(crate) exit: Option<(&'static str, ExitCall<A>)>,
    pub(crate) resume: Option<(&'static str, ResumeHook<A>)>,
    pub(crate) asking: Asking,
}

/// The facts about a method that is asked what runs next.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asking {
    /// It is asked in every turn, too.
    pub(crate) running: bool,
    /// The fewest and the most children of a composite.
    pub(crate) children: Option<(u32, Option<u32>)>,
}

/// An exit method.
pub enum ExitCall<A: Agent> {
    /// Without arguments.
    Plain(ExitHook<A>),
    /// With some of its action's.
    With {
        /// Their types.
        shapes: &'static [Shape],
        /// Their names.
        params: &'static [ParamDesc],
        /// The method.
        hook: ExitWith<A>,
    },
}

/// A method without its agent.
#[derive(Debug, Clone, Copy)]
pub struct MethodDesc {
    pub(crate) item: ItemDesc,
    pub(crate) kind: MethodKind,
    pub(crate) is_static: bool,
    pub(crate) takes_world: bool,
    pub(crate) is_override: bool,
    pub(crate) args: &'static [ParamDesc],
    pub(crate) shapes: &'static [Shape],
    pub(crate) result: ReturnKind,
    pub(crate) answer: Option<Answer>,
    pub(crate) fallible: bool,
    pub(crate) exit: Option<&'static str>,
    /// The arguments that this takes.
    pub(crate) exit_args: &'static [ParamDesc],
    pub(crate) resume: Option<&'static str>,
    pub(crate) asking: Asking,
}

/// A method with a receiver.
pub const fn method<A: Agent>(
    kind: MethodKind,
    item: ItemDesc,
    args: &'static [ParamDesc],
    call: &'static dyn AnyCall<A>,
) -> Method<A> {
    called(kind, item, args, Call::Own(call))
}

/// A method without a receiver.
pub const fn static_method<A: Agent>(
    kind: MethodKind,
    item: ItemDesc,
    args: &'static [ParamDesc],
    call: &'static dyn AnyCall<Static<A>>,
) -> Method<A> {
    called(kind, item, args, Call::Static(call))
}

const fn called<A: Agent>(
    kind: MethodKind,
    item: ItemDesc,
    args: &'static [ParamDesc],
    call: Call<A>,
) -> Method<A> {
    Method {
        item,
        kind,
        is_override: false,
        takes_world: false,
        args,
        answer: None,
        call,
        exit: None,
        resume: None,
        asking: Asking {
            running: false,
            children: None,
        },
    }
}

impl<A: Agent> Method<A> {
    /// `override`.
    pub const fn overriding(mut self) -> Self {
        self.is_override = true;
        self
    }

    /// A parameter is `#[world]`.
    pub const fn in_world(mut self) -> Self {
        self.takes_world = true;
        self
    }

    /// `running`.
    pub const fn running(mut self) -> Self {
        self.asking.running = true;
        self
    }

    /// `min`, `max` of a composite.
    pub const fn children(mut self, least: u32, most: Option<u32>) -> Self {
        self.asking.children = Some((least, most));
        self
    }

    /// It is a query, with an answer of a type.
    pub const fn answering(mut self, answer: Answer) -> Self {
        self.answer = Some(answer);
        self
    }

    /// `exit = "…"`.
    pub const fn exit(mut self, name: &'static str, hook: ExitHook<A>) -> Self {
        self.exit = Some((name, ExitCall::Plain(hook)));
        self
    }

    /// `exit = "…"`, of a method that takes arguments of the action.
    pub const fn exit_with(
        mut self,
        name: &'static str,
        shapes: &'static [Shape],
        params: &'static [ParamDesc],
        hook: ExitWith<A>,
    ) -> Self {
        self.exit = Some((
            name,
            ExitCall::With {
                shapes,
                params,
                hook,
            },
        ));
        self
    }

    /// `resume = "…"`.
    pub const fn resume(mut self, name: &'static str, hook: ResumeHook<A>) -> Self {
        self.resume = Some((name, hook));
        self
    }

    pub(crate) fn desc(&self) -> MethodDesc {
        let (result, fallible) = match &self.answer {
            Some(answer) => (answer.kind(), answer.fallible),
            None => self.call.result(),
        };
        MethodDesc {
            item: self.item,
            kind: self.kind,
            is_static: self.call.is_static(),
            takes_world: self.takes_world,
            is_override: self.is_override,
            args: self.args,
            shapes: self.call.shapes(),
            result,
            answer: self.answer,
            fallible,
            exit: self.exit.as_ref().map(|(name, _)| *name),
            exit_args: match &self.exit {
                Some((_, ExitCall::With { params, .. })) => params,
                Some((_, ExitCall::Plain(_))) | None => &[],
            },
            resume: self.resume.map(|(name, _)| name),
            asking: self.asking,
        }
    }
}

/// A property's entry: a getter, a setter, or both (a field).
pub struct Property<A: Agent> {
    pub(crate) desc: PropertyDesc,
    pub(crate) get: Option<Get<A>>,
    pub(crate) set: Option<Call<A>>,
    /// The reader of the value itself, if it is a field that can be written.
    pub(crate) field: Option<&'static dyn AnyField<A>>,
}

/// The way in which a property is read: of an agent, or without one.
pub enum Get<A: Agent> {
    /// Of an agent.
    Own(Getter<A>),
    /// An associated constant, or a getter without a receiver.
    Static(Getter<Static<A>>),
}

/// A property without its agent.
#[derive(Debug, Clone, Copy)]
pub struct PropertyDesc {
    pub(crate) item: ItemDesc,
    /// The value of a getter; none for a setter alone.
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

const fn accessor<A: Agent>(item: ItemDesc) -> Property<A> {
    Property {
        desc: PropertyDesc {
            item,
            value: None,
            params: None,
            shapes: &[],
            is_static: false,
            is_override: false,
        },
        get: None,
        set: None,
        field: None,
    }
}

/// A property that can be read.
pub const fn property<A: Agent>(item: ItemDesc, value: ValueDesc) -> Property<A> {
    let mut property = accessor(item);
    property.desc.value = Some(value);
    property
}

/// `#[property(set)]`
pub const fn setter<A: Agent>(
    item: ItemDesc,
    params: &'static [ParamDesc],
    set: &'static dyn AnyCall<A>,
) -> Property<A> {
    accessor(item).set(params, set)
}

/// `#[property(set)]` without a receiver.
pub const fn static_setter<A: Agent>(
    item: ItemDesc,
    params: &'static [ParamDesc],
    set: &'static dyn AnyCall<Static<A>>,
) -> Property<A> {
    let mut property = accessor(item);
    property.desc.params = Some(params);
    property.desc.is_static = true;
    property.set = Some(Call::Static(set));
    property
}

impl<A: Agent> Property<A> {
    pub(crate) fn desc(&self) -> PropertyDesc {
        let mut desc = self.desc;
        if let Some(set) = &self.set {
            desc.shapes = set.shapes();
        }
        desc
    }

    /// With a getter.
    pub const fn get(mut self, get: Getter<A>) -> Self {
        self.get = Some(Get::Own(get));
        self
    }

    /// With a getter that needs no agent.
    pub const fn get_static(mut self, get: Getter<Static<A>>) -> Self {
        self.desc.is_static = true;
        self.get = Some(Get::Static(get));
        self
    }

    /// That is a field.
    pub const fn field(mut self, field: &'static dyn AnyField<A>) -> Self {
        self.field = Some(field);
        self
    }

    /// With a setter.
    pub const fn set(mut self, params: &'static [ParamDesc], set: &'static dyn AnyCall<A>) -> Self {
        self.desc.params = Some(params);
        self.set = Some(Call::Own(set));
        self
    }

    /// `override`.
    pub const fn overriding(mut self) -> Self {
        self.desc.is_override = true;
        self
    }
}

/// An event.
#[derive(Debug, Clone, Copy)]
pub struct EventDesc {
    /// Name, docs and keys.
    pub item: ItemDesc,
    /// The parameters.
    pub params: &'static [EventParam],
}

/// A parameter of an event.
#[derive(Debug, Clone, Copy)]
pub struct EventParam {
    pub(crate) value: ValueDesc,
    /// Decodes a value as the declared type, and writes that again.
    pub(crate) normal: Normal,
}

/// A parameter of an event.
pub const fn event_param<X: Carries>(param: ParamDesc) -> EventParam {
    EventParam {
        value: ValueDesc {
            param,
            shape: X::SHAPE,
        },
        normal: X::NORMAL,
    }
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
