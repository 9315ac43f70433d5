//! The other nodes of the installation (CONTRACT 11). [`OtherNodes`] sends them which bets and results changed here;
//! [`follow`] passes on to the sessions of this node what they report.
//!
//! Must never read the store for a bettor without a connection on this node.

use crate::actors::session::sessions::Sessions;
use crate::betting::bet_events::BetSubscriber;
use crate::betting::cash_out_rules::CashOutRuleQueue;
use crate::betting::register::PlayerRegister;
use crate::betting::settlement::{ResultsElsewhere, by_match};
use kvota_domain::bet::{
    AccountId, AccountMoney, BetChange, BetEvent, BetProgress, CashOutProgress, StoredBet, TicketId,
};
use kvota_domain::ids::MatchId;
use kvota_read_model::ReadModel;
use kvota_store::nodes::{BetChangeKind, Change, NodeSender, Notice};
use kvota_store::{StoreError, Stores};
use std::sync::Arc;
use tokio::sync::mpsc;

/// How many matches are asked for in one query.
const MATCHES_AT_ONCE: usize = 500;

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

    fn results_changed(&self, match_id: MatchId) {
        self.0.send(Change::Results(match_id));
    }

    fn results_read(&self, _: MatchId) {}
}

/// Passes on what other nodes changed, until the link ends.
pub async fn follow(
    mut notices: mpsc::Receiver<Notice>,
    sessions: Sessions,
    rules: CashOutRuleQueue,
    settled_elsewhere: ResultsElsewhere,
    register: PlayerRegister,
    stores: Stores,
    model: Arc<ReadModel>,
) {
    while let Some(notice) = notices.recv().await {
        let followed = match notice {
            Notice::Changed(Change::Session(key)) => {
                sessions.saved_elsewhere(key).await;
                Ok(())
            }
            Notice::Changed(Change::CookieEnded(key)) => {
                sessions.cookie_ended_elsewhere(&key);
                Ok(())
            }
            Notice::Changed(Change::Bet { account, ticket_id, kind }) => {
                rules.changed(account, &ticket_id, kind == BetChangeKind::CashOutRuleChanged);
                bet_changed(&sessions, &stores, account, &ticket_id, kind).await
            }
            Notice::Changed(Change::Account(account)) => {
                register.forget(account);
                account_changed(&sessions, &stores, account).await
            }
            Notice::Changed(Change::Results(id)) => {
                settled_elsewhere.changed(id);
                results_changed(&sessions, &stores, &model, &[id]).await
            }
            Notice::Missed => {
                sessions.notices_missed().await;
                rules.read_all();
                let offered: Vec<MatchId> = model.entries().iter().map(|entry| entry.state.live_match.id).collect();
                results_changed(&sessions, &stores, &model, &offered).await
            }
        };
        if let Err(error) = followed {
            tracing::warn!("cannot read what another node changed: {error}");
            sessions.notices_missed().await;
        }
    }
}

async fn bet_changed(
    sessions: &Sessions,
    stores: &Stores,
    account: AccountId,
    ticket_id: &TicketId,
    kind: BetChangeKind,
) -> Result<(), StoreError> {
    if !sessions.has_bet_watchers(account) {
        return Ok(());
    }
    let (Some(bet), Some(money)) =
        (stores.bets.ticket(account, ticket_id).await?, stores.accounts.money(account).await?)
    else {
        return Ok(());
    };
    let change = match kind {
        BetChangeKind::Placed => BetChange::Placed(Arc::new(bet)),
        BetChangeKind::PairDecided => BetChange::PairDecided(Arc::new(progress(bet))),
        BetChangeKind::Settled => BetChange::Settled(Arc::new(progress(bet))),
        BetChangeKind::Corrected => BetChange::Corrected(Arc::new(progress(bet))),
        BetChangeKind::CashedOut => BetChange::CashedOut(Arc::new(progress(bet))),
        BetChangeKind::CashOutRuleChanged => BetChange::CashOutRuleChanged(Arc::new(progress(bet))),
    };
    sessions.bet_changed(&BetEvent { account, money, change });
    Ok(())
}

async fn account_changed(sessions: &Sessions, stores: &Stores, account: AccountId) -> Result<(), StoreError> {
    sessions.protection_changed(account);
    if sessions.has_bet_watchers(account)
        && let Some(money) = stores.accounts.money(account).await?
    {
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
            model.note_results(&results);
        }
        ids.iter().for_each(|id| sessions.results_changed(*id));
    }
    Ok(())
}
