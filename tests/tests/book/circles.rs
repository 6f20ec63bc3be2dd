//! The files of a crate import each other one way: where they go round in a circle, they are one thing.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::rooms::code;

/// The crates, and the circles that there are in each. Each is small, and of one subject.
const CIRCLES: &[(&str, &[&[&str]])] = &[
    (
        "bt-core",
        &[
            // The blackboard, and its parts, which implement it.
            &[
                "blackboard",
                "blackboard::frames",
                "blackboard::notices",
                "blackboard::writes",
            ],
            // An agent that is described, its description, and the handlers that this has: they answer for the agent.
            &["dynamic::agent", "dynamic::handler", "dynamic::known"],
            // A pool, a round of it, and how it moves to changed trees.
            &["pool::agents", "pool::reload", "pool::round"],
            // The registry, and what is looked up in it.
            &["registry", "registry::events", "registry::lookup"],
            // A tree, who reads it and its scripts, and the problems that they report, with where in the text they are.
            &[
                "tree::asset",
                "tree::asset::enabled",
                "tree::asset::fields",
                "tree::asset::head",
                "tree::asset::node",
                "tree::asset::position",
                "tree::asset::problem",
                "tree::asset::raw",
                "tree::asset::read",
                "tree::asset::script",
                "tree::asset::script::arguments",
                "tree::asset::script::entry",
                "tree::asset::script::lines",
                "tree::asset::script::literal",
                "tree::asset::script::nested",
                "tree::asset::script::places",
                "tree::asset::script::words",
                "tree::asset::spec",
                "tree::asset::structure",
            ],
            // The validator: its rules, the set that it checks, and the walk through a tree.
            &["tree::check", "tree::check::set", "tree::check::walk"],
            // What is known of agents, and what a schema says of a value.
            &["tree::check::knows", "tree::check::schema"],
        ],
    ),
    (
        "bt-live",
        &[
            // A port, and its requests a file for each subject: each of them is a method of the port.
            &[
                "port",
                "port::answers",
                "port::breakpoints",
                "port::connection",
                "port::debugging",
                "port::encode",
                "port::frozen",
                "port::ledger",
                "port::lines",
                "port::looks",
                "port::outlets",
                "port::pages",
                "port::profiles",
                "port::recorded",
                "port::server",
                "port::task",
                "port::tracer",
                "port::trees",
                "port::watched",
            ],
            // What a host lends a port: agents, and the texts of their trees.
            &["port::game", "port::sources"],
        ],
    ),
    (
        "bt-meta",
        &[
            // The edits of trees, of which inlining is made of the others.
            &["edit", "edit::inline", "edit::trees"],
            // An edit at work, and the weights that it keeps beside the children.
            &["edit::weights", "edit::work"],
            // Fixes, of which scenarios have some.
            &["fix", "fix::scenarios"],
            // A builder, an `impl` a file for each group of constructs.
            &[
                "import",
                "import::btcpp",
                "import::btcpp::build",
                "import::btcpp::build::skips",
            ],
            // What scenarios show, which playing collects.
            &["scenarios", "scenarios::coverage", "scenarios::play"],
            // Copies for the original's editor, and the shape of their nodes.
            &["view_trees", "view_trees::shape"],
            // A merge, and how the nodes of a copy and its tree stand.
            &["view_trees::merge", "view_trees::structure"],
        ],
    ),
];

/// A table and its rows: the table of the kinds names each of them, and each says with the table's types
/// what it is.
const TABLE: &str = "kinds";

/// The files of a crate, by the paths of their modules: "run::core", and "" for the root.
struct Files {
    texts: BTreeMap<String, String>,
    /// The names that each exports of others, with the path as it is written there.
    exports: BTreeMap<String, BTreeMap<String, String>>,
}

impl Files {
    fn of(texts: impl IntoIterator<Item = (String, String)>) -> Files {
        let texts: BTreeMap<_, _> = texts.into_iter().collect();
        let exports = texts.iter().map(|(module, text)| {
            // A prelude exports once more what its own file exports.
            let itself = |found: &Used| found.path == join("crate", &join(module, &found.name));
            let exported = uses(text).into_iter();
            let exported = exported.filter(|found| found.exported && !itself(found));
            let by_name = exported.map(|found| (found.name, found.path));
            (module.clone(), by_name.collect())
        });
        Files {
            exports: exports.collect(),
            texts,
        }
    }

