//! Times the frames in which many agents move to changed trees: `cargo bench -p bt-benches --bench reload`.
//!
//! 100,000 agents of a pool wait in the middle of the tree of 32 nodes; in each frame of 16 ms the wait of
//! some of them ends. Then the tree is changed: beside what runs, in what runs, or so that what runs is aborted and
//! another action is called. A few agents at a time move, as the budget says, besides those that are due.
//!
//! Each run is a process of its own: a pool that was dropped before leaves its memory in pieces, and the frame in which
//! the allocator joins those takes ten times as long.

#![forbid(unsafe_code)]

use std::error::Error;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use bt_benches::trees::{Body, Leaf, Loads, Ours, Shape};
use bt_core::pool::Pool;
use bt_core::reload::Changes;
use bt_core::{Mode, Runner, TreeAsset, TreeSet, Trees};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

const AGENTS: u32 = 100_000;
/// The best of so many is shown: on a machine that does other things, too, most of a longest frame is theirs.
const RUNS: usize = 7;
/// The time that each agent waits, in seconds.
const WAIT: f64 = 10.0;
const FRAME: Duration = Duration::from_millis(16);

fn trees(text: &str) -> Result<Trees<Body>> {
    let mut set = TreeSet::new();
    set.add(TreeAsset::from_json("tree.json", text)?);
    Ok(set.build()?)
}

/// Milliseconds of some work.
fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let done = work();
    (done, start.elapsed().as_secs_f64() * 1e3)
}

/// Agents that wait, each since a frame of its own.
fn pool(trees: &Trees<Body>, frames: u32) -> Result<(Pool<Body>, u32)> {
    let mut pool = Pool::new();
    pool.reserve(AGENTS as usize);
    for frame in 0..frames {
        for _ in 0..AGENTS / frames {
            let mut runner = Runner::new(trees, "tree.json")?.mode(Mode::Loop);
            runner.start();
            pool.spawn(Body::default(), runner);
        }
        pool.poll(FRAME * frame);
    }
    Ok((pool, frames))
}

/// The text of the trees before, and what changes, with the text of the trees afterwards.
fn changes() -> Result<(String, [(&'static str, String); 4])> {
    let wait = |seconds: f64| format!("\"arg_value\": {seconds:?}");
    let text = Ours::text(&Shape::of_32(Leaf::Timer))?;
    let text = text.replace(&wait(Body::WAIT), &wait(WAIT));
    let changes = [
        ("nothing", text.clone()),
        ("beside what runs", text.replacen("is_angry", "is_calm", 1)),
        ("what runs", text.replace(&wait(WAIT), &wait(WAIT * 2.0))),
        ("its action", Ours::text(&Shape::of_32(Leaf::Either))?),
    ];
    Ok((text, changes))
}

fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().collect();
    if let [_, word, change, budget] = &*args
        && word == "run"
    {
        let Run(numbers) = one(change.parse()?, budget.parse()?)?;
        println!("{}", numbers.map(|number| number.to_string()).join(" "));
        return Ok(());
    }
    println!("{AGENTS} agents, frames of 16 ms; milliseconds");
    println!(
        "| what changes | agents looked at in a frame | compare | longest frame | mean frame | polls |"
    );
    println!("|---|---|---|---|---|---|");
    let (_, changes) = changes()?;
    for (number, (what, _)) in changes.iter().enumerate() {
        for budget in [1_000, 2_000, 5_000] {
            let mut best: Option<Run> = None;
            for _ in 0..RUNS {
                let run = Run::apart(number, budget)?;
                if best
                    .as_ref()
                    .is_none_or(|best| run.longest() < best.longest())
                {
                    best = Some(run);
                }
            }
            if let Some(Run([compare, longest, mean, polls])) = best {
                println!(
                    "| {what} | {budget} | {compare:.3} | {longest:.2} | {mean:.2} | {polls} |"
                );
            }
        }
    }
    Ok(())
}

/// The figures of one reload of all agents: to compare, the longest frame, the mean, and the number of polls.
struct Run([f64; 4]);

impl Run {
    fn longest(&self) -> f64 {
        self.0[1]
    }

    /// Makes a run in a process of its own.
    fn apart(change: usize, budget: usize) -> Result<Run> {
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["run", &change.to_string(), &budget.to_string()]);
        let output = command.stderr(Stdio::inherit()).output()?;
        let text = String::from_utf8(output.stdout)?;
        let numbers = text.split_whitespace().map(str::parse);
        let numbers = numbers.collect::<std::result::Result<Vec<f64>, _>>()?;
        let numbers: [f64; 4] = numbers.try_into().map_err(|_| "a run failed")?;
        Ok(Run(numbers))
    }
}

fn one(change: usize, budget: usize) -> Result<Run> {
    let (text, changes) = changes()?;
    let (what, new) = changes.get(change).ok_or("there is no such change")?;
    let (old, new) = (trees(&text)?, trees(new)?);
    let is_same = new.node_count() == old.node_count();
    assert!(is_same, "{what}: other trees than meant");
    run(&old, &new, budget)
}

fn run(old: &Trees<Body>, new: &Trees<Body>, budget: usize) -> Result<Run> {
    let (mut pool, mut frame) = pool(old, (WAIT / FRAME.as_secs_f64()) as u32)?;
    let (changes, compare) = timed(|| Changes::between(old, new));
    let ((), reload) = timed(|| pool.reload(&changes, budget));
    let frames = AGENTS as usize / budget + 10;
    let (mut longest, mut sum, mut polls) = (reload, 0.0, 0);
    for _ in 0..frames {
        frame += 1;
        let (polled, time) = timed(|| pool.poll(FRAME * frame));
        longest = f64::max(longest, time);
        sum += time;
        polls += polled;
    }
    let mean = sum / frames as f64;
    Ok(Run([compare, longest, mean, polls as f64]))
}
