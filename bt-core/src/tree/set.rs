//! Trees that may call one another, for one type of agent: collected, checked, built, shared.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use super::asset::{AssetError, Problem, TreeAsset};
use super::build::build_described;
use super::build::{Bound, Callee, Calls, build};
use super::check::{Checked, Rules, Typed, check, sources};
use super::plan::Plan;
use crate::Agent;
use crate::blackboard::{KeyId, Keys};
use crate::call::expression::Fetch;
use crate::call::link::{folded, parsed};
#[cfg(feature = "dynamic")]
use crate::call::stand_in::StandIn;
use crate::call::{Action, ActionSet, Binding, BoundCall, Context, Outcome, PropertySet, Source};
use crate::describe::catalogue::EventEntry;
use crate::error::CallError;
use crate::expression::Expr;
use crate::kinds::call::Arguments;
use crate::kinds::set::Writes;
use crate::registry::{AgentInfo, EventInfo, Registry};

/// Trees that may call one another, while they are collected.
///
/// ```
/// use bt_core::prelude::*;
/// use bt_core::tree::asset::spec::{action, sequence};
/// use bt_core::{Runner, TreeAsset, TreeSet};
/// use std::time::Duration;
///
/// #[derive(Agent)]
/// struct Candle { lit: u32 }
///
/// #[agent]
/// impl Candle {
///     #[action]
///     fn light(&mut self, lumen: u32) { self.lit += lumen; }
/// }
///
/// let mut trees = TreeSet::<Candle>::new();
/// let twice = sequence([action("light").arg(3), action("light").arg(4)]);
/// trees.add(TreeAsset::build("twice.json", "candle", twice));
/// let trees = trees.build()?;
/// let mut runner = Runner::new(&trees, "twice.json")?;
/// runner.start();
/// let mut candle = Candle { lit: 0 };
/// runner.poll(&mut candle, Duration::ZERO);
/// assert_eq!(candle.lit, 7);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct TreeSet<A: Agent> {
    /// Shared with what was built of them.
    assets: Arc<Vec<TreeAsset>>,
    rules: Rules,
    /// Of agents that are described; else that of the program.
    registry: Option<&'static Registry>,
    agent: std::marker::PhantomData<fn(&A)>,
}

impl<A: Agent> Default for TreeSet<A> {
    fn default() -> Self {
        TreeSet {
            assets: Arc::default(),
            rules: Rules::default(),
            registry: None,
            agent: std::marker::PhantomData,
        }
    }
}

impl<A: Agent> TreeSet<A> {
    /// No trees yet.
    pub fn new() -> TreeSet<A> {
        TreeSet::default()
    }

    /// No trees yet, of an agent of that registry.
    pub(crate) fn of(registry: &'static Registry) -> TreeSet<A> {
        TreeSet {
            registry: Some(registry),
            ..TreeSet::default()
        }
    }

    fn typed(&self) -> Result<Typed<A>, CallError> {
        self.registry.map_or_else(Typed::new, Typed::of)
    }

    /// Adds a tree. Others, and runners, call it by its [name](TreeAsset::name).
    pub fn add(&mut self, tree: TreeAsset) -> &mut TreeSet<A> {
        Arc::make_mut(&mut self.assets).push(tree);
        self
    }

    /// With other rules: for larger trees, or for composites without children.
    pub fn rules(&mut self, rules: Rules) -> &mut TreeSet<A> {
        self.rules = rules;
        self
    }

    /// The trees that were added.
    pub fn trees(&self) -> &[TreeAsset] {
        &self.assets
    }

    /// The trees as they are built.
    fn enabled(&self) -> Arc<Vec<TreeAsset>> {
        let all: Vec<_> = self.assets.iter().map(TreeAsset::enabled).collect();
        match all.iter().all(|tree| matches!(tree, Cow::Borrowed(_))) {
            true => self.assets.clone(),
            false => Arc::new(all.into_iter().map(Cow::into_owned).collect()),
        }
    }

    /// Looks for everything that is wrong with the trees, as [`build`](TreeSet::build) does.
    pub fn check(&self) -> Checked {
        match self.typed() {
            Ok(typed) => check(&self.assets, &typed, &self.rules),
            Err(error) => Checked {
                problems: AssetError::because(&error.to_string()).problems().to_vec(),
                ..Checked::default()
            },
        }
    }