    /// The modules that a file imports something from.
    fn imports(&self, module: &str) -> BTreeSet<String> {
        let text = &self.texts[module];
        let used = uses(text);
        // What a folder exports of its own files is no import of theirs.
        let used = used.iter().filter(|found| {
            let own = self.place(module, &found.path);
            !found.exported || !own.is_some_and(|own| is_within(&own, module))
        });
        let mut all: Vec<String> = used.clone().map(|found| found.path.clone()).collect();
        // A path in the code may begin with a module that a `use` brings in.
        let brought: BTreeMap<&str, &str> = used
            .map(|found| (found.name.as_str(), found.path.as_str()))
            .collect();
        all.extend(paths(text).into_iter().map(|path| {
            let (first, rest) = path.split_once("::").unwrap_or((path, ""));
            brought
                .get(first)
                .map_or_else(|| path.to_owned(), |at| join(at, rest))
        }));
        let defined = all.iter().filter_map(|path| self.definer(module, path, 0));
        defined.filter(|other| other != module).collect()
    }

    /// A path from the root, if it is written as one from here.
    fn place(&self, module: &str, path: &str) -> Option<String> {
        let (first, rest) = path.split_once("::").unwrap_or((path, ""));
        let (from, rest) = match first {
            "crate" => (String::new(), rest),
            "self" => (module.to_owned(), rest),
            "super" => {
                let above = module.rsplit_once("::").map_or("", |(above, _)| above);
                return match rest.strip_prefix("super::") {
                    Some(_) => self.place(above, rest),
                    None => Some(join(above, rest)),
                };
            }
            child if self.texts.contains_key(&join(module, child)) => (module.to_owned(), path),
            _ => return None,
        };
        Some(join(&from, rest))
    }

    /// The file that defines what a path names; none of a module, or of what is another crate's.
    fn definer(&self, module: &str, path: &str, depth: u32) -> Option<String> {
        assert!(depth < 10, "{module}: {path}");
        let path = self.place(module, path)?;
        let mut rest = path.as_str();
        let mut at = String::new();
        while !rest.is_empty() {
            let (first, more) = rest.split_once("::").unwrap_or((rest, ""));
            let child = join(&at, first);
            if self.texts.contains_key(&child) {
                (at, rest) = (child, more);
                continue;
            }
            let exports = &self.exports[&at];
            return match (exports.get(first), exports.get("*")) {
                (Some(exported), _) => self.definer(&at, &join(exported, more), depth + 1),
                (None, Some(all)) => {
                    let all = all.trim_end_matches('*').trim_end_matches("::");
                    self.definer(&at, &join(all, rest), depth + 1)
                }
                (None, None) => Some(at),
            };
        }
        None
    }

    /// The circles: files each of which imports from the next, the last one from the first.
    fn circles(&self) -> BTreeSet<Vec<String>> {
        let modules = self.texts.keys();
        let imports: BTreeMap<_, _> = modules
            .map(|module| (module.as_str(), self.imports(module)))
            .collect();
        let reached: BTreeMap<&str, BTreeSet<&str>> = imports
            .keys()
            .map(|module| (*module, reach(&imports, module)))
            .collect();
        let circles = reached.iter().map(|(module, from)| {
            let back = from.iter().filter(|other| reached[*other].contains(module));
            back.map(|other| (*other).to_owned()).collect::<Vec<_>>()
        });
        circles.filter(|circle| !circle.is_empty()).collect()
    }
}

/// All that a module imports, and what that does, and so on.
fn reach<'i>(imports: &'i BTreeMap<&str, BTreeSet<String>>, from: &str) -> BTreeSet<&'i str> {
    let mut found = BTreeSet::new();
    let mut open = vec![from];
    while let Some(module) = open.pop() {
        for next in &imports[module] {
            if found.insert(next.as_str()) {
                open.push(next);
            }
        }
    }
    found
}

fn join(path: &str, more: &str) -> String {
    match (path, more) {
        ("", one) | (one, "") => one.to_owned(),
        (path, more) => format!("{path}::{more}"),
    }
}

fn is_within(path: &str, module: &str) -> bool {
    let rest = path.strip_prefix(module);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("::") || module.is_empty())
}

/// One name that a `use` brings in.
struct Used {
    exported: bool,
    path: String,
    name: String,
}

/// The text before the tree of a `use` item that ends here, and the tree; none of anything else.
fn item(text: &str) -> Option<(&str, &str)> {
    let start = text.rfind("use ")?;
    let before = text[..start].rsplit('\n').next()?.trim();
    let is_item = before.is_empty() || before.starts_with("pub");
    let tree = &text[start + 4..];
    // What stands in a text of the file is none.
    let is_tree =
        |char: char| char.is_alphanumeric() || char.is_whitespace() || "_:{},*".contains(char);
    let is_tree =
        tree.chars().all(is_tree) && tree.matches('{').count() == tree.matches('}').count();
    (is_item && is_tree).then(|| (&text[..start], tree))
}

