//! How results change a bet, and what a batch of bets books.

use crate::kit::{NOW_MS, ana, bet, held, money, result, settled};
use kvota_domain::bet::{BetChange, BetState, StoredResult};
use kvota_domain::ledger::{Batch, Holdings, LoadedBet, NewerResults, revise, revisions, taken_back};
use kvota_domain::money::Money;
use kvota_domain::settlement::{MatchResults, Outcome, PairResult, PostingKind, Settlement};
use proptest::prelude::*;
use std::collections::HashMap;

fn with(mut loaded: LoadedBet, results: &[Option<i64>]) -> LoadedBet {
    for (pair, now) in loaded.bet.pairs.iter_mut().zip(results) {
        pair.market = Some(result(1, *now));
    }
    loaded
}

fn won(paid: i64) -> Settlement {
    Settlement { outcome: Outcome::Won, gross: money(paid), win_tax: Money::ZERO, paid: money(paid) }
}

#[test]
fn bet_changes_when_its_results_do() {
    let won_before = || settled(bet(1, &["2"]), won(2_000), BetState::Won);
    let decided_before = |mut loaded: LoadedBet, result| {
        loaded.bet.pairs[0].kept = StoredResult { result, settled_at_ms: Some(0), reason: None };
        loaded
    };
    let mut cashed_out = bet(1, &["2"]);
    cashed_out.bet.state = BetState::CashedOut;
    let mut moved = with(bet(1, &["2"]), &[Some(1)]);
    moved.bet.pairs[0].line_moved = true;
    for (case, loaded, expected) in [
        ("no result", bet(1, &["2"]), None),
        ("won", with(bet(1, &["2"]), &[Some(1)]), Some((BetState::Won, false, true))),
        ("lost", with(bet(1, &["2"]), &[Some(0)]), Some((BetState::Lost, false, true))),
        ("one of two won", with(bet(1, &["2", "3"]), &[Some(1)]), Some((BetState::Open, false, false))),
        ("one of two lost", with(bet(1, &["2", "3"]), &[Some(0)]), Some((BetState::Lost, false, true))),
        ("won again", with(decided_before(won_before(), PairResult::Won), &[Some(1)]), None),
        (
            "corrected to lost",
            with(decided_before(won_before(), PairResult::Won), &[Some(0)]),
            Some((BetState::Lost, true, true)),
        ),
        (
            "opened again",
            with(decided_before(won_before(), PairResult::Won), &[None]),
            Some((BetState::Open, true, false)),
        ),
        ("cashed out: only its pair changes", with(cashed_out, &[Some(1)]), Some((BetState::CashedOut, false, false))),
        ("on another line than the market has now", moved, None),
    ] {
        let revision = revise(&loaded.bet);
        let facts = revision.map(|revision| (revision.state, revision.takes_back, revision.makes.is_some()));
        assert_eq!(facts, expected, "{case}");
    }
}

#[test]
fn correction_takes_back_more_than_the_balance_as_a_debt() {
    let loaded = settled(bet(1, &["2"]), won(2_000), BetState::Won);
    let revised = revisions(vec![with(loaded, &[Some(0)])]);
    assert_eq!(taken_back(&revised), [1]);
    let holdings = HashMap::from([(1, held(500, 0))]);
    // The payout was two postings: the stake and the winnings.
    let batch = Batch::of(revised.clone(), holdings.clone(), HashMap::from([(1, vec![11, 12])]), NOW_MS).unwrap();
    assert_eq!(batch.accounts[&1].balance, Money::ZERO);
    assert_eq!(batch.accounts[&1].receivable, money(1_500));
    assert!(matches!(batch.events[0].change, BetChange::Corrected(_)));
    let reversed: Vec<i64> = batch.postings.iter().filter_map(|row| row.reverses).collect();
    assert_eq!(reversed, [11, 12]);
    // The postings of another settlement than the current one: nothing is booked.
    assert!(Batch::of(revised.clone(), holdings, HashMap::from([(1, vec![11])]), NOW_MS).is_err());
    assert!(Batch::of(revised, HashMap::new(), HashMap::from([(1, vec![11, 12])]), NOW_MS).is_err());
}

