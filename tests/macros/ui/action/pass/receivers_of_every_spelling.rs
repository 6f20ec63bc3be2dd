use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[action]
    fn a(&self) {}
    #[action]
    fn b(&mut self) {}
    #[action]
    fn c(self: &Self) {}
    #[action]
    fn d(self: &mut Self) {}
    #[action]
    fn e<'a>(&'a self) {}
    #[action]
    fn f<'a>(self: &'a mut Self) {}
    #[action]
    fn g() {}
    #[action]
    fn h(x: u8) -> bool {
        x > 7
    }
}

fn main() {
    let agent = Registry::global().unwrap().agent("monster").unwrap();
    assert!(agent.action("g").unwrap().is_static && !agent.action("f").unwrap().is_static);
}
