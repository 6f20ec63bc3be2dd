//! Names of files that every system can have.

/// The reason why a name cannot be that of a file in a folder, on any of the systems that a team may have.
pub fn wrong_name(name: &str) -> Option<&'static str> {
    let wrong = |char: char| char.is_control() || r#"\:*?"<>|"#.contains(char);
    if name.contains(wrong) {
        return Some("it has characters that file names do not have everywhere");
    }
    for part in name.split('/') {
        if part.is_empty() {
            return Some("a part of it is empty");
        }
        if part.starts_with('.') {
            return Some("a part of it begins with a dot");
        }
        if part.ends_with(['.', ' ']) {
            return Some("a part of it ends with a dot or a blank");
        }
        if part.len() > 255 {
            return Some("a part of it is longer than 255 bytes");
        }
        if is_device(part) {
            return Some("Windows has a device of that name");
        }
    }
    None
}

/// Returns true if a name is that of a device on Windows, whatever its ending.
fn is_device(name: &str) -> bool {
    let own = name.split('.').next().unwrap_or_default();
    let own = own.trim_end().to_ascii_uppercase();
    let plain = ["CON", "PRN", "AUX", "NUL", "CLOCK$", "CONIN$", "CONOUT$"];
    let numbered = ["COM", "LPT"].iter().any(|kind| {
        let number = own.strip_prefix(kind).and_then(|number| {
            let mut chars = number.chars();
            chars.next().filter(|_| chars.next().is_none())
        });
        number.is_some_and(|number| number.is_ascii_digit() || "¹²³".contains(number))
    });
    numbered || plain.contains(&own.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_begin_as_a_device_does_are_names() {
        for name in [
            "console.json",
            "nullify.json",
            "com.json",
            "com10.json",
            "a.con.json",
            "lptx.bt",
        ] {
            assert_eq!(wrong_name(name), None, "{name}");
        }
        let long = format!("{}.json", "a".repeat(251));
        assert!(wrong_name(&long).unwrap().contains("255 bytes"));
        assert_eq!(wrong_name(&long[1..]), None);
    }
}
