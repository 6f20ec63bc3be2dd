//! Processes and servers, and what is done to them.

use std::collections::{BTreeMap, HashMap};
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use bt_core::Random;
use bt_fleet::{Fleet, Metrics};

use crate::member::millis;
use crate::proxy::Proxy;
use crate::servers::Servers;
use crate::walker::Walker;
use crate::{Options, PATIENCE};

struct Process {
    name: String,
    proxy: Proxy,
    child: Option<Child>,
    /// When it is stopped or cut off, the time until which that lasts.
    harmed: Option<Instant>,
    dies: Option<Instant>,
    /// The counts of this process, and of those before it.
    metrics: Metrics,
    cpu: f64,
}

/// A shard that is to run somewhere else, since a time.
struct Gone {
    at: u64,
    killed: bool,
}

pub(crate) struct Harm {
    options: Options,
    servers: Servers,
    down: Option<(usize, Instant)>,
    processes: Vec<Process>,
    lines: Receiver<(usize, String)>,
    send: Sender<(usize, String)>,
    random: Random,
    begin: Instant,
    next: BTreeMap<&'static str, Instant>,
    /// The owner of each shard, as it says itself.
    owners: HashMap<u32, usize>,
    gone: HashMap<u32, Gone>,
    pub(crate) counts: BTreeMap<&'static str, u64>,
    pub(crate) taken_ms: Vec<f64>,
    pub(crate) moved_ms: Vec<f64>,
    /// The counts of processes that have ended.
    ended: Vec<Metrics>,
    ended_cpu: f64,
    measured: (Instant, f64),
}

impl Harm {
    pub(crate) fn start(servers: Servers, options: &Options) -> std::io::Result<Harm> {
        let (send, lines) = channel();
        let mut harm = Harm {
            options: options.clone(),
            down: None,
            processes: Vec::new(),
            lines,
            send,
            random: Random::new(options.seed),
            begin: Instant::now(),
            next: BTreeMap::new(),
            owners: HashMap::new(),
            gone: HashMap::new(),
            counts: BTreeMap::new(),
            taken_ms: Vec::new(),
            moved_ms: Vec::new(),
            ended: Vec::new(),
            ended_cpu: 0.0,
            measured: (Instant::now(), 0.0),
            servers,
        };
        for number in 0..options.members {
            let proxy = Proxy::start(harm.servers.ports())?;
            harm.processes.push(Process {
                name: format!("host-{number}"),
                proxy,
                child: None,
                harmed: None,
                dies: None,
                metrics: Metrics::default(),
                cpu: 0.0,
            });
            harm.start_member(number)?;
        }
        Ok(harm)
    }

    fn start_member(&mut self, number: usize) -> std::io::Result<()> {
        let process = &mut self.processes[number];
        // The last one does not look at its lease: the fence alone holds it back.
        let ignores = (self.options.harms && number == self.options.members - 1).to_string();
        let mut child = Command::new(std::env::current_exe()?)
            .args(["member", &process.proxy.urls, &process.name])
            .args([&self.options.shards.to_string(), &ignores])
            .stdout(Stdio::piped())
            .spawn()?;
        let output = child.stdout.take();
        process.child = Some(child);
        let send = self.send.clone();
        thread::spawn(move || {
            for line in output
                .into_iter()
                .flat_map(|output| BufReader::new(output).lines())
            {
                let Ok(line) = line else { break };
                if send.send((number, line)).is_err() {
                    break;
                }
            }
        });
        Ok(())
    }

    fn count(&mut self, what: &'static str) {
        *self.counts.entry(what).or_default() += 1;
        println!("{:7.1} s: {what}", self.begin.elapsed().as_secs_f64());
    }

    /// Returns true if something happens now, that happens every so many seconds.
    fn is_time(&mut self, what: &'static str, seconds: u64) -> bool {
        let now = Instant::now();
        let wait = Duration::from_secs(seconds);
        let next = self.next.entry(what).or_insert(now + wait);
        let is_time = *next <= now;
        if is_time {
            *next = now + wait;
        }
        is_time
    }

