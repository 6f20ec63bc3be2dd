//! Restores the agent that another process saved, from its standard input, and says what happens.

use std::error::Error;
use std::io::Read;

use bt_core::{Runner, Saved, TreeSet};
use bt_tests::migrant::{Migrant, polls, tree};

fn main() -> Result<(), Box<dyn Error>> {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text)?;
    let mut set = TreeSet::<Migrant>::new();
    set.add(tree());
    let mut runner = Runner::restore(&set.build()?, &Saved::from_json(&text)?)?;
    print!("{}", polls(&mut runner, &mut Migrant::default(), 5));
    Ok(())
}
