//! A session from arrival to departure: connects as planned, loads the offer, carries out its persona's steps, and
//! reconnects if the connection ends early. Started by `engine.rs`, one task per session; the steps are in `script.rs`.

use super::accounts::Account;
use super::bettor::Order;
use super::check::check_periodically;
use super::fault::Fault;
use super::http::{Line, Request};
use super::itinerary::Itinerary;
use super::link::Link;
use super::personas::Persona;
use super::plan::Arrival;
use super::random::Random;
use super::sample::Sample;
use super::socket::{self, Handshake};
use super::tally::{Count, Timing};
use super::target::Endpoint;
use super::view::View;
use super::worker::{ActiveStorm, Worker};
use serde_json::Value;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, sleep_until, timeout_at};

/// The longest pause before the first attempt to connect again, as in `web/src/protocol/backoff.ts`.
const PAUSE_FIRST: Duration = Duration::from_millis(250);

/// The longest pause before a later attempt.
const PAUSE_MAX: Duration = Duration::from_secs(5);

/// The action that failed, and the failure.
pub type Failure = (&'static str, Fault);

/// A session.
#[derive(Debug)]
pub struct Session {
    pub(super) worker: Rc<Worker>,
    pub(super) persona: Persona,
    pub(super) random: Random,
    pub(super) lang: String,
    pub(super) line: Line,
    pub(super) cookie: Option<String>,
    /// The current view; kept over a reconnect, except for the open match.
    pub(super) view: View,
    /// Its favourites, oldest first.
    pub(super) favourites: Vec<u64>,
    itinerary: Itinerary,
    arrival: Arrival,
    door: Endpoint,
    is_sampled: bool,
    account: Option<Account>,
    /// The order that has no outcome yet, also while the hub is connected again.
    pub(super) order: Option<Order>,
}

/// The reason for a connection.
#[derive(Clone, Copy, Debug)]
struct ConnectReason {
    /// The intended moment.
    intended: Instant,
    /// For a reconnect after a storm: the storm's index and time.
    storm: Option<(usize, Instant)>,
    is_first: bool,
}

/// Why a connection ended early.
enum End {
    Cut(ActiveStorm),
    Failure(Failure),
}

impl Session {
    /// A session of the plan.
    pub fn new(worker: Rc<Worker>, arrival: Arrival) -> Session {
        let settings = Arc::clone(&worker.settings);
        let number = arrival.number;
        let lang = settings.langs.get(number as usize % settings.langs.len().max(1)).cloned();
        let account = (arrival.persona == Persona::Bettor).then(|| worker.take_account()).flatten();
        // A bettor without an account acts as a builder: it can do everything except place bets.
        let persona = match arrival.persona {
            Persona::Bettor if account.is_none() => {
                worker.tally(Persona::Bettor).count(Count::BettorsWithoutAccount, 1);
                Persona::Builder
            }
            persona => persona,
        };
        let door = match &account {
            Some(account) => worker.target.account_endpoint(account.number),
            None => worker.target.session_endpoint(number),
        };
        let think = settings.think.of(persona);
        Session {
            persona,
            view: View::default(),
            favourites: Vec::new(),
            itinerary: Itinerary::new(settings.seed, number, persona, think, arrival.at),
            random: Random::new(settings.seed, u64::from(number)),
            lang: lang.unwrap_or_else(|| "hr".to_owned()),
            line: Line::new(door.clone()),
            cookie: account.as_ref().map(|account| account.cookie.clone()),
            arrival,
            door,
            is_sampled: settings.sample_every > 0 && (number / settings.parts).is_multiple_of(settings.sample_every),
            account,
            order: None,
            worker,
        }
    }

    /// Runs the session to its planned end.
    pub async fn live(mut self) {
        let begin = self.worker.clock.begin;
        sleep_until(begin + self.arrival.at).await;
        self.worker.tally(self.persona).count(Count::SessionsStarted, 1);
        // Ends at the planned time in the middle of any action, like a closed browser.
        let _ = timeout_at(begin + self.arrival.until, self.connect_repeatedly()).await;
        self.worker.tally(self.persona).count(Count::SessionsEnded, 1);
        if let Some(account) = self.account.take() {
            self.worker.give_back(account);
        }
    }

    async fn connect_repeatedly(&mut self) {
        let mut wish =
            ConnectReason { intended: self.worker.clock.begin + self.arrival.at, storm: None, is_first: true };
        let mut tries = 0_u32;
        loop {
            let (end, was_there) = self.visit(wish).await;
            self.line.hang_up();
            if was_there {
                tries = 0;
                wish = ConnectReason { intended: Instant::now(), storm: None, is_first: false };
            }
            match end {
                End::Cut(storm) => {
                    let cut = Instant::now();
                    self.count_cut(storm);
                    let intended = cut + self.random.up_to(storm.jitter);
                    wish = ConnectReason { intended, storm: Some((storm.number - 1, cut)), is_first: false };
                    sleep_until(intended).await;
                }
                End::Failure((what, fault)) => {
                    self.worker.tally(self.persona).error(format!("{what}: {fault}"));
                    // As in the web client: exponential backoff with jitter.
                    let most = PAUSE_MAX.min(PAUSE_FIRST * 2_u32.pow(tries.min(5)));
                    tries += 1;
                    tokio::time::sleep(self.random.up_to(most)).await;
                }
            }
        }
    }

    fn count_cut(&self, storm: ActiveStorm) {
        let mut storms = self.worker.storms.borrow_mut();
        if let Some(tally) = storms.get_mut(storm.number - 1) {
            tally.cut += 1;
        }
    }

    /// One connection, from the handshake to its end; also returns whether it loaded the offer.
    async fn visit(&mut self, wish: ConnectReason) -> (End, bool) {
        let started = Instant::now();
        let worker = Rc::clone(&self.worker);
        let mut raging = worker.raging.clone();
        raging.mark_unchanged();
        let path = format!("/api/v1/live/hub?lang={}", self.lang);
        let asked = Handshake {
            path: &path,
            subprotocol: "kvota.v1.msgpack",
            cookie: self.cookie.as_deref(),
            limit: worker.settings.answer_limit,
        };
        let socket = match socket::connect(&self.door, &asked, &mut self.random).await {
            Ok(socket) => socket,
            Err(fault) => return (End::Failure(("connect", fault)), false),
        };
        self.cookie = socket.cookie.or(self.cookie.take());
        self.view.open = None;
        let sample = self.is_sampled.then(|| {
            let mut sample = Sample::new(self.view);
            sample.hold();
            sample
        });
        let own = Random::new(self.random.bits(), u64::from(self.arrival.number));
        let link = Link::new((&worker, self.persona), socket.writer, own, sample);
        let mut was_there = false;
        let lang = self.lang.clone();
        let checking = check_periodically((&worker, self.persona), &link, Line::new(self.door.clone()), &lang);
        let end = tokio::select! {
            fault = link.read(socket.reader) => End::Failure(("hub", fault)),
            trouble = self.act(&link, wish, started, &mut was_there) => End::Failure(trouble),
            () = checking => End::Failure(("check", Fault::NoAnswer)),
            changed = raging.changed() => match changed {
                Ok(()) => End::Cut(*raging.borrow()),
                Err(_) => End::Failure(("hub", Fault::Closed(None))),
            },
        };
        (end, was_there)
    }

    /// Carries out the steps on a connection; returns only on a failure.
    async fn act(&mut self, link: &Link<'_>, wish: ConnectReason, started: Instant, was_there: &mut bool) -> Failure {
        if let Err(trouble) = self.arrive(link, wish, started).await {
            return trouble;
        }
        *was_there = true;
        if self.persona != Persona::Bettor {
            self.line.hang_up();
        }
        let begin = self.worker.clock.begin;
        if !wish.is_first {
            self.itinerary.skip_to(Instant::now().duration_since(begin));
        }
        if self.order.is_some() {
            self.follow_the_order().await;
            if let Err(trouble) = self.command(link, Instant::now(), "clear", &[]).await {
                return trouble;
            }
        }
        // Intended moments do not shift: a delayed session does the next step at once.
        loop {
            let step = self.itinerary.due();
            let intended = begin + step.at;
            let done = tokio::select! {
                () = sleep_until(intended) => {
                    self.itinerary.advance();
                    self.step(link, step, intended).await
                }
                () = link.reload_asked() => self.get_offer(link, Instant::now(), Instant::now()).await,
            };
            if let Err(trouble) = done {
                return trouble;
            }
        }
    }

    /// From the handshake to the loaded offer (docs/protocol.md, *From nothing to live*).
    async fn arrive(&mut self, link: &Link<'_>, wish: ConnectReason, started: Instant) -> Result<(), Failure> {
        link.greeted().await.map_err(|fault| ("hello", fault))?;
        let greeted = Instant::now();
        if wish.is_first {
            let (felt, served) = (greeted.duration_since(wish.intended), greeted.duration_since(started));
            self.worker.tally(self.persona).time(Timing::Connect, felt, served);
        }
        self.command(link, greeted, "watch", &[self.view.watch()]).await?;
        self.get_offer(link, greeted, Instant::now()).await?;
        if !wish.is_first {
            let now = Instant::now();
            let (felt, served) = (now.duration_since(wish.intended), now.duration_since(started));
            self.worker.tally(self.persona).time(Timing::Reconnect, felt, served);
            if let Some((place, cut)) = wish.storm
                && let Some(storm) = self.worker.storms.borrow_mut().get_mut(place)
            {
                storm.back.record(now.duration_since(cut));
            }
        }
        Ok(())
    }

    /// Fetches the whole offer; a sampled session starts its copy with it.
    pub(super) async fn get_offer(
        &mut self,
        link: &Link<'_>,
        intended: Instant,
        started: Instant,
    ) -> Result<(), Failure> {
        if let Some(sample) = &link.sample {
            sample.borrow_mut().hold();
        }
        let path = format!("/api/v1/live/offer?view=rows&lang={}&run={}", self.lang, link.run());
        let (answer, _) = self.get("offer", &path, link.sample.is_some()).await?;
        let now = Instant::now();
        let (felt, served) = (now.duration_since(intended), now.duration_since(started));
        self.worker.tally(self.persona).time(Timing::Offer, felt, served);
        if let Some(sample) = &link.sample {
            let offer = answer.unwrap_or_default();
            let has_base = sample.borrow_mut().load(&offer, now, &mut self.worker.convergence.borrow_mut());
            if !has_base {
                link.show_all(now).await.map_err(|fault| ("resync", fault))?;
            }
        }
        Ok(())
    }

    /// A GET as the web client makes it, or as JSON if the body is needed. Returns the body and whether the resource
    /// exists.
    pub(super) async fn get(
        &mut self,
        what: &'static str,
        path: &str,
        keeps_body: bool,
    ) -> Result<(Option<Value>, bool), Failure> {
        get_with((&self.worker, self.persona), &mut self.line, what, path, keeps_body).await
    }

    /// Sends a command; true if it was accepted.
    pub(super) async fn command(
        &self,
        link: &Link<'_>,
        intended: Instant,
        verb: &'static str,
        arguments: &[Value],
    ) -> Result<bool, Failure> {
        link.command(intended, verb, arguments).await.map_err(|fault| (verb, fault))
    }
}

/// A counted GET over this connection.
pub(super) async fn get_with(
    (worker, persona): (&Worker, Persona),
    line: &mut Line,
    what: &'static str,
    path: &str,
    keeps_body: bool,
) -> Result<(Option<Value>, bool), Failure> {
    let headers = match keeps_body {
        true => "Accept: application/json\r\n",
        false => "Accept: application/msgpack\r\nAccept-Encoding: gzip, br\r\n",
    };
    let request = Request { headers, keeps_body, ..Request::get(path, worker.settings.answer_limit) };
    let answer = line.call(&request).await.map_err(|fault| (what, fault))?;
    let mut tally = worker.tally(persona);
    tally.count(Count::Calls, 1);
    tally.count(Count::CallBytes, answer.body_bytes);
    match answer.status {
        200 if keeps_body => Ok((serde_json::from_slice(&answer.body).ok(), true)),
        200 => Ok((None, true)),
        // There is no offer now, or the match has left.
        204 | 404 => Ok((None, false)),
        status => {
            if matches!(status, 429 | 503) && answer.has_retry_after {
                tally.count(Count::Shed, 1);
            }
            Err((what, Fault::Status(status)))
        }
    }
}
