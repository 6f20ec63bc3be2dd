//! Packages of every shape, exported without a line changed in them.

use std::ffi::OsStr;
use std::fs;
#[cfg(unix)]
use std::path::Path;
use std::process::Command;

use crate::common::json;
use crate::common::rules::{FILES, check_export};
use crate::common::sandbox::{Sandbox, agent, bt_core, bt_core_path, run, target_dir};

/// A dependency on bt-core as the monster example has it: what both need of a release build, which has fat LTO, is
/// built once.
fn released() -> String {
    format!(
        "bt-core = {{ path = {:?} }}\n\n[workspace]\n",
        bt_core_path()
    )
}

/// Exports, and expects these agents and files that obey the rules.
fn exports(sandbox: &Sandbox, folder: &str, args: &[&str], agents: &[&str]) {
    sandbox.export(folder, args).done();
    assert_eq!(sandbox.agents(), agents);
    check_export(&sandbox.out());
}

#[test]
fn a_library_is_exported_twice_the_same() {
    let sandbox = Sandbox::new();
    sandbox.package("p", "plain-lib", "", &agent("walker"));
    let first = sandbox.export("p", &["--package", "plain-lib"]).done();
    assert_eq!(
        first.out.matches("wrote ").count(),
        FILES.len(),
        "{}",
        first.out
    );
    let before = FILES.map(|file| fs::read(sandbox.out().join(file)).unwrap());
    let second = sandbox.export("p", &["--locked"]).done();
    assert_eq!(
        second.out.matches("unchanged ").count(),
        FILES.len(),
        "{}",
        second.out
    );
    let after = FILES.map(|file| fs::read(sandbox.out().join(file)).unwrap());
    assert_eq!(before, after);
    assert_eq!(sandbox.agents(), ["walker"]);
    check_export(&sandbox.out());
    let quiet = sandbox.export("p", &["--quiet"]).done();
    assert_eq!((quiet.out.as_str(), quiet.err.as_str()), ("", ""));
}

#[test]
fn a_package_that_is_only_a_binary_is_exported_and_stays_a_binary() {
    let sandbox = Sandbox::new();
    sandbox.manifest("p", "only-bin", &released()).file(
        "p/src/main.rs",
        &format!(
            "#![deny(warnings)]\n{}\nfn main() {{}}\n",
            agent("binary_agent")
        ),
    );
    exports(&sandbox, "p", &[], &["binary_agent"]);
    exports(&sandbox, "p", &[], &["binary_agent"]);
    exports(&sandbox, "p", &["--release"], &["binary_agent"]);
}

#[test]
fn one_of_several_binaries_is_named() {
    let sandbox = Sandbox::new();
    let main = |name| format!("{}\nfn main() {{}}\n", agent(name));
    sandbox
        .manifest("p", "two-bins", &format!("{}\n[workspace]\n", bt_core()))
        .file("p/src/bin/first-one.rs", &main("first"))
        .file("p/src/bin/second-one.rs", &main("second"));
    sandbox
        .export("p", &[])
        .says(2, &["`first-one` and `second-one`", "--bin"]);
    sandbox
        .export("p", &["--bin", "secnd-one"])
        .says(2, &["did you mean `second-one`?"]);
    exports(&sandbox, "p", &["--bin", "second-one"], &["second"]);
}

#[test]
fn a_binary_beside_a_library_is_not_lost_in_silence() {
    let sandbox = Sandbox::new();
    sandbox
        .package("p", "lib-and-bin", "", &agent("in_lib"))
        .file(
            "p/src/main.rs",
            &format!(
                "use lib_and_bin as _;\n{}#[agent]\nimpl X {{}}\nfn main() {{}}\n",
                agent("in_bin")
            )
            .replace("#[agent]\nimpl X {}\n", ""),
        );
    exports(
        &sandbox,
        "p",
        &["--bin", "lib-and-bin"],
        &["in_bin", "in_lib"],
    );
    let run = sandbox.export("p", &[]).done();
    assert_eq!(sandbox.agents(), ["in_lib"]);
    assert!(run.err.contains("--bin lib-and-bin"), "{}", run.err);
}

#[test]
fn a_package_that_is_only_a_c_library_is_exported() {
    let sandbox = Sandbox::new();
    let lib = "[lib]\ncrate-type = [\"cdylib\"]\n";
    sandbox.package("p", "only-cdylib", lib, &agent("in_c"));
    exports(&sandbox, "p", &[], &["in_c"]);
}

