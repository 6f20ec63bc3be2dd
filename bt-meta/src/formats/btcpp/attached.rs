//! Guards and effects: decorators around a node, and its conditions.

use bt_core::expression::{Expr, Form, Target};
use bt_core::kinds::attached::{Abort, Attachments, Effect, Guard, GuardMode};
use bt_core::kinds::set::Writes;

use super::super::xml::Element;
use super::calls::Calls;
use super::fault::{Fault, refuse};
use super::script::{self, script};

/// The statements that write what a `set` writes.
pub(super) fn statements(writes: &Writes<'_>) -> Result<Vec<String>, Fault> {
    let mut all = Vec::new();
    let mut before: Vec<String> = Vec::new();
    for (target, text) in writes.all() {
        let key = match target {
            Target::Key(key) => key,
            Target::Property(property) => {
                return refuse(
                    format!(
                        "BehaviorTree.CPP has no properties, such as `@{property}`, to write to"
                    ),
                    "write it in an action of the agent",
                );
            }
        };
        let expr = script::read(text)?;
        if expr
            .keys()
            .iter()
            .any(|read| before.iter().any(|written| written == read))
        {
            return refuse(
                "all values of a `set` are computed before one is written; statements of a script follow one another",
                "write the keys in several nodes, in the order that is meant",
            );
        }
        all.push(format!("{} := {}", script::name(&key)?, script(&expr)?));
        before.push(key);
    }
    match all.is_empty() {
        true => refuse(
            "it writes nothing that can be read",
            "correct it: `bt-meta validate` names the mistake",
        ),
        false => Ok(all),
    }
}

impl Calls<'_> {
    /// A node with its guards and effects.
    pub(super) fn attached(
        &mut self,
        mut element: Element,
        attachments: &Attachments<'_>,
    ) -> Result<Element, Fault> {
        if !attachments.services.is_empty() {
            return refuse(
                "BehaviorTree.CPP has no services",
                "let a branch of a parallel do the work",
            );
        }
        if !attachments.events.is_empty() {
            return refuse(
                "BehaviorTree.CPP has no events",
                "let the host write a key, and ask for it",
            );
        }
        if !attachments.blackboard.0.is_empty() {
            return refuse(
                "keys of BehaviorTree.CPP belong to trees, not to nodes",
                "declare them at the root, for the agent",
            );
        }
        let effects = &attachments.effects;
        for (when, attribute) in [
            ("aborted", Some("_onHalted")),
            ("success", Some("_onSuccess")),
            ("enter", None),
            ("exit", None),
            ("failure", None),
        ] {
            let mut lists = effects.lists().into_iter();
            let list = lists
                .find(|(name, _)| *name == when)
                .map_or(&[][..], |(_, list)| list);
            if list.is_empty() {
                continue;
            }
            let Some(attribute) = attribute else {
                return refuse(
                    format!(
                        "BehaviorTree.CPP has nothing that happens as an effect on `{when}` does"
                    ),
                    "write to keys in effects on `success` or `aborted`, or in a node beside it",
                );
            };
            element = element.with(attribute, &effect(list)?);
        }
        for guard in &attachments.guards {
            element = self.guarded(element, guard)?;
        }
        Ok(element)
    }

    fn guarded(&mut self, element: Element, guard: &Guard<'_>) -> Result<Element, Fault> {
        let is_kept = match (guard.abort, guard.mode) {
            (Abort::None, None) => false,
            (Abort::Own, Some(GuardMode::Poll)) => true,
            (Abort::None, Some(GuardMode::Poll))
            | (Abort::Own, None)
            | (Abort::Lower | Abort::Both, _) => {
                return refuse(
                    "BehaviorTree.CPP evaluates a condition on entry, or in every tick: this guard is evaluated when it may have changed, or aborts others",
                    "leave out `abort` and `mode`, write `abort` \"self\" with `mode` \"poll\", or use a reactive node",
                );
            }
        };
        let asked = match guard.formula {
            None => self.call(&guard.condition)?,
            Some(formula) => {
                let expr = script::read(formula.0)?;
                let code = script(&expr).ok();
                if let (Some(code), false) = (code, is_kept) {
                    let code = if guard.not {
                        format!("!({code})")
                    } else {
                        code
                    };
                    return Ok(Element::new("Precondition")
                        .with("if", &code)
                        .with("else", "FAILURE")
                        .holding([element]));
                }
                self.question(&expr)?
            }
        };
        let asked = if guard.not {
            Element::new("Inverter").holding([asked])
        } else {
            asked
        };
        let around = if is_kept {
            "ReactiveSequence"
        } else {
            "Sequence"
        };
        Ok(Element::new(around).holding([asked, element]))
    }
}

fn effect(list: &[Effect<'_>]) -> Result<String, Fault> {
    let mut all = Vec::new();
    for effect in list {
        if effect.writes.0.is_empty() {
            return refuse(
                format!(
                    "an effect calls `{}`; what follows a result in BehaviorTree.CPP is a script",
                    effect.action.name
                ),
                "write to a key instead, or call it in a node beside it",
            );
        }
        all.extend(statements(&effect.writes)?);
    }
    Ok(all.join("; "))
}

/// The key of `has($key)`.
pub(super) fn asked_key(text: &str) -> Option<String> {
    let expr = script::read(text).ok()?;
    if let Form::Builtin(_, args) = &expr.form
        && let [
            Expr {
                form: Form::Key(key),
                ..
            },
        ] = args.as_slice()
        && text.starts_with("has(")
    {
        return Some(key.name.to_string());
    }
    None
}
