//! A node's keys to typed parameters: every problem at once, and a JSON Schema of the same list.
//!
//! A value that cannot be read leaves a hole, of which there is a problem: an empty name, a zero. So
//! whoever checks a tree continues with the rest, and whoever builds one refuses it.

use std::fmt::Display;

use serde_json::{Map, Value, json};

use super::path::Path;

/// The fault of a key or its value.
#[derive(Clone, Copy)]
pub enum KeyProblem<'p> {
    /// A value of another form.
    WrongForm {
        /// The right one.
        expected: &'p str,
        /// The value.
        found: &'p Value,
    },
    /// A value of the right form that is beyond a limit.
    OutOfRange {
        /// The expected form.
        expected: &'p dyn Display,
        /// The value.
        found: &'p dyn Display,
    },
    /// None of the words that there are.
    UnknownChoice {
        /// The words.
        choices: &'p [&'p str],
        /// The value.
        found: &'p Value,
    },
    /// A key of an object that takes no others than its own.
    Refused {
        /// The object's own keys.
        keys: Keys,
        /// The key.
        key: &'p str,
    },
    /// A key that nobody knows, which files keep.
    Unknown {
        /// The keys that are known.
        keys: Keys,
        /// The key.
        key: &'p str,
    },
    /// A key that must be there.
    Missing {
        /// The keys that are known.
        keys: Keys,
        /// The key.
        key: &'p str,
        /// The description of the keys.
        description: &'p str,
        /// The object.
        object: &'p Map<String, Value>,
    },
    /// Keys of which one at least must be there.
    MissingOneOf {
        /// The keys.
        keys: &'p [&'p str],
        /// Their description.
        description: &'p str,
    },
}

/// A collector of problems.
pub type Problems<'p> = dyn FnMut(&Path<'_>, KeyProblem<'_>) + 'p;

/// The keys that an object has.
#[derive(Clone, Copy)]
pub struct Keys {
    /// Returns true if a key is one of them.
    pub has: fn(&str) -> bool,
    /// All of them, sorted.
    pub names: fn() -> Vec<String>,
}

impl Keys {
    fn of<'t, F: Fields<'t>>() -> Keys {
        Keys {
            has: F::has,
            names: || names(F::describe),
        }
    }
}

/// The names of what is described, sorted.
pub(super) fn names(describe: impl FnOnce(&mut ObjectSchema)) -> Vec<String> {
    let mut schema = ObjectSchema::default();
    describe(&mut schema);
    let mut names: Vec<_> = schema.properties.into_iter().map(|(key, _)| key).collect();
    names.sort();
    names
}

/// The JSON Schema of an object while it is written.
#[derive(Default)]
pub(crate) struct ObjectSchema {
    pub(super) properties: Map<String, Value>,
    pub(super) required: Vec<String>,
}

impl ObjectSchema {
    pub(super) fn add(&mut self, key: String, mut schema: Value, doc: &str, required: bool) {
        if let (Value::Object(schema), false) = (&mut schema, doc.is_empty()) {
            schema.insert("description".to_owned(), doc.into());
        }
        if required {
            self.required.push(key.clone());
        }
        self.properties.insert(key, schema);
    }

    pub(super) fn into_value(self) -> Value {
        let mut schema = json!({"type": "object", "properties": self.properties});
        if !self.required.is_empty() {
            schema["required"] = json!(self.required);
        }
        schema
    }
}

/// One JSON value.
pub(crate) trait FromJson<'t>: Sized {
    /// The value; a hole, and a problem, if it is not one.
    fn read(json: &'t Value, path: &Path<'_>, problems: &mut Problems<'_>) -> Self;
    /// The expected form.
    fn schema() -> Value;
}

/// The fields of an object under their keys.
pub(crate) trait Fields<'t>: Sized {
    /// The value without any key.
    fn empty() -> Self;
    /// Returns true if a key is one of its own.
    fn has(key: &str) -> bool;
    /// Reads the value of a key, if it is one of its own; `path` is the object's.
    fn read_key(
        &mut self,
        key: &str,
        json: &'t Value,
        path: &Path<'_>,
        problems: &mut Problems<'_>,
    ) -> bool;
    /// Reports the keys that must be in an object and are not.
    fn report_missing(
        object: &Map<String, Value>,
        keys: Keys,
        path: &Path<'_>,
        problems: &mut Problems<'_>,
    );
    /// Adds its keys to the JSON Schema of an object.
    fn describe(schema: &mut ObjectSchema);
    /// Shows in a drawing the fields that have a label and differ from their defaults.
    fn display(&self, part: &mut dyn FnMut(String));
}

