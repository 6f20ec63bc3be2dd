use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[action]
    #[rustfmt::skip]
    fn go(
        #[cfg(all())] a: u8, #[cfg(all())] b: u8, #[cfg(all())] c: u8, #[cfg(all())] d: u8,
        #[cfg(all())] e: u8,
    ) {}
}

fn main() {}
