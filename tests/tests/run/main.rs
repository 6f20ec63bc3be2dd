//! What each node means: every test pins the rule that its name says.

mod harness;
