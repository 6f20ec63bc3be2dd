struct Monster;

impl Monster {
    fn chase(&mut self) -> bool {
        self.hp.
    }
}

fn main() {}
