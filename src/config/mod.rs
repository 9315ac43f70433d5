//! The configuration (CONTRACT 6), loaded once at the start by `command/mod.rs` and passed on as plain values.
//! `config/default.toml` lists all keys with their defaults. No default may be repeated here.
//!
//! All mistakes are reported at once, each with its key, its source and the allowed values.

mod betting;
mod hub;
mod layers;
mod mistake;
mod protection;
mod reader;
#[cfg(test)]
mod tests;
mod uof;
mod wallet;

pub use betting::{Accounts, Media};

pub use layers::{Override, Sources};
pub use mistake::{Mistake, Mistakes};
pub use protection::Protection;
pub use uof::Uof;
pub use wallet::Wallet;

use crate::actors::limits::{GATHER_MS_MAX, GATHER_MS_MIN};
use crate::betting::placement::Betting;
use crate::http::origin::Origin;
use crate::http::proxies::Network;
use crate::hub::admission::HubLimits;
use kvota_domain::lang::Lang;
use kvota_feed::lag::LagLimits;
use kvota_simulator::simulator::options::{MATCHES, RATE, SPEED};
use kvota_simulator::simulator::sports;
use kvota_store::StoreLocation;
use reader::Reader;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// The largest lag that may be configured, in seconds: a larger one protects nothing.
const FEED_LAG_SECONDS_MAX: i64 = 300;

/// The whole configuration, validated.
#[derive(Clone, PartialEq, Debug)]
pub struct Config {
    /// Section `http`.
    pub http: Http,
    /// Section `hub`.
    pub hub: HubLimits,
    /// Section `feed`.
    pub feed: Feed,
    /// Section `store`.
    pub store: Store,
    /// Section `accounts`.
    pub accounts: Accounts,
    /// Section `betting`.
    pub betting: Betting,
    /// Section `protection`.
    pub protection: Protection,
    /// Section `wallet`.
    pub wallet: Wallet,
    /// Section `media`.
    pub media: Media,
    /// Section `log`.
    pub log: Log,
}

/// Section `http`: the server.
#[derive(Clone, PartialEq, Debug)]
pub struct Http {
    /// `host:port`; resolved when bound.
    pub listen: String,
    /// `host:port` for health, readiness and metrics; `None` if they are served at `listen`.
    pub internal_listen: Option<String>,
    /// The origins that may open the hub; empty allows only the server's own.
    pub allowed_origins: Vec<Origin>,
    /// The peers whose forwarded headers are trusted.
    pub trusted_proxies: Vec<Network>,
    /// The keys that sign and verify cookies, each at least 32 bytes: the first signs, all verify. If empty, a key in
    /// the data folder is used.
    pub cookie_keys: Vec<Secret>,
    /// Worker threads, 1 to 256; `None` for one per core.
    pub workers: Option<usize>,
    /// How long price changes may be gathered before they are sent.
    pub gather: Duration,
    /// How long a node on PostgreSQL serves on after SIGTERM, while the load balancer and its clients move to other
    /// nodes; 0 to 600 s.
    pub drain: Duration,
}

impl Http {
    /// Whether an allowed origin uses TLS, so that a proxy must stand before the server, but none is listed. All
    /// clients then share the limits of the proxy's address.
    pub fn lacks_trusted_proxies(&self) -> bool {
        let is_tls = |origin: &Origin| origin.as_str().starts_with("https://");
        self.trusted_proxies.is_empty() && self.allowed_origins.iter().any(is_tls)
    }
}

/// Section `feed`: the source of the offer.
#[derive(Clone, PartialEq, Debug)]
pub struct Feed {
    /// The kind of source.
    pub source: FeedKind,
    /// The broker's URL with its credentials.
    pub amqp_url: Secret,
    /// The topic exchange.
    pub exchange: String,
    /// The queue that answers with snapshots.
    pub snapshot_queue: String,
    /// The queue with the results for this installation.
    pub results_queue: String,
    /// The queue for requests for missing results.
    pub results_request_queue: String,
    /// The share of markets that are first reported wrong and corrected later, 0 to 1.
    pub result_corrections: f64,
    /// The share of simulated matches that are abandoned, 0 to 1.
    pub abandoned: f64,
    /// The language that drives the offer.
    pub primary_language: Lang,
    /// Certificates (PEM) that the broker is verified against; `None` for the public authorities.
    pub ca_file: Option<PathBuf>,
    /// Interval of heartbeats in seconds, 1 to 60.
    pub heartbeat_seconds: u16,
    /// Whether a missing exchange is declared.
    pub declare: bool,
    /// How late the feed may be.
    pub lag_limits: LagLimits,
    /// Playback speed as a multiple of real time, 0.01 to 1000.
    pub speed: f64,
    /// The folder with recordings; `None` for the built-in ones.
    pub recording_dir: Option<PathBuf>,
    /// The minute at which the first matches begin, 0 to 120.
    pub start_minute: u16,
    /// Simulated matches in addition to the recorded ones, 0 to 5,000.
    pub simulated_matches: u32,
    /// Names or numbers of the simulated sports; empty for all except those that are recorded.
    pub simulated_sports: Vec<String>,
    /// The seed of the simulation's random numbers.
    pub seed: u64,
    /// Random price changes per second and simulated match, without a cause in the play, 0 to 20.
    pub price_rate: f64,
    /// A provider's feed.
    pub uof: Uof,
}

