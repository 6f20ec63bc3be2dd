//! A place in a saved agent: `7`, the `idx` of a node, or `[2, 7]` in the run of that number.
//!
//! In the runner it is an [`At`] with the number of a node; here it is one with the `idx` of its file.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::kinds::step::At;

impl Serialize for At {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self.frame {
            0 => to.serialize_u32(self.node),
            frame => (frame, self.node).serialize(to),
        }
    }
}

impl<'de> Deserialize<'de> for At {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<At, D::Error> {
        from.deserialize_any(Either)
    }
}

struct Either;

impl<'de> Visitor<'de> for Either {
    type Value = At;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the `idx` of a node, or `[run, idx]`")
    }

    fn visit_u64<E: Error>(self, idx: u64) -> Result<At, E> {
        let node = u32::try_from(idx).map_err(|_| E::custom(format!("there is no node {idx}")))?;
        Ok(At { frame: 0, node })
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut items: S) -> Result<At, S::Error> {
        let short = |at| S::Error::invalid_length(at, &Either);
        let frame = items.next_element()?.ok_or_else(|| short(0))?;
        let node = items.next_element()?.ok_or_else(|| short(1))?;
        match items.next_element::<serde::de::IgnoredAny>()? {
            None => Ok(At { frame, node }),
            Some(_) => Err(short(3)),
        }
    }
}
