//! What the commands do. `mod.rs` calls each function with the configuration.
//! `server/mod.rs` builds the parts of the server.

use crate::betting::settlement::UNSETTLED_AFTER_MS;
use crate::command::arguments::{BettingOrder, Encoding, Published};
use crate::config::Config;
use crate::error::ProgramError;
use crate::server::signals::{Order, Signals};
use crate::server::sources::{self, Played, SourceError};
use crate::server::stores::{existing_store, open_existing_stores, opening};
use crate::server::{self, Listeners};
use crate::wall_clock::now_ms;
use kvota_domain::ids::{MarketId, MatchId};
use kvota_domain::lang::Lang;
use kvota_feed::amqp::AmqpPublisher;
use kvota_feed::embedded::wall_clock;
use kvota_feed::file::{Recording, write_feed as write_feed_to};
use kvota_simulator::simulator::calibration::Reliability;
use kvota_simulator::simulator::diagram::diagram;
use kvota_simulator::simulator::options::SimulatorOptions;
use kvota_store::{self, Migrated};
use kvota_uof_provider::provider::Provider;
use kvota_uof_provider::serving::{self, Served};
use std::fs::File;
use std::io::{BufWriter, ErrorKind};
use std::net::TcpListener;
use std::path::Path;
use tracing::info;

/// Options of `kvota feed` that are not in the configuration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Publication {
    /// What is published.
    pub source: Published,
    /// The compression of messages.
    pub encoding: Encoding,
}

impl Publication {
    fn played(self) -> Played {
        match self.source {
            Published::All | Published::Uof => Played::All,
            Published::Recording => Played::Recorded,
            Published::Simulator => Played::Simulated,
        }
    }

    fn encoding(self) -> kvota_wire::inflate::Compression {
        match self.encoding {
            Encoding::Deflate => kvota_wire::inflate::Compression::Deflate,
            Encoding::Gzip => kvota_wire::inflate::Compression::Gzip,
            Encoding::None => kvota_wire::inflate::Compression::Plain,
        }
    }
}

/// Runs the server until a signal stops it.
pub fn serve(config: Config) -> Result<(), ProgramError> {
    // Bind before anything is started, so that a busy port fails at once.
    let public = bind(&config.http.listen, "--listen or http.listen")?;
    let internal = config.http.internal_listen.as_deref();
    let internal = internal.map(|address| bind(address, "http.internal_listen")).transpose()?;
    actix::System::new().block_on(server::serve_on(Listeners { public, internal }, config))
}

