//! The page of the attributes, from the doc comments of the macros; their keys are those that the macros take.

use std::collections::BTreeSet;

use syn::{Attribute, Expr, ExprLit, Item, Lit, Meta};

use super::{compare, read};

const HEAD: &str = "# Attributes\n
This page lists what can be annotated, with keys, return types and examples. A test generates it from the documentation \
of the macros.\n
[Agents and arguments](agents.md) explains how they work together.\n";

/// The headings of the page, each with the macro that has the text.
const MACROS: [(&str, &str); 11] = [
    ("#[derive(Agent)]", "derive_agent"),
    ("#[agent]", "agent"),
    ("#[action]", "action"),
    ("#[condition]", "condition"),
    ("#[query]", "query"),
    ("#[decorator]", "decorator"),
    ("#[composite]", "composite"),
    ("#[property]", "property"),
    ("#[event]", "event"),
    ("#[fallback]", "fallback"),
    ("register_agent!", "register_agent"),
];

#[test]
fn page_of_attributes_is_the_documentation_of_the_macros() {
    compare("docs/src/attributes.md", &page());
}

fn page() -> String {
    let source = read("bt-macros/src/lib.rs");
    let mut page = format!("{HEAD}\n| attribute | what it is |\n|---|---|\n");
    let texts = MACROS.map(|(title, name)| (title, on_the_page(&docs(&source, name))));
    for (title, text) in &texts {
        let brief = text.split("\n\n").next().unwrap().replace('\n', " ");
        let link = anchor(title);
        page += &format!("| [`{title}`](#{link}) | {brief} |\n");
    }
    for (title, text) in &texts {
        page += &format!("\n## `{title}`\n\n{text}\n");
    }
    page
}

/// The lists that the macros print for an unknown key, by the section of the page that documents them.
#[test]
fn keys_of_the_page_are_those_that_the_macros_take() {
    let every = ["name", "alias", "display", "category", "since", "meta"].map(str::to_owned);
    let page = page();
    let on = |title: &str, part: &str| keys(&page, title, part);
    assert_eq!(on("#[agent]", "Keys of every item"), {
        let mut keys = BTreeSet::from(every);
        keys.insert("override".to_owned());
        keys
    });
    let of_property = on("#[property]", "Keys");
    let without = |names: &[&str]| {
        let mut keys = of_property.clone();
        keys.retain(|key| !names.contains(&key.as_str()));
        keys
    };
    for (case, what, documented) in [
        (
            "action/fail/unknown_key",
            "`#[action]`",
            on("#[action]", "Keys"),
        ),
        (
            "condition/fail/unknown_key",
            "`#[condition]`",
            on("#[condition]", "Keys"),
        ),
        (
            "decorator/fail/unknown_key",
            "`#[decorator]`",
            on("#[decorator]", "Keys"),
        ),
        (
            "composite/fail/unknown_key",
            "`#[composite]`",
            on("#[composite]", "Keys"),
        ),
        (
            "event/fail/unknown_key",
            "`#[event]`",
            on("#[event]", "Keys"),
        ),
        (
            "property/fail/field_key_unknown",
            "`#[property]` on a field",
            without(&["set"]),
        ),
        (
            "property/fail/unknown_key",
            "`#[property]`",
            without(&["read_only"]),
        ),
        (
            "arg/fail/unknown_key",
            "`#[arg]`",
            on("#[agent]", "Parameters"),
        ),
        (
            "agent_block/fail/unknown_key",
            "`#[agent]` on a block",
            on("#[agent]", "Keys"),
        ),
        (
            "agent_type/fail/unknown_key",
            "`#[agent]` on a type",
            on("#[derive(Agent)]", "Keys on the type"),
        ),
        (
            "agent_type/fail/field_key_unknown",
            "`#[agent]` on a field",
            on("#[derive(Agent)]", "Keys on a field"),
        ),
        (
            "register_agent/fail/unknown_key",
            "`register_agent!`",
            on("register_agent!", "Keys"),
        ),
    ] {
        let printed = read(&format!("tests/macros/ui/{case}.stderr"));
        let list = printed
            .lines()
            .find_map(|line| line.trim_start().strip_prefix(&format!("{what} takes ")));
        let list = list.unwrap_or_else(|| panic!("{case}: no list of {what}"));
        let taken: BTreeSet<_> = list
            .split(", ")
            .map(|key| key.trim_matches('`').to_owned())
            .collect();
        assert_eq!(documented, taken, "{what}");
    }
}

