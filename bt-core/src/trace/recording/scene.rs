//! Everything that there is at a moment, as a record has it.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::picture::{Held, Live, Picture};

/// Everything that there is at a moment, of a running agent or as it was read.
#[derive(Debug, Clone)]
pub struct Scene<'a>(pub(crate) Shown<'a>);

#[derive(Debug, Clone)]
pub(crate) enum Shown<'a> {
    Live(Live<'a>),
    Read(Box<Picture>),
}

impl Scene<'_> {
    /// A copy of it.
    pub fn picture(&self) -> Picture {
        self.picture_with(&mut |_, value| Some(value.clone()))
    }

    /// A copy of it with other values: what `shown` makes of each, none to leave it out.
    pub fn picture_with(
        &self,
        shown: &mut dyn FnMut(Held<'_>, &Value) -> Option<Value>,
    ) -> Picture {
        match &self.0 {
            Shown::Live(live) => live.picture_with(shown),
            Shown::Read(picture) => picture.with(shown),
        }
    }
}

impl From<Picture> for Scene<'_> {
    fn from(picture: Picture) -> Self {
        Scene(Shown::Read(Box::new(picture)))
    }
}

impl PartialEq for Scene<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.picture() == other.picture()
    }
}

impl Serialize for Scene<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Shown::Live(live) => live.serialize(serializer),
            Shown::Read(picture) => picture.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Scene<'_> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let picture = Box::deserialize(deserializer)?;
        Ok(Scene(Shown::Read(picture)))
    }
}
