//! Changes as one page that needs nothing else: no network, no script, no other file.

use std::collections::BTreeMap;

use bt_core::TreeAsset;
use maud::{Markup, PreEscaped, html};

use super::change::{Change, Diff, Effect};
use super::print::total;
use super::trees::{Node, compare};
use super::versions::Version;
use crate::draw::{Direction, Mark, svg_marked};
use crate::error::count;
use crate::html_page::page_of;

const STYLE: &str = include_str!("page.css");

/// A tree file and what differs in it.
struct Changed<'v> {
    version: &'v Version,
    before: Result<Option<TreeAsset>, String>,
    after: Result<Option<TreeAsset>, String>,
    /// Of a tree that is there in both versions.
    nodes: Vec<Node>,
}

/// The whole page: what changed in the catalogue, if that was compared, and in trees.
pub fn page(diff: Option<&Diff>, versions: &[Version]) -> String {
    let trees: Vec<Changed<'_>> = versions.iter().map(Changed::of).collect();
    let mut number = 0;
    let body = html! {
        main {
            h1 { "Changes" }
            p.total {
                @if let Some(diff) = diff { "Agents: " (total(diff)) ". " }
                "Trees: "
                @if trees.is_empty() { "nothing changed." } @else { (count(trees.len(), "file")) " changed." }
            }
            @if trees.len() > 1 {
                nav aria-label="Changed trees" {
                    ul {
                        @for (at, tree) in trees.iter().enumerate() {
                            li { a href={ "#file-" (at) } { (tree.version.path) } " " (tree.summary()) }
                        }
                    }
                }
            }
            @if let Some(diff) = diff.filter(|diff| !diff.changes.is_empty()) { (agents(diff)) }
            @for (at, tree) in trees.iter().enumerate() {
                section id={ "file-" (at) } { (tree.shown(&mut number)) }
            }
        }
    };
    page_of("Changes", STYLE, &body, None)
}

/// The present and former abilities of agents.
fn agents(diff: &Diff) -> Markup {
    let mut by_agent: Vec<(&str, Vec<&Change>)> = Vec::new();
    for change in &diff.changes {
        match by_agent.last_mut() {
            Some((agent, list)) if *agent == change.agent => list.push(change),
            _ => by_agent.push((&change.agent, vec![change])),
        }
    }
    html! {
        section #agents {
            h2 { "What agents can do" }
            @for (agent, changes) in by_agent {
                h3 { @if agent.is_empty() { "Node kinds" } @else { (agent) } }
                ul.changes {
                    @for change in changes {
                        li {
                            @match change.effect {
                                Effect::Breaking => { strong.breaking { "✕ breaking" } " " }
                                Effect::Behaviour => { strong { "behaviour" } " " }
                                Effect::Compatible => {}
                            }
                            (change.message)
                            @if let Some(help) = &change.help { span.soft { "; " (help) } }
                            @if let Some(at) = &change.place { " " code { (at.file) ":" (at.line) } }
                            @if !change.uses.is_empty() {
                                ul {
                                    @for used in &change.uses {
                                        li {
                                            code {
                                                (used.file)
                                                @if let Some(line) = used.line { ":" (line) }
                                            }
                                            " node " (used.node)
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

impl<'v> Changed<'v> {
    fn of(version: &'v Version) -> Changed<'v> {
        let read = |bytes: &Option<Vec<u8>>| {
            let Some(bytes) = bytes else {
                return Ok(None);
            };
            let tree = TreeAsset::from_slice(&version.name, bytes);
            tree.map(Some).map_err(|error| {
                let problem = error.problems().first();
                problem.map_or_else(|| error.to_string(), ToString::to_string)
            })
        };
        let (before, after) = (read(&version.before), read(&version.after));
        let nodes = match (&before, &after) {
            (Ok(Some(before)), Ok(Some(after))) => compare(before, after),
            _ => Vec::new(),
        };
        Changed {
            version,
            before,
            after,
            nodes,
        }
    }

    fn summary(&self) -> String {
        match (&self.before, &self.after) {
            (Err(_), _) => "The file was no tree.".to_owned(),
            (_, Err(_)) => "The file is no tree.".to_owned(),
            (Ok(None), _) => "The tree is new.".to_owned(),
            (_, Ok(None)) => "The tree is gone.".to_owned(),
            _ => match self
                .nodes
                .iter()
                .filter(|node| node.mark().is_some())
                .count()
            {
                0 => "The same tree in another layout.".to_owned(),
                differing => format!(
                    "{} differ{}.",
                    count(differing, "node"),
                    if differing == 1 { "s" } else { "" }
                ),
            },
        }
    }

    fn shown(&self, number: &mut usize) -> Markup {
        let trees = (&self.before, &self.after);
        let lines: Vec<String> = match trees {
            (Ok(Some(before)), Ok(Some(after))) => {
                let lines = self.nodes.iter();
                lines
                    .filter_map(|node| node.in_words(before, after))
                    .collect()
            }
            _ => Vec::new(),
        };
        let is_same = self.nodes.iter().all(|node| node.mark().is_none());
        let marks = |of: fn(&Node) -> Option<u32>| -> BTreeMap<u32, Mark> {
            let nodes = self.nodes.iter();
            nodes
                .filter_map(|node| Some((of(node)?, node.mark()?)))
                .collect()
        };
        let mut side = |name: &str, tree: &Result<Option<TreeAsset>, String>, marks| match tree {
            Err(why) => html! {
                figure { figcaption { (name) } p.breaking { "✕ It is no tree: " (why) } }
            },
            Ok(None) => html! {},
            Ok(Some(tree)) => {
                *number += 1;
                let picture = svg_marked(tree, Direction::Right, &marks, *number);
                html! { figure { figcaption { (name) } div.picture tabindex="0" { (PreEscaped(picture)) } } }
            }
        };
        let both = (self.nodes.is_empty() || !is_same).then(|| {
            let before = side("Before", trees.0, marks(|node| node.before));
            (before, side("After", trees.1, marks(|node| node.after)))
        });
        html! {
            h2 { (self.version.path) }
            p.soft { (self.summary()) }
            @if !lines.is_empty() { ul.changes { @for line in &lines { li { (line) } } } }
            @if let Some((before, after)) = both { div.both { (before) (after) } }
        }
    }
}
