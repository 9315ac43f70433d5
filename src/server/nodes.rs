//! The other nodes of the installation (CONTRACT 11). [`OtherNodes`] sends them which bets and results changed here;
//! [`follow`] passes on to the sessions of this node what they report.
//!
//! Must never read the store for a bettor without a connection on this node.

use crate::actors::session::sessions::Sessions;
use crate::betting::auto_cash_out::AutoCashOutQueue;
use crate::betting::bet_events::BetSubscriber;
use crate::betting::exclusion_register::PlayerRegister;
use crate::betting::settlement::{ResultsElsewhere, by_match};
use futures_util::{StreamExt, stream};
use kvota_domain::bet::{
    AccountId, AccountMoney, BetChange, BetEvent, BetProgress, CashOutProgress, StoredBet, TicketId,
};
use kvota_domain::ids::MatchId;
use kvota_read_model::ReadModel;
use kvota_store::nodes::{BetChangeKind, Change, NodeSender, Notice};
use kvota_store::{StoreError, Stores};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{Notify, mpsc};

/// How many matches are asked for in one query.
const MATCHES_AT_ONCE: usize = 500;
/// Reads of bets and of money at the same time: a quarter of the connections to the database.
const READS_AT_ONCE: usize = 4;
/// More changed bets of one account than this are read together with all its open bets.
const BETS_READ_ALONE_MAX: usize = 8;
/// The first pause after a failed read; it doubles with each failure in a row.
const MISSED_AGAIN_AFTER: Duration = Duration::from_secs(1);
const MISSED_AGAIN_AFTER_MAX: Duration = Duration::from_secs(15);

/// Sends bets and results to the other nodes.
#[derive(Clone, Debug)]
pub struct OtherNodes(pub NodeSender);

impl BetSubscriber for OtherNodes {
    fn bet_changed(&self, event: &BetEvent) {
        let kind = match &event.change {
            BetChange::Placed(_) => BetChangeKind::Placed,
            BetChange::PairDecided(_) => BetChangeKind::PairDecided,
            BetChange::Settled(_) => BetChangeKind::Settled,
            BetChange::Corrected(_) => BetChangeKind::Corrected,
            BetChange::CashedOut(_) => BetChangeKind::CashedOut,
            BetChange::CashOutRuleChanged(_) => BetChangeKind::CashOutRuleChanged,
        };
        let ticket_id = event.change.ticket_id().clone();
        self.0.send(Change::Bet { account: event.account, ticket_id, kind });
    }

    fn money_changed(&self, account: AccountId, _: AccountMoney) {
        self.0.send(Change::Account(account));
    }

    fn protection_changed(&self, account: AccountId) {
        self.0.send(Change::Account(account));
    }

    fn player_blocked(&self, account: AccountId) {
        self.0.send(Change::Register(account));
        self.0.send(Change::Account(account));
    }

    fn results_changed(&self, match_id: MatchId) {
        self.0.send(Change::Results(match_id));
    }

    fn results_read(&self, _: MatchId) {}
}

/// What the notices of other nodes concern on this node.
#[derive(Clone)]
pub struct NoticeReceivers {
    /// The sessions and the connections.
    pub sessions: Sessions,
    /// The rules of cash-outs.
    pub auto_cash_outs: AutoCashOutQueue,
    /// The settlement of watched bets.
    pub settled_elsewhere: ResultsElsewhere,
    /// The register of excluded players.
    pub register: PlayerRegister,
    /// What changed is read from here.
    pub stores: Stores,
    /// The offer.
    pub model: Arc<ReadModel>,
}

/// The notices of other nodes. One call of [`follow`] at a time takes them.
pub type Notices = Arc<tokio::sync::Mutex<mpsc::Receiver<Notice>>>;

/// Passes on what other nodes changed, until the link ends. Sessions and logouts never wait for what must be read from the
/// store.
pub async fn follow(notices: Notices, receivers: NoticeReceivers) {
    let mut notices = notices.lock().await;
    let reads = PendingReads::default();
    // A former call may have taken notices that it did not pass on.
    reads.add(|pending| pending.is_missed = true);
    let routing = async {
        while let Some(notice) = notices.recv().await {
            receivers.route(notice, &reads).await;
        }
    };
    tokio::select! {
        () = routing => {}
        () = receivers.read(&reads) => {}
    }
}

/// What is to be read from the store. Several notices about the same thing are one read.
#[derive(Default)]
struct PendingReads {
    pending: Mutex<Pending>,
    wake: Notify,
}

#[derive(Default)]
struct Pending {
    /// What happened to each bet, in order.
    bets: BTreeMap<AccountId, BTreeMap<TicketId, Vec<BetChangeKind>>>,
    accounts: BTreeSet<AccountId>,
    results: BTreeSet<MatchId>,
    is_missed: bool,
}

impl PendingReads {
    fn add(&self, add: impl FnOnce(&mut Pending)) {
        add(&mut self.pending.lock().unwrap_or_else(PoisonError::into_inner));
        self.wake.notify_one();
    }

