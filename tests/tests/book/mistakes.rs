//! The mistakes that `--bin mutate` makes have places in the sources.

use bt_tests::mutations::MUTATIONS;

use super::read;

#[test]
fn every_mistake_has_one_place_in_the_sources() {
    for mistake in MUTATIONS {
        let file = read(&format!("bt-core/src/{}", mistake.file));
        let places = file.matches(mistake.old).count();
        assert_eq!(places, 1, "{}: {}", mistake.file, mistake.name);
    }
}
