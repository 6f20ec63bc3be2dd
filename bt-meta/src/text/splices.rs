//! Stretches of a text, and what takes their places.

use std::ops::Range;

/// A stretch of a text in bytes, and what takes its place. Those of one change are in the order of the text and do
/// not overlap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Splice {
    /// The stretch.
    pub at: Range<usize>,
    /// The replacement.
    pub with: String,
}

/// A text with splices made.
pub fn apply(text: &str, splices: &[Splice]) -> String {
    let grows: usize = splices.iter().map(|splice| splice.with.len()).sum();
    let mut changed = String::with_capacity(text.len() + grows);
    let mut from = 0;
    for splice in splices {
        changed += &text[from..splice.at.start];
        changed += &splice.with;
        from = splice.at.end;
    }
    changed += &text[from..];
    changed
}

/// The splice that makes one text of another: what both begin and end with stays.
pub fn between(before: &str, after: &str) -> Vec<Splice> {
    if before == after {
        return Vec::new();
    }
    let pairs = before.char_indices().zip(after.chars());
    let differs = pairs.into_iter().find(|((_, a), b)| a != b);
    let start = differs.map_or(before.len().min(after.len()), |((at, _), _)| at);
    let (rest, new) = (&before[start..], &after[start..]);
    let ends = rest.chars().rev().zip(new.chars().rev());
    let end: usize = ends
        .take_while(|(a, b)| a == b)
        .map(|(a, _)| a.len_utf8())
        .sum();
    vec![Splice {
        at: start..before.len() - end,
        with: new[..new.len() - end].to_owned(),
    }]
}

/// Changes made one after the other, as one change of the first text.
#[derive(Debug)]
pub struct Sequence {
    pieces: Vec<Piece>,
}

#[derive(Debug, Clone)]
enum Piece {
    /// A stretch of the first text.
    Old(Range<usize>),
    New(String),
}

impl Piece {
    fn len(&self) -> usize {
        match self {
            Piece::Old(at) => at.len(),
            Piece::New(text) => text.len(),
        }
    }

    /// It, divided.
    fn split(self, at: usize) -> (Piece, Piece) {
        match self {
            Piece::Old(Range { start, end }) => {
                (Piece::Old(start..start + at), Piece::Old(start + at..end))
            }
            Piece::New(text) => {
                let (before, after) = text.split_at(at);
                (Piece::New(before.to_owned()), Piece::New(after.to_owned()))
            }
        }
    }
}

impl Sequence {
    /// No change of a text of that length.
    pub fn of(len: usize) -> Sequence {
        Sequence {
            pieces: vec![Piece::Old(0..len)],
        }
    }

    /// Adds a change of the text as it is by now.
    pub fn add(&mut self, splices: &[Splice]) {
        let mut old = std::mem::take(&mut self.pieces).into_iter();
        let mut rest: Option<Piece> = None;
        let mut at = 0;
        for splice in splices {
            self.pass(&mut old, &mut rest, splice.at.start - at, true);
            self.pass(&mut old, &mut rest, splice.at.len(), false);
            self.push(Piece::New(splice.with.clone()));
            at = splice.at.end;
        }
        for piece in rest.into_iter().chain(old) {
            self.push(piece);
        }
    }

    /// Goes so many bytes further, and keeps them or not.
    fn pass(
        &mut self,
        old: &mut impl Iterator<Item = Piece>,
        rest: &mut Option<Piece>,
        mut bytes: usize,
        keep: bool,
    ) {
        while bytes > 0 {
            let Some(piece) = rest.take().or_else(|| old.next()) else {
                break;
            };
            let piece = match piece.len() > bytes {
                true => {
                    let (before, after) = piece.split(bytes);
                    *rest = Some(after);
                    before
                }
                false => piece,
            };
            bytes -= piece.len();
            if keep {
                self.push(piece);
            }
        }
    }

    fn push(&mut self, piece: Piece) {
        match (self.pieces.last_mut(), piece) {
            (_, piece) if piece.len() == 0 => {}
            (Some(Piece::Old(last)), Piece::Old(next)) if last.end == next.start => {
                last.end = next.end;
            }
            (Some(Piece::New(last)), Piece::New(next)) => last.push_str(&next),
            (None | Some(Piece::Old(_) | Piece::New(_)), piece) => self.pieces.push(piece),
        }
    }

    /// All changes as one.
    pub fn splices(&self, len: usize) -> Vec<Splice> {
        let mut splices = Vec::new();
        let (mut from, mut with) = (0, String::new());
        let end = Piece::Old(len..len);
        for piece in self.pieces.iter().chain([&end]) {
            match piece {
                Piece::New(text) => with.push_str(text),
                Piece::Old(at) => {
                    if at.start > from || !with.is_empty() {
                        splices.push(Splice {
                            at: from..at.start,
                            with: std::mem::take(&mut with),
                        });
                    }
                    from = at.end;
                }
            }
        }
        splices
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn splice(at: Range<usize>, with: &str) -> Splice {
        let with = with.to_owned();
        Splice { at, with }
    }

    #[test]
    fn changes_one_after_the_other_are_one_change() {
        let text = "0123456789";
        let first = [splice(1..3, "abc"), splice(5..5, "d"), splice(8..10, "")];
        let second = [splice(0..2, "X"), splice(3..6, "YY"), splice(9..9, "Z")];
        let then = apply(&apply(text, &first), &second);
        let mut all = Sequence::of(text.len());
        all.add(&first);
        all.add(&second);
        let all = all.splices(text.len());
        assert_eq!(apply(text, &all), then);
        assert!(
            all.windows(2)
                .all(|pair| pair[0].at.end <= pair[1].at.start)
        );
    }

    #[test]
    fn what_two_texts_begin_and_end_with_stays() {
        for (before, after) in [
            ("aéb", "aèb"),
            ("aa", "aaa"),
            ("", "x"),
            ("abc", "ac"),
            ("日", "日"),
        ] {
            assert_eq!(apply(before, &between(before, after)), after);
        }
        assert_eq!(between("aa", "aaa"), [splice(2..2, "a")]);
    }
}
