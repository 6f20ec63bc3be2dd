//! Two methods, properties or events that are the same one.

use super::arguments::Lists;
use super::change::{About, Change, What};
use super::compare::Compare;
use super::hit::Part;
use super::notes::Notes;
use super::side::Item;
use super::values::{Flow, Stakes};
use crate::catalogue::{EventEntry, MethodEntry, MethodKind, PropertyEntry, ReturnKind};

/// An item that can be compared with what it was.
pub(super) trait Compared: Item {
    /// Compares everything but its name.
    fn compare(
        compare: &Compare<'_, '_>,
        about: &About,
        pair: (&Self, &Self),
        changes: &mut Vec<Change>,
    );

    /// Returns true if another is probably it under another name.
    fn is_like(&self, other: &Self) -> bool;
}

impl Compared for MethodEntry {
    fn compare(
        compare: &Compare<'_, '_>,
        about: &About,
        (old, new): (&Self, &Self),
        changes: &mut Vec<Change>,
    ) {
        kind(about, old, new, changes);
        asynchronous(about, old, new, changes);
        takes(about, old, new, changes);
        result(about, old, new, changes);
        clean_up(about, old, new, changes);
        let answers = old.answer.as_ref().zip(new.answer.as_ref());
        if let Some((was, is)) = answers {
            let stakes = Stakes {
                flow: Flow::Out,
                part: Part::Whole,
                help: "keep the old one beside it, or look at the expressions that call it",
            };
            compare.value(about, was, is, &stakes, changes);
        }
        let lists = Lists {
            old: &old.args,
            new: &new.args,
            word: "argument",
        };
        compare.arguments(about, &lists, changes);
        let mut notes = Notes::default();
        notes.item(&old.item, &new.item, &[&old.item.name]);
        notes.same("what it returns", &old.returns, &new.returns);
        if let Some((was, is)) = answers {
            notes.value("", was, is);
        }
        lists.notes(&mut notes);
        notes.tell(about, changes);
    }

    fn is_like(&self, other: &Self) -> bool {
        let same_docs = !self.item.brief.is_empty() && self.item.brief == other.item.brief;
        let same_place = self.item.package == other.item.package
            && (&self.item.file, self.item.line) == (&other.item.file, other.item.line);
        same_docs || (same_place && self.args == other.args)
    }
}

impl Compared for PropertyEntry {
    fn compare(
        compare: &Compare<'_, '_>,
        about: &About,
        (old, new): (&Self, &Self),
        changes: &mut Vec<Change>,
    ) {
        match (old.read_only, new.read_only) {
            (false, true) => changes.push(
                about
                    .breaking(What::ReadOnly, " can only be read now")
                    .part(Part::None)
                    .help("hosts that set it by name are refused; trees only read properties"),
            ),
            (true, false) => changes.push(about.compatible(What::ReadOnly, " can be written now")),
            _ => {}
        }
        let stakes = Stakes {
            flow: if old.read_only { Flow::Out } else { Flow::Both },
            part: Part::Whole,
            help: "keep the old one beside it, or look at the trees and hosts that use it",
        };
        compare.value(about, &old.ty, &new.ty, &stakes, changes);
        let mut notes = Notes::default();
        notes.item(&old.item, &new.item, &[&old.item.name]);
        notes.value("", &old.ty, &new.ty);
        notes.tell(about, changes);
    }

    fn is_like(&self, other: &Self) -> bool {
        self.ty.type_name == other.ty.type_name
            && !self.item.brief.is_empty()
            && self.item.brief == other.item.brief
    }
}

impl Compared for EventEntry {
    fn compare(
        compare: &Compare<'_, '_>,
        about: &About,
        (old, new): (&Self, &Self),
        changes: &mut Vec<Change>,
    ) {
        let lists = Lists {
            old: &old.params,
            new: &new.params,
            word: "parameter",
        };
        compare.arguments(about, &lists, changes);
        let mut notes = Notes::default();
        notes.item(&old.item, &new.item, &[&old.item.name]);
        lists.notes(&mut notes);
        let names = |event: &EventEntry| {
            let mut names: Vec<_> = event
                .params
                .iter()
                .map(|param| param.name.clone())
                .collect();
            names.sort_unstable();
            names
        };
        let in_order = |event: &EventEntry| {
            let names: Vec<_> = event
                .params
                .iter()
                .map(|param| param.name.clone())
                .collect();
            names
        };
        if names(old) == names(new) {
            notes.same(
                "the order of its parameters",
                &in_order(old),
                &in_order(new),
            );
        }
        notes.tell(about, changes);
    }

    fn is_like(&self, other: &Self) -> bool {
        !self.item.brief.is_empty() && self.item.brief == other.item.brief
    }
}

