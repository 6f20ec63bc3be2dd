//! Tokens to an expression, by recursive descent: one function for each way to begin, one for all operators.

use serde_json::Value;

use super::ast::{Argument, Expr, Form, Mistake, Operator, Span, Spelled};
use super::builtins::Builtin;
use super::lex::{Lexer, Token};
use super::{DEEPEST, LONGEST};
use crate::text;

/// Reads an expression.
///
/// ```
/// use bt_core::expression::parse;
///
/// assert_eq!(parse("$hp < 20 && !$safe").unwrap().keys(), ["hp", "safe"]);
/// let text = "$hp = 20";
/// let mistake = parse(text).unwrap_err();
/// assert_eq!(mistake.words(text), "column 5: `=` is no operator");
/// assert_eq!(mistake.help, "`==` compares; an expression changes nothing");
/// ```
///
/// # Errors
/// The first thing that is wrong with the text.
pub fn parse(text: &str) -> Result<Expr, Mistake> {
    let mut parser = Parser::new(text, Lexer::new(text))?;
    let expr = parser.expr()?;
    match parser.token == Token::End {
        true => Ok(expr),
        false => Err(parser.no_operator()),
    }
}

/// Reads `$key = value, @property = value`: the place of each target, and that of its value.
///
/// # Errors
/// The first thing that is wrong with the text.
pub(crate) fn writes(text: &str) -> Result<Vec<(Span, Span)>, Mistake> {
    let mut all = Vec::new();
    let mut lexer = Lexer::new(text);
    loop {
        let (token, target) = lexer.next()?;
        if !matches!(token, Token::Key(_) | Token::Property(_)) {
            let message = "expected `$key` or `@property`, which is written";
            return Err(Mistake::new(target, message).help("such as `$count = $count + 1`"));
        }
        lexer.assign()?;
        let mut parser = Parser::new(text, lexer)?;
        all.push((target, parser.expr()?.at));
        if parser.token == Token::End {
            return Ok(all);
        }
        if !parser.is(",") {
            return Err(parser.no_operator());
        }
        lexer = parser.lexer;
    }
}

struct Parser<'t> {
    text: &'t str,
    lexer: Lexer<'t>,
    token: Token,
    at: Span,
    /// The number of expressions that have begun around this place.
    open: u8,
}

type Parsed = Result<Expr, Mistake>;

impl<'t> Parser<'t> {
    fn new(text: &'t str, mut lexer: Lexer<'t>) -> Result<Parser<'t>, Mistake> {
        if let Some((end, _)) = text.char_indices().nth(LONGEST) {
            let at = Span {
                from: end as u32,
                to: text.len() as u32,
            };
            let message = format!("an expression has {LONGEST} characters at most");
            return Err(Mistake::new(at, message));
        }
        let (token, at) = lexer.next()?;
        Ok(Parser {
            text,
            lexer,
            token,
            at,
            open: 0,
        })
    }
}

