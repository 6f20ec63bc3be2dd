//! What a node can come to, as far as its tree says it.

use serde_json::Value;

use super::Linter;
use bt_core::registry::catalogue::{MethodEntry, ReturnKind};
use bt_core::tree::asset::AssetNode;

/// How a node may end, and whether it may go on past the poll in which it was entered. What is not
/// known is possible.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Outcome {
    pub(super) success: bool,
    pub(super) failure: bool,
    /// It can be running when a poll ends.
    pub(super) waits: bool,
}

impl Outcome {
    pub(super) const ANY: Outcome = Outcome::of(true, true, true);
    /// It ends at once, either way.
    const INSTANT: Outcome = Outcome::of(true, true, false);
    const SUCCESS: Outcome = Outcome::of(true, false, false);
    const FAILURE: Outcome = Outcome::of(false, true, false);
    /// It never ends.
    const NEVER: Outcome = Outcome::of(false, false, true);
    /// It ends the tree: nothing after it runs.
    const ENDS_ALL: Outcome = Outcome::of(false, false, false);

    const fn of(success: bool, failure: bool, waits: bool) -> Outcome {
        Outcome {
            success,
            failure,
            waits,
        }
    }

    fn or(self, other: Outcome) -> Outcome {
        Outcome::of(
            self.success || other.success,
            self.failure || other.failure,
            self.waits || other.waits,
        )
    }

    fn turned(self) -> Outcome {
        Outcome::of(self.failure, self.success, self.waits)
    }

    fn may_fail(self) -> Outcome {
        Outcome {
            failure: true,
            ..self
        }
    }

    fn may_wait(self) -> Outcome {
        Outcome {
            waits: true,
            ..self
        }
    }
}

/// What a node comes to, by what its children come to.
pub(super) fn outcome(linter: &Linter<'_, '_>, node: &AssetNode, children: &[Outcome]) -> Outcome {
    let own = by_kind(linter, node, children);
    // A guard that does not hold is a failure.
    let guards = node.extra.get("guards").and_then(Value::as_array);
    match guards.is_some_and(|guards| !guards.is_empty()) {
        true => own.may_fail(),
        false => own,
    }
}

fn by_kind(linter: &Linter<'_, '_>, node: &AssetNode, children: &[Outcome]) -> Outcome {
    let first = children.first().copied().unwrap_or(Outcome::ANY);
    let count = node.extra.get("count");
    // As the runtime reads it: `3.0` is a whole number too.
    let count = count.and_then(|count| bt_core::call::decode::<i64>(count).ok());
    match node.kind.as_str() {
        "root" | "once" => first,
        "sequence" | "memory_sequence" | "reactive_sequence" => {
            in_order(children, |one| one.success).map_or(Outcome::SUCCESS, |(all, last)| Outcome {
                success: last.success,
                failure: all.failure,
                waits: all.waits,
            })
        }
        "select" | "memory_select" | "reactive_select" => in_order(children, |one| one.failure)
            .map_or(Outcome::FAILURE, |(all, last)| Outcome {
                success: all.success,
                failure: last.failure,
                waits: all.waits,
            }),
        "always_seq" => match in_order(children, |one| one.success || one.failure) {
            Some((all, last)) => Outcome {
                success: last.success || last.failure,
                failure: false,
                waits: all.waits,
            },
            None => Outcome::SUCCESS,
        },
        "random_seq" | "random_select" | "probility" => any(children).may_fail(),
        "and" | "or" => Outcome::INSTANT,
        "parallel" => Outcome {
            waits: any(children).waits,
            ..Outcome::INSTANT
        },
        "if_else" => match children {
            [condition, branches @ ..] => {
                let mut ends = any(branches);
                ends.waits |= condition.waits;
                ends.failure |= branches.len() < 2 && condition.failure;
                ends
            }
            [] => Outcome::ANY,
        },
        "while_loop" => Outcome::of(true, false, true),
        "negative" => first.turned(),
        "always_true" => ends(first, Outcome::SUCCESS),
        "always_false" => ends(first, Outcome::FAILURE),
        "repeat" => match count {
            Some(0) => Outcome::SUCCESS,
            Some(count) if count < 0 => Outcome::of(false, first.failure, true),
            _ => first,
        },
        "retry" => match count {
            Some(0) => Outcome::FAILURE,
            Some(count) if count < 0 => Outcome::of(first.success, false, true),
            _ => first,
        },
        "until_success" => until(count, first),
        "until_failure" => until(count, first.turned()),
        "loop" => match count {
            Some(0) => Outcome::SUCCESS,
            Some(count) if count < 0 => Outcome::NEVER,
            _ => Outcome::of(true, false, true),
        },
        "frames" => Outcome::of(true, false, true),
        "timeout" | "cooldown" | "run_limit" => first.may_fail(),
        "delay" => first.may_wait(),
        "success_until" | "failure_until" => Outcome {
            waits: first.waits,
            ..Outcome::INSTANT
        },
        "action" | "condition" => called(linter, node),
        "wait_event" => Outcome::of(true, false, true),
        "always_running" => Outcome::NEVER,
        "end" | "reset" => Outcome::ENDS_ALL,
        _ => Outcome::ANY,
    }
}