#[test]
fn newer_result_counts_once_and_causes_work_only_if_its_content_differs() {
    let message = |results: Vec<_>| MatchResults {
        match_id: kvota_domain::ids::MatchId::new(5).unwrap(),
        markets: results,
        date_ms: None,
    };
    let stored = |version, content| HashMap::from([(result(1, None).market, (version, content))]);
    for (case, known, newer, changed) in [
        ("none is stored", HashMap::new(), 1, 1),
        ("an older one with the same content", stored(1, Some(result(1, Some(1)))), 1, 0),
        ("an older one with other content", stored(1, Some(result(1, Some(0)))), 1, 1),
        ("an older one that cannot be read", stored(1, None), 1, 1),
        ("one of the same version", stored(2, Some(result(2, Some(0)))), 0, 0),
        ("a newer one", stored(3, None), 0, 0),
    ] {
        let results = message(vec![result(2, Some(1)), result(2, Some(0))]);
        let found = NewerResults::of(&results, &known);
        assert_eq!((found.newer.len(), found.changed.len()), (newer, changed), "{case}");
    }
}

proptest! {
    /// Several bets of one account, each with a few results in turn: whatever the order of winning, losing and opening
    /// again, the account has what the last results pay.
    #[test]
    fn account_has_what_the_last_results_pay(
        histories in proptest::collection::vec(proptest::collection::vec(proptest::option::of(0_i64..=1), 1..5), 1..5),
    ) {
        let mut bets: Vec<LoadedBet> = (0..).zip(&histories).map(|(id, _)| bet(id, &["2.5"])).collect();
        let (mut account, mut next_posting) = (held(0, 0), 100);
        let mut postings: HashMap<i64, Vec<i64>> = HashMap::new();
        for step in 0..5 {
            for (bet, history) in bets.iter_mut().zip(&histories) {
                if let Some(now) = history.get(step) {
                    *bet = with(bet.clone(), &[*now]);
                }
            }
            let batch = Batch::of(revisions(bets.clone()), HashMap::from([(1, account)]), postings.clone(), NOW_MS).unwrap();
            let before: Holdings = account;
            account = batch.accounts.get(&1).copied().unwrap_or(account);
            prop_assert_eq!(account.revision - before.revision, batch.postings.len() as u64);
            for row in &batch.bets {
                postings.remove(&row.id);
            }
            for row in &batch.postings {
                if matches!(row.posting.kind, PostingKind::Payout | PostingKind::Refund) {
                    postings.entry(row.bet_id).or_default().push(next_posting);
                }
                next_posting += 1;
            }
            for row in &batch.pairs {
                bets[usize::try_from(row.bet_id).unwrap()].bet.pairs[row.position].kept = row.stored.clone();
            }
            for row in &batch.bets {
                let changed = &mut bets[usize::try_from(row.id).unwrap()];
                let made = batch.settlements.iter().find(|made| made.bet_id == row.id);
                (changed.bet.state, changed.settlements, changed.revision) = (row.state, row.settlements, row.revision);
                match (row.standing, made) {
                    (Some(_), Some(made)) => {
                        *changed = LoadedBet { settlements: row.settlements, revision: row.revision,
                            ..settled(changed.clone(), made.settlement, row.state) };
                    }
                    (Some(_), None) => {}
                    (None, _) => (changed.standing, changed.bet.standing) = (None, None),
                }
            }
        }
        let winners = histories.iter().filter(|history| history.last().copied().flatten() == Some(1)).count() as i64;
        prop_assert_eq!(account.balance.cents() - account.receivable.cents(), winners * 2_500);
        prop_assert!(account.balance >= Money::ZERO && account.receivable >= Money::ZERO);
        prop_assert_eq!(bets[0].account, ana());
    }
}
