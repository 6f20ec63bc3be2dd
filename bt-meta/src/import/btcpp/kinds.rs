//! The engine's own nodes.

/// A node that the engine has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BuiltIn {
    Sequence,
    /// It gives the control back between its children.
    AsyncSequence,
    SequenceWithMemory,
    ReactiveSequence,
    Fallback,
    AsyncFallback,
    ReactiveFallback,
    Parallel,
    ParallelAll,
    IfThenElse,
    WhileDoElse,
    TryCatch,
    /// So many cases.
    Switch(usize),
    ManualSelector,
    Inverter,
    ForceSuccess,
    ForceFailure,
    Repeat,
    Retry,
    KeepRunningUntilFailure,
    Timeout,
    Delay,
    RunOnce,
    Precondition,
    BlackboardCheck,
    Loop,
    AlwaysSuccess,
    AlwaysFailure,
    Script,
    ScriptCondition,
    SetBlackboard,
    UnsetBlackboard,
    Sleep,
    SubTree,
    SubTreePlus,
    /// It asks how often an entry was written.
    Updated,
    /// It takes elements out of a queue that is shared.
    Queue,
}

impl BuiltIn {
    /// The one of a name, of version 3 or 4.
    pub(super) fn named(name: &str) -> Option<BuiltIn> {
        Some(match name {
            "Sequence" => BuiltIn::Sequence,
            "AsyncSequence" => BuiltIn::AsyncSequence,
            "SequenceWithMemory" | "SequenceStar" => BuiltIn::SequenceWithMemory,
            "ReactiveSequence" => BuiltIn::ReactiveSequence,
            "Fallback" => BuiltIn::Fallback,
            "AsyncFallback" => BuiltIn::AsyncFallback,
            "ReactiveFallback" => BuiltIn::ReactiveFallback,
            "Parallel" => BuiltIn::Parallel,
            "ParallelAll" => BuiltIn::ParallelAll,
            "IfThenElse" => BuiltIn::IfThenElse,
            "WhileDoElse" => BuiltIn::WhileDoElse,
            "TryCatch" => BuiltIn::TryCatch,
            "Switch2" => BuiltIn::Switch(2),
            "Switch3" => BuiltIn::Switch(3),
            "Switch4" => BuiltIn::Switch(4),
            "Switch5" => BuiltIn::Switch(5),
            "Switch6" => BuiltIn::Switch(6),
            "ManualSelector" => BuiltIn::ManualSelector,
            "Inverter" => BuiltIn::Inverter,
            "ForceSuccess" => BuiltIn::ForceSuccess,
            "ForceFailure" => BuiltIn::ForceFailure,
            "Repeat" => BuiltIn::Repeat,
            "RetryUntilSuccessful" | "RetryUntilSuccesful" => BuiltIn::Retry,
            "KeepRunningUntilFailure" => BuiltIn::KeepRunningUntilFailure,
            "Timeout" => BuiltIn::Timeout,
            "Delay" => BuiltIn::Delay,
            "RunOnce" => BuiltIn::RunOnce,
            "Precondition" => BuiltIn::Precondition,
            "BlackboardCheckInt"
            | "BlackboardCheckDouble"
            | "BlackboardCheckString"
            | "BlackboardCheckBool" => BuiltIn::BlackboardCheck,
            "LoopInt" | "LoopBool" | "LoopDouble" | "LoopString" => BuiltIn::Loop,
            "AlwaysSuccess" => BuiltIn::AlwaysSuccess,
            "AlwaysFailure" => BuiltIn::AlwaysFailure,
            "Script" => BuiltIn::Script,
            "ScriptCondition" => BuiltIn::ScriptCondition,
            "SetBlackboard" => BuiltIn::SetBlackboard,
            "UnsetBlackboard" => BuiltIn::UnsetBlackboard,
            "Sleep" => BuiltIn::Sleep,
            "SubTree" => BuiltIn::SubTree,
            "SubTreePlus" => BuiltIn::SubTreePlus,
            "EntryUpdated" | "SkipUnlessUpdated" | "WaitValueUpdate" | "WasEntryUpdated" => {
                BuiltIn::Updated
            }
            "ConsumeQueue" => BuiltIn::Queue,
            name if name.starts_with("PopFromQueue") || name.starts_with("PopBool") => {
                BuiltIn::Queue
            }
            _ => return None,
        })
    }
}

/// Returns true for the names of the engine's own nodes.
pub(crate) fn is_built_in(name: &str) -> bool {
    BuiltIn::named(name).is_some()
}
