//! Numbers of nodes: written in the tree, or read when the node runs.

use std::fmt::{self, Display};
use std::num::NonZeroU32;

use serde_json::{Value, json};

use super::call::{Argument, ArgumentType};
use super::path::Path;
use super::read::{FromJson, KeyProblem, Problems};
use super::values::{AtLeast, Count, PositiveSeconds, Seconds, Weight};
use super::{Long, NodeContext, Outcome, PlanContext, Use};
use crate::call::Source;
use crate::call::link::folded;
use crate::expression::{Named, spelled};

/// A number as a file writes it.
#[derive(Debug, Clone, PartialEq)]
pub enum Number<'t, T> {
    /// The number itself.
    Literal(T),
    /// A key, a property or an expression whose value it is.
    Read(Argument<'t>),
}

impl<T: Default> Default for Number<'_, T> {
    fn default() -> Self {
        Number::Literal(T::default())
    }
}

/// The facts about a number that is read when its node runs.
#[derive(Debug, Clone, Copy)]
pub struct NumberRule {
    /// The key of the node that takes it.
    pub key: &'static str,
    /// The JSON Schema of a literal in its place.
    pub schema: fn() -> Value,
    /// The number as the node takes it; why it is none that the node takes.
    read: fn(&Value) -> Result<u64, String>,
}

impl NumberRule {
    /// The number as the node takes it, as bits.
    ///
    /// # Errors
    /// The form that was expected, and the value that was found.
    pub fn read(&self, value: &Value) -> Result<u64, String> {
        (self.read)(value)
    }
}

/// A type of numbers that a node takes.
pub(crate) trait Numeric: for<'x> FromJson<'x> + Clone + PartialEq + Display {
    /// A drawing of an expression in the place of the number.
    const SHOWN: &'static str;

    /// As a plan and a runner have it.
    fn bits(&self) -> u64;
}

impl Numeric for Count {
    const SHOWN: &'static str = "× {}";

    fn bits(&self) -> u64 {
        self.0.cast_unsigned()
    }
}

impl<const LEAST: u64> Numeric for AtLeast<LEAST> {
    const SHOWN: &'static str = "{}";

    fn bits(&self) -> u64 {
        self.0
    }
}

impl Numeric for Weight {
    const SHOWN: &'static str = "{}";

    fn bits(&self) -> u64 {
        self.0.to_bits()
    }
}

impl Numeric for Seconds {
    const SHOWN: &'static str = "{} s";

    fn bits(&self) -> u64 {
        self.nanos()
    }
}

impl Numeric for PositiveSeconds {
    const SHOWN: &'static str = Seconds::SHOWN;

    fn bits(&self) -> u64 {
        self.0.nanos()
    }
}

/// The number of a type that a value is.
fn read<T: Numeric>(value: &Value) -> Result<u64, String> {
    let mut wrong = None;
    let number = T::read(value, &Path::TOP, &mut |_, problem| {
        wrong.get_or_insert_with(|| match problem {
            KeyProblem::WrongForm { expected, found } => {
                format!("expected {expected}, found {}", crate::decode::shown(found))
            }
            KeyProblem::OutOfRange { expected, found } => {
                format!("expected {expected}, found {found}")
            }
            KeyProblem::UnknownChoice { .. }
            | KeyProblem::Refused { .. }
            | KeyProblem::Unknown { .. }
            | KeyProblem::Missing { .. }
            | KeyProblem::MissingOneOf { .. } => "expected a number".to_owned(),
        });
    });
    match wrong {
        None => Ok(number.bits()),
        Some(why) => Err(why),
    }
}

impl<'t, T: Numeric> FromJson<'t> for Number<'t, T>
where
    Number<'t, T>: Default,
{
    /// An expression that has but one value is that value: it is checked as a literal.
    fn read(json: &'t Value, path: &Path<'_>, problems: &mut Problems<'_>) -> Self {
        if !json.is_object() {
            return Number::Literal(T::read(json, path, problems));
        }
        let Some(argument) = Argument::read(json, path, problems) else {
            return Number::default();
        };
        let value = match argument.ty {
            ArgumentType::Plain => Source::Literal(argument.value.0.clone()),
            ArgumentType::Expression => folded(argument.expression().unwrap_or_default()),
            ArgumentType::Blackboard | ArgumentType::Property => argument.source(),
        };
        match value {
            Source::Literal(value) => {
                Number::Literal(T::read(&value, &path.key("arg_value"), problems))
            }
            Source::Key(_) | Source::Property(_) | Source::Expression(_) => Number::Read(argument),
        }
    }

    fn schema() -> Value {
        json!({"anyOf": [T::schema(), Argument::schema()]})
    }
}

/// As a drawing shows it: `$key`, `@property`, or the text of the expression.
impl<T: Numeric> Display for Number<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Number::Literal(number) => number.fmt(f),
            Number::Read(argument) => f.write_str(&T::SHOWN.replace("{}", &source(argument))),
        }
    }
}

/// An argument as an expression would write it.
fn source(argument: &Argument<'_>) -> String {
    let name = |of: Named, sign: char, name: &str| {
        let written = spelled(of, name);
        format!("{sign}{}", written.as_deref().unwrap_or(name))
    };
    match argument.source() {
        Source::Literal(value) => value.to_string(),
        Source::Key(key) => name(Named::Key, '$', &key),
        Source::Property(property) => name(Named::Property, '@', &property),
        Source::Expression(text) => text,
    }
}

impl<T> Number<'_, T> {
    /// The number, if it is written.
    pub fn literal(&self) -> Option<&T> {
        match self {
            Number::Literal(number) => Some(number),
            Number::Read(_) => None,
        }
    }
}

