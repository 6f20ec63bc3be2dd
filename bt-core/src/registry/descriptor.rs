//! What the macros submit: const tables, one block for each annotated `impl`.

use std::any::{Any, TypeId};
use std::fmt;

use schemars::{Schema, SchemaGenerator};
use serde_json::Value;

use super::catalogue::MethodKind;
use super::shape::Described;
use crate::Agent;
use crate::call::{AnyCall, CallError, Context, ExitHook, ResumeHook};

/// One registration, collected by `inventory` across crates in no particular order.
#[derive(Debug)]
pub enum Registration {
    /// `#[derive(Agent)]` on a concrete type, or `register_agent!`.
    Agent(AgentDesc),
    /// `#[derive(Agent)]` on a generic type, which `register_agent!` should name.
    Generic(GenericDesc),
    /// `#[agent]` on an `impl` block.
    Block(Block),
}

inventory::collect!(Registration);

/// Where the macro was used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Site {
    /// `CARGO_PKG_NAME`.
    pub package: &'static str,
    /// `CARGO_CRATE_NAME`.
    pub krate: &'static str,
    /// The file, relative to the package's folder.
    pub file: &'static str,
}

/// What every annotated item has.
#[derive(Debug, Clone, Copy)]
pub struct ItemDesc {
    /// The registered name.
    pub name: &'static str,
    /// The line of its name.
    pub line: u32,
    /// The doc comment, an entry for each `#[doc]` attribute.
    pub docs: &'static [&'static str],
    /// The keys of its attribute.
    pub keys: &'static [Key],
}

/// An item's name, line, docs and keys.
pub const fn item(
    name: &'static str,
    line: u32,
    docs: &'static [&'static str],
    keys: &'static [Key],
) -> ItemDesc {
    ItemDesc {
        name,
        line,
        docs,
        keys,
    }
}

impl ItemDesc {
    pub(crate) fn aliases(&self) -> impl Iterator<Item = &'static str> {
        let lists = self.keys.iter().filter_map(|key| match key {
            Key::Alias(names) => Some(*names),
            _ => None,
        });
        lists.flatten().copied()
    }
}

/// A key that any item takes.
#[derive(Debug, Clone, Copy)]
pub enum Key {
    /// `alias = […]`
    Alias(&'static [&'static str]),
    /// `display = "…"`
    Display(&'static str),
    /// `category = "…"`
    Category(&'static str),
    /// `since = "…"`
    Since(&'static str),
    /// One entry of `meta(…)`: the name, and the value as JSON text.
    Meta(&'static str, &'static str),
    /// `#[deprecated]`: since, note.
    Deprecated(&'static str, &'static str),
}

/// An agent type's identity.
#[derive(Debug)]
pub struct AgentDesc {
    /// Name, docs and keys.
    pub item: ItemDesc,
    /// Where.
    pub site: Site,
    /// The namespace, empty if there is none.
    pub namespace: &'static str,
    /// The type.
    pub id: fn() -> TypeId,
    /// The base's type, and whether there is a world.
    pub kin: fn() -> Kin,
    /// Where the generic definition is, for an instance made by `register_agent!`.
    pub generic: Option<GenericDesc>,
    /// What the type itself registers, such as its fields' properties.
    pub table: &'static dyn AnyTable,
    /// The blocks of an instance made by `register_agent!`.
    pub parts: &'static [Option<Block>],
}

impl AgentDesc {
    /// What `register_agent!` names: an instance of a generic agent.
    ///
    /// # Panics
    /// At compile time, if it is no instance: a second registration of the same agent.
    pub const fn instance(self) -> Self {
        assert!(
            self.generic.is_some(),
            "`register_agent!` names an instance of a generic agent, `Walker<NavMesh>`; an agent \
             without generics is registered by its `#[derive(Agent)]`"
        );
        self
    }

    /// The place where `register_agent!` names it.
    pub const fn at(mut self, site: Site, line: u32) -> Self {
        self.site = site;
        self.item.line = line;
        self
    }

    /// The blocks that `register_agent!` found.
    pub const fn parts(mut self, parts: &'static [Option<Block>]) -> Self {
        self.parts = parts;
        self
    }

    /// `name = "…"`
    pub const fn called(mut self, name: &'static str) -> Self {
        self.item.name = name;
        self
    }
}

/// The identity that `#[derive(Agent)]` gives a type.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an agent",
    label = "no `#[derive(Agent)]` on this type",
    note = "write `#[derive(Agent)]` above the definition of `{Self}`"
)]
pub trait Identity: Agent {
    /// The identity.
    const DESC: AgentDesc;
}

/// What an agent descends from and acts on.
#[derive(Debug, Clone, Copy)]
pub struct Kin {
    /// The base's type; its `TypeId` is that of [`NoBase`](crate::NoBase) where there is none.
    pub base: TypeId,
    /// The base's Rust name, for messages.
    pub base_name: &'static str,
    /// Whether there is a world.
    pub world: bool,
}

