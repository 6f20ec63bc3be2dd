use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[action]
    #[rustfmt::skip]
    fn go(
        #[cfg(all())] _a: u8, #[cfg(all())] _b: u8, #[cfg(all())] _c: u8, #[cfg(all())] _d: u8,
        #[cfg(all())] _e: u8,
    ) {}
}

fn main() {}
