//! The mistakes that a tree can have: a code for each, which never changes.

use std::fmt;
use std::str::FromStr;

/// The weight of a problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// It works, and is probably not meant.
    Warning,
    /// The runtime refuses the tree.
    Error,
}

macro_rules! codes {
    ($($(#[$doc:meta])* $code:ident = $number:literal, $name:literal, $level:ident, $brief:literal;)*) => {
        /// The code of a mistake.
        ///
        /// A code is a number that is never given to another mistake, and a name, by which levels are set
        /// and single places are left alone. `bt-meta explain BT0034` prints the page of one.
        ///
        /// ```
        /// use bt_core::tree::{Code, Level};
        ///
        /// let code: Code = "BT0034".parse().unwrap();
        /// assert_eq!(code, "unknown-action".parse().unwrap());
        /// assert_eq!((code.to_string().as_str(), code.level()), ("BT0034", Level::Error));
        /// ```
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        #[repr(u16)]
        pub enum Code {
            $(#[doc = $brief] $(#[$doc])* $code = $number,)*
        }

        impl Code {
            /// All of them, by number.
            pub const ALL: &[Code] = &[$(Code::$code),*];

            /// Its name, such as `unknown-action`.
            pub fn name(self) -> &'static str {
                match self { $(Code::$code => $name,)* }
            }

            /// Its subject, in a line.
            pub fn brief(self) -> &'static str {
                match self { $(Code::$code => $brief,)* }
            }

            /// Returns true if `validate` leaves it alone unless its level is set.
            pub fn is_off(self) -> bool {
                matches!(self, Code::OriginalEditor | Code::DueEveryPoll)
            }

            /// Returns whether the runtime refuses such a tree.
            pub fn level(self) -> Level {
                match self { $(Code::$code => Level::$level,)* }
            }
        }
    };
}

codes! {
    NotUtf8 = 1, "not-utf8", Error, "the file is not UTF-8";
    TooLarge = 2, "too-large", Error, "a file, a tree or its depth is over the limit";
    NotJson = 3, "not-json", Error, "the file is not JSON, or not an object";
    BadScript = 4, "bad-script", Error, "a line of a script is not a node";
    WrongForm = 5, "wrong-form", Error, "a value does not have the form of its key";
    MissingKey = 6, "missing-key", Error, "a required key is missing";
    RepeatedKey = 7, "repeated-key", Error, "an object has a key twice";
    RepeatedIdx = 8, "repeated-idx", Error, "two nodes have the same number";
    UnknownChild = 9, "unknown-child", Error, "a child is not in the file";
    SharedChild = 10, "shared-child", Error, "a node is listed as a child twice";
    OneRoot = 11, "one-root", Error, "a tree has exactly one root, which is nobody's child";
    Orphan = 12, "orphan", Error, "a node is nobody's child";
    WrongParent = 13, "wrong-parent", Error, "a node names another parent than the one that lists it";
    Cycle = 14, "cycle", Error, "a node is below itself";
    RefusedEdit = 15, "refused-edit", Error, "an edit would break the structure of the tree";
    UnknownType = 20, "unknown-type", Error, "no node type has that name";
    MisplacedRoot = 21, "misplaced-root", Error, "a root is on top and nowhere else";
    NotACondition = 22, "not-a-condition", Error, "below `and` and `or` are conditions";
    ChildCount = 23, "child-count", Error, "a node has too few children, or too many";
    UnknownKey = 24, "unknown-key", Error, "an object has a key that it cannot have";
    OutOfRange = 25, "out-of-range", Error, "a number, a text or a list is beyond its limits";
    UnknownChoice = 26, "unknown-choice", Error, "a word is not one of the choices";
    BadDeclaration = 27, "bad-declaration", Error, "a blackboard key is declared wrongly";
    MisplacedAbort = 28, "misplaced-abort", Error, "only children of a select abort what is to their right";
    ViewCopy = 29, "view-copy", Error, "a copy for the original editor stands in the place of its tree";
    UnknownAgent = 30, "unknown-agent", Error, "no agent has that name";
    OtherAgent = 31, "other-agent", Error, "a tree is for another agent";
    UnknownTree = 32, "unknown-tree", Error, "there is no tree of that name";
    RepeatedTree = 33, "repeated-tree", Error, "two trees have the same name";
    UnknownAction = 34, "unknown-action", Error, "the agent has no action, condition or decorator of that name";
    WrongKind = 35, "wrong-kind", Error, "an action is used as a condition, or the like";
    RunningService = 36, "running-service", Error, "a service calls an action that can stay running";
    UnknownArgument = 37, "unknown-argument", Error, "the called method has no argument of that name";
    MisplacedArgument = 38, "misplaced-argument", Error, "an argument is given twice, or at the wrong place";
    MissingArgument = 39, "missing-argument", Error, "an argument is missing";
    SurplusArgument = 40, "surplus-argument", Error, "there are more arguments than the called method takes";
    WrongArgument = 41, "wrong-argument", Error, "an argument has a value that it cannot have";
    UnknownProperty = 42, "unknown-property", Error, "the agent has no property of that name";
    NeverFits = 43, "never-fits", Error, "a key or a property has a type that can never match";
    UnknownParameter = 44, "unknown-parameter", Error, "the event has no parameter of that name";
    ConflictingKeys = 45, "conflicting-keys", Error, "two trees declare one key in different ways";
    Contradiction = 46, "contradiction", Error, "what is annotated contradicts itself";
    BadExpression = 47, "bad-expression", Error, "an expression cannot be read, or has no value of the type that is needed";
    UnknownResult = 48, "unknown-result", Error, "the called tree has no such key for each of its runs";
    Renamed = 50, "renamed", Warning, "an old name is used";
    Deprecated = 51, "deprecated", Warning, "something deprecated is used";
    UnknownEvent = 52, "unknown-event", Warning, "no agent registers an event of that name";
    MeaninglessKey = 53, "meaningless-key", Warning, "a key has no meaning where it is";
    BesideExtra = 54, "beside-extra", Warning, "a key is beside `extra` and belongs inside it";
    ManyChildren = 55, "many-children", Warning, "the original editor does not load so many children";
    RunningEffect = 56, "running-effect", Warning, "an effect does not wait for an action that can stay running";
    UndeclaredKey = 57, "undeclared-key", Warning, "a tree is given a key that it does not declare";
    DoubtfulArgument = 58, "doubtful-argument", Warning, "a value may be an old name, which the catalogue cannot say";
    DoubtfulExpression = 59, "doubtful-expression", Warning, "an expression works, and probably not as it is meant";
    Unreachable = 60, "unreachable", Warning, "a node never runs: what is before it always decides";
    NeverWaits = 61, "never-waits", Warning, "a tree never waits for anything: all of it runs in every poll";
    UnsetKey = 62, "unset-key", Warning, "a key is read, and nothing sets it";
    UnreadKey = 63, "unread-key", Warning, "a key is set, and nothing reads it";
    RacingKeys = 64, "racing-keys", Warning, "children of a parallel set the same key";
    IdleGuard = 66, "idle-guard", Warning, "a guard aborts on a change, and depends on nothing that changes";
    UnusedTree = 67, "unused-tree", Warning, "neither a tree nor the host runs a tree";
    EndlessRecursion = 68, "endless-recursion", Error, "a tree calls itself whatever happens";
    UselessAllow = 69, "useless-allow", Warning, "a comment allows a problem that is not there";
    OriginalEditor = 70, "original-editor", Warning, "the original editor loses, refuses or crashes on something";
    DisabledChildren = 71, "disabled-children", Warning, "a node has no child left, or another in a place, since children are disabled";
    ConstantExpression = 72, "constant-expression", Warning, "an expression is always true, or always false";
    RestartedLeaf = 73, "restarted-leaf", Warning, "a reactive node starts a leaf again each poll, and so aborts the next one";
    PolledGuard = 74, "polled-guard", Warning, "a guard is evaluated in every poll, and need not be, or only in part";
    LostUpdate = 75, "lost-update", Warning, "a value is written over before anything can read it";
    DueEveryPoll = 76, "due-every-poll", Warning, "a guard or a node keeps its agent due in every poll";
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BT{:04}", *self as u16)
    }
}

