//! Test support: browser tabs without sockets, bettors, matches and commands.

use kvota::actors::offer_context::OfferContext;
use kvota::actors::session::SessionHandle;
use kvota::actors::session::inbox::{Answer, SessionInbox, SessionOutput};
use kvota::actors::session::session_actor::RequestKind;
use kvota::actors::session::sessions::{Bettor, SessionDependencies, Sessions};
use kvota::testkit::builders::{MatchBuilder, live_match, match_id, result, soccer};
use kvota::testkit::world::{NOW_MS, PATIENCE, World};
use kvota_domain::ids::{MarketId, OddId};
use kvota_domain::lang::{Lang, PerLang};
use kvota_domain::offer_event::FeedState;
use kvota_domain::session::SessionId;
use kvota_domain::session_state::SessionCommand;
use kvota_domain::ticket::{Consent, Rules, TicketCommand, TicketError, TicketKind};
use kvota_domain::{aggregate::MatchState, feed::MatchUpdate};
use kvota_read_model::ReadModel;
use kvota_store::{AccountId, Login, NewAccount, SessionOwner, Stores};
use kvota_wire::hub::ticket::{PairState, TicketInfo};
use std::future::poll_fn;
use std::sync::Arc;
use std::task::{Poll, Waker};

/// The cookie of a bettor.
pub(crate) fn cookie(number: u8) -> SessionId {
    SessionId::from_bytes([number; 16])
}

/// An anonymous bettor.
pub(crate) fn anonymous(number: u8) -> Bettor {
    Bettor::anonymous(cookie(number))
}

/// An account, logged in under a cookie.
pub(crate) async fn account(stores: &Stores, name: &str, number: u8) -> AccountId {
    let opening = kvota_domain::money::Money::from_cents(100_000);
    let account =
        NewAccount { name: name.to_owned(), password_hash: "x".to_owned(), opening, now_ms: NOW_MS, external_id: None };
    let made = stores.accounts.create(account).await.expect("the store keeps it");
    let kvota_store::Created::Account(id) = made else { panic!("{name} is taken") };
    log_in(stores, id, number).await;
    id
}

pub(crate) async fn log_in(stores: &Stores, account: AccountId, number: u8) {
    let login = Login::until(account, NOW_MS + 1_000_000);
    stores.accounts.log_in(cookie(number), login.into()).await.expect("the store keeps it");
}

/// A match with the market `id * 10`, a full-time result with the odds `id * 1000`, `+ 1` and `+ 2`.
pub(crate) fn base(id: u64) -> MatchBuilder {
    live_match(id).market(result(id * 10, ["1.50", "4.00", "6.00"]))
}

pub(crate) fn with_price(id: u64, price: &str) -> MatchBuilder {
    live_match(id).market(result(id * 10, [price, "4.00", "6.00"]))
}

/// The home win of a [`base`] match.
pub(crate) fn pick(id: u64) -> SessionCommand {
    pick_odd(id, id * 1000)
}

pub(crate) fn pick_odd(id: u64, odd: u64) -> SessionCommand {
    SessionCommand::Ticket(TicketCommand::Pick {
        match_id: match_id(id),
        market_id: MarketId::new(id * 10).expect("an id"),
        odd_id: OddId::new(odd).expect("an id"),
    })
}

pub(crate) fn favourite(id: u64, on: bool) -> SessionCommand {
    SessionCommand::Favourite { match_id: match_id(id), on }
}

pub(crate) fn stake(text: &str) -> SessionCommand {
    SessionCommand::Ticket(TicketCommand::Stake(text.to_owned()))
}

/// One command for each of the other verbs, in an order in which all of them are valid.
pub(crate) fn other_verbs() -> Vec<SessionCommand> {
    [
        TicketCommand::Type(TicketKind::System),
        TicketCommand::Combination(Some(1)),
        TicketCommand::Consent(Consent::Higher),
        TicketCommand::Fix { match_id: match_id(2), on: true },
    ]
    .map(SessionCommand::Ticket)
    .into()
}

/// A live world with three matches.
pub(crate) async fn world_over(stores: Stores) -> World {
    let mut world = World::over(stores).await;
    publish(&mut world, (1..=3).map(|id| base(id).insert()).collect()).await;
    world
}

pub(crate) async fn publish(world: &mut World, matches: Vec<MatchUpdate>) {
    world.feed.publish(matches).await;
    world.settle().await;
}

/// Sessions on this thread, over an offer that does not change: for tests that pause the clock.
pub(crate) fn sessions_over_constant_offer(stores: &Stores) -> (Sessions, OfferContext) {
    let model = Arc::new(ReadModel::new(Lang::Hr, 1));
    Lang::ALL.into_iter().for_each(|lang| model.set_feed(lang, FeedState::Active));
    let columns = soccer().preferred.unwrap_or_default();
    for id in 1..=3 {
        let state = MatchState::inserted(&base(id).insert(), NOW_MS, &columns, PerLang::default(), 1);
        model.put_match(Arc::new(state));
    }
    let offer = OfferContext::new(Arc::clone(&model));
    let sessions = Sessions::start_here(SessionDependencies {
        model,
        bus: offer.bus.clone(),
        fail_points: offer.fail_points.clone(),
        sessions: Arc::clone(&stores.sessions),
        accounts: Arc::clone(&stores.accounts),
        protection: Arc::clone(&stores.protection),
        shared_limits: Arc::clone(&stores.shared_limits),
        nodes: Default::default(),
        rules: Rules::default(),
        now_ms: || NOW_MS,
    });
    (sessions, offer)
}

