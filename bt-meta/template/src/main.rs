//! Twenty seconds in the life of a guard.

use std::error::Error;
use std::time::Duration;

use bt_core::Runner;

use my_game::{Guard, Place, ROUNDS, trees};

fn main() -> Result<(), Box<dyn Error>> {
    let trees = trees()?;
    let mut runner = Runner::new(&trees, ROUNDS)?;
    let mut guard = Guard::new();
    runner.start();

    // A game polls once a frame. Time is what the game says that it is: since the start, not since the last frame.
    for frame in 0..=200 {
        let now = Duration::from_millis(100 * frame);
        if frame == 140 {
            println!(" 14.0 s  Something falls in the kitchen!");
            runner.fire(Guard::noise(Place::Kitchen));
        }
        runner.poll(&mut guard, now);
    }

    // What went wrong while it ran. Nothing should.
    for diagnostic in runner.diagnostics() {
        eprintln!("{diagnostic}");
    }
    Ok(())
}
