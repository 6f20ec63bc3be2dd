//! Trees as scripts: the inverse of reading them.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::super::TreeAsset;
use super::super::node::AssetNode;
use super::entry::{Moment, name_length};
use super::literal::{self, mark};
use crate::kinds::attached::{Abort, Effect, EventMode, EventTree, Guard, GuardMode, Service};
use crate::kinds::call::{Argument, ArgumentType, Arguments, Call};
use crate::kinds::number::Number;
use crate::kinds::root::AGENT_NAME;
use crate::kinds::set::Writes;
use crate::kinds::sub_tree::SubTree;
use crate::kinds::{KeyProblem, Kind, Params};
use crate::text::is_hidden;

/// The reason why something has no line.
type Line = Result<String, String>;

/// A step of the indentation.
const STEP: &str = "  ";

/// The keys of `extra` whose values are written as they are.
const DECLARED: &str = "blackboard";
const RESULTS_ON: &str = "results_on";

/// The keys of `extra` that are lines of their own.
const ATTACHED: [&str; 5] = ["guards", "effects", "services", "events", "blackboard"];

impl TreeAsset {
    /// The tree as an indented script. `remark` is written behind a node as its comment.
    ///
    /// A script has no colours, and of the keys of `extra` only those that mean something: [`from_script`] reads the same
    /// calls, attachments and keys of nodes from it. A `condition` is read as an `action`, which calls it as well.
    ///
    /// # Errors
    /// The nodes that cannot be written as lines, by their `idx`, each with the reason.
    ///
    /// ```
    /// use bt_core::TreeAsset;
    /// use bt_core::tree::asset::spec::{action, sequence};
    ///
    /// let top = sequence([action("walk_to").arg("gate"), action("shout")]);
    /// let tree = TreeAsset::build("day.json", "guard", top);
    /// let script = tree.to_script(&|node| (node.idx() > 0).then(|| node.idx().to_string()));
    /// assert_eq!(
    ///     script.unwrap(),
    ///     "AGENT guard\nSEQUENCE {}  # 1\n  walk_to \"gate\"  # 2\n  shout  # 3\n"
    /// );
    /// ```
    ///
    /// [`from_script`]: TreeAsset::from_script
    pub fn to_script(
        &self,
        remark: &dyn Fn(&AssetNode) -> Option<String>,
    ) -> Result<String, Vec<(u32, String)>> {
        let (mut text, mut wrong) = (String::new(), Vec::new());
        let mut next = vec![(0, self.root())];
        while let Some((depth, node)) = next.pop() {
            let below = node.parent().map_or(depth, |_| depth + 1);
            match lines(node, self.agent()) {
                Ok((own, attached)) => {
                    let remark = remark(node).map(|remark| one_line(&remark));
                    write(&mut text, depth, own, remark);
                    for line in attached {
                        write(&mut text, below, Some(line), None);
                    }
                }
                Err(why) => wrong.push((node.idx(), why)),
            }
            let children = node.children().iter().rev();
            next.extend(children.filter_map(|idx| Some((below, self.node(*idx)?))));
        }
        match wrong.is_empty() {
            true => Ok(text),
            false => Err(wrong),
        }
    }
}

fn write(text: &mut String, depth: usize, line: Option<String>, remark: Option<String>) {
    let Some(line) = line else { return };
    for _ in 0..depth {
        *text += STEP;
    }
    *text += &line;
    if let Some(remark) = remark {
        *text += "  # ";
        *text += &remark;
    }
    text.push('\n');
}

fn one_line(text: &str) -> String {
    crate::text::OneLine(text).to_string()
}

