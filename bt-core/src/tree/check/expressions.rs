//! Expressions: what their names stand for at a node, and what is wrong with them.

use serde_json::Value;

use super::board::Forms;
use super::calls::Calling;
use super::report::{At, suggest};
use super::walk::Walk;
use crate::call::Source;
use crate::call::link::source;
use crate::describe::catalogue::{MethodKind, ValueEntry};
use crate::describe::schema::types;
use crate::expression::{self, Checked, Mistake, Names, Span, Spelled, Type, parse};
use crate::kinds::Caller;
use crate::kinds::call::{Argument, ArgumentType, Arguments, Call};
use crate::kinds::values::{Json, Name};
use crate::text;
use crate::tree::Code;

impl Walk<'_, '_> {
    /// Checks an expression; what is known of it, unless it is wrong.
    pub(super) fn expression(&mut self, at: &At<'_>, text: &str) -> Option<Checked> {
        // Of one that is empty there is a problem already.
        if text.is_empty() {
            return None;
        }
        let expr = match parse(text) {
            Ok(expr) => expr,
            Err(mistake) => {
                self.mistake(at, text, mistake);
                return None;
            }
        };
        let before = self.report.problems.found.len() + self.report.problems.unlisted;
        let mut seen = Seen {
            walk: self,
            at: *at,
            text,
        };
        let checked = expression::check(&expr, &mut seen);
        let after = self.report.problems.found.len() + self.report.problems.unlisted;
        (before == after).then_some(checked)
    }

    /// Checks an expression that is evaluated as a condition.
    pub(super) fn condition(&mut self, at: &At<'_>, text: &str) {
        let Some(Checked { ty, value }) = self.expression(at, text) else {
            return;
        };
        match (ty, value) {
            (_, Some(Value::Bool(always))) => self.report.tell(
                Code::ConstantExpression,
                at,
                || format!("`{}` is always {always}", text::name(text)),
                || "a key is written `$name`, a property `@name`".to_owned(),
            ),
            (Type::Bool | Type::Any, _) => {}
            (ty, _) => self.report.tell(
                Code::BadExpression,
                at,
                || {
                    let text = text::name(text);
                    format!("`{text}` is evaluated as a condition: expected a bool, found {ty}")
                },
                || match ty == Type::Bool.or_null() {
                    true => format!("say what counts for null: `({text}) ?? false`"),
                    false => format!("compare it, such as `{text} == …`"),
                },
            ),
        }
    }

    /// The source of an argument that an expression gives; none if it is wrong, or can never fit.
    pub(super) fn computed(
        &mut self,
        at: &At<'_>,
        text: &str,
        arg: Option<&ValueEntry>,
        takes: impl FnOnce() -> String,
    ) -> Option<Source> {
        let Checked { ty, value } = self.expression(at, text)?;
        if let Some(value) = value {
            return Some(Source::Literal(value));
        }
        if let Some(arg) = arg {
            let wanted = super::schema::forms(self.set.defs(), &arg.ty.schema);
            if Forms::of_type(&ty).exclude(wanted) {
                let text = text::name(text);
                let message = || format!("{}, `{text}` is {ty}", takes());
                self.report.tell(Code::NeverFits, at, message, String::new);
                return None;
            }
            let is_whole = types(&arg.ty.schema).is_some_and(|names| {
                names.contains(&"integer")
                    && names.iter().all(|name| ["integer", "null"].contains(name))
            });
            if is_whole && ty == Type::Number {
                self.report.tell(
                    Code::DoubtfulExpression,
                    at,
                    || {
                        let text = text::name(text);
                        format!("{}, `{text}` may have a fraction", takes())
                    },
                    || format!("round it: `round({text})`"),
                );
            }
        }
        Some(Source::expression(text))
    }

    fn mistake(&mut self, at: &At<'_>, text: &str, mistake: Mistake) {
        let code = match mistake.is_doubt {
            true => Code::DoubtfulExpression,
            false => Code::BadExpression,
        };
        let at = at.inside(text, mistake.at, false);
        self.report
            .tell(code, &at, || mistake.message, || mistake.help);
    }
}

/// The meaning of the names in an expression at a node.
struct Seen<'s, 'c, 'r> {
    walk: &'s mut Walk<'c, 'r>,
    at: At<'s>,
    text: &'s str,
}

impl Names for Seen<'_, '_, '_> {
    fn key(&mut self, key: &Spelled) -> Type {
        self.walk.key(&key.name).map_or(Type::Any, Type::of_key)
    }

    fn property(&mut self, property: &Spelled) -> Type {
        // Without the sign.
        let bare = Span {
            from: property.at.from + 1,
            to: property.at.to,
        };
        let at = self.at.inside(self.text, bare, true);
        if !self
            .walk
            .property_of(&at, &Source::property(&*property.name))
        {
            return Type::Any;
        }
        let agent = self.walk.agent;
        let found = agent.and_then(|agent| agent.property(&property.name));
        let defs = self.walk.set.defs();
        found.map_or(Type::Any, |found| {
            Type::of_schema(defs, &found.entry.ty.schema)
        })
    }

    fn call(&mut self, method: &Spelled, args: &[expression::Argument]) -> Type {
        let Some(agent) = self.walk.agent else {
            return Type::Bool;
        };
        let at = self.at.inside(self.text, method.at, true);
        if agent.method(&method.name).is_none() {
            let is_condition = |entry: &crate::describe::catalogue::MethodEntry| {
                entry.kind == MethodKind::Condition
            };
            self.walk.report.tell(
                Code::UnknownAction,
                &at,
                || {
                    let name = text::name(&method.name);
                    format!("agent `{}` has no condition `{name}`", agent.name())
                },
                || {
                    let names = agent.methods_that(is_condition);
                    let builtin = expression::builtin_names().map(str::to_owned);
                    let names: Vec<_> = names.map(str::to_owned).chain(builtin).collect();
                    suggest(&method.name, names.iter().map(String::as_str))
                },
            );
            return Type::Any;
        }
        // As a tree would write it.
        let values = args.iter().map(|arg| match source(self.text, &arg.value) {
            Source::Literal(value) => (ArgumentType::Plain, value),
            Source::Key(key) => (ArgumentType::Blackboard, key.into()),
            Source::Property(property) => (ArgumentType::Property, property.into()),
            Source::Expression(text) => (ArgumentType::Expression, text.into()),
        });
        let values: Vec<(ArgumentType, Value)> = values.collect();
        let list = args.iter().zip(&values).map(|(arg, (ty, value))| Argument {
            ty: *ty,
            value: Json(value),
            name: arg.name.as_ref().map(|name| Name(&name.name)),
        });
        let call = Call {
            name: &method.name,
            args: Arguments::Listed(list.collect()),
        };
        self.walk.call(&at, &call, Calling::of(Caller::Guard));
        Type::Bool
    }

    fn mistake(&mut self, mistake: Mistake) {
        self.walk.mistake(&self.at, self.text, mistake);
    }
}