/// `feed.source`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FeedKind {
    /// Recorded and simulated matches, in process.
    Embedded,
    /// The native feed over RabbitMQ.
    Amqp,
    /// A provider's Unified Odds Feed.
    Uof,
    /// The matches of [`FeedKind::Embedded`], frozen; a browser test changes them (`feed::scripted`).
    #[cfg(feature = "testkit")]
    Scripted,
}

/// Section `store`: the storage of accounts, bets and sessions.
#[derive(Clone, PartialEq, Debug)]
pub struct Store {
    /// `sqlite://…` or `postgres://…` with credentials; validated.
    pub url: Secret,
    /// The folder for a relative file of the URL; created when needed.
    pub data_dir: PathBuf,
    /// Connections to PostgreSQL, 1 to 1000.
    pub connections_max: u32,
    /// Whether the certificate of PostgreSQL is verified, unless the URL contains another `sslmode`.
    pub require_tls: bool,
}

/// Section `log`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Log {
    /// A level or a filter, validated.
    pub level: String,
    /// The format of lines.
    pub format: LogFormat,
}

/// `log.format`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LogFormat {
    /// For people.
    Pretty,
    /// One JSON object per line.
    Json,
}

/// A value that contains a secret: usable, never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Hides a value.
    pub fn new(value: String) -> Secret {
        Secret(value)
    }

    /// The value itself, for the code that connects with it.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(secret)")
    }
}

/// Loads and merges all sources. The error lists every mistake for the person who wrote the configuration.
pub fn load(sources: &Sources) -> Result<Config, Mistakes> {
    let (merged, mut mistakes) = layers::merge(sources);
    let mut reader = Reader::new(&merged);
    let config = read(&mut reader, sources);
    mistakes.extend(reader.finish());
    match config {
        Some(config) if mistakes.is_empty() => Ok(config),
        _ => Err(Mistakes(mistakes)),
    }
}

/// The profile of real installations. It accepts no play money and no demo video from the defaults.
const PRODUCTION: &str = "production";

/// Every key is read before the first `?`, so that all mistakes are found.
fn read(reader: &mut Reader<'_>, sources: &Sources) -> Option<Config> {
    let http = read_http(reader);
    let hub = hub::read_hub(reader);
    let feed = read_feed(reader);
    let store = read_store(reader, sources);
    let accounts = betting::read_accounts(reader);
    let betting = betting::read_betting(reader);
    let protection = protection::read_protection(reader);
    let wallet = wallet::read_wallet(reader);
    let media = betting::read_media(reader);
    let log = read_log(reader);
    if sources.profile.as_deref() == Some(PRODUCTION)
        && let (Some(accounts), Some(media)) = (&accounts, &media)
    {
        betting::check_production(reader, accounts, media);
    }
    if sources.profile.as_deref() == Some(PRODUCTION)
        && let Some(wallet) = wallet
    {
        wallet::check_production(reader, wallet);
    }
    Some(Config {
        http: http?,
        hub: hub?,
        feed: feed?,
        store: store?,
        accounts: accounts?,
        betting: betting?,
        protection: protection?,
        wallet: wallet?,
        media: media?,
        log: log?,
    })
}

