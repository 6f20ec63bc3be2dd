//! Resources, which a client reads without a tool: pages of the book, agents and trees.

use bt_core::tree::is_script;
use rmcp::ErrorData;
use rmcp::model::{ListResourcesResult, ReadResourceResult, Resource, ResourceContents};
use serde_json::json;

use super::answer::visible;
use super::project::Project;
use crate::{list, pages};

/// The pages of the book that an assistant needs, by their names.
const BOOK: &[(&str, &str, &str)] = &[
    (
        "tree-files",
        "Tree files and scripts",
        include_str!("../../../docs/src/tree-files.md"),
    ),
    (
        "attachments",
        "Guards, effects, services, events",
        include_str!("../../../docs/src/attachments.md"),
    ),
    (
        "expressions",
        "Expressions",
        include_str!("../../../docs/src/expressions.md"),
    ),
    (
        "blackboard",
        "The blackboard",
        include_str!("../../../docs/src/blackboard.md"),
    ),
    (
        "node-kinds",
        "Node kinds",
        include_str!("../../../docs/src/node-kinds.md"),
    ),
    (
        "scenarios",
        "Scenarios",
        include_str!("../../../docs/src/scenarios.md"),
    ),
    (
        "built-in-actions",
        "Built-in actions",
        include_str!("../../../docs/src/built-in-actions.md"),
    ),
];

const MARKDOWN: &str = "text/markdown";
const JSON: &str = "application/json";
const PLAIN: &str = "text/plain";

/// So many resources are on a page of the list.
const PAGE: usize = 200;

/// The largest resource, in bytes.
const LARGEST: usize = 256 << 10;

/// Lists them, a page at a time.
pub(super) fn list(
    project: &Project,
    cursor: Option<&str>,
) -> Result<ListResourcesResult, ErrorData> {
    let of = |uri: String, name: &str, mime: &str| Resource::new(uri, name).with_mime_type(mime);
    let book = BOOK
        .iter()
        .map(|(name, title, _)| of(format!("bt://book/{name}"), title, MARKDOWN));
    let mut all: Vec<Resource> = book.collect();
    all.push(of(
        "bt://book/codes".to_owned(),
        "All codes of problems",
        MARKDOWN,
    ));
    if let Some(cast) = project.known_cast() {
        let agents = cast.registry().agents();
        all.extend(agents.map(|agent| {
            let name = visible(agent.full_name());
            of(format!("bt://agents/{name}"), &name, JSON)
        }));
    }
    if let Ok(trees) = project.trees() {
        all.extend(trees.keys().map(|name| {
            let shown = visible(name);
            of(format!("bt://trees/{shown}"), &shown, mime_of(name))
        }));
    }
    let from = cursor.map_or(Some(0), |cursor| cursor.parse().ok());
    let from: usize = from
        .filter(|from| *from < all.len())
        .ok_or_else(|| ErrorData::invalid_params("`cursor` is no place in the list", None))?;
    let more = all.len() > from + PAGE;
    let page = all.into_iter().skip(from).take(PAGE).collect();
    let mut result = ListResourcesResult::with_all_items(page);
    result.next_cursor = more.then(|| (from + PAGE).to_string());
    Ok(result)
}

/// The sort of a tree's file.
fn mime_of(name: &str) -> &'static str {
    match is_script(name) {
        true => PLAIN,
        false => JSON,
    }
}

/// Reads one.
pub(super) fn read(project: &Project, uri: &str) -> Result<ReadResourceResult, ErrorData> {
    let unknown = || {
        let uri: String = uri.chars().take(200).collect();
        let why = format!("there is no resource {uri:?}; `resources/list` has all");
        ErrorData::resource_not_found(why, Some(json!({ "uri": uri })))
    };
    let rest = uri.strip_prefix("bt://").ok_or_else(unknown)?;
    let (sort, name) = rest.split_once('/').ok_or_else(unknown)?;
    let (text, mime) = match sort {
        "book" if name == "codes" => (pages::list(), MARKDOWN),
        "book" => {
            let page = BOOK.iter().find(|(known, ..)| *known == name);
            let code = || name.parse().ok().and_then(pages::page);
            let text = page.map(|(.., text)| *text).or_else(code);
            (text.ok_or_else(unknown)?.to_owned(), MARKDOWN)
        }
        "agents" => {
            let cast = project.known_cast().ok_or_else(unknown)?;
            let agents = list::json(cast.registry().catalogue(), Some(name));
            (agents.map_err(|_| unknown())?.to_string(), JSON)
        }
        "trees" => {
            let tree = project.tree(name).map_err(|_| unknown())?;
            let mime = mime_of(&tree.name);
            (tree.text, mime)
        }
        _ => return Err(unknown()),
    };
    if text.len() > LARGEST {
        let why = format!(
            "{} has more than {} KiB: the tools read it in pages",
            visible(uri),
            LARGEST >> 10
        );
        return Err(ErrorData::invalid_params(why, None));
    }
    let text = visible(&text);
    let contents = ResourceContents::text(text, uri).with_mime_type(mime);
    Ok(ReadResourceResult::new(vec![contents]))
}
