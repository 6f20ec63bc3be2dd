//! A server that is killed in the middle of a write.

use std::fs;
use std::thread;
use std::time::Duration;

use bt_core::TreeAsset;
use serde_json::json;

use super::Monster;

#[test]
fn tree_is_the_old_or_the_new_one_when_the_server_is_killed() {
    let monster = Monster::new();
    // Large, so that a write takes its time.
    let rest = "  rest\n".repeat(20_000);
    let text = |seconds: u32| {
        format!("AGENT monster_agent\nTIMEOUT {{\"seconds\": {seconds}}}\n SEQUENCE {{}}\n{rest}")
    };
    fs::write(monster.file("large.bt"), text(1)).unwrap();
    let mut written = 0;
    for round in 0..12 {
        let mut client = monster.client(&[]);
        let before = monster.text("large.bt");
        let revision = bt_live::protocol::hash(&before);
        let asked = json!({"tree": "large.bt", "revision": revision, "script": text(round + 2)});
        let request = json!({"jsonrpc": "2.0", "id": 99, "method": "tools/call", "params": {"name": "edit", "arguments": asked}});
        client.line(&request.to_string());
        thread::sleep(Duration::from_millis(u64::from(round) * 150));
        client.child.kill().unwrap();
        client.child.wait().unwrap();
        let now = monster.text("large.bt");
        assert!(
            now == before || now == text(round + 2),
            "round {round}: {} bytes",
            now.len()
        );
        written += u32::from(now != before);
        assert!(TreeAsset::from_script("large.bt", &now).is_ok());
    }
    println!("{written} of 12 were written before the kill");
    let trees = monster
        .client(&[])
        .done("trees", json!({"filter": "large"}));
    assert_eq!(trees["data"]["trees"].as_array().unwrap().len(), 1);
}
