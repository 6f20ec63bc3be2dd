//! Times and values of a scenario's file.

use serde_json::{Map, Number, Value};

/// A second in nanoseconds.
const SECOND: f64 = 1e9;

/// The longest time, ten days: a scenario is a test.
const LONGEST: f64 = 864_000.0 * SECOND;

/// A time such as "2s", "0.5s", "250ms" or "1min", in nanoseconds.
pub(super) fn time(text: &str) -> Result<u64, String> {
    let wrong = || {
        let shown = crate::text::name(text);
        format!(
            "`{shown}` is no time: write a number and its unit, such as \"2s\", \"250ms\" or \"1min\""
        )
    };
    let number_end = text.find(|c: char| !c.is_ascii_digit() && c != '.');
    let (number, unit) = text.split_at(number_end.unwrap_or(text.len()));
    let unit = match unit.trim() {
        "s" => SECOND,
        "ms" => SECOND / 1e3,
        "min" => SECOND * 60.0,
        _ => return Err(wrong()),
    };
    let number: f64 = number.parse().map_err(|_| wrong())?;
    let time = number * unit;
    match time <= LONGEST {
        true => Ok(time.round() as u64),
        false => Err(format!(
            "`{}` is longer than ten days",
            crate::text::name(text)
        )),
    }
}

/// A time for people: "2 s", "0.25 s".
pub(super) fn seconds(time: u64) -> String {
    format!("{} s", time as f64 / SECOND)
}

/// A value as JSON.
pub(super) fn json(value: &toml::Value) -> Result<Value, String> {
    Ok(match value {
        toml::Value::String(text) => text.as_str().into(),
        toml::Value::Integer(number) => (*number).into(),
        toml::Value::Float(number) => match Number::from_f64(*number) {
            Some(number) => number.into(),
            None => {
                return Err(format!(
                    "{number} is no value that an agent or a key can have"
                ));
            }
        },
        toml::Value::Boolean(holds) => (*holds).into(),
        toml::Value::Datetime(date) => {
            return Err(format!(
                "{date} is a date, which no key has: write it as text, in quotes"
            ));
        }
        toml::Value::Array(items) => items.iter().map(json).collect::<Result<_, _>>()?,
        toml::Value::Table(table) => {
            let items = table
                .iter()
                .map(|(key, value)| Ok((key.clone(), json(value)?)));
            Value::Object(items.collect::<Result<Map<_, _>, String>>()?)
        }
    })
}