#[test]
fn a_dynamic_library_among_the_dependencies_is_found_at_run_time() {
    let sandbox = Sandbox::new();
    let dynamic = "[lib]\ncrate-type = [\"dylib\"]\n[workspace]\n";
    sandbox
        .manifest("d", "dynamic-dep", dynamic)
        .file("d/src/lib.rs", "pub fn answer() -> u32 { 42 }")
        .package(
            "p",
            "has-dynamic",
            "dynamic-dep = { path = \"../d\" }",
            &format!(
                "pub fn answer() -> u32 {{ dynamic_dep::answer() }}\n{}",
                agent("dynamic")
            ),
        );
    exports(&sandbox, "p", &[], &["dynamic"]);
}

#[test]
fn a_dependency_that_is_renamed_is_still_bt_core() {
    let sandbox = Sandbox::new();
    let renamed = format!(
        "trees = {{ path = {:?}, package = \"bt-core\" }}\n[workspace]\n",
        bt_core_path()
    );
    let source = agent("renamed").replace("bt_core", "trees");
    sandbox
        .manifest("p", "renames", &renamed)
        .file("p/src/lib.rs", &source);
    exports(&sandbox, "p", &[], &["renamed"]);
}

#[test]
fn features_decide_what_is_there() {
    let sandbox = Sandbox::new();
    let features = "[features]\ndefault = [\"day\"]\nday = []\nnight = []\n";
    let module = |feature: &str| {
        format!(
            "#[cfg(feature = \"{feature}\")]\nmod {feature} {{ {} }}\n",
            agent(feature)
        )
    };
    let lib = ["day", "night"].map(module).concat();
    sandbox.package("p", "has-features", features, &lib);
    exports(&sandbox, "p", &[], &["day"]);
    exports(&sandbox, "p", &["--features", "night"], &["day", "night"]);
    exports(
        &sandbox,
        "p",
        &["--no-default-features", "-F", "night"],
        &["night"],
    );
    exports(&sandbox, "p", &["--all-features"], &["day", "night"]);
    sandbox
        .export("p", &["--no-default-features"])
        .says(1, &["`has-features` registers nothing", "--features"]);
}

#[test]
fn spaces_and_other_alphabets_in_paths_are_fine() {
    let sandbox = Sandbox::named("bt meta ü 樹 ");
    sandbox
        .package("a b/ö", "odd-path", "", &agent("odd"))
        .file("a b/ö/build.rs", "fn main() {}");
    exports(&sandbox, "a b/ö", &[], &["odd"]);
    let manifest = sandbox.path().join("a b/ö/Cargo.toml");
    let (out, target) = (sandbox.out(), target_dir());
    let args: [&OsStr; 7] = [
        "export".as_ref(),
        "--out-dir".as_ref(),
        out.as_ref(),
        "--target-dir".as_ref(),
        target.as_ref(),
        "--manifest-path".as_ref(),
        manifest.as_ref(),
    ];
    let run = run(sandbox.command(".", args).env_remove("CARGO_TARGET_DIR")).done();
    assert!(run.out.contains("unchanged "), "{}", run.out);
    assert!(
        !manifest.with_file_name("target").exists(),
        "the directory that was named is used"
    );
}

#[test]
fn a_patch_in_the_workspace_counts() {
    let sandbox = Sandbox::new();
    let workspace = format!(
        "[workspace]\nresolver = \"3\"\nmembers = [\"p\"]\n\n[patch.crates-io]\nbt-core = {{ path = {:?} }}\n",
        bt_core_path()
    );
    sandbox
        .file("Cargo.toml", &workspace)
        .lock(".")
        .manifest("p", "is-patched", "bt-core = \"0.1\"\n")
        .file("p/src/lib.rs", &agent("patched"));
    exports(&sandbox, "p", &[], &["patched"]);
    exports(&sandbox, ".", &["--package", "is-patched"], &["patched"]);
}

