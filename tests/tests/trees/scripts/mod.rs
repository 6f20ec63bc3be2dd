//! Scripts do what the Python article says of them: its tree, written down after its words, and the
//! runner are ticked side by side. `BT_SCRIPTS=100000 cargo test …` compares more scripts.

mod article;

use std::sync::Mutex;
use std::time::Duration;

use article::Article;
use bt_core::prelude::*;
use bt_core::{Mode, Random, Runner, TreeAsset, TreeSet};

/// The number of times that each is ticked.
const TICKS: usize = 16;

/// The replies of leaves, and their calls.
struct Leaves {
    /// Of each leaf, call by call, over and over.
    replies: Vec<Vec<Status>>,
    /// The number of times that each was called.
    calls: Vec<usize>,
    log: Vec<(usize, Status)>,
}

impl Leaves {
    fn new(replies: &[Vec<Status>]) -> Leaves {
        Leaves {
            replies: replies.to_vec(),
            calls: vec![0; replies.len()],
            log: Vec::new(),
        }
    }

    fn call(&mut self, leaf: usize) -> Status {
        let replies = &self.replies[leaf];
        let reply = replies[self.calls[leaf] % replies.len()];
        self.calls[leaf] += 1;
        self.log.push((leaf, reply));
        reply
    }
}

#[derive(Agent)]
struct Vacuum {
    leaves: Mutex<Leaves>,
}

#[agent]
impl Vacuum {
    #[action]
    fn act(&mut self, leaf: usize) -> Status {
        self.leaves.lock().unwrap().call(leaf)
    }

    #[condition]
    fn check(&self, leaf: usize) -> bool {
        self.leaves.lock().unwrap().call(leaf) == Status::Success
    }
}

/// One tick: the result of the root, and the calls with what they returned.
type Tick = (Status, Vec<(usize, Status)>);

/// A script, and what its leaves return.
struct Case {
    script: String,
    replies: Vec<Vec<Status>>,
}

impl Case {
    /// The behaviour of the article's tree. `again` is the default mode of a tree: when a run that began in
    /// an earlier tick has ended, the next one begins in the same tick.
    fn article(&self, again: bool) -> Vec<Tick> {
        let mut leaves = Leaves::new(&self.replies);
        let mut tree = Article::new(&self.script);
        let mut had_blocked = false;
        let tick = |_| {
            let mut leaf = |_: &str, param: &str| leaves.call(param.parse().unwrap());
            let mut status = tree.tick(&mut leaf);
            if again && had_blocked && status != Status::Running {
                status = tree.tick(&mut leaf);
            }
            had_blocked = status == Status::Running;
            (status, std::mem::take(&mut leaves.log))
        };
        (0..TICKS).map(tick).collect()
    }

    /// The behaviour of the runner: in mode `once`, started again whenever it has ended, or in the default
    /// mode.
    fn runner(&self, again: bool) -> Vec<Tick> {
        let tree = TreeAsset::from_script("script", &self.script);
        let tree = tree.unwrap_or_else(|error| panic!("{error}\n{}", self.script));
        let mut set = TreeSet::<Vacuum>::new();
        let trees = set.add(tree.with_agent("vacuum")).build();
        let trees = trees.unwrap_or_else(|error| panic!("{error}\n{}", self.script));
        let mut runner = Runner::new(&trees, "script").unwrap();
        if !again {
            runner = runner.mode(Mode::Once);
        }
        let mut vacuum = Vacuum {
            leaves: Leaves::new(&self.replies).into(),
        };
        let tick = |number| {
            runner.start();
            let now = Duration::from_secs(number as u64);
            let status = runner.poll(&mut vacuum, now).status;
            assert_eq!(runner.diagnostics(), []);
            let log = &mut vacuum.leaves.get_mut().unwrap().log;
            (status, std::mem::take(log))
        };
        (0..TICKS).map(tick).collect()
    }

    /// The first tick that differs, for people.
    fn difference(&self, again: bool) -> Option<String> {
        let (article, runner) = (self.article(again), self.runner(again));
        let mut ticks = article.iter().zip(&runner).enumerate();
        let (number, (article, runner)) = ticks.find(|(_, (one, other))| one != other)?;
        let Case { script, replies } = self;
        Some(format!(
            "{script}leaves return {replies:?}\nin tick {number}\narticle {article:?}\nrunner  {runner:?}"
        ))
    }
}

/// Makes scripts.
struct Grower {
    random: Random,
    case: Case,
    with_parallels: bool,
}

impl Grower {
    fn int(&mut self, low: i64, high: i64) -> i64 {
        self.random.int(low..=high)
    }

    fn of(seed: u64, with_parallels: bool) -> Case {
        let mut grower = Grower {
            random: Random::new(seed),
            case: Case {
                script: String::new(),
                replies: Vec::new(),
            },
            with_parallels,
        };
        grower.node(0);
        grower.case
    }

    fn node(&mut self, depth: usize) {
        let is_leaf = depth == 4 || depth > 0 && self.int(0, 9) < 4;
        let line = if is_leaf { self.leaf() } else { String::new() };
        if is_leaf {
            return self.line(depth, &line);
        }
        let children = self.int(1, 4);
        let count = self.int(1, children);
        let memory = if self.int(0, 1) == 0 { " True" } else { "" };
        let line = match self.int(0, if self.with_parallels { 4 } else { 3 }) {
            0 | 1 => format!("SEQUENCE{memory}"),
            2 | 3 => format!("FALLBACK{memory}"),
            _ => format!("PARALLEL {count}"),
        };
        self.line(depth, &line);
        for _ in 0..children {
            self.node(depth + 1);
        }
    }

    fn line(&mut self, depth: usize, line: &str) {
        self.case.script += &format!("{}{line}\n", "  ".repeat(depth));
    }

    /// A condition is never running.
    fn leaf(&mut self) -> String {
        let is_condition = self.int(0, 2) == 0;
        let replies = self.int(1, 6);
        let last = if is_condition { 1 } else { 2 };
        let all = [Status::Success, Status::Failure, Status::Running];
        let replies = (0..replies).map(|_| all[self.int(0, last) as usize]);
        let replies = replies.collect();
        self.case.replies.push(replies);
        let name = if is_condition { "check" } else { "act" };
        format!("{name} {}", self.case.replies.len() - 1)
    }
}

/// Ticks so many random scripts both ways, and shows the shortest one that differs.
fn compare(scripts: u64, with_parallels: bool, again: bool) {
    let one = std::env::var("BT_SCRIPTS").ok();
    let scripts = one.and_then(|count| count.parse().ok()).unwrap_or(scripts);
    let cases = (0..scripts).map(|seed| Grower::of(seed, with_parallels));
    let differ = cases.filter_map(|case| Some((case.script.len(), case.difference(again)?)));
    let differ: Vec<_> = differ.collect();
    let shortest = differ.iter().min_by_key(|(length, _)| *length);
    if let Some((_, shortest)) = shortest {
        let count = differ.len();
        panic!("{count} of {scripts} scripts differ, such as\n{shortest}");
    }
}

#[test]
fn scripts_run_as_the_article_says() {
    compare(3_000, true, false);
}

#[test]
fn scripts_without_parallels_run_as_the_article_says() {
    compare(1_000, false, false);
}

#[test]
fn scripts_in_the_default_mode_begin_the_next_run_in_the_tick_that_ended_one() {
    compare(1_000, true, true);
}

#[test]
fn scripts_without_parallels_begin_the_next_run_in_the_tick_that_ended_one() {
    compare(1_000, false, true);
}
