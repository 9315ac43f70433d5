//! FeedActor: the only reader of the feed.
//!
//! - Owns one [`Liveness`] state machine per language and, through `Sports`, the sport actors.
//! - Handles [`FeedInput`] from the source, over a bounded channel. Must not take an input before the last one is
//!   applied completely.
//! - Requests snapshots from the source, sends the changes of each message to the SportActors, and publishes the state
//!   of the feed.
//! - Ends when the source ends, after it has applied all inputs and cleared the offer.
//! - Failure: with the actor the offer ends at once: no bet is accepted on prices that may have changed. After a panic
//!   `system.rs` starts a new source and a new FeedActor, with an empty offer.

use super::fail_point::{Moment, Point};
use super::messages::offer::Publish;
use super::offer_context::{OfferContext, count_unapplied};
use super::sport_router::Sports;
use actix::fut::{ready, wrap_future};
use actix::{Actor, ActorContext, ActorFutureExt, Addr, AsyncContext, Context, SpawnHandle, StreamHandler};
use futures_util::stream;
use kvota_domain::feed::FeedUpdate;
use kvota_domain::lang::{Lang, PerLang};
use kvota_domain::offer_event::FeedState;
use kvota_feed::fold::fold;
use kvota_feed::liveness::{Decision, Liveness, LivenessInput, LivenessState};
use kvota_feed::{FeedInput, SnapshotRequest};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

/// The reader of the feed. See the head of this file.
#[derive(Debug)]
pub struct FeedActor {
    reader: Rc<RefCell<Reader>>,
    inputs: Option<mpsc::Receiver<FeedInput>>,
    /// The timer of the next deadline.
    timer: Option<SpawnHandle>,
    started: Instant,
    offer: OfferContext,
    /// Dropped with the actor, so that `system.rs` notices the end of the actor.
    _end_notice: oneshot::Sender<()>,
}

/// The state of the actor. It is in a `RefCell`, because applying one input takes several awaits. Meanwhile `ctx.wait`
/// keeps the actor from taking another input.
#[derive(Debug)]
struct Reader {
    sports: Sports,
    languages: PerLang<Liveness<FeedUpdate>>,
    requests: mpsc::Sender<SnapshotRequest>,
    primary: Lang,
    now_ms: fn() -> i64,
    offer: OfferContext,
}

impl FeedActor {
    /// Starts the actor on this thread. `now_ms` is the wall clock in ms since the epoch, for messages without a date.
    pub fn start_here(
        offer: OfferContext,
        now_ms: fn() -> i64,
        inputs: mpsc::Receiver<FeedInput>,
        requests: mpsc::Sender<SnapshotRequest>,
    ) -> Addr<FeedActor> {
        FeedActor::start_with_end_notice(offer, now_ms, inputs, requests).0
    }

    /// Like [`FeedActor::start_here`]. The receiver completes when the actor has ended and will not write the offer
    /// again.
    pub(super) fn start_with_end_notice(
        offer: OfferContext,
        now_ms: fn() -> i64,
        inputs: mpsc::Receiver<FeedInput>,
        requests: mpsc::Sender<SnapshotRequest>,
    ) -> (Addr<FeedActor>, oneshot::Receiver<()>) {
        let primary = offer.model.primary();
        let languages = PerLang::new(|lang| Liveness::with_lag(lang, offer.lag_limits));
        let sports = Sports::new(offer.clone());
        let reader = Reader { sports, languages, requests, primary, now_ms, offer: offer.clone() };
        let started = Instant::now();
        let reader = Rc::new(RefCell::new(reader));
        let (lives, gone) = oneshot::channel();
        let actor = FeedActor { reader, inputs: Some(inputs), timer: None, started, offer, _end_notice: lives };
        (actor.start(), gone)
    }

