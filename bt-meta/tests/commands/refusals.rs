//! Tests of exports that fail, wholly or in part: one clear message, the right exit code, no file changed.

use std::fs;

use crate::common::sandbox::{Sandbox, agent, bt_core, run};

#[test]
fn a_crate_without_agents_is_a_finding_that_helps() {
    let sandbox = Sandbox::new();
    sandbox.package("p", "no-agents", "", "pub fn nothing() {}");
    let help = ["`no-agents` registers nothing", "#[derive(Agent)]"];
    sandbox.export("p", &[]).says(1, &help);
    assert!(!sandbox.out().exists());
}

#[test]
fn a_crate_of_the_workspace_that_is_not_linked_is_reported() {
    let sandbox = Sandbox::new();
    sandbox
        .file(
            "Cargo.toml",
            "[workspace]\nresolver = \"3\"\nmembers = [\"p\", \"other\", \"tool\"]\n",
        )
        .lock(".")
        .manifest("p", "takes-part", &bt_core())
        .file("p/src/lib.rs", &agent("present"))
        .manifest("other", "left-out", &bt_core())
        .file(
            "other/src/lib.rs",
            &format!("{}\n/*\n#[agent]\n*/", agent("absent")),
        )
        .manifest("tool", "no-annotations", &bt_core())
        .file("tool/src/lib.rs", "");
    let run = sandbox.export(".", &["-p", "takes-part"]).done();
    assert_eq!(sandbox.agents(), ["present"]);
    assert!(
        run.err
            .contains("crate `left-out` annotates agents but is not linked"),
        "{}",
        run.err
    );
    assert!(!run.err.contains("no-annotations"), "{}", run.err);
    let manifest = std::fs::read_to_string(sandbox.path().join("other/Cargo.toml")).unwrap();
    let separate = format!("{manifest}\n[package.metadata.bt]\nseparate = true\n");
    sandbox.file("other/Cargo.toml", &separate);
    let run = sandbox.export(".", &["-p", "takes-part"]).done();
    assert!(!run.err.contains("left-out"), "{}", run.err);
    sandbox
        .export(".", &[])
        .says(2, &["which package?", "`takes-part`"]);
    sandbox
        .export(".", &["-p", "takes-prt"])
        .says(2, &["did you mean `takes-part`?"]);
}

#[test]
fn package_without_bt_core_is_refused() {
    let sandbox = Sandbox::new();
    sandbox
        .manifest("p", "without-core", "[workspace]\n")
        .file("p/src/lib.rs", "");
    sandbox
        .export("p", &[])
        .says(2, &["`without-core` does not depend on bt-core"]);
}

#[test]
fn a_package_that_does_not_compile_shows_cargos_errors_whole() {
    let sandbox = Sandbox::new();
    sandbox.package(
        "p",
        "does-not-compile",
        "",
        "pub fn broken() -> u32 { \"x\" }",
    );
    sandbox.file("out/action_types.json", "old");
    let parts = [
        "error[E0308]: mismatched types",
        "--> src/lib.rs:1:26",
        "does not build",
    ];
    sandbox.export("p", &[]).says(2, &parts);
    assert_eq!(
        fs::read(sandbox.out().join("action_types.json")).unwrap(),
        b"old"
    );
}

#[test]
fn a_package_without_a_manifest_or_with_a_broken_one_says_what_cargo_says() {
    let sandbox = Sandbox::new();
    sandbox.file("p/Cargo.toml", "[package\n");
    sandbox.export("p", &[]).says(
        2,
        &[
            "cargo cannot read the package",
            "Cargo.toml",
            "`--catalogue` takes an `agents.json`",
        ],
    );
    sandbox
        .export("p", &["--manifest-path", "nowhere/Cargo.toml"])
        .says(2, &["nowhere"]);
}

#[test]
fn without_cargo_there_is_one_clear_message() {
    let sandbox = Sandbox::new();
    sandbox.package("p", "no-cargo", "", "");
    let out = sandbox.out();
    let args = ["export".as_ref(), "--out-dir".as_ref(), out.as_os_str()];
    let run = run(sandbox
        .command("p", args)
        .env_remove("CARGO")
        .env("PATH", ""));
    run.says(2, &["there is no `cargo`", "`CARGO`"]);
}

#[test]
fn two_crates_that_register_one_agent_are_both_named() {
    let sandbox = Sandbox::new();
    sandbox
        .package("dep", "first-crate", "", &agent("doubled"))
        .package(
            "p",
            "second-crate",
            "first-crate = { path = \"../dep\" }\n",
            &agent("doubled"),
        );
    let places = [
        "doubled",
        "at first-crate src/lib.rs:",
        "at second-crate src/lib.rs:",
    ];
    sandbox.export("p", &[]).says(1, &places);
    assert!(!sandbox.out().exists());
}

#[test]
fn a_generic_agent_that_nothing_names_is_reported() {
    let sandbox = Sandbox::new();
    let generic = "mod generic {
        use bt_core::prelude::*;
        #[derive(Agent)]
        pub struct Walker<T: Send + 'static> { pub map: T }
        #[agent]
        impl<T: Send + 'static> Walker<T> { #[action] pub fn go(&self) {} }
    }";
    sandbox.package(
        "p",
        "has-generic",
        "",
        &format!("{}{generic}", agent("concrete")),
    );
    let run = sandbox.export("p", &[]).done();
    assert!(
        run.err.contains("warning: ") && run.err.contains("register_agent!"),
        "{}",
        run.err
    );
    assert_eq!(sandbox.agents(), ["concrete"]);
}
