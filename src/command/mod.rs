//! The command line: reads arguments, environment and configuration, then calls `actions.rs`. Defines the exit codes
//! (docs/operations.md) and prints why a command failed. The doc comments of the argument types are the `--help` texts.

pub mod actions;
pub mod arguments;

use self::actions::Publication;
use self::arguments::{BettingOrder, Encoding, Published};
use crate::config::{self, Config, Override, Sources};
use crate::error::ProgramError;
use crate::telemetry;
use crate::wall_clock;
use clap::{Args, CommandFactory, Parser, Subcommand};
use kvota_domain::ids::{MarketId, MatchId};
use kvota_load::LoadError;
use kvota_load::args::LoadArgs;
use kvota_load::command::{self, CommandError};
use kvota_load::results::Verdict;
use kvota_load::scenario;
use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// Success.
const DONE: u8 = 0;
/// The program could not start or continue, for example because a port is busy; or the audit has findings.
const FAILED: u8 = 1;
/// The arguments or the configuration are wrong.
const USAGE_ERROR: u8 = 2;
/// The server of a load test cannot be reached.
const UNREACHABLE: u8 = 3;
/// A load test ran and a threshold was crossed, or a comparison found the newer run worse.
const THRESHOLD_CROSSED: u8 = 99;
/// A signal ended a load test early; k6 uses the same code.
const INTERRUPTED: u8 = 105;

/// The folder of `default.toml` and the profiles, relative to the working directory.
const CONFIG_DIRECTORY: &str = "config";

/// Live, in-play sports betting: a push feed goes in, thousands of bettors see it change.
#[derive(Parser, Debug)]
#[command(name = "kvota", version)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Serves the offer, the live hub and the client.
    Serve(ServeArgs),
    /// Publishes recorded and simulated matches, or a provider's feed, to RabbitMQ or into a file, as a native feed.
    Feed(Box<FeedArgs>),
    /// Plays recorded and simulated matches as a provider of the Unified Odds Feed, to try feed.source = "uof" with.
    UofProvider(Box<ProviderArgs>),
    /// Plays simulated matches and draws how often what was priced at p happened.
    Calibrate(CalibrateArgs),
    /// Simulates thousands of bettors' sessions and tells how the server took them.
    Load(Box<LoadArgs>),
    /// Looks at the store for money that comes from nowhere and bets that are not paid for once.
    Audit(StoreArgs),
    /// Lists bets for the operator.
    Bets(BetsArgs),
    /// Brings the tables of the store to this program's version; `serve` does the same when it starts.
    Migrate(StoreArgs),
    /// Pauses betting on all nodes, opens it again, or says which of the two holds.
    Betting(BettingArgs),
    /// Lets the next result of a market count although its version is lower than that of the stored one.
    ResetResult(ResetResultArgs),
}

