//! The subjects: the agents that are linked.

use super::*;

/// An agent of any type, and the world that it acts on.
struct On<A, W> {
    name: &'static str,
    agent: A,
    world: W,
}

pub(super) trait Subject {
    fn name(&self) -> &'static str;
    fn invoke(
        &mut self,
        session: &mut Session,
        action: &str,
        args: &Value,
    ) -> Result<Outcome, CallError>;
    fn bind(
        &mut self,
        session: &mut Session,
        action: &str,
        args: &[Value],
    ) -> Result<Outcome, CallError>;
    fn leave(&mut self, session: &mut Session, action: &str, exit: Exit);
    fn resume(
        &mut self,
        session: &mut Session,
        action: &str,
        kept: &Value,
    ) -> Result<Outcome, CallError>;
    fn get(&mut self, session: &mut Session, property: &str) -> Result<Value, CallError>;
    fn set(
        &mut self,
        session: &mut Session,
        property: &str,
        value: &Value,
    ) -> Result<(), CallError>;
}

impl<A, W> Subject for On<A, W>
where
    A: for<'w, 's> Agent<World<'w, 's> = W>,
{
    fn name(&self) -> &'static str {
        self.name
    }

    fn invoke(
        &mut self,
        session: &mut Session,
        action: &str,
        args: &Value,
    ) -> Result<Outcome, CallError> {
        let cx = &mut session.context();
        Registry::global()
            .unwrap()
            .invoke(&mut self.agent, &mut self.world, cx, action, args)
    }

    /// Every second argument is a literal, the others are values of keys.
    fn bind(
        &mut self,
        session: &mut Session,
        action: &str,
        args: &[Value],
    ) -> Result<Outcome, CallError> {
        let board = session.blackboard();
        let source = |(at, value): (usize, &Value)| {
            if at % 2 == 0 {
                return Source::Literal(value.clone());
            }
            let key = format!("argument {at}");
            board.set(&key, value.clone());
            Source::Key(key)
        };
        let sources: Vec<Source> = args.iter().enumerate().map(source).collect();
        let actions = Registry::global().unwrap().actions::<A>()?;
        let bound = actions.bind(action, sources, &mut session.blackboard())?;
        bound.call(&mut self.agent, &mut self.world, &mut session.context())
    }

    fn leave(&mut self, session: &mut Session, action: &str, exit: Exit) {
        let actions = Registry::global().unwrap().actions::<A>().unwrap();
        let action: &Action<A> = actions.find(action).unwrap();
        action.exit(
            &mut self.agent,
            &mut self.world,
            &mut session.context(),
            exit,
        );
    }

    fn resume(
        &mut self,
        session: &mut Session,
        action: &str,
        kept: &Value,
    ) -> Result<Outcome, CallError> {
        let actions = Registry::global().unwrap().actions::<A>().unwrap();
        let action: &Action<A> = actions.find(action).unwrap();
        action.resume(
            &mut self.agent,
            &mut self.world,
            &mut session.context(),
            kept,
        )
    }

    fn get(&mut self, session: &mut Session, property: &str) -> Result<Value, CallError> {
        let cx = &mut session.context();
        Registry::global()
            .unwrap()
            .get(&mut self.agent, &mut self.world, cx, property)
    }

    fn set(
        &mut self,
        session: &mut Session,
        property: &str,
        value: &Value,
    ) -> Result<(), CallError> {
        let cx = &mut session.context();
        Registry::global()
            .unwrap()
            .set(&mut self.agent, &mut self.world, cx, property, value)
    }
}

fn world() -> World {
    let mut world = World::new();
    world.spawn(Blueprint::monster("wolf", Point::new(10.0, 10.0)));
    world.spawn(Blueprint::player("hero", Point::new(12.0, 10.0)));
    world
}

/// One of each agent; ids count from 1.
pub(super) fn subjects() -> Vec<Box<dyn Subject>> {
    let home = Point::new(10.0, 10.0);
    vec![
        Box::new(On {
            name: "action_agent",
            agent: ActionAgent,
            world: (),
        }),
        Box::new(On {
            name: "actor_agent",
            agent: ActorAgent::new(1),
            world: world(),
        }),
        Box::new(On {
            name: "monster_agent",
            agent: MonsterAgent::new(1, home),
            world: world(),
        }),
        Box::new(On {
            name: "player_agent",
            agent: PlayerAgent::new(2),
            world: world(),
        }),
        Box::new(On {
            name: "account_agent",
            agent: AccountAgent::new(2, "ann", "?"),
            world: world(),
        }),
    ]
}

pub(super) fn info(subject: &dyn Subject) -> AgentInfo<'static> {
    Registry::global().unwrap().agent(subject.name()).unwrap()
}
