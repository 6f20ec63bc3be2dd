//! The blackboard keys that a tree reads and sets.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::linter::Linter;
use bt_core::expression::{Named, Target};
use bt_core::kinds::call::{Argument, Call};
use bt_core::kinds::values::{Formula, Name, Parameters};
use bt_core::kinds::{Caller, Node, Path, Use};
use bt_core::registry::catalogue::{InOut, MethodEntry, ValueEntry};
use bt_core::tree::asset::AssetNode;

/// A place in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Spot {
    pub(super) node: u32,
    /// Below the node, such as `/extra/action_args/0/arg_value`.
    pub(super) below: String,
}

/// The keys that a tree, or a part of it, uses: of each the first place.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Keys {
    pub(super) read: BTreeMap<String, Spot>,
    pub(super) set: BTreeMap<String, Spot>,
    /// Set by a call to something that does not build on what was there.
    pub(super) replaced: BTreeMap<String, Spot>,
    /// Declared somewhere: the host may read and set them.
    pub(super) declared: BTreeSet<String>,
    /// Some call reads a key whose name the tree does not say.
    pub(super) reads_any: bool,
    /// Some call sets a key whose name the tree does not say.
    pub(super) sets_any: bool,
}

/// The use that a built-in action makes of the key that an argument names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Names {
    /// Needs it, and may change it in place.
    Read,
    Set,
    /// Adds to it, or begins it.
    Grow,
    /// Removes it: neither.
    Nothing,
    /// A template, with names in braces.
    Template,
}

/// Returns true if every agent has the method: an agent of bt-core's own tests is not built in.
pub(super) fn is_built_in(method: &MethodEntry) -> bool {
    let item = &method.item;
    item.package == "bt-core" && item.file.starts_with("src/builtin/")
}

/// Returns true if an argument names a key.
pub(super) fn names_a_key(method: &MethodEntry, argument: &str) -> bool {
    is_built_in(method) && names(&method.item.name, argument).is_some()
}

/// Returns whether an argument of a method names a key of the blackboard, as some of the built-in actions'
/// do: then whether the call reads the key, and whether it sets it.
pub fn named_key(method: &MethodEntry, argument: &str) -> Option<(bool, bool)> {
    let named = names(&method.item.name, argument).filter(|_| is_built_in(method));
    Some(match named? {
        Names::Read => (true, false),
        Names::Set => (false, true),
        Names::Grow => (true, true),
        Names::Nothing => (false, false),
        Names::Template => return None,
    })
}

/// Returns true if an argument of a method is a template, a text with the names of keys in braces.
pub fn is_template(method: &MethodEntry, argument: &str) -> bool {
    is_built_in(method) && names(&method.item.name, argument) == Some(Names::Template)
}

/// The key use of a built-in action's argument, if it names a key.
fn names(method: &str, argument: &str) -> Option<Names> {
    Some(match (method, argument) {
        (_, "dest_bb_key" | "sz_bb_key") | ("set_key_value", "bb_key") => Names::Set,
        ("remove_key" | "remove_keys", _) => Names::Nothing,
        ("string_format", "template") => Names::Template,
        ("array_push", "array_bb_key") | ("string_append", "bb_key") => Names::Grow,
        (_, "bb_key" | "array_bb_key" | "source_bb_key" | "string_bb_key") => Names::Read,
        _ => return None,
    })
}

impl Keys {
    /// Adds what a node by itself does.
    pub(super) fn node(&mut self, linter: &Linter<'_, '_>, node: &AssetNode, said: &Node<'_>) {
        // One that is declared wrongly is reported as such.
        let declared = said.declared().0.iter();
        self.declared
            .extend(declared.map(|(key, _)| (*key).to_owned()));
        said.uses(&Path::TOP.own("extra"), &mut |path, used| match used {
            Use::Call(caller, call) => self.call(linter, node, path, caller, call),
            Use::Guard(_, guard) if guard.formula.is_some() => {}
            Use::Guard(caller, guard) => self.call(linter, node, path, caller, &guard.condition),
            Use::Expression(_, Formula(text)) | Use::Value(_, Formula(text)) => {
                self.expression(node, path, text)
            }
            Use::Writes(_, writes) => {
                for (name, Formula(text)) in &writes.0 {
                    let path = path.key(name);
                    self.expression(node, &path, text);
                    if let Some(Target::Key(key)) = Target::read(name) {
                        self.set(&key, Spot::of(node, &path));
                    }
                }
            }
            Use::Number(argument, _) => self.argument(node, path, argument),
            Use::Event(_, params) => self.params(node, path, params),
            Use::Starts(event) => self.params(node, path, &event.params),
            Use::Tree(tree) => {
                if let Some(Name(key)) = tree.name_key {
                    self.read(key, Spot::of(node, &path.key("name_key")));
                }
                let (path, results) = (path.key("args"), path.key("results"));
                for (key, argument) in &tree.args.0 {
                    let path = path.key(key);
                    if let Some(argument) = argument {
                        self.argument(node, &path, argument);
                    }
                    self.set(key, Spot::of(node, &path));
                }
                let path = results;
                for (key, Name(own)) in &tree.results.0 {
                    self.read(key, Spot::of(node, &path.key(key)));
                    self.set(own, Spot::of(node, &path.key(key)));
                }
            }
        });
    }

