//! Trees brought up to date: what is certain is written into their files and into the scenarios beside them, and nothing
//! else of them is changed.

mod arguments;
mod moved;
mod scenarios;
mod script;

use std::collections::HashSet;
use std::fmt::Write as _;

use bt_core::tree::Code;
use bt_core::tree::asset::Fix;
use bt_core::tree::check::{Checker, Rules};
use bt_core::tree::is_script;
use bt_core::{Registry, TreeAsset};
use serde_json::Value;
use similar::TextDiff;

use crate::catalogue::{Catalogue, MethodEntry};
use crate::error::{Error, count};
use crate::text::fixed;
use crate::validate::contradictions;
use crate::validate::input::Input;

/// The sorts of fixes.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum, serde::Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Old names of agents, actions, arguments, events, parameters and properties become the new ones
    Names,
    /// Nodes without a `parent`, which the original editor loses, get it
    Parents,
    /// Arguments that are given by name come into the order of the method's parameters
    Order,
    /// Arguments that are left out after others get the values that they have by default; only with
    /// `--only defaults`, because later defaults no longer reach such trees
    Defaults,
    /// The whole file is written as an editor writes it: nodes numbered from 0, all keys, sorted
    Normalise,
}

impl Kind {
    /// The fixes that are made by default: certain ones that change no meaning.
    pub const USUAL: [Kind; 3] = [Kind::Names, Kind::Parents, Kind::Order];
}

/// A file that is not as it should be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fixed {
    /// The file.
    pub input: Input,
    /// The old text.
    pub before: String,
    /// The new text.
    pub after: String,
    /// The fixes, one line for each.
    pub what: Vec<String>,
}

/// The files that there is something to fix in, and those that are no trees.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Fixes {
    /// In the order of the files.
    pub files: Vec<Fixed>,
    /// Their paths: `bt-meta validate` says why.
    pub no_trees: Vec<String>,
    /// The changes to scripts that an older catalogue asks for and a person has to write: "path: node 3: …".
    pub by_hand: Vec<String>,
}

/// Finds out what there is to fix in trees that may call each other.
///
/// With the catalogue that the trees were made with, arguments go where they are now.
///
/// # Errors
/// A finding if a catalogue contradicts itself, a failure for a file that cannot be read.
pub fn run(
    catalogue: Catalogue,
    old: Option<Catalogue>,
    inputs: &[Input],
    kinds: &[Kind],
) -> Result<Fixes, Error> {
    let registry = Registry::from_catalogue(catalogue).map_err(contradictions)?;
    let old = old.map(Registry::from_catalogue).transpose();
    let old = old.map_err(contradictions)?;
    let mut heads = Vec::new();
    for input in inputs {
        heads.push(TreeAsset::head(&input.name, &input.read()?));
    }
    let rules = Rules::default();
    let fixing = Fixing {
        registry: &registry,
        old: old.as_ref(),
        checker: Checker::new(&heads, &registry, &rules),
        kinds,
    };
    let mut fixes = Fixes::default();
    let mut trees = Vec::new();
    for (at, input) in inputs.iter().enumerate() {
        let read = String::from_utf8(input.read()?);
        let Ok(before) = read else {
            fixes.no_trees.push(input.shown());
            continue;
        };
        let mut by_hand = Vec::new();
        let fixed = fixing.fix(at, &input.name, &before, &mut by_hand);
        let path = input.shown();
        let by_hand = by_hand.into_iter().map(|what| format!("{path}: {what}"));
        fixes.by_hand.extend(by_hand);
        if let (Some((after, _)), true) = (&fixed, input.is_file()) {
            trees.extend(scenarios::Moved::of(input, &before, after));
        }
        match fixed {
            None => fixes.no_trees.push(input.shown()),
            Some((after, what)) if after != before => fixes.files.push(Fixed {
                input: input.clone(),
                before,
                after,
                what,
            }),
            Some(_) => {}
        }
    }
    fixes.files.extend(scenarios::fixed(&registry, &trees)?);
    Ok(fixes)
}

struct Fixing<'f> {
    registry: &'f Registry,
    /// Of the catalogue that the trees were made with.
    old: Option<&'f Registry>,
    checker: Checker<'f>,
    kinds: &'f [Kind],
}