    fn take(&self) -> Pending {
        std::mem::take(&mut *self.pending.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl NoticeReceivers {
    async fn route(&self, notice: Notice, reads: &PendingReads) {
        match notice {
            Notice::Changed(Change::Session(key)) => self.sessions.saved_elsewhere(key).await,
            Notice::Changed(Change::CookieEnded(key)) => self.sessions.cookie_ended_elsewhere(&key),
            Notice::Changed(Change::Register(account)) => self.register.forget(account),
            Notice::Changed(Change::Bet { account, ticket_id, kind }) => {
                self.auto_cash_outs.changed(account, &ticket_id, kind == BetChangeKind::CashOutRuleChanged);
                if self.sessions.has_bet_watchers(account) {
                    reads.add(|pending| {
                        let kinds = pending.bets.entry(account).or_default().entry(ticket_id).or_default();
                        if kinds.last() != Some(&kind) {
                            kinds.push(kind);
                        }
                    });
                }
            }
            Notice::Changed(Change::Account(account)) => {
                self.sessions.protection_changed(account);
                if self.sessions.has_bet_watchers(account) {
                    reads.add(|pending| {
                        pending.accounts.insert(account);
                    });
                }
            }
            Notice::Changed(Change::Results(id)) => {
                self.settled_elsewhere.changed(id);
                reads.add(|pending| {
                    pending.results.insert(id);
                });
            }
            Notice::Missed => {
                self.register.doubt_all();
                self.auto_cash_outs.read_all();
                reads.add(|pending| pending.is_missed = true);
            }
        }
    }

    /// Reads what changed, forever. A failure counts as missed notices, and everything is read again after a pause.
    async fn read(&self, reads: &PendingReads) {
        let mut pause = MISSED_AGAIN_AFTER;
        loop {
            reads.wake.notified().await;
            let pending = reads.take();
            match self.read_pending(pending).await {
                Ok(()) => pause = MISSED_AGAIN_AFTER,
                Err(error) => {
                    tracing::warn!("cannot read what another node changed: {error}");
                    tokio::time::sleep(pause).await;
                    pause = (pause * 2).min(MISSED_AGAIN_AFTER_MAX);
                    reads.add(|pending| pending.is_missed = true);
                }
            }
        }
    }

    async fn read_pending(&self, pending: Pending) -> Result<(), StoreError> {
        let Pending { bets, accounts, results, is_missed } = pending;
        let results: Vec<MatchId> = if is_missed {
            self.sessions.notices_missed().await;
            self.model.entries().iter().map(|entry| entry.state.live_match.id).collect()
        } else {
            results.into_iter().collect()
        };
        results_changed(&self.sessions, &self.stores, &self.model, &results).await?;
        let bets = bets.into_iter().map(|(account, tickets)| self.read_bets(account, tickets));
        let money = accounts.into_iter().map(|account| account_changed(&self.sessions, &self.stores, account));
        let mut bets = stream::iter(bets).buffer_unordered(READS_AT_ONCE);
        while let Some(read) = bets.next().await {
            read?;
        }
        let mut money = stream::iter(money).buffer_unordered(READS_AT_ONCE);
        while let Some(read) = money.next().await {
            read?;
        }
        Ok(())
    }

    async fn read_bets(
        &self,
        account: AccountId,
        tickets: BTreeMap<TicketId, Vec<BetChangeKind>>,
    ) -> Result<(), StoreError> {
        if tickets.len() > BETS_READ_ALONE_MAX {
            self.sessions.read_bets_again(account);
            return Ok(());
        }
        for (ticket_id, kinds) in tickets {
            bet_changed(&self.sessions, &self.stores, account, &ticket_id, &kinds).await?;
        }
        Ok(())
    }
}

async fn bet_changed(
    sessions: &Sessions,
    stores: &Stores,
    account: AccountId,
    ticket_id: &TicketId,
    kinds: &[BetChangeKind],
) -> Result<(), StoreError> {
    let (Some(bet), Some(money)) =
        (stores.bets.ticket(account, ticket_id).await?, stores.accounts.money(account).await?)
    else {
        return Ok(());
    };
    for kind in kinds {
        let bet = bet.clone();
        let change = match kind {
            BetChangeKind::Placed => BetChange::Placed(Arc::new(bet)),
            BetChangeKind::PairDecided => BetChange::PairDecided(Arc::new(progress(bet))),
            BetChangeKind::Settled => BetChange::Settled(Arc::new(progress(bet))),
            BetChangeKind::Corrected => BetChange::Corrected(Arc::new(progress(bet))),
            BetChangeKind::CashedOut => BetChange::CashedOut(Arc::new(progress(bet))),
            BetChangeKind::CashOutRuleChanged => BetChange::CashOutRuleChanged(Arc::new(progress(bet))),
        };
        sessions.bet_changed(&BetEvent { account, money, change });
    }
    Ok(())
}

async fn account_changed(sessions: &Sessions, stores: &Stores, account: AccountId) -> Result<(), StoreError> {
    if let Some(money) = stores.accounts.money(account).await? {
        sessions.money_changed(account, money);
    }
    Ok(())
}

fn progress(bet: StoredBet) -> BetProgress {
    BetProgress {
        possible: bet.possible(),
        odds_taken: bet.bet.pairs.iter().map(|pair| pair.odds_taken).collect(),
        ticket_id: bet.ticket_id,
        revision: bet.revision,
        state: bet.state,
        results: bet.results,
        settlement: bet.settlement,
        cash_out: Some(CashOutProgress { rest: bet.rest, cash_outs: bet.cash_outs, rule: bet.cash_out_rule }),
    }
}

async fn results_changed(
    sessions: &Sessions,
    stores: &Stores,
    model: &ReadModel,
    ids: &[MatchId],
) -> Result<(), StoreError> {
    let offered: Vec<MatchId> = ids.iter().copied().filter(|id| model.entry(*id).is_some()).collect();
    for ids in offered.chunks(MATCHES_AT_ONCE) {
        for results in by_match(stores.settlements.results(ids).await?) {
            model.note_stored_results(&results);
        }
        ids.iter().for_each(|id| sessions.results_changed(*id));
    }
    Ok(())
}