    /// Resolves the names, arguments, keys and trees of all trees.
    ///
    /// # Errors
    /// Everything that is wrong with any of them, each problem with its file and node: see
    /// [`check`](crate::tree::check). Warnings are [kept](Trees::warnings), and go to the log
    /// (`tracing`, target `bt`).
    pub fn build(&self) -> Result<Trees<A>, AssetError> {
        self.build_with(|_| {})
    }

    /// The same, and whoever stands in for the agent is asked before each call.
    #[cfg(feature = "dynamic")]
    pub(crate) fn build_stood_in(&self, by: Arc<dyn StandIn>) -> Result<Trees<A>, AssetError> {
        self.build_with(|bind| bind.stand_in = Some(by))
    }

    fn build_with(&self, prepare: impl FnOnce(&mut Bind<A>)) -> Result<Trees<A>, AssetError> {
        let refused = |error: CallError| AssetError::because(&error.to_string());
        let typed = self.typed().map_err(refused)?;
        let warnings = check(&self.assets, &typed, &self.rules).into_result()?;
        for warning in &warnings {
            tracing::warn!(target: "bt", "{warning}");
        }
        let mut bind = Bind::new(&typed);
        prepare(&mut bind);
        let assets = self.enabled();
        let plan = build(&assets, &mut bind)?;
        Ok(bind.trees(plan, &assets, warnings))
    }
}

impl<A: Agent> fmt::Debug for TreeSet<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.assets.iter().map(TreeAsset::name);
        f.debug_set().entries(names).finish()
    }
}

/// Trees that are built: unchangeable, and shared by all that run them. A clone is the same trees.
///
/// ```
/// use bt_core::builtin::ActionAgent;
/// use bt_core::tree::asset::spec::action;
/// use bt_core::{Runner, TreeAsset, TreeSet};
///
/// let mut trees = TreeSet::<ActionAgent>::new();
/// trees.add(TreeAsset::build("rest", "action_agent", action("nop")));
/// let trees = trees.build()?;
/// assert!(trees.names().eq(["rest"]));
/// // One set for a thousand agents: each runner is a state of its own.
/// let runners: Vec<_> = (0..1000).map(|_| Runner::new(&trees, "rest")).collect::<Result<_, _>>()?;
/// # let _ = runners;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Trees<A: Agent>(pub(crate) Arc<Set<A>>);

/// The shared parts of a set of trees.
pub(crate) struct Set<A: Agent> {
    /// The agent's registered name.
    pub(crate) agent: &'static str,
    pub(crate) plan: Arc<Plan>,
    pub(crate) leaves: Box<[Leaf<A>]>,
    /// The values of nodes that are no call's.
    pub(crate) properties: Box<[Fetch<A>]>,
    /// All that the agent has.
    pub(crate) all: &'static PropertySet<A>,
    registry: &'static Registry,
    warnings: Vec<Problem>,
    /// The files' data on the nodes that are built, by the trees' numbers: a saved agent carries that of the
    /// nodes that are active.
    #[cfg(feature = "save")]
    pub(crate) source: Arc<Vec<TreeAsset>>,
}

impl<A: Agent> Trees<A> {
    /// Trees as a saved agent describes those that it ran: nobody enters their nodes any more, so what is
    /// called there need not be there. `hashes` are those of the first of them. The kept events are those that
    /// came before.
    pub(crate) fn described(
        &self,
        assets: &Arc<Vec<TreeAsset>>,
        hashes: &[u64],
        kept_events: &[&str],
    ) -> Result<Trees<A>, CallError> {
        let mut bind = Bind::new(&Typed::of(self.registry())?);
        bind.is_lenient = true;
        let mut plan = build_described(assets, kept_events, &mut bind);
        for (tree, hash) in plan.trees.iter_mut().zip(hashes) {
            tree.hash = *hash;
        }
        Ok(bind.trees(plan, assets, Vec::new()))
    }

