//! Runs the load test: opens accounts, starts a thread for each share of the sessions, gathers their counts every
//! second, reads the server's process, and returns the results. Called by `lib.rs`; must print nothing.

use super::accounts::{self, Account};
use super::catalogue::Catalogue;
use super::collect::Collector;
use super::hostile::attack::attack;
use super::hostile::tally::HostileTally;
use super::http::{Line, Request};
use super::plan::{Arrival, Plan};
use super::process;
use super::results::Results;
use super::target::{Endpoint, Target};
use super::work::{FromWorker, Share, work};
use super::worker::Clock;
use super::{LoadError, Options, Progress};
use crate::personas::Persona;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, MissedTickBehavior, interval_at, sleep_until};

/// How often the catalogue is fetched.
const CATALOGUE_EVERY: Duration = Duration::from_secs(8);
/// Time between the preparation and the first session.
const RUN_UP: Duration = Duration::from_millis(200);
/// How long a worker may take after the end to report its last second.
const HAND_IN: Duration = Duration::from_secs(20);
/// Delay after each second, and after the end, before the server's process is read.
const LOOK_AFTER: Duration = Duration::from_millis(100);
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
    let accounts = open_accounts(options, plan, show).await?;
    let begin = Instant::now() + RUN_UP;
    let begin_us = (options.now_us)() + i64::try_from(RUN_UP.as_micros()).unwrap_or_default();
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
        let mine = |of: &&Arrival| of.number % options.threads == number;
        let arrivals: Vec<Arrival> = plan.arrivals.iter().filter(mine).copied().collect();
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
    tokio::select! {
        () = gather(&mut collector, &mut handed_in, &stop, (begin, plan.length), show) => {}
        () = refresh(&mut line, &tell_catalogue, options.settings.answer_limit) => {}
    }
    for thread in threads {
        thread.join().map_err(|_| LoadError::Panic)?;
    }
    if let Some(attacking) = attacking {
        collector.take_hostile(attacking.join().map_err(|_| LoadError::Panic)?);
    }
    tokio::time::sleep(SETTLE).await;
    collector.look_at_the_server();
    Ok(collector.results(Instant::now().duration_since(begin).saturating_sub(SETTLE).min(plan.length)))
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
) -> Result<Vec<Account>, LoadError> {
    let bettors = plan.most_at_once(|arrival| arrival.persona == Persona::Bettor);
    let wanted = u32::try_from(bettors).unwrap_or(u32::MAX).min(options.accounts_max);
    let stamp = (options.now_us)() / 1000;
    let opened = |opened| show(Progress::Accounts { opened, wanted });
    Ok(accounts::open(&options.target, wanted, stamp, options.settings.seed, opened).await?)
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

/// Gathers until every worker is done, or until [`HAND_IN`] after the end.
async fn gather(
    collector: &mut Collector<'_>,
    handed_in: &mut mpsc::UnboundedReceiver<FromWorker>,
    stop: &watch::Sender<bool>,
    (begin, length): (Instant, Duration),
    show: &mut dyn FnMut(Progress<'_>),
) {
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
                while let Some(point) = collector.next_point() {
                    show(Progress::Second { point: &point, so_far: collector.so_far(), length });
                    collector.keep(point);
                }
            }
            message = handed_in.recv() => match message {
                Some(message) => collector.take(message),
                None => break,
            },
            _ = tokio::signal::ctrl_c() => {
                collector.was_interrupted = true;
                stop.send_replace(true);
            }
            () = &mut give_up => break,
        }
    }
    while let Some(point) = collector.next_point() {
        show(Progress::Second { point: &point, so_far: collector.so_far(), length });
        collector.keep(point);
    }
}

/// The process on this machine that listens there, if it exists and may be read.
pub(super) fn local_server(target: &Target) -> Option<u32> {
    process::listener(target.address).filter(|pid| *pid != std::process::id())
}