#[derive(Args, Debug)]
struct ConfigArgs {
    /// A profile: config/NAME.toml, or the built-in demo, uof-demo or production.
    #[arg(long, value_name = "NAME")]
    profile: Option<String>,
    /// A configuration file; it stands before the profile.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

#[derive(Args, Debug)]
struct ServeArgs {
    #[command(flatten)]
    config: ConfigArgs,
    /// Where to listen, such as 0.0.0.0:8080; port 0 takes any free one [http.listen].
    #[arg(long, value_name = "HOST:PORT")]
    listen: Option<String>,
}

#[derive(Args, Debug)]
struct FeedArgs {
    #[command(flatten)]
    config: ConfigArgs,
    /// What is published.
    #[arg(long, value_enum, default_value_t = Published::All)]
    source: Published,
    /// Simulated matches alone, the same as --source simulator.
    #[arg(long, conflicts_with = "source")]
    simulate: bool,
    /// How many matches are simulated, 1 to 5000 [feed.simulated_matches].
    #[arg(long, value_name = "NUMBER")]
    matches: Option<String>,
    /// Which sports are simulated, by name or number, with commas [feed.simulated_sports].
    #[arg(long, value_name = "SPORTS")]
    sports: Option<String>,
    /// Where the simulation's random numbers come from [feed.seed].
    #[arg(long, value_name = "NUMBER")]
    seed: Option<String>,
    /// Price changes a second and match without a cause in the play, 0 to 20 [feed.price_rate].
    #[arg(long, value_name = "NUMBER")]
    rate: Option<String>,
    /// Writes the feed into this file in place of a broker, as fast as it can.
    #[arg(long, value_name = "FILE", requires = "until")]
    out: Option<PathBuf>,
    /// How much of the feed is written, in seconds of play, up to a month.
    #[arg(long, value_name = "SECONDS", requires = "out", value_parser = clap::value_parser!(u32).range(1..=2_678_400))]
    until: Option<u32>,
    /// Times real time [feed.speed].
    #[arg(long, value_name = "FACTOR")]
    speed: Option<String>,
    /// The broker [feed.amqp_url]; a password is safer in KVOTA__FEED__AMQP_URL.
    #[arg(long, value_name = "URL")]
    amqp_url: Option<String>,
    /// A folder with recordings [feed.recording_dir].
    #[arg(long, value_name = "FOLDER")]
    recording_dir: Option<String>,
    /// The minute of play at which the first matches begin [feed.start_minute].
    #[arg(long, value_name = "MINUTE")]
    start_minute: Option<String>,
    /// How messages are packed.
    #[arg(long, value_enum, default_value_t = Encoding::Deflate)]
    encoding: Encoding,
}

#[derive(Args, Debug)]
struct ProviderArgs {
    #[command(flatten)]
    config: ConfigArgs,
    /// Where the REST interface is served.
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:8091")]
    listen: String,
    /// The token that its readers must have.
    #[arg(
        long,
        value_name = "TOKEN",
        default_value = "demo",
        env = "KVOTA_UOF_PROVIDER_TOKEN",
        hide_env_values = true
    )]
    token: String,
    /// The broker [feed.amqp_url]; a password is safer in KVOTA__FEED__AMQP_URL.
    #[arg(long, value_name = "URL")]
    amqp_url: Option<String>,
    /// How many matches are simulated beside the recorded ones [feed.simulated_matches].
    #[arg(long, value_name = "NUMBER")]
    matches: Option<String>,
    /// Which sports are simulated, by name or number, with commas [feed.simulated_sports].
    #[arg(long, value_name = "SPORTS")]
    sports: Option<String>,
    /// Times real time [feed.speed].
    #[arg(long, value_name = "FACTOR")]
    speed: Option<String>,
}

#[derive(Args, Debug)]
struct CalibrateArgs {
    /// How many matches of each sport.
    #[arg(long, value_name = "NUMBER", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    matches: u32,
    /// Which sports, by name or number, with commas; all of them where none is named.
    #[arg(long, value_name = "SPORTS", value_delimiter = ',')]
    sports: Vec<String>,
    /// Where the random numbers come from.
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,
    /// The picture to write.
    #[arg(long, value_name = "FILE", default_value = "calibration.svg")]
    out: PathBuf,
}

#[derive(Args, Debug)]
struct StoreArgs {
    #[command(flatten)]
    config: ConfigArgs,
}

#[derive(Args, Debug)]
struct BetsArgs {
    /// Lists bets that are still open 15 minutes after the end of their last match, with the cause.
    #[arg(long, required = true)]
    unsettled: bool,
    #[command(flatten)]
    config: ConfigArgs,
}

#[derive(Args, Debug)]
struct ResetResultArgs {
    /// The id of the match.
    #[arg(value_name = "MATCH", value_parser = id(MatchId::new))]
    match_id: MatchId,
    /// The id of the market.
    #[arg(value_name = "MARKET", value_parser = id(MarketId::new))]
    market: MarketId,
    #[command(flatten)]
    config: ConfigArgs,
}

