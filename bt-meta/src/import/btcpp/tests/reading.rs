//! Files: what is refused, and what is said of it.

use std::fs;

use super::{imported, losses, of_body};
use crate::import::problem::Level;

fn root(body: &str) -> String {
    format!("<root BTCPP_format=\"4\">{body}</root>")
}

#[test]
fn a_refused_construct_names_its_place_what_is_lost_and_fails_where_it_was() {
    let imported = of_body("<Sequence><A/><ManualSelector><B/></ManualSelector></Sequence>");
    let message = "`ManualSelector` lets a person choose in a terminal";
    assert_eq!(losses(&imported), [format!("1:90: {message}")]);
    let tree = &imported.trees[0];
    let last = tree.preorder().last().unwrap();
    assert_eq!(last.kind, "check");
    assert_eq!(
        last.comment,
        format!("NOT IMPORTED: <ManualSelector>: {message}")
    );
}

#[test]
fn skipped_is_refused_where_no_result_stands_for_it() {
    for (body, above) in [
        ("<A _skipIf=\"x == 1\"/>", "the root of a tree"),
        (
            "<Parallel><A _skipIf=\"x == 1\"/></Parallel>",
            "`Parallel`, where it is evaluated again in each tick",
        ),
    ] {
        let found = losses(&of_body(body));
        let message = format!("SKIPPED would reach {above}, which has no such result here");
        assert!(
            found.iter().any(|loss| loss.ends_with(&message)),
            "{found:?}"
        );
    }
}

#[test]
fn a_script_that_cannot_be_carried_is_named_with_its_column() {
    let found = losses(&of_body(
        "<Sequence>\n<Script code=\"a := 1; b := a &amp; 2\"/></Sequence>",
    ));
    assert_eq!(
        found,
        ["2:30: `&` works on bits, which expressions do not in the script of `code`"]
    );
    let found = losses(&of_body(
        "<Sequence><Script code=\"a := 'x'\"/>\n<Script code=\"b := a * 2\"/></Sequence>",
    ));
    assert_eq!(
        found,
        ["2:20: a text is used as a number in the script of `code`"]
    );
}

#[test]
fn an_include_stays_in_the_folder_and_a_loop_is_named() {
    let one = root(
        "<include path=\"sub/two.xml\"/><BehaviorTree ID=\"One\"><SubTree ID=\"Two\"/></BehaviorTree>",
    );
    let two = root("<include path=\"../one.xml\"/><BehaviorTree ID=\"Two\"><A/></BehaviorTree>");
    let imported_both = imported(&[("one.xml", &one), ("sub/two.xml", &two)]).unwrap();
    let names: Vec<_> = imported_both.trees.iter().map(|tree| tree.name()).collect();
    assert_eq!(names, ["Two.json", "One.json"]);
    let found = losses(&imported_both);
    let message =
        "files include one another in a circle: one.xml includes two.xml includes one.xml";
    assert!(found[0].ends_with(message), "{found:?}");
    for path in ["/etc/passwd", "../../../../../../etc/passwd"] {
        let outside = root(&format!(
            "<include path=\"{path}\"/><BehaviorTree ID=\"One\"><A/></BehaviorTree>"
        ));
        let found = losses(&imported(&[("one.xml", &outside)]).unwrap());
        assert_eq!(
            found,
            [format!(
                "1:39: `{path}` is outside the folder that is imported"
            )]
        );
    }
}

#[test]
fn a_file_that_is_too_large_or_of_something_else_is_refused() {
    let folder = tempfile::TempDir::new().unwrap();
    let path = folder.path().join("big.xml");
    fs::File::create(&path).unwrap().set_len(100 << 20).unwrap();
    let error = super::import(&path, &super::options()).unwrap_err();
    assert!(
        error
            .to_string()
            .ends_with("big.xml: it is larger than 16 MiB; split it into several files")
    );
    let error = imported(&[("a.xml", "<html/>")]).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("the outermost element is not `<root>` but `<html>`"),
        "{error}"
    );
}

#[test]
fn trees_that_call_each_other_in_a_circle_are_named_and_copies_are_bounded() {
    let circle = root(
        "<BehaviorTree ID=\"One\"><SubTree ID=\"Two\"/></BehaviorTree><BehaviorTree ID=\"Two\"><SubTree ID=\"One\"/></BehaviorTree>",
    );
    let found = losses(&imported(&[("a.xml", &circle)]).unwrap());
    assert!(
        found[0].contains("the tree `One` calls itself"),
        "{found:?}"
    );
    let tree = |at: usize| {
        let call = format!("<SubTree ID=\"T{}\" x=\"1\"/>", at + 1);
        format!(
            "<BehaviorTree ID=\"T{at}\"><Sequence>{}</Sequence></BehaviorTree>",
            call.repeat(10)
        )
    };
    let mut bomb: String = (0..12).map(tree).collect();
    bomb += "<BehaviorTree ID=\"T12\"><Say message=\"{x}\"/></BehaviorTree>";
    let error = imported(&[("a.xml", &root(&bomb))]).unwrap_err();
    assert!(
        error.to_string().contains("more than 100000 nodes"),
        "{error}"
    );
}

