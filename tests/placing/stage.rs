//! Test support: the placement without HTTP, with an offer that the test sets, stores in memory that can be made to
//! fail, and short answers.

use kvota::betting::placement::{AcceptedBetFacts, AnswerBodies, Betting, Order, PlacementAnswer, Placements};
use kvota::http::AppState;
use kvota::testkit::builders::{MatchBuilder, price, usual_match};
use kvota::testkit::slip::{home_win, slip};
use kvota_domain::aggregate::MatchState;
use kvota_domain::ids::MatchId;
use kvota_domain::lang::{Lang, PerLang};
use kvota_domain::money::Money;
use kvota_domain::offer_event::FeedState;
use kvota_domain::session::SessionId;
use kvota_domain::ticket::{AccountFacts, Consent, Delays, PlacingLimits, Rejection, SubmittedTicket};
use kvota_read_model::ReadModel;
use kvota_store::nodes::{OrderSlot, SharedLimits};
use kvota_store::{
    AccountId, BetStore, Created, IdempotencyKey, KeepRefusal, Kept, KeyRecord, NewAccount, PlaceBet, Placed,
    StoreError, StoreFuture, StoredBet, Stores, TicketFilter, TicketId, TicketPage,
};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::time::{Instant, sleep_until};

/// The fixed time of the placement's clock, in ms since the epoch.
pub(crate) const NOW_MS: i64 = 1_700_000_000_000;

/// A placement with its offer and its stores.
pub(crate) struct Stage {
    pub(crate) model: Arc<ReadModel>,
    pub(crate) stores: Stores,
    pub(crate) placements: Placements,
    pub(crate) account: AccountId,
}

impl Stage {
    /// The matches 1, 2 … at these prices, an account with 1000.00, and a delay of `delay_seconds` for every bet.
    pub(crate) async fn with(delay_seconds: u32, prices: &[&str]) -> Stage {
        let delays = Delays { default_seconds: delay_seconds, ..Delays::default() };
        Stage::of(Betting { delays, ..Betting::default() }, prices, Stores::in_memory()).await
    }

    /// The same with chosen rules and stores.
    pub(crate) async fn of(betting: Betting, prices: &[&str], stores: Stores) -> Stage {
        let model = Arc::new(ReadModel::new(Lang::Hr, 1));
        model.set_feed(Lang::Hr, FeedState::Active);
        let placements = Placements::new(
            Arc::clone(&model),
            stores.clone(),
            betting,
            || NOW_MS,
            None,
            kvota::betting::bet_events::BetEvents::default(),
        );
        let account = account(&stores, "ana", 100_000).await;
        let stage = Stage { model, stores, placements, account };
        for (id, price) in (1..).zip(prices) {
            stage.put(usual_match(id, price));
        }
        stage
    }

    /// The same stores and the same offer, with another delay.
    pub(crate) fn with_delay(self, delay_seconds: u32) -> Stage {
        let delays = Delays { default_seconds: delay_seconds, ..Delays::default() };
        let betting = Betting { delays, ..Betting::default() };
        let (model, stores) = (Arc::clone(&self.model), self.stores.clone());
        let events = kvota::betting::bet_events::BetEvents::default();
        Stage { placements: Placements::new(model, stores, betting, || NOW_MS, None, events), ..self }
    }

    /// Inserts or replaces a match.
    pub(crate) fn put(&self, live_match: MatchBuilder) {
        put(&self.model, live_match);
    }

    /// An order on the home wins of these matches at the prices that the bettor saw.
    pub(crate) fn order(&self, key: u8, consent: Consent, pairs: &[(u64, &str)]) -> Order {
        let bruto = Money::from_cents(1_000);
        let ticket = slip(bruto, consent, pairs.iter().map(|(id, seen)| home_win(*id, price(seen))));
        order(self.account, IdempotencyKey([key; 16]), ticket)
    }

    /// The balance of the account.
    pub(crate) async fn balance(&self) -> String {
        let balance = self.stores.accounts.balance(self.account).await.expect("the store answers");
        balance.expect("the account is there").to_string()
    }
}

/// Advances the paused clock.
pub(crate) async fn pass(time: Duration) {
    sleep_until(Instant::now() + time).await;
}

/// A new account with this balance in cents.
pub(crate) async fn account(stores: &Stores, name: &str, cents: i64) -> AccountId {
    let opening = Money::from_cents(cents);
    let account =
        NewAccount { name: name.to_owned(), password_hash: String::new(), opening, now_ms: NOW_MS, external_id: None };
    match stores.accounts.create(account).await.expect("the store answers") {
        Created::Account(id) => id,
        Created::NameTaken | Created::ExternalIdTaken => panic!("{name} is there already"),
    }
}

pub(crate) fn put(model: &ReadModel, live_match: MatchBuilder) {
    let state = MatchState::inserted(&live_match.insert(), 0, &[], PerLang::default(), 1);
    model.put_match(Arc::new(state));
}

/// An order for a slip. Its digest is made from its key.
pub(crate) fn order(account: AccountId, key: IdempotencyKey, ticket: SubmittedTicket) -> Order {
    let digest = [key.0[0]; 32];
    let request_id = "0193f5c2-7d1e-4000-8000-0123456789ab".into();
    let (ticket, bodies) = (Some(ticket), Arc::new(Short));
    let session = SessionId::from_bytes([1; 16]);
    Order { account, session, check_due_at_ms: None, key, digest, ticket, lang: Lang::Hr, bodies, request_id }
}

