//! The facts about a node: what it calls, its arguments, the keys that it sees.

use serde_json::Value;

use super::{types, words};

types! {
    /// The node.
    GetNode {
        /// The document's number.
        doc: u32,
        /// The node.
        node: u32,
    }
    /// A node.
    NodeInfo {
        /// The method that it calls itself.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        call: Option<CallInfo>,
        /// The methods that its attachments call, and the guards that are expressions.
        attached: Vec<CallInfo>,
        /// Its `extra`, as the file has it; null if it has none.
        extra_raw: Option<String>,
        /// The keys that it sees.
        keys: Vec<KeyInfo>,
        /// The events that its agent knows.
        events: Vec<EventInfo>,
        /// The properties of its agent.
        properties: Vec<PropertyInfo>,
        /// The keys that the tree it runs declares, and that its arguments may set.
        takes: Vec<KeyInfo>,
    }
    /// The document whose keys are wanted.
    GetKeys {
        /// The document's number.
        doc: u32,
    }
    /// The keys of a tree.
    TreeKeys {
        /// Sorted by name; a name that several nodes declare comes once for each.
        keys: Vec<KeyInfo>,
    }
    /// A call of a method.
    CallInfo {
        /// `action`, `condition`, `decorator`, `guard`, `effect`, `service` or `reset_if`.
        caller: String,
        /// The JSON pointer of the object with the name and the arguments, inside of the node.
        at: String,
        /// The key of the name in that object.
        name_key: String,
        /// The key of the list of arguments in that object.
        args_key: String,
        /// The agent that has the method.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        agent: Option<String>,
        /// The method's name, as the file has it.
        name: String,
        /// The expression that is evaluated in place of a method.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        expression: Option<String>,
        /// Its name now, if the file has an old one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        renamed: Option<String>,
        /// True if the agent has such a method.
        known: bool,
        /// The place of its definition, as `file:line`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        origin: Option<String>,
        /// Its behaviour, on one line.
        brief: String,
        /// Its result.
        returns: String,
        /// The replacement, if it should not be used any more.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        deprecated: Option<String>,
        /// Its arguments, in the order of the method; then those that the file gives beside.
        arguments: Vec<ArgumentInfo>,
    }
    /// An argument.
    ArgumentInfo {
        /// Its name; empty of one that the method does not have.
        name: String,
        /// Its purpose.
        comment: String,
        /// Its type, for people.
        type_shown: String,
        /// Its JSON Schema; refers to the catalogue's `$defs`.
        schema: Value,
        /// The unit of measure.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        unit: Option<String>,
        /// The smallest value.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        min: Option<Value>,
        /// The largest value.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        max: Option<Value>,
        /// By how much an editor changes it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        step: Option<Value>,
        /// The only values.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        choices: Option<Vec<Value>>,
        /// True if it may be left out.
        optional: bool,
        /// Its value where it is omitted.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        default: Option<Value>,
        /// True if the call writes it: then it needs a key.
        writes: bool,
        /// True if it should not be given any more.
        deprecated: bool,
        /// The source of its value; none if it is not given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        mode: Option<ArgumentMode>,
        /// Its place in the file's list; none if it is not given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        at: Option<u32>,
        /// The item of the file's list, as it is written.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        raw: Option<String>,
        /// The value, as it is written, of a literal.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        value: Option<String>,
        /// The key that it is read from or written to.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        key: Option<String>,
        /// The property that it is read from.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        property: Option<String>,
        /// The expression that it is computed by.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        expression: Option<String>,
    }
    /// A key of the blackboard.
    KeyInfo {
        /// Its name.
        name: String,
        /// Its declared type; empty if none is declared.
        type_shown: String,
        /// `node`, `tree`, `agent` or `shared`; `undeclared` if nobody declares it.
        scope: String,
        /// The node that declares it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        declared_by: Option<u32>,
        /// The initial value, as JSON; none if none is declared.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        initial: Option<String>,
        /// The nodes of this tree that write it.
        written_by: Vec<u32>,
        /// The nodes of this tree that read it.
        read_by: Vec<u32>,
    }
    /// An event.
    EventInfo {
        /// Its name.
        name: String,
        /// The occasion on which it happens.
        brief: String,
        /// Its parameters.
        parameters: Vec<ParameterInfo>,
    }
    /// A parameter of an event.
    ParameterInfo {
        /// Its name.
        name: String,
        /// Its type, for people.
        type_shown: String,
        /// Its purpose.
        comment: String,
    }
    /// A property of an agent.
    PropertyInfo {
        /// Its name.
        name: String,
        /// Its type, for people.
        type_shown: String,
        /// Its purpose.
        brief: String,
        /// True if it can only be read.
        read_only: bool,
    }
}

words! {
    /// The source of an argument's value.
    ArgumentMode {
        /// It stands in the file.
        Literal,
        /// A key of the blackboard.
        Key,
        /// A property of the agent.
        Property,
        /// The value of an expression.
        Expression,
    }
}
