//! Findings that only all trees together show.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::Linted;
use super::keys::{Keys, Spot};
use bt_core::text;
use bt_core::tree::Code;
use bt_core::tree::asset::Problem;
use bt_core::tree::by_either_name;

/// Looks at what was found in all trees of a set. `starts`: the trees that the host starts, by name; if
/// there is none, every tree that no other one calls may be one.
pub fn together(trees: &[Linted], starts: &[String]) -> Vec<Problem> {
    let all = All::of(trees);
    let mut problems = Vec::new();
    all.keys(&mut problems);
    all.lost(&mut problems);
    all.unused(starts, &mut problems);
    all.spinning(starts, &mut problems);
    all.recursion(&mut problems);
    problems
}

struct All<'t> {
    trees: &'t [Linted],
    by_name: HashMap<&'t str, usize>,
    /// Trees by their places; those that each runs.
    runs: Vec<Vec<usize>>,
    called: Vec<bool>,
}

impl<'t> All<'t> {
    fn of(trees: &'t [Linted]) -> All<'t> {
        let mut by_name = HashMap::new();
        for (at, tree) in trees.iter().enumerate() {
            by_name.entry(tree.name.as_str()).or_insert(at);
        }
        let mut all = All {
            trees,
            by_name,
            runs: Vec::new(),
            called: vec![false; trees.len()],
        };
        for (at, tree) in trees.iter().enumerate() {
            let runs: Vec<_> = tree
                .calls
                .all
                .keys()
                .filter_map(|name| all.find(name))
                .collect();
            for callee in runs.iter().filter(|callee| **callee != at) {
                all.called[*callee] = true;
            }
            all.runs.push(runs);
        }
        all
    }

    fn find(&self, name: &str) -> Option<usize> {
        by_either_name(name, |name| self.by_name.get(name).copied())
    }

    /// Keys that are read and never set, or set and never read. One that some tree declares is the
    /// host's affair too.
    fn keys(&self, problems: &mut Vec<Problem>) {
        let any = |of: fn(&Keys) -> bool| self.trees.iter().any(|tree| of(&tree.keys));
        let names = |of: fn(&Keys) -> &BTreeMap<String, Spot>| -> BTreeSet<&str> {
            let keys = self.trees.iter().flat_map(|tree| of(&tree.keys).keys());
            keys.map(String::as_str).collect()
        };
        let declared = self.trees.iter().flat_map(|tree| &tree.keys.declared);
        let declared: BTreeSet<&str> = declared.map(String::as_str).collect();
        if !any(|keys| keys.sets_any) {
            let set = names(|keys| &keys.set);
            self.lonely(
                Code::UnsetKey,
                |keys| &keys.read,
                &[&set, &declared],
                problems,
            );
        }
        if !any(|keys| keys.reads_any) {
            let read = names(|keys| &keys.read);
            self.lonely(
                Code::UnreadKey,
                |keys| &keys.set,
                &[&read, &declared],
                problems,
            );
        }
    }

    /// The keys of one sort that are in none of the others, each where it stands first.
    fn lonely(
        &self,
        code: Code,
        of: fn(&Keys) -> &BTreeMap<String, Spot>,
        others: &[&BTreeSet<&str>],
        problems: &mut Vec<Problem>,
    ) {
        let mut reported: BTreeSet<&str> = BTreeSet::new();
        for tree in self.trees {
            for (key, spot) in of(&tree.keys) {
                let known = others.iter().any(|other| other.contains(key.as_str()));
                if known || !reported.insert(key) {
                    continue;
                }
                let name = text::name(key);
                let (does, who) = match code {
                    Code::UnsetKey => ("read, and no tree sets it", "sets"),
                    _ => ("set, and no tree reads it", "reads"),
                };
                let near = others[0].iter().copied();
                let near = bt_core::registry::suggest(key, near);
                let help = match near.trim_start_matches("; ") {
                    "" => format!(
                        "if the host or an action {who} it, declare it in the `blackboard` of the root"
                    ),
                    near => near.to_owned(),
                };
                let message = format!("key `{name}` is {does}");
                problems.push(tree.problem(code, spot, message).with_help(help));
            }
        }
    }

    /// Values that are written for nothing.
    fn lost(&self, problems: &mut Vec<Problem>) {
        let observes_any = self.trees.iter().any(|tree| tree.writes.observes_any);
        let observed = |key| {
            self.trees
                .iter()
                .any(|tree| tree.writes.observed.contains(key))
        };
        let is_global = |key| {
            self.trees
                .iter()
                .any(|tree| tree.writes.global.contains(key))
        };
        for tree in self.trees {
            for (key, spot, next) in &tree.writes.overwritten {
                if observes_any || observed(key) || is_global(key) {
                    continue;
                }
                let message = format!(
                    "key `{}` is written anew by the next node, {next}, before anything can read this value",
                    text::name(key)
                );
                let help = "leave one of the two writes out, or let something that reads it run between them";
                problems.push(
                    tree.problem(Code::LostUpdate, spot, message)
                        .with_help(help),
                );
            }
            let shared = tree.writes.from_itself.iter();
            for (key, spot) in shared.filter(|(key, _)| is_global(key)) {
                let name = text::name(key);
                let message = format!(
                    "key `{name}` is one for all agents, and is written from what it held: of agents that do so in \
                     the same round only one counts"
                );
                let help = format!(
                    "`number_add` adds up: `\"bb_key\": \"{name}\"`; or let one agent alone write the key"
                );
                problems.push(
                    tree.problem(Code::LostUpdate, spot, message)
                        .with_help(help),
                );
            }
        }
    }

    /// Trees that nothing runs.
    fn unused(&self, starts: &[String], problems: &mut Vec<Problem>) {
        if self.trees.iter().any(|tree| tree.calls.any) {
            return;
        }
        let mut reached = vec![false; self.trees.len()];
        let mut next: Vec<usize> = starts.iter().filter_map(|name| self.find(name)).collect();
        while let Some(at) = next.pop() {
            if !std::mem::replace(&mut reached[at], true) {
                next.extend(&self.runs[at]);
            }
        }
        for (at, tree) in self.trees.iter().enumerate() {
            let (unused, help) = match starts.is_empty() {
                true => (
                    tree.takes_values && !self.called[at],
                    "it reads a key of its own that only a tree which runs it could set",
                ),
                false => (!reached[at], "no tree that the host starts leads to it"),
            };
            if unused {
                let message = "no tree runs this one".to_owned();
                let problem = tree.problem_of_root(Code::UnusedTree, message);
                problems.push(problem.with_help(help));
            }
        }
    }

    /// Trees that begin again and again and never wait.
    fn spinning(&self, starts: &[String], problems: &mut Vec<Problem>) {
        let mut waits: Vec<bool> = self
            .trees
            .iter()
            .map(|tree| {
                let unknown = tree.calls.all.keys().any(|name| self.find(name).is_none());
                tree.waits || tree.calls.any || unknown
            })
            .collect();
        // A tree waits if one that it runs does: until nothing is new.
        let mut callers: Vec<Vec<usize>> = vec![Vec::new(); self.trees.len()];
        for (at, runs) in self.runs.iter().enumerate() {
            for callee in runs {
                callers[*callee].push(at);
            }
        }
        let mut next: Vec<usize> = (0..waits.len()).filter(|at| waits[*at]).collect();
        while let Some(at) = next.pop() {
            for caller in &callers[at] {
                if !std::mem::replace(&mut waits[*caller], true) {
                    next.push(*caller);
                }
            }
        }
        // Where some tree is named by a key, every one may be called.
        let called_unseen = self.trees.iter().any(|tree| tree.calls.any);
        for (at, tree) in self.trees.iter().enumerate() {
            let starts_it = starts.iter().any(|name| self.find(name) == Some(at));
            let is_top = starts_it || starts.is_empty() && !self.called[at] && !called_unseen;
            if is_top && tree.again && !waits[at] {
                let message =
                    "nothing in this tree ever waits: all of it runs in every poll".to_owned();
                let problem = tree.problem_of_root(Code::NeverWaits, message);
                problems.push(problem.with_help(
                    "let something wait, such as `wait_for_seconds`; or say `\"mode\": \"once\"` at the root",
                ));
            }
        }
    }

    /// Trees that come back to themselves whatever happens.
    fn recursion(&self, problems: &mut Vec<Problem>) {
        for (at, tree) in self.trees.iter().enumerate() {
            for (name, spot) in &tree.calls.certain {
                let Some(round) = self.find(name).and_then(|first| self.round(first, at)) else {
                    continue;
                };
                // Reported once, in the first of the trees that take part.
                if round.iter().any(|other| *other < at) {
                    continue;
                }
                let names = round.iter().map(|at| text::name(&self.trees[*at].name));
                let way: Vec<_> = names.map(|name| format!("`{name}`")).collect();
                let message = format!(
                    "the tree calls itself in every run, by way of {}",
                    way.join(", ")
                );
                let problem = tree.problem(Code::EndlessRecursion, spot, message);
                problems.push(problem.with_help(
                    "put something before it that can fail, or say `\"mode\": \"transfer\"`",
                ));
                break;
            }
        }
    }

    /// The trees from one to another along calls that are certain, both among them.
    fn round(&self, from: usize, to: usize) -> Option<Vec<usize>> {
        let mut came_from: HashMap<usize, usize> = HashMap::new();
        let mut next = vec![from];
        while let Some(at) = next.pop() {
            if at == to {
                let mut way = vec![to];
                let mut at = to;
                while at != from {
                    at = *came_from.get(&at)?;
                    way.push(at);
                }
                way.reverse();
                return Some(way);
            }
            for name in self.trees[at].calls.certain.keys() {
                if let Some(callee) = self.find(name)
                    && callee != from
                    && !came_from.contains_key(&callee)
                {
                    came_from.insert(callee, at);
                    next.push(callee);
                }
            }
        }
        None
    }
}
