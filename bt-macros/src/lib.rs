//! The attribute macros of bt-core: syntax in, registrations out. Nothing here knows what happens
//! at run time.
//!
//! A use of a macro goes through `parse` (the grammar; no judgement), `model` (what was written),
//! `validate` (everything that is wrong with it, all at once) and `expand` (tokens).
//!
//! The book's page of the attributes is generated from the doc comments below. Their links into bt-core are
//! relative, since nothing here depends on it.

mod errors;
mod expand;
mod model;
mod origin;
mod parse;
mod validate;

use proc_macro::TokenStream;

/// Makes a type an agent: its name, its base, its world, and the properties that are fields.
///
/// It reads `#[agent(…)]` on the type, `#[agent(base)]` on a field and `#[property(…)]` on fields, all written below
/// it. Its methods are in `impl` blocks that are marked [`#[agent]`](macro@agent).
///
/// # Keys on the type
///
/// - `name = "…"`: the agent's name; by default the type's in snake_case
/// - `namespace = "a::b"`: stands before the name, as in `a::b::monster`
/// - `alias = ["old_name"]`, `display = "…"`, `category = "…"`, `since = "…"`, `meta(icon = "claw")`: as for
///   [every item](macro@agent)
/// - `world = GameWorld`: the type that a caller gives for the time of a poll; it may borrow, `&'w Level`
/// - `no_base`: without the built-in actions
/// - `crate = "path::to::bt_core"`: the path to bt-core, where it is not found by itself
///
/// # Keys on a field
///
/// - `base`: the one field that holds the base agent; what is registered for the base can be called on this agent
///
/// Keys of a field's `#[property]`: see [`#[property]`](macro@property).
///
/// # Example
///
/// ```
/// use bt_core::prelude::*;
///
/// struct Arena {
///     rounds: u32,
/// }
///
/// #[derive(Agent)]
/// #[agent(world = Arena)]
/// struct Fighter {
///     /// Hit points left.
///     #[property(min = 0, unit = "hp")]
///     hp: i32,
/// }
///
/// /// A fighter with a title.
/// #[derive(Agent)]
/// #[agent(name = "champ", world = Arena)]
/// struct Champion {
///     #[agent(base)]
///     fighter: Fighter,
/// }
///
/// #[agent]
/// impl Champion {
///     /// Fight one more round.
///     #[action]
///     fn fight(&mut self, #[world] arena: &mut Arena) {
///         arena.rounds += 1;
///         self.fighter.hp -= 1;
///     }
/// }
///
/// fn main() -> Result<(), Box<dyn std::error::Error>> {
///     let mut champ = Champion { fighter: Fighter { hp: 10 } };
///     let (mut arena, mut session) = (Arena { rounds: 0 }, Session::new(1));
///     let registry = Registry::global()?;
///     let cx = &mut session.context();
///     registry.invoke(&mut champ, &mut arena, cx, "fight", &"[]".parse()?)?;
///     // The base's property, through the field.
///     registry.set(&mut champ, &mut arena, cx, "hp", &3.into())?;
///     assert_eq!((arena.rounds, champ.fighter.hp), (1, 3));
///     Ok(())
/// }
/// ```
#[proc_macro_derive(Agent, attributes(agent, property))]
pub fn derive_agent(input: TokenStream) -> TokenStream {
    expand::derive(input.into()).into()
}

