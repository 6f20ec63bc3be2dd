//! An agent that moves from one process to another, in the middle of its tree.

use std::time::Duration;

use bt_core::prelude::*;
use bt_core::tree::asset::spec::{action, parallel, sequence};
use bt_core::{Runner, TreeAsset};

/// See the module.
#[derive(Debug, Agent, Default)]
pub struct Migrant {
    lines: Vec<String>,
}

#[agent]
impl Migrant {
    /// Goes on for ever; where it stood is kept.
    #[action(resume = "walk_on")]
    fn walk(&mut self, cx: &mut Context, bags: u32) -> Option<bool> {
        cx.keep((4, bags));
        cx.finish_on("never", true);
        None
    }

    fn walk_on(&mut self, _cx: &mut Context, kept: (u32, u32)) -> Option<bool> {
        let (stood, bags) = kept;
        self.lines.push(format!("resume {stood} with {bags} bags"));
        None
    }

    #[action]
    fn arrive(&mut self, cx: &mut Context) {
        let drawn = cx.random().int(0..=1_000_000);
        self.lines.push(format!("arrived, drew {drawn}"));
    }
}

/// Its tree: it walks, and arrives after ten seconds.
pub fn tree() -> TreeAsset {
    let walk = action("walk").arg(3);
    let arrive = sequence([action("wait_for_seconds").arg(10), action("arrive")]);
    TreeAsset::build("migrate.json", "migrant", parallel(2, 1, [walk, arrive]))
}

/// Polls it eight times, a second apart, and says what happened.
pub fn polls(runner: &mut Runner<Migrant>, migrant: &mut Migrant, from: u64) -> String {
    let mut told = String::new();
    for second in 0..8 {
        runner.poll(migrant, Duration::from_secs(from + second));
        let lines = std::mem::take(&mut migrant.lines).join("; ");
        told.push_str(format!("{second} {lines}").trim_end());
        told.push('\n');
    }
    told
}
