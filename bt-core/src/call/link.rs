//! Expressions of an agent, bound: their names are looked up.

use serde_json::Value;

use super::expression::{BoundExpression, quoted};
use super::places::{Misplaced, places};
use super::{Action, ActionSet, Binding, BoundCall, Property, Source};
use crate::Agent;
use crate::blackboard::{KeyId, Keys};
use crate::error::CallError;
use crate::expression::{Argument, Expr, Link, Named, compile, constant, parse};
use crate::text;

impl<A: Agent> ActionSet<A> {
    /// Looks up the names of an expression.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    pub(crate) fn bind_expression(
        &self,
        text: &str,
        keys: &mut Binding<'_>,
    ) -> Result<BoundExpression<A>, CallError> {
        let expr = parsed(text)?;
        let mut linking = Linking {
            set: self,
            text,
            keys,
            properties: Vec::new(),
            calls: Vec::new(),
        };
        let code = compile(&expr, &mut linking);
        let (properties, calls) = (linking.properties, linking.calls);
        Ok(BoundExpression {
            code: code.map_err(|error| error.about(&quoted(text)))?,
            text: text.into(),
            properties,
            calls,
        })
    }

    /// Returns true if an expression reads keys, and no agent and no world.
    pub(crate) fn is_by_keys(&self, expr: &Expr) -> bool {
        let mut is = true;
        expr.walk(&mut |part| {
            is &= match part.form.named() {
                None | Some((Named::Key, _)) => true,
                Some((Named::Property, _)) => false,
                Some((Named::Method, method)) => self
                    .find(&method.name)
                    .is_ok_and(|action| action.is_static() && !action.takes_world()),
            };
        });
        is
    }
}

/// An expression, or what is wrong with the text.
pub(crate) fn parsed(written: &str) -> Result<Expr, CallError> {
    parse(written).map_err(|mistake| {
        let help = match mistake.help.as_str() {
            "" => String::new(),
            help => format!("; {help}"),
        };
        let message = format!("{}: {}{help}", quoted(written), mistake.words(written));
        CallError::refused(message)
    })
}

struct Linking<'x, 'k, A: Agent> {
    set: &'x ActionSet<A>,
    text: &'x str,
    keys: &'x mut Binding<'k>,
    properties: Vec<(Property<A>, KeyId)>,
    calls: Vec<(&'static str, Box<dyn BoundCall<A>>)>,
}

impl<A: Agent> Link for Linking<'_, '_, A> {
    fn key(&mut self, key: &str) -> Result<KeyId, CallError> {
        Ok(self.keys.intern(key))
    }

    fn property(&mut self, property: &str) -> Result<u32, CallError> {
        let found = self.set.properties().find(property)?;
        self.properties.push((found.clone(), self.keys.anonymous()));
        Ok(self.properties.len() as u32 - 1)
    }

    fn call(&mut self, method: &str, args: &[Argument]) -> Result<u32, CallError> {
        let action = self.set.find(method)?;
        if !action.has_answer() {
            let message = format!("`{}` is no condition and no query", text::name(method));
            return Err(CallError::refused(message));
        }
        let sources = sources(action, self.text, args)?;
        let bound = self.set.bind_all(method, &sources, self.keys)?;
        self.calls.push((action.name(), bound));
        Ok(self.calls.len() as u32 - 1)
    }
}

/// The sources of a call's arguments in its order. One that is omitted between two given ones has its default.
fn sources<A: Agent>(
    action: &Action<A>,
    text: &str,
    args: &[Argument],
) -> Result<Vec<Source>, CallError> {
    let params = action.params().all.iter();
    let params: Vec<_> = params.filter(|param| param.is_argument).collect();
    let name = |at: usize| params.get(at).map_or("", |param| param.desc.name);
    let place = |name: &str| {
        let by_name = params.iter().position(|param| param.desc.name == name);
        by_name.or_else(|| {
            let mut all = params.iter();
            all.position(|param| param.desc.aliases().any(|alias| alias == name))
        })
    };
    let given = |from: usize| args[from].name.as_ref().map(|name| &*name.name);
    let (places, misplaced) = places((0..args.len()).map(given), place);
    let refused = |why: Misplaced| {
        let given = |from| given(from).unwrap_or_default();
        CallError::refused(why.message(&quoted(action.name()), given, name))
    };
    if let Some(why) = misplaced.first() {
        return Err(refused(*why));
    }
    let filled = places.into_iter().enumerate().map(|(at, from)| {
        let left_out = || {
            let param = params.get(at)?;
            let none = param.optional.then_some(Value::Null);
            Some(Source::Literal(param.default.clone().or(none)?))
        };
        let given = from.map(|from| source(text, &args[from].value));
        given
            .or_else(left_out)
            .ok_or_else(|| refused(Misplaced::Missing(at)))
    });
    filled.collect()
}

/// The source of the value of an expression: a literal if it has but one.
pub(crate) fn folded(text: &str) -> Source {
    let value = parse(text).ok().and_then(|expr| constant(&expr));
    value.map_or_else(|| Source::expression(text), Source::Literal)
}

/// The source of a part of an expression: what a tree would write for it.
pub(crate) fn source(text: &str, part: &Expr) -> Source {
    if let Some(value) = constant(part) {
        return Source::Literal(value);
    }
    match part.form.named() {
        Some((Named::Key, key)) => Source::Key(key.name.to_string()),
        Some((Named::Property, property)) => Source::Property(property.name.to_string()),
        Some((Named::Method, _)) | None => Source::Expression(part.at.of(text).to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;
    use crate::{ActionSet, Source};

    #[derive(Agent)]
    struct Ruler;

    #[agent]
    impl Ruler {
        #[action]
        fn draw(&self, length: f64) -> bool {
            length == 6.0
        }
        #[query]
        fn scaled(length: f64, #[arg(alias = ["times"], default = 2.0)] by: f64) -> f64 {
            length * by
        }
    }

    /// Here no tree was checked before.
    #[test]
    fn a_call_in_an_expression_places_its_arguments_as_that_of_a_tree_does() {
        let actions = ActionSet::<Ruler>::collect().unwrap();
        let mut session = Session::new(0);
        let bind = |text| {
            let source = [Source::expression(text)];
            actions.bind("draw", source, &mut session.blackboard())
        };
        let refused = [
            ("scaled(1, length: 2)", "argument `length` is given twice"),
            ("scaled(length: 1, width: 2)", "no argument `width`"),
            ("scaled(times: 2)", "argument `length` is missing"),
        ];
        for (text, expected) in refused {
            let error = bind(text).err().unwrap().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
        let draws =
            ["scaled(3)", "scaled(times: 2, length: 3)"].map(|text| bind(text).ok().unwrap());
        for draw in draws {
            let outcome = draw.call(&mut Ruler, &mut (), &mut session.context());
            assert_eq!(outcome.unwrap(), Outcome::Done(true));
        }
    }
}
