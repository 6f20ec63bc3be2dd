use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[fallback]
    fn anything(&mut self, cx: &mut Context, name: &str, args: &[serde_json::Value]) -> Option<bool> {
        let _ = (cx, name, args);
        None
    }
}

#[agent]
impl Monster {
    #[fallback]
    fn something(&mut self, cx: &mut Context, name: &str, args: &[serde_json::Value]) -> Option<bool> {
        let _ = (cx, name, args);
        None
    }
}

fn main() {}
