//! The words of failures: which nodes, calls and times they name.

use std::collections::{BTreeMap, BTreeSet};

use bt_core::scenario::Verdict;
use serde_json::Value;

/// A call that is expected: its arguments by name.
pub(super) type Call = BTreeMap<String, Value>;

/// Everything that failures name.
#[derive(Debug, Default)]
pub(super) struct Clues {
    nodes: BTreeSet<(String, u32)>,
    /// The calls that were expected, by their methods.
    calls: BTreeMap<String, Vec<Call>>,
    /// The numbers in what was expected: times and arguments.
    numbers: Vec<f64>,
}

impl Clues {
    pub(super) fn of(failed: &[&Verdict]) -> Clues {
        let mut clues = Clues::default();
        for failure in failed.iter().flat_map(|verdict| &verdict.failures) {
            for text in failure
                .why
                .iter()
                .chain([&failure.expected, &failure.happened])
            {
                clues.nodes.extend(named_nodes(text));
            }
            for part in failure.expected.split('`').skip(1).step_by(2) {
                if let Some((method, call)) = call(part) {
                    clues.calls.entry(method).or_default().push(call);
                }
            }
            let words = failure
                .expected
                .split(|c: char| !c.is_ascii_digit() && c != '.');
            let numbers = words.filter_map(|word| word.trim_matches('.').parse::<f64>().ok());
            clues.numbers.extend(numbers);
            clues.numbers.push(failure.time as f64 / 1e9);
        }
        clues.numbers.sort_by(f64::total_cmp);
        clues.numbers.dedup();
        clues
    }

    pub(super) fn names(&self, tree: &str, node: u32) -> bool {
        self.nodes.contains(&(tree.to_owned(), node))
    }

    /// The expected calls of a method.
    pub(super) fn calls(&self, method: &str) -> &[Call] {
        self.calls.get(method).map_or(&[], Vec::as_slice)
    }

    /// All calls that were expected.
    pub(super) fn all_calls(&self) -> impl Iterator<Item = (&str, &Call)> {
        let all = self.calls.iter();
        all.flat_map(|(method, calls)| calls.iter().map(move |call| (method.as_str(), call)))
    }

    /// The trees that failures name.
    pub(super) fn trees(&self) -> BTreeSet<&str> {
        self.nodes.iter().map(|(tree, _)| tree.as_str()).collect()
    }

    /// Numbers that may be meant in place of one: those that were expected, differences of two of them, and simple multiples.
    pub(super) fn instead_of(&self, now: f64) -> Vec<f64> {
        let first: Vec<f64> = self.numbers.iter().copied().take(12).collect();
        let differences = first.iter().flat_map(|a| first.iter().map(move |b| b - a));
        let usual = [
            1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 12.0, 15.0, 20.0, 30.0, 45.0, 60.0, 90.0,
        ];
        let near = [
            now + 1.0,
            now - 1.0,
            now * 2.0,
            now / 2.0,
            now * 10.0,
            now / 10.0,
        ];
        let differences: Vec<f64> = differences.filter(|number| *number > 0.0).collect();
        let all = first
            .into_iter()
            .chain(near)
            .chain(differences)
            .chain(usual);
        let mut seen = Vec::new();
        for number in all {
            // As a person would write it.
            let number = (number * 1e3).round() / 1e3;
            if number >= 0.0 && number != now && !seen.contains(&number) {
                seen.push(number);
            }
        }
        seen
    }
}

/// `chase(target: 7, range: 1.2)`
fn call(text: &str) -> Option<(String, Call)> {
    let (method, rest) = text.split_once('(').unwrap_or((text, ")"));
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    if method.is_empty() || !method.chars().all(is_name) {
        return None;
    }
    let mut call = Call::new();
    let mut rest = rest.trim_end_matches(')').trim();
    while let Some((name, behind)) = rest.split_once(':') {
        let mut values = serde_json::Deserializer::from_str(behind).into_iter::<Value>();
        let value = values.next()?.ok()?;
        call.insert(name.trim().to_owned(), value);
        rest = behind[values.byte_offset()..].trim_start_matches([',', ' ']);
    }
    Some((method.to_owned(), call))
}

/// The nodes that a text names: `hunt.json#5`, `hunt.json: node 5`; and those that it says are missing.
pub(super) fn named_nodes(text: &str) -> BTreeSet<(String, u32)> {
    let mut named = BTreeSet::new();
    for sign in ["#", ": node ", "` has no node "] {
        let mut from = 0;
        while let Some(at) = text[from..].find(sign) {
            let (before, behind) = (&text[..from + at], &text[from + at + sign.len()..]);
            let digits = behind.len()
                - behind
                    .trim_start_matches(|c: char| c.is_ascii_digit())
                    .len();
            let name = before
                .rsplit([' ', '`', '"', '\'', '(', '['])
                .next()
                .unwrap_or_default();
            if let Ok(idx) = behind[..digits].parse() {
                named.insert((name.to_owned(), idx));
            }
            from += at + sign.len();
        }
    }
    named
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn calls_are_read_from_the_words_of_a_failure() {
        let (method, read) = call("go(to: {\"x\": 1.5, \"y\": [2]}, how: \"a, b: c\")").unwrap();
        assert_eq!(method, "go");
        assert_eq!(read["to"], json!({"x": 1.5, "y": [2]}));
        assert_eq!(read["how"], "a, b: c");
        assert_eq!(call("shout").unwrap().1, Call::new());
        assert_eq!(call("hunt.json#5"), None);
    }

    #[test]
    fn nodes_are_found_in_the_words_of_a_failure() {
        let text = "hunt.json: node 5 `until_failure` was not entered: [a/b.json#7] waits #x";
        let named = named_nodes(text);
        let all: Vec<_> = named
            .iter()
            .map(|(tree, idx)| (tree.as_str(), *idx))
            .collect();
        assert_eq!(all, [("a/b.json", 7), ("hunt.json", 5)]);
    }
}
