//! Times ways to call the same method: `cargo bench -p bt-benches`.
//!
//! Criterion takes the statistics of each case by itself. After that all cases are measured in
//! turn, again and again, for the ratios: a case that ran half a minute ago, when the machine was
//! busier, says little about another. `cargo bench -p bt-benches -- ratios` goes straight to them,
//! since no case has that in its name.

#![forbid(unsafe_code)]

mod peers;
mod statistics;

use std::error::Error;

use bt_benches::{Case, Compared, Rounds, Timed, cases, disagreement};
use statistics::Statistics;

fn main() -> Result<(), Box<dyn Error>> {
    let mut cases = cases()?;
    cases.extend(peers::cases()?);
    if let Some(why) = disagreement(&mut cases) {
        return Err(why.into());
    }
    let mut statistics = Statistics::new();
    statistics.take(&mut cases);
    if statistics.finish() {
        let rounds = Rounds::measure(&mut cases);
        println!("medians of rounds of all cases in turn; every time has the loop's in it");
        println!("{}", beside_by_hand(&cases, &rounds));
        println!("{}", beside_rivals(&cases, &rounds));
    }
    Ok(())
}

/// A row for each case that is compared with what one writes by hand, and for that itself.
fn beside_by_hand(cases: &[Case], rounds: &Rounds) -> String {
    let mut table = "| call | ns | beside `Box<dyn Leaf>` of the same arguments |\n".to_owned();
    table += "|---|---|---|\n";
    for case in cases {
        let ratio = match case.compared() {
            Compared::Alone => String::new(),
            Compared::With(other) => format!("{:.2}", rounds.ratio(case.name(), other)),
            Compared::ByName | Compared::Rival => continue,
        };
        let (name, ns) = (case.name(), rounds.median(case.name()));
        table += &format!("| `{name}` | {ns:.2} | {ratio} |\n");
    }
    table
}

/// A row for each rival, a column for each call by name: how many times ahead that is.
fn beside_rivals(cases: &[Case], rounds: &Rounds) -> String {
    let of = |compared| cases.iter().filter(move |case| case.compared() == compared);
    let with_time = |case: &Case| {
        let (name, ns) = (case.name(), rounds.median(case.name()));
        format!("`{name}`, {ns:.0} ns")
    };
    let mut table = "| times ahead |".to_owned();
    let mut rule = "|---|".to_owned();
    for ours in of(Compared::ByName) {
        table += &format!(" {} |", with_time(ours));
        rule += "---|";
    }
    table += &format!("\n{rule}\n");
    for rival in of(Compared::Rival) {
        table += &format!("| {} |", with_time(rival));
        for ours in of(Compared::ByName) {
            table += &format!(" {:.2} |", rounds.ratio(rival.name(), ours.name()));
        }
        table += "\n";
    }
    table
}
