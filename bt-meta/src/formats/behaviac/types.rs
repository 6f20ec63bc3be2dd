//! The spelling of types in behaviac's meta.

use crate::catalogue::{MethodEntry, ReturnKind};

/// The name behind a plain name: those of seed document 4, and in the same manner those that it does
/// not print. behaviac has no optional values, and nothing that takes any; a name that is none of the
/// plain ones is a type of the host's.
pub(super) fn type_name(plain: &str) -> String {
    let plain = plain.trim();
    if let Some((outer, inner)) = parts(plain) {
        return match outer {
            "optional" => type_name(inner),
            "array" if is_one(inner) => format!("vector<{}>", type_name(inner)),
            _ => identifier(plain),
        };
    }
    let known = match plain {
        "int8" => "signed char",
        "int16" => "signed short",
        "int32" => "signed int",
        "int64" => "signed long",
        "uint8" => "unsigned char",
        "uint16" => "unsigned short",
        "uint32" => "unsigned int",
        "uint64" => "unsigned long",
        other => return identifier(other),
    };
    known.to_owned()
}

/// A type's name as C# may spell it: the designer writes classes of these names. Maps are types of the host's.
fn identifier(name: &str) -> String {
    let parts = name.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':'));
    let parts: Vec<_> = parts.filter(|part| !part.is_empty()).collect();
    parts.join("_")
}

/// Returns true if behaviac has the type.
pub(super) fn is_plain(plain: &str) -> bool {
    let is_named = matches!(plain, "bool" | "float" | "double" | "string");
    is_named || parts(plain).is_none() && type_name(plain) != plain
}

/// The types inside of a container, and whether behaviac has the container, or it is written as what it
/// may hold.
pub(super) fn inner(plain: &str) -> Option<(Vec<String>, bool)> {
    let (outer, inner) = parts(plain)?;
    let known = outer == "optional" || outer == "array" && is_one(inner);
    (known || matches!(outer, "array" | "map")).then(|| {
        let inner = split(inner).map(|ty| ty.trim().to_owned());
        (inner.collect(), known)
    })
}

/// `outer` and `inner` of `outer<inner>`.
fn parts(plain: &str) -> Option<(&str, &str)> {
    plain.strip_suffix('>')?.split_once('<')
}

/// Returns true of the type in an array whose values are all of one.
fn is_one(types: &str) -> bool {
    split(types).count() == 1
}

fn split(types: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_usize;
    types.split(move |c| {
        match c {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    })
}

/// The return type of a method: of a query that of its answer; one that may stay running has behaviac's own enum.
pub(super) fn result_name(method: &MethodEntry) -> String {
    if let Some(answer) = &method.answer {
        return type_name(&answer.type_name);
    }
    match method.result {
        ReturnKind::Unit => "void",
        ReturnKind::Async | ReturnKind::Status => "behaviac::EBTStatus",
        ReturnKind::Bool | ReturnKind::Next | ReturnKind::NextChild | ReturnKind::Value => "bool",
    }
    .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_have_the_names_of_the_seed_document() {
        for (plain, expect) in [
            ("int32", "signed int"),
            ("uint32", "unsigned int"),
            ("int64", "signed long"),
            ("float", "float"),
            ("double", "double"),
            ("bool", "bool"),
            ("string", "string"),
        ] {
            assert_eq!(type_name(plain), expect);
        }
    }

    #[test]
    fn containers_hold_names_of_the_same_kind() {
        for (plain, expect) in [
            ("array<int32>", "vector<signed int>"),
            ("optional<uint64>", "unsigned long"),
            ("map<optional<double>>", "map_optional_double"),
            ("array<map<any_value>>", "vector<map_any_value>"),
            ("array<int32, map<int8>>", "array_int32_map_int8"),
            ("array<Stance>", "vector<Stance>"),
            ("Grid<int32>", "Grid_int32"),
            ("farm::Ox", "farm::Ox"),
            ("any_value", "any_value"),
            ("array<", "array"),
            (">", ""),
            ("", ""),
        ] {
            assert_eq!(type_name(plain), expect);
        }
    }
}
