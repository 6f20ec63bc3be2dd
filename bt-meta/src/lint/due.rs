//! The lints of what keeps its agent due in every poll: a guard that need not, and, if asked for, all that do.

use bt_core::expression::{Expr, Form, Operator, parse};
use bt_core::kinds::attached::{Abort, Guard};
use bt_core::kinds::values::Formula;
use bt_core::kinds::{Kind, Node, Params};
use bt_core::registry::catalogue::MethodEntry;
use bt_core::text;
use bt_core::tree::Code;
use bt_core::tree::asset::AssetNode;

use super::keys::{is_built_in, names_a_key};
use super::linter::Linter;

/// The things that an expression or a condition reads, as far as they decide when it is evaluated.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Sees {
    /// Keys, one at least, and nothing else.
    Keys,
    /// The agent, its world or a property: in which words.
    Agent(String),
    /// Nothing that changes, or nobody knows.
    Unknown,
}

/// Tells of guards that abort and are evaluated in every turn though they need not be, or only in part; and, for
/// those who ask, of all other guards and nodes that keep their agent due.
pub(super) fn always(linter: &mut Linter<'_, '_>, node: &AssetNode, said: &Node<'_>) {
    for (at, guard) in said.attachments.guards.iter().enumerate() {
        if guard.abort == Abort::None {
            continue;
        }
        let sees = match &guard.formula {
            Some(Formula(formula)) => of_text(linter, formula),
            None => of_condition(linter, guard),
        };
        let below = format!("/extra/guards/{at}");
        match (sees, guard.mode) {
            (Sees::Keys, Some(_)) => follows_anyway(linter, node, guard, &below),
            (Sees::Agent(what), None) => {
                if !in_parts(linter, node, guard, &what, &below) {
                    looks(linter, node, guard, &what, &below);
                }
            }
            (Sees::Keys | Sees::Unknown, None) | (Sees::Agent(_) | Sees::Unknown, Some(_)) => {}
        }
    }
    chooses(linter, node, said);
    runs_again(linter, node, said);
}

/// As a message names a guard.
fn named(guard: &Guard<'_>) -> String {
    match &guard.formula {
        Some(Formula(formula)) => format!("`{}`", text::name(formula)),
        None => format!("condition `{}`", text::name(guard.condition.name)),
    }
}

/// A guard that follows keys is evaluated in every poll besides.
fn follows_anyway(linter: &mut Linter<'_, '_>, node: &AssetNode, guard: &Guard<'_>, below: &str) {
    let message = format!(
        "{} reads keys alone, and is evaluated when one of them changes: `mode` keeps the agent due in every poll \
         for nothing",
        named(guard)
    );
    let below = format!("{below}/mode");
    linter.report(Code::PolledGuard, node, &below, message, "leave `mode` out");
}

/// A guard of which a part reads keys alone; whether there is one.
fn in_parts(
    linter: &mut Linter<'_, '_>,
    node: &AssetNode,
    guard: &Guard<'_>,
    what: &str,
    below: &str,
) -> bool {
    let Some(Formula(formula)) = guard.formula.as_ref().filter(|_| !guard.not) else {
        return false;
    };
    let Ok(expr) = parse(formula) else {
        return false;
    };
    let mut parts = Vec::new();
    operands(&expr, &mut parts);
    let (mut by_keys, mut polled) = (Vec::new(), Vec::new());
    for part in parts {
        match of_expression(linter, part) {
            Sees::Keys => by_keys.push(part),
            Sees::Agent(_) => polled.push(part),
            Sees::Unknown => return false,
        }
    }
    let (Some(first), false) = (by_keys.first(), polled.is_empty()) else {
        return false;
    };
    let key = first
        .keys()
        .first()
        .map_or(String::new(), |key| text::name(key).to_string());
    let message = format!(
        "{} {what}: all of it is evaluated once in each turn, reacts to key `{key}` only then, and keeps the \
         agent due in every poll",
        named(guard)
    );
    let joined = |parts: &[&Expr]| {
        let parts: Vec<_> = parts.iter().map(|part| part.at.of(formula)).collect();
        text::name(&parts.join(" && ")).to_string()
    };
    let help = format!(
        "write two guards, `{}` and after it `{}`: the first reacts at once, and while it does not hold the second \
         is not evaluated",
        joined(&by_keys),
        joined(&polled)
    );
    let below = format!("{below}/if");
    linter.report(Code::PolledGuard, node, &below, message, &help);
    true
}

/// The operands of `&&`, from left to right.
fn operands<'e>(expr: &'e Expr, all: &mut Vec<&'e Expr>) {
    match &expr.form {
        Form::Binary(Operator::And, a, b) => {
            operands(a, all);
            operands(b, all);
        }
        Form::Literal(_)
        | Form::List(_)
        | Form::Key(_)
        | Form::Property(_)
        | Form::Field(..)
        | Form::Item(..)
        | Form::Call(..)
        | Form::Builtin(..)
        | Form::Not(_)
        | Form::Minus(_)
        | Form::Binary(..)
        | Form::Otherwise(..)
        | Form::Choose(_) => all.push(expr),
    }
}