impl Fixing<'_> {
    /// The text as it should be, and what was done; none of what is no tree.
    fn fix(
        &self,
        at: usize,
        name: &str,
        text: &str,
        by_hand: &mut Vec<String>,
    ) -> Option<(String, Vec<String>)> {
        let tree = TreeAsset::from_slice(name, text.as_bytes()).ok()?;
        let (moves, mut what) = self.moved(&tree);
        if is_script(name) {
            return self.fix_script(at, name, text, (&moves, what), by_hand);
        }
        let mut text = fixed(text, &moves);
        while self.does(Kind::Names) {
            let tree = TreeAsset::from_json(name, &text).ok()?;
            let (fixes, told, are_all) = self.names(at, &tree);
            let after = fixed(&text, &fixes);
            what.extend(told);
            let is_done = are_all || after == text;
            text = after;
            if is_done {
                break;
            }
        }
        if self.does(Kind::Parents) {
            let mut fixes = Vec::new();
            parents(&tree, &text, &mut fixes, &mut what);
            text = fixed(&text, &fixes);
        }
        // What is named anew is looked at as it is called now.
        let tree = TreeAsset::from_json(name, &text).ok()?;
        if self.does(Kind::Order) || self.does(Kind::Defaults) {
            let mut fixes = Vec::new();
            self.arguments(at, &tree, &mut fixes, &mut what);
            text = fixed(&text, &fixes);
        }
        if self.does(Kind::Normalise) {
            let mut tree = TreeAsset::from_json(name, &text).ok()?;
            tree.normalise();
            let normal = tree.to_json();
            if normal != text {
                what.push("it is written as an editor writes it".to_owned());
            }
            text = normal;
        }
        Some((text, what))
    }

    /// In a script names are fixed: its nodes have no parents to state, and a dict has no order.
    fn fix_script(
        &self,
        at: usize,
        name: &str,
        text: &str,
        (moves, told): (&[(String, Fix)], Vec<String>),
        by_hand: &mut Vec<String>,
    ) -> Option<(String, Vec<String>)> {
        let (mut text, made) = script::patch(text, moves);
        let mut what = Vec::new();
        match made.contains(&false) {
            // Some of them alone would say something else.
            true => by_hand.extend(told),
            false => what.extend(told),
        }
        while self.does(Kind::Names) {
            let tree = TreeAsset::from_slice(name, text.as_bytes()).ok()?;
            let (fixes, told, are_all) = self.names(at, &tree);
            let made;
            (text, made) = script::patch(&text, &fixes);
            let made_any = made.contains(&true);
            what.extend(
                told.into_iter()
                    .zip(made)
                    .filter_map(|(told, made)| made.then_some(told)),
            );
            if are_all || !made_any {
                break;
            }
        }
        Some((text, what))
    }

    /// Arguments that are others by what the trees were made with, and what is said of them.
    fn moved(&self, tree: &TreeAsset) -> (Vec<(String, Fix)>, Vec<String>) {
        let (mut fixes, mut what) = (Vec::new(), Vec::new());
        let both = self
            .old
            .zip(tree.agent())
            .and_then(|(old, name)| Some((old.agent(name).ok()?, self.registry.agent(name).ok()?)));
        let Some((old, new)) = both else {
            return (fixes, what);
        };
        for node in tree.preorder() {
            let pointer = tree.pointer(node.idx()).unwrap_or_default();
            node.uses(&mut |path, used| {
                let Some((caller, call)) = used.call() else {
                    return;
                };
                let given = call.args.all();
                let methods = (old.action(call.name), new.action(call.name));
                let (Some(given), (Ok(was), Ok(is))) = (given, methods) else {
                    return;
                };
                let Some((changes, why)) = moved::moved(&was, &is, given) else {
                    return;
                };
                let at = pointer.clone() + &path.key(caller.keys().1).pointer();
                fixes.extend(changes.into_iter().map(|(number, fix)| {
                    let is_renamed = matches!(fix, Fix::Value(_));
                    let name = if is_renamed { "/arg_name" } else { "" };
                    (format!("{at}/{number}{name}"), fix)
                }));
                what.push(of_node(
                    Some(node.idx()),
                    &format!("`{}`: {why}", is.item.name),
                ));
            });
        }
        (fixes, what)
    }

    fn does(&self, kind: Kind) -> bool {
        self.kinds.contains(&kind)
    }

    /// The fixes of names with their words; true if there are no others. Of several in one expression, each of
    /// which is a new text of it, only the first is among them.
    fn names(&self, at: usize, tree: &TreeAsset) -> (Vec<(String, Fix)>, Vec<String>, bool) {
        let checked = self.checker.check_all(at, tree);
        let (mut fixes, mut what): (Vec<(String, Fix)>, _) = (Vec::new(), Vec::new());
        let mut places = HashSet::new();
        let mut are_all = true;
        for problem in checked.warnings.iter().chain(&checked.problems) {
            let Some(fix) = problem.fix() else { continue };
            let is_value = matches!(fix, Fix::Value(_));
            if !places.insert((problem.pointer(), is_value)) {
                are_all = false;
                continue;
            }
            fixes.push((problem.pointer().to_owned(), fix.clone()));
            what.push(of_node(problem.node(), problem.message()));
        }
        (fixes, what, are_all)
    }

    fn arguments(
        &self,
        at: usize,
        tree: &TreeAsset,
        fixes: &mut Vec<(String, Fix)>,
        what: &mut Vec<String>,
    ) {
        let checked = self.checker.check_all(at, tree);
        // Where something is wrong, what is given may be meant for another argument.
        let is_sure = |at: &str| {
            let mut wrong = checked.problems.iter().chain(&checked.warnings);
            !wrong.any(|one| is_of_arguments(one.code()) && one.pointer().starts_with(at))
        };
        let agent = tree.agent().and_then(|name| self.registry.agent(name).ok());
        let Some(agent) = agent else { return };
        for node in tree.preorder() {
            let pointer = tree.pointer(node.idx()).unwrap_or_default();
            node.uses(&mut |path, used| {
                let Some((caller, call)) = used.call() else {
                    return;
                };
                let (Some(args), Ok(found)) = (call.args.all(), agent.action(call.name)) else {
                    return;
                };
                let method: &MethodEntry = &found;
                let order = self.does(Kind::Order);
                let at_args = pointer.clone() + &path.key(caller.keys().1).pointer();
                let defaults = self.does(Kind::Defaults) && is_sure(&at_args);
                if let Some((items, why)) = arguments::arranged(method, args, order, defaults) {
                    fixes.push((at_args, Fix::Items(items)));
                    let message = format!("`{}`: {why}", method.item.name);
                    what.push(of_node(Some(node.idx()), &message));
                }
            });
        }
    }
}

