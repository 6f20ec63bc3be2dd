//! The messages of a fleet as bytes: MessagePack with the names of fields, so that versions can add some.

pub(crate) mod chain;
pub(crate) mod input;
pub(crate) mod keys;

use std::fmt;

use serde::de::{DeserializeOwned, Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The most bytes that a packed message has unpacked.
const MOST_UNPACKED: usize = 64 << 20;

/// Writes a value. All that are written are plain data, which can be.
pub(crate) fn write(value: &impl Serialize) -> Vec<u8> {
    rmp_serde::to_vec_named(value).unwrap_or_default()
}

pub(crate) fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    rmp_serde::from_slice(bytes).map_err(|error| error.to_string())
}

/// Writes a value, packed by LZ4.
pub(crate) fn pack(value: &impl Serialize) -> Vec<u8> {
    lz4_flex::block::compress_prepend_size(&write(value))
}

pub(crate) fn unpack<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    let len = bytes
        .first_chunk()
        .map(|len| u32::from_le_bytes(*len) as usize);
    match len {
        None => return Err("it is cut off".to_owned()),
        Some(len) if len > MOST_UNPACKED => {
            return Err(format!(
                "it has {len} bytes, which are more than {MOST_UNPACKED}"
            ));
        }
        Some(_) => {}
    }
    let bytes = lz4_flex::block::decompress_size_prepended(bytes);
    read(&bytes.map_err(|error| error.to_string())?)
}

/// Bytes inside a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Blob(pub(crate) Box<[u8]>);

impl Serialize for Blob {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for Blob {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Blob, D::Error> {
        from.deserialize_byte_buf(Bytes)
    }
}

struct Bytes;

impl<'de> Visitor<'de> for Bytes {
    type Value = Blob;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("bytes")
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Blob, E> {
        Ok(Blob(bytes.into()))
    }

    fn visit_byte_buf<E: Error>(self, bytes: Vec<u8>) -> Result<Blob, E> {
        Ok(Blob(bytes.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Blob, A::Error> {
        let mut bytes = Vec::new();
        while let Some(byte) = items.next_element()? {
            bytes.push(byte);
        }
        Ok(Blob(bytes.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unpack_refuses_what_was_not_packed() {
        let packed = pack(&vec![7; 1000]);
        assert_eq!(unpack::<Vec<i32>>(&packed), Ok(vec![7; 1000]));
        for len in 0..packed.len() {
            assert!(unpack::<Vec<i32>>(&packed[..len]).is_err());
        }
        let huge = unpack::<Vec<i32>>(&[255, 255, 255, 255, 0]).unwrap_err();
        assert!(huge.contains("more than 67108864"), "{huge}");
    }
}
