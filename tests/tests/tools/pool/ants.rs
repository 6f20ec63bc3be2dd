//! Agents that count what is done to them.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bt_core::pool::{AgentId, Pool, PoolHandle, Spawner};
use bt_core::prelude::*;
use bt_core::tree::asset::spec::{NodeSpec, node};
use bt_core::{Mode, Runner, TreeAsset, TreeSet, Trees};
use serde_json::json;

/// The number of times that actions were entered and exited, of all agents that share it.
#[derive(Debug, Default)]
pub(crate) struct Count {
    pub(crate) entered: AtomicUsize,
    pub(crate) exited: AtomicUsize,
    pub(crate) called: AtomicUsize,
}

impl Count {
    pub(crate) fn pair(&self) -> (usize, usize) {
        let read = |count: &AtomicUsize| count.load(Ordering::SeqCst);
        (read(&self.entered), read(&self.exited))
    }

    pub(crate) fn calls(&self) -> usize {
        self.called.load(Ordering::SeqCst)
    }
}

/// Counts an exit when it drops.
struct Entered(Arc<Count>);

impl Drop for Entered {
    fn drop(&mut self) {
        self.0.exited.fetch_add(1, Ordering::SeqCst);
    }
}

#[derive(Agent, Default)]
pub(crate) struct Ant {
    pub(crate) count: Arc<Count>,
    pub(crate) log: Vec<String>,
    pub(crate) completions: Arc<Mutex<Vec<Completion>>>,
    pub(crate) id: Option<AgentId>,
    pub(crate) hill: Option<PoolHandle>,
    pub(crate) queen: Option<(Trees<Ant>, Spawner<Ant>)>,
}

#[agent]
impl Ant {
    #[event]
    fn rain(drops: u32);

    #[action]
    pub(crate) fn walk(&mut self, cx: &mut Context, name: &str) {
        self.count.called.fetch_add(1, Ordering::SeqCst);
        self.log.push(format!("{name} {}", cx.now().as_millis()));
    }

    /// Waits for somebody to finish it.
    #[action]
    fn dig(&mut self, cx: &mut Context) -> Option<bool> {
        self.enter(cx);
        self.completions.lock().unwrap().push(cx.completion());
        None
    }

    /// Runs in every poll.
    #[action]
    fn guard_nest(&mut self, cx: &mut Context) -> Status {
        self.count.called.fetch_add(1, Ordering::SeqCst);
        if cx.is_first_call() {
            self.enter(cx);
        }
        Status::Running
    }

    /// Takes a second to end when it is aborted.
    #[action(exit = "calm_down")]
    fn fight(&mut self, cx: &mut Context) -> Option<bool> {
        self.enter(cx);
        None
    }

    fn calm_down(&mut self, cx: &mut Context, exit: Exit) -> Option<bool> {
        self.log.push(format!("{exit:?} {}", cx.now().as_millis()));
        cx.finish_after(Duration::from_secs(1), true);
        None
    }

    /// Finishes the call of another ant, and notes whether that was the first answer.
    #[action]
    fn help(&mut self, success: bool) {
        let last = self.completions.lock().unwrap().last().cloned();
        if let Some(last) = last {
            self.log.push(format!("help {}", last.finish(success)));
        }
    }

    /// Is done at once, and says so by its completion.
    #[action]
    fn dig_at_once(&mut self, cx: &mut Context) -> Option<bool> {
        let completion = cx.completion();
        let answers = [completion.finish(true), completion.finish(false)];
        self.log.push(format!("{answers:?}"));
        None
    }

    #[action]
    fn fall(&mut self, cx: &mut Context) {
        self.enter(cx);
        std::panic::resume_unwind(Box::new("it falls"));
    }

    /// Tells another ant, by the number of its place, what it is called.
    #[action]
    fn tell(&mut self, other: u32) {
        let me = self.id.unwrap();
        let other = AgentId::from((other, 1));
        let event = Event::new("rain").with("drops", me.index());
        self.hill.as_ref().unwrap().fire(other, event);
    }

    #[action]
    fn die(&mut self, cx: &mut Context) -> Option<bool> {
        self.enter(cx);
        self.hill.as_ref().unwrap().despawn(self.id.unwrap());
        None
    }

    #[action]
    fn lay(&mut self) {
        let (trees, spawner) = self.queen.as_ref().unwrap();
        let mut runner = Runner::new(trees, "main").unwrap();
        runner.set_mode(Mode::Once);
        let young = Ant {
            log: vec![format!("of {}", self.id.unwrap())],
            ..Ant::default()
        };
        spawner.spawn(young, runner);
    }

    /// Counts on the blackboard.
    #[action]
    fn step(&mut self, cx: &mut Context, key: &str) {
        cx.update(key, |value| {
            let had = value.as_ref().and_then(serde_json::Value::as_i64);
            *value = Some(json!(had.unwrap_or(0) + 1));
        });
    }

    #[action]
    fn see(&mut self, cx: &mut Context, key: &str) {
        self.log.push(format!("{key}={}", cx.get(key)));
    }

    #[action]
    fn draw(&mut self, cx: &mut Context, most: u32) {
        let drawn = cx.random().int(1..=most.into());
        self.log.push(format!("draw {drawn}"));
    }

    #[action]
    fn roll(&mut self, cx: &mut Context, most: u32) -> Option<bool> {
        let drawn = cx.random().int(1..=most.into());
        cx.finish_after(Duration::from_millis(drawn.unsigned_abs()), true);
        self.log.push(format!("roll {drawn}"));
        None
    }

    #[condition]
    fn is_on(value: bool) -> bool {
        value
    }
}

impl Ant {
    fn enter(&self, cx: &mut Context) {
        self.count.entered.fetch_add(1, Ordering::SeqCst);
        cx.on_exit(Entered(self.count.clone()));
    }
}

/// The tree `main`, whose keys `alarm` and `steps` all ants share.
pub(crate) fn trees(body: NodeSpec) -> Trees<Ant> {
    let keys = json!({
        "alarm": {"type": "bool", "initial": false, "scope": "global"},
        "steps": {"type": "int64", "initial": 0, "scope": "global"},
    });
    let root = node("root").extra("blackboard", keys).child(body);
    let mut trees = TreeSet::<Ant>::new();
    trees.add(TreeAsset::build("main", "ant", root));
    trees.build().unwrap()
}

/// A started runner of the tree `main`, that runs once.
pub(crate) fn runner(trees: &Trees<Ant>) -> Runner<Ant> {
    let mut runner = Runner::new(trees, "main").unwrap().mode(Mode::Once);
    runner.start();
    runner
}

/// A pool of so many ants, with what they count together.
pub(crate) fn hill(body: NodeSpec, ants: u32) -> (Pool<Ant>, Vec<AgentId>, Arc<Count>) {
    let trees = trees(body);
    let (mut pool, count) = (Pool::new(), Arc::new(Count::default()));
    let spawn = |_| {
        let ant = Ant {
            count: count.clone(),
            hill: Some(pool.handle()),
            queen: Some((trees.clone(), pool.spawner())),
            ..Ant::default()
        };
        let id = pool.spawn(ant, runner(&trees));
        pool.get_mut(id).unwrap().0.id = Some(id);
        id
    };
    let ids = (0..ants).map(spawn).collect();
    (pool, ids, count)
}

pub(crate) fn seconds(seconds: f64) -> Duration {
    Duration::from_secs_f64(seconds)
}

/// The notes of an ant.
pub(crate) fn log(pool: &Pool<Ant>, id: AgentId) -> &[String] {
    &pool.get(id).unwrap().0.log
}