/// A guard that reads the agent.
fn looks(
    linter: &mut Linter<'_, '_>,
    node: &AssetNode,
    guard: &Guard<'_>,
    what: &str,
    below: &str,
) {
    let message = format!(
        "{} {what}: it is evaluated in every turn, and keeps the agent due in every poll",
        named(guard)
    );
    let help = "let it read a key that is written where this changes, say `every` at the root, or let the host \
                wake guards (`guards_on_wake`)";
    is_due(linter, node, below, message, help);
}

/// A node that chooses again in every turn by the value of an expression. Over keys alone it does so after a change.
fn chooses(linter: &mut Linter<'_, '_>, node: &AssetNode, said: &Node<'_>) {
    let mut formulas: Vec<&str> = Vec::new();
    if let Some(Params::Switch(switch)) = &said.params
        && switch.reactive
    {
        formulas.push(switch.on.0);
    }
    if let Some(Params::Utility(utility)) = &said.params
        && utility.reactive
    {
        formulas.extend(utility.scores.0.iter().map(|score| score.0));
    }
    let by = formulas
        .into_iter()
        .find_map(|formula| match of_text(linter, formula) {
            Sees::Agent(what) => Some((formula, what)),
            Sees::Keys | Sees::Unknown => None,
        });
    let Some((formula, what)) = by else { return };
    let message = format!(
        "`{}` {what}: `{}` evaluates it in every turn, and keeps the agent due in every poll",
        text::name(formula),
        node.kind
    );
    let help = "let it read a key that is written where this changes, or say `every` at the root";
    is_due(linter, node, "", message, help);
}

/// A reactive node, whose earlier children run again in every turn.
fn runs_again(linter: &mut Linter<'_, '_>, node: &AssetNode, said: &Node<'_>) {
    let Some(params) = &said.params else { return };
    let kind = params.kind();
    let instead = if kind == Kind::ReactiveSequence {
        "`sequence` with guards that say `\"abort\": \"self\"` at the child that waits"
    } else if kind == Kind::ReactiveSelect {
        "`select` with guards that say `\"abort\": \"lower\"` at the earlier children"
    } else {
        return;
    };
    if node.children().len() < 2 {
        return;
    }
    let message = format!(
        "`{}` runs its earlier children again in every turn, and keeps the agent due in every poll",
        node.kind
    );
    let help = format!("write {instead}: guards that read keys are evaluated when one changes");
    is_due(linter, node, "", message, &help);
}

/// Reports what keeps its agent due, unless the file says a period of turns.
fn is_due(linter: &mut Linter<'_, '_>, node: &AssetNode, below: &str, message: String, help: &str) {
    let root = linter.tree.root().typed();
    let is_paced =
        matches!(&root.params, Some(Params::Root(root)) if root.every != Default::default());
    if !is_paced {
        linter.report(Code::DueEveryPoll, node, below, message, help);
    }
}

fn seen(method: &MethodEntry) -> &'static str {
    match method.is_static {
        true => "reads the world",
        false => "reads the agent",
    }
}

fn of_text(linter: &Linter<'_, '_>, formula: &str) -> Sees {
    parse(formula).map_or(Sees::Unknown, |expr| of_expression(linter, &expr))
}

fn of_expression(linter: &Linter<'_, '_>, expr: &Expr) -> Sees {
    let (mut agent, mut is_known) = (None, true);
    expr.walk(&mut |part| {
        if let Form::Property(property) = &part.form {
            let name = text::name(&property.name);
            agent.get_or_insert_with(|| format!("reads property `@{name}`"));
        }
        if let Form::Call(method, _) = &part.form {
            match linter.method(&method.name) {
                Some(method) if method.is_polled() => {
                    let (name, sees) = (&method.item.name, seen(method));
                    agent.get_or_insert_with(|| format!("calls `{name}`, which {sees}"));
                }
                // One that takes the context may read anything there.
                Some(method) => is_known &= method.args_only,
                None => is_known = false,
            }
        }
    });
    match (agent, is_known && !expr.keys().is_empty()) {
        (Some(agent), _) => Sees::Agent(agent),
        (None, true) => Sees::Keys,
        (None, false) => Sees::Unknown,
    }
}

fn of_condition(linter: &Linter<'_, '_>, guard: &Guard<'_>) -> Sees {
    let Some(method) = linter.method(guard.condition.name) else {
        return Sees::Unknown;
    };
    if method.is_polled() {
        return Sees::Agent(seen(method).to_owned());
    }
    let Some(args) = guard.condition.args.all() else {
        return Sees::Unknown;
    };
    let mut reads_key =
        is_built_in(method) && method.args.iter().any(|arg| names_a_key(method, &arg.name));
    let mut is_known = method.args_only || reads_key;
    for arg in args {
        if arg.property().is_some() {
            return Sees::Agent("reads a property".to_owned());
        }
        reads_key |= arg.key().is_some();
        if let Some(formula) = arg.expression() {
            match of_text(linter, formula) {
                Sees::Keys => reads_key = true,
                Sees::Unknown => is_known = false,
                agent @ Sees::Agent(_) => return agent,
            }
        }
    }
    match is_known && reads_key {
        true => Sees::Keys,
        false => Sees::Unknown,
    }
}
