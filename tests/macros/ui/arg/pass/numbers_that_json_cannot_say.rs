use bt_core::prelude::*;

#[derive(Agent)]
struct Monster;

#[agent]
impl Monster {
    #[action]
    fn walk(
        &self,
        #[arg(default = f64::NAN)] far: f64,
        #[arg(default = f32::INFINITY)] fast: f32,
        #[arg(default = vec![1.0, f64::NAN])] steps: Vec<f64>,
        #[arg(min = f64::NEG_INFINITY, max = 3.0)] high: f64,
        #[arg(choices = [1.0, f64::NAN])] wide: f64,
    ) {
        let _ = (far, fast, steps, high, wide);
    }

    #[property(step = f64::NAN)]
    fn speed(&self) -> f64 {
        1.0
    }

    #[event]
    fn hit(#[arg(max = f32::INFINITY)] hard: f32);
}

fn main() {
    let error = Registry::global().unwrap_err();
    let found: Vec<_> = error.problems().iter().map(|problem| problem.message.as_str()).collect();
    for expected in [
        "the default of argument `far` of `walk` is `null` in JSON",
        "the default of argument `fast` of `walk` is `null` in JSON",
        "the default of argument `steps` of `walk` is `[1.0,null]` in JSON",
        "`min` of argument `high` of action `walk` of `monster` is infinite or not a number",
        "`choices` of argument `wide` of action `walk` of `monster` is infinite or not a number",
        "`step` of property `speed` of `monster` is infinite or not a number",
        "`max` of parameter `hard` of event `hit` of `monster` is infinite or not a number",
    ] {
        assert!(found.iter().any(|found| found.starts_with(expected)), "{expected}: {found:#?}");
    }
    assert_eq!(found.len(), 7, "{found:#?}");
}
