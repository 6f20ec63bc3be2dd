//! From a seed to a case.

use bt_core::Random;

use super::{
    Abort, Act, COUNTS, Case, EVENTS, EXPRESSED, FLAGS, Guard, HOST_KEYS, KEYS, Kind, Node, Put,
    Script, Takes, Tree, When,
};
use crate::probe::Reply;

/// The sorts of cases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Profile {
    /// Cases that the [reference](crate::reference) covers: no leaf takes its time to be aborted, no event
    /// switches trees.
    Covered,
    /// All that there is.
    All,
}

/// The numbers of the trees.
pub(super) const MAIN: usize = 0;
/// It is called from anywhere, and may run more than once at a time.
pub(super) const OTHER: usize = 1;
/// One node calls it.
pub(super) const SINGLE: usize = 2;

/// The depth of trees.
const DEEPEST: u32 = 8;

impl Case {
    /// The case of a seed. Most are small.
    pub fn of(seed: u64, profile: Profile) -> Case {
        let mut grow = Grow {
            random: Random::new(seed),
            profile,
            theme: Theme::Anything,
            tree: MAIN,
            names: 0,
            slow: 0,
            single: None,
        };
        let themes = [
            Theme::Events,
            Theme::Waits,
            Theme::Guards,
            Theme::Guards,
            Theme::Writes,
            Theme::Writes,
            Theme::Turns,
            Theme::Turns,
        ];
        grow.theme = match grow.int(0, 13) {
            theme @ 0..=7 => themes[theme as usize],
            _ => Theme::Anything,
        };
        // What is rare needs a tree that lives for some time.
        let lives = grow.is_about_turns();
        let sizes = if lives {
            [6, 8, 8, 10, 14, 20]
        } else {
            [2, 4, 8, 8, 16, 40]
        };
        let size = grow.pick(&sizes);
        let main = grow.tree("main", MAIN, size);
        let other = grow.tree("other", OTHER, 5);
        let single = grow.tree("single", SINGLE, 6);
        let most = if lives {
            [12, 12, 25, 25, 40]
        } else {
            [3, 6, 12, 25, 40]
        };
        let most = grow.pick(&most);
        let trees = vec![main, other, single];
        let scripts = trees.iter().map(|tree| tree.root.scripts()).sum();
        let ops = (0..grow.int(1, most)).map(|_| grow.op(scripts)).collect();
        let tight = grow.one_in(5);
        let mut case = Case {
            seed,
            stream: grow.random.state(),
            looping: lives || grow.yes(),
            keeps_results: grow.one_in(4),
            budget: if tight { grow.int(1, 30) as u32 } else { 300 },
            trees,
            ops,
        };
        case.number();
        let times = 1 + case.nodes().len() as u32 / 6;
        case.switch(seed, times);
        case.read_numbers(seed, 2 * times);
        case.give_results(seed);
        case
    }
}

impl Node {
    fn scripts(&self) -> usize {
        let own = usize::from(self.kind.script().is_some());
        own + self.children.iter().map(Node::scripts).sum::<usize>()
    }
}

/// The theme of a case: rare things occur together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Theme {
    Anything,
    Events,
    Waits,
    Guards,
    /// Keys that change in the middle of a poll, and guards that follow them.
    Writes,
    /// Reactive nodes, `rerun`, parallels without thresholds and deadlines, above guards and polled leaves.
    Turns,
}

pub(super) struct Grow {
    random: Random,
    profile: Profile,
    pub(super) theme: Theme,
    /// The number of the tree that grows.
    tree: usize,
    /// The number of names that were given.
    names: usize,
    /// The number of slow leaves.
    slow: usize,
    /// The caller of the tree that is called once.
    single: Option<()>,
}

impl Grow {
    pub(super) fn int(&mut self, low: i64, high: i64) -> i64 {
        self.random.int(low..=high)
    }

    fn time(&mut self, high: i64) -> u64 {
        self.int(0, high).unsigned_abs()
    }

    pub(super) fn yes(&mut self) -> bool {
        self.int(0, 1) == 1
    }

    pub(super) fn one_in(&mut self, of: i64) -> bool {
        self.int(1, of) == 1
    }