    /// The keys that an argument reads whose place says nothing else of it.
    fn argument(&mut self, node: &AssetNode, path: &Path<'_>, argument: &Argument<'_>) {
        let path = path.key("arg_value");
        if let Some(key) = argument.key() {
            self.read(key, Spot::of(node, &path));
        }
        if let Some(text) = argument.expression() {
            self.expression(node, &path, text);
        }
    }

    /// The keys that an expression reads.
    fn expression(&mut self, node: &AssetNode, path: &Path<'_>, text: &str) {
        for (named, name, _) in bt_core::expression::names(text) {
            match named {
                Named::Key => self.read(&name, Spot::of(node, path)),
                Named::Property => {}
                // A condition may be given the name of a key.
                Named::Method => self.reads_any = true,
            }
        }
    }

    /// The keys that take an event's parameters.
    fn params(&mut self, node: &AssetNode, path: &Path<'_>, params: &Parameters<'_>) {
        let path = path.key("params");
        for (param, Name(key)) in &params.0 {
            self.set(key, Spot::of(node, &path.key(param)));
        }
    }

    fn call(
        &mut self,
        linter: &Linter<'_, '_>,
        node: &AssetNode,
        path: &Path<'_>,
        caller: Caller,
        call: &Call<'_>,
    ) {
        let method = linter.method(call.name);
        let path = path.key(caller.keys().1);
        for (at, item) in call.args.all().unwrap_or_default().iter().enumerate() {
            let literal = item.plain();
            if method.is_none() && literal.is_some_and(Value::is_string) {
                // It may be the name of a key: nobody knows what the call does.
                (self.reads_any, self.sets_any) = (true, true);
            }
            let argument = method.and_then(|method| match item.name() {
                Some(name) => {
                    let is_it = |arg: &&ValueEntry| {
                        name == arg.name || arg.alias.iter().any(|alias| name == alias)
                    };
                    method.args.iter().find(is_it)
                }
                None => method.args.get(at),
            });
            let spot = || Spot::of(node, &path.item(at).key("arg_value"));
            if let Some(text) = item.expression() {
                self.expression(node, &path.item(at).key("arg_value"), text);
            }
            if let Some(key) = item.key() {
                match argument.map(|arg| arg.ty.in_out) {
                    Some(Some(InOut::Out)) => self.replace(key, spot()),
                    // One that is changed has to be set before.
                    Some(Some(InOut::InOut) | None) => self.read(key, spot()),
                    // What a fallback does with it nobody knows.
                    None => {
                        self.read(key, spot());
                        self.set(key, spot());
                    }
                }
            }
            if let (Some(method), Some(argument)) = (method, argument)
                && is_built_in(method)
                && let Some(names) = names(&method.item.name, &argument.name)
            {
                self.named(names, literal.and_then(Value::as_str), &spot());
            }
        }
    }

    /// A built-in action's argument names a key.
    fn named(&mut self, names: Names, key: Option<&str>, spot: &Spot) {
        if names == Names::Template {
            self.reads_any |= key.is_none();
            for (_, name) in key.into_iter().flat_map(in_braces) {
                self.read(name, spot.clone());
            }
        }
        if matches!(names, Names::Read | Names::Grow) {
            match key {
                Some(key) => self.read(key, spot.clone()),
                None => self.reads_any = true,
            }
        }
        match (names, key) {
            (Names::Set, Some(key)) => self.replace(key, spot.clone()),
            (Names::Grow, Some(key)) => self.set(key, spot.clone()),
            (Names::Set | Names::Grow, None) => self.sets_any = true,
            (Names::Read | Names::Nothing | Names::Template, _) => {}
        }
    }

    fn read(&mut self, key: &str, spot: Spot) {
        self.read.entry(key.to_owned()).or_insert(spot);
    }

    fn set(&mut self, key: &str, spot: Spot) {
        self.set.entry(key.to_owned()).or_insert(spot);
    }

    fn replace(&mut self, key: &str, spot: Spot) {
        self.set(key, spot.clone());
        self.replaced.entry(key.to_owned()).or_insert(spot);
    }
}

impl Spot {
    pub(super) fn of(node: &AssetNode, path: &Path<'_>) -> Spot {
        Spot {
            node: node.idx(),
            below: path.pointer(),
        }
    }
}

/// The keys that a template names, each with the byte where its name begins; `{{` and `}}` are braces.
pub fn in_braces(template: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut rest = template;
    std::iter::from_fn(move || {
        loop {
            let (_, after) = rest.split_once('{')?;
            rest = after;
            match rest.strip_prefix('{') {
                Some(after) => rest = after,
                None => {
                    let at = template.len() - rest.len();
                    let (name, after) = rest.split_once('}')?;
                    rest = after;
                    return Some((at, name));
                }
            }
        }
    })
}
