//! What a node calls: the name, what it stands for, and the arguments.

use serde_json::Value;

use super::arguments::{Misplaced, Placed, arranged, for_fallback, given};
use super::board::Forms;
use super::index::{Index, Named};
use super::report::{At, one_of, suggest};
use super::schema::forms;
use super::walk::{Node, Walk};
use crate::call::{ArgumentError, Source};
use crate::registry::catalogue::{MethodEntry, MethodKind, ValueEntry};
use crate::text;

/// Who calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Calling {
    Action,
    Condition,
    Decorator,
    /// An `action` below an `and` or an `or`.
    Asked(&'static str),
    Guard,
    ResetIf,
    Effect,
    Service,
}

impl Calling {
    /// What the keys of the call begin with.
    fn prefix(self) -> &'static str {
        match self {
            Calling::Guard | Calling::ResetIf => "condition",
            Calling::Decorator => "decorator",
            _ => "action",
        }
    }

    /// What kind of method it wants.
    fn wants(self) -> MethodKind {
        match self {
            Calling::Action | Calling::Effect | Calling::Service => MethodKind::Action,
            Calling::Decorator => MethodKind::Decorator,
            _ => MethodKind::Condition,
        }
    }

    fn takes(self, kind: MethodKind) -> bool {
        kind == self.wants() || self.wants() == MethodKind::Action && kind == MethodKind::Condition
    }

    /// What to do with a method that it does not take.
    fn instead(self, found: MethodKind) -> String {
        match (self, found) {
            (Calling::Asked(by), MethodKind::Action) => {
                let runs = if by == "and" { "sequence" } else { "select" };
                format!("below `{by}` are conditions; a `{runs}` runs actions too")
            }
            (Calling::Action | Calling::Asked(_) | Calling::Condition, MethodKind::Decorator) => {
                "a node of type `decorator` asks it".to_owned()
            }
            (Calling::Condition, MethodKind::Action) => {
                "a node of type `action` calls it".to_owned()
            }
            (Calling::Decorator, MethodKind::Condition) => {
                "a node of type `condition` asks it, and so do `guards`".to_owned()
            }
            (Calling::Decorator, _) => "a node of type `action` calls it".to_owned(),
            (Calling::Guard | Calling::ResetIf, _) => "only a condition is asked here".to_owned(),
            _ => "only an action or a condition is called here".to_owned(),
        }
    }
}

fn kind_word(kind: MethodKind) -> &'static str {
    match kind {
        MethodKind::Action => "action",
        MethodKind::Condition => "condition",
        MethodKind::Decorator => "decorator",
    }
}

fn article(kind: MethodKind) -> &'static str {
    super::report::article(kind_word(kind))
}

/// One call: where it is and what it calls.
struct Call<'v> {
    /// Where the list of arguments is, or the call itself.
    at: At<'v>,
    name: &'v str,
}

