use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[fallback]
    fn anything(&mut self, cx: &mut Context, name: &str, args: &[serde_json::Value]) -> bool {
        let _ = (cx, name, args);
        true
    }
}

fn main() {}