/// The kin of an agent.
pub fn kin<A: Agent>() -> Kin {
    Kin {
        base: TypeId::of::<A::Base>(),
        base_name: std::any::type_name::<A::Base>(),
        world: TypeId::of::<A::WorldKind>() == TypeId::of::<crate::agent::WithWorld>(),
    }
}

/// A generic agent's definition.
#[derive(Debug, Clone, Copy)]
pub struct GenericDesc {
    /// The name its instances have unless they say otherwise.
    pub name: &'static str,
    /// Where.
    pub site: Site,
    /// The line of its name.
    pub line: u32,
}

/// What one `impl` block registers.
#[derive(Debug)]
pub struct Block {
    /// Where.
    pub site: Site,
    /// The agent's type.
    pub id: fn() -> TypeId,
    /// The agent's Rust name, for messages.
    pub type_name: fn() -> &'static str,
    /// The items.
    pub table: &'static dyn AnyTable,
}

/// The items of a block, typed by their agent.
pub struct Table<A: Agent> {
    /// Actions, conditions and decorators.
    pub methods: &'static [Method<A>],
    /// Properties; a setter is an entry of its own.
    pub properties: &'static [Property<A>],
    /// Events.
    pub events: &'static [EventDesc],
    /// `#[fallback]`.
    pub fallback: Option<Fallback<A>>,
}

impl<A: Agent> Table<A> {
    /// No items.
    pub const EMPTY: Table<A> = Table {
        methods: &[],
        properties: &[],
        events: &[],
        fallback: None,
    };
}

/// A [`Table`] whose agent is not known.
pub trait AnyTable: Any + Sync {
    /// For the one downcast.
    fn as_any(&self) -> &dyn Any;
    /// What can be said of the methods without calling them.
    fn methods(&self) -> Vec<MethodDesc>;
    /// What can be said of the properties.
    fn properties(&self) -> Vec<PropertyDesc>;
    /// The events.
    fn events(&self) -> &'static [EventDesc];
    /// The line of the fallback.
    fn fallback(&self) -> Option<u32>;
}

impl fmt::Debug for dyn AnyTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Table").finish_non_exhaustive()
    }
}

impl<A: Agent> AnyTable for Table<A> {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn methods(&self) -> Vec<MethodDesc> {
        self.methods.iter().map(Method::desc).collect()
    }

    fn properties(&self) -> Vec<PropertyDesc> {
        self.properties.iter().map(|p| p.desc).collect()
    }

    fn events(&self) -> &'static [EventDesc] {
        self.events
    }

    fn fallback(&self) -> Option<u32> {
        self.fallback.as_ref().map(|fallback| fallback.line)
    }
}

/// An action, a condition or a decorator.
pub struct Method<A: Agent> {
    pub(crate) item: ItemDesc,
    pub(crate) kind: MethodKind,
    pub(crate) is_static: bool,
    pub(crate) is_override: bool,
    pub(crate) args: &'static [ValueDesc],
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
    pub(crate) args: &'static [ValueDesc],
    pub(crate) result: super::catalogue::ReturnKind,
    pub(crate) fallible: bool,
    pub(crate) exit: Option<&'static str>,
    pub(crate) resume: Option<&'static str>,
}

/// A method with a receiver.
pub const fn method<A: Agent>(
    kind: MethodKind,
    item: ItemDesc,
    args: &'static [ValueDesc],
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
            result,
            fallible,
            exit: self.exit.map(|(name, _)| name),
            resume: self.resume.map(|(name, _)| name),
        }
    }
}

/// How a parameter is passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Passing {
    /// `T`
    Value,
    /// `&T`
    Shared,
    /// `&mut T`
    InOut,
    /// `#[arg(out)] &mut T`
    Out,
    /// The context or a decorator's `ended`: no argument of the tree.
    Context,
}

/// A parameter, or a property's value.
#[derive(Debug, Clone, Copy)]
pub struct ValueDesc {
    pub(crate) name: &'static str,
    pub(crate) docs: &'static [&'static str],
    pub(crate) keys: &'static [ValueKey],
    pub(crate) passing: Passing,
    pub(crate) schema: fn(&mut SchemaGenerator) -> Schema,
    pub(crate) optional: fn() -> bool,
}

/// A parameter's or property's value.
pub const fn value<X: Described>(
    name: &'static str,
    docs: &'static [&'static str],
    keys: &'static [ValueKey],
) -> ValueDesc {
    ValueDesc {
        name,
        docs,
        keys,
        passing: X::PASSING,
        schema: X::schema,
        optional: X::optional,
    }
}

/// Asks whether a type is a reference: `<Hides<T>>::__BT_REFERENCE` is the inherent constant where it
/// is one, under whatever name, else that of [`Owns`].
#[derive(Debug)]
pub struct Hides<T>(std::marker::PhantomData<fn() -> T>);

/// A reference.
#[derive(Debug, Clone, Copy)]
pub struct Reference;

/// No reference.
#[derive(Debug, Clone, Copy)]
pub struct NoReference;