#[test]
fn links_of_the_macros_into_bt_core_name_what_it_exports() {
    let exported = read("xtask/api/bt-core.txt");
    let source = read("bt-macros/src/lib.rs");
    for link in source.split("](../bt_core/").skip(1) {
        let link = link.split(')').next().unwrap();
        let [kind, name, "html"] = link.split('.').collect::<Vec<_>>()[..] else {
            panic!("{link}");
        };
        let line = format!("{kind} bt_core::{name}");
        assert!(exported.contains(&line), "{link}: no `{line}`");
    }
}

/// The doc comment of a macro, with its headings and links as they are there.
fn docs(source: &str, name: &str) -> String {
    let file = syn::parse_file(source).unwrap();
    let of = |attrs: &[Attribute]| attrs.iter().filter_map(line).collect::<Vec<_>>().join("\n");
    for item in file.items {
        match item {
            Item::Fn(function) if function.sig.ident == name => return of(&function.attrs),
            Item::Macro(call) if call.mac.path.is_ident("inside_a_block_only") => {
                let parser = |input: syn::parse::ParseStream<'_>| {
                    let mut found = None;
                    while !input.is_empty() {
                        let attrs = input.call(Attribute::parse_outer)?;
                        if input.parse::<syn::Ident>()? == name {
                            found = Some(of(&attrs));
                        }
                    }
                    Ok(found)
                };
                if let Some(docs) = call.mac.parse_body_with(parser).unwrap() {
                    return docs;
                }
            }
            _ => {}
        }
    }
    panic!("no macro `{name}`")
}

/// A line of a doc comment.
fn line(attr: &Attribute) -> Option<String> {
    let Meta::NameValue(pair) = &attr.meta else {
        return None;
    };
    let Expr::Lit(ExprLit {
        lit: Lit::Str(text),
        ..
    }) = &pair.value
    else {
        return None;
    };
    let text = text.value();
    let is_doc = pair.path.is_ident("doc");
    is_doc.then(|| text.strip_prefix(' ').unwrap_or(&text).to_owned())
}

/// A doc comment as a section of the page: headings two levels down, code as Rust, links to other sections.
fn on_the_page(docs: &str) -> String {
    let mut in_code = false;
    let lines = docs.lines().map(|line| match line {
        "```" => {
            in_code = !in_code;
            if in_code {
                "```rust".to_owned()
            } else {
                line.to_owned()
            }
        }
        _ if !in_code && line.starts_with("# ") => format!("##{line}"),
        _ => line.to_owned(),
    });
    let text = lines.collect::<Vec<_>>().join("\n");
    let mut parts = text.split("](");
    let mut out = parts.next().unwrap().to_owned();
    for part in parts {
        let (link, rest) = part.split_once(')').unwrap();
        match link.split_once('@') {
            Some((_, name)) => {
                let (title, _) = MACROS
                    .iter()
                    .find(|(_, of)| *of == name || name == "Agent" && *of == "derive_agent")
                    .unwrap();
                out += &format!("](#{}){rest}", anchor(title));
            }
            // The reference of bt-core is not part of the book.
            None => {
                let at = out.rfind('[').unwrap();
                out.remove(at);
                out += rest;
            }
        }
    }
    out
}

fn anchor(title: &str) -> String {
    title
        .chars()
        .filter(|c| c.is_alphanumeric() || *c == '_')
        .collect::<String>()
        .to_lowercase()
}

/// The keys in a list of the page: the code before the colon of each point.
fn keys(page: &str, title: &str, part: &str) -> BTreeSet<String> {
    let (_, section) = page.split_once(&format!("\n## `{title}`\n")).unwrap();
    let section = section.split("\n## ").next().unwrap();
    let (_, section) = section.split_once(&format!("\n### {part}\n")).unwrap();
    let section = section.split("\n### ").next().unwrap();
    let points = section.lines().filter_map(|line| line.strip_prefix("- "));
    let codes = points.flat_map(|point| {
        let before = format!("{}`", point.split("`:").next().unwrap());
        let codes = before.split('`').skip(1).step_by(2);
        codes.map(str::to_owned).collect::<Vec<_>>()
    });
    codes
        .map(|code| code.split([' ', '(']).next().unwrap().to_owned())
        .collect()
}
