#![deny(warnings)]
use bt_core::prelude::*;

#[derive(Agent)]
struct Monster {
    hp: i32,
}

macro_rules! actions {
    ($agent:ty { $($name:ident($($arg:ident: $ty:ty = $default:expr),*) -> $out:ty $body:block)* }) => {
        #[agent]
        impl $agent {$(
            #[action]
            fn $name(&mut self, $(#[arg(default = $default)] $arg: $ty),*) -> $out $body
        )*}
    };
}

actions!(Monster {
    growl() -> () {}
    chase(range: f64 = 1.5, name: String = "x") -> Option<bool> { Some(range > 1.0 && name.is_empty()) }
    say(words: &str = "hello") -> bool { words.is_empty() }
});

macro_rules! property {
    ($get:ident $set:ident $field:ident $ty:ty) => {
        #[agent]
        impl Monster {
            #[property(max = 9)]
            fn $get(&self) -> $ty {
                self.$field
            }

            #[property(set)]
            fn $set(&mut self, $field: $ty) {
                self.$field = $field;
            }
        }
    };
}

property!(health set_health hp i32);

macro_rules! body {
    ($($body:tt)*) => {
        #[agent]
        impl Monster {
            #[condition]
            $($body)*
        }
    };
}

body! {
    fn hungry(&self) -> bool {
        self.hp < 7
    }
}

fn main() {
    let mut monster = Monster { hp: 7 };
    monster.growl();
    monster.set_health(8);
    let agent = Registry::global().unwrap().agent("monster").unwrap();
    assert_eq!(agent.action("chase").unwrap().args[0].ty.default, Some(1.5.into()));
    assert!(agent.action("hungry").is_ok() && !agent.property("health").unwrap().read_only);
}