fn read_http(reader: &mut Reader<'_>) -> Option<Http> {
    let listen = reader
        .parsed("http.listen", "host:port, such as 127.0.0.1:8080", |text| is_address(text).then(|| text.to_owned()));
    let internal_listen =
        reader.parsed("http.internal_listen", "host:port, such as 127.0.0.1:9090, or empty", |text| {
            (text.is_empty() || is_address(text)).then(|| Some(text.to_owned()).filter(|text| !text.is_empty()))
        });
    let allowed_origins = reader.list(
        "http.allowed_origins",
        "a list of origins such as https://bets.example, without a path",
        Origin::parse,
    );
    let trusted_proxies =
        reader.list("http.trusted_proxies", "a list of addresses or networks such as 10.0.0.0/8", Network::parse);
    let cookie_key = reader
        .secret("http.cookie_key", "at least 32 characters, or empty", |text| text.is_empty() || text.len() >= 32);
    let cookie_keys =
        reader.secrets("http.cookie_keys", "a list of texts of at least 32 characters", |text| text.len() >= 32);
    let workers = reader.integer("http.workers", 0..=256);
    let gather_ms = reader.integer("http.gather_ms", GATHER_MS_MIN as i64..=GATHER_MS_MAX as i64);
    let drain_seconds = reader.integer("http.drain_seconds", 0..=600);
    let cookie_key = cookie_key.map(|key| Some(key).filter(|key| !key.reveal().is_empty()));
    if matches!((&cookie_key, &cookie_keys), (Some(Some(_)), Some(keys)) if !keys.is_empty()) {
        reader.note("http.cookie_keys", "http.cookie_key is given too; allowed is one of the two".to_owned());
    }
    Some(Http {
        listen: listen?,
        internal_listen: internal_listen?,
        allowed_origins: allowed_origins?,
        trusted_proxies: trusted_proxies?,
        cookie_keys: cookie_keys?.into_iter().chain(cookie_key?).collect(),
        workers: usize::try_from(workers?).ok().filter(|workers| *workers > 0),
        gather: Duration::from_millis(gather_ms?.unsigned_abs()),
        drain: Duration::from_secs(drain_seconds?.unsigned_abs()),
    })
}

fn read_feed(reader: &mut Reader<'_>) -> Option<Feed> {
    let source = reader.parsed("feed.source", "embedded, amqp or uof", |text| match text {
        "embedded" => Some(FeedKind::Embedded),
        "amqp" => Some(FeedKind::Amqp),
        "uof" => Some(FeedKind::Uof),
        #[cfg(feature = "testkit")]
        "scripted" => Some(FeedKind::Scripted),
        _ => None,
    });
    let amqp_url =
        reader.secret("feed.amqp_url", "an address such as amqp://user:password@host:5672/%2f, or amqps://", |text| {
            text.parse::<lapin::uri::AMQPUri>().is_ok()
        });
    let exchange = reader.parsed("feed.exchange", BROKER_NAME, broker_name);
    let snapshot_queue = reader.parsed("feed.snapshot_queue", BROKER_NAME, broker_name);
    let results_queue = reader.parsed("feed.results_queue", BROKER_NAME, broker_name);
    let share = |share: f64| (0.0..=1.0).contains(&share);
    let result_corrections = reader.number("feed.result_corrections", "a share from 0 to 1", share);
    let abandoned = reader.number("feed.abandoned", "a share from 0 to 1", share);
    let results_request_queue = reader.parsed("feed.results_request_queue", BROKER_NAME, broker_name);
    let primary_language = reader.parsed("feed.primary_language", "hr, en, bs or sr", Lang::from_code);
    let ca_file = reader.parsed("feed.ca_file", "a file that can be read, or empty", |text| {
        optional_path(text, |path| std::fs::File::open(path).is_ok())
    });
    let heartbeat_seconds = reader.integer("feed.heartbeat_seconds", 1..=60);
    let declare = reader.flag("feed.declare");
    let lag_limits = read_lag_limits(reader);
    let speed = reader.number("feed.speed", "a number from 0.01 to 1000", |speed| SPEED.contains(&speed));
    let recording_dir = reader.parsed("feed.recording_dir", "a folder that exists, or empty", |text| {
        optional_path(text, |path| path.is_dir())
    });
    let start_minute = reader.integer("feed.start_minute", 0..=120);
    let simulated_matches = reader.integer("feed.simulated_matches", 0..=i64::from(*MATCHES.end()));
    let allowed = format!("a list of {}", sports::listed());
    let simulated_sports =
        reader.list("feed.simulated_sports", &allowed, |name| sports::find(name).map(|_| name.to_owned()));
    let seed = reader.integer("feed.seed", 0..=i64::MAX);
    let price_rate = reader.number("feed.price_rate", "a number from 0 to 20", |rate| RATE.contains(&rate));
    let uof = uof::read_uof(reader);
    if let (Some(FeedKind::Uof), Some(key)) = (source, uof.as_ref().and_then(Uof::lacks)) {
        reader.note(key, "is empty, but feed.source is \"uof\"".to_owned());
    }
    Some(Feed {
        source: source?,
        amqp_url: amqp_url?,
        exchange: exchange?,
        snapshot_queue: snapshot_queue?,
        results_queue: results_queue?,
        results_request_queue: results_request_queue?,
        result_corrections: result_corrections?,
        abandoned: abandoned?,
        primary_language: primary_language?,
        ca_file: ca_file?,
        heartbeat_seconds: u16::try_from(heartbeat_seconds?).ok()?,
        declare: declare?,
        lag_limits: lag_limits?,
        speed: speed?,
        recording_dir: recording_dir?,
        start_minute: u16::try_from(start_minute?).ok()?,
        simulated_matches: u32::try_from(simulated_matches?).ok()?,
        simulated_sports: simulated_sports?,
        seed: u64::try_from(seed?).ok()?,
        price_rate: price_rate?,
        uof: uof?,
    })
}

