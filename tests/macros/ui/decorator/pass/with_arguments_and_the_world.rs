use bt_core::prelude::*;

#[derive(Agent)]
#[agent(world = u32)]
struct Monster;

type Ended = Option<bool>;

#[agent]
impl Monster {
    #[decorator]
    fn once(&mut self, ended: Option<bool>) -> Next {
        ended.map_or(Next::Run, |_| Next::Succeed)
    }

    #[decorator(category = "loops")]
    fn until(&mut self, cx: &mut Context, limit: u32, ended: Ended, #[world] world: &mut u32) -> Next {
        let _ = cx.now();
        *world += 1;
        if *world > limit { Next::Fail } else { self.once(ended) }
    }

    #[decorator]
    fn never(_ended: Option<bool>) -> Next {
        Next::Fail
    }
}

fn main() {
    let agent = Registry::global().unwrap().agent("monster").unwrap();
    assert_eq!(agent.action("until").unwrap().args.len(), 1);
}