/// A node's line, and those of what is attached to it.
fn lines(node: &AssetNode, agent: Option<&str>) -> Result<(Option<String>, Vec<String>), String> {
    let mut unreadable = None;
    let typed = node.read(&mut |path, problem| {
        let pointer = path.pointer();
        // A key of its own that is missing, or that nobody knows, is no line's.
        let depth = pointer.matches('/').count();
        let is_own = depth < 2 || depth == 2 && matches!(problem, KeyProblem::Unknown { .. });
        if !is_own {
            unreadable.get_or_insert(pointer);
        }
    });
    if let Some(pointer) = unreadable {
        return Err(format!("`{pointer}` is not as a script has it"));
    }
    let own = match (node.parent(), &typed.params) {
        (None, _) => agent.map(|agent| root(node, agent)).transpose()?,
        (Some(_), None) => {
            let kind = crate::text::name(&node.kind);
            return Err(format!("there is no kind `{kind}`"));
        }
        (Some(_), Some(params)) => Some(own(node, params)?),
    };
    let attachments = &typed.attachments;
    let mut attached = Vec::new();
    for guard in &attachments.guards {
        attached.push(guard_line(guard)?);
    }
    for service in &attachments.services {
        attached.push(service_line(service)?);
    }
    for (when, list) in attachments.effects.lists() {
        for effect in list {
            let called = called(effect)?;
            attached.push(format!("ON {} {called}", Moment::word(when)));
        }
    }
    for event in &attachments.events {
        attached.push(event_line(event)?);
    }
    let declared = node.extra.get(DECLARED).and_then(Value::as_object);
    for (key, declaration) in declared.into_iter().flatten() {
        attached.push(format!(
            "KEY {} {}",
            plain_name(key)?,
            keys(declaration, "type")
        ));
    }
    Ok((own, attached))
}

/// `AGENT guard`, and a dict with other keys of the root.
fn root(node: &AssetNode, agent: &str) -> Line {
    let agent = plain_name(agent)?;
    let others = own_keys(node, Kind::Root, &[AGENT_NAME]);
    Ok(match others.is_empty() {
        true => format!("AGENT {agent}"),
        false => format!("AGENT {agent} {}", literal(&others.into())),
    })
}

/// The keys of a node that are its kind's, without those that are lines of their own.
fn own_keys(node: &AssetNode, kind: Kind, without: &[&str]) -> Map<String, Value> {
    let keys = node.extra.iter().filter(|(key, _)| {
        let key = key.as_str();
        kind.has_key(key) && !ATTACHED.contains(&key) && !without.contains(&key)
    });
    keys.map(|(key, value)| (key.clone(), value.clone()))
        .collect()
}

/// The line of a node that is not the root. That it is disabled only a dict can say.
fn own(node: &AssetNode, params: &Params<'_>) -> Line {
    let children = node.children().len();
    match params {
        Params::Sequence(own) if own.keep_place => Ok("SEQUENCE True".to_owned()),
        Params::Select(own) if own.keep_place => Ok("FALLBACK True".to_owned()),
        Params::ReactiveSequence(_) => Ok("SEQUENCE".to_owned()),
        Params::ReactiveSelect(_) => Ok("FALLBACK".to_owned()),
        Params::Sequence(_) => Ok("SEQUENCE {}".to_owned()),
        Params::Select(_) => Ok("SELECT".to_owned()),
        Params::Action(own) if children == 0 => call(&own.action),
        Params::Condition(own) if children == 0 => call(&own.action),
        Params::Decorator(own) if children == 1 => call(&own.decorator),
        Params::Composite(own) if children > 1 => call(&own.composite),
        Params::Action(_) | Params::Condition(_) | Params::Decorator(_) => Err(format!(
            "`{}` has no line over {children} children",
            params.kind().name()
        )),
        Params::SubTree(own) => sub_tree(node, own),
        Params::Check(own) if is_one_line(own.formula.0) => {
            Ok(format!("CHECK {}", own.formula.0.trim()))
        }
        Params::Set(own) if is_writes(&own.writes) => Ok(format!("SET {}", own.writes)),
        params => {
            let kind = params.kind();
            let keys = own_keys(node, kind, &[]);
            let word = kind.name().to_uppercase();
            Ok(match keys.is_empty() && kind != Kind::Parallel {
                true => word,
                false => format!("{word} {}", literal(&keys.into())),
            })
        }
    }
}