/// Registers the annotated items of an `impl` block of an agent.
///
/// Any number of blocks, inherent or of a trait, in any module. Items without one of the attributes are left alone.
/// The attributes of items: [`#[action]`](macro@action), [`#[condition]`](macro@condition),
/// [`#[decorator]`](macro@decorator), [`#[composite]`](macro@composite), [`#[property]`](macro@property),
/// [`#[event]`](macro@event), [`#[fallback]`](macro@fallback).
///
/// # Keys
///
/// - `part = 1`: the number of a further block of a generic agent, 0 to 7; a forgotten one is a compile error
/// - `crate = "path::to::bt_core"`: the path to bt-core, where it is not found by itself
///
/// # Keys of every item
///
/// - `name = "…"`: what trees call it; by default its Rust name
/// - `alias = ["old_name"]`: names under which old trees find it
/// - `display = "…"`, `category = "…"`, `since = "…"`: texts for editors and the export
/// - `meta(icon = "claw")`: values that the export carries untouched
/// - `override`: hides the base's item of that name; not of an event
///
/// A doc comment is the item's description. Rust's `#[deprecated]` and `#[cfg]` apply. `#[fallback]` has no keys.
///
/// # Parameters
///
/// A parameter is an argument that a tree gives, and its doc comment describes it. Its type derives `Clone`,
/// `serde::Deserialize` and `schemars::JsonSchema`, or is `&str`, `&[T]`, `&T`, `Option<T>`, which is `None` where a
/// tree leaves it out or names a key that is not set. `&mut T` takes its value from a blackboard key and is written
/// back. No arguments are the world, `#[world] world: &mut GameWorld`, and the context,
/// [`cx: &mut Context`](../bt_core/struct.Context.html).
///
/// `#[arg(…)]` on a parameter has these keys:
///
/// - `default = …`: the value where a tree gives none
/// - `min = …`, `max = …`, `choices = […]`: what is accepted; enforced wherever a value arrives
/// - `step = …`, `unit = "…"`: for editors
/// - `out`: of a `&mut T` that is only written, so that its key may be unset
/// - `name = "…"`, `alias = ["old_name"]`, `display = "…"`: as for every item
/// - `deprecated`: a tree that gives it gets a warning
///
/// # Example
///
/// ```
/// use bt_core::prelude::*;
///
/// #[derive(Agent)]
/// struct Cook;
///
/// #[agent]
/// impl Cook {
///     /// Slice bread.
///     #[action(category = "kitchen", alias = ["cut"])]
///     fn slice(
///         &self,
///         /// How thick.
///         #[arg(default = 1.5, min = 0.5, max = 4.0, unit = "cm")]
///         width: f64,
///         /// Receives the number of slices of a loaf.
///         #[arg(out)]
///         slices: &mut u32,
///     ) {
///         *slices = (30.0 / width) as u32;
///     }
/// }
///
/// fn main() -> Result<(), Box<dyn std::error::Error>> {
///     let mut session = Session::new(1);
///     let args = r#"{"width": 3, "slices": "loaf"}"#.parse()?;
///     Registry::global()?.invoke(&mut Cook, &mut (), &mut session.context(), "cut", &args)?;
///     assert_eq!(session.blackboard().get_as::<u32>("loaf")?, 10);
///     Ok(())
/// }
/// ```
#[proc_macro_attribute]
pub fn agent(args: TokenStream, input: TokenStream) -> TokenStream {
    expand::block(args.into(), input.into()).into()
}