/// Parses an id that `new` accepts.
fn id<T: Clone + Send + Sync + 'static>(
    new: impl Fn(u64) -> Option<T> + Clone + Send + Sync + 'static,
) -> impl Fn(&str) -> Result<T, &'static str> + Clone + Send + Sync + 'static {
    move |text| text.parse().ok().and_then(&new).ok_or("not an id")
}

#[derive(Args, Debug)]
struct BettingArgs {
    /// What to do.
    #[arg(value_enum)]
    order: BettingOrder,
    #[command(flatten)]
    config: ConfigArgs,
}

/// Runs the program; returns its exit code.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    ExitCode::from(outcome(arguments))
}

fn outcome(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let cli = match Cli::try_parse_from(&arguments) {
        Ok(cli) => cli,
        Err(error) => {
            // Also `--help` and `--version`: they go to the standard output and end with 0.
            let printed = error.print();
            let code = if error.use_stderr() { USAGE_ERROR } else { DONE };
            return printed.map_or(FAILED, |()| code);
        }
    };
    match cli.command {
        None => Cli::command().print_help().map_or(FAILED, |()| DONE),
        Some(Command::Serve(args)) => {
            let options = [("http.listen", "--listen", args.listen)];
            start(&args.config, options, actions::serve)
        }
        Some(Command::Calibrate(args)) => calibrate(&args),
        // The options follow the name of the program and `load`.
        Some(Command::Load(args)) => load(*args, arguments.get(2..).unwrap_or_default()),
        Some(Command::Audit(args)) => start(&args.config, [], actions::audit),
        Some(Command::Bets(args)) => start(&args.config, [], actions::unsettled_bets),
        Some(Command::Migrate(args)) => start(&args.config, [], actions::migrate),
        Some(Command::ResetResult(args)) => {
            start(&args.config, [], |config| actions::reset_result(config, args.match_id, args.market))
        }
        Some(Command::Betting(args)) => start(&args.config, [], |config| actions::betting(config, args.order)),
        Some(Command::UofProvider(args)) => {
            let args = *args;
            let (listen, token) = (args.listen, args.token);
            let options = [
                ("feed.amqp_url", "--amqp-url", args.amqp_url),
                ("feed.simulated_matches", "--matches", args.matches),
                ("feed.simulated_sports", "--sports", args.sports),
                ("feed.speed", "--speed", args.speed),
            ];
            start(&args.config, options, |config| actions::provide(config, &listen, token.clone()))
        }
        Some(Command::Feed(args)) => {
            let options = [
                ("feed.speed", "--speed", args.speed),
                ("feed.amqp_url", "--amqp-url", args.amqp_url),
                ("feed.recording_dir", "--recording-dir", args.recording_dir),
                ("feed.start_minute", "--start-minute", args.start_minute),
                ("feed.simulated_matches", "--matches", args.matches),
                ("feed.simulated_sports", "--sports", args.sports),
                ("feed.seed", "--seed", args.seed),
                ("feed.price_rate", "--rate", args.rate),
            ];
            let source = if args.simulate { Published::Simulator } else { args.source };
            let publication = Publication { source, encoding: args.encoding };
            match (args.out, args.until) {
                (Some(file), Some(until_s)) => {
                    let write = |config| actions::write_feed(&config, publication, &file, until_s, progress());
                    start(&args.config, options, write)
                }
                _ => start(&args.config, options, |config| actions::publish(config, publication)),
            }
        }
    }
}

