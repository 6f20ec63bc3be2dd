//! The parts of two plans that mean the same.

use serde_json::Value;

use crate::expression::means_the_same;
use crate::tree::plan::{Arg, Ask, Call, Guard, Plan};

/// Returns true if two calls of a method have the same arguments.
pub(crate) fn are_args(was: &Call, is: &Call) -> bool {
    let same = |(was, is): (&Arg, &Arg)| match (was, is) {
        (Arg::Literal(was), Arg::Literal(is)) => is_value(was, is),
        (Arg::Key(was, _), Arg::Key(is, _)) => was == is,
        (Arg::Property(was, _), Arg::Property(is, _)) => was == is,
        (Arg::Expression(was), Arg::Expression(is)) => means_the_same(&was.text, &is.text),
        (Arg::Literal(_) | Arg::Key(..) | Arg::Property(..) | Arg::Expression(_), _) => false,
    };
    was.args.len() == is.args.len() && was.args.iter().zip(&is.args).all(same)
}

/// By value: 1 is 1.0.
fn is_value(was: &Value, is: &Value) -> bool {
    was == is || was.as_f64().is_some_and(|was| is.as_f64() == Some(was))
}

fn is_call(old: &Plan, was: u32, new: &Plan, is: u32) -> bool {
    let (was, is) = (&old.calls[was as usize], &new.calls[is as usize]);
    let is_named_alike = match was.is_expression && is.is_expression {
        true => means_the_same(&was.name, &is.name),
        false => was.name == is.name,
    };
    is_named_alike && are_args(was, is)
}

/// Returns true if the guards of two nodes are the same.
pub(crate) fn are_guards(old: &Plan, was: &[Guard], new: &Plan, is: &[Guard]) -> bool {
    let asks = |was: &Ask, is: &Ask| {
        is_call(old, was.call, new, is.call) && (was.not, was.every) == (is.not, is.every)
    };
    let same = |(was, is): (&Guard, &Guard)| {
        asks(&was.ask, &is.ask) && (was.own, was.lower) == (is.own, is.lower)
    };
    was.len() == is.len() && was.iter().zip(is).all(same)
}
