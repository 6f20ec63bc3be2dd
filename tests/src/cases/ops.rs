//! From a seed to what the host does.

use super::grow::{Grow, MAIN, OTHER, SINGLE, Theme};
use super::{EVENTS, FLAGS, HOST_KEYS, KEYS, Op};

impl Grow {
    /// One thing; `scripts` is how many leaves there are whose calls the host may finish.
    pub(super) fn op(&mut self, scripts: usize) -> Op {
        let themed = self.one_in(3);
        let which = match self.theme {
            Theme::Events if themed => 21,
            Theme::Guards if themed => self.pick(&[32, 33]),
            Theme::Turns if themed => self.pick(&[0, 30, 33]),
            Theme::Writes if themed => self.pick(&[0, 21, 30]),
            _ => self.int(0, 39),
        };
        match which {
            0..=20 => Op::Poll(self.pick(&[0, 1, 1, 2, 3, 5, -1])),
            21 | 22 => Op::Fire(self.pick(&EVENTS)),
            23..=27 if scripts > 0 => Op::End(self.int(0, scripts as i64 - 1) as usize, self.yes()),
            23..=29 => Op::Finish(self.int(0, 3) as usize, self.yes()),
            30 | 31 => Op::Key(self.mostly(&KEYS), self.yes()),
            32 => Op::Key(self.mostly(&HOST_KEYS), self.yes()),
            33 | 34 => Op::Flag(self.mostly(&FLAGS), self.yes()),
            35 => self.pick(&[Op::Pause, Op::Resume]),
            36 => Op::Resume,
            37 => self.pick(&[Op::Stop, Op::Start]),
            38 => Op::Start,
            _ => self.pick(&[Op::Reset, Op::Load(MAIN), Op::Load(OTHER), Op::Load(SINGLE)]),
        }
    }
}
