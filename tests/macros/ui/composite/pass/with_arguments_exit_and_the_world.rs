use bt_core::prelude::*;

struct Arena;

#[derive(Agent)]
#[agent(world = Arena)]
struct Monster;

#[agent]
impl Monster {
    #[composite(running, min = 2, max = 4, exit = "ended", resume = "goes_on")]
    fn rounds(&mut self, cx: &mut Context, asked: Asked, #[world] _arena: &mut Arena, limit: usize) -> NextChild {
        cx.keep(limit);
        match asked {
            Asked::Entry | Asked::Running => NextChild::Run(0),
            Asked::Ended { child, success: true } if child < limit => NextChild::Run(child + 1),
            Asked::Ended { .. } => NextChild::Succeed,
        }
    }

    fn ended(&mut self, _cx: &mut Context, _exit: Exit, #[world] _arena: &mut Arena, limit: usize) {
        let _ = limit;
    }

    fn goes_on(&mut self, _cx: &mut Context, _kept: usize) {}

    #[composite]
    fn first(asked: Asked) -> NextChild {
        let _ = asked;
        NextChild::Fail
    }

    #[decorator(running, exit = "ended_too")]
    fn minds(&self, asked: Asked) -> Next {
        let _ = asked;
        Next::Run
    }

    fn ended_too(&mut self, _cx: &mut Context, _exit: Exit) {}
}

fn main() {
    let registry = Registry::global().unwrap();
    let entry = registry.agent("monster").unwrap().action("rounds").unwrap().entry;
    assert!(entry.running && entry.child_min == Some(2) && entry.child_max == Some(4));
    assert_eq!(entry.args.len(), 1);
}
