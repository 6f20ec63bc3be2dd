//! behaviac's meta, read by another crate than the one that writes it, and the schema of the listing in
//! seed document 4, 2.1.

use std::collections::BTreeMap;

use roxmltree::{Document, Node};

/// An element: its attributes in order, those that may be missing with a `?`, one value where there is
/// one only with a `=`; and what may stand in it.
struct Element {
    name: &'static str,
    attributes: &'static [&'static str],
    children: &'static [&'static str],
}

const SCHEMA: [Element; 10] = [
    Element {
        name: "metas",
        attributes: &[],
        children: &["types", "agents"],
    },
    Element {
        name: "types",
        attributes: &[],
        children: &["enumtype", "struct"],
    },
    Element {
        name: "enumtype",
        attributes: &["Type", "DisplayName", "Desc"],
        children: &["enum"],
    },
    Element {
        name: "enum",
        attributes: &["NativeValue", "Value", "DisplayName", "Desc"],
        children: &[],
    },
    Element {
        name: "struct",
        attributes: &["Type", "DisplayName", "Desc"],
        children: &["Member"],
    },
    Element {
        name: "agents",
        attributes: &[],
        children: &["agent"],
    },
    Element {
        name: "agent",
        attributes: &["classfullname", "inherited=true", "DisplayName", "Desc"],
        children: &["Member", "Method"],
    },
    Element {
        name: "Member",
        attributes: &[
            "Name",
            "DisplayName",
            "Desc",
            "net_role?",
            "Type",
            "Class",
            "Static?=true",
        ],
        children: &[],
    },
    Element {
        name: "Method",
        attributes: &[
            "Name",
            "DisplayName",
            "Desc",
            "net_role?",
            "Flag?=namedevent",
            "Class",
            "Static?=true",
            "ReturnType",
        ],
        children: &["Param"],
    },
    Element {
        name: "Param",
        attributes: &["DisplayName", "Desc", "Type"],
        children: &[],
    },
];

/// Well-formed, and as the schema has it.
pub fn check_meta(text: &str) {
    let document = Document::parse(text).unwrap_or_else(|error| panic!("{error}:\n{text}"));
    let root = document.root_element();
    assert_eq!(root.tag_name().name(), "metas");
    check(root);
}

fn check(node: Node<'_, '_>) {
    let name = node.tag_name().name();
    let element = SCHEMA.iter().find(|element| element.name == name);
    let element = element.unwrap_or_else(|| panic!("no element is called `{name}`"));
    let mut found = node.attributes().peekable();
    for wanted in element.attributes {
        let (wanted, value) = match wanted.split_once('=') {
            Some((wanted, value)) => (wanted, Some(value)),
            None => (*wanted, None),
        };
        let key = wanted.trim_end_matches('?');
        match found.next_if(|attribute| attribute.name() == key) {
            Some(attribute) => assert!(
                value.is_none_or(|value| attribute.value() == value),
                "{key}"
            ),
            None => assert!(wanted.ends_with('?'), "`{name}` has no `{key}`"),
        }
    }
    assert!(found.next().is_none(), "`{name}` has one more attribute");
    for child in node.children() {
        if child.is_element() {
            let inner = child.tag_name().name();
            assert!(element.children.contains(&inner), "`{inner}` in `{name}`");
            check(child);
        } else {
            assert!(child.text().is_some_and(|text| text.trim().is_empty()));
        }
    }
}

/// A meta as plain data.
pub struct Meta {
    pub agents: BTreeMap<String, Agent>,
}

#[derive(Default)]
pub struct Agent {
    pub members: BTreeMap<String, Attributes>,
    /// Methods and named events.
    pub methods: BTreeMap<String, Method>,
}

pub type Attributes = BTreeMap<String, String>;

pub struct Method {
    pub attributes: Attributes,
    pub params: Vec<Attributes>,
}

impl Method {
    pub fn is_event(&self) -> bool {
        self.attributes.contains_key("Flag")
    }
}

impl Meta {
    pub fn read(text: &str) -> Meta {
        let document = Document::parse(text).unwrap();
        let all = document.descendants();
        let agents = all.filter(|node| node.has_tag_name("agent"));
        let agents = agents.map(|node| (attributes(node)["classfullname"].clone(), agent(node)));
        Meta {
            agents: agents.collect(),
        }
    }
}

fn agent(node: Node<'_, '_>) -> Agent {
    let mut agent = Agent::default();
    for child in node.children().filter(Node::is_element) {
        let attributes = attributes(child);
        let name = attributes["Name"].clone();
        if child.has_tag_name("Member") {
            agent.members.insert(name, attributes);
            continue;
        }
        let params = child.children().filter(Node::is_element);
        let params = params.map(self::attributes).collect();
        // An event may be called as a method is.
        let name = match attributes.contains_key("Flag") {
            true => format!("event {name}"),
            false => name,
        };
        agent.methods.insert(name, Method { attributes, params });
    }
    agent
}

fn attributes(node: Node<'_, '_>) -> Attributes {
    let all = node.attributes();
    all.map(|one| (one.name().to_owned(), one.value().to_owned()))
        .collect()
}
