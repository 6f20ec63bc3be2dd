//! The ways to call that need no other crate.

use std::error::Error;

use bt_core::{ActionSet, BoundCall, CallError, Outcome, Registry, Source};
use serde_json::{Value, json};

use crate::by_hand::{Chase, Howl, Leaf, Look};
use crate::naive::{Method, Methods, decode_borrowed, decode_cloned};
use crate::{Case, Compared, Stage, Wolf};

/// No call: what the loop of every case costs.
pub const LOOP: &str = "the loop alone";
/// The method by its path, no argument.
pub const DIRECT_NO_ARGUMENT: &str = "direct, no argument";
/// The method by its path, two arguments.
pub const DIRECT: &str = "direct, two arguments";
/// A leaf written by hand, no argument.
pub const LEAF_NO_ARGUMENT: &str = "Box<dyn Leaf>, no argument";
/// A leaf written by hand, two literals.
pub const LEAF: &str = "Box<dyn Leaf>, two literals";
/// A leaf written by hand, a text and a number; its method takes the context.
pub const LEAF_TEXT: &str = "Box<dyn Leaf>, text and number";
/// A bound call, no argument.
pub const BOUND_NO_ARGUMENT: &str = "bound, no argument";
/// A bound call, two literals.
pub const BOUND: &str = "bound, two literals";
/// A bound call of a base's method, two literals.
pub const BOUND_INHERITED: &str = "bound, inherited, two literals";
/// A bound call, two numbers from the blackboard.
pub const BOUND_KEYS: &str = "bound, two keys";
/// A bound call, a text and a number from the blackboard; its method takes the context.
pub const BOUND_TEXT_KEY: &str = "bound, text key and number key";
/// A call by name, through the agent's set.
pub const ERASED: &str = "ActionSet::invoke, by position";
/// A call by name, through the agent's set, its arguments by name.
pub const ERASED_BY_NAME: &str = "ActionSet::invoke, arguments by name";
/// A call by name, through the registry.
pub const REGISTRY: &str = "Registry::invoke, by position";
/// Closures by name that decode a copy of their JSON.
pub const NAIVE_CLONED: &str = "naive port, from_value(clone)";
/// Closures by name that decode their JSON where it is.
pub const NAIVE_BORROWED: &str = "naive port, T::deserialize(&value)";

/// The cases.
///
/// # Errors
/// If a method cannot be bound.
pub fn cases() -> Result<Vec<Case>, Box<dyn Error>> {
    let mut cases = copy::<0>()?;
    let more = [
        copy::<1>()?,
        copy::<2>()?,
        copy::<3>()?,
        copy::<4>()?,
        copy::<5>()?,
        copy::<6>()?,
        copy::<7>()?,
    ];
    for copies in more {
        for (case, copy) in cases.iter_mut().zip(copies) {
            case.join(copy);
        }
    }
    Ok(cases)
}

fn copy<const COPY: u64>() -> Result<Vec<Case>, Box<dyn Error>> {
    let stage = Stage::<COPY>::default();
    let alone = Case::new(LOOP, Compared::Alone, stage, (), |(), wolf, _, _| {
        wolf.beast.tick & 3 == 0
    });
    let mut cases = vec![alone];
    cases.extend(direct::<COPY>());
    cases.extend(by_hand::<COPY>());
    cases.extend(bound::<COPY>()?);
    cases.extend(by_name::<COPY>()?);
    cases.extend(naive::<COPY>());
    Ok(cases)
}

fn direct<const COPY: u64>() -> [Case; 2] {
    [
        Case::new(
            DIRECT_NO_ARGUMENT,
            Compared::With(LEAF_NO_ARGUMENT),
            Stage::<COPY>::default(),
            (),
            |_, wolf, _, _| wolf.look() == Some(true),
        ),
        Case::new(
            DIRECT,
            Compared::With(LEAF),
            Stage::<COPY>::default(),
            (7_u64, 2.0_f64),
            |(target, range), wolf, _, _| wolf.chase(*target, *range) == Some(true),
        ),
    ]
}

