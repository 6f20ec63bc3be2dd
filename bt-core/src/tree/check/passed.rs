//! The arguments that a node passes to what it calls.

use crate::tree::Code;
use crate::tree::asset::Fix;
use std::fmt;

use serde_json::Value;

use super::arguments::Placed;
use super::board::Forms;
use super::calls::{Place, is_built_in};
use super::report::{At, one_of, suggest};
use super::schema::forms;
use super::walk::Walk;
use crate::blackboard::ValueType;
use crate::call::Source;
use crate::call::places::Misplaced;
use crate::describe::catalogue::{MethodEntry, ValueEntry};
use crate::error::ArgumentError;
use crate::kinds::call::Argument;
use crate::text;

impl Walk<'_, '_> {
    pub(super) fn misplaced(
        &mut self,
        call: &Place<'_>,
        args: &[ValueEntry],
        all: Vec<Misplaced>,
        list: &[Argument<'_>],
    ) {
        let of = fmt::from_fn(|f| write!(f, "`{}`", text::name(call.name)));
        let name_of = |from: usize| list[from].name().unwrap_or_default();
        let param = |at: usize| args.get(at).map_or("", |arg| arg.name.as_str());
        let known = || args.iter().map(|arg| arg.name.as_str());
        for why in all {
            let message = || why.message(&of, name_of, param);
            match why {
                Misplaced::Unknown(from) => {
                    let name = name_of(from);
                    self.report.tell(
                        Code::UnknownArgument,
                        &call.at.item(from).key("arg_name"),
                        message,
                        || match suggest(name, known()) {
                            none if !none.is_empty() => none,
                            _ if args.is_empty() => "it has none".to_owned(),
                            _ => format!("it has {}", one_of(known(), "and")),
                        },
                    );
                }
                Misplaced::Twice(from) => self.report.tell(
                    Code::MisplacedArgument,
                    &call.at.item(from),
                    message,
                    String::new,
                ),
                Misplaced::Unnamed(from) => self.report.tell(
                    Code::MisplacedArgument,
                    &call.at.item(from),
                    message,
                    || "give it an `arg_name`, or put it first".to_owned(),
                ),
                Misplaced::NoNames(from) => self.report.tell(
                    Code::MisplacedArgument,
                    &call.at.item(from),
                    message,
                    || "leave `arg_name` out: it gets the values in their order".to_owned(),
                ),
                Misplaced::Missing(_) => {
                    self.report
                        .tell(Code::MissingArgument, &call.at, message, String::new);
                }
            }
        }
    }

    /// The arguments of a method, in its order.
    pub(super) fn arguments(
        &mut self,
        call: &Place<'_>,
        method: &MethodEntry,
        placed: &[Option<Placed>],
        list: &[Argument<'_>],
    ) {
        let mut sources = Vec::new();
        for (place, placed) in placed.iter().enumerate() {
            let arg = method.args.get(place);
            let Some(Placed { source, from }) = placed else {
                sources.push(stand_in(place));
                continue;
            };
            let item = call.at.item(from.unwrap_or_default());
            let at = item.key("arg_value");
            let mut source = source.clone();
            let mut known = true;
            let operand = from.and_then(|from| call.operands.map(|all| all[from].as_ref()));
            if let Source::Expression(text) = &source {
                let takes = || match arg {
                    Some(arg) => {
                        let (of, name, ty) = (&method.item.name, &arg.name, &arg.ty.type_name);
                        format!("`{of}`: argument `{name}` is `{ty}`")
                    }
                    None => String::new(),
                };
                let checked = match operand {
                    Some(operand) => operand.cloned(),
                    None => self.expression(&at, text),
                };
                match checked.and_then(|checked| self.computed(&at, text, checked, arg, takes)) {
                    Some(computed) => source = computed,
                    None => known = false,
                }
            } else if let Some(operand) = operand {
                known = operand.is_some();
            } else {
                known = self.property_of(&at, &source);
            }
            if let (Some(arg), Some(from)) = (arg, from) {
                self.argument_name(&item.key("arg_name"), arg, list[*from].name());
                let defs = self.set.defs();
                let wanted = || forms(defs, &arg.ty.schema);
                let (of, name, ty) = (&method.item.name, &arg.name, &arg.ty.type_name);
                let takes = || format!("`{of}`: argument `{name}` is `{ty}`");
                let help = match is_built_in(method) && name.ends_with("bb_key") {
                    true if of == "compare_key" => {
                        "it takes the name of a key, in quotes; `compare` takes a property, as in `compare @hp, \"<\", 30`"
                    }
                    true => "it takes the name of a key, in quotes",
                    false => "",
                };
                self.never(&at, &source, wanted, takes, help);
            }
            sources.push(match known {
                true => source,
                false => stand_in(place),
            });
        }
        let found = self.set.knows.arguments(method, &sources);
        for error in &found.wrong {
            let at = Wrong::of(call, method, placed, error);
            let message = || format!("`{}`: {error}", method.item.name);
            let code = match error {
                error if error.is_missing() => Code::MissingArgument,
                error if error.is_surplus() => Code::SurplusArgument,
                _ => Code::WrongArgument,
            };
            at.tell(|at| self.report.tell(code, at, message, String::new));
        }
        for error in &found.doubtful {
            let at = Wrong::of(call, method, placed, error);
            let message = || format!("`{}`: {error}", method.item.name);
            let help = || {
                "the catalogue does not know all names of this type: `bt-meta validate --package NAME` decides".to_owned()
            };
            at.tell(|at| self.report.tell(Code::DoubtfulArgument, at, message, help));
        }
    }

    /// An argument that is called by an old name, or not to be given any more.
    fn argument_name(&mut self, at: &At<'_>, arg: &ValueEntry, given: Option<&str>) {
        let now = &arg.name;
        if let Some(old) = given.filter(|given| given != now) {
            self.report.renamed(
                at,
                || format!("argument `{old}` is now called `{now}`"),
                || Fix::Value(now.as_str().into()),
            );
        }
        if arg.deprecated {
            self.report.tell(
                Code::Deprecated,
                at,
                || format!("argument `{now}` is deprecated"),
                String::new,
            );
        }
    }

    /// Returns true if a source is not a property, or one that exists, and no expression that is wrong; if not,
    /// that is reported.
    pub(super) fn property_of(&mut self, at: &At<'_>, source: &Source) -> bool {
        if let Source::Expression(text) = source {
            return self.expression(at, text).is_some();
        }
        let (Source::Property(name), Some(agent)) = (source, self.agent) else {
            return true;
        };
        match agent.property(name) {
            Some(property) => {
                let item = &property.entry.item;
                self.outdated(at, "property", name, item, property.is_alias);
                true
            }
            None => {
                self.report.tell(
                    Code::UnknownProperty,
                    at,
                    || {
                        format!(
                            "agent `{}` has no property `{}`",
                            agent.name(),
                            text::name(name)
                        )
                    },
                    || suggest(name, agent.property_names()),
                );
                false
            }
        }
    }

    /// Tells of a key or a property whose type can never be what is wanted.
    pub(super) fn never(
        &mut self,
        at: &At<'_>,
        source: &Source,
        wanted: impl FnOnce() -> Forms,
        takes: impl FnOnce() -> String,
        help: &str,
    ) {
        match source {
            Source::Literal(_) | Source::Expression(_) => {}
            Source::Key(name) => {
                if let Some(ty) = self.key(name).cloned() {
                    self.never_of(at, name, &ty, wanted, takes, help);
                }
            }
            Source::Property(name) => {
                let Some(property) = self.agent.and_then(|agent| agent.property(name)) else {
                    return;
                };
                let ty = &property.entry.ty;
                let has = forms(self.set.defs(), &ty.schema);
                if has.exclude(wanted()) {
                    self.excluded(at, &takes(), help, "property", name, &ty.type_name);
                }
            }
        }
    }

    /// The same of a key of a declared type.
    pub(super) fn never_of(
        &mut self,
        at: &At<'_>,
        key: &str,
        ty: &ValueType,
        wanted: impl FnOnce() -> Forms,
        takes: impl FnOnce() -> String,
        help: &str,
    ) {
        if Forms::of(ty).exclude(wanted()) {
            self.excluded(at, &takes(), help, "key", key, ty);
        }
    }

    fn excluded(
        &mut self,
        at: &At<'_>,
        takes: &str,
        help: &str,
        what: &str,
        name: &str,
        ty: &dyn fmt::Display,
    ) {
        self.report.tell(
            Code::NeverFits,
            at,
            || format!("{takes}, {what} `{}` is `{ty}`", text::name(name)),
            || help.to_owned(),
        );
    }

    /// The event that `fire_event` fires, if the tree says it.
    pub(super) fn fired(&mut self, call: &Place<'_>, placed: &[Option<Placed>]) {
        let literal = |at: usize| match placed.get(at) {
            Some(Some(Placed { source, from })) => match source {
                Source::Literal(value) => Some((value, (*from)?)),
                Source::Key(_) | Source::Property(_) | Source::Expression(_) => None,
            },
            _ => None,
        };
        let Some((Value::String(name), from)) = literal(0) else {
            return;
        };
        let event = self.known_event(&call.at.item(from).key("arg_value"), name);
        let (Some(event), Some((params, from))) = (event, literal(1)) else {
            return;
        };
        let item = call.at.item(from);
        let at = item.key("arg_value");
        match params {
            Value::Object(map) => {
                for name in map.keys() {
                    self.parameter(&at.key(name), event, name);
                }
            }
            Value::Array(pairs) => {
                for (i, pair) in pairs.iter().enumerate() {
                    if let Some(name) = pair.get(0).and_then(Value::as_str) {
                        self.parameter(&at.item(i), event, name);
                    }
                }
            }
            _ => {}
        }
    }
}

/// The stand-in for an argument that was reported already: a key that no other argument takes.
fn stand_in(place: usize) -> Source {
    Source::key(format!("\0{place}"))
}

/// The place of a bad argument.
struct Wrong<'w> {
    at: At<'w>,
    /// The item of the list, and the place in its value.
    inside: Option<(usize, String)>,
}

impl<'w> Wrong<'w> {
    fn of(
        call: &Place<'w>,
        method: &MethodEntry,
        placed: &[Option<Placed>],
        error: &ArgumentError,
    ) -> Wrong<'w> {
        let name = error.name();
        let place = match error.is_surplus() {
            true => Some(method.args.len()),
            false => method.args.iter().position(|arg| arg.name == name),
        };
        let from = place.and_then(|place| placed.get(place)?.as_ref()?.from);
        Wrong {
            at: call.at,
            inside: from.map(|from| (from, error.path())),
        }
    }

