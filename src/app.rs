//! What the commands do, and why one could not: each a function that `cli.rs` calls with the configuration. The server's
//! parts are put together in `serving.rs`.

#![expect(clippy::disallowed_methods, reason = "hands the wall clock to everybody else")]

use crate::cli::{BettingOrder, Encoding, Published};
use crate::config::Config;
use crate::domain::lang::Lang;
use crate::feed::amqp::{AmqpConfigError, AmqpPublisher};
use crate::feed::embedded::wall_clock;
use crate::feed::file::{Recording, write_feed as write_feed_to};
use crate::feed::simulator::calibration::Reliability;
use crate::feed::simulator::diagram::diagram;
use crate::feed::simulator::options::SimulatorOptions;
use crate::serving::{self, Listeners};
use crate::signals::{Order, Signals};
use crate::sources::{self, Played, SourceError};
use crate::store::{self, Migrated, OpenError, Opening, Place, StoreError, Stores};
use crate::wire;
use std::fs::File;
use std::io::{self, BufWriter, ErrorKind};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{SystemTime, UNIX_EPOCH};
use tracing::info;

/// Why the program could not start or go on.
#[derive(Debug, thiserror::Error)]
pub enum AppError {
    /// Another program listens there.
    #[error(
        "{address} is in use: another program, perhaps another kvota, listens there. Stop it, or choose another \
         address with {setting} (port 0 takes any free one)"
    )]
    Busy {
        /// As configured.
        address: String,
        /// What it is configured with.
        setting: &'static str,
    },
    /// The address cannot be listened on for another reason.
    #[error("cannot listen on {address} ({setting})")]
    Listen {
        /// As configured.
        address: String,
        /// What it is configured with.
        setting: &'static str,
        /// The system's reason.
        source: io::Error,
    },
    /// The server failed.
    #[error("the server failed")]
    Serve(#[source] io::Error),
    /// The process could not get what it needs of the system.
    #[error("cannot {what}")]
    System {
        /// Lower case, as in "listen to signals".
        what: &'static str,
        /// The system's reason.
        source: io::Error,
    },
    /// Metrics could not be started.
    #[error("cannot record metrics")]
    Metrics(#[from] metrics_exporter_prometheus::BuildError),
    /// The feed cannot be written.
    #[error("cannot write {}", path.display())]
    Write {
        /// Where to.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The source of the feed cannot work.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// There is no store yet.
    #[error("there is no store at {}: nothing has been kept there", file.display())]
    NoStore {
        /// Where it would be.
        file: PathBuf,
    },
    /// The key of the cookies can neither be read nor made.
    #[error("the key of the sessions' cookies cannot be kept in {} (store.data_dir; or give one, http.cookie_keys)", folder.display())]
    CookieKey {
        /// The data folder.
        folder: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The stores cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The stores do not do what they are asked.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The audit has found what must not be.
    #[error("the store is not as it must be: {findings} of the audit's questions found something")]
    Audit {
        /// How many.
        findings: usize,
    },
    /// The link to the broker is configured wrongly.
    #[error("the feed is configured wrongly")]
    Amqp(#[from] AmqpConfigError),
}

impl AppError {
    /// Whether somebody asked for what is not allowed, rather than something failed.
    pub fn is_mistake(&self) -> bool {
        matches!(self, AppError::Source(SourceError::Simulator(_)))
    }
}

/// What `kvota feed` is asked for besides the configuration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Publication {
    /// What is published.
    pub source: Published,
    /// How it is packed.
    pub encoding: Encoding,
}

impl Publication {
    fn played(self) -> Played {
        match self.source {
            Published::All => Played::All,
            Published::Recording => Played::Recorded,
            Published::Simulator => Played::Simulated,
        }
    }

    fn encoding(self) -> wire::inflate::Encoding {
        match self.encoding {
            Encoding::Deflate => wire::inflate::Encoding::Deflate,
            Encoding::Gzip => wire::inflate::Encoding::Gzip,
            Encoding::None => wire::inflate::Encoding::Plain,
        }
    }
}

/// Runs the server until the process is told to stop.
pub fn serve(config: Config) -> Result<(), AppError> {
    // Before anything is started: a busy port should cost nothing.
    let public = bind(&config.http.listen, "--listen or http.listen")?;
    let internal = config.http.internal_listen.as_deref();
    let internal = internal.map(|address| bind(address, "http.internal_listen")).transpose()?;
    actix::System::new().block_on(serving::serve_on(Listeners { public, internal }, config))
}

/// Publishes a feed until the process is told to stop.
pub fn publish(config: Config, publication: Publication) -> Result<(), AppError> {
    actix::System::new().block_on(async move {
        let mut signals = Signals::listen()?;
        let clock = wall_clock();
        let producer = sources::producer(&config.feed, publication.played(), clock())?;
        let encoding = publication.encoding();
        let amqp = sources::amqp_config(&config.feed);
        let (publisher, switch) = AmqpPublisher::new(&amqp, producer, clock, encoding)?;
        let stop = async move {
            loop {
                match signals.given().await {
                    Order::Stop(signal) => return info!(signal, "stopping on {signal}"),
                    Order::Feed { active: true } => switch.activate(),
                    Order::Feed { active: false } => switch.deactivate(),
                }
            }
        };
        publisher.run(stop).await;
        Ok(())
    })
}

/// Writes `until_s` seconds of play of a feed into a file; `progress` is told how many of them are done.
pub fn write_feed(
    config: &Config,
    publication: Publication,
    path: &Path,
    until_s: u32,
    mut progress: impl FnMut(u32, u32),
) -> Result<(), AppError> {
    let failed = |source| AppError::Write { path: path.to_owned(), source };
    let epoch = i64::try_from(config.feed.seed).unwrap_or(i64::MAX);
    let producer = sources::producer(&config.feed, publication.played(), epoch)?;
    let mut out = BufWriter::new(File::create(path).map_err(failed)?);
    let recording = Recording { until_s, speed: config.feed.speed, encoding: publication.encoding() };
    let written = write_feed_to(producer, recording, &mut out, |done| progress(done, until_s)).map_err(failed)?;
    progress(until_s, until_s);
    info!(messages = written.messages, bytes = written.bytes, "wrote {} messages", written.messages);
    Ok(())
}

/// Plays `matches` matches of each sport, draws into `path` how often what was priced at p happened, and tells the
/// same in lines. `progress` is told how many matches are done, and of how many.
pub fn calibrate(
    seed: u64,
    matches: u32,
    sports: &[String],
    path: &Path,
    mut progress: impl FnMut(u32, u32),
) -> Result<String, AppError> {
    let played = SimulatorOptions { sports: sports.to_vec(), ..SimulatorOptions::default() };
    let played = played.checked().map_err(SourceError::Simulator)?;
    let all = matches.saturating_mul(u32::try_from(played.len()).unwrap_or(u32::MAX));
    let mut measured: Vec<(&str, Reliability)> = Vec::new();
    let mut report = String::new();
    for entry in played {
        let mut reliability = Reliability::default();
        for number in 0..matches {
            reliability.play(entry, seed, u64::from(number));
            let done = matches.saturating_mul(u32::try_from(measured.len()).unwrap_or(u32::MAX));
            progress(done.saturating_add(number + 1), all);
        }
        let prices: u64 = reliability.bins.iter().map(|bin| bin.number).sum();
        let name = entry.profile.name[Lang::En.index()];
        report.push_str(&format!(
            "{name}: {matches} matches, {prices} prices, the worst bin is {:.1} standard errors off, the worst answer of \
             {} {:.1}\n",
            reliability.worst_bin(),
            reliability.kinds.len(),
            reliability.worst_answer(),
        ));
        measured.push((name, reliability));
    }
    let drawn: Vec<(&str, &Reliability)> = measured.iter().map(|(name, held)| (*name, held)).collect();
    std::fs::write(path, diagram(&drawn)).map_err(|source| AppError::Write { path: path.to_owned(), source })?;
    report.push_str(&format!("drawn into {}\n", path.display()));
    Ok(report)
}

/// Looks at all that the store keeps for what must not be, and tells it. A finding is an error.
pub fn audit(config: Config) -> Result<(), AppError> {
    actix::System::new().block_on(async move {
        // It only reads: a mistyped configuration must not change the tables of another installation.
        let stores = store::open_as_it_is(&existing(&config)?).await?;
        let report = stores.audit().await?;
        stores.close().await?;
        print_line(&report);
        let findings = report.findings.len();
        if findings == 0 { Ok(()) } else { Err(AppError::Audit { findings }) }
    })
}

/// Brings the tables of the store to this program's version.
pub fn migrate(config: Config) -> Result<(), AppError> {
    actix::System::new().block_on(async move {
        let Migrated { version, applied } = store::migrate(&opening(&config)?).await?;
        print_line(match applied {
            0 => format!("the tables of the store have version {version}; nothing was to be done"),
            _ => format!("the tables of the store have version {version}; migrations applied: {applied}"),
        });
        Ok(())
    })
}

/// Pauses betting on all nodes, opens it again, or says which of the two holds.
pub fn betting(config: Config, order: BettingOrder) -> Result<(), AppError> {
    actix::System::new().block_on(async move {
        let stores = open_existing_stores(&config).await?;
        let pause = &stores.betting_pause;
        let line = match order {
            BettingOrder::Pause if pause.pause(now_ms()).await? => "betting is paused now".to_owned(),
            BettingOrder::Pause => "betting was paused already".to_owned(),
            BettingOrder::Resume if pause.resume().await? => "betting is open again".to_owned(),
            BettingOrder::Resume => "betting was open already".to_owned(),
            BettingOrder::Status => match pause.paused_since().await? {
                None => "betting is open".to_owned(),
                Some(since_ms) => {
                    let seconds = now_ms().saturating_sub(since_ms).max(0) / 1_000;
                    format!("betting has been paused for {seconds} s")
                }
            },
        };
        stores.close().await?;
        print_line(&line);
        Ok(())
    })
}

fn opening(config: &Config) -> Result<Opening, StoreError> {
    // The configuration has checked it.
    let none = || StoreError::Unavailable { cause: "store.url is not the address of a store".to_owned() };
    Ok(Opening {
        place: Place::parse(config.store.url.reveal()).ok_or_else(none)?,
        data_folder: config.store.data_dir.clone(),
        connections_max: config.store.connections_max,
        require_tls: config.store.require_tls,
    })
}

pub(crate) async fn open_stores(config: &Config) -> Result<Stores, AppError> {
    Ok(store::open(&opening(config)?).await?)
}

/// The same, but a file that does not exist is an error: opening would make an empty store of a mistyped folder.
async fn open_existing_stores(config: &Config) -> Result<Stores, AppError> {
    Ok(store::open(&existing(config)?).await?)
}

fn existing(config: &Config) -> Result<Opening, AppError> {
    let opening = opening(config)?;
    if let Place::Sqlite(file) = &opening.place {
        let file = config.store.data_dir.join(file);
        if !file.exists() {
            return Err(AppError::NoStore { file });
        }
    }
    Ok(opening)
}

fn bind(address: &str, setting: &'static str) -> Result<TcpListener, AppError> {
    TcpListener::bind(address).map_err(|source| {
        let address = address.to_owned();
        match source.kind() {
            ErrorKind::AddrInUse => AppError::Busy { address, setting },
            _ => AppError::Listen { address, setting, source },
        }
    })
}

#[expect(clippy::print_stdout, reason = "the line is what the command is for")]
fn print_line(line: impl std::fmt::Display) {
    println!("{line}");
}

/// The machine's clock, microseconds since the epoch: for the load tester, whose latencies are finer than the feed's
/// dates.
pub fn now_us() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| i64::try_from(since.as_micros()).unwrap_or(i64::MAX))
}

/// The machine's clock as of the first call; from then on no change of the machine's time makes it jump. The lag of the
/// feed is measured by it.
pub(crate) fn steady_now_ms() -> i64 {
    static START: OnceLock<(i64, tokio::time::Instant)> = OnceLock::new();
    let (start_ms, started) = START.get_or_init(|| (now_ms(), tokio::time::Instant::now()));
    start_ms.saturating_add(i64::try_from(started.elapsed().as_millis()).unwrap_or(i64::MAX))
}

pub(crate) fn now_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}