    /// One of the members that live and are not harmed.
    fn victim(&mut self) -> Option<usize> {
        let is_well = |process: &Process| process.child.is_some() && process.harmed.is_none();
        let well: Vec<_> = (0..self.processes.len())
            .filter(|number| is_well(&self.processes[*number]))
            .collect();
        let at = self.random.int(0..=well.len() as i64 - 1);
        well.get(usize::try_from(at).ok()?).copied()
    }

    pub(crate) fn go_on(&mut self, fleet: &Fleet<Walker>) {
        self.listen();
        if !self.options.harms {
            return;
        }
        self.end_harm();
        if self.is_time("kill", 5)
            && let Some(victim) = self.victim()
        {
            self.kill(victim);
        }
        if self.is_time("stop", 37)
            && let Some(victim) = self.victim()
        {
            // Sometimes the one that does not look at its lease.
            let last = self.processes.len() - 1;
            let is_well =
                self.processes[last].child.is_some() && self.processes[last].harmed.is_none();
            let victim = if is_well { last } else { victim };
            self.signal(victim, "-STOP");
            self.processes[victim].harmed = Some(Instant::now() + Duration::from_secs(10));
            self.count("a member was stopped for 10 s");
        }
        if self.is_time("cut", 29)
            && let Some(victim) = self.victim()
        {
            self.processes[victim].proxy.set_cut(true);
            self.processes[victim].harmed = Some(Instant::now() + Duration::from_secs(7));
            self.count("a member was cut off for 7 s");
        }
        if self.is_time("server", 25) && self.down.is_none() {
            let number = (self.counts.get("a server was killed").copied().unwrap_or(0)
                % self.options.servers as u64) as usize;
            self.servers.down(number);
            self.down = Some((number, Instant::now() + Duration::from_secs(8)));
            self.count("a server was killed");
        }
        if self.is_time("move", 11)
            && let Some(to) = self.victim()
        {
            let shard = self.random.int(0..=i64::from(self.options.shards) - 1) as u32;
            let to = self.processes[to].name.clone();
            _ = fleet.move_shard(shard, Some(&to));
        }
    }

    fn kill(&mut self, victim: usize) {
        let Some(mut child) = self.processes[victim].child.take() else {
            return;
        };
        let at = millis();
        _ = child.kill();
        _ = child.wait();
        self.listen();
        let process = &mut self.processes[victim];
        self.ended.push(std::mem::take(&mut process.metrics));
        self.ended_cpu += std::mem::take(&mut process.cpu);
        process.dies = Some(Instant::now() + Duration::from_secs(3));
        let owned: Vec<_> = self
            .owners
            .iter()
            .filter(|(_, owner)| **owner == victim)
            .map(|(shard, _)| *shard)
            .collect();
        for shard in owned {
            self.owners.remove(&shard);
            self.gone.insert(shard, Gone { at, killed: true });
        }
        self.count("a member was killed");
    }

    fn signal(&self, number: usize, signal: &str) {
        if let Some(child) = &self.processes[number].child {
            let pid = child.id().to_string();
            _ = Command::new("kill").args([signal, &pid]).status();
        }
    }

    fn end_harm(&mut self) {
        let now = Instant::now();
        for number in 0..self.processes.len() {
            if self.processes[number]
                .harmed
                .is_some_and(|until| until <= now)
            {
                self.processes[number].harmed = None;
                self.processes[number].proxy.set_cut(false);
                self.signal(number, "-CONT");
            }
            if self.processes[number]
                .dies
                .is_some_and(|until| until <= now)
            {
                self.processes[number].dies = None;
                _ = self.start_member(number);
            }
        }
        if let Some((number, until)) = self.down
            && until <= now
        {
            self.down = None;
            self.servers.up(number);
        }
    }

