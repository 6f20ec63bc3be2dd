//! The token that a client has to know, and the file that says it to this user's tools.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// 32 bytes that nobody guesses, in hexadecimal digits.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Token(String);

impl Token {
    pub(super) fn random() -> io::Result<Token> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map_err(io::Error::other)?;
        Ok(Token(
            bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
        ))
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns true if a client has it. How long that takes says nothing about it.
    pub(super) fn is(&self, said: &str) -> bool {
        let pairs = self.0.bytes().zip(said.bytes());
        let differs = pairs.fold(0, |differs, (own, other)| differs | (own ^ other));
        said.len() == self.0.len() && differs == 0
    }
}

/// The content of a token file.
#[derive(Debug, Serialize, Deserialize)]
struct Said<'a> {
    url: &'a str,
    token: &'a str,
}

/// A file that only this user can read, for as long as the port is open.
#[derive(Debug)]
pub(super) struct TokenFile {
    path: PathBuf,
}

impl TokenFile {
    /// Writes it anew. One that is there is removed first: somebody else may have it open.
    pub(super) fn write(path: &Path, url: &str, token: &Token) -> io::Result<TokenFile> {
        match fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(path)?;
        let said = Said {
            url,
            token: token.as_str(),
        };
        serde_json::to_writer(&mut file, &said)?;
        file.write_all(b"\n")?;
        Ok(TokenFile {
            path: path.to_owned(),
        })
    }
}

impl TokenFile {
    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for TokenFile {
    fn drop(&mut self) {
        // Whoever reads it then finds nobody who listens.
        _ = fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn token_is_itself_and_nothing_else() {
        let token = Token::random().unwrap();
        assert!(token.is(token.as_str()));
        assert!(!token.is(""));
        assert!(!token.is(&token.as_str()[1..]));
        assert!(!token.is(Token::random().unwrap().as_str()));
    }
}