fn read_lag_limits(reader: &mut Reader<'_>) -> Option<LagLimits> {
    let suspend_s = reader.integer("feed.lag_suspend_seconds", 1..=FEED_LAG_SECONDS_MAX);
    let down_s = reader.integer("feed.lag_down_seconds", 1..=FEED_LAG_SECONDS_MAX);
    let limits = LagLimits { suspend_ms: suspend_s? * 1_000, down_ms: down_s? * 1_000 };
    if limits.suspend_ms >= limits.down_ms {
        reader.note("feed.lag_down_seconds", "must be greater than feed.lag_suspend_seconds".to_owned());
    }
    Some(limits)
}

fn read_store(reader: &mut Reader<'_>, sources: &Sources) -> Option<Store> {
    let url = reader.secret("store.url", "sqlite://FILE or postgres://user:password@host:5432/database", |text| {
        StoreLocation::parse(text).is_some()
    });
    let data_dir = reader.parsed("store.data_dir", "a folder, or empty", |text| {
        optional_path(text, |path| !path.is_file()).map(|given| given.unwrap_or_else(|| sources.data_folder()))
    });
    let connections_max = reader.integer("store.connections_max", 1..=1000);
    let require_tls = reader.boolean("store.require_tls");
    Some(Store {
        url: url?,
        data_dir: data_dir?,
        connections_max: u32::try_from(connections_max?).ok()?,
        require_tls: require_tls?,
    })
}

fn read_log(reader: &mut Reader<'_>) -> Option<Log> {
    let level = reader.parsed(
        "log.level",
        "error, warn, info, debug or trace, or a filter such as info,kvota::http=debug",
        |text| is_log_filter(text).then(|| text.to_owned()),
    );
    let format = reader.parsed("log.format", "pretty or json", |text| match text {
        "pretty" => Some(LogFormat::Pretty),
        "json" => Some(LogFormat::Json),
        _ => None,
    });
    Some(Log { level: level?, format: format? })
}

/// The filter syntax accepts any word as a module name, so a misspelt level would silence all logs. A lone word must
/// therefore be a level.
fn is_log_filter(text: &str) -> bool {
    let is_level =
        |word: &str| ["off", "error", "warn", "info", "debug", "trace"].contains(&word.to_lowercase().as_str());
    let directives = || text.split(',').map(str::trim);
    let sound = directives().all(|directive| directive.contains('=') || is_level(directive));
    sound && tracing_subscriber::EnvFilter::try_new(text).is_ok()
}

const BROKER_NAME: &str = "a name of 1 to 255 bytes";

fn broker_name(text: &str) -> Option<String> {
    (1..=255).contains(&text.len()).then(|| text.to_owned())
}

fn is_address(text: &str) -> bool {
    text.rsplit_once(':').is_some_and(|(host, port)| {
        let bare = !host.contains(':') || (host.starts_with('[') && host.ends_with(']'));
        let plain = host.chars().all(|c| !c.is_whitespace() && c != '/');
        !host.is_empty() && bare && plain && port.parse::<u16>().is_ok()
    })
}

/// `Some(None)` for an empty text, the path if it is usable, `None` for a mistake.
fn optional_path(text: &str, usable: impl Fn(&PathBuf) -> bool) -> Option<Option<PathBuf>> {
    if text.is_empty() {
        return Some(None);
    }
    let path = PathBuf::from(text);
    usable(&path).then_some(Some(path))
}
