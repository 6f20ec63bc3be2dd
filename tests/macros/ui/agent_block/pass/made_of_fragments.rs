#![deny(warnings)]
use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

macro_rules! methods {
    ($($(#[$meta:meta])* $vis:vis fn $name:ident($($(#[$key:meta])* $arg:ident: $ty:ty),*) $body:block)*) => {
        #[agent]
        impl Monster {
            $($(#[$meta])* $vis fn $name(&self, $($(#[$key])* $arg: $ty),*) $body)*
        }
    };
}

methods! {
    /// Walks on.
    #[action]
    fn walk(#[arg(default = 1.5, unit = "m")] far: f64, /** How. */ gait: &str) {
        let _ = (far, gait);
    }

    #[action(name = "run_fast")]
    #[allow(dead_code)]
    pub fn run() {}
}

macro_rules! items {
    ($($item:item)*) => {
        #[agent]
        impl Monster {
            $($item)*
        }
    };
}

items! {
    #[condition]
    fn hungry() -> bool {
        true
    }

    #[property]
    const SIGHT: f64 = 3.0;
}

macro_rules! marked {
    ($item:item) => {
        #[agent]
        impl Monster {
            #[action]
            $item
        }
    };
}

marked! {
    fn sleep() {}
}

macro_rules! block {
    ($block:item) => {
        #[agent]
        $block
    };
}

block! {
    impl Monster {
        #[event]
        fn bitten(by: u64);
    }
}

macro_rules! made {
    ($(#[$meta:meta])* $name:ident) => {
        $(#[$meta])*
        #[agent(world = u8)]
        struct $name;
    };
}

made! {
    #[derive(Agent)]
    Ghost
}

fn main() {
    let agent = Registry::global().unwrap().agent("monster").unwrap();
    for name in ["walk", "run_fast", "hungry", "sleep"] {
        assert!(agent.action(name).is_ok(), "{name}");
    }
    assert_eq!(agent.action("walk").unwrap().args[1].comment, "How.");
    assert_eq!(agent.property("SIGHT").unwrap().ty.type_name, "double");
    assert_eq!(Monster::bitten(7).get("by"), Some(&7.into()));
    let _ = (Monster, Ghost);
}
