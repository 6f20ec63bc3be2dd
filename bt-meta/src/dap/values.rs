//! Values as an editor's variables: what has parts is opened by a number.

use std::collections::VecDeque;

use serde_json::{Value, json};

/// The numbers of what is always there.
pub(super) const BLACKBOARD: usize = 1;
pub(super) const PROPERTIES: usize = 2;

/// The longest text of a value, in bytes: what is longer is cut, and its parts are looked at one by one.
const LONGEST: usize = 10_000;

/// The number of bytes of values with parts that are kept; of more, the oldest are shown no more.
const KEPT: usize = 64 << 20;

/// From how many items on an editor is told to ask for an array page by page.
const PAGE: usize = 100;

/// Values that were shown with parts, by their numbers. They hold until the agent continues.
#[derive(Debug, Default)]
pub(super) struct Shown {
    /// Each with the length of its text.
    values: VecDeque<(Value, usize)>,
    bytes: usize,
    /// The number of values that came before the first of them.
    gone: usize,
}

impl Shown {
    const FIRST: usize = 3;

    /// Forgets all. No number is given twice.
    pub(super) fn clear(&mut self) {
        self.gone += self.values.len();
        self.values.clear();
        self.bytes = 0;
    }

    /// The number of a value with parts; 0 of one without.
    pub(super) fn number(&mut self, value: &Value) -> usize {
        self.keep(value, value.to_string().len())
    }

    /// The same, if its text is that long.
    fn keep(&mut self, value: &Value, bytes: usize) -> usize {
        let has_parts = match value {
            Value::Array(items) => !items.is_empty(),
            Value::Object(fields) => !fields.is_empty(),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
        };
        if !has_parts {
            return 0;
        }
        self.values.push_back((value.clone(), bytes));
        self.bytes += bytes;
        while self.bytes > KEPT
            && self.values.len() > 1
            && let Some((_, bytes)) = self.values.pop_front()
        {
            self.bytes -= bytes;
            self.gone += 1;
        }
        self.gone + self.values.len() - 1 + Shown::FIRST
    }

    /// A variable; `expression` is what the console reads it by, if it does.
    pub(super) fn variable(
        &mut self,
        name: &str,
        expression: Option<String>,
        value: &Value,
    ) -> Value {
        let mut shown = self.described("value", value);
        shown["name"] = name.into();
        if let Some(expression) = expression {
            shown["evaluateName"] = expression.into();
        }
        shown
    }

    /// The answer to whoever evaluates an expression.
    pub(super) fn result(&mut self, value: &Value) -> Value {
        self.described("result", value)
    }

    fn described(&mut self, text_name: &str, value: &Value) -> Value {
        let mut text = value.to_string();
        let number = self.keep(value, text.len());
        let mut shown = json!({ "type": type_of(value), "variablesReference": number });
        if text.len() > LONGEST {
            text.truncate(text.floor_char_boundary(LONGEST));
            text.push('…');
            // Whoever edits the text that is shown would lose the rest.
            shown["presentationHint"] = json!({ "attributes": ["readOnly"] });
        }
        if let Value::Array(items) = value
            && items.len() > PAGE
        {
            shown["indexedVariables"] = items.len().into();
        }
        shown[text_name] = text.into();
        shown
    }

    /// The parts of a value that was shown, those that are asked for; none if it is shown no more.
    pub(super) fn parts(&mut self, asked: &Value) -> Option<Vec<Value>> {
        let number = |name: &str| asked[name].as_u64().map(|it| it as usize);
        let at = number("variablesReference")?.checked_sub(Shown::FIRST + self.gone)?;
        let value = self.values.get(at)?.0.clone();
        let from = number("start").unwrap_or(0);
        let most = number("count").filter(|most| *most > 0);
        let most = most.unwrap_or(usize::MAX);
        let parts: Vec<(String, &Value)> = match &value {
            Value::Array(_) if asked["filter"] == "named" => Vec::new(),
            Value::Array(items) => {
                let items = items.iter().enumerate().skip(from).take(most);
                items.map(|(at, item)| (format!("[{at}]"), item)).collect()
            }
            Value::Object(_) if asked["filter"] == "indexed" => Vec::new(),
            Value::Object(fields) => {
                let fields = fields.iter().skip(from).take(most);
                fields.map(|(name, field)| (name.clone(), field)).collect()
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
        };
        let parts = parts.into_iter();
        Some(
            parts
                .map(|(name, part)| self.variable(&name, None, part))
                .collect(),
        )
    }
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}
