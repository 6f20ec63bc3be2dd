//! `bt-meta live`: a running game, or a recording, from the terminal.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use crate::error::Error;
use crate::live;

#[derive(Debug, Args)]
pub(super) struct Live {
    #[command(subcommand)]
    command: Command,
    /// The token file of the game's port; that of the only game that runs otherwise
    #[arg(long, alias = "token-file", value_name = "FILE", global = true)]
    attach: Option<PathBuf>,
    /// A recording, in place of a game
    #[arg(long, value_name = "FILE", global = true, conflicts_with = "attach")]
    open: Option<PathBuf>,
    /// Format of the output
    #[arg(long, value_name = "FORMAT", global = true, default_value = "text")]
    format: Format,
}

/// For whom it is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Text,
    /// For programs: a JSON value on each line
    Json,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// List agents
    List {
        /// Only those whose name, type or tree contains this
        filter: Option<String>,
        /// Say how each stands: first those that failed in the last poll, then those that wait longest
        #[arg(long, conflicts_with = "open")]
        waits: bool,
    },
    /// Show what there is in an agent: trees, active nodes, blackboard, properties
    Show(Look),
    /// Explain why an agent waits
    Explain(Look),
    /// Evaluate an expression over an agent's keys and properties, such as '$threat > 2 && @hp < 10'
    Eval {
        #[command(flatten)]
        look: Look,
        /// The expression: it calls nothing of the game
        expression: String,
    },
    /// Print what an agent does, as it happens
    Watch {
        /// The agent
        agent: String,
        /// For how long, in seconds; until it is interrupted otherwise
        #[arg(long, value_name = "SECONDS", value_parser = crate::explain::seconds)]
        seconds: Option<std::time::Duration>,
    },
    /// Write keys of an agent's blackboard, or properties
    Set {
        /// The agent
        agent: String,
        /// Values to write, as JSON; everything else is a text
        #[arg(value_name = "NAME=VALUE", required = true)]
        values: Vec<String>,
        /// They are properties
        #[arg(long)]
        property: bool,
    },
    /// Fire an event at an agent
    Fire {
        /// The agent
        agent: String,
        /// The event
        event: String,
        /// Its parameters: values are JSON, and texts where they are none
        #[arg(value_name = "NAME=VALUE")]
        params: Vec<String>,
    },
    /// Call an action of an agent, outside of its trees
    Call {
        /// The agent
        agent: String,
        /// The action
        action: String,
        /// Its arguments, in their order: JSON, and texts where they are none
        args: Vec<String>,
    },
    /// Finish a leaf that waits
    Finish {
        /// The agent
        agent: String,
        /// The leaf
        #[arg(value_name = "TREE:IDX")]
        node: String,
        /// With failure
        #[arg(long)]
        fail: bool,
    },
    /// Start, stop, reset, pause or resume an agent
    Control {
        /// The agent
        agent: String,
        /// Request to the agent
        what: live::Control,
    },
    /// Let an agent run another tree
    Load {
        /// The agent
        agent: String,
        /// The tree
        tree: String,
    },
    /// Replace trees by files, if nothing is wrong with them
    Reload {
        /// The files; each is called by its name without its folder
        #[arg(value_name = "FILE", required = true)]
        files: Vec<PathBuf>,
        /// Only find what is wrong with them
        #[arg(long)]
        check: bool,
    },
    /// Set how fast the game's time passes
    Speed {
        /// 1 is normal, 0 stops it
        speed: f64,
    },
    /// Stop agents at breakpoints, and print each stop
    ///
    /// Standard input says how they continue, a line for each: `continue`, `record`, `into`, `over`, `out`, `poll`, or
    /// `to TREE:IDX`, of the agent that stopped last. When it ends, so do the breakpoints.
    Break(Break),
    /// Let a stopped agent continue
    Step {
        /// The agent
        agent: String,
        /// `continue`, `record`, `into`, `over`, `out`, `poll`, or `TREE:IDX`: until that node is entered
        #[arg(default_value = "over")]
        step: String,
    },
    /// Force the result of a node until further notice
    Force {
        /// The agent
        agent: String,
        /// The node
        #[arg(value_name = "TREE:IDX")]
        node: String,
        /// To what; as before if it is not said
        to: Option<live::Forced>,
    },
    /// Count how often nodes run, how they end and how long they take
    Profile {
        /// The agents; all that there are otherwise
        agents: Vec<String>,
        /// For how long, in seconds
        #[arg(long, value_name = "SECONDS", value_parser = crate::explain::seconds, default_value = "10")]
        seconds: std::time::Duration,
    },
    /// Send what an agent does to the debugger of mosaic_game, which takes it by HTTP
    Send {
        /// The agent
        agent: String,
        /// Address of the debugger: `/post/ai_debug/` is added
        #[arg(long, value_name = "URL")]
        to: String,
        /// For how long, in seconds; until it is interrupted otherwise
        #[arg(long, value_name = "SECONDS", value_parser = crate::explain::seconds)]
        seconds: Option<std::time::Duration>,
    },
    /// Record agents into a file
    Record {
        /// The agents
        #[arg(required = true)]
        agents: Vec<String>,
        /// The file that is written here
        #[arg(long, short, value_name = "FILE")]
        out: PathBuf,
        /// For how long, in seconds
        #[arg(long, value_name = "SECONDS", value_parser = crate::explain::seconds, default_value = "10")]
        seconds: std::time::Duration,
    },
}

