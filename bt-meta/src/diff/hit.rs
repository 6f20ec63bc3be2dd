//! The places in old trees that a change breaks.

/// Lists that share names: methods, properties, events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sort {
    Method,
    Property,
    Event,
}

/// The uses that a change breaks. Agents are full names of the old catalogue.
#[derive(Debug, Clone)]
pub(super) enum Hit {
    /// Trees for an agent; those that spell it one of these ways, or any.
    Agent {
        agent: String,
        spelled: Option<Vec<String>>,
    },
    /// Calls, reads or waits of an agent or of one based on it.
    Item {
        agent: String,
        sort: Sort,
        /// The agent that defines it.
        from: String,
        name: String,
        part: Part,
    },
    /// Calls that the fallback of an agent answers.
    Fallback { agent: String },
    /// Trees of an agent that run trees of these agents.
    Runs { agent: String, bases: Vec<String> },
    /// Nodes of a kind.
    Kind { kind: String },
}

/// The uses of an item.
#[derive(Debug, Clone)]
pub(super) enum Part {
    /// All.
    Whole,
    /// None: no tree can do that.
    None,
    /// Calls by this name.
    Spelled(String),
    /// Evaluations of a condition: nodes, guards, and below `and` and `or`.
    Asked,
    /// Places where a guard that aborts follows its condition, which takes no property.
    Followed,
    /// Places where nothing waits: effects and services.
    AtOnce,
    /// Calls that give the argument at this old place.
    Given(usize),
    /// Calls that omit the argument at this old place.
    LeftOut(usize),
    /// Calls that name the argument so.
    ArgumentSpelled(String),
    /// Calls that name the argument at this old place.
    Named(usize),
    /// Calls that give arguments from this old place on by their places.
    ByPlace(usize),
    /// Calls that give this or any argument after it by its place, or it by its name.
    FromPlace(usize),
}
