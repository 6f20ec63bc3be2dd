#![deny(warnings)]
use bt_core::prelude::*;

trait Map: 'static {
    fn name() -> &'static str;
}

struct NavMesh;
struct Grid;

impl Map for NavMesh {
    fn name() -> &'static str {
        "mesh"
    }
}

impl Map for Grid {
    fn name() -> &'static str {
        "grid"
    }
}

#[derive(Agent)]
struct Walker<M, const N: usize = 4>
where
    M: Map,
{
    map: M,
    #[property]
    path: Vec<u32>,
}

#[agent]
impl<M: Map, const N: usize> Walker<M, N> {
    #[action]
    fn walk(&self, steps: u32) -> bool {
        steps as usize > N
    }
}

#[agent(part = 1)]
impl<M, const N: usize> Walker<M, N>
where
    M: Map,
{
    #[property]
    fn map_name(&self) -> &'static str {
        let _ = &self.map;
        M::name()
    }
}

trait Stops {
    type Why;
    fn stop(&mut self, why: Self::Why);
}

#[agent(part = 2)]
impl<M: Map, const N: usize> Stops for Walker<M, N> {
    type Why = String;

    #[action]
    fn stop(&mut self, why: Self::Why) {
        self.path.truncate(why.len());
    }
}

// A block of one instance.
#[agent]
impl Walker<Grid, 8> {
    #[action]
    fn snap(&self) {}
}

register_agent!(Walker<NavMesh>);
register_agent!(Walker<Grid, 8>, name = "grid_walker",);

fn main() {
    let registry = Registry::global().unwrap();
    for name in ["walker", "grid_walker"] {
        let agent = registry.agent(name).unwrap();
        assert!(agent.action("walk").is_ok() && agent.action("stop").is_ok());
        assert!(agent.property("map_name").is_ok() && agent.property("path").is_ok());
        assert_eq!(agent.action("snap").is_ok(), name == "grid_walker");
    }
}
