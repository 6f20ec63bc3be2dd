//! All formats of a real world: `bt-meta export --package monster --format …`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use crate::common::meta::{Meta, check_meta};
use crate::common::page::check_page;
use crate::common::sandbox::Sandbox;
use bt_core::registry::catalogue::{Catalogue, MethodKind};
use bt_core::tree::check::{Rules, check};
use bt_core::{Registry, TreeAsset};
use serde_json::{Value, json};

/// The XML without the methods of the built-in agent, which each agent inherits.
fn without_builtin_methods(xml: &str) -> String {
    let mut is_builtin = false;
    let mut own = String::new();
    for line in xml.lines() {
        if line.contains("<Method ") {
            is_builtin = line.contains("Class=\"action_agent\"");
        } else if !line.contains("<Param ") && !line.contains("</Method>") {
            is_builtin = false;
        }
        if !is_builtin {
            own += line;
            own.push('\n');
        }
    }
    own
}

/// Exported once for all tests of this file.
static EXPORT: LazyLock<Sandbox> = LazyLock::new(|| {
    let sandbox = Sandbox::new();
    let manifest = workspace().join("Cargo.toml");
    let args = [
        "--package",
        "monster",
        "--locked",
        "--format",
        "behaviac,html,json-schema",
        "--format",
        "markdown,mosaic",
        "--manifest-path",
        manifest.to_str().unwrap(),
    ];
    sandbox.export(".", &args).done();
    sandbox
});

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn text(file: &str) -> String {
    std::fs::read_to_string(EXPORT.out().join(file)).unwrap()
}

fn catalogue() -> Catalogue {
    serde_json::from_str(&text("agents.json")).unwrap()
}

#[test]
fn behaviac_knows_every_class_member_method_parameter_and_event() {
    let text = text("behaviac_meta.xml");
    check_meta(&text);
    let meta = Meta::read(&text);
    let catalogue = catalogue();
    assert_eq!(meta.agents.len(), catalogue.agents.len());
    let mut of_catalogue = (0, 0, 0, 0);
    for agent in &catalogue.agents {
        let class = &agent.full_name;
        let own = &meta.agents[class];
        for property in &agent.properties {
            let member = &own.members[&property.item.name];
            assert_eq!(&member["Class"], class);
            assert_eq!(member.contains_key("Static"), property.is_static);
            of_catalogue.0 += 1;
        }
        for method in &agent.methods {
            if method.kind == MethodKind::Decorator {
                assert!(!own.methods.contains_key(&method.item.name));
                continue;
            }
            let found = &own.methods[&method.item.name];
            assert!(!found.is_event());
            assert_eq!(&found.attributes["Class"], class);
            assert_eq!(&found.attributes["Desc"], &method.item.brief);
            let names = method
                .args
                .iter()
                .map(|arg| arg.display.as_ref().unwrap_or(&arg.name));
            let found = found.params.iter().map(|param| &param["DisplayName"]);
            assert!(names.eq(found), "{}", method.item.name);
            of_catalogue.1 += 1;
            of_catalogue.2 += method.args.len();
        }
        for event in &agent.events {
            let found = &own.methods[&format!("event {}", event.item.name)];
            assert_eq!(&found.attributes["Class"], class);
            assert_eq!(found.params.len(), event.params.len());
            of_catalogue.3 += 1;
        }
    }
    // Nothing besides, but for what is inherited.
    let own = meta.agents.iter().flat_map(|(class, agent)| {
        let methods = agent.methods.values();
        methods.filter(move |method| &method.attributes["Class"] == class)
    });
    let own: Vec<_> = own.collect();
    let events = own.iter().filter(|method| method.is_event()).count();
    assert_eq!(own.len() - events, of_catalogue.1);
    assert_eq!(events, of_catalogue.3);
    assert!(of_catalogue.0 > 0 && of_catalogue.2 > 0);
    insta::assert_snapshot!("behaviac", without_builtin_methods(&text));
}

#[test]
fn the_manual_describes_everything() {
    let markdown = text("agents.md");
    let page = text("agents.html");
    check_page(&page);
    for agent in &catalogue().agents {
        let methods = agent
            .methods
            .iter()
            .map(|method| format!(".{}", method.item.name));
        let properties = agent.properties.iter();
        let properties = properties.map(|property| format!(".property.{}", property.item.name));
        let events = agent
            .events
            .iter()
            .map(|event| format!(".event.{}", event.item.name));
        let all = methods
            .chain(properties)
            .chain(events)
            .chain([String::new()]);
        for id in all.map(|name| format!("id=\"{}{name}\"", agent.item.name)) {
            assert_eq!(markdown.matches(&id).count(), 1, "{id}");
            assert_eq!(page.matches(&id).count(), 1, "{id}");
        }
    }
    // Where things are defined changes with every line of the sources. The built-in agent and the node kinds are
    // bt-core's: whoever changes them need not look at them here again.
    let lines = markdown.lines();
    let lines = lines.filter(|line| !line.starts_with("- Defined in: "));
    let mut is_core = false;
    let lines = lines.filter(|line| {
        if line.starts_with("<a id=\"") && !line.contains('.') {
            is_core = line.contains("\"action_agent") || line.contains("\"nodes");
        }
        !is_core && !line.starts_with("| `action_agent` |")
    });
    let own = lines.collect::<Vec<_>>().join("\n");
    assert!(own.contains("## `monster_agent`") && own.contains("## Types"));
    insta::assert_snapshot!("markdown", own);
}

