//! The difference between two states of a match, split into row and detail (CONTRACT 3.3): the smallest change that
//! brings a reader from the old state to the new one. Odds are named by index, not by id, so that a price change is two
//! small numbers.

use super::clock::Clock;
use super::ids::{IdMap, MarketId};
use super::market::{Market, Odd};
use super::matches::{Match, Side};
use super::price::Price;
use std::sync::Arc;

/// The changes of a match by one update.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MatchDelta {
    /// The change of the row, if any.
    pub row: Option<PartDelta>,
    /// The change of the detail, if any.
    pub detail: Option<PartDelta>,
    /// Goals, soccer only.
    pub goals: Vec<Side>,
    /// Whether something can no longer be bet on: such a change must be sent without gathering (CONTRACT 3.5).
    pub urgent: bool,
    /// Markets with a line (sbv) that changed under the same id, which CONTRACT 0 forbids: open bets on the earlier line
    /// are parked.
    pub moved_lines: usize,
}

impl MatchDelta {
    /// Whether nothing changed for any reader.
    pub fn is_empty(&self) -> bool {
        self.row.is_none() && self.detail.is_none()
    }
}

/// The change of one part.
#[derive(Clone, PartialEq, Debug)]
pub enum PartDelta {
    /// Sent whole: its texts or its columns changed.
    Replace,
    /// Sent as a difference.
    Change(PartChange),
}

/// The difference in one part. Applying it first resets every movement mark (`changed`) of the part to 0.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PartChange {
    /// Fields of the match itself that have a new value (row part only).
    pub fields: Vec<Field>,
    /// The change of the part's markets, if they were added, removed, moved, or changed in more than prices.
    pub markets: Option<MarketsChange>,
    /// New prices with the odd's index among all odds of the part, after `markets` is applied. The mark follows from
    /// the old and the new price.
    pub prices: Vec<(usize, Price)>,
    /// Marks that do not follow from the prices.
    pub marks: Vec<(usize, i8)>,
    /// Indexes of odds whose texts by odds format changed.
    pub values: Vec<usize>,
    /// Whether the order of all markets of the match changed (detail part only).
    pub layout: bool,
    /// Whether the ball moved (detail part only).
    pub ball: bool,
    /// Whether the history continues (detail part only).
    pub history: bool,
}

/// A field of the match that changed; the value is in the match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "named as the fields of Match")]
pub enum Field {
    Status,
    Score,
    Scores,
    Clock,
    Betting,
    Suspended,
    RedCards,
    YellowCards,
    Corners,
    PlayerServing,
    Tiebreak,
    Game,
    NumberOfOdds,
    Order,
    ClockStopped,
    PerformEventId,
}

/// How the markets of a part changed.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MarketsChange {
    /// The ids in their new order, if the list itself changed.
    pub order: Option<Vec<MarketId>>,
    /// Markets to be sent whole: new ones, and those that changed in more than prices.
    pub fresh: Vec<MarketId>,
}

/// A state of a match, split into row and detail.
#[derive(Clone, Copy, Debug)]
pub struct Split<'a> {
    /// The match.
    pub live_match: &'a Match,
    /// Indexes of the row's markets, ascending ([`super::rows::row_markets`]).
    pub row: &'a [usize],
}

impl<'a> Split<'a> {
    /// The row's markets.
    pub fn row_markets(self) -> impl Iterator<Item = &'a Market> {
        self.row.iter().filter_map(move |place| self.live_match.markets.get(*place).map(Arc::as_ref))
    }

    /// All other markets.
    pub fn detail_markets(self) -> impl Iterator<Item = &'a Market> {
        let row = self.row;
        let rest =
            move |(place, market): (usize, &'a Arc<Market>)| row.binary_search(&place).is_err().then_some(&**market);
        self.live_match.markets.iter().enumerate().filter_map(rest)
    }
}

/// The changes from one state to the next. Does not compare the match's own texts:
/// [`super::aggregate::MatchState::updated`] replaces the row if they changed.
pub fn between(old: Split<'_>, new: Split<'_>) -> MatchDelta {
    let old_row: Vec<&Market> = old.row_markets().collect();
    let new_row: Vec<&Market> = new.row_markets().collect();
    let old_detail: Vec<&Market> = old.detail_markets().collect();
    let new_detail: Vec<&Market> = new.detail_markets().collect();

    let mut row = markets_between(&old_row, &new_row);
    row.change.fields = fields_between(old.live_match, new.live_match);
    let mut detail = markets_between(&old_detail, &new_detail);
    detail.change.layout = !same_ids(&old.live_match.markets, &new.live_match.markets);
    detail.change.ball = old.live_match.ball != new.live_match.ball;
    detail.change.history = old.live_match.history != new.live_match.history;

    let stopped = old.live_match.is_open() && !new.live_match.is_open();
    MatchDelta {
        goals: new.live_match.goals_since(old.live_match),
        urgent: stopped || row.withdrawn || detail.withdrawn,
        moved_lines: row.moved_lines + detail.moved_lines,
        row: row.into_delta(),
        detail: detail.into_delta(),
    }
}

