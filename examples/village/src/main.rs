//! Runs the village for a day and prints its diary: `cargo run -p village`, with `--port` for the studio.

use bt_bevy::BtPortPlugin;
use village::{Diary, village};

fn main() {
    let assets = concat!(env!("CARGO_MANIFEST_DIR"), "/assets");
    let mut app = village(assets);
    if std::env::args().any(|argument| argument == "--port") {
        app.add_plugins(BtPortPlugin::new("village"));
    }
    while app.should_exit().is_none() {
        app.update();
    }
    print!("{}", app.world().resource::<Diary>().text());
}
