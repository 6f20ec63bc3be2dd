use bt_core::prelude::*;

#[derive(Agent)]
enum Monster {
    Asleep,
    Awake { hp: i32 },
}

#[agent]
impl Monster {
    #[action]
    fn wake(&mut self) {
        *self = Monster::Awake { hp: 7 };
    }

    #[property]
    fn hp(&self) -> i32 {
        match self {
            Monster::Asleep => 0,
            Monster::Awake { hp } => *hp,
        }
    }
}

fn main() {
    let mut monster = Monster::Asleep;
    monster.wake();
    assert_eq!(monster.hp(), 7);
}
