//! Nodes that add nothing: random trees do the same with one of them around any of their nodes, with a
//! composite's mirror image in its place, or with a group in it. This needs no
//! reference, and so covers actions that cancel and events that switch trees, too.

use bt_core::{Random, Status};
use bt_tests::cases::{Abort, Case, Guard, Kind, Node, Profile, drive, for_seeds};

use crate::text::harness::node;

/// A key that nothing writes.
const NEVER: &str = "never";

/// The number of ways to put a node into another one.
const WAYS: i64 = 27;
/// Other ways, of what is below a node.
const MIRRORED: i64 = WAYS;
const FIRST: i64 = WAYS + 1;
const LAST: i64 = WAYS + 2;

fn never() -> Node {
    node(Kind::Condition(NEVER), [])
}

fn always() -> Node {
    node(Kind::Negative, [never()])
}

fn running() -> Node {
    node(Kind::AlwaysRunning, [])
}

fn parallel<const N: usize>(success: u32, failure: u32, children: [Node; N]) -> Node {
    let (success, failure, rerun) = (Some(success), Some(failure), false);
    let kind = Kind::Parallel {
        success,
        failure,
        rerun,
        stops: false,
    };
    node(kind, children)
}

/// A node in another one that ends as it does, when it does.
fn wrapped(inner: Node, way: i64) -> Node {
    let keep_place = false;
    let guarded = |inner, abort| {
        let mut made = node(Kind::Sequence { keep_place }, [inner]);
        let (about, not) = (NEVER, true);
        made.guards.push(Guard { about, not, abort });
        made
    };
    match way {
        0 => node(Kind::Sequence { keep_place }, [inner]),
        1 => node(Kind::Select { keep_place }, [inner]),
        2 => node(Kind::MemorySequence { keep_place: false }, [inner]),
        3 => node(Kind::MemorySelect { keep_place: false }, [inner]),
        4 => node(Kind::ReactiveSequence, [inner]),
        5 => node(Kind::ReactiveSelect, [inner]),
        6 => parallel(1, 1, [inner]),
        7 => node(Kind::Negative, [node(Kind::Negative, [inner])]),
        8 => parallel(1, 1, [running(), inner]),
        9 => parallel(1, 1, [inner, running()]),
        10 => node(Kind::ReactiveSelect, [never(), inner]),
        11 => node(Kind::ReactiveSequence, [always(), inner]),
        12 => node(Kind::Sequence { keep_place }, [always(), inner]),
        13 => node(Kind::Select { keep_place }, [never(), inner]),
        14 => guarded(inner, Abort::Own),
        15 => guarded(inner, Abort::Poll),
        16 => node(Kind::Timeout(100_000), [inner]),
        17 => node(Kind::Delay(0), [inner]),
        18 => node(Kind::Repeat(1), [inner]),
        19 => node(Kind::Retry(1), [inner]),
        20 => node(Kind::IfElse, [always(), inner]),
        21 => node(Kind::Sequence { keep_place: true }, [inner]),
        22 => node(
            Kind::Sequence { keep_place },
            [inner, node(Kind::Wait(0), [])],
        ),
        23 => parallel(2, 1, [inner, always()]),
        24 => parallel(2, 1, [always(), inner]),
        25 => node(Kind::AnyFinish, [inner]),
        _ => node(Kind::AnyFinish, [inner, running()]),
    }
}

fn not(inner: Node) -> Node {
    node(Kind::Negative, [inner])
}

/// The mirror image of a composite, in its place.
fn mirrored(mut at: Node) -> Option<Node> {
    let own_and_slow = at.children.iter().any(is_guarded_and_slow);
    if own_and_slow || at.children.iter().any(takes_over) {
        return None;
    }
    let kind = match &at.kind {
        Kind::Sequence { keep_place } => Kind::Select {
            keep_place: *keep_place,
        },
        Kind::Select { keep_place } => Kind::Sequence {
            keep_place: *keep_place,
        },
        Kind::MemorySequence { keep_place } => Kind::MemorySelect {
            keep_place: *keep_place,
        },
        Kind::MemorySelect { keep_place } => Kind::MemorySequence {
            keep_place: *keep_place,
        },
        Kind::ReactiveSequence => Kind::ReactiveSelect,
        Kind::ReactiveSelect => Kind::ReactiveSequence,
        Kind::AnyFinish => Kind::AnyFinish,
        Kind::Parallel {
            success,
            failure,
            rerun,
            stops,
        } => {
            let count = at.children.len() as u32;
            let most = success.unwrap_or(count);
            Kind::Parallel {
                success: Some(failure.unwrap_or(count + 1 - most)),
                failure: Some(most),
                rerun: *rerun,
                stops: *stops,
            }
        }
        _ => return None,
    };
    // All ended and neither reached: that is a failure, and no success.
    if let Kind::Parallel {
        success: Some(success),
        failure: Some(failure),
        ..
    } = kind
        && success + failure > at.children.len() as u32 + 1
    {
        return None;
    }
    let children = std::mem::take(&mut at.children).into_iter().map(not);
    let mut mirror = node(kind, []);
    mirror.children = children.collect();
    at.kind = Kind::Negative;
    at.children = vec![mirror];
    Some(at)
}