#[test]
fn a_build_scripts_native_library_is_linked() {
    let sandbox = Sandbox::new();
    let build = r#"
        use std::{env, path::PathBuf, process::Command};
        fn main() {
            let out = PathBuf::from(env::var("OUT_DIR").unwrap());
            let object = out.join("answer.o");
            let cc = |args: &[&std::ffi::OsStr], tool: &str| {
                assert!(Command::new(tool).args(args).status().unwrap().success())
            };
            let library = out.join("libnative_answer.a");
            cc(&["-c".as_ref(), "answer.c".as_ref(), "-o".as_ref(), object.as_os_str()], "cc");
            cc(&["crs".as_ref(), library.as_os_str(), object.as_os_str()], "ar");
            println!("cargo::rustc-link-search=native={}", out.display());
            println!("cargo::rustc-link-lib=static:-bundle=native_answer");
        }"#;
    let source = "unsafe extern \"C\" { fn native_answer() -> i32; }\n\
                  pub fn answer() -> i32 { unsafe { native_answer() } }\n";
    let with_links = "[package]\nname = \"native-sys\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\
                      links = \"native_answer\"\n[workspace]\n";
    sandbox
        .file("sys/Cargo.toml", with_links)
        .file("sys/build.rs", build)
        .file("sys/answer.c", "int native_answer(void) { return 42; }")
        .file("sys/src/lib.rs", source)
        .package(
            "p",
            "has-native",
            "native-sys = { path = \"../sys\" }",
            &format!(
                "#[used] static ANSWER: fn() -> i32 = native_sys::answer;\n{}",
                agent("native")
            ),
        );
    exports(&sandbox, "p", &[], &["native"]);
}

/// A linker that cannot be mistaken for the usual one: it says that it was here. It is always in the
/// same place and has a target directory of its own, for cargo builds again for another linker; so it does for
/// a profile of one's own, which aborts on panic.
#[cfg(target_os = "linux")]
#[test]
fn export_uses_profile_flags_linker_and_target_of_the_cargo_configuration() {
    let sandbox = Sandbox::new();
    let gated = format!(
        "#[cfg(all(only_with_flag, panic = \"abort\"))]\n{}",
        agent("gated")
    );
    let profile = "[profile.dist-it]\ninherits = \"dev\"\npanic = \"abort\"\n";
    sandbox.package("p", "has-flags", profile, &gated);
    let version = run(Command::new("rustc").arg("-vV")).out;
    let host = version
        .lines()
        .find_map(|line| line.strip_prefix("host: "))
        .unwrap();
    let folder = target_dir().with_file_name("linker");
    let (linker, log) = (folder.join("cc"), folder.join("cc.log"));
    fs::create_dir_all(&folder).unwrap();
    executable(
        &linker,
        "#!/bin/sh\necho here >> \"$0.log\"\nexec cc \"$@\"\n",
    );
    let config = format!(
        "[build]\ntarget = {host:?}\nrustflags = [\"--cfg\", \"only_with_flag\"]\n\
         [target.'cfg(unix)']\nlinker = {linker:?}\n"
    );
    sandbox.file("p/.cargo/config.toml", &config);
    let folder = folder.to_str().unwrap();
    let args = ["--target-dir", folder, "--profile", "dist-it"];
    exports(&sandbox, "p", &args, &["gated"]);
    fs::write(&log, "").unwrap();
    exports(&sandbox, "p", &args, &["gated"]);
    assert_eq!(
        fs::read_to_string(&log).unwrap(),
        "here\n",
        "nothing was left to build but ours"
    );
}

#[cfg(unix)]
fn executable(path: &Path, text: &str) {
    let new = fs::read_to_string(path).is_ok_and(|old| old == text);
    if !new {
        fs::write(path, text).unwrap();
        fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    }
}

#[cfg(unix)]
#[test]
fn wrappers_around_rustc_stay_in_place() {
    let sandbox = Sandbox::new();
    sandbox
        .manifest("p", "is-wrapped", &format!("{}\n[workspace]\n", bt_core()))
        .file(
            "p/src/main.rs",
            &format!("{}\nfn main() {{}}\n", agent("wrapped")),
        );
    let wrapper = sandbox.path().join("wrapper");
    executable(
        &wrapper,
        "#!/bin/sh\necho \"$@\" >> \"$0.log\"\nexec \"$@\"\n",
    );
    let out = sandbox.out();
    let args = ["export".as_ref(), "--out-dir".as_ref(), out.as_os_str()];
    run(sandbox
        .command("p", args)
        .env("RUSTC_WORKSPACE_WRAPPER", &wrapper))
    .done();
    let log = fs::read_to_string(sandbox.path().join("wrapper.log")).unwrap();
    assert!(log.contains("--crate-name is_wrapped"), "{log}");
    assert_eq!(sandbox.agents(), ["wrapped"]);
}

#[test]
fn a_dependency_that_no_line_mentions_is_exported() {
    let sandbox = Sandbox::new();
    sandbox
        .package("deep", "deep-dep", "", &agent("deep"))
        .package(
            "direct",
            "direct-dep",
            "deep-dep = { path = \"../deep\" }\n",
            &agent("direct"),
        )
        .package("quiet", "quiet-dep", "", "")
        .package(
            "p",
            "mentions-nothing",
            "direct-dep = { path = \"../direct\" }\nquiet-dep = { path = \"../quiet\" }\n",
            &agent("own"),
        );
    let run = sandbox.export("p", &[]).done();
    assert_eq!(sandbox.agents(), ["deep", "direct", "own"]);
    assert!(run.err.contains("note: crate `quiet-dep`"), "{}", run.err);
    assert!(!run.err.contains("direct-dep"), "{}", run.err);
}