impl<'c> Walk<'c, '_> {
    /// What a node's own kind calls.
    pub(super) fn called(&mut self, at: &At<'_>, node: &Node<'c>) {
        let extra = &node.data.extra;
        let (name, args) = match node.kind.name.as_str() {
            "decorator" => ("decorator_name", "decorator_args"),
            _ => ("action_name", "action_args"),
        };
        let (name, args) = (extra.get(name), extra.get(args));
        match (node.kind.name.as_str(), node.asked_by) {
            ("action", Some(by)) => self.call_of(at, name, args, Calling::Asked(by)),
            ("action", None) => self.call_of(at, name, args, Calling::Action),
            ("condition", _) => self.call_of(at, name, args, Calling::Condition),
            ("decorator", _) => self.call_of(at, name, args, Calling::Decorator),
            ("run_limit", _) => {
                if let Some(guard) = extra.get("reset_if") {
                    self.call(&at.key("reset_if"), guard, Calling::ResetIf);
                }
            }
            _ => {}
        }
    }

    /// The call that an object describes.
    pub(super) fn call(&mut self, at: &At<'_>, object: &Value, calling: Calling) {
        let (name, args) = match calling.prefix() {
            "condition" => ("condition_name", "condition_args"),
            _ => ("action_name", "action_args"),
        };
        self.call_of(at, object.get(name), object.get(args), calling);
    }

    fn call_of(
        &mut self,
        at: &At<'_>,
        name: Option<&Value>,
        args: Option<&Value>,
        calling: Calling,
    ) {
        // What is no name, or no list of arguments, its schema has told of.
        let name = name.and_then(Value::as_str).filter(|name| !name.is_empty());
        let (Some(name), Some(agent)) = (name, self.agent) else {
            return;
        };
        let (name_key, args_key) = match calling.prefix() {
            "condition" => ("condition_name", "condition_args"),
            "decorator" => ("decorator_name", "decorator_args"),
            _ => ("action_name", "action_args"),
        };
        let at_name = at.key(name_key);
        let method = agent.method(name);
        match method {
            Some(method) => self.method(&at_name, name, method, calling),
            None if agent.has_fallback && calling != Calling::Decorator => {}
            None => return self.no_method(&at_name, agent, name, calling),
        }
        let Some(list) = given(args) else { return };
        let named: Vec<_> = list.iter().map(|given| given.name).collect();
        let at_args = at.key(args_key);
        let call = Call {
            at: if args.is_some() { at_args } else { *at },
            name: method.map_or(name, |method| &method.entry.item.name),
        };
        match method {
            Some(Named { entry, .. }) => {
                let (placed, misplaced) = arranged(&entry.args, list);
                self.misplaced(&call, &entry.args, misplaced, &named);
                self.arguments(&call, entry, &placed, &named);
                if entry.item.name == "fire_event" && entry.item.package == env!("CARGO_PKG_NAME") {
                    self.fired(&call, &placed);
                }
            }
            None => {
                let (placed, misplaced) = for_fallback(list);
                self.misplaced(&call, &[], misplaced, &named);
                for Placed { source, from } in placed.into_iter().flatten() {
                    let item = call.at.item(from.unwrap_or_default());
                    self.property_of(&item.key("arg_value"), &source);
                }
            }
        }
    }

    fn no_method(&mut self, at: &At<'_>, agent: &Index<'_>, name: &str, calling: Calling) {
        let wanted = calling.wants();
        let other = match (agent.property(name), agent.event(name)) {
            (Some(_), _) => Some("a property"),
            (_, Some(_)) => Some("an event"),
            _ => None,
        };
        self.report.error(
            at,
            || {
                let word = kind_word(wanted);
                let name = text::name(name);
                match other {
                    Some(other) => {
                        let an = article(wanted);
                        format!(
                            "`{name}` is {other} of agent `{}`, not {an} {word}",
                            agent.name()
                        )
                    }
                    None => format!("agent `{}` has no {word} `{name}`", agent.name()),
                }
            },
            || match other {
                Some("a property") => "an argument may take its value from it".to_owned(),
                Some(_) => "`fire_event` fires it, a `wait_event` waits for it".to_owned(),
                None => suggest(
                    name,
                    agent.methods_that(|method| calling.takes(method.kind)),
                ),
            },
        );
    }

    fn method(
        &mut self,
        at: &At<'_>,
        name: &str,
        method: Named<'_, MethodEntry>,
        calling: Calling,
    ) {
        let entry = method.entry;
        let kind = entry.kind;
        self.outdated(at, kind_word(kind), name, &entry.item, method.is_alias);
        if !calling.takes(kind) {
            let wanted = calling.wants();
            self.report.error(
                at,
                || {
                    let (is, not) = (kind_word(kind), kind_word(wanted));
                    format!(
                        "`{name}` is {} {is}, not {} {not}",
                        article(kind),
                        article(wanted)
                    )
                },
                || calling.instead(kind),
            );
        } else if entry.is_async && calling == Calling::Service {
            self.report.error(
                at,
                || format!("action `{name}` can stay running, which a service cannot wait for"),
                || "a service calls what is done at once".to_owned(),
            );
        } else if entry.is_async && calling == Calling::Effect {
            self.report.warning(
                at,
                || format!("action `{name}` can stay running, which an effect does not wait for"),
                String::new,
            );
        }
    }

    fn misplaced(
        &mut self,
        call: &Call<'_>,
        args: &[ValueEntry],
        all: Vec<Misplaced>,
        names: &[Option<&str>],
    ) {
        let of = format!("`{}`", text::name(call.name));
        let name_of = |from: usize| names[from].unwrap_or_default();
        let known = || args.iter().map(|arg| arg.name.as_str());
        for why in all {
            match why {
                Misplaced::Unknown(from) => {
                    let name = name_of(from);
                    self.report.error(
                        &call.at.item(from).key("arg_name"),
                        || format!("{of} has no argument `{}`", text::name(name)),
                        || match suggest(name, known()) {
                            none if !none.is_empty() => none,
                            _ if args.is_empty() => "it has none".to_owned(),
                            _ => format!("it has {}", one_of(known(), "and")),
                        },
                    );
                }
                Misplaced::Twice(from) => self.report.error(
                    &call.at.item(from),
                    || {
                        format!(
                            "{of}: argument `{}` is given twice",
                            text::name(name_of(from))
                        )
                    },
                    String::new,
                ),
                Misplaced::Unnamed(from) => self.report.error(
                    &call.at.item(from),
                    || format!("{of}: an argument without a name comes after one with a name"),
                    || "give it an `arg_name`, or put it first".to_owned(),
                ),
                Misplaced::NoNames(from) => self.report.error(
                    &call.at.item(from),
                    || {
                        format!(
                            "{of} is answered by the fallback, which knows no names of arguments"
                        )
                    },
                    || "leave `arg_name` out: it gets the values in their order".to_owned(),
                ),
                Misplaced::Missing(at) => {
                    let name = args.get(at).map_or("", |arg| arg.name.as_str());
                    self.report.error(
                        &call.at,
                        || format!("{of}: argument `{name}` is missing"),
                        String::new,
                    );
                }
            }
        }
    }

    /// The arguments of a method, in its order.
    fn arguments(
        &mut self,
        call: &Call<'_>,
        method: &MethodEntry,
        placed: &[Option<Placed>],
        names: &[Option<&str>],
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
            let known = self.property_of(&at, source);
            if let (Some(arg), Some(from)) = (arg, from) {
                self.argument_name(&item.key("arg_name"), arg, names[*from]);
                let wanted = forms(self.set.defs(), &arg.ty.schema);
                let (of, name, ty) = (&method.item.name, &arg.name, &arg.ty.type_name);
                self.never(&at, source, wanted, || {
                    format!("`{of}`: argument `{name}` is `{ty}`")
                });
            }
            sources.push(match known {
                true => source.clone(),
                false => stand_in(place),
            });
        }
        let found = self.set.knows.arguments(method, &sources);
        for error in &found.wrong {
            let at = Wrong::of(call, method, placed, error);
            let message = || format!("`{}`: {error}", method.item.name);
            at.tell(|at| self.report.error(at, message, String::new));
        }
        for error in &found.doubtful {
            let at = Wrong::of(call, method, placed, error);
            let message = || format!("`{}`: {error}", method.item.name);
            let help = || {
                "whether its type knows that by another name, the catalogue does not say".to_owned()
            };
            at.tell(|at| self.report.warning(at, message, help));
        }
    }

    /// An argument that is called by an old name, or not to be given any more.
    fn argument_name(&mut self, at: &At<'_>, arg: &ValueEntry, given: Option<&str>) {
        let now = &arg.name;
        if let Some(old) = given.filter(|given| given != now) {
            self.report.warning(
                at,
                || format!("argument `{old}` is now called `{now}`"),
                String::new,
            );
        }
        if arg.deprecated {
            self.report.warning(
                at,
                || format!("argument `{now}` is deprecated"),
                String::new,
            );
        }
    }

    /// Whether a source is no property, or one that there is; where not, that is told.
    pub(super) fn property_of(&mut self, at: &At<'_>, source: &Source) -> bool {
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
                self.report.error(
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
        wanted: Forms,
        takes: impl FnOnce() -> String,
    ) {
        let (what, name, ty, has) = match source {
            Source::Literal(_) => return,
            Source::Key(name) => match self.key(name) {
                Some(ty) => ("key", name, ty.to_string(), Forms::of(ty)),
                None => return,
            },
            Source::Property(name) => match self.agent.and_then(|agent| agent.property(name)) {
                Some(property) => {
                    let ty = &property.entry.ty;
                    let has = forms(self.set.defs(), &ty.schema);
                    ("property", name, ty.type_name.clone(), has)
                }
                None => return,
            },
        };
        if has.exclude(wanted) {
            let name = text::name(name);
            self.report.error(
                at,
                || format!("{}, {what} `{name}` is `{ty}`", takes()),
                String::new,
            );
        }
    }

    /// The event that `fire_event` fires, if the tree says it.
    fn fired(&mut self, call: &Call<'_>, placed: &[Option<Placed>]) {
        let literal = |at: usize| match placed.get(at) {
            Some(Some(Placed {
                source: Source::Literal(value),
                from,
            })) => Some((value, (*from)?)),
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

/// What stands for an argument that was told of already: a key that no other argument takes.
fn stand_in(place: usize) -> Source {
    Source::key(format!("\0{place}"))
}

/// Where a bad argument is.
struct Wrong<'w> {
    at: At<'w>,
    /// Which item of the list, and where in its value.
    inside: Option<(usize, String)>,
}

impl<'w> Wrong<'w> {
    fn of(
        call: &Call<'w>,
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
