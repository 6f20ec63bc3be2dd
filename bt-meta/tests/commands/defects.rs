//! Defects planted in the example's trees, one at a time: each is found, in its place, and nothing else is.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::sandbox::Sandbox;
use bt_core::tree::Code::{self, *};
use bt_meta::catalogue::Catalogue;
use bt_meta::validate::{Options, input, run};

/// Something that a slip of the pen does to a tree.
struct Defect {
    /// The defect.
    what: &'static str,
    file: &'static str,
    /// The node whose text changes, by its `idx`.
    node: u32,
    /// The text there, and what it becomes: its first occurrence in the node.
    from: &'static str,
    to: &'static str,
    /// The expected findings, each with the text of a node, at whose `|` it is.
    found: &'static [(Code, u32, &'static str)],
}

const fn defect(
    what: &'static str,
    file: &'static str,
    node: u32,
    from: &'static str,
    to: &'static str,
    found: &'static [(Code, u32, &'static str)],
) -> Defect {
    Defect {
        what,
        file,
        node,
        from,
        to,
        found,
    }
}

#[rustfmt::skip]
const DEFECTS: &[Defect] = &[
    // Names.
    defect("a slip in an action", "hunt", 16, r#""chase""#, r#""chsae""#, &[(UnknownAction, 16, r#""action_name": |"chsae""#)]),
    defect("a slip in a guard's condition", "hunt", 5, r#""is_alive""#, r#""is_alvie""#, &[(UnknownAction, 5, r#": |"is_alvie""#)]),
    defect("a slip in an effect", "hunt", 2, r#""forget_target""#, r#""forget_targets""#, &[(UnknownAction, 2, r#": |"forget_targets""#)]),
    defect("a slip in a service", "patrol", 1, r#""look_out""#, r#""lok_out""#, &[(UnknownAction, 1, r#": |"lok_out""#)]),
    defect("a slip in an agent", "hunt", 0, r#""monster_agent""#, r#""monster_agnet""#, &[(UnknownAgent, 0, r#": |"monster_agnet""#)]),
    defect("a slip in a tree", "hunt", 4, r#""flee.json""#, r#""flea.json""#, &[(UnknownTree, 4, r#": |"flea.json""#)]),
    defect("a slip in a tree for an event", "patrol", 1, r#""hunt.json""#, r#""hnut.json""#, &[(UnknownTree, 1, r#": |"hnut.json""#)]),
    defect("a slip in an event", "patrol", 1, r#""hurt""#, r#""hrut""#, &[(UnknownEvent, 1, r#": |"hrut""#)]),
    defect("a slip in an awaited event", "account", 22, r#""player_died""#, r#""player_dead""#, &[(UnknownEvent, 22, r#": |"player_dead""#)]),
    defect("a slip in a parameter", "patrol", 1, r#""attacker""#, r#""atacker""#, &[(UnknownParameter, 1, r#""atacker": |"threat""#)]),
    defect("a slip in a property", "patrol", 20, r#""home""#, r#""hom""#, &[(UnknownProperty, 20, r#": |"hom""#)]),
    defect("a slip in an argument's name", "hunt", 16, r#""arg_value": 1.2"#, r#""arg_name": "rnage", "arg_value": 1.2"#, &[(UnknownArgument, 16, r#": |"rnage""#)]),
    defect("a slip in a type", "hunt", 8, r#""condition""#, r#""conditon""#, &[(UnknownType, 8, r#": |"conditon""#)]),
    defect("another engine's type", "flee", 1, r#""select""#, r#""Fallback""#, &[(UnknownType, 1, r#": |"Fallback""#)]),
    // Keys of the blackboard.
    defect("a slip in a key that is read", "hunt", 10, r#""prey""#, r#""prye""#, &[(UnsetKey, 10, r#": |"prye""#)]),
    defect("a slip in a key that is set", "hunt", 17, r#""prey""#, r#""prye""#, &[(UnreadKey, 17, r#": |"prye""#)]),
    defect("a slip in a template", "auto_play", 48, "{level}", "{levle}", &[(UnsetKey, 48, r#": |"Level {levle}!""#)]),
    defect("a slip in a guard's key", "patrol", 2, r#""prey""#, r#""pray""#, &[(UnsetKey, 2, r#": |"pray""#)]),
    defect("a key handed over that is none", "patrol", 6, r#""prey": {"#, r#""pray": {"#, &[(UndeclaredKey, 6, r#""pray": |{"#), (UnreadKey, 6, r#""pray": |{"#)]),
    defect("two trees at odds about a key", "hunt", 0, r#""initial": 0"#, r#""initial": 1"#, &[(ConflictingKeys, 0, r#""prey": |{"#)]),
    defect("a type of a key that is none", "auto_play", 0, r#""uint32""#, r#""uint31""#, &[(BadDeclaration, 0, r#": |"uint31""#)]),
    defect("a first value of another type", "auto_play", 0, r#""initial": 1,"#, r#""initial": "one","#, &[(BadDeclaration, 0, r#": |"one""#)]),
    defect("two branches that set one key", "auto_play", 48, r#""words""#, r#""spot""#, &[(RacingKeys, 48, r#": |"spot""#)]),
    defect("a text for a number", "auto_play", 19, r#""heap""#, r#""title""#, &[(NeverFits, 19, r#": |"title""#)]),
    // Arguments.
    defect("a number below its bounds", "hunt", 16, "1.2", "-1.2", &[(WrongArgument, 16, r#": |-1.2"#)]),
    defect("a text instead of a number", "flee", 9, "14", r#""far""#, &[(WrongArgument, 9, r#": |"far""#)]),
    defect("a value that an enum has not", "auto_play", 17, r#""loot""#, r#""lute""#, &[(WrongArgument, 17, r#": |"lute""#)]),
    defect("an argument too many", "hunt", 10, r#""attack""#, r#""smash""#, &[(SurplusArgument, 10, r#": |"prey""#)]),
    defect("an argument too few", "hunt", 12, r#""smash""#, r#""attack""#, &[(MissingArgument, 12, r#""action_args": |["#)]),
    defect("a kind of source that is none", "flee", 9, r#""blackboard""#, r#""blackbord""#, &[(UnknownChoice, 9, r#": |"blackbord""#)]),
    defect("an action asked as a condition", "hunt", 4, r#""should_flee""#, r#""smash""#, &[(WrongKind, 4, r#": |"smash""#)]),
    defect("a service that takes its time", "auto_play", 3, r#""look_out""#, r#""linger""#, &[(RunningService, 3, r#": |"linger""#)]),
    defect("an effect that takes its time", "hunt", 2, r#""forget_target""#, r#""smash""#, &[(RunningEffect, 2, r#": |"smash""#)]),
    // What nodes take.
    defect("a threshold beyond the children", "auto_play", 1, r#""success": 2"#, r#""success": 3"#, &[(OutOfRange, 1, r#": |3"#)]),
    defect("a time of nothing", "hunt", 2, r#""seconds": 45"#, r#""seconds": 0"#, &[(OutOfRange, 2, r#""seconds": |0"#)]),
    defect("a time as a text", "hunt", 2, r#""seconds": 45"#, r#""seconds": "45""#, &[(WrongForm, 2, r#": |"45""#)]),
    defect("a time that is missing", "hunt", 11, r#""seconds": 8"#, "", &[(MissingKey, 11, r#""extra": |{"#)]),
    defect("a weight that is missing", "hunt", 9, "4,", "", &[(OutOfRange, 9, r#""prob": |["#)]),
    defect("a mode that is none", "hunt", 19, r#""transfer""#, r#""transfers""#, &[(UnknownChoice, 19, r#": |"transfers""#)]),
    defect("an effect that never comes", "hunt", 2, r#""exit""#, r#""leave""#, &[(UnknownKey, 2, r#""leave": |["#)]),
    defect("an option with a slip", "patrol", 1, r#""once""#, r#""onse""#, &[(MeaninglessKey, 1, r#""onse": |true"#)]),
    defect("guards beside `extra`", "hunt", 12, r#""is_collapsed": false"#, r#""guards": [], "is_collapsed": false"#, &[(BesideExtra, 12, r#""guards": |["#)]),
    defect("two children of a decorator", "hunt", 13, r#""sequence""#, r#""negative""#, &[(ChildCount, 13, r#""children": |["#)]),
    defect("a guard that aborts beside a sequence", "hunt", 3, r#""select""#, r#""sequence""#, &[(MisplacedAbort, 4, r#": |"lower""#)]),
    // Structure.
    defect("a comma that is missing", "hunt", 12, r#""idx": 12,"#, r#""idx": 12"#, &[(NotJson, 12, r#"|"is_collapsed""#)]),
    defect("a key twice", "hunt", 11, r#""seconds": 8"#, r#""seconds": 8, "seconds": 9"#, &[(RepeatedKey, 11, r#": |9"#)]),
    defect("a child that there is not", "hunt", 6, "13", "99", &[(UnknownChild, 6, "|99"), (Orphan, 13, r#""parent": |6"#)]),
    defect("a child of two nodes", "hunt", 15, "16", "14", &[(SharedChild, 15, "|14"), (Orphan, 16, r#""parent": |15"#)]),
    defect("another parent", "hunt", 8, r#""parent": 7"#, r#""parent": 6"#, &[(WrongParent, 8, r#""parent": |6"#)]),
    defect("a second root", "hunt", 1, r#""always_seq""#, r#""root""#, &[(OneRoot, 1, r#""type": |"root""#)]),
    defect("a number that is taken", "hunt", 15, r#""idx": 15"#, r#""idx": 14"#, &[(UnknownChild, 13, "|15"), (RepeatedIdx, 14, "\"idx\": |14,\n      \"is_collapsed\": false,\n      \"parent\": 13,\n      \"type\": \"timeout\""), (WrongParent, 16, r#""parent": |15"#)]),
    // What works and is not meant.
    defect("an old name", "auto_play", 10, r#""approach""#, r#""move_to_entity""#, &[(Renamed, 10, r#": |"move_to_entity""#)]),
    defect("a branch that is never reached", "account", 17, r#""always_true""#, r#""always_false""#, &[(Unreachable, 24, "|{\n      \"children\"")]),
    defect("a tree that calls itself", "hunt", 19, "\"mode\": \"transfer\",\n        \"sub_tree_name\": \"patrol.json\"", r#""sub_tree_name": "hunt.json""#, &[(EndlessRecursion, 19, r#": |"hunt.json""#)]),
    defect("a guard that looks at nothing", "patrol", 7, r#""condition_name": "should_flee""#, r#""abort": "self", "condition_name": "random_chance""#, &[(IdleGuard, 7, r#""abort": |"self""#)]),
    defect("a comment that allows nothing", "hunt", 12, r#""comment": ""#, r#""comment": "bt-meta: allow(renamed) "#, &[(UselessAllow, 12, r#""comment": |"bt-meta"#)]),
];

fn trees() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/monster/trees")
}

/// The present annotations of the example.
fn catalogue() -> Catalogue {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("../Cargo.toml");
    let manifest = manifest.to_str().unwrap();
    let sandbox = Sandbox::new();
    let args = [
        "--package",
        "monster",
        "--locked",
        "--manifest-path",
        manifest,
    ];
    sandbox.export(".", &args).done();
    let text = fs::read_to_string(sandbox.out().join("agents.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// The start and the end of a node's text: the example's files have a line for each bracket.
fn node(text: &str, idx: u32) -> (usize, usize) {
    let mark = format!("\n      \"idx\": {idx}");
    let at = text
        .match_indices(&mark)
        .find(|(at, _)| !text[at + mark.len()..].starts_with(|next: char| next.is_ascii_digit()))
        .unwrap_or_else(|| panic!("node {idx}"))
        .0;
    let begin = text[..at].rfind("\n    {\n").unwrap() + 1;
    let end = at + text[at..].find("\n    }").unwrap() + "\n    }".len();
    (begin, end)
}

/// The line and the column of the `|` in a part of the text, the first one from a node on.
fn place(text: &str, idx: u32, part: &str) -> (usize, usize) {
    let (before, after) = part.split_once('|').unwrap();
    let (begin, _) = node(text, idx);
    let wanted = format!("{before}{after}");
    let at = text[begin..].find(&wanted);
    let at = begin + at.unwrap_or_else(|| panic!("`{wanted}` from node {idx} on")) + before.len();
    let line = text[..at].matches('\n').count() + 1;
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    (line, text[start..at].chars().count() + 1)
}

/// The findings in the example's trees, one of them replaced.
fn found(
    catalogue: &Catalogue,
    changed: Option<(&str, &str)>,
) -> Vec<(Code, String, usize, usize)> {
    let sandbox = Sandbox::new();
    for entry in fs::read_dir(trees()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|ending| ending != "json") {
            continue;
        }
        let name = path.file_name().unwrap().to_str().unwrap();
        let text = fs::read_to_string(&path).unwrap();
        let text = changed
            .filter(|(file, _)| *file == name)
            .map_or(text.as_str(), |(_, text)| text);
        sandbox.file(&format!("trees/{name}"), text);
    }
    let folder = sandbox.path().join("trees");
    let inputs = input::inputs(&[folder]).unwrap();
    let report = run(catalogue.clone(), &Options::default(), &inputs, &|| {}).unwrap();
    let findings = report.findings.into_iter().map(|finding| {
        let place = finding.place.expect("a place");
        let name = finding.file.rsplit('/').next().unwrap().to_owned();
        (finding.code, name, place.line, place.column)
    });
    findings.collect()
}

#[test]
fn every_planted_defect_is_found_in_its_place_and_nothing_else() {
    let catalogue = catalogue();
    assert_eq!(found(&catalogue, None), [], "the originals");
    let mut missed = String::new();
    for defect in DEFECTS {
        let name = format!("{}.json", defect.file);
        let text = fs::read_to_string(trees().join(&name)).unwrap();
        let (begin, end) = node(&text, defect.node);
        assert!(text[begin..end].contains(defect.from), "{}", defect.what);
        let changed = text[begin..end].replacen(defect.from, defect.to, 1);
        let text = format!("{}{changed}{}", &text[..begin], &text[end..]);
        let expected: Vec<_> = defect
            .found
            .iter()
            .map(|(code, idx, part)| {
                let (line, column) = place(&text, *idx, part);
                (*code, name.clone(), line, column)
            })
            .collect();
        let found = found(&catalogue, Some((&name, &text)));
        if found != expected {
            missed += &format!(
                "{}:\n  expected {expected:?}\n  found    {found:?}\n",
                defect.what
            );
        }
    }
    assert!(missed.is_empty(), "{missed}");
}

#[test]
fn the_defects_are_many_and_of_many_kinds() {
    assert!(DEFECTS.len() >= 30, "{}", DEFECTS.len());
    let codes: BTreeSet<Code> = DEFECTS.iter().map(|defect| defect.found[0].0).collect();
    assert!(codes.len() >= 30, "{}", codes.len());
}