fn kind(about: &About, old: &MethodEntry, new: &MethodEntry, changes: &mut Vec<Change>) {
    if old.kind == new.kind {
        return;
    }
    let says = format!(" was {} {}", article(old), old.word());
    changes.push(match (old.kind, new.kind) {
        (MethodKind::Action, _) if new.is_condition() => {
            about.compatible(What::Kind, &format!("{says}; a condition can stand wherever an action can"))
        }
        (MethodKind::Condition | MethodKind::Query, _) if old.is_condition() && new.is_condition() => {
            about.compatible(What::Kind, &format!("{says}; both answer with a bool"))
        }
        (MethodKind::Condition | MethodKind::Query, MethodKind::Condition | MethodKind::Query) => about
            .breaking(What::Kind, &says)
            .help("trees expect the answer that it gave: give the new one another name and keep the old one"),
        (MethodKind::Condition | MethodKind::Query, MethodKind::Action) if old.is_condition() => about
            .breaking(What::Kind, &says)
            .part(Part::Asked)
            .help("guards, nodes of type `condition` and what is below `and` and `or` evaluate conditions only: keep a condition of that name"),
        (
            MethodKind::Action,
            MethodKind::Action
            | MethodKind::Condition
            | MethodKind::Query
            | MethodKind::Decorator
            | MethodKind::Composite,
        )
        | (
            MethodKind::Condition | MethodKind::Query,
            MethodKind::Action | MethodKind::Decorator | MethodKind::Composite,
        )
        | (MethodKind::Decorator | MethodKind::Composite, _) => about
            .breaking(What::Kind, &says)
            .help("nodes of another type call it: give the new one another name and keep the old one"),
    });
}

fn article(method: &MethodEntry) -> &'static str {
    match method.kind {
        MethodKind::Action => "an",
        MethodKind::Condition
        | MethodKind::Query
        | MethodKind::Decorator
        | MethodKind::Composite => "a",
    }
}

fn asynchronous(about: &About, old: &MethodEntry, new: &MethodEntry, changes: &mut Vec<Change>) {
    match (old.is_async, new.is_async) {
        // Neither an effect nor a service is a decorator.
        (false, true) if old.kind == MethodKind::Decorator => {
            changes.push(about.compatible(What::Async, " can stay running now"));
        }
        (false, true) => changes.push(
            about
                .breaking(What::Async, " can stay running now")
                .part(Part::AtOnce)
                .help("a service refuses it and an effect does not wait for it: keep one that is done at once, under the old name"),
        ),
        (true, false) => {
            changes.push(about.compatible(What::Async, " is done at once now"));
        }
        _ => {}
    }
}

/// Returns whether it takes the agent and the world: by that a guard that aborts knows when to evaluate it.
fn takes(about: &About, old: &MethodEntry, new: &MethodEntry, changes: &mut Vec<Change>) {
    let words = |has: bool, had: bool, what: &str| match (had, has) {
        (false, true) => Some(format!("takes {what} now")),
        (true, false) => Some(format!("does not take {what} any more")),
        _ => None,
    };
    let agent = words(!new.is_static, !old.is_static, "the agent");
    let world = words(new.world, old.world, "the world");
    let all: Vec<_> = agent.into_iter().chain(world).collect();
    if all.is_empty() {
        return;
    }
    let says = format!(" {}", all.join(" and "));
    let is_evaluated = new.has_answer();
    changes.push(match (old.is_polled(), new.is_polled()) {
        (true, false) if is_evaluated => about
            .breaking(What::Takes, &says)
            .part(Part::Followed)
            .help("guards that abort evaluate it no longer every poll, but when a key changes that it reads: let it read a key, or write `\"mode\": \"poll\"` in them"),
        (false, true) if is_evaluated => about
            .compatible(What::Takes, &says)
            .help("guards that abort evaluate it every poll now, and no longer when a key changes that it reads"),
        _ => about.compatible(What::Takes, &says),
    });
}

/// Compares the meaning of success and failure; a change of its duration is reported by itself.
fn result(about: &About, old: &MethodEntry, new: &MethodEntry, changes: &mut Vec<Change>) {
    // Of one that has an answer instead of a result, that is said.
    if [old, new]
        .iter()
        .filter(|method| method.result == ReturnKind::Value)
        .count()
        == 1
    {
        return;
    }
    let fails = |method: &MethodEntry| {
        method.fallible || !matches!(method.result, ReturnKind::Unit | ReturnKind::Value)
    };
    let says = match (fails(old), fails(new)) {
        (false, true) => " can fail now",
        (true, false) => " always succeeds now",
        _ => return,
    };
    let change = about.behaviour(What::Result, says);
    changes.push(change.help("trees that decide by its result act otherwise now"));
}

fn clean_up(about: &About, old: &MethodEntry, new: &MethodEntry, changes: &mut Vec<Change>) {
    for (word, was, is) in [
        ("exit", &old.exit, &new.exit),
        ("resume", &old.resume, &new.resume),
    ] {
        let says = match (was, is) {
            (None, Some(is)) => format!(": it has a method for `{word}` now, `{is}`"),
            (Some(was), None) => {
                format!(": it has no method for `{word}` any more, which was `{was}`")
            }
            // The Rust name of one is nobody's concern.
            _ => continue,
        };
        changes.push(about.compatible(What::CleanUp, &says));
    }
}
