//! A case as a person reads it.

use std::fmt;

use super::{Case, Node, Reads};

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Case {
            seed,
            stream,
            looping,
            keeps_results,
            budget,
            ..
        } = self;
        writeln!(
            f,
            "seed {seed}: random stream {stream}, looping {looping}, keeps results {keeps_results}, \
             budget {budget}"
        )?;
        for tree in &self.trees {
            writeln!(f, "{} {:?}", tree.name, tree.root.declares)?;
            for child in &tree.root.children {
                show(child, 1, f)?;
            }
        }
        for (number, op) in self.ops.iter().enumerate() {
            let and = if number == 0 { "then" } else { "," };
            write!(f, "{and} {op:?}")?;
        }
        writeln!(f)
    }
}

fn show(node: &Node, depth: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(
        f,
        "{:indent$}{} {:?}",
        "",
        node.idx,
        node.kind,
        indent = 2 * depth
    )?;
    if node.disabled {
        write!(f, ", disabled")?;
    }
    if node.logged {
        write!(f, ", logged")?;
    }
    for guard in &node.guards {
        let not = if guard.not { "not " } else { "" };
        write!(f, ", guard {not}{} aborts {:?}", guard.about, guard.abort)?;
    }
    if let Some(every) = node.service {
        write!(f, ", service every {every}")?;
    }
    for (what, reads) in [("number", node.reads), ("interval", node.serves)] {
        if let Some(Reads { key, minus }) = reads {
            let sign = if minus { '-' } else { '+' };
            write!(f, ", {what} {sign} {key}")?;
        }
    }
    for put in &node.puts {
        write!(f, ", {put:?}")?;
    }
    for [key, own] in &node.results {
        let on = if node.results_on_success {
            " on success"
        } else {
            ""
        };
        write!(f, ", {key} to {own}{on}")?;
    }
    if !node.declares.is_empty() {
        write!(f, ", declares {:?}", node.declares)?;
    }
    if let Some(takes) = &node.takes {
        write!(f, ", {takes:?}")?;
    }
    writeln!(f)?;
    for child in &node.children {
        show(child, depth + 1, f)?;
    }
    Ok(())
}
