//! Everything that has no counterpart, and what is said of it.

use bt_core::TreeAsset;
use bt_core::kinds::Kind;
use bt_core::tree::asset::spec::{
    self, NodeSpec, action, call, check, condition, expr, node, select, sequence, set, sub_tree,
    switch, writes,
};
use serde_json::{Value, json};

use crate::catalogue::Catalogue;
use crate::formats::{Format, render_trees};
use crate::layout::Options;

fn method(name: &str, kind: &str, args: &[(&str, &str)]) -> Value {
    let args: Vec<Value> = args
        .iter()
        .map(|(name, ty)| json!({"name": name, "type": ty, "schema": true}))
        .collect();
    json!({"name": name, "kind": kind, "result": "bool", "args": args, "crate": "game", "file": "src/lib.rs", "line": 1})
}

fn catalogue() -> Catalogue {
    serde_json::from_value(json!({
        "schema_version": 1, "bt_core": "0.1.0", "crates": [],
        "agents": [{
            "name": "robot", "full_name": "robot", "crate": "game", "file": "src/lib.rs", "line": 1,
            "actions": [
                method("go", "action", &[("to", "any_value"), ("say", "string")]),
                method("Sequence", "action", &[]),
                method("odd", "action", &[("name", "bool")]),
            ],
            "conditions": [method("sees", "condition", &[("what", "string")])],
            "decorators": [method("twice", "decorator", &[])],
            "composites": [method("of two", "composite", &[])],
        }, {
            "name": "drone", "full_name": "drone", "crate": "game", "file": "src/lib.rs", "line": 9,
            "conditions": [method("sees", "condition", &[])],
        }],
    }))
    .unwrap()
}

fn trees(of: &[TreeAsset]) -> Result<String, String> {
    let files = render_trees(&catalogue(), &Options::default(), &[Format::Btcpp], of);
    match files {
        Ok(files) => Ok(files.files.into_iter().next().unwrap().text),
        Err(error) => Err(error.messages().join("\n")),
    }
}

fn tree(top: NodeSpec) -> TreeAsset {
    TreeAsset::build("a.json", "robot", top)
}

fn refused(top: NodeSpec) -> String {
    trees(&[tree(top)]).unwrap_err()
}

fn go() -> NodeSpec {
    action("nop")
}

#[test]
fn what_has_no_counterpart_is_named_with_its_file_node_and_kind() {
    assert_eq!(
        refused(sequence([go(), node(Kind::RandomSeq).child(go())])),
        "a.json: node 3 (`random_seq`): BehaviorTree.CPP has no node that does what `random_seq` does\n  \
         help: build it of other kinds, or write it in a decorator or a composite of the agent"
    );
}

#[test]
fn every_kind_is_exported_or_refused() {
    for kind in Kind::ALL {
        let text = trees(&[tree(node(*kind).child(go()))]);
        assert!(
            text.as_ref()
                .is_ok_and(|text| text.contains("<BehaviorTree ID=\"a\">"))
                || text
                    .as_ref()
                    .is_err_and(|error| error.contains(&format!("(`{}`): ", kind.name()))),
            "{text:?}"
        );
    }
}