#[derive(Debug, Args)]
struct Break {
    /// The node
    #[arg(value_name = "TREE:IDX", required_unless_present_any = ["key", "property", "event", "call", "expression"])]
    node: Option<String>,
    /// On what of the node
    #[arg(long, default_value = "enter")]
    on: live::On,
    /// Stop when that key is written
    #[arg(long, group = "named")]
    key: Option<String>,
    /// Stop when that property changes
    #[arg(long, group = "named")]
    property: Option<String>,
    /// Stop when that event is fired, taken, kept or dropped
    #[arg(long, group = "named")]
    event: Option<String>,
    /// After a call of that method
    #[arg(long, group = "named")]
    call: Option<String>,
    /// Stop when that expression over keys and properties turns true, such as `$health < 10`
    #[arg(long, group = "named", value_name = "TEXT")]
    expression: Option<String>,
    /// Of this agent only
    #[arg(long)]
    agent: Option<String>,
    /// Only if a key compares so, as in `health < 10`
    #[arg(long = "if", value_name = "CONDITION")]
    condition: Option<String>,
    /// Only at some hits: `>= 3`, or `% 10` for every tenth
    #[arg(long)]
    hits: Option<String>,
}

/// An agent, now or at a moment of a recording.
#[derive(Debug, Args)]
struct Look {
    /// The agent
    agent: String,
    /// Time in a recording, in seconds; its end otherwise
    #[arg(long, value_name = "SECONDS", value_parser = crate::explain::seconds)]
    at: Option<std::time::Duration>,
}

/// Attaches, and does it.
pub(super) fn run(asked: &Live) -> Result<(), Error> {
    let json = asked.format == Format::Json;
    if let Command::Show(look) | Command::Explain(look) | Command::Eval { look, .. } =
        &asked.command
        && look.at.is_some()
        && asked.open.is_none()
    {
        return Err(Error::failure(
            "`--at` looks back in a recording: name one with `--open`",
        ));
    }
    let mut game = live::Game::attach(asked.attach.as_deref(), asked.open.as_deref(), json)?;
    match &asked.command {
        Command::List { filter, waits } => match waits {
            true => game.waits(filter.as_deref()),
            false => game.list(filter.as_deref()),
        },
        Command::Show(look) => game.show(&look.agent, look.at),
        Command::Explain(look) => game.explain(&look.agent, look.at),
        Command::Eval { look, expression } => game.evaluate(&look.agent, expression, look.at),
        Command::Watch { agent, seconds } => game.watch(agent, *seconds),
        Command::Set {
            agent,
            values,
            property,
        } => game.set(agent, values, *property),
        Command::Fire {
            agent,
            event,
            params,
        } => game.fire(agent, event, params),
        Command::Call {
            agent,
            action,
            args,
        } => game.call_action(agent, action, args),
        Command::Finish { agent, node, fail } => game.finish(agent, node, !fail),
        Command::Control { agent, what } => game.control(agent, *what),
        Command::Load { agent, tree } => game.load(agent, tree),
        Command::Reload { files, check } => game.reload(files, *check),
        Command::Speed { speed } => game.speed(*speed),
        Command::Break(asked) => {
            let named = [
                (live::Of::Key, &asked.key),
                (live::Of::Property, &asked.property),
                (live::Of::Event, &asked.event),
                (live::Of::Call, &asked.call),
            ];
            let named = named.into_iter();
            let named = named.filter_map(|(of, name)| Some((of, name.as_deref()?)));
            game.break_at(&live::Wanted {
                node: asked.node.as_deref(),
                on: asked.on,
                named: named.collect(),
                expression: asked.expression.as_deref(),
                agent: asked.agent.as_deref(),
                condition: asked.condition.as_deref(),
                hits: asked.hits.as_deref(),
            })
        }
        Command::Step { agent, step } => game.step(agent, step),
        Command::Force { agent, node, to } => game.force(agent, node, *to),
        Command::Profile { agents, seconds } => game.profile(agents, *seconds),
        Command::Send { agent, to, seconds } => game.send(agent, to, *seconds),
        Command::Record {
            agents,
            out,
            seconds,
        } => game.record(agents, out, *seconds),
    }
}
