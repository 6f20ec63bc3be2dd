//! Tokens as people write them.

use quote::ToTokens;

/// Rust, in one line.
pub(super) fn text(tokens: impl ToTokens) -> String {
    let spaced = tokens.to_token_stream().to_string();
    let mut out = String::with_capacity(spaced.len());
    let mut words = spaced.split_whitespace().peekable();
    while let Some(word) = words.next() {
        out += word;
        if let Some(next) = words.peek()
            && has_space(&out, word, next)
        {
            out.push(' ');
        }
    }
    out
}

fn has_space(before: &str, word: &str, next: &str) -> bool {
    let opens = |word: &str| word.ends_with(['(', '[', '<', '&', '!', '?']) || word.ends_with("::");
    let closes = |word: &str| word.starts_with([')', ']', '>', ',', ';', ':']);
    if next.starts_with("->") || next == ">=" || word == "->" {
        return true;
    }
    if next.starts_with('(') && word.ends_with('>') {
        return false;
    }
    if next.starts_with(['(', '<', '[']) {
        let is_word =
            word.ends_with(|c: char| c.is_alphanumeric() || c == '_') && !word.contains('\'');
        let is_keyword = ["mut", "dyn", "impl", "const", "as", "for", "where"].contains(&word);
        // `Fn(A)`, `Vec<T>`, but `for<'a>` and `mut [T]`.
        return !(opens(word) || is_word && (!is_keyword || next.starts_with('<')));
    }
    let lifetime_of_reference = word.starts_with('\'') && before.ends_with(word);
    lifetime_of_reference && !closes(next) || !(opens(word) || closes(next))
}

#[cfg(test)]
mod tests {
    use super::text;

    #[test]
    fn tokens_are_spaced_as_rustfmt_does() {
        for line in [
            "fn poll(&mut self, agent: &mut A, now: Duration) -> Poll",
            "fn new(trees: &Trees<A>, name: &str) -> Result<Runner<A>, TreeError>",
            "fn on(self, act: impl FnMut(&mut Context<'_>) -> bool + Send + 'static) -> [T; 3]",
            "type Of<'a>: Iterator<Item = &'a str> + 'a where Self: 'a",
            "fn f<'a, T: ?Sized>(x: &'a [T], y: &'a mut dyn for<'b> Fn(&'b T)) -> Box<dyn Any>",
        ] {
            assert_eq!(
                text(line.parse::<proc_macro2::TokenStream>().unwrap()),
                line
            );
        }
    }
}