#[test]
fn a_sub_tree_is_copied_for_each_call_that_has_entries_of_its_own() {
    let trees = "<BehaviorTree ID=\"Main\"><Sequence><SubTree ID=\"Sub\" to=\"{a}\"/><SubTree ID=\"Sub\" to=\"{a}\"/>\
        <SubTree ID=\"Sub\"/></Sequence></BehaviorTree><BehaviorTree ID=\"Sub\"><Say message=\"{to}\"/></BehaviorTree>";
    let imported = of_body(trees);
    let names: Vec<_> = imported.trees.iter().map(|tree| tree.name()).collect();
    assert_eq!(names, ["Sub.json", "Sub_2.json", "Main.json"]);
    let key = |tree: usize| {
        imported.trees[tree].preorder().last().unwrap().extra["action_args"][0]["arg_value"].clone()
    };
    assert_eq!([key(0), key(1)], ["a", "Sub.to"]);
}

#[test]
fn a_leaf_without_a_model_is_described_by_its_calls() {
    let text = root(
        "<BehaviorTree ID=\"Main\"><Sequence><Go to=\"{goal}\" speed=\"2\"/><Go to=\"{goal}\" speed=\"1.5\" quiet=\"true\"/></Sequence></BehaviorTree>",
    );
    let imported = imported(&[("a.xml", &text)]).unwrap();
    let agent = imported
        .catalogue
        .agents
        .iter()
        .find(|agent| agent.item.name == "importer_scripted")
        .unwrap();
    let args = &agent.methods[0].args;
    let types: Vec<_> = args
        .iter()
        .map(|arg| {
            (
                arg.name.as_str(),
                arg.ty.type_name.as_str(),
                arg.ty.in_out.is_some(),
            )
        })
        .collect();
    assert_eq!(
        types,
        [
            ("to", "any_value", true),
            ("speed", "double", false),
            ("quiet", "optional<bool>", false)
        ]
    );
    assert!(
        imported
            .problems
            .iter()
            .all(|problem| problem.level == Level::Note)
    );
    assert!(imported.rust.contains("pub fn go("), "{}", imported.rust);
}

#[test]
fn a_skeleton_has_each_method_with_its_ports_and_compiles() {
    let text = root(
        "<BehaviorTree ID=\"Main\"><Keep every=\"{pause}\"><Both><Find what=\"ball\" type=\"{@kind}\" found=\"{ball}\"/>\
         <IsNear goal=\"{ball}\"/><TurnOn/></Both></Keep></BehaviorTree><TreeNodesModel>\
         <Action ID=\"Find\"><input_port name=\"what\" type=\"std::string\" default=\"a &quot;b&quot;\"/><input_port name=\"type\"/>\
         <output_port name=\"found\" type=\"Pose\"/><inout_port name=\"count\" type=\"int\"/>\
         <input_port name=\"speed\" type=\"double\" default=\"2\"/></Action><Condition ID=\"IsNear\"><input_port name=\"goal\"/></Condition>\
         </TreeNodesModel>",
    );
    let folder = tempfile::TempDir::new().unwrap();
    let path = folder.path().join("a.xml");
    fs::write(&path, text).unwrap();
    let mut options = super::options();
    options.agent = "importer_robot".to_owned();
    let imported = super::import(&path, &options).unwrap();
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/src/import/btcpp/tests/skeleton.rs"
    );
    if std::env::var_os("BT_META").is_some_and(|value| value == "overwrite") {
        fs::write(file, &imported.rust).unwrap();
    }
    assert_eq!(
        imported.rust,
        fs::read_to_string(file).unwrap(),
        "run it with BT_META=overwrite"
    );
}

#[test]
fn a_call_that_leaves_out_a_port_that_others_write_to_has_a_key_of_its_own() {
    let imported = of_body(
        "<Sequence><Look at=\"{it}\" seen=\"{ball}\"/><Look at=\"3\"/><See what=\"{ball}\"/></Sequence>",
    );
    let looks = imported.trees[0].preorder();
    let looks = looks.filter(|node| node.extra.get("action_name") == Some(&"Look".into()));
    let keys: Vec<String> = looks
        .map(|node| node.extra["action_args"].to_string())
        .collect();
    assert!(keys[1].contains("_unused"), "{keys:?}");
}
