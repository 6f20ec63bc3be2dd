//! Changes of trees. An edit says what is to become of a tree; its text changes where it must, and nowhere else.
//!
//! `asked` lists the edits. `work` has one edit's tree, its text, and what changes in both; then there is a file for each family of edits.

mod asked;
mod fragment;
mod inline;
mod links;
mod nodes;
mod scripted;
mod trees;
mod values;
mod weights;
mod work;

use std::borrow::Cow;

use crate::text::splices::{Sequence, Splice, apply};
use bt_core::TreeAsset;
use bt_core::tree::asset::Fix;

use crate::mentions::{Mention, mentions};

pub use asked::Edit;
pub use fragment::fragment;
pub use scripted::{Scripted, Unscripted, script, scripted};
use work::Work;

/// Everything that edits need to know besides the text.
pub trait Around {
    /// The text to write where a problem is.
    fn fix(&self, text: &str, pointer: &str, code: &str) -> Option<Fix>;
    /// The tree of a name.
    fn tree(&self, name: &str) -> Option<TreeAsset>;
    /// The names that a tree mentions, as far as it is known what is done with them.
    fn mentions(&self, tree: &TreeAsset) -> Vec<Mention> {
        mentions(tree, None)
    }
    /// The name in other trees of a tree with a new path.
    ///
    /// # Errors
    /// Why there cannot be a new tree.
    fn new_tree(&self, path: &str) -> Result<String, String>;
}

/// Edits of a tree alone, without catalogue and other trees.
#[derive(Debug)]
pub struct Alone;

impl Around for Alone {
    fn fix(&self, _: &str, _: &str, _: &str) -> Option<Fix> {
        None
    }

    fn tree(&self, _: &str) -> Option<TreeAsset> {
        None
    }

    fn new_tree(&self, path: &str) -> Result<String, String> {
        Err(format!(
            "`{path}` cannot be made: only this tree is known here"
        ))
    }
}

/// The result of edits.
#[derive(Debug)]
pub struct Edited {
    /// The changes of the text.
    pub splices: Vec<Splice>,
    /// The nodes that were made.
    pub created: Vec<u32>,
    /// New trees: their paths and texts.
    pub trees: Vec<(String, String)>,
    /// The tree afterwards.
    pub tree: TreeAsset,
}

/// Makes edits of a tree, one after the other. The tree is the one that was read from the text.
///
/// # Errors
/// Why one cannot be made; then none is.
pub fn edit(
    tree: &TreeAsset,
    text: &str,
    edits: &[Edit],
    around: &dyn Around,
) -> Result<Edited, String> {
    let mut sequence = Sequence::of(text.len());
    let mut now = text.to_owned();
    let mut of = Cow::Borrowed(tree);
    let mut made = Made::default();
    for edit in edits {
        let splices = one(&of, &now, edit, around, &mut made)?;
        let after = apply(&now, &splices);
        let read = TreeAsset::from_json(tree.name(), &after).map_err(|error| {
            let problem = error.problems().first();
            let why = problem.map_or("", |problem| problem.message());
            format!("the file would be no tree then: {why}")
        })?;
        of = Cow::Owned(read);
        sequence.add(&splices);
        now = after;
    }
    Ok(Edited {
        splices: sequence.splices(text.len()),
        created: made.created,
        trees: made.trees,
        tree: of.into_owned(),
    })
}

/// The nodes and trees that edits have made.
#[derive(Default)]
struct Made {
    created: Vec<u32>,
    trees: Vec<(String, String)>,
}

/// Makes one edit.
fn one(
    tree: &TreeAsset,
    text: &str,
    edit: &Edit,
    around: &dyn Around,
    made: &mut Made,
) -> Result<Vec<Splice>, String> {
    let read = work::Text::of(Cow::Borrowed(tree), text)?;
    let mut work = Work::of(&read);
    match edit {
        Edit::Insert {
            parent,
            at,
            kind,
            name,
            extra,
        } => nodes::insert(
            &mut work,
            *parent,
            *at,
            kind,
            name.as_deref(),
            extra.as_ref(),
        )?,
        Edit::Wrap { nodes, kind, extra } => nodes::wrap(&mut work, nodes, kind, extra.as_ref())?,
        Edit::Remove {
            nodes,
            keep_children,
        } => nodes::remove(&mut work, nodes, *keep_children)?,
        Edit::Move { nodes, parent, at } => nodes::move_to(&mut work, nodes, *parent, *at)?,
        Edit::Kind { node, kind, name } => nodes::kind(&mut work, *node, kind, name.as_deref())?,
        Edit::Set { node, at, value } => values::set(&mut work, *node, at, value)?,
        Edit::Unset { node, at } => values::unset(&mut work, *node, at)?,
        Edit::Key { node, at, to } => values::rename(&mut work, *node, at, to)?,
        Edit::Paste {
            parent,
            at,
            text,
            keep,
        } => fragment::paste(&mut work, *parent, *at, text, *keep)?,
        Edit::Duplicate { nodes } => nodes::duplicate(&mut work, nodes)?,
        Edit::Extract { node, path } => {
            let name = around.new_tree(path)?;
            let tree = trees::extract(&mut work, *node, &name, around)?;
            made.trees.push((path.clone(), tree));
        }
        Edit::Inline { node } => inline::inline(&mut work, *node, around)?,
        Edit::Renumber {} => nodes::renumber(&mut work),
        Edit::Fix { pointer, code } => {
            let fix = around.fix(text, pointer, code);
            let why = || format!("nothing is certain about {code} at `{pointer}` now");
            work.edits.fix(pointer, &fix.ok_or_else(why)?)?;
        }
    }
    made.created.extend(work.links.created());
    Ok(work.splices())
}