    /// The names of the trees, in the order in which they were added.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.plan.trees.iter().map(|tree| &*tree.name)
    }

    /// No trees yet, for the same agents: where these are described, by the same description.
    pub fn set(&self) -> TreeSet<A> {
        TreeSet::of(self.registry())
    }

    /// The registry that knows the agent: that of the program, or the one of an agent that is described.
    pub fn registry(&self) -> &'static Registry {
        self.0.registry
    }

    /// The warnings, which do not prevent a build: old names, keys that nobody reads.
    pub fn warnings(&self) -> &[Problem] {
        &self.0.warnings
    }

    /// The number of nodes of all the trees together.
    pub fn node_count(&self) -> usize {
        self.0.plan.nodes.len()
    }
}

// Not derived: an agent need not be `Clone`.
impl<A: Agent> Clone for Trees<A> {
    fn clone(&self) -> Self {
        Trees(self.0.clone())
    }
}

impl<A: Agent> fmt::Debug for Trees<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.names()).finish()
    }
}

/// Binds the calls of a plan to an agent's methods.
struct Bind<A: Agent> {
    actions: &'static ActionSet<A>,
    agent: AgentInfo<'static>,
    leaves: Vec<Leaf<A>>,
    properties: Vec<Fetch<A>>,
    /// True if a call that cannot be bound is one that nobody makes.
    is_lenient: bool,
    /// The stand-in that may answer in place of the agent, and sees each call first.
    #[cfg(feature = "dynamic")]
    stand_in: Option<Arc<dyn StandIn>>,
}

impl<A: Agent> Bind<A> {
    fn new(typed: &Typed<A>) -> Bind<A> {
        Bind {
            actions: typed.actions(),
            agent: typed.agent(),
            leaves: Vec::new(),
            properties: Vec::new(),
            is_lenient: false,
            #[cfg(feature = "dynamic")]
            stand_in: None,
        }
    }

    /// The target that calls are bound into.
    fn bound_into<'k>(&self, keys: &'k mut dyn Keys) -> Binding<'k> {
        Binding {
            keys,
            #[cfg(feature = "dynamic")]
            stand_in: self.stand_in.clone(),
        }
    }

    /// The number of a call. One that cannot be bound is an error, unless nobody makes it.
    fn leaf(
        &mut self,
        bound: Result<Box<dyn BoundCall<A>>, CallError>,
        action: Option<&'static Action<A>>,
        may_change: bool,
    ) -> Result<u32, CallError> {
        let call = match bound {
            Err(_) if self.is_lenient => Box::new(Unbound),
            bound => bound?,
        };
        self.leaves.push(Leaf {
            call,
            action,
            may_change,
        });
        Ok(self.leaves.len() as u32 - 1)
    }

    fn trees(self, plan: Plan, assets: &Arc<Vec<TreeAsset>>, warnings: Vec<Problem>) -> Trees<A> {
        #[cfg(not(feature = "save"))]
        let _ = assets;
        Trees(Arc::new(Set {
            agent: self.agent.name(),
            plan: plan.shared(),
            leaves: self.leaves.into(),
            properties: self.properties.into(),
            all: self.actions.properties(),
            registry: self.agent.registry(),
            warnings,
            #[cfg(feature = "save")]
            source: assets.clone(),
        }))
    }
}

/// The call of a method that is gone.
struct Unbound;

impl<A: Agent> BoundCall<A> for Unbound {
    fn run<'a, 'w: 'a, 's: 'a>(
        &self,
        _: &mut A,
        _: &'a mut A::World<'w, 's>,
        _: &mut Context<'_>,
    ) -> Option<Outcome> {
        Some(Outcome::Done(false))
    }
}

/// Keys, and which slots without a name were asked for: there is one for each property.
struct Recorded<'k> {
    keys: &'k mut dyn Keys,
    anonymous: Vec<KeyId>,
}

impl Keys for Recorded<'_> {
    fn intern(&mut self, key: &str) -> KeyId {
        self.keys.intern(key)
    }

    fn anonymous(&mut self) -> KeyId {
        let id = self.keys.anonymous();
        self.anonymous.push(id);
        id
    }
}

