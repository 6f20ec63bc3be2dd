//! The declarations of a tree on the blackboard: the types by name, and initial values of these types.

use serde_json::{Value, json};

const PLAIN: [&str; 13] = [
    "any_value",
    "bool",
    "double",
    "float",
    "int16",
    "int32",
    "int64",
    "int8",
    "string",
    "uint16",
    "uint32",
    "uint64",
    "uint8",
];

/// A declared key. A type's name says by itself how its values are written; of containers, only what
/// they are themselves is looked at.
pub(super) fn declaration() -> Value {
    let names = PLAIN.join("|");
    let nested = format!(r"^\s*((array|optional|map)\s*<\s*)*({names}|int)\s*(>\s*)*$");
    let spelled = json!([
        {"enum": PLAIN},
        {"enum": ["array<double>", "array<string>", "map<any_value>", "optional<double>"]},
        {"type": "string", "pattern": nested},
        {"const": "const std::string &"},
    ]);
    let int = |bits: u32, signed: bool| {
        let (min, max) = match signed {
            true => (-(1_i64 << (bits - 1)), (1_i64 << (bits - 1)) - 1),
            false => (0, (1_i64 << bits) - 1),
        };
        json!({"type": "integer", "minimum": min, "maximum": max})
    };
    let number = json!({"type": "number"});
    let initial = [
        ("^bool$", json!({"type": "boolean"})),
        ("^int8$", int(8, true)),
        ("^int16$", int(16, true)),
        ("^(int|int32)$", int(32, true)),
        ("^int64$", json!({"type": "integer"})),
        ("^uint8$", int(8, false)),
        ("^uint16$", int(16, false)),
        ("^uint32$", int(32, false)),
        ("^uint64$", json!({"type": "integer", "minimum": 0})),
        ("^(float|double)$", number),
        ("^string$", json!({"type": "string"})),
        ("^array<", json!({"type": "array"})),
        ("^map<", json!({"type": ["object", "array"]})),
    ];
    let by_type = initial.map(|(pattern, schema)| {
        json!({
            "if": {"properties": {"type": {"pattern": pattern}}, "required": ["type"]},
            "then": {"properties": {"initial": schema}},
        })
    });
    json!({"properties": {"type": {"anyOf": spelled}}, "allOf": by_type})
}