#[test]
fn a_bt_core_that_is_built_twice_is_the_one_that_the_package_uses() {
    let sandbox = Sandbox::new();
    let build = format!(
        "dep-of-both = {{ path = \"../both\" }}\n\n[build-dependencies]\nbt-core = {{ path = {:?}, features = \
         [\"debug\"] }}\ndep-of-both = {{ path = \"../both\", features = [\"more\"] }}\n",
        bt_core_path()
    );
    sandbox
        .package(
            "both",
            "dep-of-both",
            "\n[features]\nmore = []\n",
            &agent("both"),
        )
        .package("p", "built-twice", &build, &agent("twice"))
        .file(
            "p/build.rs",
            "use {bt_core as _, dep_of_both as _};\nfn main() {}",
        );
    exports(&sandbox, "p", &[], &["both", "twice"]);
}

#[test]
fn export_leaves_out_agents_of_proc_macro_dependencies() {
    let sandbox = Sandbox::new();
    sandbox
        .package("helper", "macro-helper", "", &agent("helper"))
        .package(
            "macros",
            "game-macros",
            "macro-helper = { path = \"../helper\" }\n\n[lib]\nproc-macro = true\n",
            "",
        )
        .package(
            "p",
            "uses-macros",
            "game-macros = { path = \"../macros\" }\n",
            &agent("plain"),
        );
    exports(&sandbox, "p", &[], &["plain"]);
}

#[test]
fn an_agent_with_an_empty_block_is_exported() {
    let sandbox = Sandbox::new();
    let lib = "use bt_core::prelude::*;\n#[derive(Agent)]\npub struct Statue;\n#[agent]\nimpl Statue {}\n";
    sandbox.package("p", "empty-block", "", lib);
    exports(&sandbox, "p", &[], &["statue"]);
}

#[test]
fn binary_with_export_if_asked_is_exported() {
    let sandbox = Sandbox::new();
    let main = "fn main() {\n    bt_core::export_if_asked();\n    println!(\"the game\");\n}\n";
    sandbox
        .manifest(
            "p",
            "exports-itself",
            &format!("{}\n[workspace]\n", bt_core()),
        )
        .file("p/src/main.rs", &format!("{}\n{main}", agent("itself")));
    let mut cargo = Command::new("cargo");
    cargo
        .args(["build", "--offline", "--quiet"])
        .current_dir(sandbox.path().join("p"));
    cargo
        .env("CARGO_TARGET_DIR", target_dir())
        .env("CARGO_PROFILE_DEV_DEBUG", "0")
        .env("CARGO_INCREMENTAL", "0");
    run(&mut cargo).done();
    let program = target_dir().join("debug").join("exports-itself");
    let program = program.with_extension(std::env::consts::EXE_EXTENSION);
    sandbox
        .export("p", &["--executable", program.to_str().unwrap()])
        .done();
    assert_eq!(sandbox.agents(), ["itself"]);
    check_export(&sandbox.out());
}

