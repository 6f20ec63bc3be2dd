use bt_core::prelude::*;

#[derive(Agent)]
struct Walker<T>(T);

#[agent]
impl<T> Walker<T> {
    #[action]
    fn walk(&self) {}
}

#[agent]
impl<T> Walker<T> {
    #[action]
    fn halt(&self) {}
}

#[agent]
impl<T> Walker<T> {
    #[action]
    fn turn(&self) {}
}

register_agent!(Walker<u8>);

fn main() {}
