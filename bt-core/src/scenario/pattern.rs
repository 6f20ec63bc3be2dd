//! Calls that a scenario names: `walk_to`, or `walk_to(target: 7)`.

use std::fmt;

use serde_json::Value;

use crate::compare::equal;
use crate::expression::{Form, constant, parse};
use crate::text;

/// Calls of a method with some of their arguments.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Pattern {
    pub(super) method: String,
    pub(super) args: Vec<(String, Value)>,
}

impl Pattern {
    /// Reads it.
    pub(super) fn read(written: &str) -> Result<Pattern, String> {
        let written = written.trim();
        if !written.contains('(') {
            return match written.is_empty() {
                true => Err("the name of a method is missing".to_owned()),
                false => Ok(Pattern {
                    method: written.to_owned(),
                    args: Vec::new(),
                }),
            };
        }
        let shown = text::name(written);
        let expected = "expected a call such as `walk_to(target: 7)`";
        let expr = parse(written).map_err(|mistake| {
            let words = mistake.words(written);
            format!("`{shown}`: {words}: {expected}")
        })?;
        let Form::Call(method, args) = &expr.form else {
            return Err(format!("`{shown}`: {expected}"));
        };
        let args = args.iter().map(|arg| {
            let Some(name) = &arg.name else {
                return Err(format!(
                    "`{shown}`: arguments are given by name: {expected}"
                ));
            };
            let value = constant(&arg.value).ok_or_else(|| {
                format!(
                    "`{shown}`: argument `{}` is not a value by itself: {expected}",
                    name.name
                )
            })?;
            Ok((name.name.to_string(), value))
        });
        Ok(Pattern {
            method: method.name.to_string(),
            args: args.collect::<Result<_, _>>()?,
        })
    }

    /// Returns true if a call is one of these.
    pub(super) fn is_met<'a>(&self, method: &str, arg: impl Fn(&str) -> Option<&'a Value>) -> bool {
        let is_equal =
            |(name, value): &(String, Value)| arg(name).is_some_and(|given| equal(given, value));
        self.method == method && self.args.iter().all(is_equal)
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let args = self.args.iter().map(|(name, value)| (name.as_str(), value));
        write_call(f, &self.method, args, !self.args.is_empty())
    }
}

/// `walk_to(target: 7)`
pub(super) fn write_call<'a>(
    f: &mut fmt::Formatter<'_>,
    method: &str,
    args: impl Iterator<Item = (&'a str, &'a Value)>,
    brackets: bool,
) -> fmt::Result {
    f.write_str(method)?;
    if !brackets {
        return Ok(());
    }
    f.write_str("(")?;
    for (number, (name, value)) in args.enumerate() {
        let separator = if number > 0 { ", " } else { "" };
        let value = crate::decode::shown(value);
        match name {
            "" => write!(f, "{separator}{value}")?,
            name => write!(f, "{separator}{name}: {value}")?,
        }
    }
    f.write_str(")")
}
