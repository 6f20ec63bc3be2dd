//! A place in the running trees: the `idx` of a node, and the run of its tree where that is not the first.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};

/// A node of a run of a tree: `7`, or `[2, 7]` in the run of that number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    pub(crate) frame: u32,
    pub(crate) idx: u32,
}

impl Serialize for Place {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self.frame {
            0 => to.serialize_u32(self.idx),
            frame => (frame, self.idx).serialize(to),
        }
    }
}

impl<'de> Deserialize<'de> for Place {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Place, D::Error> {
        from.deserialize_any(Either)
    }
}

struct Either;

impl<'de> Visitor<'de> for Either {
    type Value = Place;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the `idx` of a node, or `[run, idx]`")
    }

    fn visit_u64<E: Error>(self, idx: u64) -> Result<Place, E> {
        let idx = u32::try_from(idx).map_err(|_| E::custom(format!("there is no node {idx}")))?;
        Ok(Place { frame: 0, idx })
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut items: S) -> Result<Place, S::Error> {
        let short = |at| S::Error::invalid_length(at, &Either);
        let frame = items.next_element()?.ok_or_else(|| short(0))?;
        let idx = items.next_element()?.ok_or_else(|| short(1))?;
        match items.next_element::<serde::de::IgnoredAny>()? {
            None => Ok(Place { frame, idx }),
            Some(_) => Err(short(3)),
        }
    }
}
