//! The names in a scenario's text, for those who rename and renumber.

use std::ops::Range;

use super::read::Scenario;

/// A name in a scenario's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mention {
    /// Its bytes in the text.
    pub at: Range<usize>,
    /// The thing that it names.
    pub names: Mentioned,
}

/// The thing that a name in a scenario's text names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mentioned {
    /// The number of a node of that tree.
    Node(String, u32),
    /// A method.
    Method(String),
    /// An event.
    Event(String),
    /// A property.
    Property(String),
}

impl Scenario {
    /// The names in its text, in the order of the text. One that is written with escapes is not among them.
    ///
    /// ```
    /// use bt_core::scenario::{Mentioned, Scenario};
    ///
    /// let text = "tree = \"nap.json\"\n[[expect]]\nat = \"1s\"\nactive = [\"nap.json#5\"]";
    /// let scenario = Scenario::from_toml("nap.scenario.toml", text)?;
    /// let mention = &scenario.mentions()[0];
    /// assert_eq!(mention.names, Mentioned::Node("nap.json".to_owned(), 5));
    /// assert_eq!(&text[mention.at.clone()], "5");
    /// # Ok::<(), bt_core::scenario::ScenarioError>(())
    /// ```
    pub fn mentions(&self) -> Vec<Mention> {
        let mut all = Vec::new();
        let mut add = |at: &Range<usize>, name: &str, names: Mentioned| {
            let written = self.text.get(at.clone()).unwrap_or_default();
            if let Some(from) = written.find(name) {
                let at = at.start + from..at.start + from + name.len();
                all.push(Mention { at, names });
            }
        };
        for answer in &self.answers {
            let method = &answer.call.method;
            add(&answer.at, method, Mentioned::Method(method.clone()));
        }
        let steps = self.steps.iter();
        for setting in self.set.iter().chain(steps.flat_map(|step| &step.set)) {
            if setting.is_property {
                let name = &setting.name;
                add(&setting.at, name, Mentioned::Property(name.clone()));
            }
        }
        for (event, _) in self.steps.iter().filter_map(|step| step.fire.as_ref()) {
            let name = event.get_ref();
            add(&event.span(), name, Mentioned::Event(name.clone()));
        }
        for one in &self.expected {
            if let Some((at, pattern, _)) = &one.called {
                let method = &pattern.method;
                add(at, method, Mentioned::Method(method.clone()));
            }
            for (at, node) in &one.active {
                let (tree, idx) = (node.tree.clone(), node.idx);
                // Behind the tree's name and its sign.
                let from = at.start + 1 + tree.len() + 1;
                add(
                    &(from..at.end),
                    &idx.to_string(),
                    Mentioned::Node(tree, idx),
                );
            }
        }
        all.sort_by_key(|mention| mention.at.start);
        all
    }
}