fn sub_tree(node: &AssetNode, own: &SubTree<'_>) -> Line {
    let words = ["sub_tree_name", "name_key", "args", "results", "results_on"];
    if !own_keys(node, Kind::SubTree, &words).is_empty() {
        let keys = own_keys(node, Kind::SubTree, &[]);
        return Ok(format!("SUB_TREE {}", literal(&keys.into())));
    }
    let tree = match (own.name_key, own.sub_tree_name) {
        (Some(key), None) => source(ArgumentType::Blackboard, key.0),
        (None, Some(name)) => literal(&name.0.into()),
        (None, None) | (Some(_), Some(_)) => {
            return Err("`SUB_TREE` takes one of `sub_tree_name` and `name_key`".to_owned());
        }
    };
    let given = own.args.0.iter().map(|(key, value)| {
        let value = value.as_ref().map(argument).transpose()?;
        let value = value.ok_or_else(|| format!("`{key}` has no value"))?;
        Ok(format!("{}: {value}", literal(&(*key).into())))
    });
    let given: Result<Vec<_>, String> = given.collect();
    let results = own.results.0.iter().map(|(key, own)| {
        let own = source(ArgumentType::Blackboard, own.0);
        format!("{}: {own}", literal(&(*key).into()))
    });
    let (given, results): (Vec<_>, Vec<_>) = (given?, results.collect());
    let mut line = format!("SUB_TREE {tree}");
    if !given.is_empty() || !results.is_empty() {
        line += &format!(", {{{}}}", given.join(", "));
    }
    if !results.is_empty() {
        line += &format!(", {{{}}}", results.join(", "));
        if let Some(on) = node.extra.get(RESULTS_ON) {
            line += &format!(", {}", literal(on));
        }
    }
    Ok(line)
}

fn call(call: &Call<'_>) -> Line {
    let name = plain_name(call.name)?;
    let args = arguments(&call.args)?;
    Ok(match args.is_empty() {
        true => name.to_owned(),
        false => format!("{name} {args}"),
    })
}

/// A name that a line can begin with.
fn plain_name(name: &str) -> Result<&str, String> {
    match !name.is_empty() && name_length(name) == name.len() {
        true => Ok(name),
        false => Err(format!(
            "`{}` is no name that a line can have",
            crate::text::name(name)
        )),
    }
}

fn arguments(args: &Arguments<'_>) -> Line {
    let all = args.all().ok_or("its arguments cannot be read")?;
    let each: Result<Vec<_>, String> = all.iter().map(argument).collect();
    let each = each?;
    let named = all.iter().filter_map(Argument::name);
    let named: Vec<_> = named.map(|name| literal(&name.into())).collect();
    if !named.is_empty() {
        let names: BTreeSet<_> = named.iter().collect();
        if names.len() < all.len() {
            return Err(
                "some of its arguments are named and some are not, or one is named twice"
                    .to_owned(),
            );
        }
        let pairs = named.iter().zip(&each);
        let pairs: Vec<_> = pairs
            .map(|(name, value)| format!("{name}: {value}"))
            .collect();
        return Ok(format!("{{{}}}", pairs.join(", ")));
    }
    let is_dict = |arg: &Argument<'_>| arg.plain().is_some_and(Value::is_object);
    Ok(match all {
        // A dict alone would be names of arguments.
        [one] if is_dict(one) => format!("({},)", each.join("")),
        _ => each.join(", "),
    })
}

fn argument(argument: &Argument<'_>) -> Line {
    let name = argument.value.0.as_str().unwrap_or_default();
    Ok(match argument.ty {
        ArgumentType::Plain => literal(argument.value.0),
        ArgumentType::Expression if is_one_line(name) => format!("({})", name.trim()),
        ArgumentType::Expression => return Err("an expression has more than one line".to_owned()),
        ArgumentType::Blackboard | ArgumentType::Property => source(argument.ty, name),
    })
}

/// `$key`, `@property`; `$"the key"` where it is no plain name.
fn source(ty: ArgumentType, name: &str) -> String {
    match plain_name(name) {
        Ok(name) => format!("{}{name}", mark(ty)),
        Err(_) => format!("{}{}", mark(ty), literal(&name.into())),
    }
}