impl<A: Agent> Calls for Bind<A> {
    fn bind(
        &mut self,
        name: &str,
        args: &Arguments<'_>,
        keys: &mut dyn Keys,
    ) -> Result<Bound, CallError> {
        let method = self.agent.action(name).ok();
        let mut sources = sources(method.as_deref(), args).unwrap_or_default();
        for source in &mut sources {
            if let Source::Expression(text) = source {
                *source = folded(text);
            }
        }
        let mut keys = Recorded {
            keys,
            anonymous: Vec::new(),
        };
        let bound = self
            .actions
            .bind_all(name, &sources, &mut self.bound_into(&mut keys));
        let action = self.actions.find(name).ok();
        Ok(Bound {
            callee: Callee {
                call: self.leaf(bound, action, may_change(action))?,
                by_keys: action.is_some_and(|action| action.is_static() && !action.takes_world()),
                has_exit: action.is_some_and(|action| action.has_exit()),
                exit_takes: action.is_some_and(|action| action.exit_takes_arguments()),
                asks_running: action.is_some_and(|action| action.asks_running()),
            },
            name: action.map_or_else(|| name.to_owned().into(), |action| action.name().into()),
            sources,
            properties: keys.anonymous,
            is_expression: false,
        })
    }

    fn events(&self) -> BTreeMap<Box<str>, EventInfo> {
        self.agent.event_infos()
    }

    fn event(&self, name: &str) -> Option<&EventEntry> {
        self.agent.event(name).ok().map(|found| found.entry)
    }

    fn property(&mut self, name: &str) -> Result<u32, CallError> {
        let found = self.actions.properties().find(name)?;
        self.properties
            .push(Fetch::Property(Box::new(found.clone())));
        Ok(self.properties.len() as u32 - 1)
    }

    fn expression(&mut self, text: &str, keys: &mut dyn Keys) -> Result<Bound, CallError> {
        let expr = parsed(text)?;
        let bound = self
            .actions
            .bind_expression(text, &mut self.bound_into(keys));
        let mut sources: Vec<_> = expr.keys().into_iter().map(Source::key).collect();
        let mut properties = Vec::new();
        for (property, slot) in bound.iter().flat_map(|bound| &bound.properties) {
            sources.push(Source::property(property.name()));
            properties.push(*slot);
        }
        let call = bound.map(|bound| Box::new(bound) as Box<dyn BoundCall<A>>);
        Ok(Bound {
            callee: Callee::without_exit(self.leaf(call, None, false)?, self.is_by_keys(&expr)),
            name: text.to_owned().into(),
            sources,
            properties,
            is_expression: true,
        })
    }

    fn writes(&mut self, writes: &Writes<'_>, keys: &mut dyn Keys) -> Result<Bound, CallError> {
        let mut keys = Recorded {
            keys,
            anonymous: Vec::new(),
        };
        let all = writes.all().map(|(target, text)| (target, folded(text)));
        let (targets, sources): (Vec<_>, Vec<_>) = all.unzip();
        let into = &mut self.bound_into(&mut keys);
        let bound = self.actions.bind_writes(&targets, &sources, into);
        Ok(Bound {
            callee: Callee::without_exit(self.leaf(bound, None, true)?, false),
            name: writes.to_string().into(),
            sources,
            properties: keys.anonymous,
            is_expression: false,
        })
    }

    fn value(&mut self, text: &str, keys: &mut dyn Keys) -> Result<u32, CallError> {
        let bound = self
            .actions
            .bind_expression(text, &mut self.bound_into(keys))?;
        self.properties.push(Fetch::Expression(bound));
        Ok(self.properties.len() as u32 - 1)
    }

    fn is_by_keys(&self, expr: &Expr) -> bool {
        self.actions.is_by_keys(expr)
    }
}

/// A call that a tree's nodes make.
pub(crate) struct Leaf<A: Agent> {
    pub(crate) call: Box<dyn BoundCall<A>>,
    /// The hooks around it; none for what the fallback answers.
    pub(crate) action: Option<&'static Action<A>>,
    /// True if it may change the agent, or what it acts on.
    pub(crate) may_change: bool,
}

/// Returns true if an action may change its agent, or what it acts on; what the fallback answers may.
fn may_change<A: Agent>(action: Option<&Action<A>>) -> bool {
    action.is_none_or(|action| {
        let is_alone = action.is_static() && !action.takes_world();
        !is_alone && !action.has_answer()
    })
}
