//! The meaning of each name of an agent, so that the error for a name in the wrong place shows where it
//! belongs.

use std::fmt;

use crate::call::table::item::ItemDesc;
use crate::describe::catalogue::MethodKind;
use crate::error::CallError;
use crate::text;
use crate::text::nearest;

/// The meaning of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Action,
    Condition,
    Query,
    Decorator,
    Composite,
    Property,
    Event,
}

impl From<MethodKind> for Kind {
    fn from(kind: MethodKind) -> Kind {
        match kind {
            MethodKind::Action => Kind::Action,
            MethodKind::Condition => Kind::Condition,
            MethodKind::Query => Kind::Query,
            MethodKind::Decorator => Kind::Decorator,
            MethodKind::Composite => Kind::Composite,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Action => "action",
            Kind::Condition => "condition",
            Kind::Query => "query",
            Kind::Decorator => "decorator",
            Kind::Composite => "composite",
            Kind::Property => "property",
            Kind::Event => "event",
        })
    }
}

impl Kind {
    fn article(self) -> &'static str {
        match self {
            Kind::Action | Kind::Event => "an",
            Kind::Condition | Kind::Query | Kind::Decorator | Kind::Composite | Kind::Property => {
                "a"
            }
        }
    }

    /// Returns true if both are looked up in one place: actions, conditions, queries, decorators and composites are.
    fn is_with(self, other: Kind) -> bool {
        let call = |kind| !matches!(kind, Kind::Property | Kind::Event);
        self == other || (call(self) && call(other))
    }

    fn remedy(self) -> &'static str {
        match self {
            Kind::Property => "`get` reads it, `set` writes it",
            Kind::Event => "fire it",
            Kind::Query => "`query` calls it",
            Kind::Action | Kind::Condition | Kind::Decorator | Kind::Composite => {
                "`invoke` calls it"
            }
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
pub(crate) struct Names(Vec<Named>);

#[derive(Debug, Clone, Copy)]
struct Named {
    name: &'static str,
    kind: Kind,
    /// The registered name, where `name` is an alias.
    now: Option<&'static str>,
    /// The replacement, where it is deprecated.
    deprecated: Option<&'static str>,
}

impl Names {
    pub(super) fn add(&mut self, item: &ItemDesc, kind: Kind) {
        let deprecated = item.deprecated();
        let own = Named {
            name: item.name,
            kind,
            now: None,
            deprecated,
        };
        self.0.push(own);
        self.0.extend(item.aliases().map(|alias| Named {
            name: alias,
            now: Some(item.name),
            ..own
        }));
    }

    /// Nothing of the wanted kind has that name.
    #[cold]
    pub(super) fn unknown(&self, wanted: Kind, name: &str) -> CallError {
        if let Some(other) = self.0.iter().find(|other| other.name == name) {
            return CallError::unknown(other.kind.instead_of(wanted, name));
        }
        let all = || self.0.iter().filter(|named| named.kind.is_with(wanted));
        let near = nearest(name, all().map(|named| named.name));
        let near = near
            .iter()
            .filter_map(|near| all().find(|named| named.name == near));
        // An alias and its name may both be near.
        let mut meant = Vec::new();
        for named in near {
            let text = named.to_string();
            if !meant.contains(&text) {
                meant.push(text);
            }
        }
        let near = match meant.as_slice() {
            [] => String::new(),
            [one] => format!("; did you mean {one}?"),
            [some @ .., last] => format!("; did you mean {} or {last}?", some.join(", ")),
        };
        let name = text::name(name);
        CallError::unknown(format!("no {wanted} `{name}`{near}"))
    }
}

/// Displays the advice: the registered name, and its replacement where that is deprecated.
impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", self.now.unwrap_or(self.name))?;
        match (self.now, self.deprecated) {
            (Some(_), _) => write!(f, " (once `{}`)", self.name),
            (None, Some("")) => f.write_str(" (deprecated)"),
            (None, Some(note)) => write!(f, " (deprecated: {note})"),
            (None, None) => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::ActionSet;
    use crate::prelude::*;

    #[derive(Agent)]
    #[agent(no_base)]
    struct Crane;

    #[agent]
    impl Crane {
        #[action(alias = ["hoist"])]
        fn lift() {}
        #[action]
        #[deprecated = "use `lift`"]
        fn raise_up() {}
        #[property]
        const REACH: u32 = 7;
        #[event]
        fn tilted();
    }

    #[test]
    fn a_name_that_is_unknown_is_answered_with_the_one_to_write() {
        let actions = ActionSet::<Crane>::collect().unwrap();
        let unknown = |name| match actions.find(name) {
            Ok(_) => panic!("{name} is known"),
            Err(error) => {
                assert!(error.is_unknown() && !error.is_unknown_agent());
                error.to_string()
            }
        };
        assert_eq!(unknown("lfit"), "no action `lfit`; did you mean `lift`?");
        assert_eq!(
            unknown("hoits"),
            "no action `hoits`; did you mean `lift` (once `hoist`)?"
        );
        assert_eq!(
            unknown("raise_pu"),
            "no action `raise_pu`; did you mean `raise_up` (deprecated: use `lift`)?"
        );
        assert_eq!(unknown("teleport"), "no action `teleport`");
        assert_eq!(
            unknown("REACH"),
            "`REACH` is a property, not an action: `get` reads it, `set` writes it"
        );
        assert_eq!(
            unknown("tilted"),
            "`tilted` is an event, not an action: fire it"
        );
        let error = Registry::global()
            .unwrap()
            .event("crain", "tilted", &serde_json::Value::Null);
        let error = error.unwrap_err();
        assert!(error.is_unknown_agent() && error.is_unknown(), "{error}");
        assert_eq!(error.to_string(), "no agent `crain`; did you mean `crane`?");
    }
}