    /// Reads what the members say.
    fn listen(&mut self) {
        while let Ok((number, line)) = self.lines.try_recv() {
            let mut words = line.splitn(3, ' ');
            let (word, rest) = (words.next(), words.next());
            match (word, rest) {
                (Some("METRICS"), Some(_)) => {
                    let json = line.trim_start_matches("METRICS ");
                    if let Ok(metrics) = serde_json::from_str(json) {
                        self.processes[number].metrics = metrics;
                    }
                }
                (Some("CPU"), Some(seconds)) => {
                    self.processes[number].cpu = seconds.parse().unwrap_or(0.0);
                }
                (Some(word @ ("TAKE" | "LEFT")), Some(shard)) => {
                    let at = words.next().and_then(|at| at.parse().ok());
                    if let (Ok(shard), Some(at)) = (shard.parse(), at) {
                        self.moved(number, word == "TAKE", shard, at);
                    }
                }
                _ => println!("host-{number}: {line}"),
            }
        }
    }

    fn moved(&mut self, number: usize, takes: bool, shard: u32, at: u64) {
        if takes {
            self.owners.insert(shard, number);
            if let Some(gone) = self.gone.remove(&shard) {
                let took = at.saturating_sub(gone.at) as f64;
                match gone.killed {
                    true => self.taken_ms.push(took),
                    false => self.moved_ms.push(took),
                }
            }
        } else if self.owners.get(&shard) == Some(&number) {
            self.owners.remove(&shard);
            self.gone.entry(shard).or_insert(Gone { at, killed: false });
        }
    }

    /// Ends all harm: everybody is there.
    pub(crate) fn recover(&mut self) {
        for process in &mut self.processes {
            let now = Some(Instant::now());
            process.harmed = process.harmed.and(now);
            process.dies = process.dies.and(now);
        }
        self.down = self.down.map(|(number, _)| (number, Instant::now()));
        self.end_harm();
    }

    /// Waits until all shards run and all agents are there.
    pub(crate) fn wait_for_all(&mut self, fleet: &Fleet<Walker>) -> Result<(), String> {
        let end = Instant::now() + 2 * PATIENCE;
        while Instant::now() < end {
            thread::sleep(Duration::from_millis(500));
            self.listen();
            self.end_harm();
            let Ok(status) = fleet.status(PATIENCE) else {
                continue;
            };
            let agents: u64 = status.members.values().map(|member| member.agents).sum();
            if agents == self.options.agents && self.owners.len() == self.options.shards as usize {
                return Ok(());
            }
        }
        let status = fleet.status(PATIENCE);
        Err(format!(
            "not all agents are there: {} shards run; {status:?}",
            self.owners.len()
        ))
    }

    /// The seconds of CPU that the members used since it is measured; of those that were killed only the last second is
    /// missing. Known on Linux alone.
    pub(crate) fn cpu(&self) -> f64 {
        let now: f64 = self.processes.iter().map(|process| process.cpu).sum();
        self.ended_cpu + now - self.measured.1
    }

    pub(crate) fn seconds(&self) -> f64 {
        self.measured.0.elapsed().as_secs_f64()
    }

    /// Begins to measure.
    pub(crate) fn measure(&mut self) {
        self.listen();
        self.measured = (Instant::now(), 0.0);
        self.measured.1 = self.cpu();
    }

    /// The counts of all processes there ever were, as they said them last.
    pub(crate) fn metrics(&self) -> impl Iterator<Item = &Metrics> {
        let now = self.processes.iter().map(|process| &process.metrics);
        self.ended.iter().chain(now)
    }
}

impl Drop for Harm {
    fn drop(&mut self) {
        for process in &mut self.processes {
            if let Some(mut child) = process.child.take() {
                _ = child.kill();
                _ = child.wait();
            }
        }
    }
}
