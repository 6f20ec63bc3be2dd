//! The places of values in the text of a tree: JSON pointers to lines and columns.

use std::collections::BTreeMap;
use std::iter::successors;

use super::problem::{Position, Problem};
use super::scan::scan;
use super::script;
use crate::tree::is_script;

/// Fills in the line and column of every problem that has a JSON pointer, from the text that its
/// tree was read from. A pointer that the text does not have stands for the nearest value around
/// it. The problems are of one file; where its name ends in `.bt` the text is a script.
///
/// ```
/// # use bt_core::TreeAsset;
/// use bt_core::tree::asset::locate;
///
/// let error = TreeAsset::from_json("hunt.json", r#"{"nodes": []}"#).unwrap_err();
/// let mut problems = error.problems().to_vec();
/// locate(&mut problems, "{\n  \"nodes\": []\n}");
/// assert_eq!(problems[0].position().unwrap().line, 2);
/// ```
#[doc(hidden)]
pub fn locate(problems: &mut [Problem], text: &str) {
    if problems
        .first()
        .is_some_and(|first| is_script(first.file()))
    {
        return script::locate(problems, text);
    }
    let found = positions(text, problems.iter().map(Problem::pointer));
    for (problem, position) in problems.iter_mut().zip(found) {
        if let Some(position) = position {
            problem.set_position(position);
        }
    }
}

/// The starts of the values of some JSON pointers in a text; of one that is not there, the start of the
/// nearest value around it. None for the whole text, and for a pointer with nothing around it.
pub fn positions<'p>(
    text: &str,
    pointers: impl Iterator<Item = &'p str> + Clone,
) -> Vec<Option<Position>> {
    let text = without_mark(text);
    let all = pointers.clone().flat_map(upwards);
    let mut wanted: BTreeMap<&str, Option<usize>> = all.map(|pointer| (pointer, None)).collect();
    if wanted.is_empty() {
        return pointers.map(|_| None).collect();
    }
    scan(text, |value| {
        if let Some(offset) = wanted.get_mut(value.pointer) {
            *offset = Some(value.offset);
        }
    });
    let offsets: Vec<Option<usize>> = pointers
        .map(|pointer| upwards(pointer).find_map(|pointer| wanted[pointer]))
        .collect();
    let mut in_order: Vec<(usize, usize)> = Vec::new();
    for (i, offset) in offsets.iter().enumerate() {
        in_order.extend(offset.map(|offset| (offset, i)));
    }
    in_order.sort_unstable();
    let mut found = vec![None; offsets.len()];
    let mut walk = Walk::of(text);
    for (offset, i) in in_order {
        found[i] = Some(walk.to(offset));
    }
    found
}

/// A pointer and those of the values around it, the whole text not among them.
pub(super) fn upwards(pointer: &str) -> impl Iterator<Item = &str> {
    successors(Some(pointer), |pointer| {
        pointer.rfind('/').map(|end| &pointer[..end])
    })
    .take_while(|pointer| !pointer.is_empty())
}

/// A text without its byte order mark.
pub(super) fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// Goes through a text once, from place to place.
pub(super) struct Walk<'t> {
    text: &'t str,
    offset: usize,
    position: Position,
}

impl<'t> Walk<'t> {
    pub(super) fn of(text: &'t str) -> Walk<'t> {
        Walk {
            text,
            offset: 0,
            position: Position { line: 1, column: 1 },
        }
    }

    /// The position of a byte that is not before the last one asked for.
    pub(super) fn to(&mut self, offset: usize) -> Position {
        let passed = &self.text[self.offset..offset];
        self.offset = offset;
        match passed.rfind('\n') {
            Some(end) => {
                self.position.line += passed.bytes().filter(|byte| *byte == b'\n').count();
                self.position.column = passed[end + 1..].chars().count() + 1;
            }
            None => self.position.column += passed.chars().count(),
        }
        self.position
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::Code;

    #[test]
    fn columns_count_characters_and_lines_are_counted_once() {
        let text = "日本\nab\r\né x";
        let mut walk = Walk::of(text);
        let mut at = |what: &str| {
            let Position { line, column } = walk.to(text.find(what).unwrap());
            (line, column)
        };
        assert_eq!(at("本"), (1, 2));
        assert_eq!(at("b"), (2, 2));
        assert_eq!(at("é"), (3, 1));
        assert_eq!(at("x"), (3, 3));
    }

    #[test]
    fn missing_json_pointer_gives_the_place_of_its_parent() {
        let text = "{\n \"a\": {\"b\": [1,\n 2]}}";
        let mut problems = ["/a/b/1", "/a/b/7/c", "/a/x", "/y", ""]
            .map(|pointer| Problem::new(Code::WrongForm, "t", "x").at(pointer));
        locate(&mut problems, text);
        let found = problems.map(|problem| problem.position().map(|at| (at.line, at.column)));
        assert_eq!(
            found,
            [Some((3, 2)), Some((2, 13)), Some((2, 7)), None, None]
        );
    }
}
