//! The functions that every expression has: without side effects.

/// A built-in function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is its name")]
pub enum Builtin {
    Min,
    Max,
    Abs,
    Clamp,
    Round,
    Floor,
    Ceil,
    Len,
    Has,
}

/// The names of the built-in functions: a method of such a name is not called in expressions.
pub fn builtin_names() -> impl Iterator<Item = &'static str> {
    Builtin::ALL.into_iter().map(Builtin::name)
}

impl Builtin {
    pub(super) const ALL: [Builtin; 9] = [
        Builtin::Min,
        Builtin::Max,
        Builtin::Abs,
        Builtin::Clamp,
        Builtin::Round,
        Builtin::Floor,
        Builtin::Ceil,
        Builtin::Len,
        Builtin::Has,
    ];

    pub(super) fn named(name: &str) -> Option<Builtin> {
        Builtin::ALL.into_iter().find(|one| one.name() == name)
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Builtin::Min => "min",
            Builtin::Max => "max",
            Builtin::Abs => "abs",
            Builtin::Clamp => "clamp",
            Builtin::Round => "round",
            Builtin::Floor => "floor",
            Builtin::Ceil => "ceil",
            Builtin::Len => "len",
            Builtin::Has => "has",
        }
    }

    /// The names of its parameters; none if it takes as many numbers as one gives it.
    pub(super) fn params(self) -> Option<&'static [&'static str]> {
        match self {
            Builtin::Min | Builtin::Max => None,
            Builtin::Clamp => Some(&["x", "lo", "hi"]),
            Builtin::Abs | Builtin::Round | Builtin::Floor | Builtin::Ceil => Some(&["x"]),
            Builtin::Len => Some(&["of"]),
            Builtin::Has => Some(&["path"]),
        }
    }
}
