//! behaviac's meta against the listing of seed document 4, 2.1, and with names that no XML likes.

use crate::common::meta::{Meta, check_meta};
use crate::common::samples::{action, agent, arg, catalogue, method, with};
use crate::common::zoo::zoo;
use bt_core::registry::catalogue::Catalogue;
use bt_meta::formats::{Format, render};
use bt_meta::layout::Options;
use proptest::prelude::*;
use serde_json::{Value, json};

/// The listing. Two of its lines say what no annotation says: a static method that returns a number, a
/// static event.
const LISTING: &str = include_str!("../fixtures/behaviac_listing.xml");
const NOT_OURS: [&str; 2] = ["static_action2", "event_end"];

fn meta(catalogue: &Catalogue) -> String {
    let files = render(catalogue, &Options::default(), &[Format::Behaviac]).unwrap();
    files.files[0].text.clone()
}

fn property(name: &str, type_name: &str, more: Value) -> Value {
    with(
        json!({"name": name, "crate": "x", "file": "x.rs", "line": 1, "type": type_name, "schema": true}),
        more,
    )
}

/// The agents of the listing, as they would be annotated.
fn listed() -> Catalogue {
    let plain = |entry: Value| with(entry, json!({"brief": ""}));
    let number = || with(arg("", "int32"), json!({"comment": ""}));
    let unit = json!({"result": "unit"});
    let methods = vec![
        with(action("action0", ""), unit.clone()),
        with(
            method("action", "action1", "", vec![number()]),
            unit.clone(),
        ),
        with(
            with(method("action", "static_action3", "", vec![number()]), unit),
            json!({"static": true}),
        ),
        method("action", "method_dawn", "", vec![number()]),
    ];
    let event =
        json!({"name": "event_explode", "crate": "x", "file": "x.rs", "line": 1, "params": []});
    let player = with(
        plain(agent("test_ns2::PlayerTestBase", None, methods)),
        json!({
            "properties": [
                property("Property1", "int32", json!({})),
                property("Property2", "bool", json!({})),
                property("Property3", "float", json!({})),
                property("static_Property4", "bool", json!({"static": true})),
            ],
            "events": [event],
        }),
    );
    let base = with(
        agent("test_ns::AgentBase", None, vec![]),
        json!({
            "display": "Agent基类, 用来显示用的", "brief": "Agent基类的说明",
            "properties": [
                property("Base_Property1", "int32", json!({"display": "基类中的Property1", "brief": "基类中的Property1的说明"})),
                property("Base_Property2", "bool", json!({"display": "基类中的Property2", "brief": "基类中的Property2的说明"})),
            ],
        }),
    );
    catalogue(vec![
        plain(agent("Behavior::Agent", None, vec![])),
        plain(agent("Behavior::World", None, vec![])),
        player,
        base,
    ])
}

#[test]
fn the_listing_is_written_as_it_was_printed() {
    let meta = meta(&listed());
    let ours = LISTING
        .lines()
        .filter(|line| !NOT_OURS.iter().any(|name| line.contains(name)));
    // The listing is in the order of its source, an export is sorted.
    let sorted = |lines: Vec<&str>| {
        let mut lines = lines;
        lines.sort_unstable();
        lines.join("\n")
    };
    assert_eq!(sorted(meta.lines().collect()), sorted(ours.collect()));
    assert_eq!(meta.lines().next(), LISTING.lines().next());
    assert!(meta.ends_with("</metas>\n"));
}

#[test]
fn the_schema_is_that_of_the_listing() {
    check_meta(LISTING);
    check_meta(&meta(&listed()));
    check_meta(&meta(&zoo()));
}

#[test]
fn behaviac_check_refuses_changed_elements_and_attributes() {
    for (from, to) in [
        ("<metas>", "<metas x=\"\">"),
        ("inherited=\"true\" ", ""),
        ("Type=\"bool\" Class", "Class"),
        ("Static=\"true\"", "Static=\"yes\""),
        ("Flag=\"namedevent\"", "Flag=\"event\""),
        ("<Param ", "<Parm "),
    ] {
        let changed = LISTING.replace(from, to);
        assert_ne!(changed, LISTING, "{from}");
        let refused = std::panic::catch_unwind(|| check_meta(&changed));
        assert!(refused.is_err(), "{from}");
    }
}

#[test]
fn an_agent_has_what_it_inherits_under_the_class_that_defines_it() {
    let text = meta(&zoo());
    let meta = Meta::read(&text);
    let class = |method: &str| meta.agents["zoo::head"].methods[method].attributes["Class"].clone();
    assert_eq!(class("nop"), "action_agent");
    assert_eq!(class("feed"), "zoo::keeper");
    assert_eq!(class("tally"), "zoo::head");
    assert!(
        !text.contains("twice"),
        "a decorator is no method that a node calls"
    );
}

