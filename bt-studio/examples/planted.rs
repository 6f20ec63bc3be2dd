//! A game that has one mistake, to be found with the studio: `cargo run -p bt-studio --example planted -- MISTAKE`.
//!
//! It prints the folder with its trees, its agents and its token file, and runs until nobody listens any more.
//! Without a mistake it lists them all.

#[path = "../../bt-live/tests/port/game.rs"]
#[allow(dead_code, reason = "the port's own tests use more of it")]
mod game;
#[path = "../tests/games/planted.rs"]
mod planted;

use std::error::Error;
use std::io::{Read, stdin};
use std::{env, fs};

use bt_core::{Registry, TreeAsset};
use bt_live::port::Texts;
use game::Game;

fn main() -> Result<(), Box<dyn Error>> {
    let Some(reason) = env::args().nth(1) else {
        println!("{}", planted::REASONS.join("\n"));
        return Ok(());
    };
    let trees = planted::trees(&reason).into_iter();
    let texts: Texts = trees
        .map(|(name, top)| {
            (
                name.to_owned(),
                TreeAsset::build(name, "dog", top).to_json(),
            )
        })
        .collect();
    let game = Game::on(texts.clone(), 1, "main.json", |options| options);
    let folder = game.folder.path().join("trees");
    fs::create_dir(&folder)?;
    for (name, text) in &texts {
        fs::write(folder.join(name), text)?;
    }
    let catalogue = serde_json::to_string(Registry::global()?.catalogue())?;
    fs::write(game.folder.path().join("agents.json"), catalogue)?;
    game.plays_on(20);
    let mut client = game.client();
    for (method, mut params) in planted::changes(&reason) {
        params["agent"] = Game::dog(0).into();
        client.call_by_name(method, params)?;
        game.plays_on(5);
    }
    println!("{}", game.folder.path().display());
    stdin().read_to_end(&mut Vec::new())?;
    Ok(())
}
