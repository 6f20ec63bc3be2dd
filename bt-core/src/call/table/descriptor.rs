//! Everything that the macros submit: const tables, one block for each annotated `impl`.

use std::any::{Any, TypeId};
use std::fmt;

use super::item::ItemDesc;
use super::members::{EventDesc, Fallback, Method, MethodDesc, Property, PropertyDesc};
use crate::Agent;

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

/// The place where the macro was used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Site {
    /// `CARGO_PKG_NAME`.
    pub package: &'static str,
    /// `CARGO_CRATE_NAME`.
    pub krate: &'static str,
    /// The file, relative to the package's folder.
    pub file: &'static str,
}

/// An agent type's identity.
#[derive(Debug)]
pub struct AgentDesc {
    /// Name, docs and keys.
    pub item: ItemDesc,
    /// Its place.
    pub site: Site,
    /// The namespace, empty if there is none.
    pub namespace: &'static str,
    /// The type.
    pub id: fn() -> TypeId,
    /// The base's type, and whether there is a world.
    pub kin: fn() -> Kin,
    /// The place of the generic definition, for an instance made by `register_agent!`.
    pub generic: Option<GenericDesc>,
    /// The registrations of the type itself, such as its fields' properties.
    pub table: &'static dyn AnyTable,
    /// The blocks of an instance made by `register_agent!`.
    pub parts: &'static [Option<Block>],
}

impl AgentDesc {
    /// The descriptor of an instance of a generic agent, as `register_agent!` names it.
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

/// The base and the world of an agent.
#[derive(Debug, Clone, Copy)]
pub struct Kin {
    /// The base's type; its `TypeId` is that of [`NoBase`](crate::NoBase) where there is none.
    pub base: TypeId,
    /// The base's Rust name, for messages.
    pub base_name: &'static str,
    /// True if there is a world.
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
    /// Its place.
    pub site: Site,
    /// The line of its name.
    pub line: u32,
}

/// The registrations of one `impl` block.
#[derive(Debug)]
pub struct Block {
    /// Its place.
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
    /// The descriptions of the methods, without calling them.
    fn methods(&self) -> Vec<MethodDesc>;
    /// The descriptions of the properties.
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
        // A loop: compiled again for each agent, and an iterator's adapters with it.
        let mut descs = Vec::with_capacity(self.methods.len());
        for method in self.methods {
            descs.push(method.desc());
        }
        descs
    }

    fn properties(&self) -> Vec<PropertyDesc> {
        let mut descs = Vec::with_capacity(self.properties.len());
        for property in self.properties {
            descs.push(property.desc());
        }
        descs
    }

    fn events(&self) -> &'static [EventDesc] {
        self.events
    }

    fn fallback(&self) -> Option<u32> {
        self.fallback.as_ref().map(|fallback| fallback.line)
    }
}

/// A generic agent's block, found by its number; and any block, made nameable by a local tag.
#[diagnostic::on_unimplemented(message = "`{Self}` has no such block")]
pub trait Part<Tag> {
    /// The block.
    const BLOCK: Block;
}

/// The tag of `#[agent(part = N)]`. Where two blocks have one number the compiler says that they
/// implement `Part<GiveEachBlockItsOwnAgentPart<0>>` twice: so the name says what to write.
#[derive(Debug)]
pub struct GiveEachBlockItsOwnAgentPart<const N: usize>;

/// Asks whether an agent has a block of that number: `<PartOf<A, 0>>::__BT_BLOCK` is the inherent
/// constant where it has one, else that of [`NoPart`].
#[derive(Debug)]
pub struct PartOf<A, const N: usize>(std::marker::PhantomData<A>);

impl<A: Part<GiveEachBlockItsOwnAgentPart<N>>, const N: usize> PartOf<A, N> {
    /// The block.
    pub const __BT_BLOCK: Option<Block> = Some(<A as Part<GiveEachBlockItsOwnAgentPart<N>>>::BLOCK);
}

/// An agent without a block of that number.
pub trait NoPart {
    /// None.
    const __BT_BLOCK: Option<Block> = None;
}

impl<A, const N: usize> NoPart for PartOf<A, N> {}