/// A composite whose first two children, or last two, are a group of its kind.
fn grouped(mut at: Node, first: bool) -> Option<Node> {
    let kind = match &at.kind {
        kind @ (Kind::Sequence { keep_place: false }
        | Kind::Select { keep_place: false }
        | Kind::AlwaysSeq
        | Kind::ReactiveSequence
        | Kind::ReactiveSelect) => kind.clone(),
        _ => return None,
    };
    if at.children.len() < 3 || at.children.iter().any(takes_over) {
        return None;
    }
    let from = if first { 0 } else { at.children.len() - 2 };
    let mut group = node(kind, []);
    group.children = at.children.splice(from..from + 2, [running()]).collect();
    at.children[from] = group;
    Some(at)
}

fn takes_over(node: &Node) -> bool {
    node.guards.iter().any(|guard| guard.abort.is_lower())
}

/// While it cancels, its parent is closed: that would be another node.
fn is_guarded_and_slow(node: &Node) -> bool {
    let own = node.guards.iter().any(|guard| guard.abort.is_own());
    let mut below = node.nodes().into_iter();
    own && below.any(|node| matches!(node.kind, Kind::Slow(_) | Kind::SubTree(_)))
}

/// Puts the node of a number into another one; whether that is to change nothing.
fn wrap(at: &mut Node, number: &mut usize, way: i64) -> Option<bool> {
    for child in &mut at.children {
        if *number == 0 {
            let below_conditions = matches!(at.kind, Kind::And | Kind::Or);
            let put = match way {
                MIRRORED => mirrored(child.clone()),
                FIRST | LAST => grouped(child.clone(), way == FIRST),
                _ if takes_over(child) || is_guarded_and_slow(child) => None,
                _ => Some(wrapped(child.clone(), way)),
            };
            let put = put.filter(|_| !below_conditions);
            return Some(put.map(|put| *child = put).is_some());
        }
        *number -= 1;
        if let Some(done) = wrap(child, number, way) {
            return Some(done);
        }
    }
    None
}

type Seen = Vec<(Status, Vec<String>)>;

fn seen(case: &Case) -> Result<Seen, String> {
    let mut all = Vec::new();
    drive(case, |driven| {
        let mut log = std::mem::take(&mut driven.log);
        log.retain(|line| !line.starts_with("drop "));
        all.push((driven.status, log));
        Ok::<(), String>(())
    })?;
    Ok(all)
}

fn same(case: &Case) -> Result<(), String> {
    // Around a disabled node it adds something.
    let (mut case, _) = case.enabled();
    case.budget = 2000;
    // Of several nodes that take an event the deepest does.
    if case
        .nodes()
        .iter()
        .filter(|node| node.takes.is_some())
        .count()
        > 1
    {
        return Ok(());
    }
    let plain = seen(&case)?;
    if plain.iter().any(|(_, log)| log.len() > 500) {
        return Ok(());
    }
    let mut random = Random::new(case.seed ^ 0x5eed);
    for turn in 0..16 {
        let mut other = case.clone();
        let tree = random.int(0..=2) as usize;
        let tree = if random.int(0..=2) > 0 { 0 } else { tree };
        let root = &mut other.trees[tree].root;
        let count = root.nodes().len() as i64 - 1;
        let mut number = random.int(0..=count - 1) as usize;
        let way = random.int(0..=WAYS - 1);
        let way = if turn < 6 {
            way
        } else {
            random.int(MIRRORED..=LAST)
        };
        if wrap(root, &mut number, way) != Some(true) {
            continue;
        }
        let wrapped = seen(&other)?;
        let pairs = plain.iter().zip(&wrapped).enumerate();
        for (at, (plain, wrapped)) in pairs {
            if plain != wrapped {
                let op = case.ops[at];
                return Err(format!(
                    "way {way}, after operation {at} {op:?}\nplain   {plain:?}\nwrapped {wrapped:?}\n{other}"
                ));
            }
        }
    }
    Ok(())
}

#[test]
fn node_that_adds_nothing_changes_nothing() {
    let runs = std::env::var("BT_WRAPS")
        .ok()
        .and_then(|runs| runs.parse().ok());
    for_seeds(runs.unwrap_or(1500), Profile::All, same);
}
