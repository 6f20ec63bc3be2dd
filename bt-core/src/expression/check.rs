//! The check of what can never work: types, names and constants, before anything runs.

use serde_json::Value;

use super::ast::{Argument, Expr, Form, Mistake, Operator, Span, Spelled};
use super::builtins::Builtin;
use super::compile::evaluated;
use super::types::Type;
use crate::text;

/// The meaning of the names in an expression.
pub trait Names {
    /// The type of a key: [`Type::Any`] unless it is declared.
    fn key(&mut self, key: &Spelled) -> Type;

    /// The type of a property. One that is not there is the callee's to report.
    fn property(&mut self, property: &Spelled) -> Type;

    /// The type of a method's answer, whose arguments were checked; none of one that is wrong by itself. What is
    /// wrong with the name, or with the arguments of this method, is the callee's to report.
    fn call(&mut self, method: &Spelled, args: &[Argument], checked: &[Option<Checked>]) -> Type;

    /// The number of errors that were reported so far.
    fn errors(&self) -> usize;

    /// Takes a mistake.
    fn mistake(&mut self, mistake: Mistake);
}

/// The type of an expression, and its value if that is known.
#[derive(Debug, Clone, PartialEq)]
pub struct Checked {
    /// The type of its values.
    pub ty: Type,
    /// Its value, if that is always the same.
    pub value: Option<Value>,
}

/// Finds the mistakes of an expression; its type, and its value where it has but one.
///
/// None if something is wrong with it.
pub fn check(expr: &Expr, names: &mut dyn Names) -> Option<Checked> {
    Check { names }.fine(expr)
}

/// The result where nothing is known.
const ANYTHING: Checked = Checked {
    ty: Type::Any,
    value: None,
};

struct Check<'n> {
    names: &'n mut dyn Names,
}

