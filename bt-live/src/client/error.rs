//! The errors of a connection or a recording.

use std::fmt;
use std::io;
use std::path::PathBuf;

use crate::protocol::Error;

/// The error of a connection or a recording.
#[derive(Debug)]
#[non_exhaustive]
pub enum ClientError {
    /// No game has left a token file.
    NoGame,
    /// Several have: these.
    ManyGames(Vec<PathBuf>),
    /// The token file cannot be read, or others can read it too.
    TokenFile(io::Error),
    /// There is no connection.
    Socket(tungstenite::Error),
    /// The recording cannot be read.
    Recording(io::Error),
    /// The game does not answer.
    NoAnswer,
    /// The answer is not what the protocol says.
    Answer(serde_json::Error),
    /// The request was refused.
    Refused(Error),
}

impl ClientError {
    /// Returns true if the game has closed the connection as it should: it ended, and did not break down.
    pub fn is_closed(&self) -> bool {
        matches!(
            self,
            ClientError::Socket(tungstenite::Error::ConnectionClosed)
        )
    }
}

impl fmt::Display for ClientError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ClientError::NoGame => f.write_str(
                "no game with a port runs; start one, or name its token file with `--attach`",
            ),
            ClientError::ManyGames(files) => {
                f.write_str("several games run; name the token file of one with `--attach`:")?;
                for file in files {
                    write!(f, "\n  {}", file.display())?;
                }
                Ok(())
            }
            ClientError::TokenFile(error) => write!(f, "the token file cannot be used: {error}"),
            ClientError::Socket(tungstenite::Error::Http(response)) => {
                write!(f, "the game refuses the connection: {}", response.status())
            }
            ClientError::Socket(_) if self.is_closed() => {
                f.write_str("the game has ended: it closed the connection")
            }
            ClientError::Socket(error) => write!(f, "no connection to the game: {error}"),
            ClientError::Recording(error) => write!(f, "the recording cannot be read: {error}"),
            ClientError::NoAnswer => f.write_str(
                "the game did not answer in 10 seconds: it may stand in a debugger, or not poll its port",
            ),
            ClientError::Answer(error) => write!(f, "an answer that is none: {error}"),
            ClientError::Refused(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ClientError {}

impl From<tungstenite::Error> for ClientError {
    fn from(error: tungstenite::Error) -> ClientError {
        ClientError::Socket(error)
    }
}
