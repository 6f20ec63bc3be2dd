//! Positions in UTF-16 code units, as JavaScript counts them.

use bt_meta::text::splices::Splice;

use crate::protocol;

/// Splices as the page takes them.
pub fn to_page(text: &str, splices: &[Splice]) -> Vec<protocol::Splice> {
    let mut walk = Walk::of(text);
    let mut place = |byte: usize| {
        let at = walk.pass_bytes(byte);
        u32::try_from(at).unwrap_or(u32::MAX)
    };
    let splices = splices.iter().map(|splice| protocol::Splice {
        from: place(splice.at.start),
        to: place(splice.at.end),
        text: splice.with.clone(),
    });
    splices.collect()
}

/// Splices as the page gave them; none if a place is not in the text, inside of a character, or before the last.
pub fn from_page(text: &str, splices: &[protocol::Splice]) -> Option<Vec<Splice>> {
    let mut walk = Walk::of(text);
    let each = splices.iter().map(|splice| {
        let start = walk.pass_units(splice.from as usize)?;
        let end = walk.pass_units(splice.to as usize)?;
        Some(Splice {
            at: start..end,
            with: splice.text.clone(),
        })
    });
    each.collect()
}

/// Goes through a text once, from place to place.
struct Walk<'t> {
    text: &'t str,
    byte: usize,
    unit: usize,
}

impl<'t> Walk<'t> {
    fn of(text: &'t str) -> Walk<'t> {
        Walk {
            text,
            byte: 0,
            unit: 0,
        }
    }

    fn pass_bytes(&mut self, byte: usize) -> usize {
        let passed = &self.text[self.byte..byte];
        self.byte = byte;
        self.unit += match passed.is_ascii() {
            true => passed.len(),
            false => passed.chars().map(char::len_utf16).sum(),
        };
        self.unit
    }

    fn pass_units(&mut self, unit: usize) -> Option<usize> {
        let mut left = unit.checked_sub(self.unit)?;
        let rest = &self.text[self.byte..];
        let plain = rest.as_bytes().get(..left).is_some_and(<[u8]>::is_ascii);
        if plain {
            self.byte += left;
            self.unit = unit;
            return Some(self.byte);
        }
        for char in rest.chars() {
            if left == 0 {
                break;
            }
            left = left.checked_sub(char.len_utf16())?;
            self.byte += char.len_utf8();
        }
        self.unit = unit;
        (left == 0).then_some(self.byte)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_counted_as_javascript_counts_them() {
        let text = "a日😀b";
        let splices = [
            Splice {
                at: 1..4,
                with: "x".to_owned(),
            },
            Splice {
                at: 8..9,
                with: String::new(),
            },
        ];
        let page = to_page(text, &splices);
        let places: Vec<_> = page.iter().map(|splice| (splice.from, splice.to)).collect();
        assert_eq!(places, [(1, 2), (4, 5)]);
        assert_eq!(from_page(text, &page).unwrap(), splices);
    }

    #[test]
    fn places_outside_of_the_text_or_inside_of_a_character_are_refused() {
        let at = |from, to| {
            let text = String::new();
            from_page("a😀b", &[protocol::Splice { from, to, text }])
        };
        assert!(at(1, 3).is_some());
        assert!(at(4, 4).is_some());
        assert!(at(2, 3).is_none());
        assert!(at(0, 2).is_none());
        assert!(at(0, 5).is_none());
        assert!(at(3, 1).is_none());
    }
}
