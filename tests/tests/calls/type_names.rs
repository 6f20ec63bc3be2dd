//! The names for the type of every argument, `--type-names plain` and `cpp`: from the Rust type in
//! a signature to the word in `action_types.json`.

use std::collections::{BTreeMap, HashMap};

use bt_core::prelude::*;
use bt_core::registry::catalogue::Catalogue;
use bt_meta::files::render;
use bt_meta::layout::{Briefs, Options, TypeNames};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Variants without fields.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
enum Stance {
    Calm,
    Angry,
}

/// Variants with fields.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
enum Target {
    Entity(u64),
    Place { x: f64, y: f64 },
}

/// A structure.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
struct Spot {
    x: f64,
    y: f64,
}

/// A name for a number.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
struct EntityId(u64);

type Metres = f64;

/// Makes an agent with one action for each type, and the table of the names.
macro_rules! types {
    ($($action:ident: $ty:ty => $plain:literal, $cpp:literal;)+) => {
        /// One action for each type of argument.
        #[derive(Agent)]
        struct TypesAgent;

        #[agent]
        impl TypesAgent {
            $(
                #[action]
                fn $action(it: $ty) {
                    let _ = it;
                }
            )+
        }

        const NAMES: &[(&str, &str, &str, &str)] =
            &[$((stringify!($action), stringify!($ty), $plain, $cpp)),+];
    };
}

types! {
    takes_bool: bool => "bool", "bool";
    takes_i8: i8 => "int8", "int8";
    takes_i16: i16 => "int16", "int16";
    takes_i32: i32 => "int32", "int";
    takes_i64: i64 => "int64", "int64";
    takes_isize: isize => "int64", "int64";
    takes_u8: u8 => "uint8", "uint8";
    takes_u16: u16 => "uint16", "uint16";
    takes_u32: u32 => "uint32", "uint32";
    takes_u64: u64 => "uint64", "uint64";
    takes_usize: usize => "uint64", "uint64";
    takes_f32: f32 => "float", "float";
    takes_f64: f64 => "double", "double";
    takes_alias: Metres => "double", "double";
    takes_char: char => "string", "string";
    takes_string: String => "string", "string";
    takes_str: &str => "string", "const std::string &";
    takes_string_ref: &String => "string", "const std::string &";
    takes_value: Value => "any_value", "any_value";
    takes_value_ref: &Value => "any_value", "any_value";
    takes_vec: Vec<i32> => "array<int32>", "array<int>";
    takes_slice: &[i32] => "array<int32>", "array<int>";
    takes_array: [f64; 3] => "array<double>", "array<double>";
    takes_strings: &[String] => "array<string>", "array<string>";
    takes_option: Option<i32> => "optional<int32>", "optional<int>";
    takes_option_enum: Option<Stance> => "optional<Stance>", "optional<Stance>";
    takes_option_value: Option<Value> => "any_value", "any_value";
    takes_map: BTreeMap<String, i32> => "map<int32>", "map<int>";
    takes_hash_map: HashMap<String, Value> => "map<any_value>", "map<any_value>";
    takes_nested: Vec<Option<BTreeMap<String, i32>>> => "array<optional<map<int32>>>", "array<optional<map<int>>>";
    takes_tuple: (i32, String) => "array<int32, string>", "array<int, string>";
    takes_enum: Stance => "Stance", "Stance";
    takes_rich_enum: Target => "Target", "Target";
    takes_struct: Spot => "Spot", "Spot";
    takes_struct_ref: &Spot => "Spot", "Spot";
    takes_newtype: EntityId => "EntityId", "EntityId";
    takes_in_out: &mut i32 => "int32", "int";
    takes_in_out_text: &mut String => "string", "string";
}

fn exported(type_names: TypeNames) -> Value {
    let options = Options {
        agent: Some("types_agent".to_owned()),
        type_names,
        briefs: Briefs::Plain,
        ..Options::default()
    };
    let files = render(&Catalogue::collect(), &options).unwrap().files;
    let file = files.iter().find(|file| file.name == "action_types.json");
    serde_json::from_str(&file.unwrap().text).unwrap()
}

#[test]
fn every_type_of_argument_has_its_name() {
    let (plain, cpp) = (exported(TypeNames::Plain), exported(TypeNames::Cpp));
    let mut wrong = Vec::new();
    for (action, rust, expect_plain, expect_cpp) in NAMES {
        for (file, expect) in [(&plain, expect_plain), (&cpp, expect_cpp)] {
            let shown = &file["types_agent"][action]["args"][0]["type"];
            if shown != expect {
                wrong.push(format!("{rust}: {shown}, not {expect}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let actions = plain["types_agent"].as_object().unwrap();
    let own = actions
        .values()
        .filter(|entry| entry["from"] == "types_agent");
    assert_eq!(own.count(), NAMES.len());
}

#[test]
fn only_the_names_of_types_differ_between_the_spellings() {
    let [plain, cpp] = [TypeNames::Plain, TypeNames::Cpp].map(|names| {
        let mut file = exported(names);
        for action in file["types_agent"].as_object_mut().unwrap().values_mut() {
            for arg in action["args"].as_array_mut().unwrap() {
                arg["type"].take();
            }
        }
        file
    });
    assert_eq!(plain, cpp);
}