fn load(args: LoadArgs, given: &[OsString]) -> u8 {
    let args = match scenario::complete(args, given) {
        Ok(args) => args,
        Err(wrong) => return fail(&CommandError::Arguments(wrong), USAGE_ERROR),
    };
    let err = std::io::stderr();
    let is_terminal = err.is_terminal();
    match command::run(&args, wall_clock::now_us, err, is_terminal) {
        Ok(ended) => {
            let written = std::io::stdout().lock().write_all(ended.summary.as_bytes());
            written.map_or(FAILED, |()| match ended.verdict {
                Verdict::Passed => DONE,
                Verdict::Failed | Verdict::Aborted => THRESHOLD_CROSSED,
                Verdict::Interrupted => INTERRUPTED,
                Verdict::Crashed | Verdict::Unfinished => FAILED,
            })
        }
        Err(error @ CommandError::Arguments(_)) => fail(&error, USAGE_ERROR),
        Err(error @ CommandError::Load(LoadError::Unreachable { .. })) => fail(&error, UNREACHABLE),
        Err(error) => fail(&error, FAILED),
    }
}

fn calibrate(args: &CalibrateArgs) -> u8 {
    match actions::calibrate(args.seed, args.matches, &args.sports, &args.out, progress()) {
        Ok(report) => {
            let written = std::io::stdout().lock().write_all(report.as_bytes());
            written.map_or(FAILED, |()| DONE)
        }
        Err(error) => fail(&error, if error.is_mistake() { USAGE_ERROR } else { FAILED }),
    }
}

/// Shows the progress of a long task, if the standard error is a terminal.
fn progress() -> impl FnMut(u32, u32) {
    let mut shown = None;
    move |done, all| {
        let percent = u64::from(done) * 100 / u64::from(all.max(1));
        let mut out = std::io::stderr().lock();
        if out.is_terminal() && shown.replace(percent) != Some(percent) {
            let end = if percent >= 100 { "\n" } else { "" };
            // A failure to show progress must not stop the work.
            let _ = write!(out, "\r{percent:3} %{end}").and_then(|()| out.flush());
        }
    }
}

/// Loads the configuration, starts the logs, runs the command, and prints its error.
fn start(
    args: &ConfigArgs,
    options: impl IntoIterator<Item = (&'static str, &'static str, Option<String>)>,
    run: impl FnOnce(Config) -> Result<(), ProgramError>,
) -> u8 {
    let given = |(key, option, value): (_, _, Option<String>)| value.map(|value| Override { key, option, value });
    // Our variables are always Unicode, so others can be skipped.
    let readable = |(name, value): (OsString, OsString)| Some((name.into_string().ok()?, value.into_string().ok()?));
    let sources = Sources {
        directory: PathBuf::from(CONFIG_DIRECTORY),
        profile: args.profile.clone(),
        file: args.config.clone(),
        variables: std::env::vars_os().filter_map(readable).collect(),
        options: options.into_iter().filter_map(given).collect(),
    };
    let config = match config::load(&sources) {
        Ok(config) => config,
        Err(mistakes) => return fail(&mistakes, USAGE_ERROR),
    };
    telemetry::start_logs(&config.log, std::env::var("RUST_LOG").ok().as_deref());
    for name in sources.ignored_variables() {
        tracing::warn!(
            variable = name,
            "the environment variable {name} is no setting: their names are like KVOTA__STORE__DATA_DIR"
        );
    }
    match run(config) {
        Ok(()) => DONE,
        Err(error) => fail(&error, if error.is_mistake() { USAGE_ERROR } else { FAILED }),
    }
}

