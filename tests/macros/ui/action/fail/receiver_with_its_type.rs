use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[action]
    fn growl(self: &Monster) {}

    #[action]
    fn jump(self: &mut Monster) {}

    #[action]
    fn hide(self: &std::rc::Rc<Self>) {}
}

fn main() {}
