//! The table of methods and the table of events.

use super::*;

bt_live::protocol_methods! {
    /// Begins a conversation: the first request of every connection.
    reads "hello" Hello -> Welcome;
    /// Shows what is open: folders, trees, kinds and the catalogue.
    reads "project.get" GetProject -> Project;
    /// Opens a tree file.
    reads "doc.open" OpenDocument -> Document;
    /// Makes a new tree of a root alone. It is on the disk once it is saved.
    reads "doc.new" NewDocument -> Document;
    /// Edits the tree of a document.
    reads "doc.edit" EditDocument -> Changed;
    /// Replaces stretches of a document's text: undo, redo, and edits of the text itself.
    reads "doc.replace" ReplaceText -> Changed;
    /// Saves a document. It is refused if the file has changed on the disk since it was opened.
    changes "doc.save" SaveDocument -> Saved;
    /// Reads a document from the disk again.
    reads "doc.reload" ReloadDocument -> Document;
    /// Closes a document.
    reads "doc.close" CloseDocument -> Done;
    /// Copies nodes as a text.
    reads "doc.fragment" GetFragment -> Fragment;
    /// Shows what there is to know of a node.
    reads "node.info" GetNode -> NodeInfo;
    /// Shows the keys that a tree declares and uses.
    reads "tree.keys" GetKeys -> TreeKeys;
    /// Makes a copy of a tree file.
    changes "tree.copy" CopyTree -> Done;
    /// Removes a tree file. A document of it stays open, and can be saved again.
    changes "tree.remove" RemoveTree -> Done;
    /// Finds the places where something is used, in all trees.
    reads "usages" FindUsages -> Places;
    /// Gives something another name, in all trees: in open documents as a change, in other files on the disk.
    reads "rename" Rename -> Renamed;
    /// Finds a text in all trees.
    reads "find" Find -> Places;
    /// Replaces a text in all trees: in open documents as a change, in other files on the disk.
    reads "replace" Replace -> Renamed;
    /// Keeps nodes under a name, in the project's settings.
    changes "snippet.save" SaveSnippet -> Done;
    /// Removes nodes that are kept under a name.
    changes "snippet.remove" RemoveSnippet -> Done;
    /// Lists the git revisions that changed a tree.
    reads "git.revisions" ListRevisions -> Revisions;
    /// Compares two versions of a tree.
    reads "diff.tree" DiffTrees -> TreeDiff;
    /// Reads the catalogue anew, or exports the package again. The event `catalogue` says when it is there.
    reads "catalogue.refresh" RefreshCatalogue -> Done;
    /// Lists the games that run, and what the studio is attached to.
    reads "games.list" ListGames -> Games;
    /// Attaches to a running game, opens a recording or a log, or listens for the original's posts. What is attached to
    /// already is the same session.
    reads "game.attach" AttachGame -> Session;
    /// Ends a session, for all pages. Without that it ends a minute after the last page is gone.
    reads "game.detach" DetachGame -> Done;
    /// Asks a game what its port knows, or changes something in it. Recordings answer what they can.
    reads "game.call" CallGame -> CalledGame;
    /// Shows a tree as a game has it.
    reads "game.tree" GetGameTree -> GameTree;
    /// Shows rows of the table of a game's agents.
    reads "game.agents" ListAgents -> AgentTable;
    /// Keeps what an agent does from now on; of a recording, all that it did. The event `game.progress` says what has
    /// come.
    reads "game.follow" FollowAgent -> History;
    /// Forgets what an agent did, unless another page follows it.
    reads "game.unfollow" UnfollowAgent -> Done;
    /// Shows polls of an agent, by their places.
    reads "game.polls" GetPolls -> PollPage;
    /// Shows records of an agent, by their numbers.
    reads "game.rows" GetRows -> RowPage;
    /// Finds the records that a filter leaves. It looks at them in pieces; the event `game.filtered` says how far it is.
    reads "game.filter" FilterRows -> Filtered;
    /// Finds the next record with a text.
    reads "game.find" FindRow -> FoundRow;
    /// Shows what there was in an agent after a record.
    reads "game.moment" GetMoment -> Moment;
    /// Evaluates expressions over what there was in an agent after a record, each with its operands.
    reads "game.values" GetValues -> Values;
    /// Shows a history in parts, to be drawn.
    reads "game.timeline" GetTimeline -> Timeline;
    /// Finds who wrote a key or a property last, or why a node failed, was aborted or was not entered.
    reads "game.cause" FindCause -> Cause;
    /// Saves what is kept of agents as a recording.
    changes "game.record" SaveHistory -> SavedHistory;
    /// Writes a comment on a record. Those on recordings and logs are kept in a file beside them.
    reads "game.comment" CommentRow -> Comments;
    /// Plays a tree without its game: a session as of a game, in which actions wait to be ended. Its state comes with
    /// the event `play`; `game.detach` ends it.
    reads "play.start" StartPlay -> Session;
    /// Shows a play as it is now.
    reads "play.get" GetPlay -> PlayState;
    /// Lets the time of a play pass, or stand still.
    reads "play.pace" SetPlayPace -> Done;
    /// Gives a method an answer that stands.
    reads "play.answer" AnswerPlay -> Done;
    /// Ends an action that waits.
    reads "play.finish" FinishPlay -> Done;
    /// Sets a key or a property of a play.
    reads "play.set" SetInPlay -> Done;
    /// Fires an event in a play.
    reads "play.fire" FirePlay -> Done;
    /// Begins a play anew, at 0; answers stay.
    reads "play.again" RestartPlay -> Done;
    /// Writes a play as a scenario, for `bt-meta test`.
    reads "play.scenario" GetPlayScenario -> PlayScenario;
    /// Saves a play as a scenario.
    changes "play.save" SavePlay -> PlayScenario;
    /// Plays all scenarios below the folders, and says what they show of the trees.
    reads "scenarios.run" RunScenarios -> ScenarioReport;
    /// Shows the breakpoints of the project.
    reads "breakpoints.get" GetBreakpoints -> Breakpoints;
    /// Replaces the breakpoints of the project. Every game that is attached gets them, now and when it is back.
    reads "breakpoints.put" PutBreakpoints -> Breakpoints;
}

bt_live::protocol_events! {
    /// The problems of a file, after it has changed or been checked again.
    "problems" Problems;
    /// Tree files are new, have changed, or are gone.
    "trees" TreesChanged;
    /// An open file has changed on the disk.
    "disk" DiskChanged;
    /// Nodes of a document look different for what changed in other files.
    "cards" CardsChanged;
    /// The snippets have changed.
    "snippets" SnippetsChanged;
    /// There is another catalogue.
    "catalogue" CatalogueChanged;
    /// A package is still being built.
    "building" Building;
    /// Something that a person should know.
    "notice" Notice;
    /// A session is new, or stands otherwise: lost, back, with other trees, stopped agents or forced nodes.
    "game" Session;
    /// A session is no more.
    "game.detached" DetachGame;
    /// Records of an agent that this page follows have come, at most 20 times a second.
    "game.progress" History;
    /// A game said something unasked: an event of its port.
    "game.event" GameEvent;
    /// A game was given a tree that was saved. It comes again when agents that had to wait have moved.
    "game.reloaded" GameReloaded;
    /// A filter of this page has read more records, at most 20 times a second.
    "game.filtered" Filtered;
    /// A play is as it says, at most 20 times a second.
    "play" PlayState;
    /// The breakpoints of the project are others.
    "breakpoints" Breakpoints;
}
