//! The model of what was written: owned, with spans, without output tokens.

use proc_macro2::{Ident, Span, TokenStream};
use syn::{Expr, Generics, LitStr, Type};

/// An `#[agent]` block that has no mistakes.
pub(crate) struct Block {
    pub(crate) bt: TokenStream,
    /// For the file.
    pub(crate) span: Span,
    pub(crate) generics: Generics,
    pub(crate) self_ty: Type,
    pub(crate) trait_: Option<syn::Path>,
    /// The associated types that a trait block defines.
    pub(crate) assoc_types: Vec<Ident>,
    pub(crate) part: Option<u8>,
    pub(crate) methods: Vec<Method>,
    pub(crate) properties: Vec<Property>,
    pub(crate) fallback: Option<Hook>,
}

/// The common parts of every item.
pub(crate) struct Item {
    /// The registered name.
    pub(crate) name: String,
    /// The span of the name: the literal of `name = "…"`, or the Rust name.
    pub(crate) name_span: Span,
    pub(crate) docs: Vec<TokenStream>,
    pub(crate) aliases: Vec<LitStr>,
    pub(crate) display: Option<LitStr>,
    pub(crate) category: Option<LitStr>,
    pub(crate) since: Option<LitStr>,
    pub(crate) meta: Vec<(String, String)>,
    pub(crate) deprecated: Option<(String, String)>,
    pub(crate) cfgs: Vec<TokenStream>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum MethodKind {
    Action,
    Condition,
    Query,
    Decorator,
    Composite,
}

impl MethodKind {
    /// The kind that a marker stands for; none if it marks no method that trees call.
    pub(crate) fn marked(marker: &str) -> Option<MethodKind> {
        use MethodKind::{Action, Composite, Condition, Decorator, Query};
        let all = [Action, Condition, Query, Decorator, Composite];
        all.into_iter().find(|kind| kind.word() == marker)
    }

    pub(crate) fn word(self) -> &'static str {
        match self {
            MethodKind::Action => "action",
            MethodKind::Condition => "condition",
            MethodKind::Query => "query",
            MethodKind::Decorator => "decorator",
            MethodKind::Composite => "composite",
        }
    }
}

/// An action, a condition, a query, a decorator or a composite.
pub(crate) struct Method {
    pub(crate) kind: MethodKind,
    pub(crate) item: Item,
    pub(crate) rust: Ident,
    pub(crate) receiver: bool,
    pub(crate) is_override: bool,
    pub(crate) params: Vec<Param>,
    /// The span for a wrong return type.
    pub(crate) output: Span,
    /// The type that a query answers with, as written; what a reference refers to.
    pub(crate) answer: Option<TokenStream>,
    pub(crate) exit: Option<(LitStr, Hook)>,
    pub(crate) resume: Option<(LitStr, Hook)>,
    /// It is asked in every turn, too.
    pub(crate) running: bool,
    /// The fewest and the most children of a composite.
    pub(crate) children: Option<(u32, Option<u32>)>,
}

/// A parameter of a method, in the order of the signature.
pub(crate) struct Param {
    /// Its name in trees.
    pub(crate) name: String,
    /// Its name in Rust.
    pub(crate) rust: Ident,
    pub(crate) role: Role,
    pub(crate) docs: Vec<TokenStream>,
    pub(crate) keys: ValueKeys,
    pub(crate) cfgs: Vec<TokenStream>,
    /// The type as written.
    pub(crate) ty: TokenStream,
    /// The type's, for what the compiler says about it.
    pub(crate) span: Span,
}

/// The way in which a parameter is passed.
#[derive(Clone)]
pub(crate) enum Role {
    World,
    Ended,
    Asked,
    /// `T`
    Value(TokenStream),
    /// `&T`
    Shared(TokenStream),
    /// `&mut T`
    Mut(TokenStream),
    /// `#[arg(out)] &mut T`
    Out(TokenStream),
}

/// The keys of `#[arg(…)]`, and of a property's value.
#[derive(Default)]
pub(crate) struct ValueKeys {
    pub(crate) default: Option<Expr>,
    pub(crate) min: Option<Expr>,
    pub(crate) max: Option<Expr>,
    pub(crate) step: Option<Expr>,
    pub(crate) choices: Option<Vec<Expr>>,
    pub(crate) unit: Option<LitStr>,
    pub(crate) display: Option<LitStr>,
    pub(crate) aliases: Vec<LitStr>,
    pub(crate) deprecated: bool,
}

impl ValueKeys {
    /// Adds what is said of the property to what is said of the setter's parameter.
    pub(crate) fn narrow(&mut self, more: ValueKeys) {
        self.min = self.min.take().or(more.min);
        self.max = self.max.take().or(more.max);
        self.step = self.step.take().or(more.step);
        self.choices = self.choices.take().or(more.choices);
        self.unit = self.unit.take().or(more.unit);
    }
}

/// One place of a hook's call: the world, or the next argument.
#[derive(Clone, Copy)]
pub(crate) struct Slot {
    pub(crate) world: bool,
    /// The parameter's type, for what the compiler says about it.
    pub(crate) span: Span,
}

/// An exit method, a resume method, or the fallback.
pub(crate) struct Hook {
    pub(crate) rust: Ident,
    pub(crate) slots: Vec<Slot>,
    /// The arguments of the action that an exit method takes, by the names that trees call them.
    pub(crate) args: Vec<Param>,
    /// True if the block of its action defines it.
    pub(crate) is_here: bool,
    pub(crate) line: Span,
}

/// A property's accessor, or a field, or a constant.
pub(crate) struct Property {
    pub(crate) item: Item,
    pub(crate) is_override: bool,
    pub(crate) keys: ValueKeys,
    pub(crate) access: Access,
    pub(crate) span: Span,
}

pub(crate) enum Access {
    /// A field: its member, its type, whether it is only read.
    Field {
        member: syn::Member,
        ty: TokenStream,
        read_only: bool,
    },
    Const {
        rust: Ident,
        ty: TokenStream,
    },
    Getter {
        rust: Ident,
        receiver: bool,
        slots: Vec<Slot>,
        ty: TokenStream,
    },
    Setter {
        rust: Ident,
        receiver: bool,
        params: Vec<Param>,
        output: Span,
    },
}

/// An event: a signature that becomes a constructor.
pub(crate) struct Event {
    pub(crate) item: Item,
    pub(crate) rust: Ident,
    /// The Rust names, types and `cfg`s of the parameters, for the constructor.
    pub(crate) inputs: Vec<(Ident, Type, Vec<TokenStream>)>,
    pub(crate) params: Vec<Param>,
    /// The attributes that the constructor keeps.
    pub(crate) attrs: Vec<syn::Attribute>,
    pub(crate) vis: syn::Visibility,
    pub(crate) generics: Generics,
    /// True if mistakes were found in it.
    pub(crate) is_wrong: bool,
}

/// A `#[derive(Agent)]`.
pub(crate) struct Agent {
    pub(crate) bt: TokenStream,
    pub(crate) ident: Ident,
    pub(crate) generics: Generics,
    pub(crate) item: Item,
    pub(crate) namespace: String,
    pub(crate) world: Option<TokenStream>,
    pub(crate) base: Base,
    pub(crate) properties: Vec<Property>,
}

pub(crate) enum Base {
    /// A field marked `#[agent(base)]`.
    Field(Box<(syn::Member, Type)>),
    /// `#[agent(no_base)]`.
    None,
    /// Neither: the built-in agent.
    BuiltIn,
}
