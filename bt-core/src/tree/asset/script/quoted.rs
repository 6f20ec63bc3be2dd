//! Text as Python writes it, in either quotes.

use super::literal::{Read, Reader, Wrong};

impl Reader<'_> {
    pub(super) fn text(&mut self) -> Read<String> {
        let start = self.at;
        let quote = self.next();
        let mut text = String::new();
        loop {
            let at = self.at;
            match self.next() {
                None => {
                    return Err(Box::new(Wrong {
                        help: "a node is one line".to_owned(),
                        ..*self.wrong_at(start, "the text is not closed")
                    }));
                }
                Some('\\') => {
                    let char = self.escape();
                    text.push(char.ok_or_else(|| self.wrong_at(at, "no such escape of text"))?);
                }
                char if char == quote => return Ok(text),
                Some(char) => text.push(char),
            }
        }
    }

    /// Reads the character after a backslash.
    fn escape(&mut self) -> Option<char> {
        Some(match self.next()? {
            same @ ('\\' | '\'' | '"') => same,
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'a' => '\x07',
            'b' => '\x08',
            'f' => '\x0c',
            'v' => '\x0b',
            'x' => self.code(16, 2, 2)?,
            'u' => self.code(16, 4, 4)?,
            'U' => self.code(16, 8, 8)?,
            '0'..='7' => {
                self.at -= 1;
                self.code(8, 1, 3)?
            }
            _ => return None,
        })
    }

    /// A character by its number, which has so many digits.
    fn code(&mut self, radix: u32, least: usize, most: usize) -> Option<char> {
        let rest = self.rest();
        let digits = rest
            .chars()
            .take(most)
            .take_while(|char| char.is_digit(radix))
            .count();
        if digits < least {
            return None;
        }
        self.at += digits;
        char::from_u32(u32::from_str_radix(&rest[..digits], radix).ok()?)
    }
}
