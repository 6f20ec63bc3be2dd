//! `bt-meta fleet` on a fleet over a real server; without `nats-server` it says so and is skipped.

#[path = "../../../bt-fleet/tests/nats/servers.rs"]
#[allow(dead_code, reason = "the fleet's own tests need more of it")]
mod servers;

use std::process::Command;
use std::time::{Duration, Instant};

use bt_core::builtin::ActionAgent;
use bt_fleet::{Config, Fleet};
use servers::Servers;

/// The output of a command, and its errors.
fn fleet(servers: &str, words: &[&str]) -> (bool, String) {
    let run = Command::new(env!("CARGO_BIN_EXE_bt-meta"))
        .args(["fleet", "--servers", servers])
        .args(words)
        .output()
        .unwrap();
    let text = String::from_utf8(run.stdout).unwrap() + &String::from_utf8(run.stderr).unwrap();
    (run.status.success(), text)
}

#[test]
fn commands_see_and_move_what_a_fleet_has() {
    let Some(servers) = Servers::start(1) else {
        return;
    };
    let urls = servers.urls();
    let (done, text) = fleet(&urls, &["status"]);
    assert!(
        !done && text.contains("there is no fleet `world` on these servers"),
        "{text}"
    );
    let patience = Duration::from_secs(20);
    let config = Config::new("world").shards(3);
    let there = Fleet::<ActionAgent>::connect(&urls, config)
        .wait(patience)
        .unwrap();
    assert_eq!(there.config().shard_count(), 3);
    let begin = Instant::now();
    let (done, text) = fleet(&urls, &["status"]);
    assert!(
        done && text == "0 of 3 shards have an owner\n",
        "{text} after {:?}",
        begin.elapsed()
    );
    let (done, text) = fleet(&urls, &["find", "npc:42"]);
    assert!(
        !done && text.contains("`npc:42` is of shard ") && text.contains("no owner now"),
        "{text}"
    );
    let (done, text) = fleet(&urls, &["move", "1", "nobody"]);
    assert!(
        !done && text.contains("there is no member `nobody`"),
        "{text}"
    );
    let (done, text) = fleet(&urls, &["move", "9"]);
    assert!(
        !done && text.contains("expected a shard from 0 to 2, found 9"),
        "{text}"
    );
    assert!(fleet(&urls, &["move", "1"]).0);
    let (done, text) = fleet(&urls, &["drain", "nobody"]);
    assert!(
        !done && text.contains("there is no member `nobody`"),
        "{text}"
    );
    let (done, text) = fleet(&urls, &["status", "--json"]);
    assert!(done && text.contains("\"members\": {}"), "{text}");
}
