//! The texts of the trees that a game runs, and what is built from them.

use std::collections::BTreeMap;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use bt_core::reload::Changes;
use bt_core::tree::Code;
use bt_core::tree::asset::{Problem, locate};
use bt_core::{Agent, TreeAsset, TreeSet, Trees};

use super::game::{Build, Built};

/// The texts of trees, by name.
pub type Texts = BTreeMap<String, String>;

/// Trees with their texts, which a port shows and replaces.
///
/// ```
/// use bt_core::builtin::ActionAgent;
/// use bt_core::tree::asset::spec::action;
/// use bt_core::TreeAsset;
/// use bt_live::port::Sources;
///
/// let rest = TreeAsset::build("rest.json", "action_agent", action("nop"));
/// let texts = [("rest.json".to_owned(), rest.to_json())];
/// let sources = Sources::<ActionAgent>::new(texts.into_iter().collect()).unwrap();
/// assert!(sources.trees().names().eq(["rest.json"]));
/// ```
pub struct Sources<A: Agent> {
    texts: Arc<Texts>,
    trees: Trees<A>,
}

impl<A: Agent> Sources<A> {
    /// Builds trees from their texts.
    ///
    /// # Errors
    /// Everything that is wrong with them.
    pub fn new(texts: Texts) -> Result<Sources<A>, Vec<Problem>> {
        Sources::with(TreeSet::new(), texts)
    }

    /// Adds trees from their texts to a set without any, such as that of agents that are described at run time.
    ///
    /// # Errors
    /// Everything that is wrong with them.
    pub fn with(set: TreeSet<A>, texts: Texts) -> Result<Sources<A>, Vec<Problem>> {
        let trees = build_in(set, &texts, |_| true)?;
        let texts = Arc::new(texts);
        Ok(Sources { texts, trees })
    }

    /// The trees as they are now: what new agents run.
    pub fn trees(&self) -> &Trees<A> {
        &self.trees
    }

    /// Their texts.
    pub fn texts(&self) -> &Arc<Texts> {
        &self.texts
    }

    /// The problems of other texts.
    pub fn check(&self, texts: &Texts) -> Vec<Problem> {
        let built = build_in(self.trees.set(), texts, |_| true);
        built.err().unwrap_or_default()
    }

    /// Replaces the trees; what changes for agents that run them.
    ///
    /// # Errors
    /// Everything that is wrong with them; then nothing is replaced.
    pub fn replace(&mut self, texts: Texts) -> Result<Changes<A>, Vec<Problem>> {
        let trees = build_in(self.trees.set(), &texts, |_| true)?;
        let changes = Changes::between(&self.trees, &trees);
        (self.texts, self.trees) = (Arc::new(texts), trees);
        Ok(changes)
    }

    /// A function that builds other trees, and compares them with these, on another thread: see
    /// [`Game::build`](super::Game::build).
    pub fn build(&self) -> Build {
        let now = self.trees.clone();
        Box::new(move |texts| {
            let trees = build_in(now.set(), texts, |_| true)?;
            Ok(Box::new(Changes::between(&now, &trees)))
        })
    }

    /// Replaces the trees by those that were [built](Sources::build) of these texts; what changes for agents that run
    /// those before. None if something else was built.
    pub fn take(&mut self, texts: Arc<Texts>, built: Built) -> Option<Changes<A>> {
        let mut changes = *built.downcast::<Changes<A>>().ok()?;
        // Meanwhile they were replaced otherwise.
        if !changes.is_from(&self.trees) {
            changes = Changes::between(&self.trees, changes.trees());
        }
        self.trees = changes.trees().clone();
        self.texts = texts;
        Some(changes)
    }
}

impl<A: Agent> fmt::Debug for Sources<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sources")
            .field("trees", &self.trees)
            .finish_non_exhaustive()
    }
}

/// Builds those trees of some texts that `is_own` takes: a game may have several types of agents.
///
/// # Errors
/// Everything that is wrong with them, each problem with its place in the text.
pub fn build<A: Agent>(
    texts: &Texts,
    is_own: impl Fn(&TreeAsset) -> bool,
) -> Result<Trees<A>, Vec<Problem>> {
    build_in(TreeSet::new(), texts, is_own)
}

fn build_in<A: Agent>(
    mut set: TreeSet<A>,
    texts: &Texts,
    is_own: impl Fn(&TreeAsset) -> bool,
) -> Result<Trees<A>, Vec<Problem>> {
    let mut problems = Vec::new();
    for (name, text) in texts {
        match TreeAsset::from_slice(name, text.as_bytes()) {
            Ok(tree) if is_own(&tree) => _ = set.add(tree),
            Ok(_) => {}
            Err(error) => problems.extend_from_slice(error.problems()),
        }
    }
    if !problems.is_empty() {
        return Err(located(problems, texts));
    }
    // What decodes arguments is the game's own code.
    let built = catch_unwind(AssertUnwindSafe(|| set.build()));
    match built {
        Ok(built) => built.map_err(|error| located(error.problems().to_vec(), texts)),
        Err(_) => Err(vec![panicked()]),
    }
}

fn panicked() -> Problem {
    let why = "a panic while the trees were built: a type of an argument panics when it is decoded";
    Problem::new(Code::Contradiction, "", why)
}

/// The problems with their places.
fn located(problems: Vec<Problem>, texts: &Texts) -> Vec<Problem> {
    let mut by_file: BTreeMap<String, Vec<Problem>> = BTreeMap::new();
    for problem in problems {
        by_file
            .entry(problem.file().to_owned())
            .or_default()
            .push(problem);
    }
    for (file, problems) in &mut by_file {
        if let Some(text) = texts.get(file) {
            locate(problems, text);
        }
    }
    by_file.into_values().flatten().collect()
}
