//! A host's settings for its port.

use std::path::{Path, PathBuf};

/// A host's settings for its port.
#[derive(Debug, Clone)]
#[must_use]
pub struct Options {
    pub(super) game: String,
    pub(super) token_file: Option<PathBuf>,
    pub(super) port: u16,
    pub(super) origins: Vec<String>,
    pub(super) read_only: bool,
    pub(super) recordings: Option<PathBuf>,
    pub(super) speed: f64,
}

impl Options {
    /// Of a game of that name. The port's number is one that is free, and its token is written to a file in a folder
    /// where this user's tools look: `bt-live` in `XDG_RUNTIME_DIR`, or `.bt-live` at home.
    pub fn new(game: impl Into<String>) -> Options {
        Options {
            game: game.into(),
            token_file: None,
            port: 0,
            origins: Vec::new(),
            read_only: false,
            recordings: None,
            speed: 1.0,
        }
    }

    /// Writes the token to another file. It is replaced if it is there, and removed when the port is closed.
    pub fn token_file(mut self, file: impl AsRef<Path>) -> Options {
        self.token_file = Some(file.as_ref().to_owned());
        self
    }

    /// With a certain number.
    pub fn port(mut self, number: u16) -> Options {
        self.port = number;
        self
    }

    /// Lets pages of another origin connect, such as `https://studio.example`, if they know the token.
    pub fn origin(mut self, origin: impl Into<String>) -> Options {
        self.origins.push(origin.into());
        self
    }

    /// Begins with another [speed](crate::port::Port::speed), from 0 to 16. Without it, it is 1.
    pub fn speed(mut self, speed: f64) -> Options {
        self.speed = speed.clamp(0.0, 16.0);
        self
    }

    /// Refuses everything that changes the game.
    pub fn read_only(mut self) -> Options {
        self.read_only = true;
        self
    }

    /// Lets clients record into a folder. Without one they cannot.
    pub fn recordings(mut self, folder: impl AsRef<Path>) -> Options {
        self.recordings = Some(folder.as_ref().to_owned());
        self
    }

    pub(super) fn recordings_folder(&self) -> Option<&Path> {
        self.recordings.as_deref()
    }
}
