//! The table of methods and the table of events.

use std::fmt;

use schemars::generate::SchemaGenerator;
use schemars::{JsonSchema, Schema};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::error::{Error, ErrorCode};
use super::types::*;

/// The parameters of a method, which know its name and its result.
pub trait Call: Serialize + DeserializeOwned {
    /// The method's name.
    const METHOD: &'static str;
    /// Its result.
    type Result: Serialize + DeserializeOwned;
}

/// A method, as documents describe it.
pub struct MethodEntry {
    /// Its name.
    pub name: &'static str,
    /// Its effect, in Markdown.
    pub docs: &'static str,
    /// True if it changes the game: a read-only port refuses it.
    pub changes: bool,
    /// The schema of its parameters, an object.
    pub params: fn(&mut SchemaGenerator) -> Schema,
    /// The schema of its result.
    pub result: fn(&mut SchemaGenerator) -> Schema,
}

/// An event, as documents describe it.
pub struct EventEntry {
    /// Its name.
    pub name: &'static str,
    /// The occasion on which it is sent, in Markdown.
    pub docs: &'static str,
    /// The schema of its parameters, an object.
    pub params: fn(&mut SchemaGenerator) -> Schema,
}

impl fmt::Debug for MethodEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MethodEntry")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for EventEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EventEntry")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

/// The schema of a type, for a table.
#[doc(hidden)]
pub fn schema_of<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}

/// Reads the parameters of a method, an object or nothing.
///
/// # Errors
/// If they are not the parameters of the method.
#[doc(hidden)]
pub fn read_params<T: DeserializeOwned>(method: &str, params: Value) -> Result<T, Error> {
    let params = match params {
        Value::Null => Value::Object(Map::new()),
        Value::Object(params) => Value::Object(params),
        _ => {
            let why = format!("`{method}`: expected an object of parameters, by name");
            return Err(Error::new(ErrorCode::Params, why));
        }
    };
    serde_json::from_value(params)
        .map_err(|error| Error::new(ErrorCode::Params, format!("`{method}`: {error}")))
}

