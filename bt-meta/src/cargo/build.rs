//! The way in which cargo builds a package.

use std::path::PathBuf;

/// The package, and how cargo builds it. The names are cargo's own.
#[derive(Debug, Clone, Default, PartialEq, Eq, clap::Args)]
#[command(next_help_heading = "Building the package")]
pub struct Build {
    /// The package whose agents to take; may be left out where there is only one
    #[arg(long, short, value_name = "NAME")]
    pub package: Option<String>,
    /// The Cargo.toml of the package or its workspace
    #[arg(long, value_name = "PATH")]
    pub manifest_path: Option<PathBuf>,
    /// Take the agents of this binary of the package, not those of its library
    #[arg(long, value_name = "NAME")]
    pub bin: Option<String>,
    /// Features to turn on, separated by commas or spaces
    #[arg(long, short = 'F', value_name = "FEATURES")]
    pub features: Vec<String>,
    /// Turn on all features
    #[arg(long)]
    pub all_features: bool,
    /// Turn off the default features
    #[arg(long)]
    pub no_default_features: bool,
    /// The profile to build with (default: dev)
    #[arg(long, value_name = "NAME")]
    pub profile: Option<String>,
    /// The same as `--profile release`
    #[arg(long, short, conflicts_with = "profile")]
    pub release: bool,
    /// The target to build for; this machine has to be able to run it
    #[arg(long, value_name = "TRIPLE")]
    pub target: Option<String>,
    /// The folder for what cargo builds
    #[arg(long, value_name = "DIR")]
    pub target_dir: Option<PathBuf>,
    /// Refuse to change Cargo.lock
    #[arg(long)]
    pub locked: bool,
    /// Do without the network
    #[arg(long)]
    pub offline: bool,
    /// Both `--locked` and `--offline`
    #[arg(long)]
    pub frozen: bool,
}

impl Build {
    /// The options that change what a package consists of.
    pub(super) fn feature_args(&self) -> Vec<String> {
        let mut args: Vec<String> = Vec::new();
        for features in &self.features {
            args.extend(["--features".to_owned(), features.clone()]);
        }
        args.extend(self.all_features.then(|| "--all-features".to_owned()));
        args.extend(
            self.no_default_features
                .then(|| "--no-default-features".to_owned()),
        );
        args
    }

    /// The options about the lock file and the network.
    pub(super) fn lock_args(&self) -> impl Iterator<Item = &'static str> {
        [
            (self.locked, "--locked"),
            (self.offline, "--offline"),
            (self.frozen, "--frozen"),
        ]
        .into_iter()
        .filter_map(|(given, arg)| given.then_some(arg))
    }

    /// The profile's name.
    pub(super) fn profile(&self) -> &str {
        let release = if self.release { "release" } else { "dev" };
        self.profile.as_deref().unwrap_or(release)
    }
}
