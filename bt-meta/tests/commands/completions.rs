//! Tests of the completions for shells.

use std::process::Command;

use crate::common::sandbox::{Sandbox, run};

#[test]
fn every_shell_gets_a_script_that_knows_commands_and_options() {
    let sandbox = Sandbox::new();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = run(&mut sandbox.command(".", ["completions", shell]))
            .done()
            .out;
        for word in [
            "bt-meta",
            "export",
            "explain-run",
            "draw",
            "follow",
            "catalogue",
        ] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
    run(&mut sandbox.command(".", ["completions", "tcsh"])).says(2, &["tcsh", "bash", "zsh"]);
}

/// A shell takes it, and offers what can follow.
#[cfg(unix)]
#[test]
fn bash_offers_what_can_follow() {
    let sandbox = Sandbox::new();
    let script = run(&mut sandbox.command(".", ["completions", "bash"]))
        .done()
        .out;
    sandbox.file("completions.bash", &script);
    let ask = r#"
        source completions.bash
        COMP_WORDS=(bt-meta draw tree.json --format "") COMP_CWORD=4
        $(complete -p bt-meta | sed 's/.*-F \([^ ]*\).*/\1/') bt-meta "" --format
        echo "${COMPREPLY[@]}"
    "#;
    let mut bash = Command::new("bash");
    bash.args(["--norc", "-c", ask]).current_dir(sandbox.path());
    assert_eq!(run(&mut bash).done().out, "text svg dot mermaid\n");
}