impl Parser<'_> {
    fn advance(&mut self) -> Result<(Token, Span), Mistake> {
        let (token, at) = self.lexer.next()?;
        let token = std::mem::replace(&mut self.token, token);
        Ok((token, std::mem::replace(&mut self.at, at)))
    }

    fn is(&self, sign: &str) -> bool {
        matches!(self.token, Token::Sign(found) if found == sign)
    }

    fn eat(&mut self, sign: &str) -> Result<bool, Mistake> {
        let is_there = self.is(sign);
        if is_there {
            self.advance()?;
        }
        Ok(is_there)
    }

    /// Takes a sign that must be there; its place.
    fn expect(&mut self, sign: &str, why: &str) -> Result<Span, Mistake> {
        match self.is(sign) {
            true => Ok(self.advance()?.1),
            false => {
                let message = format!("expected `{sign}` {why}, found {}", self.found());
                Err(Mistake::new(self.at, message).help(self.word_help()))
            }
        }
    }

    fn found(&self) -> String {
        match self.token == Token::End {
            true => "the end".to_owned(),
            false => format!("`{}`", text::name(self.at.of(self.text))),
        }
    }

    /// The remedy for a word of other languages.
    fn word_help(&self) -> String {
        let Token::Name(name) = &self.token else {
            return String::new();
        };
        let help = match &**name {
            "and" | "AND" => "write `&&`",
            "or" | "OR" => "write `||`",
            "not" | "NOT" => "write `!`",
            "is" | "eq" => "write `==`",
            "True" | "TRUE" => "write `true`",
            "False" | "FALSE" => "write `false`",
            "None" | "nil" | "NULL" | "undefined" => "write `null`",
            "if" | "then" | "else" => "write `condition ? one : other`",
            name => {
                let name = text::name(name);
                return format!("`${name}` is a key, `@{name}` a property, `{name}()` a condition");
            }
        };
        help.to_owned()
    }

    /// After an operand there is something that is no operator.
    fn no_operator(&self) -> Mistake {
        let message = format!("expected an operator or the end, found {}", self.found());
        Mistake::new(self.at, message).help(self.word_help())
    }

    /// An expression inside another, or the whole.
    fn expr(&mut self) -> Parsed {
        if self.open == DEEPEST {
            return Err(too_deep(self.at));
        }
        self.open += 1;
        let chosen = self.choose();
        self.open -= 1;
        chosen
    }

    fn choose(&mut self) -> Parsed {
        let condition = self.otherwise()?;
        if !self.eat("?")? {
            return Ok(condition);
        }
        let one = self.expr()?;
        self.expect(":", "and the value for `false`")?;
        let other = self.expr()?;
        let at = condition.at.until(other.at);
        made(at, Form::Choose(Box::new([condition, one, other])))
    }

    fn otherwise(&mut self) -> Parsed {
        let mut left = self.binary(1)?;
        while self.eat("??")? {
            let right = self.binary(1)?;
            let at = left.at.until(right.at);
            left = made(at, Form::Otherwise(Box::new(left), Box::new(right)))?;
        }
        Ok(left)
    }

    /// Operators of a level and tighter ones.
    fn binary(&mut self, level: u8) -> Parsed {
        let mut left = self.unary()?;
        let mut compared: Option<(u8, Operator)> = None;
        while let Token::Operator(operator) = self.token {
            let own = operator.level();
            if own < level {
                break;
            }
            if let Some((_, first)) = compared.filter(|(of, _)| *of == own) {
                let (a, b) = (first.sign(), operator.sign());
                let message = format!("`{b}` after `{a}`: comparisons do not chain");
                let help = format!("write `x {a} y && y {b} z`");
                return Err(Mistake::new(self.at, message).help(help));
            }
            self.advance()?;
            let right = self.binary(own + 1)?;
            compared = operator.is_comparison().then_some((own, operator));
            let at = left.at.until(right.at);
            left = made(at, Form::Binary(operator, Box::new(left), Box::new(right)))?;
        }
        Ok(left)
    }

    fn unary(&mut self) -> Parsed {
        let is_not = self.is("!");
        if !is_not && self.token != Token::Operator(Operator::Minus) {
            return self.postfix();
        }
        let (_, sign) = self.advance()?;
        if self.open == DEEPEST {
            return Err(too_deep(sign));
        }
        self.open += 1;
        let of = self.unary();
        self.open -= 1;
        let of = Box::new(of?);
        let at = sign.until(of.at);
        made(
            at,
            if is_not {
                Form::Not(of)
            } else {
                Form::Minus(of)
            },
        )
    }

    fn postfix(&mut self) -> Parsed {
        let mut of = self.operand()?;
        loop {
            if self.eat(".")? {
                let is_in = self.token == Token::Operator(Operator::In);
                if !is_in && !matches!(self.token, Token::Name(_) | Token::Text(_)) {
                    let message = format!("expected a field after `.`, found {}", self.found());
                    let help = "an item is written `[0]`, a name that is no word `.'hp max'`";
                    return Err(Mistake::new(self.at, message).help(help));
                }
                let (token, at) = self.advance()?;
                let name = if let Token::Name(name) | Token::Text(name) = token {
                    name
                } else {
                    "in".into()
                };
                let whole = of.at.until(at);
                of = made(whole, Form::Field(Box::new(of), Spelled { name, at }))?;
            } else if self.eat("[")? {
                let item = self.expr()?;
                let end = self.expect("]", "after the item's number")?;
                let at = of.at.until(end);
                of = made(at, Form::Item(Box::new(of), Box::new(item)))?;
            } else {
                return Ok(of);
            }
        }
    }

    fn operand(&mut self) -> Parsed {
        if let Token::Name(name) = &self.token
            && !matches!(&**name, "true" | "false" | "null")
        {
            return self.called();
        }
        if self.is("(") {
            let (_, from) = self.advance()?;
            let mut inside = self.expr()?;
            let to = self.expect(")", "after what is in brackets")?;
            inside.at = from.until(to);
            return Ok(inside);
        }
        if self.is("[") {
            let (_, from) = self.advance()?;
            let mut items = Vec::new();
            while !self.is("]") {
                items.push(self.expr()?);
                if !self.eat(",")? {
                    break;
                }
            }
            let to = self.expect("]", "after the last item")?;
            return made(from.until(to), Form::List(items));
        }
        let is_operand = matches!(
            self.token,
            Token::Whole(_)
                | Token::Float(_)
                | Token::Text(_)
                | Token::Name(_)
                | Token::Key(_)
                | Token::Property(_)
        );
        if !is_operand {
            let message = format!("expected a value, found {}", self.found());
            return Err(Mistake::new(self.at, message));
        }
        let (token, at) = self.advance()?;
        let spelled = |name| Spelled { name, at };
        let form = match token {
            Token::Whole(whole) => Form::Literal(whole.into()),
            Token::Float(float) => Form::Literal(float.into()),
            Token::Text(text) => Form::Literal(String::from(text).into()),
            Token::Key(name) => Form::Key(spelled(name)),
            Token::Property(name) => Form::Property(spelled(name)),
            Token::Name(name) => Form::Literal(match &*name {
                "true" => true.into(),
                "false" => false.into(),
                _ => Value::Null,
            }),
            Token::Operator(_) | Token::Sign(_) | Token::End => Form::Literal(Value::Null),
        };
        made(at, form)
    }

    /// A name, which is one of a method or of a built-in function.
    fn called(&mut self) -> Parsed {
        let bare = Mistake::new(
            self.at,
            format!("expected a value, found the name {}", self.found()),
        )
        .help(self.word_help());
        let (token, at) = self.advance()?;
        let (Token::Name(name), true) = (token, self.is("(")) else {
            return Err(bare);
        };
        self.advance()?;
        let mut args: Vec<Argument> = Vec::new();
        while !self.is(")") {
            let arg = self.argument()?;
            if arg.name.is_none() && args.last().is_some_and(|last| last.name.is_some()) {
                let message = "an argument without a name comes after one with a name";
                return Err(Mistake::new(arg.value.at, message).help("name it, or put it first"));
            }
            args.push(arg);
            if !self.eat(",")? {
                break;
            }
        }
        let end = self.expect(")", "after the last argument")?;
        let whole = at.until(end);
        match Builtin::named(&name) {
            Some(builtin) => {
                let args = arranged(builtin, args, whole)?;
                made(whole, Form::Builtin(builtin, args))
            }
            None => made(whole, Form::Call(Spelled { name, at }, args)),
        }
    }

    /// `value` or `name: value`
    fn argument(&mut self) -> Result<Argument, Mistake> {
        let mut ahead = self.lexer;
        let is_named = matches!(self.token, Token::Name(_))
            && matches!(ahead.next(), Ok((Token::Sign(":"), _)));
        let mut name = None;
        if is_named && let (Token::Name(word), at) = self.advance()? {
            self.advance()?;
            name = Some(Spelled { name: word, at });
        }
        let value = self.expr()?;
        Ok(Argument { name, value })
    }
}