/// Makes the table of methods: [`METHODS`], `Request`, and [`Call`] for the parameters of each. The studio's protocol
/// is made by it as well.
#[doc(hidden)]
#[macro_export]
macro_rules! protocol_methods {
    (@changes reads) => {
        false
    };
    (@changes changes) => {
        true
    };
    ($($(#[doc = $docs:literal])+ $how:ident $name:literal $params:ident -> $result:ty;)+) => {
        /// All methods, in the order in which documents show them.
        pub const METHODS: &[$crate::protocol::MethodEntry] = &[$($crate::protocol::MethodEntry {
            name: $name,
            docs: concat!($($docs, "\n"),+),
            changes: $crate::protocol_methods!(@changes $how),
            params: $crate::protocol::schema_of::<$params>,
            result: $crate::protocol::schema_of::<$result>,
        }),+];

        /// A request, read.
        #[derive(Debug, Clone)]
        #[non_exhaustive]
        pub enum Request {
            $($(#[doc = $docs])+ $params($params),)+
        }

        impl Request {
            /// Reads a request.
            ///
            /// # Errors
            /// If there is no such method, or the parameters are not its.
            pub fn read(
                method: &str,
                params: ::serde_json::Value,
            ) -> Result<Request, $crate::protocol::Error> {
                match method {
                    $($name => $crate::protocol::read_params(method, params).map(Request::$params),)+
                    _ => Err($crate::protocol::unknown_method(method, METHODS)),
                }
            }

            /// Returns true if it changes what others see, which one that is read-only refuses.
            pub fn changes(&self) -> bool {
                match self {
                    $(Request::$params(_) => $crate::protocol_methods!(@changes $how),)+
                }
            }
        }

        $(impl $crate::protocol::Call for $params {
            const METHOD: &'static str = $name;
            type Result = $result;
        })+
    };
}

/// Makes the table of events: [`EVENTS`] and `Event`.
#[doc(hidden)]
#[macro_export]
macro_rules! protocol_events {
    ($($(#[doc = $docs:literal])+ $name:literal $params:ident;)+) => {
        /// All events.
        pub const EVENTS: &[$crate::protocol::EventEntry] = &[$($crate::protocol::EventEntry {
            name: $name,
            docs: concat!($($docs, "\n"),+),
            params: $crate::protocol::schema_of::<$params>,
        }),+];

        /// A message without a request.
        #[derive(Debug, Clone, PartialEq, ::serde::Serialize, ::serde::Deserialize)]
        #[serde(tag = "method", content = "params")]
        #[non_exhaustive]
        pub enum Event {
            $($(#[doc = $docs])+ #[serde(rename = $name)] $params($params),)+
        }
    };
}

/// The error for a method that is not in the table.
#[doc(hidden)]
pub fn unknown_method(method: &str, methods: &[MethodEntry]) -> Error {
    let names: Vec<_> = methods.iter().map(|method| method.name).collect();
    let method: String = method.chars().take(60).collect();
    let names = names.join("`, `");
    let message = format!("there is no method {method:?}; there are `{names}`");
    Error::new(ErrorCode::Method, message)
}

protocol_methods! {
    /// Begins a conversation: the first request of every connection.
    /// The token is not needed where the connection's `Authorization` header had it.
    reads "hello" Hello -> Welcome;
    /// Lists agents in the order of their ids, a page at a time.
    reads "agents.list" ListAgents -> AgentPage;
    /// Shows how agents stand, in the order of their ids, a page at a time: state, tree, the leaf that waits.
    reads "agents.states" ListStates -> StatePage;
    /// Shows what there is in an agent now: trees, active nodes, waiting leaves, blackboard, properties.
    reads "agent.picture" GetPicture -> AgentPicture;
    /// Shows a value of an agent's picture that had no room in it, a page at a time.
    reads "agent.value" GetValue -> ValuePage;
    /// Explains why an agent waits.
    reads "agent.explain" Explain -> Explained;
    /// Follows an agent: its records come as binary messages, a snapshot first.
    reads "agent.follow" Follow -> Done;
    /// Follows an agent no more.
    reads "agent.unfollow" Unfollow -> Done;
    /// Lists the trees with their hashes.
    reads "trees.list" ListTrees -> TreeList;
    /// Shows the text of a tree, and where in it its nodes are.
    reads "tree.text" GetTree -> TreeText;
    /// Finds what is wrong with texts of trees, among all others that there are, and changes nothing.
    reads "trees.check" CheckTrees -> Checked;
    /// Replaces trees by others, if nothing is wrong with them; agents move to them when they are polled next.
    changes "trees.reload" ReloadTrees -> Checked;
    /// Shows what the last reload did to the agents that have moved so far.
    reads "trees.report" GetReloadReport -> ReloadReport;
    /// Shows the catalogue: what agents, actions, properties and events there are.
    reads "catalogue" GetCatalogue -> CatalogueText;
    /// Counts what the port has done.
    reads "statistics" GetStatistics -> Statistics;
    /// Counts from now on how often nodes run, how they end, and how long they take. There is one profile for all clients;
    /// it ends when the client goes that started it, and another start begins at zero.
    reads "profile.start" StartProfile -> Done;
    /// Shows what was counted so far.
    reads "profile.get" GetProfile -> ProfileTable;
    /// Ends the profile, and shows what was counted.
    reads "profile.stop" StopProfile -> ProfileTable;
    /// Writes a key of an agent's blackboard. A declared type is checked.
    changes "agent.set_key" SetKey -> Done;
    /// Writes a property of an agent.
    changes "agent.set_property" SetProperty -> Done;
    /// Fires an event at an agent. Parameters of a registered event are checked.
    changes "agent.fire" Fire -> Done;
    /// Calls an action of an agent, outside of its trees. One that would wait is not waited for, and its exit method is
    /// not called.
    changes "agent.call" CallAction -> CallOutcome;
    /// Finishes a waiting leaf of an agent with success or failure.
    changes "agent.finish" Finish -> Done;
    /// Starts an agent's tree, if it does not run.
    changes "agent.start" Start -> Done;
    /// Stops an agent's tree: everything is aborted.
    changes "agent.stop" Stop -> Done;
    /// Aborts everything, clears the blackboard and starts the tree again.
    changes "agent.reset" Reset -> Done;
    /// Lets an agent run another tree.
    changes "agent.load" Load -> Done;
    /// Pauses an agent. It is resumed when this client goes, unless that is not wanted.
    changes "agent.pause" Pause -> Done;
    /// Resumes an agent.
    changes "agent.resume" Resume -> Done;
    /// Replaces the breakpoints of this client. They go when it goes, and what they stopped continues.
    changes "breakpoints.set" SetBreakpoints -> BreakpointList;
    /// Lists the breakpoints of all clients.
    reads "breakpoints.list" ListBreakpoints -> BreakpointList;
    /// Lists the agents that are stopped.
    reads "agents.stopped" ListStops -> StopList;
    /// Stops an agent at the next place where it can. When this client goes, it does not stop, or continues.
    changes "agent.break" Break -> Done;
    /// Lets a stopped agent continue, as far as is said.
    changes "agent.step" Step -> Done;
    /// Forces the result of a node until further notice: it is not entered.
    changes "agent.force" Force -> Done;
    /// Lists the nodes whose result is forced, of all agents.
    reads "agents.forced" ListForced -> ForcedList;
    /// Sets how fast the game's time passes: 1 is normal, 0 stops it. The host may not follow. When this client goes, it
    /// passes as before, unless that is not wanted.
    changes "game.speed" SetSpeed -> Done;
    /// Starts a recording of agents in the folder that the host named. It ends when this client goes, unless that is not
    /// wanted.
    changes "recording.start" StartRecording -> Done;
    /// Ends a recording.
    changes "recording.stop" StopRecording -> RecordingEntry;
    /// Lists the recordings in the folder that the host named.
    reads "recording.list" ListRecordings -> RecordingList;
    /// Reads a part of a recording's file.
    reads "recording.fetch" FetchRecording -> Fetched;
}

protocol_events! {
    /// Records did not fit into a client's buffer. A snapshot follows, and makes the stream whole.
    "dropped" Dropped;
    /// An agent that is followed is no more.
    "despawned" Despawned;
    /// An agent has stopped, by whichever client's breakpoint or step.
    "stopped" StopEntry;
    /// An agent that was stopped continues.
    "continued" Continued;
    /// Trees were replaced, by whichever client.
    "reloaded" Reloaded;
    /// The game's time passes at another speed, by whichever client.
    "speed" SpeedChanged;
}
