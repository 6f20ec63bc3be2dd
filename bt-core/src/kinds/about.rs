//! The facts that are known of a kind without a node.

/// The facts that are known of a kind without a node.
#[derive(Debug, Clone, Copy)]
pub struct About {
    /// The name in files, such as `probility`.
    pub name: &'static str,
    /// Its names in other engines, in small letters without marks between them.
    pub other_names: &'static [&'static str],
    /// The advice for whoever writes one of these: the words after "write `name`".
    pub advice: &'static str,
    /// Its group.
    pub group: Group,
    /// The number of its children.
    pub children: Children,
    /// The bounds that the original editor is given; none where it does not know the kind.
    pub original: Option<[u32; 2]>,
    /// The behaviour of a node, on one line.
    pub brief: &'static str,
    /// One or two characters that common fonts have, for drawings; none of them is an emoji.
    pub symbol: &'static str,
    /// Its relation to conditions.
    pub logic: Logic,
    /// True if a guard of a child may abort the siblings to the right: the first that succeeds decides.
    pub has_lower_guards: bool,
    /// The children that run whenever it does.
    pub certain: Certain,
    /// The name of behaviac's class for it, if that is not the kind's own.
    pub behaviac: Option<&'static str>,
    /// True if a node that waits does so for what it has aborted to end.
    pub waits_for_aborts: bool,
    /// Of a composite or a root: whether a node succeeds that has no child left, since all are disabled.
    pub succeeds_empty: bool,
}

/// The children of a node that run whenever it does, if nothing is aborted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Certain {
    /// None for certain.
    None,
    /// The first; of a kind whose children run in order, those that are reached whatever the ones before
    /// return.
    First,
    /// All.
    All,
}

/// The group of a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    /// The top of a tree.
    Root,
    /// It has several children.
    Composite,
    /// It has one child.
    Decorator,
    /// It has none.
    Leaf(Leaf),
}

/// The sort of a leaf.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leaf {
    /// It calls an action.
    Action,
    /// It evaluates a condition.
    Condition,
    /// It waits for an event.
    Event,
    /// It runs a tree.
    Tree,
    /// It calls nobody, such as `reset`.
    Control,
}

impl Group {
    /// Its name in exported files.
    pub fn name(self) -> &'static str {
        match self {
            Group::Root => "root",
            Group::Composite => "composite",
            Group::Decorator => "decorator",
            Group::Leaf(_) => "leaf",
        }
    }
}

/// The number of children of a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Children {
    /// The fewest.
    pub least: u32,
    /// The most; none where there is no limit.
    pub most: Option<u32>,
    /// True if trees made in code may have none: its result then is known.
    pub may_be_empty: bool,
}

impl Children {
    const fn new(least: u32, most: Option<u32>) -> Children {
        Children {
            least,
            most,
            may_be_empty: false,
        }
    }

    /// No children.
    pub(super) const NONE: Children = Children::new(0, Some(0));
    /// One child.
    pub(super) const ONE: Children = Children::new(1, Some(1));
    /// One child at least.
    pub(super) const SOME: Children = Children::new(1, None);
    /// The same; trees made in code may have none.
    pub(super) const ANY: Children = Children {
        may_be_empty: true,
        ..Children::SOME
    };
    /// From so many to so many.
    pub(super) const fn between(least: u32, most: u32) -> Children {
        Children::new(least, Some(most))
    }
}

/// The relation of a kind to conditions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Logic {
    /// Nothing.
    None,
    /// The nodes below it are conditions: it is an `and` or an `or`. The kind that runs nodes of any type in
    /// the same way.
    Asks(&'static str),
    /// The nodes below it are conditions if it is below an `and` or an `or` itself.
    Inverts,
    /// It may be one of these conditions.
    Answers,
}

impl About {
    const fn new(
        name: &'static str,
        symbol: &'static str,
        brief: &'static str,
        group: Group,
        children: Children,
    ) -> About {
        About {
            name,
            other_names: &[],
            advice: "",
            group,
            children,
            original: None,
            brief,
            symbol,
            logic: Logic::None,
            has_lower_guards: false,
            certain: match group {
                Group::Root | Group::Composite => Certain::First,
                Group::Decorator | Group::Leaf(_) => Certain::None,
            },
            behaviac: None,
            waits_for_aborts: false,
            succeeds_empty: matches!(group, Group::Root | Group::Composite),
        }
    }

    pub(super) const fn root(
        name: &'static str,
        symbol: &'static str,
        brief: &'static str,
    ) -> About {
        About::new(name, symbol, brief, Group::Root, Children::ONE)
    }

    pub(super) const fn composite(
        name: &'static str,
        symbol: &'static str,
        brief: &'static str,
    ) -> About {
        About::new(name, symbol, brief, Group::Composite, Children::ANY)
    }

    pub(super) const fn decorator(
        name: &'static str,
        symbol: &'static str,
        brief: &'static str,
    ) -> About {
        About::new(name, symbol, brief, Group::Decorator, Children::ONE)
    }

    pub(super) const fn leaf(
        name: &'static str,
        symbol: &'static str,
        brief: &'static str,
        does: Leaf,
    ) -> About {
        About::new(name, symbol, brief, Group::Leaf(does), Children::NONE)
    }

    pub(super) const fn children(mut self, children: Children) -> About {
        self.children = children;
        self
    }

    pub(super) const fn original(mut self, least: u32, most: u32) -> About {
        self.original = Some([least, most]);
        self
    }

    pub(super) const fn elsewhere(
        mut self,
        other_names: &'static [&'static str],
        advice: &'static str,
    ) -> About {
        self.other_names = other_names;
        self.advice = advice;
        self
    }

    pub(super) const fn logic(mut self, logic: Logic) -> About {
        self.logic = logic;
        self
    }

    pub(super) const fn certain(mut self, certain: Certain) -> About {
        self.certain = certain;
        self
    }

    pub(super) const fn behaviac(mut self, class: &'static str) -> About {
        self.behaviac = Some(class);
        self
    }

    pub(super) const fn waits_for_aborts(mut self) -> About {
        self.waits_for_aborts = true;
        self
    }

    pub(super) const fn fails_empty(mut self) -> About {
        self.succeeds_empty = false;
        self
    }

    pub(super) const fn lower_guards(mut self) -> About {
        self.has_lower_guards = true;
        self
    }
}
