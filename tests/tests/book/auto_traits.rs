//! The threads that may have each type: `Send` and `Sync` of every public type, stated.

use std::collections::BTreeSet;
use std::path::Path;
use std::rc::Rc;

use bt_core::prelude::*;

/// An agent that stays on its thread: nothing that is known of it does.
#[derive(Agent, Default)]
struct Homebody {
    _home: Rc<()>,
}

#[agent]
impl Homebody {
    #[action]
    fn stay(&mut self) {}
}

/// An agent that moves.
#[derive(Agent, Default)]
struct Traveller;

/// It compiles, so the type has the traits.
fn on_all_threads<T: ?Sized + Send + Sync>() {}

/// It compiles, so the type has the trait.
fn to_another_thread<T: ?Sized + Send>() {}

/// It compiles, so the type has not the trait: with it, two implementations were meant.
macro_rules! is_not {
    ($trait:ident: $($ty:ty),* $(,)?) => {$({
        trait Meant<Which> {
            fn meant() {}
        }
        impl<T: ?Sized> Meant<()> for T {}
        struct WithTheTrait;
        impl<T: ?Sized + $trait> Meant<WithTheTrait> for T {}
        <$ty as Meant<_>>::meant();
    })*};
}

macro_rules! all {
    ($check:ident: $($ty:ty),* $(,)?) => {$($check::<$ty>();)*};
}

// A new public type goes into one of these, by what it must be.

