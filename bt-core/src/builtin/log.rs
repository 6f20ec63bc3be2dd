//! The log: what a tree has to say goes to the host's `tracing` subscriber.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{ActionAgent, held};
use crate::prelude::*;

/// The target by which a subscriber filters the lines of trees.
const TARGET: &str = "bt::log";

/// The importance of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline, extend("type" = "string"))]
enum LogLevel {
    /// Of use to those who look for one mistake.
    Trace,
    /// Of use to those who look for mistakes.
    Debug,
    /// Worth knowing.
    Info,
    /// Something looks wrong.
    #[serde(alias = "warning")]
    Warn,
    /// Something is wrong.
    Error,
}

impl LogLevel {
    fn log(self, line: &str) {
        match self {
            LogLevel::Trace => tracing::trace!(target: TARGET, "{line}"),
            LogLevel::Debug => tracing::debug!(target: TARGET, "{line}"),
            LogLevel::Info => tracing::info!(target: TARGET, "{line}"),
            LogLevel::Warn => tracing::warn!(target: TARGET, "{line}"),
            LogLevel::Error => tracing::error!(target: TARGET, "{line}"),
        }
    }
}

#[agent]
impl ActionAgent {
    /// Log a value.
    ///
    /// The line goes to the host's `tracing` subscriber, with the target `bt::log`.
    ///
    /// # Returns
    /// Always `true`.
    // The original's file has this entry under `log_info`, and `log` in its `name`.
    #[action(category = "log", alias = ["log"])]
    fn log_info(
        /// The importance of the line.
        log_level: LogLevel,
        /// The text to log: a string as it is, any other value as JSON.
        log_info: &Value,
    ) -> bool {
        log_level.log(&held::text(log_info));
        true
    }

    /// Log the value of a key.
    ///
    /// # Returns
    /// Always `true`: a key that is not set is logged as such.
    #[action(category = "log")]
    fn log_bb(
        cx: &Context,
        /// The importance of the line.
        log_level: LogLevel,
        /// The key whose value is logged.
        bb_key: &str,
    ) -> bool {
        match cx.blackboard().lend(bb_key) {
            Some(value) => log_level.log(&format!("{bb_key}: {}", held::text(&value))),
            None => log_level.log(&held::unset(bb_key)),
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use std::fmt;
    use std::sync::{Arc, Mutex};

    use serde_json::{Value, json};
    use tracing::field::{Field, Visit};
    use tracing::span::{Attributes, Id, Record};
    use tracing::{Event, Metadata, Subscriber};

    use crate::builtin::bench::{does, refuses};

    /// Keeps lines as `LEVEL target text`.
    #[derive(Clone, Default)]
    struct Lines(Arc<Mutex<Vec<String>>>);

    impl Subscriber for Lines {
        fn enabled(&self, metadata: &Metadata<'_>) -> bool {
            metadata.target() == super::TARGET
        }
        fn new_span(&self, _: &Attributes<'_>) -> Id {
            Id::from_u64(1)
        }
        fn record(&self, _: &Id, _: &Record<'_>) {}
        fn record_follows_from(&self, _: &Id, _: &Id) {}
        fn event(&self, event: &Event<'_>) {
            struct Text(String);
            impl Visit for Text {
                fn record_debug(&mut self, _: &Field, value: &dyn fmt::Debug) {
                    self.0 += &format!("{value:?}");
                }
            }
            let metadata = event.metadata();
            let mut text = Text(format!("{} {} ", metadata.level(), metadata.target()));
            event.record(&mut text);
            self.0.lock().unwrap().push(text.0);
        }
        fn enter(&self, _: &Id) {}
        fn exit(&self, _: &Id) {}
    }

    fn logs(board: Value, action: &str, args: Value, line: &str) {
        let lines = Lines::default();
        tracing::subscriber::with_default(lines.clone(), || {
            does(board.clone(), action, args, board);
        });
        assert_eq!(*lines.0.lock().unwrap(), [line]);
    }

    #[test]
    fn a_value_is_logged_at_its_level() {
        let levels = ["trace", "debug", "info", "warn", "error"];
        for level in levels {
            let line = format!("{} bt::log hello", level.to_uppercase());
            logs(json!({}), "log_info", json!([level, "hello"]), &line);
        }
        let line = r#"INFO bt::log {"a":[1,"x"]}"#;
        logs(
            json!({}),
            "log_info",
            json!(["info", {"a": [1, "x"]}]),
            line,
        );
    }

    #[test]
    fn log_action_takes_the_level_as_in_the_original() {
        logs(json!({}), "log", json!(["warning", 1]), "WARN bt::log 1");
    }

    #[test]
    fn a_key_is_logged_set_or_not() {
        let board = json!({"hp": 3, "who": "wolf"});
        logs(
            board.clone(),
            "log_bb",
            json!(["info", "hp"]),
            "INFO bt::log hp: 3",
        );
        logs(
            board.clone(),
            "log_bb",
            json!(["info", "who"]),
            "INFO bt::log who: wolf",
        );
        let line = "ERROR bt::log blackboard key `mp` is not set";
        logs(board, "log_bb", json!(["error", "mp"]), line);
    }

    #[test]
    fn another_level_is_refused_with_those_there_are() {
        refuses("log_info", json!(["loud", 1]), "`debug`");
    }
}
