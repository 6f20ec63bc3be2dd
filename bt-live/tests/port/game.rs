//! A little game on a thread of its own, which polls a port.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use bt_core::pool::{AgentId, Pool};
use bt_core::prelude::*;
use bt_core::tree::asset::spec::{action, select, sequence, wait_event};
use bt_core::{Runner, TreeAsset};
use bt_live::client::Client;
use bt_live::port::{Options, PoolGame, Port, Sources, Texts};
use tempfile::TempDir;

/// A dog that guards a yard.
#[derive(Agent, Debug)]
pub(crate) struct Dog {
    /// The number of times that it has barked.
    #[property]
    pub(crate) barked: u32,
    /// Its trust in people.
    #[property(min = 0, max = 10)]
    pub(crate) trust: i32,
}

#[agent]
impl Dog {
    /// Somebody threw a stick.
    #[event]
    fn stick(length: u32);

    /// Bark so many times.
    #[action]
    fn bark(&mut self, cx: &mut Context, times: u32) {
        self.barked += times;
        cx.set("loud", true);
    }

    /// Bark until somebody says stop.
    #[action]
    fn howl(&mut self) -> Option<bool> {
        None
    }

    /// Whistle, and wait until somebody whistles back, which nobody does.
    #[action]
    fn whistle(&mut self, cx: &mut Context) -> Option<bool> {
        std::mem::forget(cx.completion());
        None
    }

    /// Fetch a stick.
    #[action]
    fn fetch(#[arg(min = 1, max = 100)] weight: u32) -> Result<(), String> {
        match weight {
            0..=20 => Ok(()),
            _ => Err(format!("{weight} kg are too heavy")),
        }
    }

    /// Something is near.
    #[condition]
    fn near(distance: f64) -> bool {
        distance < 5.0
    }

    /// Sleep for longer than a poll of the port answers requests.
    #[action]
    fn doze() {
        thread::sleep(Duration::from_millis(5));
    }

    /// A bug in the game.
    #[action]
    fn trip() {
        panic!("the dog trips")
    }
}

/// The trees of dogs: one that waits for a stick, one that never rests.
pub(crate) fn texts() -> [(String, String); 2] {
    let guard = sequence([
        wait_event("stick"),
        action("bark").arg(1),
        action("wait_for_seconds").arg(1_000),
    ]);
    let busy = select([sequence([action("bark").arg(1), action("bark").arg(1)])]);
    [("guard.json", guard), ("busy.json", busy)].map(|(name, top)| {
        let text = TreeAsset::build(name, "dog", top).to_json();
        (name.to_owned(), text)
    })
}

type Job = Box<dyn FnOnce(&mut Pool<Dog>, &mut Port) + Send>;

/// A running game: it ends when it is dropped.
pub(crate) struct Game {
    pub(crate) folder: TempDir,
    pub(crate) token_file: PathBuf,
    pub(crate) url: String,
    jobs: mpsc::Sender<Job>,
    frames: Arc<AtomicU64>,
    /// The longest poll of the port, in microseconds.
    longest: Arc<AtomicU64>,
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Game {
    /// Dogs on the tree `guard.json`.
    pub(crate) fn of(dogs: usize) -> Game {
        Game::with(dogs, "guard.json", |options| options)
    }

    /// Dogs on a tree, with a port as it is wanted.
    pub(crate) fn with(dogs: usize, tree: &str, options: impl FnOnce(Options) -> Options) -> Game {
        Game::on(texts().into(), dogs, tree, options)
    }

    /// With trees of a test's own.
    pub(crate) fn on(
        texts: Texts,
        dogs: usize,
        tree: &str,
        options: impl FnOnce(Options) -> Options,
    ) -> Game {
        let folder = tempfile::tempdir().unwrap();
        let token_file = folder.path().join("token.json");
        let recordings = folder.path().join("recordings");
        std::fs::create_dir(&recordings).unwrap();
        let all = Options::new("dogs")
            .token_file(&token_file)
            .recordings(&recordings);
        let mut port = Port::open(options(all)).unwrap();
        let url = port.url();
        let mut sources = Sources::<Dog>::new(texts).unwrap();
        let mut pool = Pool::new();
        for _ in 0..dogs {
            let mut runner = Runner::new(sources.trees(), tree).unwrap();
            runner.start();
            let dog = Dog {
                barked: 0,
                trust: 5,
            };
            pool.spawn(dog, runner);
        }
        let (jobs, to_do) = mpsc::channel::<Job>();
        let frames = Arc::new(AtomicU64::new(0));
        let is_over = Arc::new(AtomicBool::new(false));
        let longest = Arc::new(AtomicU64::new(0));
        let (count, ends, most) = (frames.clone(), is_over.clone(), longest.clone());
        let run = move || {
            while !ends.load(Ordering::Relaxed) {
                let frame = count.fetch_add(1, Ordering::Relaxed);
                pool.poll(Duration::from_millis(frame));
                let began = Instant::now();
                port.poll(&mut PoolGame::new(&mut pool, &mut ()).sources(&mut sources));
                let took = began.elapsed().as_micros() as u64;
                most.fetch_max(took, Ordering::Relaxed);
                for job in to_do.try_iter() {
                    job(&mut pool, &mut port);
                }
                thread::sleep(Duration::from_millis(1));
            }
        };
        Game {
            folder,
            token_file,
            url,
            jobs,
            frames,
            longest,
            is_over,
            thread: Some(thread::spawn(run)),
        }
    }

    /// A client of it.
    pub(crate) fn client(&self) -> Client {
        Client::attach(&self.token_file).unwrap()
    }

    /// Does something between two frames.
    pub(crate) fn between<T: Send + 'static>(
        &self,
        job: impl FnOnce(&mut Pool<Dog>, &mut Port) -> T + Send + 'static,
    ) -> T {
        let (sender, done) = mpsc::channel();
        let job: Job = Box::new(move |pool, port| sender.send(job(pool, port)).unwrap());
        self.jobs.send(job).unwrap();
        done.recv().unwrap()
    }

    /// The number of frames so far.
    pub(crate) fn frames(&self) -> u64 {
        self.frames.load(Ordering::Relaxed)
    }

    /// The longest poll of the port since this was asked last.
    pub(crate) fn longest_poll(&self) -> Duration {
        Duration::from_micros(self.longest.swap(0, Ordering::Relaxed))
    }

    /// Returns whether the game continues: so many more frames come.
    pub(crate) fn plays_on(&self, frames: u64) {
        let now = self.frames();
        while self.frames() < now + frames {
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// The port's address without its token, and the token.
    pub(crate) fn address(&self) -> (String, String) {
        let (url, token) = self.url.split_once('#').unwrap();
        let address = url.strip_prefix("ws://").unwrap().trim_end_matches('/');
        (address.to_owned(), token.to_owned())
    }

    /// The id of a dog by its place, as requests call it.
    pub(crate) fn dog(place: u32) -> String {
        AgentId::from((place, 1)).to_bits().to_string()
    }
}

impl Drop for Game {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        let ended = self.thread.take().unwrap().join();
        assert!(ended.is_ok() || thread::panicking(), "the game continues");
    }
}