#[allow(private_bounds, reason = "others know a number as a literal alone")]
impl<'t, T: Numeric> Number<'t, T> {
    /// As a file has it, where the literal is one of JSON.
    pub(super) fn to_json(&self, literal: impl FnOnce(&T) -> Value) -> Value {
        match self {
            Number::Literal(number) => literal(number),
            Number::Read(argument) => {
                Argument::write(argument.ty, argument.value.0.clone(), argument.name())
            }
        }
    }

    const fn wanted(key: &'static str) -> NumberRule {
        NumberRule {
            key,
            schema: T::schema,
            read: read::<T>,
        }
    }

    /// Reports it, if it is read; `path` is its own.
    pub(super) fn uses(
        &self,
        key: &'static str,
        path: &Path<'_>,
        report: &mut dyn FnMut(&Path<'_>, Use<'_, 't>),
    ) {
        if let Number::Read(argument) = self {
            report(path, Use::Number(argument, Number::<T>::wanted(key)));
        }
    }

    /// A failure is possible where the number is read.
    pub(super) fn may_fail(&self, outcome: Outcome) -> Outcome {
        match self {
            Number::Literal(_) => outcome,
            Number::Read(_) => outcome.may_fail(),
        }
    }

    /// Plans the number of a key.
    pub(crate) fn plan<P: Packed>(
        &self,
        cx: &mut (impl PlanContext + ?Sized),
        key: &'static str,
        read: When,
    ) -> Amount<P> {
        self.plan_item(cx, key, "", ONE, false, read)
    }

    /// Plans the interval of a service.
    pub(crate) fn plan_service(
        &self,
        cx: &mut (impl PlanContext + ?Sized),
        service: u32,
    ) -> Amount<Long> {
        let slot = NumberSlot::service(service);
        let below = format_args!("services/{service}/seconds");
        self.plan_at(cx, "seconds", below, slot, false, When::Entered)
    }

    /// The same of one of several numbers of a node, which is read from `place` below the key.
    pub(super) fn plan_item<P: Packed>(
        &self,
        cx: &mut (impl PlanContext + ?Sized),
        key: &'static str,
        place: impl Display,
        slot: NumberSlot,
        counts_children: bool,
        read: When,
    ) -> Amount<P> {
        self.plan_at(
            cx,
            key,
            format_args!("{key}{place}"),
            slot,
            counts_children,
            read,
        )
    }

    fn plan_at<P: Packed>(
        &self,
        cx: &mut (impl PlanContext + ?Sized),
        key: &'static str,
        place: impl Display,
        slot: NumberSlot,
        counts_children: bool,
        read: When,
    ) -> Amount<P> {
        match self {
            Number::Literal(number) => Amount::Known(P::of(number.bits())),
            Number::Read(argument) => {
                let number = ReadNumber {
                    slot,
                    source: argument.source(),
                    text: source(argument),
                    wanted: Number::<T>::wanted(key),
                    counts_children,
                    is_kept: read == When::Entered,
                };
                cx.number(number, format_args!("/{place}/arg_value"));
                Amount::Read
            }
        }
    }
}

/// The moment when a number is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum When {
    /// On entry, after the effects of entry; it is kept until the node ends.
    Entered,
    /// Each time that it is needed.
    Needed,
}

/// One of the numbers of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct NumberSlot(pub(crate) u32);

impl NumberSlot {
    /// The interval of a service.
    pub(crate) fn service(number: u32) -> NumberSlot {
        NumberSlot(number | 1 << 31)
    }

    /// The service whose interval it is.
    pub(crate) fn as_service(self) -> Option<u32> {
        (self.0 >> 31 == 1).then_some(self.0 & !(1 << 31))
    }
}

/// The only number of a kind.
pub(crate) const ONE: NumberSlot = NumberSlot(0);

/// A number that is read while the node runs, for the builder.
pub(crate) struct ReadNumber {
    pub(crate) slot: NumberSlot,
    pub(crate) source: Source,
    /// As an expression would write it.
    pub(crate) text: String,
    pub(crate) wanted: NumberRule,
    /// There are no more than the node has children.
    pub(crate) counts_children: bool,
    /// It is read on entry, and kept until the node ends.
    pub(crate) is_kept: bool,
}

/// A number of a planned node. Whichever it is, it allocates nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Amount<P> {
    Known(P),
    /// It is read while the node runs.
    Read,
}

/// The forms in which planned nodes hold numbers.
pub(crate) trait Packed: Copy {
    fn of(bits: u64) -> Self;
    fn bits(self) -> u64;
}

/// Of four bytes' alignment: planned nodes stay small.
impl Packed for Long {
    fn of(bits: u64) -> Long {
        bits.into()
    }

    fn bits(self) -> u64 {
        self.into()
    }
}

/// One at least: what is more than a `u32` is as good as that.
impl Packed for NonZeroU32 {
    fn of(bits: u64) -> NonZeroU32 {
        let number = u32::try_from(bits).unwrap_or(u32::MAX);
        NonZeroU32::new(number).unwrap_or(NonZeroU32::MIN)
    }

    fn bits(self) -> u64 {
        self.get().into()
    }
}

impl<P: Packed> Amount<P> {
    /// The number as it was on entry. None if changed trees have another one that cannot be read: the node fails.
    pub(crate) fn kept(self, cx: &impl NodeContext, node: u32, slot: NumberSlot) -> Option<u64> {
        match self {
            Amount::Known(number) => Some(number.bits()),
            Amount::Read => cx.kept_number(node, slot),
        }
    }

    /// The number as it is now. None if it cannot be read, which is reported: the node fails.
    pub(crate) fn now(self, cx: &mut impl NodeContext, node: u32, slot: NumberSlot) -> Option<u64> {
        match self {
            Amount::Known(number) => Some(number.bits()),
            Amount::Read => cx.read_number(node, slot),
        }
    }
}
