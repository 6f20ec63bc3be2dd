//! The names that a mistyped one may have meant.

/// The greatest length of a name that is compared with others: one of megabytes is not a slip of the pen, and
/// costs as much to compare.
const LONGEST: usize = 256;

/// The number of names that are compared with one: of more, nobody sees them all.
const COMPARED: usize = 10_000;

/// The names that a mistyped one may have meant, best first, at most three.
#[doc(hidden)]
pub fn nearest<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> Vec<String> {
    if name.len() > LONGEST {
        return Vec::new();
    }
    // A third of the letters may be wrong: one of a short name.
    let limit = ((name.chars().count() + 1) / 3).max(1);
    // What differs in case only is the same word.
    let lower = name.to_lowercase();
    let mut near: Vec<_> = names
        .filter(|other| other.len() <= LONGEST)
        .take(COMPARED)
        .map(|other| {
            let distance = strsim::damerau_levenshtein(&lower, &other.to_lowercase());
            // A part of a longer name: `chase` for `chase_target`.
            let part =
                name.len() >= 3 && other.contains(name) || other.len() >= 3 && name.contains(other);
            (if part { distance.min(limit) } else { distance }, other)
        })
        .filter(|(distance, other)| *distance <= limit && !other.is_empty())
        .collect();
    near.sort_unstable_by_key(|(distance, other)| (*distance, !other.starts_with(name), *other));
    near.dedup();
    // What is clearly nearer than the rest stands alone.
    let best = near.first().map_or(0, |(distance, _)| *distance);
    near.retain(|(distance, _)| *distance <= best + 1);
    near.truncate(3);
    near.into_iter()
        .map(|(_, other)| other.to_owned())
        .collect()
}

/// `; did you mean …?` with these names, or nothing.
pub(crate) fn did_you_mean(near: &[String]) -> String {
    let quoted: Vec<_> = near.iter().map(|name| format!("`{name}`")).collect();
    match quoted.as_slice() {
        [] => String::new(),
        [one] => format!("; did you mean {one}?"),
        [some @ .., last] => format!("; did you mean {} or {last}?", some.join(", ")),
    }
}

/// `; did you mean …?`, or nothing.
pub fn suggest<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> String {
    did_you_mean(&nearest(name, names))
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn near_names_come_best_first_and_far_ones_not_at_all() {
        let names = ["chase", "chase_target", "flee", "patrol"];
        assert_eq!(nearest("chsae", names.into_iter()), ["chase"]);
        assert_eq!(nearest("chase_targt", names.into_iter())[0], "chase_target");
        assert_eq!(nearest("Flee", names.into_iter()), ["flee"]);
        assert_eq!(nearest("PATROL", names.into_iter()), ["patrol"]);
        assert_eq!(nearest("=", ["!=", "<", "<=", "=="].into_iter())[0], "==");
        assert!(nearest("teleport", names.into_iter()).is_empty());
        assert_eq!(nearest("lok", ["look", "nop"].into_iter()), ["look"]);
        assert!(nearest("", names.into_iter()).is_empty());
        assert!(nearest("teleporter", ["or", "and"].into_iter()).is_empty());
        assert!(nearest(&"chase".repeat(1_000), names.into_iter()).is_empty());
    }
}
