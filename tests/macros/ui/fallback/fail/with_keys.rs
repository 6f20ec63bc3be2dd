use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[fallback(name = "any")]
    fn anything(&mut self, cx: &mut Context, name: &str, args: &[serde_json::Value]) -> Option<bool> {
        let _ = (cx, name, args);
        None
    }
}

fn main() {}