/// The arguments of a built-in function in its order.
fn arranged(of: Builtin, args: Vec<Argument>, at: Span) -> Result<Vec<Expr>, Mistake> {
    let name = of.name();
    let Some(params) = of.params() else {
        if let Some(Argument {
            name: Some(given), ..
        }) = args.iter().find(|arg| arg.name.is_some())
        {
            let message = format!("`{name}` has no argument `{}`", text::name(&given.name));
            return Err(Mistake::new(given.at, message).help("it takes numbers, in any order"));
        }
        return match args.len() {
            0 => Err(Mistake::new(
                at,
                format!("`{name}` needs a number at least"),
            )),
            _ => Ok(args.into_iter().map(|arg| arg.value).collect()),
        };
    };
    let takes = format!("it is `{name}({})`", params.join(", "));
    let mut places: Vec<Option<Expr>> = params.iter().map(|_| None).collect();
    for (number, arg) in args.into_iter().enumerate() {
        let (place, at, found) = match &arg.name {
            None => (number, arg.value.at, (number + 1).to_string()),
            Some(Spelled { name, at }) => {
                let place = params.iter().position(|param| **param == **name);
                let found = format!("`{}`", text::name(name));
                (place.unwrap_or(params.len()), *at, found)
            }
        };
        match places.get_mut(place) {
            Some(free @ None) => *free = Some(arg.value),
            Some(Some(_)) => {
                let message = format!("`{name}`: argument {found} is given twice");
                return Err(Mistake::new(at, message).help(takes));
            }
            None => {
                let message = format!("`{name}` has no argument {found}");
                return Err(Mistake::new(at, message).help(takes));
            }
        }
    }
    let missing = places.iter().position(Option::is_none);
    match missing {
        None => Ok(places.into_iter().flatten().collect()),
        Some(missing) => {
            let message = format!("`{name}`: argument `{}` is missing", params[missing]);
            Err(Mistake::new(at, message).help(takes))
        }
    }
}

fn too_deep(at: Span) -> Mistake {
    Mistake::new(at, format!("more than {DEEPEST} values inside one another"))
}

/// An expression, unless it is too deep.
fn made(at: Span, form: Form) -> Parsed {
    let mut expr = Expr { at, depth: 0, form };
    let mut inside = 0;
    expr.parts(&mut |part| inside = inside.max(part.depth));
    if inside == DEEPEST {
        return Err(too_deep(at));
    }
    expr.depth = inside + 1;
    Ok(expr)
}
