//! Members as processes over a NATS server; one of them dies, and starts again.

use std::error::Error;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use bt_fleet::{Config, Fleet, Reply};
use tempfile::TempDir;

use crate::town::{self, Citizen};

const PATIENCE: Duration = Duration::from_secs(20);

fn connect(servers: &str) -> Reply<Fleet<Citizen>> {
    Fleet::connect(
        servers,
        Config::new("town").shards(32).lease(Duration::from_secs(2)),
    )
}

/// A child that ends with this process.
struct Ends(Child);

impl Drop for Ends {
    fn drop(&mut self) {
        _ = self.0.kill();
        _ = self.0.wait();
    }
}

/// Runs a member until it was drained.
pub(crate) fn member(servers: &str, name: &str) -> Result<(), Box<dyn Error>> {
    let fleet = connect(servers).wait(PATIENCE)?;
    let member = fleet.member(name).spawn(town::born).heard(town::heard);
    let mut member = member.start(town::trees()?.build()?, 1)?;
    let start = Instant::now();
    while !member.is_drained() {
        let now = start.elapsed();
        member.round(now, &mut ());
        let pause = member.next_wake().saturating_sub(start.elapsed());
        std::thread::sleep(pause.clamp(Duration::from_millis(5), Duration::from_millis(20)));
    }
    Ok(())
}

/// Starts a server, unless there are some, and the members; kills one, and prints who has whom.
pub(crate) fn run(
    servers: Option<&str>,
    members: usize,
    citizens: u64,
    seconds: u64,
) -> Result<(), Box<dyn Error>> {
    let folder = TempDir::new()?;
    let (_server, servers) = match servers {
        Some(servers) => (None, servers.to_owned()),
        None => {
            let (server, url) = server(&folder)?;
            (Some(server), url)
        }
    };
    let fleet = connect(&servers).wait(PATIENCE)?;
    let name = |number: usize| format!("host-{number}");
    let start = |number: usize| -> std::io::Result<Ends> {
        let program = std::env::current_exe()?;
        let child = Command::new(program)
            .args(["--member", &name(number), "--servers", &servers])
            .spawn()?;
        Ok(Ends(child))
    };
    let mut all = Vec::new();
    for number in 0..members {
        all.push(start(number)?);
    }
    println!("servers: {servers}; fleet: town");
    town::settle(&fleet, citizens)?;
    for second in 1..=seconds {
        std::thread::sleep(Duration::from_secs(1));
        if second == 10 && members > 1 {
            drop(all.pop());
            println!("{second} s: {} dies", name(members - 1));
        }
        if second == 20 && members > 1 {
            all.push(start(members - 1)?);
            println!("{second} s: {} starts again", name(members - 1));
        }
        let status = fleet.status(PATIENCE)?;
        let each = status.members.iter().map(|(name, member)| {
            let shards = status
                .shards
                .values()
                .filter(|owner| owner.as_ref() == Some(name))
                .count();
            format!("{name} {shards} shards {} citizens", member.agents)
        });
        println!("{second} s: {}", each.collect::<Vec<_>>().join(", "));
    }
    Ok(())
}

/// A server of this machine alone, from the path or `BT_NATS_SERVER`.
fn server(folder: &TempDir) -> Result<(Ends, String), Box<dyn Error>> {
    let program = std::env::var("BT_NATS_SERVER").unwrap_or_else(|_| "nats-server".to_owned());
    let port = std::net::TcpListener::bind("127.0.0.1:0")?
        .local_addr()?
        .port();
    let mut command = Command::new(&program);
    command
        .args(["-a", "127.0.0.1", "-p", &port.to_string(), "-js", "-sd"])
        .arg(folder.path());
    let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let child = child.map_err(|error| {
        format!("`{program}` cannot be started: {error}; install it, or name servers with --servers nats://host:4222")
    })?;
    Ok((Ends(child), format!("nats://127.0.0.1:{port}")))
}