fn guard_line(guard: &Guard<'_>) -> Line {
    let mut line = "GUARD".to_owned();
    if guard.not {
        line += " NOT";
    }
    line += match guard.abort {
        Abort::None => "",
        Abort::Own => " SELF",
        Abort::Lower => " LOWER",
        Abort::Both => " BOTH",
    };
    line += match guard.mode {
        Some(GuardMode::Poll) => " POLL",
        None => "",
    };
    let what = match guard.formula {
        Some(text) if !is_one_line(text.0) => {
            return Err("an expression has more than one line".to_owned());
        }
        // One that begins with a name would be a call.
        Some(text) if name_length(text.0.trim()) > 0 => format!("({})", text.0.trim()),
        Some(text) => text.0.trim().to_owned(),
        None => call(&guard.condition)?,
    };
    Ok(format!("{line} {what}"))
}

fn service_line(service: &Service<'_>) -> Line {
    let Number::Literal(seconds) = &service.seconds else {
        return Err("the seconds of a service are read from a key".to_owned());
    };
    let called = either(&service.action, &service.writes)?;
    Ok(format!("SERVICE {} {called}", seconds.0.0.as_secs_f64()))
}

fn called(effect: &Effect<'_>) -> Line {
    either(&effect.action, &effect.writes)
}

fn either(action: &Call<'_>, writes: &Writes<'_>) -> Line {
    match writes.0.is_empty() {
        true => call(action),
        false if is_writes(writes) => Ok(format!("SET {writes}")),
        false => Err("an expression has more than one line".to_owned()),
    }
}

fn event_line(event: &EventTree<'_>) -> Line {
    let name = plain_name(event.event.0)?;
    let mut keys = vec![format!("\"tree\": {}", literal(&event.tree.0.into()))];
    match event.mode {
        EventMode::Return => keys.push("\"mode\": \"return\"".to_owned()),
        EventMode::Transfer => {}
    }
    if event.once {
        keys.push("\"once\": True".to_owned());
    }
    let params = event.params.0.iter().map(|(param, key)| {
        let key = source(ArgumentType::Blackboard, key.0);
        format!("{}: {key}", literal(&(*param).into()))
    });
    let params: Vec<_> = params.collect();
    if !params.is_empty() {
        keys.push(format!("\"params\": {{{}}}", params.join(", ")));
    }
    Ok(format!("EVENT {name} {{{}}}", keys.join(", ")))
}

/// A dict; the text of its first key alone, if that is all.
fn keys(value: &Value, first: &str) -> String {
    match value.as_object() {
        Some(map) if map.len() == 1 && map.get(first).is_some_and(Value::is_string) => {
            literal(&map[first])
        }
        _ => literal(value),
    }
}

/// Returns true if the text of an expression can stand at the end of a line.
fn is_one_line(text: &str) -> bool {
    let text = text.trim();
    !text.is_empty()
        && !text.contains(['\n', '\r'])
        && !text.starts_with('{')
        && literal::expression(text) == (text, "")
}

fn is_writes(writes: &Writes<'_>) -> bool {
    is_one_line(&writes.to_string())
}

/// A value as Python writes it.
fn literal(value: &Value) -> String {
    match value {
        Value::Null => "None".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => quoted(text),
        Value::Array(items) => {
            let items: Vec<_> = items.iter().map(literal).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object(map) => {
            let items = map.iter();
            let items = items.map(|(key, item)| format!("{}: {}", quoted(key), literal(item)));
            format!("{{{}}}", items.collect::<Vec<_>>().join(", "))
        }
    }
}

fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for c in text.chars() {
        match c {
            '"' => quoted += "\\\"",
            '\\' => quoted += "\\\\",
            '\n' => quoted += "\\n",
            '\r' => quoted += "\\r",
            '\t' => quoted += "\\t",
            c if is_hidden(c) => match u32::from(c) {
                code @ ..0x100 => quoted += &format!("\\x{code:02x}"),
                code @ 0x100..0x10000 => quoted += &format!("\\u{code:04x}"),
                code => quoted += &format!("\\U{code:08x}"),
            },
            c => quoted.push(c),
        }
    }
    quoted + "\""
}
