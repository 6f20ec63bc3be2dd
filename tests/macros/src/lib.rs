//! `tests` compiles the crates in `ui` and the fixtures: right and wrong uses of the attribute macros.