impl Check<'_> {
    fn wrong(&mut self, at: Span, message: String, help: String) {
        self.names.mistake(Mistake::new(at, message).help(help));
    }

    fn doubt(&mut self, at: Span, message: String, help: String) {
        let mut mistake = Mistake::new(at, message).help(help);
        mistake.is_doubt = true;
        self.names.mistake(mistake);
    }

    /// Reports an operand of a wrong type; true if its type is right, or may be.
    fn needs(
        &mut self,
        of: &str,
        part: &Expr,
        ty: &Type,
        wanted: &str,
        fits: fn(&Type) -> bool,
    ) -> bool {
        if matches!(ty, Type::Any) || fits(ty) {
            return true;
        }
        let help = if let Type::Optional(inner) = ty
            && fits(inner)
        {
            "write a value for null: `(… ?? value)`"
        } else if wanted == "a bool" && ty.is_number() {
            "compare it: `… != 0`"
        } else if wanted == "a bool" && ty.is_text() {
            "compare it: `… != ''`"
        } else {
            ""
        };
        let message = format!("{of} takes {wanted}, found {ty}");
        self.wrong(part.at, message, help.to_owned());
        false
    }

    /// The same, unless it is wrong.
    fn fine(&mut self, expr: &Expr) -> Option<Checked> {
        let before = self.names.errors();
        let checked = self.expr(expr);
        (self.names.errors() == before).then_some(checked)
    }

    fn expr(&mut self, expr: &Expr) -> Checked {
        match &expr.form {
            Form::Literal(value) => Checked {
                ty: Type::of_value(value),
                value: Some(value.clone()),
            },
            Form::Key(key) => Checked {
                ty: self.names.key(key),
                value: None,
            },
            Form::Property(property) => Checked {
                ty: self.names.property(property),
                value: None,
            },
            Form::Call(method, args) => {
                let checked: Vec<_> = args.iter().map(|arg| self.fine(&arg.value)).collect();
                Checked {
                    ty: self.names.call(method, args, &checked),
                    value: None,
                }
            }
            Form::List(items) => {
                let items: Vec<_> = items.iter().map(|item| self.expr(item)).collect();
                let ty = items.iter().map(|item| item.ty.clone()).reduce(Type::or);
                let value = items.iter().map(|item| item.value.clone());
                Checked {
                    ty: Type::List(Box::new(ty.unwrap_or(Type::Any))),
                    value: value.collect::<Option<Vec<_>>>().map(Value::Array),
                }
            }
            Form::Field(of, name) => self.field(of, name),
            Form::Item(of, item) => self.item(of, item),
            Form::Builtin(builtin, args) => self.builtin(expr, *builtin, args),
            Form::Not(of) => {
                let found = self.expr(of);
                self.needs("`!`", of, &found.ty, "a bool", |ty| *ty == Type::Bool);
                self.made(expr, Type::Bool, [&found])
            }
            Form::Minus(of) => {
                let found = self.expr(of);
                let fits = self.needs("`-`", of, &found.ty, "a number", Type::is_number);
                let ty = number(fits, [&found.ty]);
                self.made(expr, ty, [&found])
            }
            Form::Binary(operator, a, b) => self.binary(expr, *operator, a, b),
            Form::Otherwise(of, other) => {
                let (found, other) = (self.expr(of), self.expr(other));
                let ty = match found.ty.clone() {
                    Type::Null => other.ty.clone(),
                    ty => ty.without_null().or(other.ty.clone()),
                };
                self.made(expr, ty, [&found, &other])
            }
            Form::Choose(parts) => {
                let [condition, one, other] = &**parts;
                let found = self.expr(condition);
                let of = "the condition of `?`";
                self.needs(of, condition, &found.ty, "a bool", |ty| *ty == Type::Bool);
                let (one, other) = (self.expr(one), self.expr(other));
                let ty = one.ty.clone().or(other.ty.clone());
                self.made(expr, ty, [&found, &one, &other])
            }
        }
    }

    /// Finds the value of an expression, if those of its parts are known.
    fn made<'c>(
        &mut self,
        expr: &Expr,
        ty: Type,
        parts: impl IntoIterator<Item = &'c Checked>,
    ) -> Checked {
        if !parts.into_iter().all(|part| part.value.is_some()) {
            return Checked { ty, value: None };
        }
        match evaluated(expr) {
            Some(Ok(value)) => Checked {
                ty,
                value: Some(value),
            },
            // Wrong types are reported already, and what `??` and `has` forgive is not wrong.
            Some(Err(fault)) if fault.is_of_values() && fault.at() == expr.at => {
                self.wrong(expr.at, fault.message().into_owned(), String::new());
                ANYTHING
            }
            Some(Err(_)) | None => Checked { ty, value: None },
        }
    }

    fn field(&mut self, of: &Expr, name: &Spelled) -> Checked {
        let found = self.expr(of);
        let spelled = text::name(&name.name);
        let ty = match found.ty.without_null() {
            Type::Any => Type::Any,
            Type::Map(each) => *each,
            Type::Object(fields, is_closed) => match fields.get(&*name.name) {
                Some(ty) => ty.clone(),
                None if is_closed => {
                    let near = text::suggest(&name.name, fields.keys().map(String::as_str));
                    let help = near.trim_start_matches("; ").to_owned();
                    self.wrong(name.at, format!("there is no field `{spelled}`"), help);
                    Type::Any
                }
                None => Type::Any,
            },
            other => {
                let help = match matches!(other, Type::List(_)) {
                    true => "an item is written `[0]`, the number of items `len(…)`",
                    false => "",
                };
                let message = format!("`.{spelled}` takes an object, found {other}");
                self.wrong(name.at, message, help.to_owned());
                Type::Any
            }
        };
        Checked { ty, value: None }
    }

    fn item(&mut self, of: &Expr, item: &Expr) -> Checked {
        let (found, at) = (self.expr(of), self.expr(item));
        let ty = match found.ty.without_null() {
            Type::Any => {
                let fits = |ty: &Type| ty.is_number() || ty.is_text();
                self.needs("`[…]`", item, &at.ty, "a number or text", fits);
                Type::Any
            }
            Type::List(each) => {
                self.needs(
                    "an item's number",
                    item,
                    &at.ty,
                    "an integer",
                    Type::is_number,
                );
                *each
            }
            Type::Map(each) => {
                self.needs("a field's name", item, &at.ty, "text", Type::is_text);
                *each
            }
            Type::Object(..) => {
                self.needs("a field's name", item, &at.ty, "text", Type::is_text);
                Type::Any
            }
            other => {
                self.wrong(
                    of.at,
                    format!("`[…]` takes a list, found {other}"),
                    String::new(),
                );
                Type::Any
            }
        };
        Checked { ty, value: None }
    }

    fn builtin(&mut self, expr: &Expr, builtin: Builtin, args: &[Expr]) -> Checked {
        let found: Vec<_> = args.iter().map(|arg| self.expr(arg)).collect();
        let name = format!("`{}`", builtin.name());
        let mut numbers = || {
            let each = args.iter().zip(&found);
            let fits = each
                .map(|(arg, found)| self.needs(&name, arg, &found.ty, "a number", Type::is_number));
            // All are looked at, so that each wrong one is reported.
            let fits = fits.filter(|fits| !fits).count() == 0;
            number(fits, found.iter().map(|found| &found.ty))
        };
        let ty = match builtin {
            Builtin::Min | Builtin::Max | Builtin::Abs | Builtin::Clamp => numbers(),
            Builtin::Round | Builtin::Floor | Builtin::Ceil => {
                numbers();
                Type::Integer
            }
            Builtin::Len => {
                let fits = |ty: &Type| {
                    ty.is_text() || matches!(ty, Type::List(_) | Type::Map(_) | Type::Object(..))
                };
                for (arg, found) in args.iter().zip(&found) {
                    self.needs(&name, arg, &found.ty, "text, a list or an object", fits);
                }
                Type::Integer
            }
            Builtin::Has => Type::Bool,
        };
        self.made(expr, ty, &found)
    }

    fn binary(&mut self, expr: &Expr, operator: Operator, a: &Expr, b: &Expr) -> Checked {
        let (left, right) = (self.expr(a), self.expr(b));
        let sign = format!("`{}`", operator.sign());
        let ty = match operator {
            Operator::Plus if self.joins(a, &left.ty, b, &right.ty) => Type::Text,
            Operator::Plus if left.ty == Type::Any && right.ty == Type::Any => Type::Any,
            Operator::Plus if left.ty == Type::Any && right.ty.is_number() => Type::Number,
            Operator::Plus
            | Operator::Minus
            | Operator::Times
            | Operator::Modulo
            | Operator::Over => {
                let one = self.needs(&sign, a, &left.ty, "a number", Type::is_number);
                let two = self.needs(&sign, b, &right.ty, "a number", Type::is_number);
                let divides = matches!(operator, Operator::Over | Operator::Modulo);
                let is_zero = right.value.as_ref().and_then(Value::as_f64) == Some(0.0);
                if divides && is_zero && left.value.is_none() {
                    let message = format!("{sign} divides by zero, which has no value");
                    self.doubt(b.at, message, String::new());
                }
                match operator == Operator::Over {
                    true => Type::Number,
                    false => number(one && two, [&left.ty, &right.ty]),
                }
            }
            Operator::Less
            | Operator::LessOrEqual
            | Operator::Greater
            | Operator::GreaterOrEqual => {
                self.order(&sign, [(a, &left.ty), (b, &right.ty)]);
                Type::Bool
            }
            Operator::Equal | Operator::NotEqual => {
                self.alike(a, &left, b, &right);
                Type::Bool
            }
            Operator::In => {
                let is_list = |ty: &Type| matches!(ty, Type::List(_));
                if self.needs("`in`", b, &right.ty, "a list on its right", is_list)
                    && let Type::List(item) = &right.ty
                {
                    self.among(a, &left, b, item, &right.ty);
                }
                Type::Bool
            }
            Operator::And | Operator::Or => {
                for (part, found) in [(a, &left), (b, &right)] {
                    self.needs(&sign, part, &found.ty, "a bool", |ty| *ty == Type::Bool);
                }
                Type::Bool
            }
        };
        self.made(expr, ty, [&left, &right])
    }

    /// Returns true if a `+` joins texts: one side is text. The other has to be, too.
    fn joins(&mut self, a: &Expr, left: &Type, b: &Expr, right: &Type) -> bool {
        let (text, other, ty) = match (left.is_text(), right.is_text()) {
            (true, true) => return true,
            (true, false) => (true, b, right),
            (false, true) => (true, a, left),
            (false, false) => return false,
        };
        if *ty != Type::Any {
            let message = format!("`+` joins two texts or adds two numbers, found text and {ty}");
            self.wrong(other.at, message, String::new());
        }
        text
    }

    fn order(&mut self, sign: &str, sides: [(&Expr, &Type); 2]) {
        let has_order = |ty: &Type| ty.is_number() || ty.is_text();
        for (part, ty) in sides {
            let wanted = "two numbers or two texts";
            if !self.needs(sign, part, ty, wanted, has_order) {
                return;
            }
            if let Type::Choice(_) = ty {
                let message = format!("{sign} compares the names of choices, letter by letter");
                self.doubt(part.at, message, String::new());
            }
        }
        let [(_, left), (part, right)] = sides;
        if *left != Type::Any && *right != Type::Any && left.is_number() != right.is_number() {
            let message =
                format!("{sign} compares two numbers or two texts, found {left} and {right}");
            let help = if let Form::Literal(Value::String(text)) = &part.form
                && right.is_text()
                && text.parse::<f64>().is_ok()
            {
                format!("a number has no quotation marks: `{text}`")
            } else {
                String::new()
            };
            self.wrong(part.at, message, help);
        }
    }

    /// Reports two values that are never equal.
    fn alike(&mut self, a: &Expr, left: &Checked, b: &Expr, right: &Checked) {
        let (part, never) = match never_equal(left, right) {
            Some(never) if never.of_left => (a, never),
            Some(never) => (b, never),
            None => return,
        };
        self.wrong(part.at, never.message, never.help);
    }

    fn among(&mut self, a: &Expr, left: &Checked, b: &Expr, item: &Type, list: &Type) {
        let Form::List(items) = &b.form else {
            if are_unlike(&left.ty, item) {
                let message = format!("{} is never in {list}", left.ty);
                self.wrong(a.at, message, String::new());
            }
            return;
        };
        for one in items {
            if let Form::Literal(value) = &one.form {
                let found = Checked {
                    ty: Type::of_value(value),
                    value: Some(value.clone()),
                };
                self.alike(a, left, one, &found);
            }
        }
    }
}