/// Returns true if it says that an argument may not be what is meant.
fn is_of_arguments(code: Code) -> bool {
    matches!(
        code,
        Code::WrongArgument
            | Code::DoubtfulArgument
            | Code::SurplusArgument
            | Code::MissingArgument
            | Code::MisplacedArgument
            | Code::UnknownArgument
            | Code::NeverFits
    )
}

fn of_node(node: Option<u32>, message: &str) -> String {
    match node {
        Some(node) => format!("node {node}: {message}"),
        None => message.to_owned(),
    }
}

/// Nodes that do not say their `parent`.
fn parents(tree: &TreeAsset, text: &str, fixes: &mut Vec<(String, Fix)>, what: &mut Vec<String>) {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let json: Value = serde_json::from_str(text).unwrap_or_default();
    let nodes = json["nodes"].as_array().into_iter().flatten();
    for (at, node) in nodes.enumerate() {
        let idx = node["idx"].as_u64().and_then(|idx| u32::try_from(idx).ok());
        let node_of = idx.and_then(|idx| tree.node(idx));
        let parent = node_of.and_then(|node| node.parent());
        if let (Some(parent), None) = (parent, node.get("parent")) {
            let fix = Fix::Insert {
                after: "idx".to_owned(),
                key: "parent".to_owned(),
                value: parent.into(),
            };
            fixes.push((format!("/nodes/{at}"), fix));
            what.push(of_node(idx, &format!("its `parent` is {parent}")));
        }
    }
}

impl Fixed {
    /// The change as a unified diff.
    pub fn diff(&self) -> String {
        let path = self.input.shown();
        TextDiff::from_lines(&self.before, &self.after)
            .unified_diff()
            .header(&path, &format!("{path}, fixed"))
            .to_string()
    }
}

impl Fixes {
    /// In words: `3 fixes in 2 of 5 trees`.
    pub fn summary(&self, trees: usize) -> String {
        let fixes: usize = self.files.iter().map(|file| file.what.len()).sum();
        match self.files.len() {
            0 => format!("{}: nothing to fix", count(trees, "tree")),
            files => format!(
                "{} in {files} of {}",
                count_fixes(fixes),
                count(trees, "tree")
            ),
        }
    }

    /// The fixes, done or proposed: a line for each, below its file.
    pub fn listing(&self) -> String {
        let mut text = String::new();
        for file in &self.files {
            let _ = writeln!(text, "{}:", file.input.shown());
            for what in &file.what {
                let _ = writeln!(text, "  {what}");
            }
        }
        text
    }
}

fn count_fixes(fixes: usize) -> String {
    match fixes {
        1 => "1 fix".to_owned(),
        many => format!("{many} fixes"),
    }
}
