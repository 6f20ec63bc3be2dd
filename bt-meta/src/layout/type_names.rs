//! The spelling of types: plain, or as the seed document's C++ has it.

use super::TypeNames;
use crate::catalogue::TypeEntry;

/// The name of an argument's type in `action_types.json`.
pub(super) fn type_name(ty: &TypeEntry, names: TypeNames) -> String {
    match names {
        TypeNames::Plain => ty.type_name.clone(),
        TypeNames::Cpp if ty.by_ref && ty.type_name == "string" => "const std::string &".to_owned(),
        TypeNames::Cpp => cpp(&ty.type_name),
    }
}

/// `int32` is the one plain name that the seed document spells otherwise, wherever it stands.
fn cpp(plain: &str) -> String {
    let ends_word = |c: char| matches!(c, '<' | '>' | ',' | ' ');
    plain
        .split_inclusive(ends_word)
        .map(|part| match part.strip_prefix("int32") {
            Some(rest) if rest.is_empty() || rest.starts_with(ends_word) => format!("int{rest}"),
            _ => part.to_owned(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(plain: &str, by_ref: bool, expect: &str) {
        let value = TypeEntry {
            type_name: plain.to_owned(),
            by_ref,
            ..TypeEntry::default()
        };
        assert_eq!(type_name(&value, TypeNames::Cpp), expect);
        assert_eq!(type_name(&value, TypeNames::Plain), plain);
    }

    #[test]
    fn cpp_spells_as_the_seed_document_does() {
        check("string", true, "const std::string &");
        check("string", false, "string");
        check("int32", false, "int");
        check("double", false, "double");
        check("uint32", false, "uint32");
        check("any_value", true, "any_value");
    }

    #[test]
    fn cpp_reaches_into_containers() {
        check("array<int32>", true, "array<int>");
        check("map<optional<int32>>", false, "map<optional<int>>");
        check("array<Stance>", false, "array<Stance>");
        check(
            "array<int32, array<int32>>",
            false,
            "array<int, array<int>>",
        );
        check("array<int32_like>", false, "array<int32_like>");
    }
}
