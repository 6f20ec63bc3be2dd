//! Scripts in trees: what they write, and what they ask.

use bt_core::tree::asset::spec::{Call, NodeSpec, check, sequence, set, writes};

use super::super::script::{self, Fault, Names, Statement};
use super::super::xml::{Attribute, Element};
use super::{Builder, succeeds};
use crate::import::names;
use crate::import::types::Type;

/// A key that is written: the key, the expression, and whether it must be set before.
pub(super) struct Write {
    key: String,
    value: String,
    must_be: bool,
}

/// The names of a script in the tree that is being built.
struct Here<'b, 'f>(&'b mut Builder<'f>);

impl Names for Here<'_, '_> {
    fn key(&mut self, name: &str) -> String {
        self.0.key(name)
    }

    fn type_of(&self, key: &str) -> Option<Type> {
        self.0.type_of(key)
    }

    fn number(&self, name: &str) -> Option<i64> {
        self.0.options.enums.get(name).copied()
    }
}

impl Write {
    /// As a leaf, or two where the key must be set.
    pub(super) fn specs(&self) -> Vec<NodeSpec> {
        let key = names::key(&self.key);
        let check = self.must_be.then(|| check(&format!("has({key})")));
        check
            .into_iter()
            .chain([set([(key.as_str(), self.value.as_str())])])
            .collect()
    }

    /// As an effect.
    pub(super) fn call(&self) -> Call {
        writes([(names::key(&self.key).as_str(), self.value.as_str())])
    }
}

/// Several leaves as one node.
pub(super) fn together(mut specs: Vec<NodeSpec>) -> NodeSpec {
    match specs.len() {
        1 => specs.remove(0),
        _ => sequence(specs),
    }
}

impl Builder<'_> {
    /// The writes of a script; none where it cannot be read or written here, which is said.
    pub(super) fn writes(&mut self, attribute: &Attribute) -> Option<Vec<Write>> {
        let script = self.read(attribute)?;
        let mut all = Vec::new();
        for statement in &script {
            match statement {
                Statement::Value(_) => self.note(
                    &attribute.place,
                    "a statement of the script computes a value that nothing takes; it is not imported",
                    "nothing need be done",
                ),
                Statement::Write { .. } => all.push(self.write(attribute, statement)?),
            }
        }
        Some(all)
    }

    fn write(&mut self, attribute: &Attribute, statement: &Statement) -> Option<Write> {
        let Statement::Write {
            at,
            name,
            sign,
            value,
        } = statement
        else {
            return None;
        };
        if self.options.enums.contains_key(name) {
            let fault = Fault {
                at: *at,
                message: format!("`{name}` is the name of a number, and is written to"),
                help: "give the entry another name",
            };
            return self.faulty(attribute, Err(fault));
        }
        let key = self.key(name);
        let written = script::write(&key, sign, value, &mut Here(self));
        let written = self.faulty(attribute, written)?;
        self.found.types.written(&key, written.ty);
        let must_be = *sign == "=" && !self.known.on_ports.contains(&key);
        if *sign == ":=" {
            self.found.written.insert(key.clone());
        }
        Some(Write {
            key,
            value: written.text,
            must_be,
        })
    }

    /// The condition that a script evaluates, as one of our expressions; none where there is none, which is said.
    pub(super) fn question(&mut self, attribute: &Attribute) -> Option<String> {
        let script = self.read(attribute)?;
        let [Statement::Value(asked)] = script.as_slice() else {
            self.lost(
                &attribute.place,
                "a condition writes to the blackboard, which no condition does here",
                "write it in a `Script` in front of the node, and ask here only",
            );
            return None;
        };
        let asked = script::truth(asked, &mut Here(self));
        Some(self.faulty(attribute, asked)?.text)
    }

    fn read(&mut self, attribute: &Attribute) -> Option<script::Script> {
        let script = script::parse(&attribute.value);
        self.faulty(attribute, script)
    }

    fn faulty<T>(&mut self, attribute: &Attribute, result: Result<T, Fault>) -> Option<T> {
        match result {
            Ok(good) => Some(good),
            Err(fault) => {
                let place = attribute.at(fault.at);
                self.lost(
                    &place,
                    format!("{} in the script of `{}`", fault.message, attribute.name),
                    fault.help,
                );
                None
            }
        }
    }

    /// `Script`.
    pub(super) fn script_leaf(&mut self, element: &Element) -> NodeSpec {
        let Some(code) = self.code(element) else {
            return self.without_code(element);
        };
        let Some(writes) = self.writes(&code) else {
            return not_imported(element);
        };
        match writes.is_empty() {
            true => succeeds(),
            false => together(writes.iter().flat_map(Write::specs).collect()),
        }
    }

    /// `ScriptCondition`: the value of its last statement decides.
    pub(super) fn script_condition(&mut self, element: &Element) -> NodeSpec {
        let Some(code) = self.code(element) else {
            return self.without_code(element);
        };
        let Some(script) = self.read(&code) else {
            return not_imported(element);
        };
        let mut specs = Vec::new();
        for (at, statement) in script.iter().enumerate() {
            match statement {
                Statement::Write { .. } => match self.write(&code, statement) {
                    Some(write) => specs.extend(write.specs()),
                    None => return not_imported(element),
                },
                Statement::Value(asked) if at + 1 == script.len() => {
                    let asked = script::truth(asked, &mut Here(self));
                    match self.faulty(&code, asked) {
                        Some(asked) => specs.push(check(&asked.text)),
                        None => return not_imported(element),
                    }
                }
                Statement::Value(_) => {}
            }
        }
        if let Some(Statement::Write { name, .. }) = script.last() {
            let key = names::key(&self.key(name));
            specs.push(check(&format!("{key} != false && {key} != 0")));
        }
        together(specs)
    }

    /// The script of a leaf; one that stands under a key is none that can be read.
    fn code(&mut self, element: &Element) -> Option<Attribute> {
        let code = element.attribute("code")?;
        (!code.value.trim_start().starts_with('{')).then(|| code.clone())
    }

    fn without_code(&mut self, element: &Element) -> NodeSpec {
        let message = format!(
            "`{}` has no `code`, or takes it from the blackboard when it runs",
            element.name
        );
        self.refuse(element, message, "write the script into `code`")
    }

    /// A value of the blackboard or a literal, as an expression; literals as a type has them.
    pub(super) fn operand(&mut self, attribute: &Attribute, ty: Option<Type>) -> String {
        match super::super::models::key(&attribute.name, &attribute.value) {
            Some(name) => names::key(&self.key(name)),
            None => match ty.unwrap_or(Type::Any).value(&attribute.value) {
                Some(serde_json::Value::String(text)) => names::text(&text),
                Some(value) => value.to_string(),
                None => names::text(&attribute.value),
            },
        }
    }
}

/// In place of a leaf whose script is lost, which has been said.
pub(super) fn not_imported(element: &Element) -> NodeSpec {
    check("false").comment(format!("NOT IMPORTED: <{}>", element.name))
}
