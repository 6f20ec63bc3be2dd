use bt_core::prelude::*;

#[agent]
trait Fights {
    #[action]
    fn strike(&mut self) -> bool;
}

fn main() {}