/// There is no such code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownCode {
    found: String,
}

impl fmt::Display for UnknownCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = crate::text::name(&self.found);
        let names = Code::ALL.iter().map(|code| code.name());
        let near = crate::text::suggest(&self.found, names);
        write!(f, "no problem has the code or name `{name}`{near}")
    }
}

impl std::error::Error for UnknownCode {}

impl FromStr for Code {
    type Err = UnknownCode;

    /// Of its number, `BT0034`, or its name, `unknown-action`.
    fn from_str(text: &str) -> Result<Code, UnknownCode> {
        let number = text
            .get(..2)
            .filter(|letters| letters.eq_ignore_ascii_case("bt"))
            .and_then(|_| text[2..].parse().ok());
        let is_it = |code: &&Code| code.name() == text || Some(**code as u16) == number;
        let found = Code::ALL.iter().find(is_it).copied();
        found.ok_or_else(|| UnknownCode {
            found: text.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_in_order_and_names_are_their_own() {
        assert!(Code::ALL.windows(2).all(|pair| pair[0] < pair[1]));
        let mut names: Vec<_> = Code::ALL.iter().map(|code| code.name()).collect();
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]));
    }

    #[test]
    fn a_code_is_found_by_number_and_by_name_and_a_slip_is_answered() {
        for code in Code::ALL {
            assert_eq!(code.to_string().parse(), Ok(*code));
            assert_eq!(code.name().parse(), Ok(*code));
        }
        assert_eq!("bt0050".parse(), Ok(Code::Renamed));
        let error = "renmaed".parse::<Code>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "no problem has the code or name `renmaed`; did you mean `renamed`?"
        );
        assert!("BT".parse::<Code>().is_err());
        assert!("ü".parse::<Code>().is_err());
    }
}
