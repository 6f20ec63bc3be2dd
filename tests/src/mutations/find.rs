//! All mistakes that can be made in a file by rule: a comparison turned round, a call left out, a condition
//! that never holds. Each has a name, which says the function and the change, not the place in the text.

use std::collections::HashMap;
use std::ops::Range;

use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{
    BinOp, Expr, ExprBinary, ImplItemFn, ItemFn, ItemImpl, ItemMod, Lit, Stmt, TraitItemFn, UnOp,
};

/// A mistake that can be made in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    /// The function and the change: `Parallel::child_done: `>=` becomes `>``. Of several in one function
    /// that are called alike, the second ends with ` (2)`.
    pub name: String,
    /// The place, in bytes.
    pub range: Range<usize>,
    /// The new text.
    pub new: String,
}

impl Mistake {
    /// The text with the mistake in it.
    pub fn made(&self, text: &str) -> String {
        [
            &text[..self.range.start],
            &self.new,
            &text[self.range.end..],
        ]
        .concat()
    }
}

/// All mistakes in the functions of a file, tests apart, in their order.
///
/// # Errors
/// If the text is no Rust.
pub fn find(text: &str) -> syn::Result<Vec<Mistake>> {
    let file = syn::parse_file(text)?;
    let mut finder = Finder {
        text,
        owner: Vec::new(),
        in_body: false,
        seen: HashMap::new(),
        found: Vec::new(),
    };
    finder.visit_file(&file);
    Ok(finder.found)
}

struct Finder<'t> {
    text: &'t str,
    /// The type and the function that are looked at.
    owner: Vec<String>,
    /// True if it is inside of a function: constants are no steps.
    in_body: bool,
    /// The number of each name so far.
    seen: HashMap<String, usize>,
    found: Vec<Mistake>,
}

impl Finder<'_> {
    fn add(&mut self, change: &str, at: &impl Spanned, new: &str) {
        if !self.in_body {
            return;
        }
        let name = format!("{}: {change}", self.owner.join("::"));
        let count = self.seen.entry(name.clone()).or_default();
        *count += 1;
        let name = match *count {
            1 => name,
            count => format!("{name} ({count})"),
        };
        self.found.push(Mistake {
            name,
            range: at.span().byte_range(),
            new: new.to_owned(),
        });
    }

    fn function(&mut self, name: &syn::Ident, block: &syn::Block) {
        self.owner.push(name.to_string());
        let outer = std::mem::replace(&mut self.in_body, true);
        visit::visit_block(self, block);
        self.in_body = outer;
        self.owner.pop();
    }

    fn written(&self, of: &impl Spanned) -> &str {
        &self.text[of.span().byte_range()]
    }

    fn condition(&mut self, word: &str, condition: &Expr) {
        // What a `let` binds is needed.
        if !has_let(condition) {
            self.add(&format!("`{word}` never holds"), condition, "false");
        }
    }
}

/// The name of what is called or assigned, if an expression is a call or an assignment.
fn effect(expr: &Expr) -> Option<String> {
    match expr {
        Expr::MethodCall(call) => Some(call.method.to_string()),
        Expr::Call(call) => match &*call.func {
            Expr::Path(path) => Some(path.path.segments.last()?.ident.to_string()),
            _ => None,
        },
        Expr::Assign(assign) => match &*assign.left {
            Expr::Field(field) => match &field.member {
                syn::Member::Named(name) => Some(name.to_string()),
                syn::Member::Unnamed(_) => None,
            },
            Expr::Path(path) => path.path.get_ident().map(ToString::to_string),
            _ => None,
        },
        Expr::Binary(ExprBinary { left, op, .. }) => match (&**left, op) {
            (Expr::Field(field), BinOp::AddAssign(_) | BinOp::SubAssign(_)) => {
                match &field.member {
                    syn::Member::Named(name) => Some(name.to_string()),
                    syn::Member::Unnamed(_) => None,
                }
            }
            _ => None,
        },
        _ => None,
    }
}

fn has_let(expr: &Expr) -> bool {
    match expr {
        Expr::Let(_) => true,
        Expr::Binary(ExprBinary { left, right, .. }) => has_let(left) || has_let(right),
        _ => false,
    }
}

fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|one| {
        let cfg_test = one.path().is_ident("cfg")
            && one
                .parse_args::<syn::Ident>()
                .is_ok_and(|word| word == "test");
        cfg_test || one.path().is_ident("test")
    })
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        if !is_test(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_impl(&mut self, item: &'ast ItemImpl) {
        let name = match &*item.self_ty {
            syn::Type::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()),
            _ => None,
        };
        self.owner.extend(name.clone());
        visit::visit_item_impl(self, item);
        self.owner
            .truncate(self.owner.len() - usize::from(name.is_some()));
    }

    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        if !is_test(&item.attrs) {
            self.function(&item.sig.ident, &item.block);
        }
    }

    fn visit_impl_item_fn(&mut self, item: &'ast ImplItemFn) {
        self.function(&item.sig.ident, &item.block);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast TraitItemFn) {
        if let Some(block) = &item.default {
            self.function(&item.sig.ident, block);
        }
    }

    fn visit_stmt(&mut self, stmt: &'ast Stmt) {
        if let Stmt::Expr(expr, Some(_)) = stmt
            && let Some(name) = effect(expr)
        {
            self.add(&format!("without `{name}`"), stmt, "");
        }
        visit::visit_stmt(self, stmt);
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        // Only where an arm gives nothing does what is left compile.
        if let Some(name) = effect(&arm.body) {
            self.add(&format!("an arm without `{name}`"), &arm.body, "{}");
        }
        visit::visit_arm(self, arm);
    }

    fn visit_pat_guard(&mut self, pattern: &'ast syn::PatGuard) {
        self.condition("if", &pattern.guard);
        visit::visit_pat_guard(self, pattern);
    }

    fn visit_pat_or(&mut self, pattern: &'ast syn::PatOr) {
        for (at, case) in pattern.cases.iter().enumerate() {
            let others = pattern.cases.iter().enumerate();
            let others = others.filter(|(other, _)| *other != at);
            let others: Vec<_> = others.map(|(_, case)| self.written(case)).collect();
            let others = others.join(" | ");
            let change = format!("without the pattern `{}`", self.written(case));
            self.add(&change, pattern, &others);
        }
        visit::visit_pat_or(self, pattern);
    }

    fn visit_expr_if(&mut self, expr: &'ast syn::ExprIf) {
        self.condition("if", &expr.cond);
        visit::visit_expr_if(self, expr);
    }

    fn visit_expr_while(&mut self, expr: &'ast syn::ExprWhile) {
        self.condition("while", &expr.cond);
        visit::visit_expr_while(self, expr);
    }

    fn visit_expr_unary(&mut self, expr: &'ast syn::ExprUnary) {
        if let UnOp::Not(not) = expr.op {
            self.add("without `!`", &not, "");
        }
        visit::visit_expr_unary(self, expr);
    }

    fn visit_expr_binary(&mut self, expr: &'ast ExprBinary) {
        let others: &[&str] = match expr.op {
            BinOp::Ge(_) => &[">"],
            BinOp::Gt(_) => &[">=", "<"],
            BinOp::Le(_) => &["<"],
            BinOp::Lt(_) => &["<=", ">"],
            BinOp::Eq(_) => &["!="],
            BinOp::Ne(_) => &["=="],
            BinOp::Add(_) => &["-"],
            BinOp::Sub(_) => &["+"],
            BinOp::And(_) | BinOp::Or(_) => {
                if !has_let(&expr.left) && !has_let(&expr.right) {
                    for (dropped, kept) in [(&expr.left, &expr.right), (&expr.right, &expr.left)] {
                        let change = format!("without `{}`", one_line(self.written(dropped)));
                        let kept = self.written(kept).to_owned();
                        self.add(&change, expr, &kept);
                    }
                }
                &[]
            }
            _ => &[],
        };
        let old = self.written(&expr.op).to_owned();
        for new in others {
            self.add(&format!("`{old}` becomes `{new}`"), &expr.op, new);
        }
        visit::visit_expr_binary(self, expr);
    }

    fn visit_lit(&mut self, literal: &'ast Lit) {
        match literal {
            Lit::Bool(bool) => {
                let new = (!bool.value).to_string();
                self.add(&format!("`{}` becomes `{new}`", bool.value), literal, &new);
            }
            Lit::Int(int) => {
                if let Ok(value) = int.base10_parse::<u64>() {
                    let new = value.wrapping_add(1).to_string();
                    let suffix = int.suffix();
                    let change = format!("`{}` becomes `{new}`", int.token());
                    self.add(&change, literal, &(new + suffix));
                }
            }
            _ => {}
        }
    }

    fn visit_macro(&mut self, _: &'ast syn::Macro) {}
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