/// Prints a plain line whatever the log settings, so that the reason is always visible.
fn fail(error: &dyn std::error::Error, code: u8) -> u8 {
    let mut text = format!("kvota: {error}");
    let mut cause = error.source();
    while let Some(inner) = cause {
        text.push_str(&format!(": {inner}"));
        cause = inner.source();
    }
    // If even this cannot be written, the exit code still reports the failure.
    let _ = writeln!(std::io::stderr().lock(), "{text}");
    code
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_commands_are_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn arguments_are_accepted_or_rejected() {
        let parse = |line: &str| Cli::try_parse_from(line.split(' ')).map(|cli| cli.command);
        for (line, accepted) in [
            ("kvota", true),
            ("kvota serve", true),
            ("kvota serve --profile demo --config k.toml --listen :0", true),
            ("kvota feed", true),
            ("kvota feed --source recording --speed 10 --encoding gzip", true),
            ("kvota calibrate --matches 10 --sports tennis,1 --seed 3 --out diagram.svg", true),
            ("kvota calibrate --matches 0", false),
            ("kvota feed --encoding zstd", false),
            ("kvota feed --source simulator --matches 5 --sports tennis,20 --seed 7 --rate 1", true),
            ("kvota feed --simulate --out feed.bin --until 60", true),
            ("kvota feed --simulate --source recording", false),
            ("kvota feed --simulate --out feed.bin", false),
            ("kvota feed --simulate --until 60", false),
            ("kvota feed --simulate --out feed.bin --until 0", false),
            ("kvota serve --port 80", false),
            ("kvota audit", true),
            ("kvota audit --profile production", true),
            ("kvota audit --listen :0", false),
            ("kvota migrate", true),
            ("kvota migrate --profile production --config k.toml", true),
            ("kvota migrate --listen :0", false),
            ("kvota betting pause", true),
            ("kvota betting status --profile production", true),
            ("kvota betting", false),
            ("kvota betting stop", false),
            ("kvota load --target http://127.0.0.1:8080", true),
            (
                "kvota load --target 127.0.0.1:1 --stage 30s:0..5000 --stage 5m:5000 --storm 1m:5s --persona bettor=1",
                true,
            ),
            ("kvota load diff a.json b.json --tolerance 5", true),
            ("kvota load", false),
            ("kvota load --target 127.0.0.1:1 --stage soon", false),
            ("kvota load --target 127.0.0.1:1 --persona gambler=1", false),
            ("kvota load --target 127.0.0.1:1 diff a.json b.json", false),
            ("kvota load diff a.json", false),
            ("kvota load --target 127.0.0.1:1 --hostile 20 --hostile-kind rewatch,offer --hostile-window 8s", true),
            ("kvota load --target 192.0.2.1:1 --hostile 20 --hostile-remote", true),
            ("kvota load --target 127.0.0.1:1 --hostile 0", false),
            ("kvota load --target 127.0.0.1:1 --hostile 5 --hostile-kind flood", false),
            ("kvota load --target 127.0.0.1:1 --hostile 5 --hostile-rate 1001", false),
            ("kvota load --target 127.0.0.1:1 --hostile-window 8s", false),
            ("kvota load --target 127.0.0.1:1 --hostile-remote", false),
            ("kvota fly", false),
        ] {
            assert_eq!(parse(line).is_ok(), accepted, "{line}");
        }
    }

    #[test]
    fn wrong_arguments_exit_with_code_2() {
        let run = |line: &str| outcome(line.split(' ').map(OsString::from));
        for line in [
            "kvota fly",
            "kvota serve --profile no-such-profile",
            "kvota serve --config /no/such/file.toml",
            "kvota serve --listen nonsense",
            "kvota feed --speed 0",
            "kvota feed --simulate --matches 5001",
            "kvota feed --simulate --matches 0",
            "kvota feed --simulate --rate 21",
            "kvota calibrate --sports curling",
            "kvota feed --simulate --sports curling",
            "kvota load --target https://127.0.0.1",
            "kvota load --target 127.0.0.1:1 --stage 1s:0",
            "kvota load --target 127.0.0.1:1 --lang de",
            "kvota load --target 192.0.2.1:1 --hostile 5",
            "kvota load --target 127.0.0.1:1 --hostile 5 --hostile-window 1500ms",
            "kvota load --target 127.0.0.1:1 --hostile 5 --hostile-window 20s",
            "kvota load --target 127.0.0.1:1 --hostile 5 --hostile-from 5m",
            "kvota load --target 127.0.0.1:1 --thresholds /no/such/file.toml",
            "kvota load diff /no/such/file.json /no/such/file.json",
        ] {
            assert_eq!(run(line), USAGE_ERROR, "{line}");
        }
    }
}
