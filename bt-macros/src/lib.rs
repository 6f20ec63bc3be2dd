//! The attribute macros of bt-core: syntax in, registrations out. Nothing here knows what happens
//! at run time.
//!
//! A use of a macro goes through `parse` (the grammar; no judgement), `model` (what was written),
//! `validate` (everything that is wrong with it, all at once) and `expand` (tokens).

mod errors;
mod expand;
mod model;
mod origin;
mod parse;
mod validate;

use proc_macro::TokenStream;

/// Makes a type an agent: its name, its base, its world, its fields' properties.
///
/// Once on the type, and above `#[agent(…)]` and `#[property]` there, which it reads:
///
/// ```ignore
/// #[derive(Agent)]
/// #[agent(world = GameWorld)]
/// pub struct MonsterAgent {
///     #[agent(base)]
///     actor: ActorAgent,
///     /// Hit points left.
///     #[property(min = 0, unit = "hp")]
///     hp: i32,
/// }
/// ```
///
/// On the type: `name = "…"` (default: the type's name in snake_case), `namespace = "a::b"`,
/// `display`, `category`, `since`, `alias = […]`, `meta(…)`, `world = Type`, `no_base`,
/// `crate = "path::to::bt_core"`. On one field: `#[agent(base)]`. On any field:
/// `#[property(…)]`.
#[proc_macro_derive(Agent, attributes(agent, property))]
pub fn derive_agent(input: TokenStream) -> TokenStream {
    expand::derive(input.into()).into()
}

/// Registers the annotated items of an `impl` block, inherent or of a trait, of an agent.
///
/// Keys: `part = N` (0 to 7) numbers the further blocks of a generic agent;
/// `crate = "path::to::bt_core"` where that is not found by itself.
#[proc_macro_attribute]
pub fn agent(args: TokenStream, input: TokenStream) -> TokenStream {
    expand::block(args.into(), input.into()).into()
}

/// Registers concrete instances of a generic agent: `register_agent!(Walker<NavMesh>);`, and
/// `register_agent!(Walker<Grid>, name = "grid_walker");` where two take part.
#[proc_macro]
pub fn register_agent(input: TokenStream) -> TokenStream {
    expand::register(input.into()).into()
}

macro_rules! inside_a_block_only {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[proc_macro_attribute]
        pub fn $name(_: TokenStream, input: TokenStream) -> TokenStream {
            expand::stray(stringify!($name), input.into()).into()
        }
    )*};
}

inside_a_block_only! {
    /// A method that a tree's leaf calls; inside an `#[agent]` block.
    action
    /// A method that answers at once, and may guard a branch; inside an `#[agent]` block.
    condition
    /// A method that answers at once with a value, for expressions; inside an `#[agent]` block.
    query
    /// A method that says what happens with a decorator's child; inside an `#[agent]` block.
    decorator
    /// Answers for names that nothing registers; inside an `#[agent]` block.
    fallback
    /// A value readable (writable) by name; on a getter, a setter or a constant inside an
    /// `#[agent]` block, or on a field below `#[derive(Agent)]`.
    property
    /// An event with typed parameters: a signature without a body; inside an `#[agent]` block.
    event
}