#[test]
fn every_refusal_says_what_to_do() {
    let go = || action("nop");
    let guarded = |call: spec::Call| go().guard(call);
    let on = |on: &str, cases: Vec<Value>| {
        let children = (0..=cases.len()).map(|_| go());
        switch(on, cases, children).extra("reactive", true)
    };
    let twos = || vec![json!(1), json!(2)];
    let board = json!({"k": {"type": "int64"}});
    let mut wrong = Vec::new();
    let to = json!({"arg_type": "plain", "arg_value": 1, "arg_name": "to"});
    let named_twice = action("go").extra("action_args", vec![to.clone(), to]);
    for (top, message) in [
        (
            sequence([go()]).keep_place(),
            "does what `sequence` does\n  help: leave out `keep_place`",
        ),
        (
            select([go()]).keep_place(),
            "does what `select` does\n  help: leave out `keep_place`",
        ),
        (
            node(Kind::MemorySequence).child(go()),
            "help: write `keep_place`",
        ),
        (node(Kind::MemorySelect).child(go()), "help: use a `select`"),
        (node(Kind::AlwaysSeq).child(go()), "help: use a `sequence`"),
        (
            node(Kind::Loop).extra("count", 2).child(go()),
            "help: use `repeat`",
        ),
        (spec::for_each("[1]", "x", go()), "one element in each tick"),
        (spec::wait_event("rang"), "wait for it with `until_success`"),
        (
            node(Kind::UntilSuccess).extra("count", 2).child(go()),
            "help: leave out `count`",
        ),
        (sequence([]), "takes no sequence without children"),
        (select([]), "takes no such node with 0 children"),
        (
            node(Kind::IfElse).child(go()),
            "takes no such node with 1 children",
        ),
        (node("nonsense"), "there is no such kind"),
        (node(Kind::Repeat).child(go()), "it cannot be read"),
        (
            node(Kind::Repeat).extra("count", 0).child(go()),
            "it runs no time at all",
        ),
        (
            node(Kind::Timeout).extra("seconds", 0.0001).child(go()),
            "counts whole milliseconds",
        ),
        (
            node(Kind::Delay)
                .extra("seconds", expr("$k + 1"))
                .child(go()),
            "write the seconds themselves",
        ),
        (
            spec::parallel(1, 1, [go()]).extra("rerun", true),
            "no parallel with such thresholds",
        ),
        (
            spec::parallel(1, 1, [go(), go()]),
            "write `stop_when_decided`",
        ),
        (
            switch("$k ?? null", twos(), [go(), go(), go()]),
            "chooses a case anew in every tick",
        ),
        (on("$k", twos()), "choose by `$key ?? null`"),
        (on("$k ?? null", vec![json!(1)]), "switches of 2 to 6 cases"),
        (
            on("$k ?? null", vec![json!(1), json!("2")]),
            "the case \"2\" would be taken for another",
        ),
        (
            switch("$k ?? null", twos(), [go(), go()]).extra("reactive", true),
            "has a default",
        ),
        (sub_tree("b.json"), "the tree `b.json` is not among those"),
        (
            sub_tree("a.json").extra("mode", "transfer"),
            "leave out `mode`",
        ),
        (
            sub_tree("a.json").result("k", "l"),
            "ports of BehaviorTree.CPP are the caller's entries",
        ),
        (sub_tree("a.json"), "a.json: the tree calls itself"),
        (action("nowhere"), "the agent has no method `nowhere`"),
        (
            action("Sequence"),
            "has a node of its own that is called `Sequence`",
        ),
        (
            action("odd").arg(true),
            "no port of BehaviorTree.CPP can be called `name`",
        ),
        (
            action("go").arg(1).arg("a").arg(2),
            "`go` takes 2 arguments",
        ),
        (named_twice, "`to` is given twice"),
        (
            action("go").arg("12"),
            "the text `12` would be read as something else",
        ),
        (
            action("go").arg(1).arg("{k}"),
            "the text `{k}` would be read as something else",
        ),
        (action("go").arg("\u{1}"), "would be read as something else"),
        (
            action("go").arg(json!([1])),
            "the value `[1]` has no form in a port",
        ),
        (
            action("go").key("_k"),
            "entry of BehaviorTree.CPP's blackboard can be called `_k`",
        ),
        (
            action("go").property("hp"),
            "has no properties, such as `hp`",
        ),
        (
            action("go").expression("$k + 1"),
            "a port takes a value or a key, and no expression",
        ),
        (
            action("remove_key").key("k"),
            "the key that is removed is not written",
        ),
        (
            condition("sees").extra("action_args", 3),
            "it cannot be read",
        ),
        (check("$k +"), "cannot be read: column"),
        (check("@hp > 1"), "scripts do not see the property `@hp`"),
        (
            check("$'a b' > 1"),
            "the key `a b` is no name that scripts can write",
        ),
        (check("$k.x > 1"), "scripts do not look into values"),
        (check("$k in [1]"), "scripts have no `in`"),
        (check("$k % 2 == 0"), "scripts have no `%`"),
        (check("($k ?? 1) == 1"), "scripts have no `??`"),
        (check("max($k, 1) == 1"), "scripts have no functions"),
        (check("$k == null"), "`null` is no value of scripts"),
        (check("$k == 'it\\'s'"), "has no place for `'`"),
        (check("$k == [1]"), "a list is no value of scripts"),
        (
            check("sees($k + 1) && $k == 1"),
            "a port takes a value or a key",
        ),
        (check("sees('a', 2)"), "`sees` takes fewer arguments"),
        (
            set([("$k", "sees('a') ? 1 : 2")]),
            "scripts do not call `sees`",
        ),
        (
            set([("@hp", "1")]),
            "has no properties, such as `@hp`, to write to",
        ),
        (
            set([("$a", "$b"), ("$b", "$a")]),
            "all values of a `set` are computed before",
        ),
        (go().service(1, call("go")), "has no services"),
        (
            go().extra("events", json!([{"event": "e", "tree": "a.json"}])),
            "has no events",
        ),
        (
            go().extra("blackboard", board),
            "keys of BehaviorTree.CPP belong to trees",
        ),
        (
            go().effect("enter", writes([("$k", "1")])),
            "as an effect on `enter` does",
        ),
        (go().effect("aborted", call("go")), "an effect calls `go`"),
        (
            guarded(expr("$k == 1").set("abort", "self")),
            "evaluates a condition on entry, or in every tick",
        ),
    ] {
        let found = refused(top);
        if !found.contains(message) || !found.contains("\n  help: ") {
            wrong.push(format!("{message}\n{found}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn what_a_root_says_is_exported_or_refused() {
    let with = |key: &str, value: Value| {
        let mut tree = tree(go());
        let root = tree.root().idx();
        tree.node_mut(root)
            .unwrap()
            .extra
            .insert(key.to_owned(), value);
        trees(&[tree])
    };
    let board = |more: Value| json!({"k": more});
    for (key, value, message) in [
        ("every", json!(0.5), "leave out `every`"),
        (
            "blackboard",
            board(json!({"type": "int64", "scope": "tree"})),
            "the key `k` is declared",
        ),
        (
            "blackboard",
            board(json!({"type": "int64", "initial": 1})),
            "write its value in a `set`",
        ),
        (
            "guards",
            json!([{"if": "true"}]),
            "attach them to the node below the root",
        ),
    ] {
        let found = with(key, value).unwrap_err();
        assert!(
            found.starts_with("a.json: node 0 (`root`): ") && found.contains(message),
            "{found}"
        );
    }
    with(
        "blackboard",
        board(json!({"type": "int64", "scope": "agent"})),
    )
    .unwrap();
    let empty = TreeAsset::new("a.json", "robot");
    assert!(
        trees(&[empty])
            .unwrap_err()
            .contains("a tree of BehaviorTree.CPP has a node")
    );
}

/// The warnings of an export.
fn warned(of: &[TreeAsset]) -> Vec<String> {
    let files = render_trees(&catalogue(), &Options::default(), &[Format::Btcpp], of);
    files.unwrap().warnings
}

#[test]
fn what_is_left_out_and_what_differs_there_is_said() {
    let off = sequence([go(), go().extra("disabled", true)]);
    assert_eq!(
        warned(&[tree(off)]),
        ["a.json: nodes that are disabled are not written: 1 node"]
    );
    let count = json!({"arg_type": "blackboard", "arg_value": "n"});
    let retry = node(Kind::Retry).extra("count", count).child(go());
    assert_eq!(
        warned(&[tree(retry)]),
        [
            "a.json: a count that comes from a key is read again while its node runs in BehaviorTree.CPP, and on entry here"
        ]
    );
    let models = warned(&[]);
    for said in [
        "several agents have a method `sees` with other arguments",
        "`Sequence` has no model: ",
    ] {
        assert!(
            models.iter().any(|model| model.starts_with(said)),
            "{models:?}"
        );
    }
}

#[test]
fn tree_without_an_agent_is_refused() {
    let text = r#"{"nodes": [{"idx": 0, "type": "root", "children": []}]}"#;
    let tree = TreeAsset::from_json("a.json", text).unwrap();
    let found = trees(&[tree]).unwrap_err();
    assert!(
        found.starts_with("a.json: it names no agent: write"),
        "{found}"
    );
}

#[test]
fn trees_of_one_name_or_of_an_unreadable_one_are_refused() {
    let named = |name: &str| tree(go()).with_name(name);
    let found = trees(&[named("a.json"), named("a.bt")]).unwrap_err();
    assert!(
        found.contains("its tree would be called `a`, as that of a.json"),
        "{found}"
    );
    let found = trees(&[named("\u{1}.json")]).unwrap_err();
    assert!(
        found.contains("XML has no place for a character of its name"),
        "{found}"
    );
}

#[test]
fn a_tree_is_written_with_comments_escaped_and_the_models_of_what_it_calls() {
    let top = sequence([
        action("go").key("goal").arg("<a> & \"b\"\n'c'"),
        condition("sees").arg("x"),
        check("!sees('y') || $k > 1"),
        node(Kind::Decorator)
            .extra("decorator_name", "twice")
            .child(go()),
        node(Kind::Composite)
            .extra("composite_name", "of two")
            .child(go()),
        go().guard(spec::guard("sees").arg("z").negated()),
        go().guard(expr("$k == 1").negated())
            .effect("success", writes([("$k", "2")])),
        sub_tree("b.json"),
    ]);
    let mut main = tree(top.comment("first -- <then>\nnext"));
    let root = main.root().idx();
    main.node_mut(root).unwrap().comment = "of -- all-".to_owned();
    let other = tree(action("wait_for_seconds").arg(0.25)).with_name("b.json");
    insta::assert_snapshot!(trees(&[main, other]).unwrap());
}
