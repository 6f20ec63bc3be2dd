//! The types that a parameter can have, and the compiler's messages about the others.
//!
//! Each trait stands for its bounds by a blanket implementation that the compiler does not
//! recommend, so that a type without them is reported once, by the words that are here.

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::Context;
use crate::describe::value::ParamDesc;

/// A type that an argument, a property or an event's parameter can have.
///
/// `Send + Sync` because literals are decoded into the tree, which agents on all threads share.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an argument",
    label = "not decodable from JSON, or not described by a JSON Schema",
    note = "a type of another crate is made from one that trees can write, such as an `f64` of seconds",
    note = "an argument needs `#[derive(Clone, serde::Deserialize, schemars::JsonSchema)]` and \
            `Send + Sync + 'static`",
    note = "references are read from the signature: where an alias hides one, write `&str`, \
            `&[T]` or `&T` there",
    note = "what the agent acts on is no argument: mark it `#[world]`; the context is borrowed: \
            write `&mut Context`"
)]
#[doc(hidden)]
pub trait Argument: DeserializeOwned + JsonSchema + Clone + Send + Sync + 'static {}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema + Clone + Send + Sync + 'static> Argument for T {}

/// A type that an in-out argument can have.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an in-out argument",
    label = "not read from and written to a blackboard key (is it the `#[world]`?)",
    note = "a `&mut T` takes its value from a blackboard key and is written back: \
            `#[derive(Clone, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]` and \
            `Send + Sync + 'static`",
    note = "what the agent acts on is marked `#[world]`; a result is marked `#[arg(out)]`"
)]
pub trait InOutArgument: Argument + Serialize {}

#[diagnostic::do_not_recommend]
impl<T: Argument + Serialize> InOutArgument for T {}

/// A type that a result can have.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an `#[arg(out)]` argument",
    label = "not a value that starts as a default and is written to a blackboard key",
    note = "a result starts as the type's default and is written to a blackboard key: \
            `#[derive(Default, serde::Serialize, schemars::JsonSchema)]`"
)]
pub trait OutArgument: JsonSchema + Serialize + Default + 'static {}

#[diagnostic::do_not_recommend]
impl<T: JsonSchema + Serialize + Default + 'static> OutArgument for T {}

/// A type that a field which is a property can have.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a property that is read and written",
    label = "not written to and decoded from JSON, or not described by a JSON Schema",
    note = "a property needs `#[derive(Clone, serde::Serialize, serde::Deserialize, \
            schemars::JsonSchema)]` and `Send + Sync + 'static`; with `#[property(read_only)]`, \
            `serde::Serialize` and `schemars::JsonSchema`"
)]
pub trait FieldValue: Argument + Serialize {}

#[diagnostic::do_not_recommend]
impl<T: Argument + Serialize> FieldValue for T {}

/// Asks whether a type is a reference: `<Hides<T>>::__BT_REFERENCE` is the inherent constant where
/// it is one, under whatever name, else that of [`Owns`].
#[derive(Debug)]
pub struct Hides<T>(std::marker::PhantomData<fn() -> T>);

/// A reference.
#[derive(Debug, Clone, Copy)]
pub struct Reference;

/// No reference.
#[derive(Debug, Clone, Copy)]
pub struct NoReference;

impl<T: ?Sized> Hides<&T> {
    /// A reference.
    pub const __BT_REFERENCE: Reference = Reference;
}

impl<T: ?Sized> Hides<&mut T> {
    /// A reference.
    pub const __BT_REFERENCE: Reference = Reference;
}

/// The context.
#[derive(Debug, Clone, Copy)]
pub struct TheContext;

impl Hides<Context<'_>> {
    /// The context.
    pub const __BT_REFERENCE: TheContext = TheContext;
}

/// A type that is no reference.
pub trait Owns {
    /// No reference.
    const __BT_REFERENCE: NoReference = NoReference;
}

impl<T> Owns for Hides<T> {}

/// A type that is not marked as a reference.
#[diagnostic::on_unimplemented(
    message = "an alias hides that this argument is a reference",
    label = "a reference under another name",
    note = "references are read from the signature: write the `&` or `&mut` there, such as `&str`, \
            `&[T]` or `&mut Context`"
)]
pub trait ByValue: Copy {}

impl ByValue for NoReference {}

// That it cannot be an argument is said of its type.
impl ByValue for TheContext {}

/// The description of a parameter that is taken by value.
pub const fn owned<X: ByValue>(_: X, param: ParamDesc) -> ParamDesc {
    param
}

/// Two parameters of which one at most is the context.
#[diagnostic::on_unimplemented(
    message = "a method takes the context once: there is one to borrow",
    label = "the context again: leave this parameter out"
)]
pub trait OneContext: Copy {}

impl OneContext for (NoReference, NoReference) {}
impl OneContext for (NoReference, TheContext) {}
impl OneContext for (TheContext, NoReference) {}

/// The description of a parameter that is spelled as the context, as one before it is.
pub const fn no_second_context<X: Copy, Y: Copy>(_: X, _: Y, param: ParamDesc) -> ParamDesc
where
    (X, Y): OneContext,
{
    param
}