/// A child again until it succeeds, so many times at most.
fn until(count: Option<i64>, child: Outcome) -> Outcome {
    match count.filter(|count| *count >= 0) {
        None => Outcome::of(child.success, false, true),
        Some(0) => Outcome::FAILURE,
        Some(_) => child,
    }
}

/// A decorator that ends as it is, if its child ends.
fn ends(child: Outcome, so: Outcome) -> Outcome {
    match child.success || child.failure {
        true => Outcome {
            waits: child.waits,
            ..so
        },
        false => child,
    }
}

fn any(children: &[Outcome]) -> Outcome {
    let none = Outcome::ENDS_ALL;
    children.iter().fold(none, |all, one| all.or(*one))
}

/// What children that run one after the other come to, together and the last that is reached; none if
/// there is none. `goes_on`: whether the next one can be reached after one.
fn in_order(
    children: &[Outcome],
    goes_on: impl Fn(&Outcome) -> bool,
) -> Option<(Outcome, Outcome)> {
    let mut all = Outcome::ENDS_ALL;
    let mut last = None;
    for child in children {
        all = all.or(*child);
        last = Some(*child);
        if !goes_on(child) {
            // Of what does not go on, the end is the end of all.
            let stuck = Outcome::of(false, false, child.waits);
            return Some((all, stuck));
        }
    }
    Some((all, last?))
}

fn called(linter: &Linter<'_, '_>, node: &AssetNode) -> Outcome {
    let name = node.extra.get("action_name").and_then(Value::as_str);
    match name.and_then(|name| linter.method(name)) {
        Some(method) => of_method(method, node),
        None => Outcome::ANY,
    }
}

fn of_method(method: &MethodEntry, node: &AssetNode) -> Outcome {
    let result = match method.result {
        ReturnKind::Unit => Outcome::SUCCESS,
        ReturnKind::Bool => Outcome::INSTANT,
        _ => Outcome::ANY,
    };
    // A key that is not set is a failure, and so is a property that cannot be read.
    let args = node.extra.get("action_args").and_then(Value::as_array);
    let is_plain = |arg: &Value| arg.get("arg_type").is_some_and(|ty| ty == "plain");
    let looks_up = args.is_some_and(|args| !args.iter().all(is_plain));
    match method.fallible || looks_up {
        true => result.may_fail(),
        false => result,
    }
}

/// Whether a node by itself can be running when a poll ends, whatever is below it. What a sub-tree does
/// is not asked here.
pub(super) fn waits(linter: &Linter<'_, '_>, node: &AssetNode) -> bool {
    let children: Vec<_> = node.children().iter().map(|_| Outcome::INSTANT).collect();
    node.kind != "sub_tree" && by_kind(linter, node, &children).waits
}

/// The first child that cannot be reached, the one before it, and what that one cannot do.
pub(super) fn first_unreachable(
    node: &AssetNode,
    children: &[Outcome],
) -> Option<(u32, u32, &'static str)> {
    let goes_on: fn(&Outcome) -> bool = match node.kind.as_str() {
        "sequence" | "memory_sequence" | "reactive_sequence" => |one| one.success,
        "select" | "memory_select" | "reactive_select" => |one| one.failure,
        "always_seq" => |one| one.success || one.failure,
        _ => return None,
    };
    let stuck = children.iter().position(|one| !goes_on(one))?;
    let before = *node.children().get(stuck)?;
    let child = *node.children().get(stuck + 1)?;
    let outcome = children[stuck];
    let cannot = match (outcome.success, outcome.failure) {
        (false, false) if outcome.waits => "never ends",
        (false, false) => "ends the tree",
        (true, _) => "always succeeds",
        (false, true) => "always fails",
    };
    Some((child, before, cannot))
}