/// Advances the paused clock by `ms`, and lets all due timers run.
pub(crate) async fn pass(ms: u64) {
    let mut left = ms;
    while left > 0 {
        let step = left.min(1_000);
        tokio::time::advance(std::time::Duration::from_millis(step)).await;
        // A message goes through several actors, and each needs a turn of this thread.
        for _ in 0..64 {
            tokio::task::yield_now().await;
        }
        left -= step;
    }
}

/// A tab of a browser.
pub(crate) struct Tab {
    inbox: Arc<SessionInbox>,
    handle: SessionHandle,
    n: u64,
    /// The latest ticket received.
    pub(crate) ticket: Option<Arc<TicketInfo>>,
    /// The latest favourites received.
    pub(crate) favourites: Option<Vec<u64>>,
    /// How many tickets were received.
    pub(crate) tickets: usize,
    /// The acknowledgements of commands and marks, in order.
    pub(crate) answers: Vec<Answer>,
    /// Whether the server has ended the connection.
    pub(crate) is_over: bool,
}

impl Tab {
    /// A tab with a cookie from an earlier visit.
    pub(crate) async fn open(sessions: &Sessions, bettor: &Bettor) -> Tab {
        Tab::open_as(sessions, bettor, cookie_of(bettor), Lang::Hr, false).await
    }

    pub(crate) async fn open_as(
        sessions: &Sessions,
        bettor: &Bettor,
        cookie: SessionId,
        lang: Lang,
        is_new: bool,
    ) -> Tab {
        let inbox = Arc::new(SessionInbox::new(cookie, lang));
        let handle = sessions.attach(bettor, Arc::clone(&inbox), is_new).await.expect("the sessions live");
        let (ticket, favourites, answers) = (None, None, Vec::new());
        Tab { inbox, handle, n: 0, ticket, favourites, tickets: 0, answers, is_over: false }
    }

    /// Sends a command and waits for its outcome. Output sent before the acknowledgement is applied first.
    pub(crate) async fn command(&mut self, command: SessionCommand) -> Result<(), TicketError> {
        let n = self.send(command);
        let is_mine = move |answer: &Answer| matches!(answer, Answer::Command { n: of, .. } if *of == n);
        self.until(|tab| tab.answers.iter().any(is_mine)).await;
        match self.answers.iter().find(|answer| is_mine(answer)) {
            Some(Answer::Command { outcome, .. }) => *outcome,
            _ => unreachable!("it was just found"),
        }
    }

    /// Sends a command without waiting; its sequence number.
    pub(crate) fn send(&mut self, command: SessionCommand) -> u64 {
        self.n += 1;
        self.handle.send(RequestKind::Command { n: self.n, command }).expect("the session lives");
        self.n
    }

    /// Waits until all output sent so far is applied.
    pub(crate) async fn settle(&mut self) {
        let marks = |tab: &Tab| tab.answers.iter().filter(|answer| **answer == Answer::Mark).count();
        let before = marks(self);
        self.handle.send(RequestKind::Mark).expect("the session lives");
        self.until(|tab| marks(tab) > before).await;
    }

    /// Applies output until a condition holds.
    ///
    /// # Panics
    /// When it does not hold in time.
    #[track_caller]
    pub(crate) fn until(&mut self, is_so: impl Fn(&Tab) -> bool) -> impl Future<Output = ()> {
        let caller = std::panic::Location::caller();
        async move {
            let wait = async {
                while !is_so(self) {
                    let output = poll_fn(|cx| self.inbox.take(cx.waker()).map_or(Poll::Pending, Poll::Ready)).await;
                    self.take(output);
                }
            };
            let waited = tokio::time::timeout(PATIENCE, wait).await;
            assert!(waited.is_ok(), "{caller}: waited in vain");
        }
    }

    /// Applies the output that is pending now.
    pub(crate) fn take_what_waits(&mut self) {
        while let Some(output) = self.inbox.take(Waker::noop()) {
            self.take(output);
        }
    }

    fn take(&mut self, output: SessionOutput) {
        if output.ticket.is_some() {
            self.ticket = output.ticket;
            self.tickets += 1;
        }
        if let Some(favourites) = output.favourites {
            self.favourites = Some(favourites.iter().map(|id| id.get()).collect());
        }
        self.answers.extend(output.answers);
        self.is_over |= output.is_over;
    }

    /// The matches on the ticket.
    pub(crate) fn pairs(&self) -> Vec<u64> {
        let pairs = self.ticket.iter().flat_map(|ticket| &ticket.ticket.pairs);
        pairs.map(|pair| pair.match_id.get()).collect()
    }

    /// The pair of a match as it is now.
    pub(crate) fn pair(&self, id: u64) -> Option<&PairState> {
        let ticket = self.ticket.as_ref()?;
        let place = ticket.ticket.pairs.iter().position(|pair| pair.match_id.get() == id)?;
        ticket.pairs.get(place)
    }

    /// Waits for a ticket of these matches.
    pub(crate) async fn until_pairs(&mut self, ids: &[u64]) {
        self.until(|tab| tab.ticket.is_some() && tab.pairs() == ids).await;
    }

    /// Closes the tab.
    pub(crate) fn close(mut self) {
        self.handle.hang_up();
    }

    pub(crate) fn panic(&self) {
        self.handle.panic();
    }
}

fn cookie_of(bettor: &Bettor) -> SessionId {
    match bettor.owner {
        SessionOwner::Anonymous(session) => session,
        SessionOwner::Account(_) => cookie(255),
    }
}
