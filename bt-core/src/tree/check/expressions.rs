//! Expressions: what their names stand for at a node, and what is wrong with them.

use std::collections::HashMap;

use serde_json::Value;

use super::Arguments;
use super::board::Forms;
use super::calls::Calling;
use super::report::{At, suggest};
use super::walk::Walk;
use crate::call::Source;
use crate::call::link::source;
use crate::decode::shown;
use crate::describe::catalogue::{MethodEntry, TypeEntry, ValueEntry};
use crate::describe::schema::types;
use crate::expression::{self, Checked, Mistake, Named, Names, Span, Spelled, Target, Type, parse};
use crate::kinds::call::{self, Argument, ArgumentType, Call};
use crate::kinds::number::NumberRule;
use crate::kinds::set::Writes;
use crate::kinds::switch::Cases;
use crate::kinds::values::{Formula, Json, Name};
use crate::kinds::{Path, Wanted};
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
        let mut seen = Seen {
            walk: self,
            at: *at,
            text,
        };
        expression::check(&expr, &mut seen)
    }

    /// The type of a query's answer; none of a method that is none.
    pub(super) fn answer(&self, method: &MethodEntry) -> Option<Type> {
        let answer = method.answer.as_ref()?;
        Some(Type::of_schema(self.set.defs(), &answer.schema))
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
                    true => format!("write a value for null: `({text}) ?? false`"),
                    false => format!("compare it, such as `{text} == …`"),
                },
            ),
        }
    }

    /// Checks an expression whose value a node takes.
    pub(super) fn wanted(&mut self, at: &At<'_>, wanted: Wanted<'_, '_>, text: &str) {
        let Some(checked) = self.expression(at, text) else {
            return;
        };
        match wanted {
            Wanted::Score if checked.ty.clone().without_null().is_number() => {}
            Wanted::List if matches!(checked.ty.clone().without_null(), Type::List(_)) => {}
            Wanted::Score | Wanted::List if checked.ty == Type::Any => {}
            Wanted::Score if checked.ty == Type::Null => {}
            Wanted::Score => {
                self.not_wanted(at, text, "a score: expected a number or null", &checked.ty)
            }
            Wanted::List => self.not_wanted(at, text, "the list: expected a list", &checked.ty),
            Wanted::Case(cases, path) => self.cases(at, text, &checked, (cases, path)),
        }
    }

    fn not_wanted(&mut self, at: &At<'_>, text: &str, wanted: &str, ty: &Type) {
        let message = || format!("`{}` is {wanted}, found {ty}", text::name(text));
        self.report
            .tell(Code::BadExpression, at, message, String::new);
    }

    /// Reports what the value of an expression never is, and one that is always the same.
    fn cases(
        &mut self,
        at: &At<'_>,
        text: &str,
        checked: &Checked,
        (cases, path): (&Cases<'_>, &Path<'_>),
    ) {
        if let Some(value) = &checked.value {
            self.report.tell(
                Code::ConstantExpression,
                at,
                || format!("`{}` is always {}", text::name(text), shown(value)),
                || "a key is written `$name`, a property `@name`".to_owned(),
            );
        }
        for (number, Json(case)) in cases.0.iter().enumerate() {
            let found = Checked {
                ty: Type::of_value(case),
                value: Some((*case).clone()),
            };
            if let Some(never) = expression::never_equal(checked, &found) {
                let path = path.item(number);
                let at = at.with(&path);
                self.report
                    .tell(Code::BadExpression, &at, || never.message, || never.help);
            }
        }
    }

    /// The source of an argument that an expression gives, which was checked; none if it can never fit.
    pub(super) fn computed(
        &mut self,
        at: &At<'_>,
        text: &str,
        Checked { ty, value }: Checked,
        arg: Option<&ValueEntry>,
        takes: impl FnOnce() -> String,
    ) -> Option<Source> {
        if let Some(value) = value {
            return Some(Source::Literal(value));
        }
        let fits = arg.is_none_or(|arg| self.fits(at, text, &ty, arg, takes));
        fits.then(|| Source::expression(text))
    }

    /// Returns true if the values of an expression may be those of an argument; if not, that is reported.
    fn fits(
        &mut self,
        at: &At<'_>,
        text: &str,
        ty: &Type,
        arg: &ValueEntry,
        takes: impl FnOnce() -> String,
    ) -> bool {
        let wanted = super::schema::forms(self.set.defs(), &arg.ty.schema);
        if Forms::of_type(ty).exclude(wanted) {
            let text = text::name(text);
            let message = || format!("{}, `{text}` is {ty}", takes());
            self.report.tell(Code::NeverFits, at, message, String::new);
            return false;
        }
        let is_whole = types(&arg.ty.schema).is_some_and(|names| {
            names.contains(&"integer")
                && names.iter().all(|name| ["integer", "null"].contains(name))
        });
        if is_whole && *ty == Type::Number {
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
        true
    }

    /// Checks what is written: each target, its value, and whether they fit.
    pub(super) fn writes(&mut self, at: &At<'_>, writes: &Writes<'_>) {
        let mut written = HashMap::new();
        for (name, Formula(text)) in &writes.0 {
            let at = at.key(name);
            let checked = self.expression(&at, text);
            match Target::read(name) {
                Some(Target::Key(key)) => self.written_key(&at, &key, text, checked),
                Some(Target::Property(property)) => {
                    self.written_once(&at, &property, &mut written);
                    self.written_property(&at, &property, text, checked);
                }
                // That is a problem already.
                None => {}
            }
        }
    }

    fn written_key(&mut self, at: &At<'_>, key: &str, text: &str, checked: Option<Checked>) {
        let Some(ty) = self.key(key).cloned() else {
            return;
        };
        let Some(Checked { ty: found, value }) = checked else {
            return;
        };
        let named = || format!("key `{}` is `{ty}`", text::name(key));
        match value {
            Some(value) => {
                if let Err(why) = ty.check(&value) {
                    let message = || format!("{}: {why}", named());
                    self.report
                        .tell(Code::WrongArgument, at, message, String::new);
                }
            }
            None if Forms::of_type(&found).exclude(Forms::of(&ty)) => {
                let message = || format!("{}, `{}` is {found}", named(), text::name(text));
                self.report.tell(Code::NeverFits, at, message, String::new);
            }
            None if Type::of_key(&ty) == Type::Integer && found == Type::Number => {
                let message = || {
                    let text = text::name(text);
                    format!("{}, `{text}` may have a fraction", named())
                };
                let help = || format!("round it: `round({text})`");
                self.report
                    .tell(Code::DoubtfulExpression, at, message, help);
            }
            None => {}
        }
    }

    /// Tells of a property that is written by another of its names, too. By the same one is a problem already.
    fn written_once(&mut self, at: &At<'_>, given: &str, written: &mut HashMap<String, String>) {
        let Some(property) = self.agent.and_then(|agent| agent.property(given)) else {
            return;
        };
        let name = &property.entry.item.name;
        let first = written
            .entry(name.clone())
            .or_insert_with(|| given.to_owned());
        if first != given {
            let message = || {
                let (first, given) = (text::name(first), text::name(given));
                format!("property `{name}` is written twice, as `@{first}` and as `@{given}`")
            };
            let help = || "leave one of them out".to_owned();
            self.report.tell(Code::OutOfRange, at, message, help);
        }
    }

    fn written_property(&mut self, at: &At<'_>, name: &str, text: &str, checked: Option<Checked>) {
        if !self.property_of(&at.target(), &Source::property(name)) {
            return;
        }
        let Some(property) = self.agent.and_then(|agent| agent.property(name)) else {
            return;
        };
        let entry = property.entry;
        if entry.read_only {
            let message = || format!("property `{}` can only be read", entry.item.name);
            let help = || "annotate a setter, or write a key".to_owned();
            self.report.tell(Code::WrongKind, at, message, help);
            return;
        }
        let taken = ValueEntry {
            name: entry.item.name.clone(),
            ty: entry.ty.clone(),
            ..ValueEntry::default()
        };
        let takes = || format!("property `{}` is `{}`", taken.name, taken.ty.type_name);
        let Some(Checked { ty: found, value }) = checked else {
            return;
        };
        match value {
            Some(value) => {
                let Arguments { wrong, doubtful } = self.set.knows.written(&taken, &value);
                for (all, code) in [
                    (wrong, Code::WrongArgument),
                    (doubtful, Code::DoubtfulArgument),
                ] {
                    for why in all {
                        let message = || match why.expected().filter(|_| why.path().is_empty()) {
                            Some(words) => {
                                let found = shown(&value);
                                format!("{}: expected {words}, found {found}", takes())
                            }
                            None => format!("{}: {}", takes(), why.unnamed()),
                        };
                        let help = || match code == Code::DoubtfulArgument {
                            true => "the catalogue does not know all names of this type: building \
                                     the trees decides"
                                .to_owned(),
                            false => String::new(),
                        };
                        self.report.tell(code, at, message, help);
                    }
                }
            }
            None => _ = self.fits(at, text, &found, &taken, takes),
        }
    }

    /// Checks the source of a number: a key, a property or an expression.
    pub(super) fn number(&mut self, at: &At<'_>, argument: &Argument<'_>, wanted: &NumberRule) {
        let at = at.key("arg_value");
        let schema = (wanted.schema)();
        let whole = types(&schema).is_some_and(|names| names == ["integer"]);
        let ty = if whole { "integer" } else { "number" };
        let takes = || format!("`{}` is a{} {ty}", wanted.key, if whole { "n" } else { "" });
        let taken = ValueEntry {
            name: wanted.key.to_owned(),
            ty: TypeEntry {
                type_name: ty.to_owned(),
                schema,
                ..TypeEntry::default()
            },
            ..ValueEntry::default()
        };
        let source = argument.source();
        let Source::Expression(text) = &source else {
            if self.property_of(&at, &source) {
                let forms = || super::schema::forms(self.set.defs(), &taken.ty.schema);
                let forms = forms();
                self.never(&at, &source, || forms, takes, "");
            }
            return;
        };
        let Some(Checked { ty, value }) = self.expression(&at, text) else {
            return;
        };
        match value.map(|value| wanted.read(&value)) {
            Some(Err(why)) => {
                let message = || format!("`{}`: {why}", wanted.key);
                self.report
                    .tell(Code::WrongArgument, &at, message, String::new);
            }
            Some(Ok(_)) => {}
            None => _ = self.fits(&at, text, &ty, &taken, takes),
        }
    }

    fn mistake(&mut self, at: &At<'_>, text: &str, mistake: Mistake) {
        let code = match mistake.is_doubt {
            true => Code::DoubtfulExpression,
            false => Code::BadExpression,
        };
        let at = at.inside(text, mistake.at, None);
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
        let at = self.at.inside(self.text, bare, Some(Named::Property));
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

    fn call(
        &mut self,
        method: &Spelled,
        args: &[expression::Argument],
        checked: &[Option<Checked>],
    ) -> Type {
        let Some(agent) = self.walk.agent else {
            return Type::Any;
        };
        let at = self.at.inside(self.text, method.at, Some(Named::Method));
        let Some(found) = agent.method(&method.name) else {
            self.walk.report.tell(
                Code::UnknownAction,
                &at,
                || {
                    let name = text::name(&method.name);
                    format!(
                        "agent `{}` has no condition or query `{name}`",
                        agent.name()
                    )
                },
                || {
                    let names = agent.methods_that(MethodEntry::has_answer);
                    let builtin = expression::builtin_names().map(str::to_owned);
                    let names: Vec<_> = names.map(str::to_owned).chain(builtin).collect();
                    suggest(&method.name, names.iter().map(String::as_str))
                },
            );
            return Type::Any;
        };
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
            args: call::Arguments::Listed(list.collect()),
        };
        self.walk.call(&at, &call, Calling::operand(checked));
        let answer = self.walk.answer(found.entry);
        answer.unwrap_or(match found.entry.has_answer() {
            true => Type::Bool,
            false => Type::Any,
        })
    }

    fn errors(&self) -> usize {
        let problems = &self.walk.report.problems;
        problems.found.len() + problems.unlisted
    }

    fn mistake(&mut self, mistake: Mistake) {
        self.walk.mistake(&self.at, self.text, mistake);
    }
}