    /// Tells it at the value in question, as far inside as the value is known.
    fn tell(&self, tell: impl FnOnce(&At<'_>)) {
        let Some((from, path)) = &self.inside else {
            return tell(&self.at);
        };
        let item = self.at.item(*from);
        let value = item.key("arg_value");
        inside(&value, path, tell);
    }
}

/// Follows a path such as `.way[2].x`.
fn inside(at: &At<'_>, path: &str, tell: impl FnOnce(&At<'_>)) {
    let mut keys: Vec<Result<usize, &str>> = Vec::new();
    let mut rest = path;
    while let Some(step) = rest.chars().next() {
        let end = rest[1..].find(['.', '[']).map_or(rest.len(), |end| end + 1);
        let (one, more) = rest.split_at(end);
        let index = one.trim_matches(['[', ']']).parse();
        keys.push(match (step, index) {
            ('[', Ok(at)) => Ok(at),
            _ => Err(one.trim_start_matches('.')),
        });
        rest = more;
    }
    // A place is a list on the stack, so each step is a call; paths are as deep as JSON at most.
    fn go(at: &At<'_>, keys: &[Result<usize, &str>], tell: impl FnOnce(&At<'_>)) {
        match keys.split_first() {
            None => tell(at),
            Some((Ok(item), rest)) => go(&at.item(*item), rest, tell),
            Some((Err(key), rest)) => go(&at.key(key), rest, tell),
        }
    }
    go(at, &keys, tell);
}
