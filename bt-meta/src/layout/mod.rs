//! The content of the editor's files: pure functions from a catalogue to JSON.

pub mod actions;
pub mod agents;
mod briefs;
pub mod hierarchy;
pub mod node_types;
pub(crate) mod schema;
mod type_names;

pub use agents::Agents;

/// The layout of `action_types.json`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum Layout {
    /// One object for each agent: what the original editor loads
    #[default]
    ByAgent,
    /// The actions alone; refused where two agents give one name different meanings
    Flat,
}

/// The spelling of the arguments' types.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum TypeNames {
    /// `int32`, `string`, `array<double>`
    #[default]
    Plain,
    /// `int`, `const std::string &`, `array<double>`
    Cpp,
}

/// The descriptions of actions and their arguments in `action_types.json`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum Briefs {
    /// With all that the editor's picker shows nowhere else; `--layout flat` is plain always
    #[default]
    Full,
    /// As the doc comments are written
    Plain,
}

/// The editor that `node_types.json` is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum Editor {
    /// The original editor: only the node kinds that it knows
    #[default]
    Mosaic,
    /// Every node kind, with the schema of its parameters
    Full,
}

/// The options of an export.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Only this agent: its name, its full name or an alias.
    pub agent: Option<String>,
    /// The layout of `action_types.json`.
    pub layout: Layout,
    /// The spelling of types in `action_types.json`.
    pub type_names: TypeNames,
    /// The briefs and comments of `action_types.json`.
    pub briefs: Briefs,
    /// The editor that `node_types.json` is for.
    pub editor: Editor,
}