/// Short answers: `refusedOddChanged Home 1 – Away 1`, or `taken 17: 1.85 2` with the revision of the validation.
pub(crate) struct Short;

impl AnswerBodies for Short {
    fn rejected(&self, rejection: Rejection, sides: &str, _: &[kvota_domain::ticket::ChangedPair]) -> Vec<u8> {
        format!("{} {sides}", rejection.key()).into_bytes()
    }

    fn accepted(&self, bet: &AcceptedBetFacts<'_>) -> Vec<u8> {
        let odds: Vec<String> = bet.bet.pairs.iter().map(|pair| pair.taken.to_string()).collect();
        format!("taken {}: {}", bet.version, odds.join(" ")).into_bytes()
    }
}

/// The status and text of an answer.
#[track_caller]
pub(crate) fn answered(answer: &PlacementAnswer) -> (u16, String) {
    match answer {
        PlacementAnswer::Answer(answer) => (answer.status, String::from_utf8_lossy(&answer.body).into_owned()),
        other => panic!("{other:?} is no answer"),
    }
}

/// Makes the placement use the stores that the state has now.
pub(crate) fn rebuild_placements(state: &mut AppState) {
    let (model, stores) = (Arc::clone(&state.read_model), state.stores.clone());
    state.placements = Placements::new(
        model,
        stores,
        Betting::default(),
        || NOW_MS,
        None,
        kvota::betting::bet_events::BetEvents::default(),
    );
}

/// A bet store that fails at a chosen step: `find_key`, `facts`, `place` (before anything is written), `reply` (after
/// it, so that the outcome is unknown), `keep_refusal`, `corrupt`.
pub(crate) struct Failing {
    bets: Arc<dyn BetStore>,
    where_to: Mutex<&'static str>,
}

impl Failing {
    pub(crate) fn over(bets: Arc<dyn BetStore>) -> Failing {
        Failing { bets, where_to: Mutex::new("") }
    }

    pub(crate) fn fail(&self, where_to: &'static str) {
        *self.where_to.lock().expect("nobody panicked with it") = where_to;
    }

    fn check(&self, here: &str) -> Result<(), StoreError> {
        match *self.where_to.lock().expect("nobody panicked with it") {
            "corrupt" => Err(StoreError::Corrupt { cause: "secret".to_owned() }),
            there if there == here => Err(StoreError::Unavailable { cause: "the test cut it".to_owned() }),
            _ => Ok(()),
        }
    }
}

impl SharedLimits for Failing {
    fn begin_order(
        &self,
        account: AccountId,
        key: IdempotencyKey,
        _max: usize,
        _lasts: Duration,
    ) -> StoreFuture<'_, OrderSlot> {
        Box::pin(async move { Ok(OrderSlot::on_only_node(self.find_key(account, key).await?)) })
    }
}

impl BetStore for Failing {
    fn place(&self, bet: PlaceBet) -> StoreFuture<'_, Placed> {
        Box::pin(async move {
            self.check("place")?;
            let placed = self.bets.place(bet).await;
            self.check("reply")?;
            placed
        })
    }

    fn keep_refusal(&self, rejection: KeepRefusal) -> StoreFuture<'_, Kept> {
        Box::pin(async move {
            self.check("keep_refusal")?;
            self.bets.keep_refusal(rejection).await
        })
    }

    fn find_key(&self, account: AccountId, key: IdempotencyKey) -> StoreFuture<'_, Option<KeyRecord>> {
        Box::pin(async move {
            self.check("find_key")?;
            self.bets.find_key(account, key).await
        })
    }

    fn facts<'a>(
        &'a self,
        account: AccountId,
        matches: &'a [MatchId],
        limits: PlacingLimits,
        now_ms: i64,
    ) -> StoreFuture<'a, Option<AccountFacts>> {
        Box::pin(async move {
            self.check("facts")?;
            self.bets.facts(account, matches, limits, now_ms).await
        })
    }

    fn tickets<'a>(
        &'a self,
        account: AccountId,
        filter: TicketFilter,
        after: Option<&'a TicketId>,
        limit: u32,
    ) -> StoreFuture<'a, Option<TicketPage>> {
        self.bets.tickets(account, filter, after, limit)
    }

    fn numbered_ticket(
        &self,
        account: AccountId,
        number: kvota_domain::bet::TicketNumber,
    ) -> StoreFuture<'_, Option<StoredBet>> {
        self.bets.numbered_ticket(account, number)
    }

    fn settlements<'a>(
        &'a self,
        account: AccountId,
        ticket: &'a TicketId,
    ) -> StoreFuture<'a, Vec<(kvota_domain::bet::BetState, kvota_domain::bet::StoredSettlement)>> {
        self.bets.settlements(account, ticket)
    }

    fn ticket<'a>(&'a self, account: AccountId, ticket: &'a TicketId) -> StoreFuture<'a, Option<StoredBet>> {
        self.bets.ticket(account, ticket)
    }
}
