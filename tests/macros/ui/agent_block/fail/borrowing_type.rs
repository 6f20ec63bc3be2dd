use bt_core::prelude::*;

struct Monster<'a>(&'a str);

#[agent]
impl<'a> Monster<'a> {
    #[action]
    fn growl(&self) {}
}

fn main() {}
