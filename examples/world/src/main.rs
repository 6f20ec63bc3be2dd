//! A town of citizens who bake, order and eat bread, over several members, of which one dies.
//!
//! `cargo run -p world` has all members in one process; the output is in `output.txt`. With the feature `nats`, members
//! are processes, and a server is started where `nats-server` is there:
//!
//! ```sh
//! cargo run -p world --features nats -- --members 4
//! ```

mod local;
#[cfg(feature = "nats")]
mod many;
mod town;

use std::error::Error;

/// The options: names and values.
struct Options(Vec<String>);

impl Options {
    fn get(&self, name: &str) -> Option<&str> {
        let at = self.0.iter().position(|word| word == name)?;
        self.0.get(at + 1).map(String::as_str)
    }

    fn number(&self, name: &str, other: u64) -> Result<u64, String> {
        match self.get(name) {
            None => Ok(other),
            Some(text) => text
                .parse()
                .map_err(|_| format!("{name}: expected a number, found `{text}`")),
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options(std::env::args().skip(1).collect());
    let citizens = options.number("--citizens", 400)?;
    let members = options.number("--members", 0)?;
    if members == 0 && options.get("--member").is_none() {
        return local::run(citizens);
    }
    processes(&options, members as usize, citizens)
}

#[cfg(feature = "nats")]
fn processes(options: &Options, members: usize, citizens: u64) -> Result<(), Box<dyn Error>> {
    let servers = options.get("--servers");
    match (options.get("--member"), servers) {
        (Some(name), Some(servers)) => many::member(servers, name),
        (Some(_), None) => Err("a member needs --servers nats://host:4222".into()),
        (None, servers) => many::run(servers, members, citizens, options.number("--seconds", 30)?),
    }
}

#[cfg(not(feature = "nats"))]
fn processes(_: &Options, _: usize, _: u64) -> Result<(), Box<dyn Error>> {
    Err("several processes need a server: run it with `--features nats`".into())
}