impl<T: ?Sized> Hides<&T> {
    /// A reference.
    pub const __BT_REFERENCE: Reference = Reference;
}

impl<T: ?Sized> Hides<&mut T> {
    /// A reference.
    pub const __BT_REFERENCE: Reference = Reference;
}

/// A type that is no reference.
pub trait Owns {
    /// No reference.
    const __BT_REFERENCE: NoReference = NoReference;
}

impl<T> Owns for Hides<T> {}

/// What is not said to be a reference.
#[diagnostic::on_unimplemented(
    message = "an alias hides that this argument is a reference",
    label = "a reference under another name",
    note = "references are read from the signature: write the `&` or `&mut` there, such as `&str`, \
            `&[T]` or `&mut Context`"
)]
pub trait ByValue: Copy {}

impl ByValue for NoReference {}

/// The description of a parameter that is taken by value.
pub const fn owned<X: ByValue>(_: X, value: ValueDesc) -> ValueDesc {
    value
}

/// A key of `#[arg(…)]`, or a value's key of `#[property(…)]`.
#[derive(Debug, Clone, Copy)]
pub enum ValueKey {
    /// `default = …`
    Default(fn() -> Value),
    /// `min = …`
    Min(fn() -> Value),
    /// `max = …`
    Max(fn() -> Value),
    /// `step = …`
    Step(fn() -> Value),
    /// `choices = […]`
    Choices(fn() -> Vec<Value>),
    /// `unit = "…"`
    Unit(&'static str),
    /// `display = "…"`
    Display(&'static str),
    /// `alias = […]`
    Alias(&'static [&'static str]),
    /// `deprecated`
    Deprecated,
}

impl ValueDesc {
    pub(crate) fn aliases(&self) -> impl Iterator<Item = &'static str> {
        let lists = self.keys.iter().filter_map(|key| match key {
            ValueKey::Alias(names) => Some(*names),
            _ => None,
        });
        lists.flatten().copied()
    }

    pub(crate) fn default_value(&self) -> Option<Value> {
        self.keys.iter().find_map(|key| match key {
            ValueKey::Default(make) => Some(make()),
            _ => None,
        })
    }

    /// Checks a value against the bounds and choices.
    pub(crate) fn check(&self, value: &Value) -> Result<(), String> {
        for key in self.keys {
            match key {
                ValueKey::Min(min) if super::shape::less(value, &min()) => {
                    return Err(format!("is {value}, the least allowed is {}", min()));
                }
                ValueKey::Max(max) if super::shape::less(&max(), value) => {
                    return Err(format!("is {value}, the most allowed is {}", max()));
                }
                ValueKey::Choices(choices) if !value.is_null() => {
                    let choices = choices();
                    if !choices.contains(value) {
                        let list: Vec<_> = choices.iter().map(Value::to_string).collect();
                        return Err(format!("is {value}, expected one of {}", list.join(", ")));
                    }
                }
                _ => {}
            }
        }
        Ok(())
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
    pub(crate) params: Option<&'static [ValueDesc]>,
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
    params: &'static [ValueDesc],
    set: &'static dyn AnyCall<A>,
) -> Property<A> {
    Property {
        desc: PropertyDesc {
            item,
            value: None,
            params: Some(params),
            is_static: false,
            is_override: false,
        },
        get: None,
        set: Some(set),
    }
}

impl<A: Agent> Property<A> {
    /// With a getter.
    pub const fn get(mut self, get: Getter<A>) -> Self {
        self.get = Some(get);
        self
    }

    /// With a setter.
    pub const fn set(mut self, params: &'static [ValueDesc], set: &'static dyn AnyCall<A>) -> Self {
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
    pub call: for<'w, 's, 'c> fn(
        &mut A,
        &mut A::World<'w, 's>,
        &mut Context<'c>,
        &str,
        &[Value],
    ) -> Option<bool>,
}

/// A generic agent's block, found by its number; and any block, made nameable by a local tag.
#[diagnostic::on_unimplemented(message = "`{Self}` has no such block")]
pub trait Part<Tag> {
    /// The block.
    const BLOCK: Block;
}

/// The tag of `#[agent(part = N)]`.
#[derive(Debug)]
pub struct Numbered<const N: usize>;

/// Asks whether an agent has a block of that number: `<PartOf<A, 0>>::__BT_BLOCK` is the inherent
/// constant where it has one, else that of [`NoPart`].
#[derive(Debug)]
pub struct PartOf<A, const N: usize>(std::marker::PhantomData<A>);

impl<A: Part<Numbered<N>>, const N: usize> PartOf<A, N> {
    /// The block.
    pub const __BT_BLOCK: Option<Block> = Some(<A as Part<Numbered<N>>>::BLOCK);
}

/// An agent without a block of that number.
pub trait NoPart {
    /// None.
    const __BT_BLOCK: Option<Block> = None;
}

impl<A, const N: usize> NoPart for PartOf<A, N> {}
