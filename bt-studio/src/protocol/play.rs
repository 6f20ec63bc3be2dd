//! Trees that are played without their game.

use serde_json::Value;

use super::{types, words};

types! {
    /// The tree to play, and the way.
    StartPlay {
        /// The document of the tree. The trees that it calls are those of the project as they are edited now.
        doc: u32,
        /// The agent, where the tree names none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        agent: Option<String>,
        /// The seed of the agent's random stream; 0 if it is omitted.
        #[serde(default)]
        seed: u32,
        /// True if the tree begins again when it has ended.
        #[serde(default, rename = "loop")]
        repeats: bool,
    }
    /// The time of a play.
    SetPlayPace {
        /// The session's id.
        session: u32,
        /// The pace.
        pace: PlayPace,
        /// Of `run`: so many seconds in one, above 0 and at most 1,000; 1 if it is omitted.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        speed: Option<f64>,
    }
    /// A play.
    GetPlay {
        /// The session's id.
        session: u32,
    }
    /// A play that begins anew.
    RestartPlay {
        /// The session's id.
        session: u32,
    }
    /// A play that is wanted as a scenario.
    GetPlayScenario {
        /// The session's id.
        session: u32,
    }
    /// The answer of a method that stands.
    AnswerPlay {
        /// The session's id.
        session: u32,
        /// The method's name.
        method: String,
        /// The answer in the words of `bt-meta play`: `success`, `failure`, `running`, `after 2s failure`, `run 1`, a
        /// query's value as JSON; `wait` of an action that somebody ends.
        answer: String,
    }
    /// The end of an action that waits.
    FinishPlay {
        /// The session's id.
        session: u32,
        /// The card's number.
        card: u32,
        /// True if it succeeds.
        success: bool,
    }
    /// A value of a play.
    SetInPlay {
        /// The session's id.
        session: u32,
        /// A key, or a property with an `@`.
        name: String,
        /// The value.
        value: Value,
    }
    /// An event of a play.
    FirePlay {
        /// The session's id.
        session: u32,
        /// The event.
        event: String,
        /// Its parameters by their names.
        #[serde(default)]
        params: Value,
    }
    /// The file for a scenario of a play.
    SavePlay {
        /// The session's id.
        session: u32,
        /// The path, which ends in `.scenario.toml` and is taken by no file.
        path: String,
    }
    /// A play as a scenario.
    PlayScenario {
        /// The text of the file.
        text: String,
    }
    /// A play as it is now.
    PlayState {
        /// The session's id.
        session: u32,
        /// The id of its agent for requests. One that begins anew has another agent.
        agent: String,
        /// The name of its tree.
        tree: String,
        /// The time, in seconds.
        now: f64,
        /// The pace.
        pace: PlayPace,
        /// Of `run`: so many seconds in one.
        speed: f64,
        /// The tree's result, if it has ended: `success`, `failure` or `stopped`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        over: Option<String>,
        /// True if nothing comes by itself: an action waits to be ended, or the tree for an event or a value.
        waits: bool,
        /// The actions that wait for their ends.
        cards: Vec<PlayCard>,
        /// The methods that the trees call.
        methods: Vec<PlayMethod>,
        /// The properties that the trees use.
        properties: Vec<PlayValue>,
        /// The agent's events.
        events: Vec<PlayEvent>,
        /// The lines that the play said, the newest last.
        said: Vec<String>,
        /// The reason why the trees as they are edited now are not played.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        wrong: Option<String>,
    }
    /// An action that waits for its end.
    PlayCard {
        /// Its number.
        card: u32,
        /// The action.
        name: String,
        /// Its arguments.
        args: Vec<PlayValue>,
        /// The name of its tree.
        tree: String,
        /// Its node.
        idx: u32,
        /// Since when it waits, in seconds.
        since: f64,
    }
    /// A value with its name.
    PlayValue {
        /// The name.
        name: String,
        /// The value; null if it has none.
        value: Value,
        /// The name of its type for people.
        #[serde(rename = "type")]
        ty: String,
    }
    /// A method that the trees call.
    PlayMethod {
        /// The name.
        name: String,
        /// The attribute that registered it: `action`, `condition`, `query`, `decorator` or `composite`.
        kind: String,
        /// The meaning of its result: `bool`, `unit`, `async`, `status`, `next`, `next_child` or `value`.
        result: Value,
        /// The answer that stands.
        answer: String,
        /// Its docs, on one line.
        brief: String,
    }
    /// An event.
    PlayEvent {
        /// The name.
        name: String,
        /// The parameters with first values.
        params: Vec<PlayValue>,
    }
}

words! {
    /// The pace of a play's time.
    #[derive(Default)]
    PlayPace {
        /// It stands still.
        #[default]
        Pause,
        /// It moves to the next poll, and stands still.
        Step,
        /// It passes as real time does, at a speed.
        Run,
        /// It passes as fast as it can until somebody has to do something.
        Fast,
    }
}
