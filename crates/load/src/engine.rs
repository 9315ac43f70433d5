//! Runs the load test: opens accounts, starts a thread for each share of the sessions, gathers their counts every
//! second, reads the server's process, and returns the results. Called by `lib.rs`; must print nothing.

use super::accounts::{self, Account, KnownAccounts};
use super::catalogue::Catalogue;
use super::collect::{Collector, Ending};
use super::hostile::attack::attack;
use super::hostile::tally::HostileTally;
use super::http::{Line, Request};
use super::plan::{Arrival, Plan};
use super::results::Results;
use super::target::Endpoint;
use super::work::{FromWorker, Share, work};
use super::worker::Clock;
use super::{LoadError, Options, Progress};
use crate::personas::Persona;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, MissedTickBehavior, interval_at, sleep_until};

/// How often the catalogue is fetched.
const CATALOGUE_EVERY: Duration = Duration::from_secs(8);
/// Time between the preparation and the first session.
const RUN_UP: Duration = Duration::from_millis(200);
/// More than the parts of a run, so that the names of their accounts differ.
const STAMP_STEP: i64 = 64;
/// How long a worker may take after the end to report its last second.
const HAND_IN: Duration = Duration::from_secs(20);
/// Delay after each second, and after the end, before the server's process is read.
const LOOK_AFTER: Duration = Duration::from_millis(100);
/// How often the results so far are shown.
const SO_FAR_EVERY: u64 = 30;
/// Wait at the end, so that the server can remove the ended sessions.
const SETTLE: Duration = Duration::from_secs(2);

