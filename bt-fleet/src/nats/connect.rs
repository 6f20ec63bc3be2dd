//! Servers found, streams made, and the settings of a fleet compared with those that it was made with.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_nats::ConnectOptions;
use async_nats::jetstream::ErrorCode;
use async_nats::jetstream::context::{
    Context, ContextBuilder, CreateStreamErrorKind, GetStreamErrorKind,
};
use async_nats::jetstream::stream::{Config as StreamConfig, DiscardPolicy};
use bt_core::Agent;
use serde::{Deserialize, Serialize};
use tokio::sync::{Mutex, Semaphore};

use super::{Inside, MOST_REQUESTS, Nats, PATIENCE};
use crate::FleetError;
use crate::config::Config;
use crate::fleet::Fleet;
use crate::reply::{Reply, reply};
use crate::store::{Append, StoreError, Stream};
use crate::wire::{read, write};

/// The time in which servers have to be found.
const SEARCH: Duration = Duration::from_secs(15);

/// The time in which a repeated input is known: it is what [`Sending`](crate::Sending) promises.
const WINDOW: Duration = Duration::from_secs(120);

/// The key that says how the fleet was made.
const FOUNDED: &str = "fleet.config";

/// The settings that cannot change while a fleet exists.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Founded {
    format: u32,
    shards: u32,
}

impl<A: Agent> Fleet<A> {
    /// A fleet over NATS JetStream. `servers` are addresses such as `nats://host:4222`, with commas between them; with
    /// them may come a user and a password, and `tls://`. The fleet is made if it is not there.
    ///
    /// Afterwards it connects again by itself, whichever servers fail.
    ///
    /// # Errors
    /// [`FleetError::is_unanswered`] if no server is found in 15 s; [`FleetError::is_invalid`] for a name that is not of
    /// letters, digits, `_` and `-`, and if the fleet was made with another number of shards.
    pub fn connect(servers: &str, config: Config) -> Reply<Fleet<A>> {
        let servers: Vec<String> = servers
            .split(',')
            .map(|server| server.trim().to_owned())
            .collect();
        let (promise, answer) = reply();
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("bt-fleet")
            .enable_all()
            .build();
        let runtime = match (config.fault(), runtime) {
            (Some(fault), _) => return Reply::given(Err(FleetError::invalid(fault))),
            (None, Err(error)) => {
                return Reply::given(Err(FleetError::unanswered(format!("no thread: {error}"))));
            }
            (None, Ok(runtime)) => runtime,
        };
        let handle = runtime.handle().clone();
        handle.spawn(async move {
            let mut config = config;
            let inside = open(servers, &mut config).await;
            // A runtime that fails is not dropped by its own thread.
            match inside {
                Err(error) => {
                    promise.give(Err(error));
                    runtime.shutdown_background();
                }
                Ok(inside) => {
                    let store = Arc::new(Nats::new(runtime, inside));
                    promise.give(Ok(Fleet::with_store(store, config)));
                }
            }
        });
        answer
    }
}

async fn open(servers: Vec<String>, config: &mut Config) -> Result<Inside, FleetError> {
    let begin = Instant::now();
    loop {
        let error = match try_open(&servers, config).await {
            Err(error) if error.is_unanswered() => error,
            opened => return opened,
        };
        if begin.elapsed() > SEARCH {
            return Err(error);
        }
        tokio::time::sleep(Duration::from_millis(300)).await;
    }
}