fn by_hand<const COPY: u64>() -> [Case; 3] {
    let leaf = |name, leaf: Box<dyn Leaf<Wolf<COPY>>>| {
        Case::new(
            name,
            Compared::Alone,
            Stage::<COPY>::default(),
            leaf,
            |leaf, wolf, world, cx| leaf.run(wolf, world, cx) == Some(true),
        )
    };
    let chase = Chase {
        target: 7,
        range: 2.0,
    };
    let howl = Howl {
        text: "intrude".to_owned(),
        volume: 2.0,
    };
    [
        leaf(LEAF_NO_ARGUMENT, Box::new(Look)),
        leaf(LEAF, Box::new(chase)),
        leaf(LEAF_TEXT, Box::new(howl)),
    ]
}

fn bound<const COPY: u64>() -> Result<[Case; 5], Box<dyn Error>> {
    let actions = ActionSet::<Wolf<COPY>>::collect()?;
    let bind = |name, leaf, action, sources: &[Source]| -> Result<Case, CallError> {
        let stage = Stage::<COPY>::default();
        let board = &mut stage.session.blackboard();
        let call: Box<dyn BoundCall<Wolf<COPY>>> = actions.bind(action, sources.to_vec(), board)?;
        Ok(Case::new(
            name,
            Compared::With(leaf),
            stage,
            call,
            |call, wolf, world, cx| is_true(call.call(wolf, world, cx)),
        ))
    };
    let literals = [Source::literal(7), Source::literal(2.0)];
    let keys = ["target", "range"].map(Source::key);
    let text_keys = ["text", "range"].map(Source::key);
    Ok([
        bind(BOUND_NO_ARGUMENT, LEAF_NO_ARGUMENT, "look", &[])?,
        bind(BOUND, LEAF, "chase", &literals)?,
        bind(BOUND_INHERITED, LEAF, "pursue", &literals)?,
        bind(BOUND_KEYS, LEAF, "chase", &keys)?,
        bind(BOUND_TEXT_KEY, LEAF_TEXT, "howl", &text_keys)?,
    ])
}

/// A call by name: through what, of what, with what.
type Named<T> = (T, &'static str, Value);

fn by_name<const COPY: u64>() -> Result<[Case; 3], Box<dyn Error>> {
    let actions = |name, args| -> Result<Case, Box<dyn Error>> {
        let callee: Named<_> = (ActionSet::<Wolf<COPY>>::collect()?, "chase", args);
        Ok(Case::new(
            name,
            Compared::ByName,
            Stage::<COPY>::default(),
            callee,
            |(actions, action, args), wolf, world, cx| {
                is_true(actions.invoke(wolf, world, cx, action, args))
            },
        ))
    };
    let callee: Named<_> = (Registry::global()?, "chase", json!([7, 2.0]));
    Ok([
        actions(ERASED, json!([7, 2.0]))?,
        actions(ERASED_BY_NAME, json!({"target": 7, "range": 2.0}))?,
        Case::new(
            REGISTRY,
            Compared::ByName,
            Stage::<COPY>::default(),
            callee,
            |(registry, action, args), wolf, world, cx| {
                is_true(registry.invoke(wolf, world, cx, action, args))
            },
        ),
    ])
}

fn naive<const COPY: u64>() -> [Case; 2] {
    let case = |name, method: Method<Wolf<COPY>>| {
        let methods: Methods<Wolf<COPY>> = [("chase".to_owned(), method)].into_iter().collect();
        let callee: Named<_> = (methods, "chase", json!([7, 2.0]));
        Case::new(
            name,
            Compared::Rival,
            Stage::<COPY>::default(),
            callee,
            |(methods, action, args), wolf, _, _| {
                let args = args.as_array().map_or(&[][..], Vec::as_slice);
                methods.get(*action).and_then(|method| method(wolf, args)) == Some(true)
            },
        )
    };
    [
        case(
            NAIVE_CLONED,
            Box::new(|wolf, args| wolf.chase(decode_cloned(args, 0)?, decode_cloned(args, 1)?)),
        ),
        case(
            NAIVE_BORROWED,
            Box::new(|wolf, args| wolf.chase(decode_borrowed(args, 0)?, decode_borrowed(args, 1)?)),
        ),
    ]
}

fn is_true(result: Result<Outcome, CallError>) -> bool {
    matches!(result, Ok(Outcome::Done(true)))
}