fn trees() -> Vec<(String, Value)> {
    let folder = workspace().join("examples/monster/trees");
    let files = std::fs::read_dir(folder).unwrap();
    let files = files.map(|file| file.unwrap().path());
    // Scenarios of the trees lie beside them.
    let files = files.filter(|file| file.extension().is_some_and(|ending| ending == "json"));
    let mut trees: Vec<(String, Value)> = files
        .map(|path| {
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            let text = std::fs::read(&path).unwrap();
            (name, serde_json::from_slice(&text).unwrap())
        })
        .collect();
    trees.sort_by(|a, b| a.0.cmp(&b.0));
    trees
}

#[test]
fn the_schema_accepts_the_trees_and_is_never_stricter_than_the_runtime() {
    let schema: Value = serde_json::from_str(&text("trees.schema.json")).unwrap();
    jsonschema::meta::validate(&schema).unwrap();
    let schema = jsonschema::draft202012::new(&schema).unwrap();
    let registry = Registry::from_catalogue(catalogue()).unwrap();
    let trees = trees();
    assert!(!trees.is_empty());
    for (name, tree) in &trees {
        let errors = schema.iter_errors(tree).map(|error| error.to_string());
        assert_eq!(errors.collect::<Vec<_>>(), Vec::<String>::new(), "{name}");
    }
    let all = trees.iter().map(|(name, tree)| read(name, tree).unwrap());
    let sound = check(&all.collect::<Vec<_>>(), &registry, &Rules::default());
    assert!(sound.problems.is_empty() && sound.warnings.is_empty());
    let (mut both, mut check_alone) = (0, BTreeSet::new());
    for (at, (name, tree)) in trees.iter().enumerate() {
        let others = trees.iter().enumerate().filter(|(other, _)| *other != at);
        let others = others.map(|(_, (name, tree))| read(name, tree).unwrap());
        let mut set: Vec<TreeAsset> = others.collect();
        for pointer in pointers(tree) {
            for broken in broken(tree, &pointer) {
                let found = match read(name, &broken) {
                    None => true,
                    Some(read) => {
                        set.push(read);
                        let checked = check(&set, &registry, &Rules::default());
                        set.pop();
                        // A variant of another name may be an alias; events may be the host's.
                        !checked.problems.is_empty() || !checked.warnings.is_empty()
                    }
                };
                match (schema.is_valid(&broken), found) {
                    (false, true) => both += 1,
                    (false, false) => {
                        panic!("{name}: the schema alone refuses what is at {pointer}")
                    }
                    (true, true) => drop(check_alone.insert(pointer.clone())),
                    (true, false) => {}
                }
            }
        }
    }
    assert!(both > 1_000, "{both}");
    // What is left to the check is links between nodes and trees, how many of them there are, and the
    // inside of initial values.
    let left = |pointer: &String| {
        let parts: Vec<&str> = pointer.split('/').skip(3).collect();
        matches!(
            parts.as_slice(),
            [] | ["children", _]
                | ["extra", "sub_tree_name"]
                | ["extra", "prob", _]
                | ["extra", "blackboard", _, "initial", ..]
        )
    };
    check_alone.retain(|pointer| !left(pointer));
    assert_eq!(check_alone, BTreeSet::new());
}

fn read(name: &str, tree: &Value) -> Option<TreeAsset> {
    TreeAsset::from_slice(name, tree.to_string().as_bytes()).ok()
}

/// Every value of every fifth node, by its JSON pointer.
fn pointers(tree: &Value) -> Vec<String> {
    let mut found = Vec::new();
    for at in (0..tree["nodes"].as_array().unwrap().len()).step_by(5) {
        let pointer = format!("/nodes/{at}");
        below(&tree["nodes"][at], &pointer, &mut found);
    }
    found
}

fn below(value: &Value, pointer: &str, found: &mut Vec<String>) {
    found.push(pointer.to_owned());
    match value {
        Value::Object(map) => map
            .iter()
            .for_each(|(key, value)| below(value, &format!("{pointer}/{key}"), found)),
        Value::Array(items) => {
            let items = items.iter().enumerate();
            items.for_each(|(at, value)| below(value, &format!("{pointer}/{at}"), found));
        }
        _ => {}
    }
}

/// Trees in which that value is missing, or another.
fn broken(tree: &Value, pointer: &str) -> Vec<Value> {
    let others = [
        json!("nonsense"),
        json!(-7.5),
        json!(true),
        json!([]),
        json!({}),
        Value::Null,
    ];
    let mut broken = Vec::new();
    for other in others {
        let mut tree = tree.clone();
        *tree.pointer_mut(pointer).unwrap() = other;
        broken.push(tree);
    }
    let (above, key) = pointer.rsplit_once('/').unwrap();
    let mut without = tree.clone();
    match without.pointer_mut(above).unwrap() {
        Value::Object(map) => drop(map.remove(key)),
        Value::Array(items) => drop(items.remove(key.parse().unwrap())),
        _ => {}
    }
    broken.push(without);
    broken
}