    pub(super) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.int(0, from.len() as i64 - 1) as usize]
    }

    /// Mostly the first, where what changes is to be what is looked at.
    pub(super) fn mostly<T: Copy>(&mut self, from: &[T]) -> T {
        match self.is_about_turns() && !self.one_in(4) {
            true => from[0],
            false => self.pick(from),
        }
    }

    fn is_about_turns(&self) -> bool {
        matches!(self.theme, Theme::Guards | Theme::Writes | Theme::Turns)
    }

    fn is_all(&self) -> bool {
        self.profile == Profile::All
    }

    fn tree(&mut self, name: &'static str, number: usize, size: i64) -> Tree {
        self.tree = number;
        let mut left = self.int(1, size);
        let top = self.node(DEEPEST, &mut left, &Kind::Root);
        Tree {
            name,
            root: Node {
                declares: self.declares(12),
                ..Node::new(Kind::Root, [top])
            },
        }
    }

    /// A node, with what is below it, of as many nodes as are left.
    fn node(&mut self, depth: u32, left: &mut i64, parent: &Kind) -> Node {
        *left -= 1;
        if matches!(parent, Kind::And | Kind::Or) {
            let kind = self.condition();
            return self.attach(kind, Vec::new(), parent);
        }
        let is_leaf = depth <= 1 || *left <= 0 || self.one_in(6);
        if is_leaf && !(self.is_about_turns() && depth == DEEPEST) {
            let kind = self.leaf();
            return self.attach(kind, Vec::new(), parent);
        }
        let skips = self.is_about_turns() && self.yes();
        let mut kind = match self.int(0, 4) {
            0 | 1 if !skips => self.decorator(),
            _ => self.composite(),
        };
        let wanted = match &kind {
            Kind::IfElse => self.int(2, 3),
            Kind::WhileLoop => 2,
            kind if kind.may_have(1) && !kind.may_have(2) => 1,
            _ => self.int(1, 4),
        };
        let children: Vec<_> = (0..wanted)
            .map(|_| self.node(depth - 1, left, &kind))
            .collect();
        self.fit(&mut kind, children.len() as i64);
        self.attach(kind, children, parent)
    }

    /// Chooses what depends on the number of children.
    fn fit(&mut self, kind: &mut Kind, children: i64) {
        match kind {
            Kind::Probability(weights) => {
                *weights = (0..children).map(|_| self.int(0, 2) as u32).collect();
            }
            Kind::Utility { scores, .. } => {
                *scores = (0..children)
                    .map(|_| (self.valued(), self.int(0, 3)))
                    .collect();
            }
            Kind::Steers(known, _) => *known = children as usize + usize::from(self.one_in(8)),
            Kind::Watches(_, last) => *last = children as usize - usize::from(!self.one_in(8)),
            Kind::Switch { on, cases, .. } => {
                *on = self.valued();
                let first = self.int(0, 1);
                *cases = vec![first, 1 - first];
                cases.truncate(self.int(0, 2) as usize);
                kind.fit_entries(children as usize);
            }
            Kind::Parallel {
                success, failure, ..
            } => {
                let mut threshold = || Some(self.int(1, children) as u32);
                (*success, *failure) = match threshold() {
                    Some(1) => (threshold(), None),
                    Some(2) => (None, threshold()),
                    _ => (threshold(), threshold()),
                };
            }
            _ => {}
        }
    }

    fn composite(&mut self) -> Kind {
        let themed = self.one_in(3);
        let which = match self.theme {
            Theme::Guards | Theme::Writes if themed => self.pick(&[2, 5, 7]),
            Theme::Turns if themed => self.pick(&[6, 7, 12, 15, 18, 19, 22]),
            _ => self.int(0, 22),
        };
        match which {
            0 | 1 => Kind::Sequence {
                keep_place: self.one_in(3),
            },
            2 | 3 => Kind::Select {
                keep_place: self.one_in(3),
            },
            4 => Kind::MemorySequence {
                keep_place: self.one_in(3),
            },
            5 => Kind::MemorySelect {
                keep_place: self.one_in(3),
            },
            6 => Kind::ReactiveSequence,
            7 => Kind::ReactiveSelect,
            8 => Kind::AlwaysSeq,
            9 => Kind::RandomSeq,
            10 => Kind::RandomSelect,
            11 => Kind::Probability(Vec::new()),
            12..=14 => Kind::Parallel {
                success: None,
                failure: None,
                rerun: self.theme == Theme::Turns || self.one_in(3),
                stops: self.one_in(4),
            },
            15 => Kind::AnyFinish,
            16 => Kind::IfElse,
            17 => Kind::WhileLoop,
            21 => Kind::Steers(1, self.time(5) as u32),
            22 => Kind::Watches(self.mostly(&FLAGS), 0),
            19 => Kind::Utility {
                scores: Vec::new(),
                reactive: self.one_in(2),
                keep: self.int(0, 2),
            },
            18 => Kind::Switch {
                on: FLAGS[0],
                cases: vec![0],
                reactive: self.one_in(2),
            },
            _ => self.pick::<fn() -> Kind>(&[|| Kind::And, || Kind::Or])(),
        }
    }

    /// A flag or a key that has a value.
    fn valued(&mut self) -> &'static str {
        match self.int(0, 3) {
            0 => self.mostly(&FLAGS),
            1 => self.mostly(&KEYS),
            2 => self.mostly(&HOST_KEYS),
            _ => self.pick(&COUNTS),
        }
    }

    fn decorator(&mut self) -> Kind {
        let count = self.int(-1, 3);
        let which = match self.theme == Theme::Turns && self.one_in(4) {
            true => 8,
            false => self.int(0, 19),
        };
        match which {
            0 => Kind::Negative,
            1 => Kind::AlwaysTrue,
            2 => Kind::AlwaysFalse,
            3 => Kind::Repeat(count),
            4 => Kind::Retry(count),
            5 => Kind::UntilSuccess(count),
            6 => Kind::UntilFailure(count),
            7 => Kind::Loop(count),
            8 | 9 => Kind::Timeout(self.time(5) + 1),
            10 => Kind::Delay(self.time(3)),
            11 => Kind::Cooldown {
                time: self.time(6),
                on_success: self.yes(),
            },
            12 => Kind::RunLimit {
                count: self.time(3),
                on: self.pick(&[None, Some(true), Some(false)]),
                reset_if: self.one_in(3).then(|| self.pick(&FLAGS)),
            },
            13 => Kind::SuccessUntil(count),
            14 => Kind::FailureUntil(count),
            15 => Kind::Frames(self.time(4)),
            16 => Kind::Once,
            18 => Kind::Minds(self.mostly(&FLAGS)),
            17 => {
                let elements = 0..self.int(0, 4);
                let elements = elements
                    .map(|_| self.pick(&["true", "false", "true", "false", KEYS[0], HOST_KEYS[0]]));
                let elements = elements.collect();
                Kind::ForEach {
                    list: elements,
                    item: self.mostly(&KEYS),
                    index: self.one_in(3).then(|| self.pick(&COUNTS)),
                    until: self.pick(&[None, Some(true), Some(false)]),
                }
            }
            _ => Kind::Limits(self.time(3) as u32),
        }
    }

    fn leaf(&mut self) -> Kind {
        let themed = self.yes();
        let which = match self.theme {
            Theme::Events if themed => 20,
            Theme::Waits if themed => self.pick(&[6, 16, 18]),
            Theme::Turns | Theme::Guards if themed => 6,
            Theme::Writes if themed => self.pick(&[0, 6, 6, 20]),
            _ => self.int(0, 31),
        };
        match which {
            0..=5 => Kind::Now(self.script(at_once)),
            6..=9 if self.tree != OTHER => Kind::Polled(self.script(without_waiting)),
            6..=13 => Kind::Starts(self.script(|_| true)),
            14 if self.tree == MAIN && self.slow < 3 && self.is_all() => {
                self.slow += 1;
                let mut script = self.script(|_| true);
                script.name = ["a", "b", "c"][self.slow - 1].to_owned();
                Kind::Slow(script)
            }
            14 | 15 => Kind::Draws,
            16 | 17 => Kind::Wait(self.time(4)),
            18 | 19 => Kind::WaitFrames(self.time(4)),
            20..=22 => Kind::WaitEvent {
                event: self.pick(&EVENTS),
                broadcast: self.one_in(3),
                latch: self.one_in(3),
            },
            23 | 24 => self.condition(),
            25 => Kind::AlwaysRunning,
            26 => Kind::End {
                success: self.yes(),
                outside: self.yes(),
            },
            27 if self.one_in(2) => Kind::Reset {
                keep_blackboard: self.yes(),
            },
            28 if self.tree == MAIN && self.single.is_none() => {
                self.single = Some(());
                Kind::SubTree(SINGLE)
            }
            28 | 29 if self.tree == MAIN || self.one_in(4) => Kind::SubTree(OTHER),
            31 => {
                let key = self.pick(&COUNTS);
                match key == COUNTS[1] {
                    true => Kind::Set(key),
                    false => Kind::More(key),
                }
            }
            30 => {
                let to = self.pick(&[MAIN, OTHER, SINGLE]);
                Kind::Transfer(to)
            }
            _ => Kind::Now(self.script(at_once)),
        }
    }

    fn condition(&mut self) -> Kind {
        let about = match self.int(0, 2) {
            0 => self.pick(&FLAGS),
            1 => self.pick(&HOST_KEYS),
            _ => self.pick(&KEYS),
        };
        match EXPRESSED.contains(&about) {
            true => Kind::Check(about),
            false => Kind::Condition(about),
        }
    }

    fn script(&mut self, can: fn(&Reply) -> bool) -> Script {
        self.names += 1;
        let mut replies: Vec<_> = (0..self.int(0, 4)).map(|_| self.reply()).collect();
        replies.retain(can);
        if self.is_about_turns() && can(&Reply::On) && self.yes() {
            replies.insert(0, Reply::On);
        }
        let writes = self.theme == Theme::Writes && self.yes();
        let act = match self.int(0, 29) {
            _ if writes => Act::Set(self.mostly(&KEYS), self.yes()),
            0..=2 => Act::Set(self.pick(&KEYS), self.yes()),
            3 | 4 => Act::Fire(self.pick(&EVENTS)),
            5 => self.pick(&[Act::Stop, Act::Reset, Act::Load(OTHER), Act::Load(MAIN)]),
            6..=8 => Act::Delta,
            _ => Act::Nothing,
        };
        Script {
            name: format!("l{}", self.names),
            replies,
            act,
        }
    }

    fn reply(&mut self) -> Reply {
        match self.int(0, 16) {
            0..=6 => Reply::End(self.yes()),
            7..=10 => Reply::On,
            11 | 12 => Reply::After(self.int(0, 3) as f64 / 4.0, self.yes()),
            13 | 14 => Reply::Polls(self.int(0, 3) as u32, self.yes()),
            15 => Reply::Event("go", self.yes()),
            _ => Reply::Panic,
        }
    }

    fn attach(&mut self, kind: Kind, children: Vec<Node>, parent: &Kind) -> Node {
        let most = match self.theme {
            Theme::Guards | Theme::Writes => 3,
            Theme::Turns => 6,
            _ => 14,
        };
        let guards = match self.int(0, most) {
            0 | 1 => 1,
            2 => 2,
            _ => 0,
        };
        let guards = (0..guards).map(|_| self.guard(parent)).collect();
        let takes = (self.is_all() && self.one_in(12)).then(|| Takes {
            tree: OTHER,
            comes_back: self.yes(),
            once: self.yes(),
        });
        Node {
            idx: 0,
            kind,
            logged: self.yes(),
            guards,
            service: self.one_in(12).then(|| self.time(2) + 1),
            puts: self.puts(),
            declares: self.declares(30),
            results: Vec::new(),
            results_on_success: false,
            takes,
            reads: None,
            serves: None,
            disabled: false,
            children,
        }
    }

    fn puts(&mut self) -> Vec<Put> {
        let most = if self.theme == Theme::Writes { 4 } else { 20 };
        let mut puts = Vec::new();
        while puts.len() < 3 && self.one_in(most) {
            puts.push(Put {
                when: self.pick(&[
                    When::Enter,
                    When::Success,
                    When::Failure,
                    When::Aborted,
                    When::Exit,
                    When::Service,
                ]),
                key: self.mostly(&KEYS),
                on: self.yes(),
            });
        }
        puts
    }

    /// Keys of a node's own, or of a tree's.
    fn declares(&mut self, of: i64) -> Vec<&'static str> {
        let mut all = Vec::new();
        if self.one_in(of) {
            all.push(self.pick(&COUNTS));
        }
        if self.one_in(of) {
            all.push(self.pick(&KEYS));
        }
        all
    }

    fn guard(&mut self, parent: &Kind) -> Guard {
        let is_about_writes = self.theme == Theme::Writes;
        let about = match self.int(0, 3) {
            _ if is_about_writes => self.mostly(&KEYS),
            0 | 1 => self.mostly(&FLAGS),
            2 => self.mostly(&KEYS),
            _ => self.mostly(&HOST_KEYS),
        };
        let below_select = matches!(parent, Kind::Select { .. } | Kind::MemorySelect { .. });
        let abort = match self.int(0, 6) {
            0 => Abort::None,
            1 => Abort::Poll,
            2 | 3 if below_select => Abort::Lower,
            4 | 5 if below_select => Abort::Both,
            _ => Abort::Own,
        };
        Guard {
            about,
            not: if abort.is_lower() {
                self.yes()
            } else {
                self.int(0, 3) > 0
            },
            abort,
        }
    }
}

fn at_once(reply: &Reply) -> bool {
    matches!(reply, Reply::End(_) | Reply::Panic)
}

fn without_waiting(reply: &Reply) -> bool {
    at_once(reply) || *reply == Reply::On
}
