struct Monster;

impl Monster {
    fn chase(&mut self, target: u64) -> bool {
        let = ;
    }

    fn sees(&self) -> bool {
        true
    }
}

fn main() {}