fn same_ids(old: &[Arc<Market>], new: &[Arc<Market>]) -> bool {
    old.len() == new.len() && old.iter().zip(new).all(|(a, b)| a.id == b.id)
}

fn fields_between(old: &Match, new: &Match) -> Vec<Field> {
    let differs = [
        // Must come first: the meaning of the running clock depends on this flag.
        (Field::ClockStopped, old.clock_stopped != new.clock_stopped),
        (Field::Status, old.status != new.status),
        (Field::Score, old.score != new.score),
        (Field::Scores, old.scores != new.scores),
        (Field::Clock, !same_clock(old.clock.as_ref(), new.clock.as_ref())),
        (Field::Betting, old.betting != new.betting),
        (Field::Suspended, old.suspended != new.suspended),
        (Field::RedCards, old.red_cards != new.red_cards),
        (Field::YellowCards, old.yellow_cards != new.yellow_cards),
        (Field::Corners, old.corners != new.corners),
        (Field::PlayerServing, old.player_serving != new.player_serving),
        (Field::Tiebreak, old.tiebreak != new.tiebreak),
        (Field::Game, old.game != new.game),
        (Field::NumberOfOdds, old.number_of_odds() != new.number_of_odds()),
        (Field::Order, old.order != new.order),
        (Field::PerformEventId, old.perform_event_id != new.perform_event_id),
    ];
    differs.into_iter().filter_map(|(field, differs)| differs.then_some(field)).collect()
}

/// Ignores a new text in place of another text: that is a change of texts. A text in place of a clock is a change.
fn same_clock(old: Option<&Clock>, new: Option<&Clock>) -> bool {
    match (old, new) {
        (Some(Clock::Text(_)), Some(Clock::Text(_))) => true,
        _ => old == new,
    }
}

/// A change under construction.
struct Draft {
    change: PartChange,
    /// Whether any odd of the old part was marked: then even an empty change must be sent, to reset the marks.
    was_marked: bool,
    /// Whether a market or a price was withdrawn.
    withdrawn: bool,
    moved_lines: usize,
}

impl Draft {
    fn into_delta(self) -> Option<PartDelta> {
        let empty = PartChange::default();
        (self.was_marked || self.change != empty).then_some(PartDelta::Change(self.change))
    }
}

fn markets_between(old: &[&Market], new: &[&Market]) -> Draft {
    let mut draft = Draft { change: PartChange::default(), was_marked: false, withdrawn: false, moved_lines: 0 };
    draft.was_marked = old.iter().any(|market| market.has_moved());

    let same_order = old.len() == new.len() && old.iter().zip(new).all(|(a, b)| a.id == b.id);
    let by_id: IdMap<MarketId, &Market> =
        if same_order { IdMap::default() } else { old.iter().map(|market| (market.id, *market)).collect() };
    if !same_order {
        // Markets may number 100,000, so that each must be found at once.
        let kept: IdMap<MarketId, ()> = new.iter().map(|market| (market.id, ())).collect();
        draft.withdrawn = !old.iter().all(|market| kept.contains_key(&market.id));
        let order = Some(new.iter().map(|market| market.id).collect());
        draft.change.markets = Some(MarketsChange { order, fresh: Vec::new() });
    }

    let mut place = 0;
    for (index, market) in new.iter().enumerate() {
        let before = if same_order { Some(old[index]) } else { by_id.get(&market.id).copied() };
        match before {
            // The one that is held, and nothing is marked in it.
            Some(before) if std::ptr::eq(before, *market) && !market.has_moved() => {}
            Some(before) if before.same_shape(market) => draft.prices(place, before, market),
            _ => {
                draft.withdrawn |= before
                    .is_some_and(|before| lost_an_odd(before, market) || market.is_suspended && !before.is_suspended);
                draft.moved_lines += usize::from(before.is_some_and(|before| before.sbv != market.sbv));
                draft.change.markets.get_or_insert_default().fresh.push(market.id);
            }
        }
        place += market.odds.len();
    }
    draft
}

fn lost_an_odd(before: &Market, after: &Market) -> bool {
    let offered = |odd: &&Odd| odd.value.is_offered();
    before.odds.iter().filter(offered).any(|odd| !after.odds.iter().filter(offered).any(|kept| kept.id == odd.id))
}

impl Draft {
    fn prices(&mut self, first: usize, before: &Market, after: &Market) {
        for (offset, (old, new)) in before.odds.iter().zip(&after.odds).enumerate() {
            let place = first + offset;
            if old.value != new.value {
                self.change.prices.push((place, new.value));
                self.withdrawn |= !new.value.is_offered();
            }
            if new.mark() != movement(old.value, new.value) {
                self.change.marks.push((place, new.mark()));
            }
            if old.values != new.values {
                self.change.values.push(place);
            }
        }
    }
}

/// The movement mark of a price compared with the previous one (CONTRACT 0): 1 up, -1 down, 0 unchanged.
pub fn movement(before: Price, after: Price) -> i8 {
    match after.cmp(&before) {
        std::cmp::Ordering::Greater => 1,
        std::cmp::Ordering::Equal => 0,
        std::cmp::Ordering::Less => -1,
    }
}
