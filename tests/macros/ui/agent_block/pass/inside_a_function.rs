#![deny(warnings)]

fn main() {
    use bt_core::prelude::*;

    #[derive(Agent)]
    struct Monster {
        #[property]
        hp: i32,
    }

    type Amount = i32;

    #[agent]
    impl Monster {
        #[action]
        fn eat(&mut self, amount: Amount) {
            self.hp += amount;
        }
    }

    let mut monster = Monster { hp: 1 };
    monster.eat(2);
    assert!(Registry::global().unwrap().agent("monster").unwrap().action("eat").is_ok());
}