#[test]
fn types_that_are_send_and_sync() {
    use bt_core::blackboard::{
        Declaration, KeyChange, KeyTable, Scope, TreeFrame, TypeError, ValueType,
    };
    use bt_core::call::{self, Control, Pending};
    use bt_core::compare::{Comparison, Unordered};
    use bt_core::registry::catalogue::{
        AgentEntry, Catalogue, CrateEntry, Deprecation, EventEntry, InOut, ItemEntry, MethodEntry,
        MethodKind, NodeKindEntry, Place, ProblemEntry, PropertyEntry, ReturnKind, TypeEntry,
        ValueEntry,
    };
    use bt_core::registry::{AgentInfo, Found, LookupError};
    use bt_core::{
        Action, ActionSet, ArgumentError, BoundCall, CallError, DecodeError, KeyError, KeyId, Left,
        NoBase, Property, PropertySet, PropertyWatch, RegistryError, RestoreError, Saved,
        SharedBoard, Snapshot, Source,
    };

    // Programs that decode what the command line asks them.
    use bt_core::registry::decoders::{Decoders, Question, Refused};
    all!(on_all_threads: Decoders, Question, Refused);
    // Trees as people edit them.
    use bt_core::tree::asset::spec::NodeSpec;
    use bt_core::tree::asset::{AssetError, AssetNode, NodeData, Position, Problem, TreeAsset};
    all!(on_all_threads: AssetError, AssetNode, NodeData, NodeSpec, Position, Problem, TreeAsset);
    // What is wrong with them, and who knows it.
    use bt_core::tree::asset::scan::Kind;
    use bt_core::tree::asset::{Fix, Item};
    use bt_core::tree::check::Checker;
    use bt_core::tree::{Code, Level, UnknownCode};
    use bt_meta::lint::Linted;
    all!(on_all_threads: Fix, Item, Kind, Checker<'_>, Linted, Code, Level, UnknownCode);
    use bt_core::tree::check::{Arguments, Checked, Declared, Limits, Owner, Rules, RunBy, Typed};
    all!(on_all_threads: Arguments, Checked, Declared<'_>, Limits, Owner, Rules, RunBy<'_>, Typed<Homebody>);
    // What a node is, with all that is in it: parameters, attachments, calls and their arguments.
    use bt_core::kinds::{About, Caller, Certain, Children, Group, Keys, Leaf, Logic, Node, Use};
    use bt_core::kinds::{call as calls, set, values};
    all!(on_all_threads: About, Caller, Certain, Children, Group, Keys, Leaf, Logic, Node<'_>, Use<'_, '_>);
    all!(on_all_threads: calls::Argument<'_>, calls::Handed<'_>, values::Name<'_>, values::Count);
    all!(on_all_threads: values::AtLeast<1>, values::Weight, values::Weights, values::Seconds);
    all!(on_all_threads: values::PositiveSeconds, values::Json<'_>, values::Parameters<'_>);
    all!(on_all_threads: bt_core::kinds::attached::Declarations<'_>);
    // Expressions; nobody else can name `Builtin`, which is in `Form`.
    use bt_core::expression::{Argument as Given, Checked as Known, Expr, Form, Mistake, Named};
    use bt_core::expression::{Operator, Span, Spelled, Target, Type};
    use bt_core::kinds::{Wanted, number, switch};
    use bt_core::tree::asset::spec::Expression;
    // Nobody else can name `Scores` of `utility`.
    all!(on_all_threads: Expression, Wanted<'_, '_>, switch::Cases<'_>);
    all!(on_all_threads: number::Number<'_, u64>, number::NumberRule);
    all!(on_all_threads: Given, Known, Expr, Form, Mistake, Named, Operator, Span, Spelled, Type);
    all!(on_all_threads: Target, values::Formula<'_>, set::Writes<'_>);
    // Agents that are described at run time, and what answers for them; not one of them.
    use bt_core::dynamic::{
        self, Describe, DescribeError, DynType, EventType, Handler, MethodType,
    };
    all!(on_all_threads: Describe, DescribeError, DynType, EventType, MethodType, dyn Handler);
    all!(on_all_threads: dynamic::Answer, dynamic::Type);
    // Tests of trees, and what they show.
    use bt_core::scenario::{
        Failure, GuardSeen, Mention, Mentioned, NodeSeen, Player, Scenario, ScenarioError,
        ScenarioProblem, Seen, Story, Verdict,
    };
    all!(on_all_threads: Player<Homebody>, Scenario, ScenarioError, ScenarioProblem, Mention);
    all!(on_all_threads: Mentioned, Seen, NodeSeen, GuardSeen, Verdict, Failure, Story);
    // Trees that are built, and what is seen of agents that run them.
    use bt_core::{
        ActiveLeaf, ActiveNode, Diagnostic, LeafId, LeafState, Mode, NodeRef, NodeStatus, Poll,
        TreeError, TreeSet, Trees,
    };
    all!(on_all_threads: TreeSet<Homebody>, Trees<Homebody>, TreeError, Mode, Poll, Diagnostic);
    all!(on_all_threads: ActiveLeaf, ActiveNode, LeafId, LeafState, NodeRef, NodeStatus);
    use bt_core::explain::{
        Above, CallArgument, Condition, EventNote, Explainer, Explanation, Fate, ForcedEnd,
        Refusal, Said, Suspended, TreeState, Waiting, Why,
    };
    all!(on_all_threads: Above, CallArgument, Condition, EventNote, Explainer, Explanation, Fate);
    all!(on_all_threads: ForcedEnd, Refusal, Said, Suspended, TreeState, Waiting, Why);
    all!(on_all_threads: bt_core::trace::Stands<'static>, bt_core::trace::Resumption<'static>);
    // What happened, as it is kept and read, and who writes it.
    use bt_core::registry::schema::{Fact, Format, Length, Others};
    all!(on_all_threads: Fact, Format<'static>, Length, Others<'static>);
    use bt_core::text::OneLine;
    use bt_core::text::cut::{Cut, Room};
    all!(on_all_threads: OneLine<String>, bt_core::trace::Output<Vec<u8>>);
    use bt_core::trace::{
        Control as Asked, Held, JsonLines, Leave, NodeName, Picture, Replay, ReplayError, Ring,
        Role, SharedWriter, Switch, Watch, Woken,
    };
    all!(on_all_threads: Picture, NodeName, Replay, ReplayError, Ring, Held<'static>, Cut, Room);
    all!(on_all_threads: Leave, Role, Switch, Asked, Woken);
    use bt_live::logs::{DebugFeed, DebugLog};
    all!(on_all_threads: DebugFeed, DebugLog<Vec<u8>>, JsonLines<Vec<u8>>, Watch<Vec<u8>>, SharedWriter<Vec<u8>>);
    all!(on_all_threads: bt_core::Asked, bt_core::NextChild);
    // What trees hold.
    all!(on_all_threads: Source, KeyTable, KeyId, Scope, Declaration, ValueType, TreeFrame);
    all!(on_all_threads: dyn BoundCall<Homebody>, Box<dyn BoundCall<Homebody>>);
    // What is known of agents, wherever these are.
    all!(on_all_threads: Registry, AgentInfo<'_>, Found<'_, MethodEntry>);
    all!(on_all_threads: Action<Homebody>, ActionSet<Homebody>);
    all!(on_all_threads: Property<Homebody>, PropertySet<Homebody>, PropertyWatch<Homebody>);
    // What other threads answer.
    all!(on_all_threads: Completion, Pending, SharedBoard, Event);
    // What calls come to.
    all!(on_all_threads: Outcome, Status, Next, Exit, Left, Control);
    all!(on_all_threads: KeyChange, call::Change, Snapshot, Random);
    all!(on_all_threads: Comparison, Unordered, Saved, RestoreError);
    // Errors: they cross threads in a `Box<dyn Error + Send + Sync>`.
    all!(on_all_threads: CallError, ArgumentError, DecodeError, KeyError, TypeError);
    all!(on_all_threads: RegistryError, LookupError, ProblemEntry);
    // Trees that replace others under running agents.
    use bt_core::reload::{Changes, Gone, Moved, Reload, Renamed};
    all!(on_all_threads: Changes<Homebody>, Gone, Moved, Reload, Renamed);
    // What stops agents, and says where they are.
    use bt_core::debug::{self, Breakpoint, Breakpoints, Compare, DebugError, Forced, Hits};
    all!(on_all_threads: Breakpoint, Breakpoints, Compare, DebugError, Forced, Hits);
    use bt_core::debug::{ForcedNode, NodeProfile, On, Profile, Profiler, Step, Stop};
    all!(on_all_threads: ForcedNode, NodeProfile, On, Profile, Profiler, Step, Stop);
    all!(on_all_threads: debug::Condition, debug::Why);
    // Many agents: who is meant, and what reaches them.
    use bt_core::pool::{AgentId, Changed, PoolHandle, SavedAgent, SavedPool, WakeQueue};
    all!(on_all_threads: AgentId, Changed, PoolHandle, SavedAgent, SavedPool, WakeQueue);
    all!(on_all_threads: bt_core::pool::Keys<String>);
    use bt_core::pool::Reloads;
    all!(on_all_threads: Reloads<Homebody>);
    // Plain data.
    all!(on_all_threads: Catalogue, CrateEntry, AgentEntry, ItemEntry, Deprecation, Place);
    all!(on_all_threads: MethodEntry, MethodKind, ReturnKind, ValueEntry, TypeEntry, InOut);
    all!(on_all_threads: PropertyEntry, EventEntry, NodeKindEntry);
    // Agents without anything of their own.
    all!(on_all_threads: bt_core::builtin::ActionAgent, NoBase);
}

#[test]
fn types_that_are_send_and_not_sync() {
    use bt_core::call::CallRequests;

    all!(to_another_thread: Blackboard, Session, CallRequests, bt_core::Runner<Homebody>);
    is_not!(Sync: Blackboard, Session, CallRequests, bt_core::Runner<Homebody>);
    // It may have a filter, and a file of any sort.
    use bt_core::trace::Tracer;
    use bt_live::logs::BehaviacLog;
    all!(to_another_thread: BehaviacLog<Vec<u8>>, dyn Tracer);
    is_not!(Sync: BehaviacLog<Vec<u8>>, dyn Tracer);
    // It may have a state of any sort.
    use bt_core::dynamic::DynAgent;
    all!(to_another_thread: DynAgent);
    is_not!(Sync: DynAgent);
    // With agents that move to another thread; they have them.
    use bt_core::pool::{Chunk, Pool, Spawner};
    all!(to_another_thread: Pool<Traveller>, Chunk<'_, Traveller>, Spawner<Traveller>);
    all!(to_another_thread: bt_core::pool::Effects);
    is_not!(Sync: bt_core::pool::Effects);
    is_not!(Sync: Pool<Traveller>, Chunk<'_, Traveller>);
    is_not!(Send: Pool<Homebody>, Chunk<'_, Homebody>, Spawner<Homebody>);
}

#[test]
fn types_that_are_not_send() {
    use bt_core::call::Frame;

    is_not!(Send: Context<'_>, Frame<'_>);
    is_not!(Sync: Context<'_>, Frame<'_>);
    // It lends the reader of a field to who binds a call.
    is_not!(Send: bt_core::call::Origin<'_>);
    is_not!(Sync: bt_core::call::Origin<'_>);
    // What is wrong with a key is lent to who reports it.
    is_not!(Send: bt_core::kinds::KeyProblem<'_>);
    is_not!(Sync: bt_core::kinds::KeyProblem<'_>);
    // A record is lent by the runner as it goes.
    use bt_core::trace::{Args, Place, Record, Scene, Wait, What, Words};
    is_not!(Send: Record<'_>, What<'_>, Scene<'_>, Args<'_>, Words<'_>);
    is_not!(Sync: Record<'_>, What<'_>, Scene<'_>, Args<'_>, Words<'_>);
    on_all_threads::<Place<'_>>();
    on_all_threads::<Wait<'_>>();
}

/// Types that only the macros' expansions have to do with.
const OF_MACROS: &[&str] = &[
    "AgentDesc",
    "Answer",
    "AnswerOf",
    "AnswerType",
    "Answered",
    "Answering",
    "ArgumentSource",
    "Back",
    "Binder",
    "Block",
    "BoardKey",
    "Borrowed",
    "Call",
    "Callable",
    "EventDesc",
    "EventParam",
    "ExitCall",
    "Fallback",
    "Field",
    "FieldReader",
    "GenericDesc",
    "Get",
    "GiveEachBlockItsOwnAgentPart",
    "Here",
    "Hides",
    "ItemDesc",
    "Key",
    "Kin",
    "Lent",
    "Method",
    "MethodDesc",
    "Mut",
    "NoReference",
    "Out",
    "ParamDesc",
    "Params",
    "PartOf",
    "Passing",
    "PropertyDesc",
    "Reference",
    "Registration",
    "Resolved",
    "Returned",
    "Shape",
    "Shared",
    "Shown",
    "Site",
    "Slot",
    "Static",
    "Table",
    "Text",
    "TheContext",
    "Then",
    "TypedField",
    "Val",
    "ValueDesc",
    "ValueKey",
    "WithWorld",
    "WithoutWorld",
];

fn public_types(folder: &Path, into: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            public_types(&path, into);
            continue;
        }
        for line in std::fs::read_to_string(&path).unwrap().lines() {
            let rest = line
                .strip_prefix("pub struct ")
                .or(line.strip_prefix("pub enum "));
            let name = rest.and_then(|rest| rest.split(|c: char| !c.is_alphanumeric()).next());
            into.extend(name.map(str::to_owned));
        }
    }
}

#[test]
fn no_public_type_is_missing_here() {
    let mut types = BTreeSet::new();
    public_types(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("../bt-core/src"),
        &mut types,
    );
    assert!(types.len() > 100, "{types:?}");
    let text = include_str!("auto_traits.rs");
    let words: BTreeSet<_> = text.split(|c: char| !c.is_alphanumeric()).collect();
    let missing = |name: &&String| !words.contains(name.as_str());
    let missing: Vec<_> = types.iter().filter(missing).collect();
    assert_eq!(missing, [""; 0], "state whether they are `Send` and `Sync`");
    for name in OF_MACROS {
        assert!(types.contains(*name), "`{name}` is no type any more");
    }
}
