use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

type Answer = Option<bool>;
type Fallible<T = bool> = std::result::Result<T, Box<dyn std::error::Error + Send + Sync>>;

#[agent]
impl Monster {
    #[action]
    fn a(&self) {}
    #[action]
    fn b(&self) -> () {}
    #[action]
    fn c(&self) -> bool {
        true
    }
    #[action]
    fn d(&self) -> Answer {
        None
    }
    #[action]
    fn e(&self) -> Status {
        Status::Running
    }
    #[action]
    fn f(&self) -> Result<(), String> {
        Ok(())
    }
    #[action]
    fn g(&self) -> Fallible {
        Ok(true)
    }
    #[action]
    fn h(&self) -> Fallible<Answer> {
        Err("no")?
    }
    #[action]
    fn i(&self) -> Result<Status, std::fmt::Error> {
        Ok(true.into())
    }
}

fn main() {
    let agent = Registry::global().unwrap().agent("monster").unwrap();
    assert!(agent.action("d").unwrap().is_async && agent.action("h").unwrap().fallible);
}
