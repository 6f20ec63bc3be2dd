use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[fallback]
    fn anything(cx: &mut Context, name: &str, args: &[serde_json::Value]) -> Option<bool> {
        let _ = (cx, name, args);
        None
    }
}

fn main() {}
