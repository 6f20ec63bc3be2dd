//! Real servers on this machine, for a test: started on free ports, killed at its end.

use std::env;
use std::fs;
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

/// Some servers; more than one are a cluster.
pub(crate) struct Servers {
    program: PathBuf,
    folder: TempDir,
    ports: Vec<u16>,
    running: Vec<Option<Child>>,
}

/// The program, from `BT_NATS_SERVER` or the path; none, and a line that says so, where there is none.
pub(crate) fn program() -> Option<PathBuf> {
    let set = env::var_os("BT_NATS_SERVER").map(PathBuf::from);
    let path = env::var_os("PATH").unwrap_or_default();
    let mut all = set
        .into_iter()
        .chain(env::split_paths(&path).map(|folder| folder.join("nats-server")));
    let found = all.find(|program| program.is_file());
    if found.is_none() {
        eprintln!("skipped: no `nats-server` in the path or in BT_NATS_SERVER");
    }
    found
}

fn free_ports(count: usize) -> Vec<u16> {
    let listeners: Vec<_> = (0..count)
        .map(|_| TcpListener::bind("127.0.0.1:0").unwrap())
        .collect();
    let ports = listeners
        .iter()
        .map(|listener| listener.local_addr().unwrap().port());
    ports.collect()
}

impl Servers {
    pub(crate) fn start(count: usize) -> Option<Servers> {
        let program = program()?;
        let folder = TempDir::new().unwrap();
        let all = free_ports(2 * count);
        let (ports, routes) = all.split_at(count);
        for (number, port) in ports.iter().enumerate() {
            let store = folder.path().join(format!("store-{number}"));
            let mut config = format!(
                "server_name: s{number}\nlisten: 127.0.0.1:{port}\njetstream {{ store_dir: {:?}, max_file_store: 1GB }}\n",
                store.display().to_string()
            );
            if count > 1 {
                let urls: Vec<_> = routes
                    .iter()
                    .map(|route| format!("nats://127.0.0.1:{route}"))
                    .collect();
                let (own, urls) = (routes[number], urls.join(", "));
                config += &format!(
                    "cluster {{ name: c, listen: 127.0.0.1:{own}, no_advertise: true, routes: [{urls}] }}\n"
                );
            }
            fs::write(folder.path().join(format!("{number}.conf")), config).unwrap();
        }
        let mut servers = Servers {
            program,
            folder,
            ports: ports.to_vec(),
            running: (0..count).map(|_| None).collect(),
        };
        (0..count).for_each(|number| servers.up(number));
        Some(servers)
    }

    /// Starts a server, also one that was killed.
    pub(crate) fn up(&mut self, number: usize) {
        let config = self.folder.path().join(format!("{number}.conf"));
        let child = Command::new(&self.program)
            .arg("-c")
            .arg(config)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        self.running[number] = Some(child.unwrap());
    }

    /// Kills a server at once.
    pub(crate) fn down(&mut self, number: usize) {
        if let Some(mut child) = self.running[number].take() {
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }

    /// The ports, for whoever stands in between.
    #[allow(dead_code, reason = "an example uses it")]
    pub(crate) fn ports(&self) -> &[u16] {
        &self.ports
    }

    pub(crate) fn urls(&self) -> String {
        let urls: Vec<_> = self
            .ports
            .iter()
            .map(|port| format!("nats://127.0.0.1:{port}"))
            .collect();
        urls.join(",")
    }
}

impl Drop for Servers {
    fn drop(&mut self) {
        (0..self.running.len()).for_each(|number| self.down(number));
    }
}
