//! The commands, and what they export, check, compare and draw. This program has no agents of its own.

#[path = "../common/mod.rs"]
mod common;
#[cfg(unix)]
#[path = "../common/hostile_repository.rs"]
mod hostile_repository;

mod allowed;
mod behaviac;
mod browser;
mod btcpp;
mod changes;
mod check;
mod command_line;
mod completions;
mod contradictions;
mod dap;
mod defects;
mod diff;
mod diff_page;
mod draw;
#[cfg(unix)]
mod files;
mod fix;
mod formats;
mod game;
#[cfg(unix)]
mod hostile_git;
mod import;
mod layout;
mod live;
mod manual;
mod mcp;
mod merge_view;
mod monster;
mod monster_formats;
mod new;
mod original;
mod own;
mod packages;
mod play;
mod queries;
mod refusals;
mod scenarios;
mod scripts;
mod tree_schema;
mod tree_schema_defects;
mod validate;
mod view_trees;
