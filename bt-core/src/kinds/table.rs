//! Everything that follows from the list of kinds: a table of them, and the enums of their parts.

/// The type of a variant's content.
macro_rules! held {
    ($what:ty) => { $what };
    ($what:ty, boxed) => { Box<$what> };
}
pub(super) use held;

/// The kinds that the walk goes through by itself, without a behaviour of their own.
macro_rules! plain {
    () => {
        Planned::Root | Planned::Sequence | Planned::Select | Planned::Negative | Planned::Always(_)
    };
}
pub(super) use plain;

/// A line is a kind's name, the type of its parameters and, behind `=>`, the name and the type of what its
/// nodes do. Mirror images share that: the first of them has it. `boxed` keeps a node small.
macro_rules! kinds {
    (<$t:lifetime> $($kind:ident: $params:ty $(=> $node:ident($what:ty $(, $boxed:ident)?))?;)*) => {
        /// A node kind.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[allow(missing_docs, reason = "each has its page")]
        pub enum Kind { $($kind,)* }

        /// The parameters of a node in a tree file, by its kind.
        #[derive(Debug, Clone, PartialEq)]
        #[allow(missing_docs, reason = "each has its page")]
        pub enum Params<$t> { $($kind($params),)* }

        #[allow(clippy::extra_unused_lifetimes, reason = "only some parameters borrow")]
        impl Kind {
            /// Every kind, in the order in which an editor offers them.
            pub const ALL: &'static [Kind] = &[$(Kind::$kind,)*];

            /// The facts that are known of a kind without a node.
            pub fn about<$t>(self) -> &'static About {
                match self {
                    $(Kind::$kind => &<$params as NodeKind<$t>>::ABOUT,)*
                }
            }

            fn one_of<$t>(self) -> &'static [&'static str] {
                match self {
                    $(Kind::$kind => <$params as NodeKind<$t>>::ONE_OF,)*
                }
            }

            /// Returns true if a node's `extra` may hold a key.
            pub fn has_key<$t>(self, key: &str) -> bool {
                match self {
                    $(Kind::$kind => has_key::<$params>(key),)*
                }
            }

            fn describe<$t>(self, schema: &mut ObjectSchema) {
                match self {
                    $(Kind::$kind => <$params as Fields<$t>>::describe(schema),)*
                }
            }

            fn read<$t>(
                self,
                extra: &$t Map<String, Value>,
                path: &Path<'_>,
                problems: &mut Problems<'_>,
            ) -> Node<$t> {
                match self {
                    $(Kind::$kind => read::<$params>(extra, path, problems, Params::$kind),)*
                }
            }
        }

        impl<$t> Params<$t> {
            /// The kind.
            pub fn kind(&self) -> Kind {
                match self {
                    $(Params::$kind(_) => Kind::$kind,)*
                }
            }

            /// The outcomes of a node, from those of its children; `called` gives the outcome of a call.
            pub fn outcome(
                &self,
                children: &[Outcome],
                called: &dyn Fn(&Call<$t>) -> Outcome,
            ) -> Outcome {
                let about = self.kind().about();
                let has_any = matches!(about.group, Group::Root | Group::Composite);
                if has_any && children.is_empty() {
                    return Outcome::new(about.succeeds_empty, !about.succeeds_empty, false);
                }
                match self {
                    $(Params::$kind(params) => params.outcome(children, called),)*
                }
            }

            /// Of a kind whose children run in order: whether the next can be reached after one.
            pub fn continues_after(&self, child: Outcome) -> Option<bool> {
                match self {
                    $(Params::$kind(params) => params.continues_after(child),)*
                }
            }

            /// The symbol of a node in drawings.
            pub fn symbol(&self) -> &'static str {
                match self {
                    $(Params::$kind(params) => params.symbol(),)*
                }
            }

            /// Reports each thing that they name, with its place; `path` is theirs.
            pub fn uses(&self, path: &Path<'_>, report: &mut dyn FnMut(&Path<'_>, Use<'_, $t>)) {
                match self {
                    $(Params::$kind(params) => params.uses(path, report),)*
                }
            }

            /// The keys that they declare: the parameter that names each, its name, its type.
            pub fn declares(&self) -> Vec<(&'static str, Name<$t>, &'static str)> {
                match self {
                    $(Params::$kind(params) => params.declares(),)*
                }
            }

            /// Shows the parameters in a drawing, but for names and defaults.
            pub fn display(&self, part: &mut dyn FnMut(String)) {
                match self {
                    $(Params::$kind(params) => NodeKind::display(params, part),)*
                }
            }

            /// A key that need not be said, and what it holds then. Files are written with it.
            pub fn implied(&self, children: usize) -> Option<(&'static str, Value)> {
                match self {
                    $(Params::$kind(params) => params.implied(children),)*
                }
            }

            /// The keys that say something else without children that are disabled, and what they say then.
            pub(crate) fn without(&self, stays: &[bool]) -> Vec<(&'static str, Value)> {
                match self {
                    $(Params::$kind(params) => params.without(stays),)*
                }
            }

            /// Plans the behaviour of a node.
            pub(crate) fn plan(self, cx: &mut dyn PlanContext) -> Planned {
                match self {
                    $(Params::$kind(params) => params.plan(cx),)*
                }
            }

            /// Reports what is wrong with parameters that are right by themselves.
            pub fn check(&self, children: usize, path: &Path<'_>, problems: &mut Problems<'_>) {
                match self {
                    $(Params::$kind(params) => params.check(children, path, problems),)*
                }
            }
        }

        /// A node of a plan, as its file describes it.
        #[derive(Debug)]
        pub(crate) enum Planned {
            Root,
            Sequence,
            Select,
            Negative,
            /// `always_true`, `always_false`.
            Always(bool),
            $($($node(held!($what $(, $boxed)?)),)?)*
        }

        /// The state of an active node.
        #[derive(Debug)]
        pub(crate) enum State {
            $($($node(<$what as Behaviour>::State),)?)*
        }

        /// The state of a node that outlives its exits.
        #[derive(Debug)]
        pub(crate) enum Retained {
            $($($node(<$what as Behaviour>::Retained),)?)*
        }

        $($(
            impl From<$what> for Planned {
                fn from(what: $what) -> Planned {
                    Planned::$node(what.into())
                }
            }

            impl Slot for $what {
                fn state(state: &State) -> Option<&Self::State> {
                    if let State::$node(state) = state { Some(state) } else { None }
                }

                fn state_mut(state: &mut State) -> Option<&mut Self::State> {
                    if let State::$node(state) = state { Some(state) } else { None }
                }

                fn of_state(state: Self::State) -> State {
                    State::$node(state)
                }

                fn retained(retained: &Retained) -> Option<&Self::Retained> {
                    if let Retained::$node(retained) = retained { Some(retained) } else { None }
                }

                fn of_retained(retained: Self::Retained) -> Retained {
                    Retained::$node(retained)
                }
            }
        )?)*

        impl Planned {
            /// The part of a node's behaviour that others have to know.
            pub(crate) fn behaviour(&self) -> &dyn Behaviour {
                match self {
                    Planned::Root | Planned::Negative | Planned::Always(_) => &root::PlainNode,
                    Planned::Sequence => &sequence::InOrderNode { on: true },
                    Planned::Select => &sequence::InOrderNode { on: false },
                    $($(Planned::$node(node) => Borrow::<$what>::borrow(node),)?)*
                }
            }

            /// The behaviour of a node.
            pub(crate) fn runs<C: NodeContext>(&self) -> &dyn Runs<C> {
                match self {
                    Planned::Root | Planned::Negative | Planned::Always(_) => &root::PlainNode,
                    Planned::Sequence => &sequence::InOrderNode { on: true },
                    Planned::Select => &sequence::InOrderNode { on: false },
                    $($(Planned::$node(node) => Borrow::<$what>::borrow(node),)?)*
                }
            }

            /// Returns true if it has a state whenever it is active.
            pub(crate) fn remembers(&self) -> bool {
                match self {
                    $($(Planned::$node(node) => node.remembers(),)?)*
                    plain!() => false,
                }
            }

            /// Its state, from what was saved of it under the name of its form.
            pub(crate) fn read_state(
                &self,
                form: &str,
                saved: &Value,
                from: &mut dyn Translate,
            ) -> Result<State, String> {
                match self {
                    $($(Planned::$node(_) => remember::read(form, saved, from).map(State::$node),)?)*
                    plain!() => remember::read(form, saved, from).map(|nothing: Nothing| match nothing {}),
                }
            }

            /// The part of the node that ends the nodes below it, at the latest.
            pub(crate) fn ends_below(&self, state: Option<&State>) -> Option<Ends> {
                match self {
                    $($(Planned::$node(node) => {
                        node.ends_below(state.and_then(<$what as Slot>::state))
                    })?)*
                    plain!() => None,
                }
            }

            /// Reports the first fault of a saved state.
            pub(crate) fn check(&self, state: &State, found: &Found<'_>) -> Result<(), &'static str> {
                $($(if let (Planned::$node(node), State::$node(state)) = (self, state) {
                    return node.check(state, found);
                })?)*
                Ok(())
            }

            /// Returns true if a state that was saved says that it has still to decide.
            pub(crate) fn is_deciding(&self, state: &State) -> bool {
                $($(if let (Planned::$node(node), State::$node(state)) = (self, state) {
                    return node.is_deciding(state);
                })?)*
                false
            }

            /// Its retained counter, from what was saved of it.
            pub(crate) fn read_retained(
                &self,
                saved: &Value,
                from: &mut dyn Translate,
            ) -> Result<Retained, String> {
                match self {
                    $($(Planned::$node(_) => remember::read("", saved, from).map(Retained::$node),)?)*
                    plain!() => remember::read("", saved, from).map(|nothing: Nothing| match nothing {}),
                }
            }

            /// Returns true if it may retain a counter of that form.
            pub(crate) fn retains(&self, retained: &Retained) -> bool {
                $($(if let (Planned::$node(_), Retained::$node(_)) = (self, retained) {
                    return true;
                })?)*
                false
            }

            /// The reason why its retained counter refuses an entry now.
            pub(crate) fn refuses(&self, retained: &Retained, awake: u64) -> Option<RefusedBy> {
                $($(if let (Planned::$node(node), Retained::$node(retained)) = (self, retained) {
                    return node.refuses(retained, awake);
                })?)*
                None
            }
        }

        impl State {
            /// As it is saved: the name of its form, and the rest.
            pub(crate) fn save(&self, to: &mut dyn Translate) -> Option<(&'static str, Value)> {
                match self {
                    $($(State::$node(state) => {
                        Some((<$what as Behaviour>::State::FORM, remember::save(state, to)?))
                    })?)*
                }
            }

            /// Its node is one of changed trees now; whether it still says something.
            pub(crate) fn carry(&mut self, to: &dyn Fn(u32) -> Option<u32>) -> bool {
                match self {
                    $($(State::$node(state) => state.carry(to),)?)*
                }
            }

            /// Its node had no turn in so many polls more.
            pub(crate) fn skip_polls(&mut self, polls: u32) {
                match self {
                    $($(State::$node(state) => state.skip_polls(polls),)?)*
                }
            }

            pub(crate) fn recycle(self, spare: &mut Spare) {
                match self {
                    $($(State::$node(state) => state.recycle(spare),)?)*
                }
            }
        }

        impl Retained {
            /// Its node is one of changed trees now; whether it still says something.
            pub(crate) fn carry(&mut self, to: &dyn Fn(u32) -> Option<u32>) -> bool {
                match self {
                    $($(Retained::$node(retained) => retained.carry(to),)?)*
                }
            }

            /// As it is saved; none of what is over.
            pub(crate) fn save(&self, to: &mut dyn Translate) -> Option<Value> {
                match self {
                    $($(Retained::$node(retained) => remember::save(retained, to),)?)*
                }
            }
        }
    };
}
pub(super) use kinds;
