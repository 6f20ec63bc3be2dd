//! The pairs of removed and new names that are probably one item.

use bt_core::registry::nearest;

/// The new name that was probably meant: one that is spelled alike, else the only thing that is alike
/// in everything but its name.
pub(super) fn likely<'n>(
    gone: &str,
    added: impl Iterator<Item = (&'n str, bool)> + Clone,
) -> Option<&'n str> {
    let near = nearest(gone, added.clone().map(|(name, _)| name));
    if let Some(near) = near.first() {
        return added.map(|(name, _)| name).find(|name| name == near);
    }
    let mut alike = added.filter(|(_, is_alike)| *is_alike);
    match (alike.next(), alike.next()) {
        (Some((name, _)), None) => Some(name),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::likely;

    #[test]
    fn a_name_that_is_spelled_alike_comes_before_one_that_is_alike() {
        let added = [("chase_it", false), ("pursue", true)];
        assert_eq!(likely("chase", added.into_iter()), Some("chase_it"));
        assert_eq!(likely("chase", added[1..].iter().copied()), Some("pursue"));
    }

    #[test]
    fn of_several_that_are_alike_none_is_meant() {
        let added = [("pursue", true), ("follow", true)];
        assert_eq!(likely("chase", added.into_iter()), None);
        assert_eq!(likely("chase", [("pursue", false)].into_iter()), None);
    }
}