/// Runs everything.
///
/// # Errors
/// [`LoadError`]: the server cannot be reached, or a resource is missing.
pub(super) fn run(options: &Options, plan: &Plan, show: &mut dyn FnMut(Progress<'_>)) -> Result<Results, LoadError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(LoadError::Runtime)?;
    runtime.block_on(run_on(options, plan, show))
}

async fn run_on(options: &Options, plan: &Plan, show: &mut dyn FnMut(Progress<'_>)) -> Result<Results, LoadError> {
    let (mut line, catalogue) = reach(options).await?;
    // The file stays locked during the run.
    let (accounts, _file) = open_accounts(options, plan, show).await?;
    let begin_us = start(options)?;
    let run_up = Duration::from_micros(u64::try_from(begin_us - (options.now_us)()).unwrap_or_default());
    let begin = Instant::now() + run_up;
    let (tell_catalogue, catalogue) = watch::channel(Arc::new(catalogue));
    let (stop, stopped) = watch::channel(false);
    let share = Share {
        target: options.target.clone(),
        settings: Arc::new(options.settings.clone()),
        clock: Clock { begin, begin_us },
        catalogue,
        accounts: Arc::new(Mutex::new(accounts)),
        stop: stopped,
        storms: options.storms.clone(),
        length: plan.length,
    };
    let mut collector = Collector::new(options, plan, begin_us / 1000);
    let (hand_in, mut handed_in) = mpsc::unbounded_channel();
    let mut threads: Vec<JoinHandle<()>> = Vec::new();
    for number in 0..options.threads {
        let mine = plan.arrivals.iter().skip(number as usize).step_by(options.threads as usize);
        let arrivals: Vec<Arrival> = mine.copied().collect();
        let (share, hand_in) = (share.clone(), hand_in.clone());
        let builder = std::thread::Builder::new().name(format!("load-{number}"));
        threads.push(builder.spawn(move || work(share, arrivals, &hand_in)).map_err(LoadError::Runtime)?);
    }
    drop(hand_in);
    let attacking = options.hostile.clone().map(|hostile| {
        let share = share.clone();
        std::thread::Builder::new().name("load-hostile".to_owned()).spawn(move || attack(share, &hostile))
    });
    let attacking: Option<JoinHandle<HostileTally>> = attacking.transpose().map_err(LoadError::Runtime)?;
    let mut ending = tokio::select! {
        ending = gather(&mut collector, &mut handed_in, &stop, (begin, plan.length), show) => ending?,
        () = refresh(&mut line, &tell_catalogue, options.settings.answer_limit) => Ending::Planned,
    };
    let took = Instant::now().duration_since(begin).min(plan.length);
    // A thread that has panicked does not lose what the others measured.
    for thread in threads {
        if thread.join().is_err() {
            ending = Ending::Crashed;
        }
    }
    match attacking.map(JoinHandle::join) {
        None => {}
        Some(Ok(tally)) => collector.take_hostile(tally),
        Some(Err(_)) => ending = Ending::Crashed,
    }
    tokio::time::sleep(SETTLE).await;
    collector.look_at_the_server();
    Ok(collector.results(took, &ending))
}

/// When the run starts, in microseconds since the epoch.
fn start(options: &Options) -> Result<i64, LoadError> {
    let soonest = (options.now_us)() + i64::try_from(RUN_UP.as_micros()).unwrap_or_default();
    match options.start_at_us {
        None => Ok(soonest),
        Some(start) if start >= soonest => Ok(start),
        Some(start) => Err(LoadError::TooLate { seconds: (soonest - start) / 1_000_000 + 1 }),
    }
}

/// Checks that the server answers, and fetches the catalogue.
async fn reach(options: &Options) -> Result<(Line, Catalogue), LoadError> {
    let door = Endpoint { target: options.target.clone(), local: None, receive_bytes: None };
    let mut line = Line::new(door);
    let limit = options.settings.answer_limit;
    let unreachable = |fault| LoadError::Unreachable { target: options.target.to_string(), fault };
    line.call(&Request::get("/healthz", limit)).await.map_err(unreachable)?;
    let catalogue = Catalogue::get(&mut line, limit).await.unwrap_or_default();
    Ok((line, catalogue))
}

async fn open_accounts(
    options: &Options,
    plan: &Plan,
    show: &mut dyn FnMut(Progress<'_>),
) -> Result<(Vec<Account>, Option<KnownAccounts>), LoadError> {
    let bettors = plan.most_at_once(|arrival| arrival.persona == Persona::Bettor);
    let wanted = u32::try_from(bettors).unwrap_or(u32::MAX).min(options.accounts_max);
    // Testers of one run may start in the same millisecond, or one after the other.
    let stamp = (options.now_us)() / 1000 * STAMP_STEP + i64::from(options.part.0);
    let file = options.accounts_file.as_deref().filter(|_| wanted > 0).and_then(KnownAccounts::lock);
    let usable = match &file {
        Some(file) => file.usable(&options.target, wanted, &options.settings.stake).await,
        None => Vec::new(),
    };
    let known = u32::try_from(usable.len()).unwrap_or(wanted);
    let mut opened = |opened| show(Progress::Accounts { known, opened, wanted });
    opened(known);
    let accounts = accounts::open(&options.target, usable, wanted, stamp, options.settings.seed, opened).await?;
    // Without the file the next run opens new ones.
    let _ = file.as_ref().map(|file| file.write(&accounts));
    Ok((accounts, file))
}

/// Fetches the catalogue again and again; never returns.
async fn refresh(line: &mut Line, tell: &watch::Sender<Arc<Catalogue>>, limit: Duration) {
    loop {
        tokio::time::sleep(CATALOGUE_EVERY).await;
        if let Some(catalogue) = Catalogue::get(line, limit).await {
            tell.send_replace(Arc::new(catalogue));
        }
    }
}

/// Gathers until every worker is done, or until [`HAND_IN`] after the end. Returns why the run is over.
async fn gather(
    collector: &mut Collector<'_>,
    handed_in: &mut mpsc::UnboundedReceiver<FromWorker>,
    stop: &watch::Sender<bool>,
    (begin, length): (Instant, Duration),
    show: &mut dyn FnMut(Progress<'_>),
) -> Result<Ending, LoadError> {
    let mut signals = [SignalKind::interrupt(), SignalKind::terminate()].map(signal).into_iter();
    let mut next_signal = || signals.next().transpose().map_err(LoadError::Runtime);
    let (Some(mut interrupt), Some(mut terminate)) = (next_signal()?, next_signal()?) else {
        return Ok(Ending::Planned);
    };
    let mut ending = Ending::Planned;
    let second = Duration::from_secs(1);
    let mut ticks = interval_at(begin + second + LOOK_AFTER, second);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    collector.look_at_the_server();
    let give_up = sleep_until(begin + length + HAND_IN);
    tokio::pin!(give_up);
    loop {
        tokio::select! {
            _ = ticks.tick() => {
                collector.look_at_the_server();
                show_seconds(collector, length, show);
                if let (Some(crossed), Ending::Planned) = (collector.aborts(), &ending) {
                    ending = Ending::Aborted(crossed);
                    stop.send_replace(true);
                }
            }
            message = handed_in.recv() => match message {
                Some(message) => collector.take(message),
                None => break,
            },
            _ = interrupt.recv() => {
                ending = Ending::Interrupted;
                stop.send_replace(true);
            }
            _ = terminate.recv() => {
                ending = Ending::Interrupted;
                stop.send_replace(true);
            }
            () = &mut give_up => break,
        }
    }
    show_seconds(collector, length, show);
    Ok(ending)
}

/// Shows the seconds for which all workers have reported, and now and then the results so far.
fn show_seconds(collector: &mut Collector<'_>, length: Duration, show: &mut dyn FnMut(Progress<'_>)) {
    while let Some(point) = collector.next_point() {
        let is_server_gone = collector.is_server_gone();
        show(Progress::Second { point: &point, so_far: collector.so_far(), length, is_server_gone });
        let seconds = point.t + 1;
        collector.keep(point);
        if seconds.is_multiple_of(SO_FAR_EVERY) && seconds < length.as_secs() {
            show(Progress::SoFar(&collector.results(Duration::from_secs(seconds), &Ending::Unfinished)));
        }
    }
}