/// Publishes a feed until a signal stops it.
pub fn publish(config: Config, publication: Publication) -> Result<(), ProgramError> {
    actix::System::new().block_on(async move {
        let mut signals = Signals::listen()?;
        let clock = wall_clock();
        let encoding = publication.encoding();
        let amqp = sources::amqp_config(&config.feed);
        let (publisher, switch) = if publication.source == Published::Uof {
            let uof = sources::uof(&config)?;
            let woken = uof.changed();
            let producer = sources::uof_producer(uof, config.feed.primary_language, clock());
            let (publisher, switch) = AmqpPublisher::new(&amqp, producer, clock, encoding)?;
            (publisher.woken_by(woken).in_turn()?, switch)
        } else {
            let producer = sources::producer(&config.feed, publication.played(), clock())?;
            AmqpPublisher::new(&amqp, producer, clock, encoding)?
        };
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

/// Plays a provider of the Unified Odds Feed until a signal stops it.
pub fn provide(config: Config, listen: &str, token: String) -> Result<(), ProgramError> {
    let listener = bind(listen, "--listen")?;
    actix::System::new().block_on(async move {
        let mut signals = Signals::listen()?;
        let clock = wall_clock();
        let primary = config.feed.primary_language;
        let producer = sources::producer(&config.feed, Played::All, clock())?;
        let served = Served {
            amqp_url: config.feed.amqp_url.reveal().to_owned(),
            exchange: config.feed.uof.exchange.clone(),
            token,
        };
        let stop = async move {
            loop {
                if let Order::Stop(signal) = signals.given().await {
                    return info!(signal, "stopping on {signal}");
                }
            }
        };
        Ok(serving::serve(Provider::new(producer, primary), clock, served, listener, stop).await?)
    })
}

/// Writes `until_s` seconds of play of a feed into a file. `progress` receives the seconds done and their total.
pub fn write_feed(
    config: &Config,
    publication: Publication,
    path: &Path,
    until_s: u32,
    mut progress: impl FnMut(u32, u32),
) -> Result<(), ProgramError> {
    let failed = |source| ProgramError::Write { path: path.to_owned(), source };
    if publication.source == Published::Uof {
        return Err(failed(std::io::Error::other("a provider's feed cannot be written faster than it comes")));
    }
    let epoch = i64::try_from(config.feed.seed).unwrap_or(i64::MAX);
    let producer = sources::producer(&config.feed, publication.played(), epoch)?;
    let mut out = BufWriter::new(File::create(path).map_err(failed)?);
    let recording = Recording { until_s, speed: config.feed.speed, encoding: publication.encoding() };
    let written = write_feed_to(producer, recording, &mut out, |done| progress(done, until_s)).map_err(failed)?;
    progress(until_s, until_s);
    info!(messages = written.messages, bytes = written.bytes, "wrote {} messages", written.messages);
    Ok(())
}

/// Plays `matches` matches of each sport and compares their prices with the results: a diagram in `path`, and a text
/// report that is returned. `progress` receives the matches done and their total.
pub fn calibrate(
    seed: u64,
    matches: u32,
    sports: &[String],
    path: &Path,
    mut progress: impl FnMut(u32, u32),
) -> Result<String, ProgramError> {
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
    std::fs::write(path, diagram(&drawn)).map_err(|source| ProgramError::Write { path: path.to_owned(), source })?;
    report.push_str(&format!("drawn into {}\n", path.display()));
    Ok(report)
}

/// Audits the whole store and prints the report. A finding is an error.
pub fn audit(config: Config) -> Result<(), ProgramError> {
    actix::System::new().block_on(async move {
        // Read-only: a mistyped configuration must not change the tables of another installation.
        let stores = kvota_store::open_as_it_is(&existing_store(&config)?).await?;
        let report = stores.audit().await?;
        stores.close().await?;
        print_line(&report);
        let findings = report.findings.len();
        if findings == 0 { Ok(()) } else { Err(ProgramError::Audit { findings }) }
    })
}

/// Lists the bets that are still open 15 minutes after the end of their last match, or that no result will settle.
pub fn unsettled_bets(config: Config) -> Result<(), ProgramError> {
    actix::System::new().block_on(async move {
        let stores = open_existing_stores(&config).await?;
        let now_ms = now_ms();
        let unsettled = stores.settlements.unsettled_bets(now_ms.saturating_sub(UNSETTLED_AFTER_MS)).await?;
        stores.close().await?;
        print_line(format!("{} unsettled bets", unsettled.len()));
        for bet in unsettled {
            let ended = bet.ended_at_ms.map_or_else(
                || "not ended".to_owned(),
                |ended_at_ms| format!("ended {} min ago", now_ms.saturating_sub(ended_at_ms) / 60_000),
            );
            let matches: Vec<String> = bet.matches.iter().map(ToString::to_string).collect();
            print_line(format!(
                "{} {} account {} {ended}, matches {}: {}",
                bet.ticket_number,
                bet.ticket_id,
                bet.account.get(),
                matches.join(" "),
                bet.cause.name()
            ));
        }
        Ok(())
    })
}

/// Migrates the store's tables to this program's version.
pub fn migrate(config: Config) -> Result<(), ProgramError> {
    actix::System::new().block_on(async move {
        let Migrated { version, applied } = kvota_store::migrate(&opening(&config)?).await?;
        print_line(match applied {
            0 => format!("the tables of the store have version {version}; nothing was to be done"),
            _ => format!("the tables of the store have version {version}; migrations applied: {applied}"),
        });
        Ok(())
    })
}

/// Lets the next result of a market count, whatever its version.
pub fn reset_result(config: Config, match_id: MatchId, market: MarketId) -> Result<(), ProgramError> {
    actix::System::new().block_on(async move {
        let stores = open_existing_stores(&config).await?;
        let has_result = stores.settlements.reset_result_version(match_id, market).await?;
        stores.close().await?;
        print_line(if has_result {
            format!(
                "the next result of market {market} of match {match_id} counts, whatever its version; bets on a moved \
                 line are graded by the stored one"
            )
        } else {
            format!("market {market} of match {match_id} has no result")
        });
        Ok(())
    })
}

/// Pauses betting on all nodes, resumes it, or prints the current state.
pub fn betting(config: Config, order: BettingOrder) -> Result<(), ProgramError> {
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

fn bind(address: &str, setting: &'static str) -> Result<TcpListener, ProgramError> {
    TcpListener::bind(address).map_err(|source| {
        let address = address.to_owned();
        match source.kind() {
            ErrorKind::AddrInUse => ProgramError::Busy { address, setting },
            _ => ProgramError::Listen { address, setting, source },
        }
    })
}

#[expect(clippy::print_stdout, reason = "the line is what the command is for")]
fn print_line(line: impl std::fmt::Display) {
    println!("{line}");
}
