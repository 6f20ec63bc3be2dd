//! Tests of traces in their forms: the debugger's file, JSON lines, behaviac's log, words; and the ring.

mod behaviac;
mod calls;
mod debug_log;
mod debug_rows;
mod failing;
mod feed;
mod golden;
mod grown;
mod lines;
mod properties;
mod ring;
mod steady;
mod tracers;
mod words;