/// A field: mostly one key; a call has two, `action_name` and `action_args`.
pub(crate) trait Field<'t>: Sized {
    /// The value while its key is absent.
    fn hole() -> Self;
    /// Returns true if a key is one of its own.
    fn has(name: &str, key: &str) -> bool;
    /// Reads the value of one of its keys.
    fn read_key(
        &mut self,
        name: &str,
        key: &str,
        json: &'t Value,
        path: &Path<'_>,
        problems: &mut Problems<'_>,
    );
    /// The key that must be in an object and is not.
    fn missing(name: &'static str, object: &Map<String, Value>) -> Option<String>;
    /// Adds its keys to the JSON Schema of an object.
    fn describe(name: &str, doc: &str, required: bool, schema: &mut ObjectSchema);
}

impl<'t, T: FromJson<'t> + Default> Field<'t> for T {
    fn hole() -> T {
        T::default()
    }

    #[inline]
    fn has(name: &str, key: &str) -> bool {
        name == key
    }

    fn read_key(
        &mut self,
        _: &str,
        _: &str,
        json: &'t Value,
        path: &Path<'_>,
        problems: &mut Problems<'_>,
    ) {
        *self = T::read(json, path, problems);
    }

    fn missing(name: &'static str, object: &Map<String, Value>) -> Option<String> {
        (!object.contains_key(name)).then(|| name.to_owned())
    }

    fn describe(name: &str, doc: &str, required: bool, schema: &mut ObjectSchema) {
        schema.add(name.to_owned(), T::schema(), doc, required);
    }
}

/// Keys of an object that are none of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Others {
    Refused,
    Kept,
}

/// Reads an object; a hole, and a problem, if it is none.
pub(super) fn read_object<'t, F: Fields<'t>>(
    json: &'t Value,
    others: Others,
    path: &Path<'_>,
    problems: &mut Problems<'_>,
) -> F {
    let mut fields = F::empty();
    let Some(object) = as_object(json, path, problems) else {
        return fields;
    };
    let keys = Keys::of::<F>();
    for (key, json) in object {
        if !fields.read_key(key, json, path, problems) {
            let problem = match others {
                Others::Refused => KeyProblem::Refused { keys, key },
                Others::Kept => KeyProblem::Unknown { keys, key },
            };
            problems(&path.key(key), problem);
        }
    }
    F::report_missing(object, keys, path, problems);
    fields
}

/// The keys of an object; none, and a problem, if the value is another.
pub(super) fn as_object<'t>(
    json: &'t Value,
    path: &Path<'_>,
    problems: &mut Problems<'_>,
) -> Option<&'t Map<String, Value>> {
    let object = json.as_object();
    if object.is_none() {
        wrong_form("an object", json, path, problems);
    }
    object
}

#[cold]
pub(super) fn wrong_form(
    expected: &str,
    found: &Value,
    path: &Path<'_>,
    problems: &mut Problems<'_>,
) {
    problems(path, KeyProblem::WrongForm { expected, found });
}

#[cold]
pub(super) fn out_of_range(
    expected: &dyn Display,
    found: &Value,
    path: &Path<'_>,
    problems: &mut Problems<'_>,
) {
    let found = &crate::decode::shown(found);
    problems(path, KeyProblem::OutOfRange { expected, found });
}

