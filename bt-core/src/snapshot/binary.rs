//! A saved agent in a format that people do not read: its parts one after the other, as their own types.
//!
//! First comes the format, so that a newer one is known by its number and not by a field.

use std::fmt;

use serde::de::{Error, SeqAccess, Visitor};
use serde::ser::SerializeTuple;
use serde::{Deserializer, Serializer};

use super::format::{FORMAT, Parts, newer};

/// The number of the elements.
const LEN: usize = 5;

pub(super) fn serialize<S: Serializer>(parts: &Parts, to: S) -> Result<S::Ok, S::Error> {
    let mut all = to.serialize_tuple(LEN)?;
    all.serialize_element(&FORMAT)?;
    all.serialize_element(parts)?;
    all.serialize_element(&parts.settings)?;
    all.serialize_element(&parts.requests)?;
    all.serialize_element(&parts.board)?;
    all.end()
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Parts, D::Error> {
    from.deserialize_tuple(LEN, Elements)
}

struct Elements;

impl<'de> Visitor<'de> for Elements {
    type Value = Parts;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a saved agent: its format and four parts")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Parts, A::Error> {
        let short = |at| A::Error::invalid_length(at, &Elements);
        let format: u64 = items.next_element()?.ok_or_else(|| short(0))?;
        if format > FORMAT.into() {
            return Err(A::Error::custom(newer(format)));
        }
        let parts: Parts = items.next_element()?.ok_or_else(|| short(1))?;
        Ok(Parts {
            settings: items.next_element()?.ok_or_else(|| short(2))?,
            requests: items.next_element()?.ok_or_else(|| short(3))?,
            board: items.next_element()?.ok_or_else(|| short(4))?,
            ..parts
        })
    }
}
