//! Agents that a debugger stops, and what it changes: each test is a sentence of the book's page “Debugging”.

mod properties;