/// The fields of an object, each with its description: what is written in the JSON Schema, in manuals
/// and in what is said of a missing key. A field with a default may be left out. `field as "key"` is for
/// keys that are no names in Rust. What stands behind `=>` is how a drawing shows the value.
macro_rules! fields {
    ($(#[doc = $about:literal])* pub struct $name:ident<$t:lifetime> { $($fields:tt)* }) => {
        fields!(@struct [$($about)*] $name [<$t>] $t { $($fields)* });
    };
    ($(#[doc = $about:literal])* pub struct $name:ident { $($fields:tt)* }) => {
        fields!(@struct [$($about)*] $name [] 't { $($fields)* });
    };
    (@struct [$($about:literal)*] $name:ident [$($generics:tt)*] $t:lifetime {
        $($(#[doc = $doc:literal])* $field:ident $(as $key:literal)? : $ty:ty $(= $default:expr)? $(=> $label:literal)?,)*
    }) => {
        $(#[doc = $about])*
        #[derive(Debug, Clone, PartialEq)]
        #[allow(missing_docs, reason = "some keys say nothing of themselves")]
        pub struct $name $($generics)* {
            $($(#[doc = $doc])* pub $field: $ty,)*
        }

        #[allow(unused, clippy::extra_unused_lifetimes, reason = "some have no fields")]
        impl<$t> $crate::kinds::read::Fields<$t> for $name $($generics)* {
            fn empty() -> Self {
                $name { $($field: fields!(@default $t $ty $(, $default)?),)* }
            }

            fn has(key: &str) -> bool {
                $(<$ty as $crate::kinds::read::Field<$t>>::has(fields!(@key $field $($key)?), key) ||)*
                false
            }

            fn read_key(
                &mut self,
                key: &str,
                json: &$t serde_json::Value,
                path: &$crate::kinds::path::Path<'_>,
                problems: &mut $crate::kinds::read::Problems<'_>,
            ) -> bool {
                use $crate::kinds::read::Field;
                $(if <$ty as Field<$t>>::has(fields!(@key $field $($key)?), key) {
                    let name = fields!(@key $field $($key)?);
                    Field::read_key(&mut self.$field, name, key, json, &path.key(key), problems);
                    return true;
                })*
                false
            }

            fn report_missing(
                object: &serde_json::Map<String, serde_json::Value>,
                keys: $crate::kinds::read::Keys,
                path: &$crate::kinds::path::Path<'_>,
                problems: &mut $crate::kinds::read::Problems<'_>,
            ) {
                use $crate::kinds::read::{Field, KeyProblem};
                $(if fields!(@required $($default)?)
                    && let Some(key) = <$ty as Field<$t>>::missing(fields!(@key $field $($key)?), object)
                {
                    let description = concat!($($doc),*).trim();
                    problems(path, KeyProblem::Missing { keys, key: &key, description, object });
                })*
            }

            fn describe(schema: &mut $crate::kinds::read::ObjectSchema) {
                use $crate::kinds::read::Field;
                $({
                    let (name, doc) = (fields!(@key $field $($key)?), concat!($($doc),*).trim());
                    <$ty as Field<$t>>::describe(name, doc, fields!(@required $($default)?), schema);
                })*
            }

            fn display(&self, part: &mut dyn FnMut(String)) {
                $(fields!(@display part, self.$field, [$($default)?] [$($label)?]);)*
            }
        }
    };
    (@display $part:ident, $value:expr, [$($default:expr)?] []) => {};
    (@display $part:ident, $value:expr, [$($default:expr)?] [$label:literal]) => {
        if true $(&& $value != $default)? {
            $part($label.replace("{}", &$value.to_string()));
        }
    };
    (@default $t:lifetime $ty:ty) => { <$ty as $crate::kinds::read::Field<$t>>::hole() };
    (@default $t:lifetime $ty:ty, $default:expr) => { $default };
    (@required) => { true };
    (@required $default:expr) => { false };
    (@key $field:ident) => { stringify!($field) };
    (@key $field:ident $key:literal) => { $key };
}
pub(super) use fields;

/// One of some words. The first is the hole.
macro_rules! choices {
    ($(#[$about:meta])* pub enum $name:ident { $($(#[$doc:meta])* $variant:ident = $word:literal,)* }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $name { $($(#[$doc])* $variant,)* }

        impl $name {
            /// The word in files.
            pub fn word(self) -> &'static str {
                match self {
                    $($name::$variant => $word,)*
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.word())
            }
        }

        impl Default for $name {
            fn default() -> $name {
                [$($name::$variant),*][0]
            }
        }

        impl<'t> $crate::kinds::read::FromJson<'t> for $name {
            fn read(
                json: &'t serde_json::Value,
                path: &$crate::kinds::path::Path<'_>,
                problems: &mut $crate::kinds::read::Problems<'_>,
            ) -> $name {
                match json.as_str() {
                    $(Some($word) => $name::$variant,)*
                    _ => {
                        let choices = &[$($word),*];
                        let problem = $crate::kinds::read::KeyProblem::UnknownChoice { choices, found: json };
                        problems(path, problem);
                        $name::default()
                    }
                }
            }

            fn schema() -> serde_json::Value {
                serde_json::json!({"enum": [$($word),*]})
            }
        }
    };
}
pub(super) use choices;
