//! From a seed to a case.

use bt_core::Random;

use super::{Chaos, Deal, Deed, End, Quirk, When};
use crate::cases::{Case, EVENTS, FLAGS, HOST_KEYS, KEYS, Kind, Node, Op, Profile, Takes, place};

impl Chaos {
    /// The case of a seed. Most are small.
    pub fn of(seed: u64) -> Chaos {
        let mut case = Case::of(seed, Profile::All);
        let mut grow = Grow(Random::new(seed ^ 0x63_68_61_6f_73));
        case.budget = grow.pick(&[5, 30, 300, 300, 300]);
        grow.change(&mut case);
        let mut ops: Vec<Deal> = case.ops.drain(..).map(Deal::Op).collect();
        if grow.one_in(8) {
            ops.retain(|op| !matches!(op, Deal::Op(Op::Start)));
        } else {
            ops.insert(0, Deal::Op(Op::Start));
        }
        for _ in 0..grow.int(0, 8) {
            let position = grow.int(0, ops.len() as i64) as usize;
            let op = grow.deal();
            ops.insert(position, op);
        }
        // Half of the cases are played on the trees that they begin with.
        if grow.yes() {
            for _ in 0..grow.int(1, 4) {
                let position = grow.int(0, ops.len() as i64) as usize;
                let seed = grow.int(0, i64::MAX) as u64;
                ops.insert(position, Deal::Reload(seed));
            }
        }
        let who = names(&case);
        let quirks = match who.is_empty() {
            true => 0,
            false => grow.pick(&[0, 1, 2, 2, 3, 4, 6, 10]),
        };
        let quirks = (0..quirks).map(|_| grow.quirk(&who)).collect();
        Chaos {
            case,
            quirks,
            ops,
            end: grow.pick(&[End::Stop, End::Stop, End::Stop, End::Drop]),
        }
    }
}

/// The names and times at which something can happen: only those that there are.
fn names(case: &Case) -> Vec<(String, When)> {
    let always = [
        ("left", When::Exit),
        ("moods", When::Call),
        ("mood", When::Ask),
    ];
    let mut names: Vec<_> = always.map(|(name, when)| (name.to_owned(), when)).into();
    for tree in &case.trees {
        for node in tree.root.nodes() {
            if let Some(script) = node.kind.script() {
                names.push((script.name.clone(), When::Call));
                names.push((script.name.clone(), When::Call));
                if matches!(node.kind, Kind::Slow(_)) {
                    names.push((script.name.clone(), When::Exit));
                    names.push((script.name.clone(), When::Exit));
                }
            }
            let place = place(tree.name, node.idx);
            if node.logged {
                let when = [When::Entered, When::Ended, When::Left];
                names.extend(when.map(|when| (place.clone(), when)));
            }
            if node.service.is_some() {
                names.push((format!("service {place}"), When::Service));
            }
            if matches!(node.kind, Kind::Limits(_) | Kind::Steers(..)) {
                names.push((place, When::Ask));
            }
            for guard in &node.guards {
                if FLAGS.contains(&guard.about) {
                    names.push((guard.about.to_owned(), When::Ask));
                }
            }
        }
    }
    names
}

struct Grow(Random);

impl Grow {
    fn int(&mut self, low: i64, high: i64) -> i64 {
        self.0.int(low..=high)
    }

    fn yes(&mut self) -> bool {
        self.int(0, 1) == 1
    }

    fn one_in(&mut self, of: i64) -> bool {
        self.int(1, of) == 1
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.int(0, from.len() as i64 - 1) as usize]
    }

    /// More slow leaves, and more nodes that take events, for any tree.
    fn change(&mut self, case: &mut Case) {
        let mut free: Vec<&str> = vec!["a", "b", "c"];
        let scripts = case.scripts();
        free.retain(|name| scripts.iter().all(|script| script.name != *name));
        // A polled leaf is known by its name: its tree runs once at a time.
        let many: Vec<usize> = (0..case.trees.len())
            .filter(|tree| {
                let nodes = case.trees[*tree].root.nodes();
                let calls = |node: &&Node| {
                    matches!(
                        node.kind,
                        Kind::Polled(_) | Kind::SubTree(_) | Kind::Transfer(_)
                    )
                };
                !nodes.iter().any(calls)
            })
            .chain([1])
            .collect();
        for tree in &mut case.trees {
            for child in &mut tree.root.children {
                self.change_node(child, &mut free, &many);
            }
        }
        case.number();
    }

    fn change_node(&mut self, node: &mut Node, free: &mut Vec<&str>, many: &[usize]) {
        if let Kind::Starts(script) = &mut node.kind
            && self.one_in(2)
            && let Some(name) = free.pop()
        {
            let mut script = script.clone();
            script.name = name.to_owned();
            node.kind = Kind::Slow(script);
        }
        if node.takes.is_some() || self.one_in(10) {
            node.takes = Some(Takes {
                tree: self.pick(many),
                comes_back: self.int(0, 2) > 0,
                once: self.one_in(3),
            });
        }
        for child in &mut node.children {
            self.change_node(child, free, many);
        }
    }

    fn deal(&mut self) -> Deal {
        match self.int(0, 23) {
            0..=2 => Deal::Op(Op::Stop),
            3 | 4 => Deal::Op(Op::Reset),
            5..=7 => Deal::Op(Op::Load(self.pick(&[0, 1, 2]))),
            8 | 9 => Deal::Op(Op::Start),
            10 => Deal::Op(Op::Pause),
            11 => Deal::Op(Op::Resume),
            12 => Deal::Stale(self.int(0, 9) as usize, self.yes()),
            13 => Deal::Thread(self.int(0, 3) > 0),
            14 => Deal::DropCompletions,
            15 if self.one_in(4) => Deal::Burst(1500),
            15 => Deal::Burst(self.pick(&[2, 5, 40])),
            16 => Deal::KeyFalls(self.pick(&KEYS)),
            17 => Deal::KeyFalls(self.pick(&HOST_KEYS)),
            18..=20 => Deal::Op(Op::Fire(self.pick(&EVENTS))),
            _ => Deal::Op(Op::Poll(self.pick(&[0, 1, 2, 4]))),
        }
    }

    fn quirk(&mut self, who: &[(String, When)]) -> Quirk {
        let (who, when) = who[self.int(0, who.len() as i64 - 1) as usize].clone();
        let deed = match self.int(0, 27) {
            0..=4 => Deed::Panic,
            5..=7 => Deed::Stop,
            8..=10 => Deed::Reset,
            11..=14 => Deed::Load(self.pick(&[0, 1, 2])),
            15 => Deed::LoadUnknown,
            16 | 17 => Deed::Fire(self.pick(&EVENTS)),
            18 | 19 => Deed::Set(self.pick(&KEYS), self.yes()),
            20 => Deed::Guards(self.int(1, 3) as u8, false),
            21 => Deed::Guards(self.int(1, 3) as u8, true),
            22 => Deed::Finish(self.yes()),
            23 => Deed::DropCompletions,
            24 if when == When::Exit => Deed::AtOnce,
            24 => Deed::GuardPanics,
            25 => Deed::After,
            26 => Deed::Polls(self.int(0, 3) as u32),
            _ => Deed::Keep,
        };
        Quirk {
            who,
            when,
            nth: self.pick(&[0, 1, 1, 1, 2, 2, 3]),
            deed,
        }
    }
}
