//! `bevy_reflect`'s function registry: a function by name, its arguments in a list.

use std::error::Error;

use bevy_reflect::Reflect;
use bevy_reflect::func::{ArgList, FunctionRegistry, Return};
use bt_benches::{Case, Compared, Stage, Wolf};

/// The agent as something that can stand in a list of arguments.
#[derive(Reflect, Default)]
struct Reflected {
    #[reflect(ignore)]
    wolf: Wolf<0>,
}

fn chase(reflected: &mut Reflected, target: u64, range: f64) -> bool {
    reflected.wolf.chase(target, range) == Some(true)
}

struct Callee {
    registry: FunctionRegistry,
    function: &'static str,
    agent: Reflected,
    target: u64,
    range: f64,
}

/// Looks the function up and makes its arguments each time: a list is used up by its call.
pub(crate) fn case() -> Result<Case, Box<dyn Error>> {
    let mut registry = FunctionRegistry::default();
    registry.register_with_name("chase", chase)?;
    let callee = Callee {
        registry,
        function: "chase",
        agent: Reflected::default(),
        target: 7,
        range: 2.0,
    };
    Ok(Case::new(
        "bevy_reflect's FunctionRegistry",
        Compared::Rival,
        Stage::<0>::default(),
        callee,
        |callee, wolf, _, _| {
            callee.agent.wolf.beast.tick = wolf.beast.tick;
            let args = ArgList::new()
                .with_mut(&mut callee.agent)
                .with_owned(callee.target)
                .with_owned(callee.range);
            let answer = callee.registry.call(callee.function, args);
            match answer {
                Some(Ok(Return::Owned(answer))) => answer.try_downcast_ref() == Some(&true),
                _ => false,
            }
        },
    ))
}
