//! The bytes are a script: as indented lines, and as nested objects if they are JSON.

use bt_core::TreeAsset;

use crate::play;

/// A tree that is read is written as JSON, and read again it is the same.
pub fn run(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let read = match serde_json::from_str(&text) {
        Ok(value) => TreeAsset::from_script_value("t", &value),
        Err(_) => TreeAsset::from_script("t", &text),
    };
    match read {
        Ok(tree) => {
            let tree = tree.with_agent("robot");
            let again = TreeAsset::from_json("t", &tree.to_json());
            assert_eq!(again.as_ref().map(TreeAsset::to_json), Ok(tree.to_json()));
            play(tree);
        }
        Err(error) => assert!(!error.problems().is_empty()),
    }
}
