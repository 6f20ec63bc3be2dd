//! What each name of an agent stands for, so that a name in the wrong place says where it belongs.

use std::fmt;

use super::CallError;
use crate::registry::catalogue::MethodKind;
use crate::registry::descriptor::ItemDesc;
use crate::registry::lookup::suggest;

/// What a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Action,
    Condition,
    Decorator,
    Property,
    Event,
}

impl From<MethodKind> for Kind {
    fn from(kind: MethodKind) -> Kind {
        match kind {
            MethodKind::Action => Kind::Action,
            MethodKind::Condition => Kind::Condition,
            MethodKind::Decorator => Kind::Decorator,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Action => "action",
            Kind::Condition => "condition",
            Kind::Decorator => "decorator",
            Kind::Property => "property",
            Kind::Event => "event",
        })
    }
}

impl Kind {
    fn article(self) -> &'static str {
        match self {
            Kind::Action | Kind::Event => "an",
            _ => "a",
        }
    }

    /// Whether both are looked up in one place: actions, conditions and decorators are.
    fn is_with(self, other: Kind) -> bool {
        let call = |kind| !matches!(kind, Kind::Property | Kind::Event);
        self == other || (call(self) && call(other))
    }

    fn remedy(self) -> &'static str {
        match self {
            Kind::Property => "`get` reads it, `set` writes it",
            Kind::Event => "fire it",
            _ => "`invoke` calls it",
        }
    }

    /// ``; `hp` is a property, not an action: …``
    pub(crate) fn instead_of(self, wanted: Kind, name: &str) -> String {
        format!(
            "`{name}` is {} {self}, not {} {wanted}: {}",
            self.article(),
            wanted.article(),
            self.remedy()
        )
    }
}

/// The names of everything that an agent has, own and inherited.
#[derive(Debug, Clone, Default)]
pub(crate) struct Names(Vec<(&'static str, Kind)>);

impl Names {
    pub(super) fn add(&mut self, item: &ItemDesc, kind: Kind) {
        self.0.push((item.name, kind));
        self.0.extend(item.aliases().map(|alias| (alias, kind)));
    }

    /// Nothing of the wanted kind has that name.
    #[cold]
    pub(super) fn unknown(&self, wanted: Kind, name: &str) -> CallError {
        if let Some((_, kind)) = self.0.iter().find(|(other, _)| *other == name) {
            return CallError::unknown(kind.instead_of(wanted, name));
        }
        let all = self.0.iter().filter(|(_, kind)| kind.is_with(wanted));
        let near = suggest(name, all.map(|(name, _)| *name));
        CallError::unknown(format!("no {wanted} `{name}`{near}"))
    }
}