    /// Handles an input for one language, or for all if `lang` is `None`. The actor takes no other input until the
    /// decisions are carried out.
    fn digest(
        &mut self,
        lang: Option<Lang>,
        mut input: impl FnMut() -> LivenessInput<FeedUpdate>,
        ctx: &mut Context<Self>,
    ) {
        self.pass(Moment::Before);
        let now = u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX);
        let mut steps = Vec::new();
        {
            let mut reader = self.reader.borrow_mut();
            for lang in Lang::ALL.into_iter().filter(|one| lang.is_none_or(|lang| lang == *one)) {
                let decisions = reader.languages[lang].handle(input(), now);
                steps.extend(decisions.into_iter().map(|decision| (lang, decision)));
            }
        }
        self.pass(Moment::Taken);
        if !steps.is_empty() {
            let done = wrap_future(carry_out(Rc::clone(&self.reader), steps, now));
            // An input that the sport actors could not apply sets a new deadline, for example of a snapshot request.
            ctx.wait(done.map(move |(), actor: &mut Self, ctx: &mut Context<Self>| actor.arm(now, ctx)));
        }
        self.arm(now, ctx);
    }

    fn pass(&self, moment: Moment) {
        self.offer.fail_points.pass(Point::Feed, moment);
    }

    /// Sets the timer to the next deadline of any language.
    fn arm(&mut self, now: u64, ctx: &mut Context<Self>) {
        if let Some(timer) = self.timer.take() {
            ctx.cancel_future(timer);
        }
        let reader = self.reader.borrow();
        let due = reader.languages.iter().filter_map(|(_, language)| language.next_deadline_ms()).min();
        self.timer = due.map(|due| {
            let wait = Duration::from_millis(due.saturating_sub(now).max(1));
            ctx.run_later(wait, |actor, ctx| {
                actor.timer = None;
                actor.digest(None, || LivenessInput::Tick, ctx);
            })
        });
    }
}

impl Drop for FeedActor {
    fn drop(&mut self) {
        // Also after a panic: until the next FeedActor starts, the feed is not read.
        Lang::ALL.into_iter().for_each(|lang| self.offer.model.set_feed(lang, FeedState::Inactive));
    }
}

impl Actor for FeedActor {
    type Context = Context<Self>;

    fn started(&mut self, ctx: &mut Self::Context) {
        let Some(mut inputs) = self.inputs.take() else { return };
        ctx.add_stream(stream::poll_fn(move |cx| inputs.poll_recv(cx)));
    }
}

impl StreamHandler<FeedInput> for FeedActor {
    fn handle(&mut self, mut input: FeedInput, ctx: &mut Self::Context) {
        if let FeedInput::Lost { cause } = &input {
            tracing::warn!(cause, "the feed is lost: {cause}");
        }
        self.reader.borrow_mut().measure_lag(&input);
        bring_back_to_now(&mut input, (self.reader.borrow().now_ms)());
        if let FeedInput::Event { update, .. } = &input
            && update.is_incomplete
        {
            count_unapplied("no_match_id");
        }
        let (lang, input) = LivenessInput::of(input);
        let mut input = Some(input);
        let connected = matches!(input, Some(LivenessInput::Connected));
        // A change of the connection applies to every language.
        let link = move || if connected { LivenessInput::Connected } else { LivenessInput::Lost };
        self.digest(lang, || if lang.is_some() { input.take().unwrap_or(LivenessInput::Tick) } else { link() }, ctx);
    }

    fn finished(&mut self, ctx: &mut Self::Context) {
        // The stop is queued first because actix runs the latest `wait` first: the offer is cleared before the actor
        // stops.
        ctx.wait(ready(()).map(|(), _: &mut Self, ctx: &mut Self::Context| ctx.stop()));
        self.digest(None, || LivenessInput::Lost, ctx);
    }
}

/// Carries out decisions in order. If the sport actors could not apply one, also the decisions that follow from that.
#[expect(clippy::await_holding_refcell_ref, reason = "the actor takes no other input, and nobody else has the reader")]
async fn carry_out(reader: Rc<RefCell<Reader>>, steps: Vec<(Lang, Decision<FeedUpdate>)>, now: u64) {
    let mut reader = reader.borrow_mut();
    let mut steps = VecDeque::from(steps);
    while let Some((lang, decision)) = steps.pop_front() {
        reader.carry_out(lang, decision).await;
        reader.offer.fail_points.pass(Point::Feed, Moment::Written);
        if reader.sports.take_failure() {
            // The offer is incomplete now, so the state change decided before is wrong. `Unapplied` decides a new one.
            steps.retain(|(of, step)| *of != lang || !matches!(step, Decision::StateChanged(_)));
            let after = reader.languages[lang].handle(LivenessInput::Unapplied, now);
            steps.extend(after.into_iter().map(|decision| (lang, decision)));
        }
    }
    reader.offer.fail_points.pass(Point::Feed, Moment::After);
}