/// The names that the `use` items of a file import.
fn uses(text: &str) -> Vec<Used> {
    let mut all = Vec::new();
    for (start, tree) in text.split(';').filter_map(item) {
        let exported = start
            .rsplit('\n')
            .next()
            .is_some_and(|line| !line.trim().is_empty());
        let tree = tree.split_whitespace().collect::<Vec<_>>().join(" ");
        for path in leaves(&tree) {
            let (path, name) = path.split_once(" as ").unwrap_or((&path, ""));
            let path = path.trim_end_matches("::self");
            let last = path.rsplit("::").next().unwrap_or(path);
            all.push(Used {
                exported,
                path: path.to_owned(),
                name: if name.is_empty() { last } else { name }.to_owned(),
            });
        }
    }
    all
}

/// The paths of a `use`, one for each name: `a::{b, c::{d, e}}` has three.
fn leaves(tree: &str) -> Vec<String> {
    let Some((start, list)) = tree.split_once('{') else {
        return vec![tree.trim().to_owned()];
    };
    let list = list.trim_end().trim_end_matches('}');
    // The brace of the last nested list went, too.
    let open = list.matches('{').count() - list.matches('}').count();
    let list = list.to_owned() + &"}".repeat(open);
    let mut depth = 0;
    let items = list.split(|char| {
        depth += i32::from(char == '{') - i32::from(char == '}');
        char == ',' && depth == 0
    });
    let items = items.map(str::trim).filter(|item| !item.is_empty());
    let inside = items.flat_map(leaves);
    inside
        .map(|path| format!("{}{path}", start.trim()))
        .collect()
}

/// The paths that stand in the code itself.
fn paths(text: &str) -> Vec<&str> {
    let is_path = |char: char| char.is_alphanumeric() || char == '_' || char == ':';
    let code = text
        .split(';')
        .map(|code| item(code).map_or(code, |(before, _)| before));
    let words = code.flat_map(|code| code.split(move |char| !is_path(char)));
    let words = words.map(|word| word.trim_matches(':'));
    let words = words
        .filter(|word| word.contains("::") && !word.contains(":::") && !word.ends_with("super"));
    words
        .filter(|word| word.starts_with(|first: char| first.is_lowercase()))
        .collect()
}

/// The files of a crate.
fn files(package: &str) -> Files {
    let src = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .join(package)
        .join("src");
    let mut all = Vec::new();
    code(&src, &mut all);
    let files = all.into_iter().map(|(path, text)| {
        let path = path
            .strip_prefix(&*src.to_string_lossy())
            .expect("it is there");
        let module = path.trim_start_matches('/').trim_end_matches(".rs");
        let module = module.trim_end_matches("/mod").replace('/', "::");
        let is_root = module == "lib";
        (if is_root { String::new() } else { module }, text)
    });
    Files::of(files)
}

#[test]
fn files_import_each_other_in_small_circles_of_one_subject() {
    for (package, circles) in CIRCLES {
        let (table, small): (Vec<_>, Vec<_>) = files(package)
            .circles()
            .into_iter()
            .partition(|circle| circle.iter().all(|file| is_within(file, TABLE)));
        assert_eq!(
            table.len(),
            usize::from(*package == "bt-core"),
            "{table:#?}"
        );
        assert_eq!(
            small, *circles,
            "{package}: a new circle: move what both sides use below them"
        );
    }
}

#[test]
fn a_circle_is_found_across_what_a_folder_exports() {
    let circles = |texts: &[(&str, &str)]| {
        let texts = texts.iter();
        let texts = texts.map(|(module, text)| ((*module).to_owned(), (*text).to_owned()));
        Files::of(texts).circles().into_iter().collect::<Vec<_>>()
    };
    let one_way = [
        ("", "mod a; mod b;"),
        ("a", "use crate::b::c::Thing;\nstruct Own;"),
        ("b", "pub mod c;\npub use c::{self, Thing as Other};"),
        ("b::c", "pub struct Thing;"),
    ];
    assert!(circles(&one_way).is_empty());
    let mut round = one_way;
    round[3].1 = "use super::super::a::{\n    Own,\n};\npub struct Thing;";
    assert_eq!(circles(&round), [["a", "b::c"]]);
    // By an exported name, and by a path in the code.
    round[1].1 = "fn of() -> crate::b::Other {}\nstruct Own;";
    assert_eq!(circles(&round), [["a", "b::c"]]);
    let mut all = round;
    all[2].1 = "pub mod c;\npub use c::*;";
    all[1].1 = "use crate::{x::Y, b::{Z, Thing}};\nstruct Own;";
    assert_eq!(circles(&all), [["a", "b::c"]]);
}
