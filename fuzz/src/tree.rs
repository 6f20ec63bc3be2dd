//! The bytes are a tree's file: read, written back, built and run.

use bt_core::TreeAsset;

use crate::play;

/// A tree that is read is written, and read again it is the same.
pub fn run(bytes: &[u8]) {
    match TreeAsset::from_slice("t", bytes) {
        Ok(tree) => {
            let again = TreeAsset::from_json("t", &tree.to_json());
            assert_eq!(again.as_ref().map(TreeAsset::to_json), Ok(tree.to_json()));
            let mut normal = tree.clone();
            normal.normalise();
            assert_eq!(normal.copy(0), tree.copy(tree.root().idx()));
            play(tree.with_agent("robot"));
        }
        Err(error) => assert!(!error.problems().is_empty()),
    }
}