/// A date ahead of our clock becomes now: the match clocks that were read then show what they say now (CONTRACT 0). The lag
/// needs the dates as they came.
fn bring_back_to_now(input: &mut FeedInput, now_ms: i64) {
    if let FeedInput::Event { update, .. } | FeedInput::Snapshot { update, .. } = input {
        update.date_ms = update.date_ms.map(|date_ms| date_ms.min(now_ms));
    }
}

impl Reader {
    /// Measures how late the feed is. The primary language is enough: it decides about bets, and all languages share
    /// one queue.
    fn measure_lag(&mut self, input: &FeedInput) {
        let (liveness, wall_ms) = (&mut self.languages[self.primary], (self.now_ms)());
        match input {
            FeedInput::Event { lang, update: FeedUpdate { date_ms: Some(date_ms), .. }, .. }
            | FeedInput::Active { lang, date_ms: Some(date_ms), .. }
                if *lang == self.primary =>
            {
                liveness.note_date(*date_ms, wall_ms);
            }
            FeedInput::Snapshot { lang, correlation, update: FeedUpdate { date_ms: Some(date_ms), .. }, .. }
                if *lang == self.primary =>
            {
                liveness.note_snapshot_date(*correlation, *date_ms, wall_ms);
            }
            _ => return,
        }
        let lag = liveness.lag();
        metrics::gauge!("kvota_feed_lag_seconds").set(seconds(lag.lag_ms()));
        metrics::gauge!("kvota_feed_clock_offset_seconds").set(seconds(lag.offset_ms().unwrap_or_default()));
    }

    async fn carry_out(&mut self, lang: Lang, decision: Decision<FeedUpdate>) {
        let now_ms = (self.now_ms)();
        let changes_offer = matches!(decision, Decision::Apply(_) | Decision::TakeSnapshot { .. });
        match decision {
            Decision::Apply(update) => self.sports.apply(lang, Arc::unwrap_or_clone(update), now_ms).await,
            Decision::TakeSnapshot { snapshot, replay } => {
                let offer = fold(&snapshot, replay.iter().map(|event| &**event));
                let matches: usize = offer.sports.iter().map(|sport| sport.matches.len()).sum();
                tracing::info!(lang = lang.code(), matches, "took a snapshot of {matches} matches in {}", lang.code());
                let announce = if self.sports.has_offer() { Publish::Each } else { Publish::Nobody };
                self.sports.replace(lang, offer, now_ms, announce).await;
            }
            Decision::RequestSnapshot { correlation } => {
                // If the queue is full, the request is repeated after its timeout.
                let _ = self.requests.try_send(SnapshotRequest { lang, correlation });
            }
            Decision::StateChanged(state) => self.change_state(lang, state).await,
            Decision::Ignore(ignored) => {
                metrics::counter!("kvota_feed_ignored_total", "cause" => ignored.cause()).increment(1);
            }
        }
        if changes_offer && lang == self.primary {
            self.sports.note_position(self.languages[lang].position());
        }
    }

    /// Publishes a new state of the feed. If the primary language is Down, clears the offer.
    async fn change_state(&mut self, lang: Lang, state: LivenessState) {
        tracing::info!(lang = lang.code(), ?state, "the feed in {} is {state:?}", lang.code());
        self.sports.set_feed(lang, shown(state));
        if state.is_down() && lang == self.primary {
            self.sports.clear().await;
        }
    }
}

fn seconds(ms: i64) -> f64 {
    ms as f64 / 1_000.0
}

/// The state as clients see it.
fn shown(state: LivenessState) -> FeedState {
    match state {
        LivenessState::Down(_) => FeedState::Inactive,
        LivenessState::Recovering => FeedState::Recovering,
        LivenessState::Active => FeedState::Active,
    }
}