/// The reason why two values are never equal.
pub(crate) struct NeverEqual {
    /// The first of them is wrong by itself.
    of_left: bool,
    pub(crate) message: String,
    pub(crate) help: String,
}

/// Returns why two values are never equal, if that is certain.
pub(crate) fn never_equal(left: &Checked, right: &Checked) -> Option<NeverEqual> {
    let unknown = |choices: &Checked, found: &Checked, of_left| {
        let (message, help) = unknown_choice(&choices.ty, found)?;
        Some(NeverEqual {
            of_left,
            message,
            help,
        })
    };
    let unlike = || NeverEqual {
        of_left: false,
        message: format!("{} and {} are never equal", left.ty, right.ty),
        help: String::new(),
    };
    unknown(left, right, false)
        .or_else(|| unknown(right, left, true))
        .or_else(|| are_unlike(&left.ty, &right.ty).then(unlike))
}

/// The message of a text that is none of an enum's choices, and help.
fn unknown_choice(choices: &Type, found: &Checked) -> Option<(String, String)> {
    let choices = match choices {
        Type::Optional(inner) => inner,
        other => other,
    };
    let (Type::Choice(choices), Some(Value::String(text))) = (choices, &found.value) else {
        return None;
    };
    if choices.contains(text) {
        return None;
    }
    let names = crate::text::quoted(choices.iter().map(String::as_str)).join(", ");
    let near = text::suggest(text, choices.iter().map(String::as_str));
    let help = match near.trim_start_matches("; ") {
        "" => format!("there are {names}"),
        near => near.to_owned(),
    };
    Some((format!("`{}` is no choice here", text::name(text)), help))
}

/// The type of a result of numbers: an integer if they all are.
fn number<'t>(fits: bool, types: impl IntoIterator<Item = &'t Type>) -> Type {
    match fits {
        true if types.into_iter().all(|ty| *ty == Type::Integer) => Type::Integer,
        true => Type::Number,
        false => Type::Any,
    }
}

/// Returns true if no value of one type equals one of the other.
fn are_unlike(a: &Type, b: &Type) -> bool {
    let sort = |ty: &Type| match ty {
        Type::Any | Type::Optional(_) => None,
        Type::Null => Some(0),
        Type::Bool => Some(1),
        Type::Integer | Type::Number => Some(2),
        Type::Text | Type::Choice(_) => Some(3),
        Type::List(_) => Some(4),
        // It may come as a list of pairs.
        Type::Map(_) | Type::Object(..) => None,
    };
    match (a, b) {
        (Type::Optional(_), Type::Optional(_)) => false,
        (Type::Optional(a), b) | (b, Type::Optional(a)) => !b.may_be_null() && are_unlike(a, b),
        (a, b) => matches!((sort(a), sort(b)), (Some(a), Some(b)) if a != b),
    }
}
