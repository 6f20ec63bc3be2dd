//! Keys of agents, and who of many is chosen for something: the same on every machine and for every version of Rust.

use std::fmt;
use std::hash::Hasher;
use std::sync::Arc;

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The host's own name for an agent, a text or a number. It never changes, wherever the agent runs.
///
/// ```
/// use bt_fleet::Key;
///
/// assert_eq!(Key::from("npc:42").to_string(), "npc:42");
/// assert_eq!(Key::from(42).to_string(), "42");
/// assert_ne!(Key::from(42), Key::from("42"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Key {
    /// A number, such as a row of a database.
    Number(u64),
    /// A text of 1 to 200 bytes.
    Text(Arc<str>),
}

impl Key {
    /// A number that follows from the key alone: it chooses the shard, and is the seed of the agent's random stream.
    pub fn hash(&self) -> u64 {
        match self {
            Key::Number(number) => mixed(number.wrapping_add(1)),
            Key::Text(text) => hashed(text.as_bytes()),
        }
    }

    /// The fault of a key that no agent can have.
    pub(crate) fn fault(&self) -> Option<String> {
        match self {
            Key::Text(text) if text.is_empty() || text.len() > 200 => Some(format!(
                "a key is a number or a text of 1 to 200 bytes; this one has {}",
                text.len()
            )),
            Key::Text(_) | Key::Number(_) => None,
        }
    }
}

impl Serialize for Key {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Key::Number(number) => to.serialize_u64(*number),
            Key::Text(text) => to.serialize_str(text),
        }
    }
}

impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Key, D::Error> {
        from.deserialize_any(Either)
    }
}

struct Either;

impl Visitor<'_> for Either {
    type Value = Key;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key, which is a text or a number from 0")
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Key, E> {
        Ok(Key::Number(number))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Key, E> {
        Ok(Key::from(text))
    }
}

impl From<&str> for Key {
    fn from(text: &str) -> Key {
        Key::Text(text.into())
    }
}

impl From<String> for Key {
    fn from(text: String) -> Key {
        Key::Text(text.into())
    }
}

impl From<&Key> for Key {
    fn from(key: &Key) -> Key {
        key.clone()
    }
}

impl From<u64> for Key {
    fn from(number: u64) -> Key {
        Key::Number(number)
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Key::Number(number) => number.fmt(f),
            Key::Text(text) => text.fmt(f),
        }
    }
}

/// FNV-1a, and its bits spread: it alone gives neighbouring names neighbouring numbers.
fn hashed(bytes: &[u8]) -> u64 {
    let mut hasher = fnv::FnvHasher::default();
    hasher.write(bytes);
    mixed(hasher.finish())
}

/// The last step of SplitMix64 (Steele, Lea and Flood, 2014).
fn mixed(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

/// The shard of a key, among so many.
pub(crate) fn shard_of(key: &Key, shards: u32) -> u32 {
    ((u128::from(key.hash()) * u128::from(shards)) >> 64) as u32
}

/// The weight of a member for a shard: whoever has the highest should own it (rendezvous hashing, Thaler and
/// Ravishankar, 1998). A member that joins or leaves moves its own shards alone.
pub(crate) fn weight(member: &str, shard: u32) -> u64 {
    mixed(hashed(member.as_bytes()) ^ mixed(u64::from(shard) + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_shards_are_spread_evenly_and_stay_where_they_are() {
        let mut counts = [0; 64];
        for key in 0..64_000 {
            counts[shard_of(&Key::from(key), 64) as usize] += 1;
        }
        assert!(
            counts.iter().all(|count| (850..1150).contains(count)),
            "{counts:?}"
        );
        let owner = |members: &[&str], shard| {
            let best = members.iter().max_by_key(|member| weight(member, shard));
            (*best.unwrap()).to_owned()
        };
        let four = ["host-1", "host-2", "host-3", "host-4"];
        for member in four {
            let owned = (0..640).filter(|shard| owner(&four, *shard) == member);
            assert!((120..200).contains(&owned.count()), "{member}");
        }
        for shard in 0..640 {
            let before = owner(&four, shard);
            let after = owner(&four[..3], shard);
            assert!(before == after || before == "host-4");
        }
        // A change of these moves every agent of every fleet.
        assert_eq!(Key::from("npc:42").hash(), 9_965_258_047_645_359_360);
        assert_eq!(Key::from(42).hash(), 5_695_472_266_747_893_962);
    }
}