#[test]
fn more_parameters_than_behaviac_takes_are_warned_of() {
    let args = |number| {
        (0..number)
            .map(|at| arg(&format!("a{at}"), "bool"))
            .collect()
    };
    let methods = vec![
        method("action", "fits", "", args(8)),
        method("action", "does_not", "", args(9)),
    ];
    let catalogue = catalogue(vec![agent("a", None, methods)]);
    let files = render(&catalogue, &Options::default(), &[Format::Behaviac]).unwrap();
    assert_eq!(files.warnings.len(), 1);
    assert!(
        files.warnings[0].contains("`does_not` of `a`"),
        "{}",
        files.warnings[0]
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_name_comes_back_as_it_was(name in "[<&\"'>a\t\n\r ]{1,8}|\\PC{1,6}|[\\x00-\\x20\u{fffe}\u{ffff}]{1,4}", brief in ".{0,12}") {
        let item = json!({"brief": brief, "display": name});
        let entry = with(method("action", &name, "", vec![arg(&name, &name)]), item);
        let text = meta(&catalogue(vec![agent("a", None, vec![entry])]));
        check_meta(&text);
        let meta = Meta::read(&text);
        let readable = |text: &str| -> String {
            text.chars().map(|c| if is_xml(c) { c } else { '\u{fffd}' }).collect()
        };
        // The designer writes these into C#, between quotes.
        let shown = |text: &str| {
            let text = readable(text).replace('"', "'").replace('\\', "/");
            text.replace(['\r', '\n', '\t'], " ")
        };
        let method = meta.agents["a"].methods.values().next().unwrap();
        prop_assert_eq!(&method.attributes["Name"], &readable(&name));
        prop_assert_eq!(&method.attributes["DisplayName"], &shown(&name));
        prop_assert_eq!(&method.attributes["Desc"], &shown(&brief));
        prop_assert_eq!(&method.params[0]["DisplayName"], &shown(&name));
    }
}

/// XML 1.0, 2.2.
fn is_xml(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | '\u{20}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}

/// The plain types of behaviac itself.
const PLAIN: [&str; 16] = [
    "bool",
    "float",
    "double",
    "string",
    "void",
    "behaviac::EBTStatus",
    "signed char",
    "signed short",
    "signed int",
    "signed long",
    "unsigned char",
    "unsigned short",
    "unsigned int",
    "unsigned long",
    "char",
    "any",
];

/// The types that a document names and neither defines nor has, `vector`s by what is in them.
fn undefined(text: &str) -> Vec<String> {
    let document = roxmltree::Document::parse(text).unwrap();
    let is_definition = |node: &roxmltree::Node<'_, '_>| {
        node.has_tag_name("enumtype") || node.has_tag_name("struct")
    };
    let definitions = document.descendants().filter(is_definition);
    let defined: Vec<&str> = definitions
        .filter_map(|node| node.attribute("Type"))
        .collect();
    let users = document.descendants().filter(|node| !is_definition(node));
    let named = users.filter_map(|node| node.attribute("Type"));
    let inner = |mut ty: &str| -> Vec<String> {
        while let Some(inside) = ty.strip_prefix("vector<") {
            ty = inside.strip_suffix('>').unwrap();
        }
        match ty.contains('<') {
            true => vec![ty.to_owned()],
            false => ty.split(", ").map(str::to_owned).collect(),
        }
    };
    let mut missing: Vec<String> = named.flat_map(inner).collect();
    missing.retain(|ty| !PLAIN.contains(&ty.as_str()) && !defined.contains(&ty.as_str()));
    missing
}

#[test]
fn every_type_that_the_meta_names_is_defined() {
    let zoo = meta(&zoo());
    check_meta(&zoo);
    assert_eq!(undefined(&zoo), [""; 0]);
    assert!(zoo.contains("<enumtype "));
    let monster = include_str!("../../../examples/monster/editor/agents.json");
    let monster = meta(&serde_json::from_str(monster).unwrap());
    check_meta(&monster);
    assert_eq!(undefined(&monster), [""; 0]);
    assert!(monster.contains(
        r#"<enum NativeValue="calm" Value="calm" DisplayName="" Desc="Strolls, at half speed." />"#
    ));
    assert!(
        monster.contains(r#"<struct Type="Point" DisplayName="" Desc="A place on the plane.">"#)
    );
}

#[test]
fn net_role_is_an_attribute_of_the_meta() {
    let monster = include_str!("../../../examples/monster/editor/agents.json");
    let monster = meta(&serde_json::from_str(monster).unwrap());
    let emote = monster.lines().find(|line| line.contains("Name=\"emote\""));
    assert!(
        emote.unwrap().contains(r#" net_role="non_authority" "#),
        "{emote:?}"
    );
}
