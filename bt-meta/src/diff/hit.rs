//! Which places in old trees a change breaks.

/// What lists share names: methods, properties, events.
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
    /// What an agent or one based on it calls, reads or waits for.
    Item {
        agent: String,
        sort: Sort,
        /// The agent that defines it.
        from: String,
        name: String,
        part: Part,
    },
    /// What the fallback of an agent answers.
    Fallback { agent: String },
    /// Trees of an agent that run trees of these agents.
    Runs { agent: String, bases: Vec<String> },
    /// Nodes of a kind.
    Kind { kind: String },
}

/// Which uses of an item.
#[derive(Debug, Clone)]
pub(super) enum Part {
    /// All.
    Whole,
    /// None: no tree can do that.
    None,
    /// Where it is called by this name.
    Spelled(String),
    /// Where a condition is evaluated: nodes, guards, and below `and` and `or`.
    Asked,
    /// Where a guard that aborts follows its condition, which takes no property.
    Followed,
    /// Where nothing waits: effects and services.
    AtOnce,
    /// Where the argument at this old place is given.
    Given(usize),
    /// Where the argument at this old place is left out.
    LeftOut(usize),
    /// Where the argument is called by this name.
    ArgumentSpelled(String),
    /// Where the argument at this old place is called by a name.
    Named(usize),
    /// Where arguments from this old place on are given by their places.
    ByPlace(usize),
    /// Where this or any argument after it is given by its place, or it by its name.
    FromPlace(usize),
}