async fn try_open(servers: &[String], config: &mut Config) -> Result<Inside, FleetError> {
    let unanswered = |error: &dyn std::fmt::Display| {
        FleetError::unanswered(format!("{}: {error}", servers.join(", ")))
    };
    let options = ConnectOptions::new()
        .ping_interval(Duration::from_secs(1))
        .reconnect_delay_callback(|attempt| Duration::from_millis(100 << attempt.min(4)));
    let client = options
        .connect(servers)
        .await
        .map_err(|error| unanswered(&error))?;
    let context = ContextBuilder::new()
        .timeout(PATIENCE)
        .ack_timeout(PATIENCE)
        .max_ack_inflight(2 * MOST_REQUESTS)
        .build(client);
    let mut streams = HashMap::new();
    if config.shards == 0 {
        let found = context.get_stream(stream_name(config, Stream::Keys)).await;
        match found.map_err(|error| error.kind()) {
            Ok(_) => {}
            Err(GetStreamErrorKind::JetStream(why))
                if why.error_code() == ErrorCode::STREAM_NOT_FOUND =>
            {
                return Err(no_fleet(config));
            }
            Err(error) => return Err(unanswered(&error)),
        }
    }
    for stream in Stream::ALL {
        let name = stream_name(config, stream);
        let made = make(&context, &name, stream, config).await;
        made.map_err(|error| unanswered(&error))?;
        let found = context.get_stream_no_info(&name).await;
        let found = found.map_err(|error| unanswered(&error))?;
        streams.insert(stream, found);
    }
    let inside = Inside {
        context,
        fleet: config.name.clone(),
        streams,
        readers: Mutex::default(),
        requests: Semaphore::new(MOST_REQUESTS),
    };
    found_or_compare(&inside, config).await?;
    Ok(inside)
}

fn stream_name(config: &Config, stream: Stream) -> String {
    format!("{}-{}", config.name, stream.name())
}

fn no_fleet(config: &Config) -> FleetError {
    FleetError::invalid(format!(
        "there is no fleet `{}` on these servers",
        config.name
    ))
}

/// Makes a stream that is not there, with as many replicas as there may be: a single server refuses more than one.
async fn make(
    context: &Context,
    name: &str,
    stream: Stream,
    config: &Config,
) -> Result<(), String> {
    if context.get_stream(name).await.is_ok() {
        return Ok(());
    }
    let mut settings = StreamConfig {
        name: name.to_owned(),
        subjects: vec![format!("{}.{}.>", config.name, stream.name())],
        num_replicas: if config.replicas == 0 {
            3
        } else {
            config.replicas
        },
        duplicate_window: WINDOW,
        // What is read has to be what the next write is compared with.
        allow_direct: false,
        ..StreamConfig::default()
    };
    match stream {
        Stream::Keys => settings.max_messages_per_subject = 1,
        Stream::Out => {
            settings.max_messages_per_subject = 100_000;
            settings.discard = DiscardPolicy::Old;
        }
        Stream::Inputs | Stream::Saves => {}
    }
    let made = context.create_stream(settings.clone()).await;
    let error = match made {
        Ok(_) => return Ok(()),
        Err(error) => error,
    };
    let alone = matches!(error.kind(), CreateStreamErrorKind::JetStream(ref why)
        if why.error_code() == ErrorCode::STREAM_REPLICAS_NOT_SUPPORTED);
    if config.replicas != 0 || !alone {
        return Err(error.to_string());
    }
    settings.num_replicas = 1;
    let made = context.create_stream(settings).await;
    made.map(|_| ()).map_err(|error| error.to_string())
}

/// Notes how a new fleet is made, or compares that with how it was made.
async fn found_or_compare(inside: &Inside, config: &mut Config) -> Result<(), FleetError> {
    let founded = Founded {
        format: 1,
        shards: config.shards,
    };
    if config.shards > 0 {
        let message = Append {
            stream: Stream::Keys,
            subject: FOUNDED.to_owned(),
            id: None,
            expect: Some(0),
            body: write(&founded),
        };
        match inside.append(message).await {
            Ok(_) => return Ok(()),
            Err(StoreError::Stale) => {}
            Err(error) => return Err(error.into()),
        }
    }
    let name = &config.name;
    let last = inside.last(Stream::Keys, FOUNDED).await?;
    let Some(last) = last else {
        return Err(no_fleet(config));
    };
    match read::<Founded>(&last.body) {
        Ok(there) if config.shards == 0 && there.format == founded.format => {
            config.shards = there.shards;
            Ok(())
        }
        Ok(there) if there == founded => Ok(()),
        Ok(there) => Err(FleetError::invalid(format!(
            "fleet `{name}` was made with {} shards in format {}; expected {} and 1: the number of shards is fixed, take \
             another name for another fleet",
            there.shards, there.format, config.shards
        ))),
        Err(why) => Err(FleetError::invalid(format!(
            "fleet `{name}`: its settings cannot be read: {why}; was it made by a newer version?"
        ))),
    }
}
