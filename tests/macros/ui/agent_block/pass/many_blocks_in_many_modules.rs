use bt_core::prelude::*;

#[derive(Agent)]
pub struct Monster;

mod noises {
    use bt_core::prelude::*;

    #[agent]
    impl super::Monster {
        #[action]
        fn growl(&self) {}
    }

    pub mod loud {
        use bt_core::prelude::*;

        #[agent]
        impl crate::Monster {
            #[action]
            fn roar(&self) {}
        }
    }
}

#[agent]
impl Monster {}

#[agent]
impl Monster {
    fn not_registered(&self) -> u32 {
        7
    }
}

fn main() {
    assert_eq!(Monster.not_registered(), 7);
    let agent = Registry::global().unwrap().agent("monster").unwrap();
    assert!(agent.action("growl").is_ok() && agent.action("roar").is_ok());
}
