#![deny(warnings)]
use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

const LEAST: f64 = 0.5;

fn most() -> f64 {
    9.0
}

#[agent]
impl Monster {
    #[action]
    fn go(
        #[arg(default = 2.0, min = LEAST, max = most(), step = 0.5, unit = "m", display = "距离")] range: f64,
        #[arg(choices = ["walk", "run"], default = "run", name = "gait", alias = ["pace", "speed"])]
        how: String,
        #[arg(deprecated, default = -1)] id: i64,
        #[arg(default = [1, 2, 3])] list: Vec<u8>,
        #[arg(default = Some(7))] maybe: Option<u8>,
        #[arg(default = 7, min = 1, max = 8)] perhaps: Option<u8>,
        #[arg(default = "x", choices = ["x", "y"])] text: &str,
        #[arg(default = serde_json::json!({"a": [1]}))] any: serde_json::Value,
        #[arg(default = std::time::Duration::from_secs(1))] wait: std::time::Duration,
        #[arg()] plain: bool,
        #[arg] bare: bool,
    ) -> bool {
        let _ = (range, how, id, list, maybe, perhaps, text, any, wait);
        plain && bare
    }
}

fn main() {
    let agent = Registry::global().unwrap().agent("monster").unwrap();
    let go = agent.action("go").unwrap();
    assert_eq!(go.args[0].ty.max, Some(9.0.into()));
    assert_eq!(go.args[1].ty.choices.as_ref().unwrap().len(), 2);
    assert_eq!(go.args[5].ty.default, Some(7.into()));
}
