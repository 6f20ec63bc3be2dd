//! rhai's `call_fn`: a script's function, compiled once, that calls a method of the agent.

use std::error::Error;

use bt_benches::{Case, Compared, Stage, Wolf};
use rhai::{AST, CallFnOptions, Dynamic, Engine, Scope};

struct Callee {
    engine: Engine,
    script: AST,
    function: &'static str,
    agent: Dynamic,
    target: i64,
    range: f64,
}

/// The function by name, the agent as its `this`, which costs less than a shared reference. The
/// agent is rhai's own, so the tick is copied over.
pub(crate) fn case() -> Result<Case, Box<dyn Error>> {
    let mut engine = Engine::new();
    engine.register_fn("chase", |wolf: &mut Wolf<0>, target: i64, range: f64| {
        wolf.chase(target as u64, range) == Some(true)
    });
    let script = engine.compile("fn leaf(target, range) { this.chase(target, range) }")?;
    let callee = Callee {
        engine,
        script,
        function: "leaf",
        agent: Dynamic::from(Wolf::<0>::default()),
        target: 7,
        range: 2.0,
    };
    Ok(Case::new(
        "rhai's call_fn",
        Compared::Rival,
        Stage::<0>::default(),
        callee,
        |callee, wolf, _, _| {
            if let Some(mut agent) = callee.agent.write_lock::<Wolf<0>>() {
                agent.beast.tick = wolf.beast.tick;
            }
            let options = CallFnOptions::new().bind_this_ptr(&mut callee.agent);
            let args = (callee.target, callee.range);
            let answer = callee.engine.call_fn_with_options::<bool>(
                options,
                &mut Scope::new(),
                &callee.script,
                callee.function,
                args,
            );
            answer.is_ok_and(|answer| answer)
        },
    ))
}