/// Registers concrete instances of a generic agent, each type once.
///
/// A generic agent that is never named is reported by the registry and the exporter.
///
/// # Keys
///
/// - `name = "…"`: the name of this instance, where two or more take part
/// - `crate = "path::to::bt_core"`: the path to bt-core, where it is not found by itself
///
/// # Example
///
/// ```
/// use bt_core::prelude::*;
///
/// struct Grid;
/// struct Mesh;
///
/// #[derive(Agent)]
/// struct Walker<M> {
///     map: M,
/// }
///
/// #[agent]
/// impl<M> Walker<M> {
///     /// Walk one step.
///     #[action]
///     fn walk(&self) {
///         let _ = &self.map;
///     }
/// }
///
/// register_agent!(Walker<Grid>);
/// register_agent!(Walker<Mesh>, name = "mesh_walker");
///
/// fn main() -> Result<(), Box<dyn std::error::Error>> {
///     let registry = Registry::global()?;
///     assert!(registry.agent("walker")?.action("walk").is_ok());
///     assert!(registry.agent("mesh_walker")?.action("walk").is_ok());
///     Ok(())
/// }
/// ```
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
    /// A method that a leaf of a tree calls; inside an [`#[agent]`](macro@agent) block.
    ///
    /// It takes `&self`, `&mut self` or no receiver, and [parameters](macro@agent).
    ///
    /// # Keys
    ///
    /// - `name`, `alias`, `display`, `category`, `since`, `meta`, `override`: as for [every item](macro@agent)
    /// - `exit = "method"`: the clean-up, called exactly once for every call that began:
    ///   `fn(&mut self, cx: &mut Context, exit: Exit)`, then any arguments of the action by their names, and
    ///   `#[world] …` anywhere. [`Exit`](../bt_core/enum.Exit.html) is `Success`, `Failure` or `Aborted`.
    ///   Where it returns `Option<bool>`, `None` after an abort means that it is still cancelling
    /// - `resume = "method"`: continues a pending action of an agent that was saved:
    ///   `fn(&mut self, cx: &mut Context, kept: T) -> Option<bool>`, with what the action kept by `cx.keep(value)`
    ///
    /// # Returns
    ///
    /// | type | meaning |
    /// |---|---|
    /// | `bool`, `()` | done at once: success or failure; `()` is success |
    /// | `Option<bool>` | `None`: started and not finished. The call is made once, and the leaf waits until `cx.finish_after(time, result)`, `cx.finish_on(event, result)` or a [`cx.completion()`](../bt_core/struct.Completion.html) finishes it |
    /// | [`Status`](../bt_core/enum.Status.html) | `Running`: call me again next poll; `cx.delta()` is the time since the last call |
    /// | `Result<T, E>` | `T` is one of these; an `Err` is a failure with a reason, which traces show |
    ///
    /// # Example
    ///
    /// ```
    /// use bt_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// #[derive(Agent)]
    /// struct Miner {
    ///     gold: u32,
    /// }
    ///
    /// #[agent]
    /// impl Miner {
    ///     /// Dig for two seconds.
    ///     #[action(exit = "rest")]
    ///     fn dig(&mut self, cx: &mut Context, /** At most this much. */ amount: u32) -> Option<bool> {
    ///         self.gold += amount;
    ///         cx.finish_after(Duration::from_secs(2), true);
    ///         None
    ///     }
    ///
    ///     fn rest(&mut self, _cx: &mut Context, _exit: Exit) {}
    /// }
    ///
    /// fn main() -> Result<(), Box<dyn std::error::Error>> {
    ///     let (mut miner, mut session) = (Miner { gold: 0 }, Session::new(1));
    ///     let cx = &mut session.context();
    ///     Registry::global()?.invoke(&mut miner, &mut (), cx, "dig", &[3].into())?;
    ///     assert_eq!(miner.gold, 3);
    ///     Ok(())
    /// }
    /// ```
    action
    /// A method that answers at once, and may guard a branch; inside an [`#[agent]`](macro@agent) block.
    ///
    /// It takes `&self` or no receiver, and [parameters](macro@agent).
    ///
    /// # Keys
    ///
    /// - `name`, `alias`, `display`, `category`, `since`, `meta`, `override`: as for [every item](macro@agent)
    ///
    /// # Returns
    ///
    /// `bool`, or `Result<bool, E>`: an `Err` is a failure with a reason, which traces show.
    ///
    /// # Example
    ///
    /// ```
    /// use bt_core::prelude::*;
    ///
    /// #[derive(Agent)]
    /// struct Scout {
    ///     nearest: f64,
    /// }
    ///
    /// #[agent]
    /// impl Scout {
    ///     /// Is anybody this close?
    ///     #[condition]
    ///     fn sees_enemy(&self, #[arg(default = 30.0, unit = "m")] range: f64) -> bool {
    ///         self.nearest <= range
    ///     }
    /// }
    ///
    /// fn main() -> Result<(), Box<dyn std::error::Error>> {
    ///     let (mut scout, mut session) = (Scout { nearest: 12.0 }, Session::new(1));
    ///     let cx = &mut session.context();
    ///     let outcome = Registry::global()?.invoke(&mut scout, &mut (), cx, "sees_enemy", &"[]".parse()?)?;
    ///     assert_eq!(outcome, Outcome::Done(true));
    ///     Ok(())
    /// }
    /// ```
    condition
    /// A method that answers at once with a value, for expressions; inside an [`#[agent]`](macro@agent) block.
    ///
    /// An expression calls it by name, such as `$d < distance_to($target)`, and knows the type of its answer. It takes
    /// `&self` or no receiver, and changes nothing.
    ///
    /// # Keys
    ///
    /// - `name`, `alias`, `display`, `category`, `since`, `meta`, `override`: as for [every item](macro@agent)
    ///
    /// # Returns
    ///
    /// Any `T: Serialize + JsonSchema`, or a `Result<T, E>` of one. One that answers with a `bool` is a condition, too.
    ///
    /// # Example
    ///
    /// ```
    /// use bt_core::prelude::*;
    ///
    /// #[derive(Agent)]
    /// struct Ranger {
    ///     at: f64,
    /// }
    ///
    /// #[agent]
    /// impl Ranger {
    ///     /// The distance to a place.
    ///     #[query]
    ///     fn distance_to(&self, place: f64) -> f64 {
    ///         (self.at - place).abs()
    ///     }
    /// }
    ///
    /// fn main() {
    ///     assert_eq!(Ranger { at: 3.0 }.distance_to(5.0), 2.0);
    /// }
    /// ```
    query
    /// A method that decides what happens with a node's child; inside an [`#[agent]`](macro@agent) block.
    ///
    /// It is called on entry, with `ended: None`, and at each end of the child. `ended: Option<bool>` is its last
    /// parameter, after its [arguments](macro@agent). Or it takes [`asked: Asked`](../bt_core/enum.Asked.html), as a
    /// [`#[composite]`](macro@composite) does.
    ///
    /// # Keys
    ///
    /// - `name`, `alias`, `display`, `category`, `since`, `meta`, `override`: as for [every item](macro@agent)
    /// - `running`: it is called in every turn, too, before its child's own, with `Asked::Running`
    /// - `exit`, `resume`: as of a [`#[composite]`](macro@composite)
    ///
    /// # Returns
    ///
    /// [`Next`](../bt_core/enum.Next.html): `Next::Run` runs the child, `Next::Succeed` and `Next::Fail` end the node.
    /// While the child runs, they abort it completely first.
    ///
    /// # Example
    ///
    /// ```
    /// use bt_core::prelude::*;
    ///
    /// #[derive(Agent)]
    /// struct Knocker {
    ///     is_tired: bool,
    /// }
    ///
    /// #[agent]
    /// impl Knocker {
    ///     /// Repeat the child until it succeeds.
    ///     #[decorator]
    ///     fn until_success(&mut self, ended: Option<bool>) -> Next {
    ///         match ended {
    ///             None | Some(false) => Next::Run,
    ///             Some(true) => Next::Succeed,
    ///         }
    ///     }
    ///
    ///     /// Run the child as long as nobody is tired.
    ///     #[decorator(running)]
    ///     fn while_awake(&self, asked: Asked) -> Next {
    ///         match asked {
    ///             Asked::Ended { success: true, .. } => Next::Succeed,
    ///             Asked::Ended { success: false, .. } => Next::Fail,
    ///             Asked::Entry | Asked::Running if self.is_tired => Next::Fail,
    ///             Asked::Entry | Asked::Running => Next::Run,
    ///         }
    ///     }
    /// }
    ///
    /// fn main() {
    ///     let mut knocker = Knocker { is_tired: true };
    ///     assert_eq!(knocker.until_success(Some(true)), Next::Succeed);
    ///     assert_eq!(knocker.while_awake(Asked::Running), Next::Fail);
    /// }
    /// ```
    decorator
    /// A method that decides which of a node's children runs; inside an [`#[agent]`](macro@agent) block.
    ///
    /// It takes [`asked: Asked`](../bt_core/enum.Asked.html) before its [arguments](macro@agent): it is called on entry,
    /// and at each end of a child. Children are numbered from 0, without those that are disabled.
    ///
    /// A child that has not run in this run of the node may follow in the same poll. One that has follows in the next
    /// poll if the child that ended began in this one. A number that no child has and a panic fail the node, with a
    /// diagnostic. What it keeps by [`cx.memory_or`](../bt_core/struct.Context.html) lasts for a run
    /// of the node.
    ///
    /// # Keys
    ///
    /// - `name`, `alias`, `display`, `category`, `since`, `meta`, `override`: as for [every item](macro@agent)
    /// - `min = 1`, `max = …`: how many children a node has
    /// - `running`: it is called in every turn, too, before the children's own, with `Asked::Running`
    /// - `exit = "method"`: the clean-up, called exactly once for every run of the node, after its children:
    ///   `fn(&mut self, cx: &mut Context, exit: Exit)`, then any arguments by their names, and `#[world] …` anywhere
    /// - `resume = "method"`: restores the memory of an agent that was saved, before the next call:
    ///   `fn(&mut self, cx: &mut Context, kept: T)`, with what was kept by `cx.keep(value)`
    ///
    /// # Returns
    ///
    /// [`NextChild`](../bt_core/enum.NextChild.html): `NextChild::Run(child)` runs that child, `NextChild::Succeed` and
    /// `NextChild::Fail` end the node. While a child runs, `Run` of another one, `Succeed` and `Fail` abort it
    /// completely first.
    ///
    /// # Example
    ///
    /// ```
    /// use bt_core::prelude::*;
    /// use bt_core::tree::asset::spec::{action, composite};
    /// use bt_core::{Runner, TreeAsset, TreeSet};
    /// use std::time::Duration;
    ///
    /// #[derive(Agent, Default)]
    /// struct Waiter {
    ///     eaten: Vec<String>,
    /// }
    ///
    /// #[agent]
    /// impl Waiter {
    ///     /// Every other child, from the last on.
    ///     #[composite(min = 2)]
    ///     fn backwards(&mut self, asked: Asked, children: usize) -> NextChild {
    ///         match asked {
    ///             Asked::Entry => NextChild::Run(children - 1),
    ///             Asked::Ended { child: 0 | 1, .. } => NextChild::Succeed,
    ///             Asked::Ended { child, .. } => NextChild::Run(child - 2),
    ///             // Only with `#[composite(running)]`.
    ///             Asked::Running => NextChild::Fail,
    ///         }
    ///     }
    ///
    ///     /// Eat something.
    ///     #[action]
    ///     fn eat(&mut self, what: String) {
    ///         self.eaten.push(what);
    ///     }
    /// }
    ///
    /// fn main() -> Result<(), Box<dyn std::error::Error>> {
    ///     let dishes = ["soup", "fish", "cake"].map(|dish| action("eat").arg(dish));
    ///     let mut trees = TreeSet::<Waiter>::new();
    ///     trees.add(TreeAsset::build("menu.json", "waiter", composite("backwards", dishes).arg(3)));
    ///     let mut runner = Runner::new(&trees.build()?, "menu.json")?;
    ///     let mut waiter = Waiter::default();
    ///     runner.start();
    ///     runner.poll(&mut waiter, Duration::ZERO);
    ///     assert_eq!(waiter.eaten, ["cake", "soup"]);
    ///     Ok(())
    /// }
    /// ```
    composite
    /// A method that answers for actions that nothing registers; inside an [`#[agent]`](macro@agent) block.
    ///
    /// At most one of an agent:
    /// `fn(&mut self, cx: &mut Context, name: &str, args: &[Value]) -> Option<bool>`, and `#[world] …` anywhere. With it
    /// an unknown action is no error of a tree. `Value` is that of `serde_json`. It takes no keys.
    ///
    /// # Example
    ///
    /// ```
    /// use bt_core::prelude::*;
    /// use serde_json::Value;
    ///
    /// #[derive(Agent)]
    /// struct Scripted {
    ///     called: Vec<String>,
    /// }
    ///
    /// #[agent]
    /// impl Scripted {
    ///     #[fallback]
    ///     fn script(&mut self, _cx: &mut Context, name: &str, _args: &[Value]) -> Option<bool> {
    ///         self.called.push(name.to_owned());
    ///         Some(true)
    ///     }
    /// }
    ///
    /// fn main() -> Result<(), Box<dyn std::error::Error>> {
    ///     let (mut scripted, mut session) = (Scripted { called: Vec::new() }, Session::new(1));
    ///     let cx = &mut session.context();
    ///     Registry::global()?.invoke(&mut scripted, &mut (), cx, "dance", &"[]".parse()?)?;
    ///     assert_eq!(scripted.called, ["dance"]);
    ///     Ok(())
    /// }
    /// ```
    fallback
    /// A value that is read and written by name: of a field below [`#[derive(Agent)]`](derive@Agent), or of a getter, a
    /// setter or a constant inside an [`#[agent]`](macro@agent) block.
    ///
    /// A field is written too, unless it is `read_only`. A getter is `fn(&self) -> T`; `#[property(set)]` marks its
    /// setter, `fn set_x(&mut self, x: T)`. Both may take the context and the world. A constant is only read.
    ///
    /// # Keys
    ///
    /// - `name`, `alias`, `display`, `category`, `since`, `meta`, `override`: as for [every item](macro@agent)
    /// - `min = …`, `max = …`, `choices = […]`: the values that are accepted
    /// - `step = …`, `unit = "…"`: for editors
    /// - `read_only`: of a field
    /// - `set`: of a setter
    ///
    /// # Example
    ///
    /// ```
    /// use bt_core::prelude::*;
    ///
    /// #[derive(Agent)]
    /// struct Drone {
    ///     /// Charge left.
    ///     #[property(min = 0, max = 100, unit = "%")]
    ///     battery: u32,
    ///     height: f64,
    /// }
    ///
    /// #[agent]
    /// impl Drone {
    ///     /// Height above ground.
    ///     #[property(unit = "m")]
    ///     fn height(&self) -> f64 {
    ///         self.height
    ///     }
    ///
    ///     #[property(set)]
    ///     fn set_height(&mut self, height: f64) {
    ///         self.height = height;
    ///     }
    ///
    ///     /// How high any drone flies.
    ///     #[property]
    ///     const CEILING: f64 = 120.0;
    /// }
    ///
    /// fn main() -> Result<(), Box<dyn std::error::Error>> {
    ///     let (mut drone, mut session) = (Drone { battery: 80, height: 0.0 }, Session::new(1));
    ///     let registry = Registry::global()?;
    ///     let cx = &mut session.context();
    ///     registry.set(&mut drone, &mut (), cx, "height", &20.5.into())?;
    ///     assert_eq!(drone.height, 20.5);
    ///     let refused = registry.set(&mut drone, &mut (), cx, "battery", &101.into()).unwrap_err();
    ///     assert_eq!(refused.to_string(), "property `battery` refuses 101: expected 0 to 100");
    ///     Ok(())
    /// }
    /// ```
    property
    /// An event with typed parameters: a signature without a body, inside an inherent [`#[agent]`](macro@agent) block.
    ///
    /// The macro writes the constructor, which returns the [`Event`](../bt_core/struct.Event.html) to fire.
    ///
    /// # Keys
    ///
    /// - `name`, `alias`, `display`, `category`, `since`, `meta`: as for [every item](macro@agent)
    ///
    /// # Example
    ///
    /// ```
    /// use bt_core::prelude::*;
    ///
    /// #[derive(Agent)]
    /// struct Ball;
    ///
    /// #[agent]
    /// impl Ball {
    ///     /// It hit a wall.
    ///     #[event]
    ///     fn bounced(/** In metres a second. */ speed: f64);
    /// }
    ///
    /// fn main() {
    ///     let event = Ball::bounced(3.5); // `runner.fire(event)` sends it to an agent
    ///     assert_eq!(event.name(), "bounced");
    ///     assert_eq!(event.get("speed"), Some(&3.5.into()));
    /// }
    /// ```
    event
}
