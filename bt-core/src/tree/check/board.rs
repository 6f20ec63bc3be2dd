//! Keys that trees declare: what stands in `extra.blackboard`, and what types have in common.

use crate::tree::Code;
use serde_json::Value;

use super::report::{At, Report};
use crate::blackboard::{Declaration, ValueType};
use crate::expression::Type;
use crate::kinds::attached::{Declarations, DeclaredScope};
use crate::kinds::values::{Json, Name};
use crate::tree::asset::AssetNode;

/// The owner of the value of a declared key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    /// The agent, whatever tree it runs.
    AllTrees,
    /// All agents that share a board.
    AllAgents,
    /// One run of the tree.
    OneTree,
    /// One run of the tree; the node and what is below it see it.
    OneNode,
}

/// A key that a node declares.
#[derive(Debug)]
pub struct Declared<'t> {
    /// Its name.
    pub key: &'t str,
    /// The owner of its value.
    pub owner: Owner,
    /// Its type.
    pub ty: ValueType,
    /// The initial value.
    pub initial: Option<&'t Value>,
}

impl Declared<'_> {
    /// The declaration for a blackboard.
    pub fn declaration(&self) -> Declaration {
        let mut declaration = Declaration::new(self.key, self.ty.clone());
        if let Some(initial) = self.initial {
            declaration = declaration.initial(initial.clone());
        }
        match self.owner {
            Owner::AllAgents => declaration.global(),
            Owner::AllTrees | Owner::OneTree | Owner::OneNode => declaration,
        }
    }
}

/// The keys that a node declares, but for those that are declared wrongly.
pub fn declared(node: &AssetNode) -> impl Iterator<Item = Declared<'_>> {
    let typed = node.typed();
    let all: Vec<_> = declared_as(typed.declared(), node).collect();
    all.into_iter()
}

/// The same, of what was read of the node.
pub(crate) fn declared_as<'t>(
    Declarations(all): &Declarations<'t>,
    node: &AssetNode,
) -> impl Iterator<Item = Declared<'t>> {
    let is_root = node.parent().is_none();
    all.iter().filter_map(move |&(key, ref declaration)| {
        Some(Declared {
            key,
            owner: match declaration.scope {
                _ if !is_root => Owner::OneNode,
                None | Some(DeclaredScope::Agent) => Owner::AllTrees,
                Some(DeclaredScope::Global) => Owner::AllAgents,
                Some(DeclaredScope::Tree) => Owner::OneTree,
            },
            ty: declaration.ty.0.parse().ok()?,
            initial: declaration.initial.map(|Json(initial)| initial),
        })
    })
}

/// Looks at what a node declares: the types, the initial values, who may say a scope.
pub(super) fn check(node: &AssetNode, all: &Declarations<'_>, at: &At<'_>, report: &mut Report) {
    let at = at.key("blackboard");
    for (key, declaration) in &all.0 {
        let at = at.key(key);
        if key.is_empty() {
            let name = || "the name of a key is empty".to_owned();
            report.tell(Code::BadDeclaration, &at, name, String::new);
        }
        if node.parent().is_some() && declaration.scope.is_some() {
            scope_below(&at, report);
        }
        let Name(name) = declaration.ty;
        match name.parse::<ValueType>() {
            // Of which there is a problem already.
            Err(_) if name.is_empty() => {}
            Err(why) => {
                let at = at.key("type");
                report.tell(
                    Code::BadDeclaration,
                    &at,
                    || format!("{}{why}", at.words()),
                    String::new,
                );
            }
            Ok(ty) => {
                let Some(Json(initial)) = declaration.initial else {
                    continue;
                };
                if let Err(why) = ty.check(initial) {
                    let at = at.key("initial");
                    report.tell(
                        Code::BadDeclaration,
                        &at,
                        || format!("{}{why}", at.words()),
                        String::new,
                    );
                }
            }
        }
    }
}

fn scope_below(at: &At<'_>, report: &mut Report) {
    let at = at.key("scope");
    report.tell(
        Code::BadDeclaration,
        &at,
        || format!("{}only what the root declares has a scope", at.words()),
        || "this node and what is below it see the key".to_owned(),
    );
}

/// The kinds of JSON values of a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Forms(u8);

impl Forms {
    pub(super) const NONE: Forms = Forms(0);
    pub(super) const NULL: Forms = Forms(1);
    pub(super) const BOOL: Forms = Forms(2);
    pub(super) const NUMBER: Forms = Forms(4);
    pub(super) const TEXT: Forms = Forms(8);
    pub(super) const ARRAY: Forms = Forms(16);
    /// An object, which may be written as an array of pairs.
    pub(super) const OBJECT: Forms = Forms(16 | 32);
    pub(super) const ALL: Forms = Forms(63);

    pub(super) fn or(self, other: Forms) -> Forms {
        Forms(self.0 | other.0)
    }

    pub(super) fn and(self, other: Forms) -> Forms {
        Forms(self.0 & other.0)
    }

    /// Returns true if no value is of both types.
    pub(super) fn exclude(self, other: Forms) -> bool {
        self.and(other) == Forms::NONE
    }

    pub(super) fn of_type(ty: &Type) -> Forms {
        match ty {
            Type::Any => Forms::ALL,
            Type::Null => Forms::NULL,
            Type::Bool => Forms::BOOL,
            Type::Integer | Type::Number => Forms::NUMBER,
            Type::Text | Type::Choice(_) => Forms::TEXT,
            Type::List(_) => Forms::ARRAY,
            Type::Map(_) | Type::Object(..) => Forms::OBJECT,
            Type::Optional(inner) => Forms::of_type(inner).or(Forms::NULL),
        }
    }

    pub(super) fn of(ty: &ValueType) -> Forms {
        match ty {
            ValueType::Bool => Forms::BOOL,
            ValueType::Integer { .. } | ValueType::Float | ValueType::Double => Forms::NUMBER,
            ValueType::Text => Forms::TEXT,
            ValueType::Any => Forms::ALL,
            ValueType::Array(_) => Forms::ARRAY,
            ValueType::Map(_) => Forms::OBJECT,
            ValueType::Optional(inner) => Forms::of(inner).or(Forms::NULL),
        }
    }
}
