use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[action]
    fn growl(&self) {}
}

mod elsewhere {
    use bt_core::prelude::*;

    #[agent]
    impl super::Monster {
        #[condition(name = "growl")]
        fn can_growl(&self) -> bool {
            true
        }
    }
}

fn main() {}