/// 300 actions in three blocks, with three arguments each: nothing is lost or mixed up on the way.
#[test]
fn an_export_of_hundreds_of_actions_is_complete() {
    const TYPES: [(&str, &str); 5] = [
        ("u64", "uint64"),
        ("f64", "double"),
        ("&str", "string"),
        ("bool", "bool"),
        ("Option<i32>", "optional<int32>"),
    ];
    let types = |n: usize| [n, n / 5, n / 25].map(|at| TYPES[at % 5]);
    let mut lib = "use bt_core::prelude::*;\n#[derive(Agent)]\npub struct Crowd;\n".to_owned();
    for block in 0..3 {
        lib += "#[agent]\nimpl Crowd {\n";
        for n in block * 100..(block + 1) * 100 {
            let [(a, _), (b, _), (c, _)] = types(n);
            let action = format!(
                "/// Does number {n}.\n///\n/// # Returns\n/// Whether {n} was done.\n#[action]\npub fn \
                 action_{n}(&self,\n/// First of {n}.\na_{n}: {a},\n/// Second.\nb: {b},\n/// Third.\n\
                 c: {c}) -> bool {{ let _ = (a_{n}, b, c); true }}\n"
            );
            lib += &action;
        }
        lib += "}\n";
    }
    let sandbox = Sandbox::new();
    sandbox.package("p", "has-hundreds", "", &lib);
    exports(&sandbox, "p", &["--briefs", "plain"], &["crowd"]);
    let actions = json(&sandbox.out(), "action_types.json");
    let crowd = actions["crowd"].as_object().unwrap();
    let own = crowd.values().filter(|entry| entry["from"] == "crowd");
    assert_eq!(own.count(), 300);
    for n in 0..300 {
        let entry = &crowd[&format!("action_{n}")];
        assert_eq!(entry["brief"], format!("Does number {n}."));
        assert_eq!(entry["return"], format!("Whether {n} was done."));
        let args: Vec<_> = entry["args"].as_array().unwrap().iter().collect();
        let names = [format!("a_{n}"), "b".to_owned(), "c".to_owned()];
        let comments = [format!("First of {n}."), "Second.".into(), "Third.".into()];
        assert_eq!(args.len(), 3);
        for (at, (_, spelled)) in types(n).into_iter().enumerate() {
            assert_eq!(args[at]["name"], names[at]);
            assert_eq!(args[at]["comment"], comments[at]);
            assert_eq!(args[at]["type"], spelled, "action {n}");
        }
    }
}

/// The decoder of the package knows more than a schema: names that serde takes, the range of a `NonZeroU8`,
/// an address, a length.
#[test]
fn a_packages_own_decoder_says_whether_an_argument_is_right() {
    let sandbox = Sandbox::new();
    let more = "serde = { version = \"1\", features = [\"derive\"] }\nschemars = \"1\"\n";
    sandbox.package(
        "p",
        "decodes",
        more,
        "use bt_core::prelude::*;
        #[derive(Clone, serde::Deserialize, schemars::JsonSchema)]
        pub enum Mood { Calm, #[serde(alias = \"Cross\")] Angry }
        #[derive(Clone, serde::Deserialize, schemars::JsonSchema)]
        pub struct Spot { pub x: f64, pub y: f64 }
        #[derive(Agent)]
        #[agent(name = \"decoder\")]
        pub struct It {}
        #[agent]
        impl It {
            #[action] fn feel(&self, _x: Mood) {}
            #[action] fn count(&self, _x: std::num::NonZeroU8) {}
            #[action] fn call(&self, _x: std::net::IpAddr) {}
            #[action] fn rest(&self, _x: std::time::Duration) {}
            #[action] fn paint(&self, _x: [u8; 3]) {}
            #[action] fn go(&self, _x: Spot) {}
        }\n",
    );
    let calls = [
        ("feel", "\"Cross\"", "\"Cros\""),
        ("count", "1", "0"),
        ("call", "\"10.0.0.1\"", "\"300.1.1.1\""),
        (
            "rest",
            r#"{"secs": 1, "nanos": 0}"#,
            r#"{"secs": 18446744073709551615, "nanos": 1999999999}"#,
        ),
        ("paint", "[1, 2, 3]", "[1, 2]"),
        ("go", "[1, 2]", "[1]"),
    ];
    for (name, right, wrong) in calls {
        for (folder, value) in [("right", right), ("wrong", wrong)] {
            let tree = format!(
                r#"{{"nodes": [{{"idx": 0, "type": "root", "children": [1], "extra": {{"agent_name": "decoder", "mode": "once"}}}},
                {{"idx": 1, "parent": 0, "type": "action", "children": [], "extra": {{"action_name": "{name}",
                "action_args": [{{"arg_type": "plain", "arg_value": {value}}}]}}}}]}}"#
            );
            sandbox.file(&format!("p/{folder}/{name}.json"), &tree);
        }
    }
    let validate =
        |trees: &str| run(&mut sandbox.command("p", ["validate", "--package", "decodes", trees]));
    validate("right").done();
    let wrong = validate("wrong").says(1, &["6 errors in 6 trees"]);
    assert_eq!(
        wrong.out.matches("error[BT").count(),
        calls.len(),
        "{}",
        wrong.out
    );
    // The exported catalogue knows what the decoder said.
    sandbox.export("p", &[]).done();
    let catalogue = sandbox.out().join("agents.json");
    let catalogue = catalogue.to_str().unwrap();
    let validate =
        |trees: &str| run(&mut sandbox.command("p", ["validate", "--catalogue", catalogue, trees]));
    assert_eq!(validate("right").done().out, "6 trees: no problems\n");
    validate("wrong").says(1, &["6 errors in 6 trees"]);
}
