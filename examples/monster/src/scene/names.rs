//! The entity that a typed name means.

use std::fmt;

use bt_core::registry::nearest;

use super::Scene;
use crate::Entity;

/// The number of names that a message lists.
const LISTED: usize = 40;

/// The name of an entity, with its id: several may share a name.
pub(super) fn full_name(entity: &Entity) -> String {
    format!("{}#{}", entity.name, entity.id)
}

/// Nobody of the scene has that name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NameError(String);

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NameError {}

impl Scene {
    /// The names in the story of those who act now, in the order of their turns.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.actors.keys().filter_map(|id| self.story.known(*id))
    }

    /// The name in the story of an agent, present or future: `wolf#2`, typed so or as `wolf-2`. An id that
    /// nobody has had yet may be that of one who joins later.
    ///
    /// # Errors
    /// [`NameError`] if nobody of that name acts now or can come, with those who do.
    pub fn named(&self, typed: &str) -> Result<String, NameError> {
        let parts = typed.rsplit_once(['#', '-']);
        let numbered = parts.and_then(|(name, id)| Some((name, id.parse::<u64>().ok()?)));
        if let Some((name, id)) = numbered {
            let full = format!("{name}#{id}");
            let comes = !name.is_empty() && id > self.world.last_id();
            if comes || self.names().any(|known| known == full) {
                return Ok(full);
            }
        }
        Err(self.unknown(typed))
    }

    /// That nobody is called so, and who there is.
    pub fn unknown(&self, typed: &str) -> NameError {
        let all: Vec<&str> = self.names().collect();
        let near = nearest(typed, all.iter().copied());
        let near: Vec<String> = near.iter().map(|name| format!("`{name}`")).collect();
        let near = match near.is_empty() {
            true => String::new(),
            false => format!("; did you mean {}?", near.join(" or ")),
        };
        let more = match all.len().saturating_sub(LISTED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let listed = all[..all.len().min(LISTED)].join(", ");
        NameError(format!(
            "nobody is called `{typed}`{near}\nthere are {listed}{more}"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_typed_as_the_story_has_them_or_with_a_dash() {
        let scene = Scene::new(8, 1).unwrap();
        let first = scene.names().next().unwrap().to_owned();
        assert_eq!(first, "wolf#2");
        for typed in ["wolf#2", "wolf-2"] {
            assert_eq!(scene.named(typed).as_deref(), Ok("wolf#2"));
        }
        assert_eq!(
            scene.named("kalo-mi-99").as_deref(),
            Ok("kalo-mi#99"),
            "may come"
        );
        for typed in [
            "", "#", "-", "wolf", "bear#2", "Ann#1", "#99", "wolf#-2", "wolf#2 ",
        ] {
            let error = scene.named(typed).unwrap_err().to_string();
            assert!(
                error.starts_with(&format!("nobody is called `{typed}`")),
                "{error}"
            );
        }
    }

    #[test]
    fn unknown_creature_error_suggests_similar_names() {
        let scene = Scene::new(6, 1).unwrap();
        let error = scene.named("wulf#2").unwrap_err().to_string();
        assert_eq!(
            error,
            "nobody is called `wulf#2`; did you mean `wolf#2` or `wolf#4`?\n\
             there are wolf#2, goblin#3, wolf#4, bear#5, ada#6"
        );
        let crowd = Scene::new(100, 1).unwrap();
        let error = crowd.unknown("x").to_string();
        assert!(error.ends_with(" and 35 more"), "{error}");
    }
}
