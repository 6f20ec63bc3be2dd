//! Expressions of an agent, bound: their names are looked up.

use serde_json::Value;

use super::expression::{BoundExpression, quoted};
use super::param::Params;
use super::{Action, ActionSet, BoundCall, Property, Source};
use crate::Agent;
use crate::blackboard::{KeyId, Keys};
use crate::error::CallError;
use crate::expression::{Argument, Expr, Form, Link, compile, constant, parse};
use crate::text;

impl<A: Agent> ActionSet<A> {
    /// Looks up the names of an expression.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    pub(crate) fn bind_expression(
        &self,
        text: &str,
        keys: &mut dyn Keys,
    ) -> Result<BoundExpression<A>, CallError> {
        let expr = parsed(text)?;
        let mut linking = Linking {
            set: self,
            text,
            keys,
            properties: Vec::new(),
            calls: Vec::new(),
        };
        let code = compile(&expr, &mut linking);
        let (properties, calls) = (linking.properties, linking.calls);
        Ok(BoundExpression {
            code: code.map_err(|error| error.about(&quoted(text)))?,
            text: text.into(),
            properties,
            calls,
        })
    }

    /// Returns true if an expression looks at keys, and at no agent and no world.
    pub(crate) fn is_by_keys(&self, expr: &Expr) -> bool {
        let mut is = true;
        expr.walk(&mut |part| {
            is &= match &part.form {
                Form::Property(_) => false,
                Form::Call(method, _) => self
                    .find(&method.name)
                    .is_ok_and(|action| action.is_static() && !action.takes_world()),
                Form::Literal(_)
                | Form::List(_)
                | Form::Key(_)
                | Form::Field(..)
                | Form::Item(..)
                | Form::Builtin(..)
                | Form::Not(_)
                | Form::Minus(_)
                | Form::Binary(..)
                | Form::Otherwise(..)
                | Form::Choose(_) => true,
            };
        });
        is
    }
}

/// An expression, or what is wrong with the text.
pub(crate) fn parsed(written: &str) -> Result<Expr, CallError> {
    parse(written).map_err(|mistake| {
        let help = match mistake.help.as_str() {
            "" => String::new(),
            help => format!("; {help}"),
        };
        let message = format!("{}: {}{help}", quoted(written), mistake.words(written));
        CallError::refused(message)
    })
}

struct Linking<'x, A: Agent> {
    set: &'x ActionSet<A>,
    text: &'x str,
    keys: &'x mut dyn Keys,
    properties: Vec<(Property<A>, KeyId)>,
    calls: Vec<(&'static str, Box<dyn BoundCall<A>>)>,
}

impl<A: Agent> Link for Linking<'_, A> {
    fn key(&mut self, key: &str) -> Result<KeyId, CallError> {
        Ok(self.keys.intern(key))
    }

    fn property(&mut self, property: &str) -> Result<u32, CallError> {
        let found = self.set.properties().find(property)?;
        self.properties.push((found.clone(), self.keys.anonymous()));
        Ok(self.properties.len() as u32 - 1)
    }

    fn call(&mut self, method: &str, args: &[Argument]) -> Result<u32, CallError> {
        let action = self.set.find(method)?;
        if !action.has_answer() {
            let message = format!("`{}` is no condition and no query", text::name(method));
            return Err(CallError::refused(message));
        }
        let sources = sources(action, self.text, args)?;
        let bound = self.set.bind_all(method, &sources, self.keys)?;
        self.calls.push((action.name(), bound));
        Ok(self.calls.len() as u32 - 1)
    }
}

/// The sources of a call's arguments in its order. What is left out between two that are given has its default.
fn sources<A: Agent>(
    action: &Action<A>,
    text: &str,
    args: &[Argument],
) -> Result<Vec<Source>, CallError> {
    let desc = &action.desc;
    let params = Params::new(desc.item.name, desc.args, desc.shapes);
    let params = params.all.iter().zip(desc.shapes);
    let params: Vec<_> = params.filter(|(param, _)| param.is_argument).collect();
    let mut places: Vec<Option<Source>> = Vec::new();
    for (number, arg) in args.iter().enumerate() {
        let place = match &arg.name {
            None => number,
            Some(name) => {
                let is_it = |(param, _): &(&super::param::Param, _)| {
                    param.desc.name == &*name.name
                        || param.desc.aliases().any(|alias| alias == &*name.name)
                };
                params.iter().position(is_it).ok_or_else(|| {
                    let (method, name) = (action.name(), text::name(&name.name));
                    CallError::refused(format!("`{method}` has no argument `{name}`"))
                })?
            }
        };
        places.resize(places.len().max(place + 1), None);
        places[place] = Some(source(text, &arg.value));
    }
    let filled = places.into_iter().enumerate().map(|(at, source)| {
        let left_out = || {
            let (param, shape) = params.get(at)?;
            let none = (shape.optional)().then_some(Value::Null);
            Some(Source::Literal(param.default.clone().or(none)?))
        };
        source.or_else(left_out).ok_or_else(|| {
            let name = params.get(at).map_or("", |(param, _)| param.desc.name);
            let method = action.name();
            CallError::refused(format!("`{method}`: argument `{name}` is missing"))
        })
    });
    filled.collect()
}

/// The source of the value of an expression: a literal if it has but one.
pub(crate) fn folded(text: &str) -> Source {
    let value = parse(text).ok().and_then(|expr| constant(&expr));
    value.map_or_else(|| Source::expression(text), Source::Literal)
}

/// The source of a part of an expression: what a tree would write for it.
pub(crate) fn source(text: &str, part: &Expr) -> Source {
    if let Some(value) = constant(part) {
        return Source::Literal(value);
    }
    match &part.form {
        Form::Literal(value) => Source::Literal(value.clone()),
        Form::Key(key) => Source::Key(key.name.to_string()),
        Form::Property(property) => Source::Property(property.name.to_string()),
        Form::List(_)
        | Form::Field(..)
        | Form::Item(..)
        | Form::Call(..)
        | Form::Builtin(..)
        | Form::Not(_)
        | Form::Minus(_)
        | Form::Binary(..)
        | Form::Otherwise(..)
        | Form::Choose(_) => Source::Expression(part.at.of(text).to_owned()),
    }
}
