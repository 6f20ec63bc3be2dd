//! The trees, as the editor saved them. They are part of the program, so it runs from anywhere.

use bt_core::{Agent, AssetError, TreeAsset, TreeSet, Trees};
use bt_live::port::Texts;

use crate::{AccountAgent, MonsterAgent, PlayerAgent};

/// The trees that each type of agent runs: built once, shared by all of that type.
#[derive(Debug, Clone)]
pub struct Forest {
    /// `patrol.json`, `hunt.json` and `flee.json`, which lead to one another.
    pub monsters: Trees<MonsterAgent>,
    /// `auto_play.json`.
    pub players: Trees<PlayerAgent>,
    /// `account.json`.
    pub accounts: Trees<AccountAgent>,
}

impl Forest {
    /// Builds them all.
    ///
    /// # Errors
    /// Everything that is wrong with a file: a name that no agent registers, an argument that does
    /// not fit, a tree that is missing.
    pub fn grow() -> Result<Forest, AssetError> {
        Ok(Forest {
            monsters: build(&[PATROL, HUNT, FLEE])?,
            players: build(&[AUTO_PLAY])?,
            accounts: build(&[ACCOUNT])?,
        })
    }
}

/// A file's name and what is in it.
type File = (&'static str, &'static str);

/// A file of the folder `trees`.
macro_rules! file {
    ($name:literal) => {
        ($name, include_str!(concat!("../../trees/", $name)))
    };
}

const PATROL: File = file!("patrol.json");
const HUNT: File = file!("hunt.json");
const FLEE: File = file!("flee.json");
const AUTO_PLAY: File = file!("auto_play.json");
const ACCOUNT: File = file!("account.json");

/// Every file.
pub const FILES: [File; 5] = [PATROL, HUNT, FLEE, AUTO_PLAY, ACCOUNT];

/// All of them, by name.
pub(super) fn texts() -> Texts {
    let texts = FILES.iter();
    texts
        .map(|(name, text)| ((*name).to_owned(), (*text).to_owned()))
        .collect()
}

fn build<A: Agent>(files: &[File]) -> Result<Trees<A>, AssetError> {
    let mut set = TreeSet::new();
    for (name, text) in files {
        set.add(TreeAsset::from_json(name, text)?);
    }
    set.build()
}
