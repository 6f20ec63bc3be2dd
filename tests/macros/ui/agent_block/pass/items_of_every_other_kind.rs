#![deny(warnings)]
#![allow(unused_braces, reason = "what they are here for")]
use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    const SIZES: [usize; { 1 + 1 }] = [1, 2];

    #[action]
    fn growl(&self) {}

    pub(crate) const fn double<const M: usize>(of: [u8; { 2 }]) -> [u8; { 2 }] {
        of
    }

    async fn later(&self) {}

    fn shown(&self) -> impl Fn(u8) -> bool + '_ {
        |x| x > 7
    }

    fn take<F>(self, with: F) -> u8
    where
        F: FnOnce(Self) -> u8,
    {
        with(self)
    }
}

fn main() {
    let _ = (Monster::SIZES, Monster::double::<1>([1, 2]), Monster.later());
    assert!(Monster.shown()(8));
    assert_eq!(Monster.take(|_| 7), 7);
    Monster.growl();
}
