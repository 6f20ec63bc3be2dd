//! Bevy's types as arguments of actions and parameters of events.

use bevy_ecs::entity::Entity;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// An entity as an argument: the number of [`Entity::to_bits`].
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bt_bevy::EntityArg;
///
/// let thief = World::new().spawn_empty().id();
/// let json = serde_json::to_value(EntityArg(thief))?;
/// assert_eq!(json, thief.to_bits());
/// assert_eq!(serde_json::from_value::<EntityArg>(json)?, EntityArg(thief));
/// assert!(serde_json::from_str::<EntityArg>("0").is_err());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct EntityArg(pub Entity);

impl Serialize for EntityArg {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_u64(self.0.to_bits())
    }
}

impl<'de> Deserialize<'de> for EntityArg {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<EntityArg, D::Error> {
        let bits = u64::deserialize(from)?;
        let entity = Entity::try_from_bits(bits);
        entity.map(EntityArg).ok_or_else(|| {
            de::Error::custom(format!(
                "expected the bits of an entity, as `Entity::to_bits` gives them; found {bits}"
            ))
        })
    }
}

impl JsonSchema for EntityArg {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Entity".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "integer",
            "format": "uint64",
            "minimum": 0,
            "description": "An entity, as the number of its bits."
        })
    }
}

impl From<Entity> for EntityArg {
    fn from(entity: Entity) -> EntityArg {
        EntityArg(entity)
    }
}

impl From<EntityArg> for Entity {
    fn from(arg: EntityArg) -> Entity {
        arg.0
    }
}

/// A vector of two numbers as an argument: `{"x": 1, "y": 2}`. Bevy's `Vec2` is `Vec2::from(arg.to_array())`.
///
/// ```
/// use bt_bevy::Vec2Arg;
///
/// let place: Vec2Arg = serde_json::from_str(r#"{"x": 1, "y": -2.5}"#)?;
/// assert_eq!(place.to_array(), [1.0, -2.5]);
/// assert_eq!(Vec2Arg::from([1.0, -2.5]), place);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Vec2")]
pub struct Vec2Arg {
    /// To the right.
    pub x: f32,
    /// Up.
    pub y: f32,
}

impl Vec2Arg {
    /// The numbers in their order.
    pub fn to_array(self) -> [f32; 2] {
        [self.x, self.y]
    }
}

impl From<[f32; 2]> for Vec2Arg {
    fn from([x, y]: [f32; 2]) -> Vec2Arg {
        Vec2Arg { x, y }
    }
}

/// A vector of three numbers as an argument: `{"x": 1, "y": 2, "z": 3}`. Bevy's `Vec3` is `Vec3::from(arg.to_array())`.
///
/// ```
/// use bt_bevy::Vec3Arg;
///
/// let error = serde_json::from_str::<Vec3Arg>(r#"{"x": 1, "y": 2}"#).unwrap_err();
/// assert!(error.to_string().contains("missing field `z`"));
/// assert_eq!(Vec3Arg::from([1.0, 2.0, 3.0]).to_array(), [1.0, 2.0, 3.0]);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Vec3")]
pub struct Vec3Arg {
    /// To the right.
    pub x: f32,
    /// Up.
    pub y: f32,
    /// Towards the viewer.
    pub z: f32,
}

impl Vec3Arg {
    /// The numbers in their order.
    pub fn to_array(self) -> [f32; 3] {
        [self.x, self.y, self.z]
    }
}

impl From<[f32; 3]> for Vec3Arg {
    fn from([x, y, z]: [f32; 3]) -> Vec3Arg {
        Vec3Arg { x, y, z }
    }
}
