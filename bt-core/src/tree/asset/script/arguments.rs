//! The parameter of a line as the arguments of a call.

use serde_json::Value;

use super::entry::{Fault, Param};
use super::literal::plain;
use crate::kinds::call::{Argument, ArgumentType};

/// A dict names arguments, a tuple lists them, anything else is one. Which place a named one has,
/// the agent knows: see `arg_name`.
pub(super) fn arguments(param: Option<&Param>) -> Result<Vec<Value>, Fault> {
    match param {
        None => Ok(Vec::new()),
        Some(Param::Several(values)) => {
            let values = values.iter();
            values.map(|(_, value)| argument(value, None)).collect()
        }
        Some(Param::Named(named)) => {
            let named = named.iter();
            named
                .map(|(name, (_, value))| argument(value, Some(name)))
                .collect()
        }
        Some(one) => Ok(vec![argument(one, None)?]),
    }
}

pub(super) fn argument(value: &Param, name: Option<&str>) -> Result<Value, Fault> {
    match value {
        Param::Source(ty, source) => Ok(Argument::write(*ty, source.as_str().into(), name)),
        value => {
            let plain = plain(value.clone())?;
            Ok(Argument::write(ArgumentType::Plain, plain, name))
        }
    }
}
