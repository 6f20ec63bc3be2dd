#![deny(warnings)]
use bt_core::prelude::*;

/// Walks.
#[derive(Agent)]
struct Walker<M> {
    map: M,
}

#[agent]
impl<M> Walker<M> {
    #[action]
    fn walk(&self) {
        let _ = &self.map;
    }
}

type GridWalker = Walker<u16>;

macro_rules! instance {
    ($ty:ty, $name:literal) => {
        register_agent!($ty, name = $name);
    };
}

register_agent!(Walker<u8>);
register_agent!(GridWalker, name = "grid_walker");
instance!(Walker<u32>, "mesh_walker");

mod elsewhere {
    bt_core::register_agent!(super::Walker<(u8, u8)>, name = "pair_walker");
}

fn main() {
    let registry = Registry::global().unwrap();
    for name in ["walker", "grid_walker", "mesh_walker", "pair_walker"] {
        assert!(registry.agent(name).unwrap().action("walk").is_ok());
    }
}
