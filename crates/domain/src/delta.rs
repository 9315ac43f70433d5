//! What changed of a match between two states, split into its row and its detail (DESIGN 2.2): the smallest thing
//! that brings a reader of the old state to the new one. Odds are named by their place, not by their id: a price
//! change is then two small numbers.

use super::clock::Clock;
use super::ids::{IdMap, MarketId};
use super::market::{Market, Odd};
use super::matches::{Match, Side};
use super::price::Price;

/// What an update did to a match.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MatchDelta {
    /// The list's part, where it changed.
    pub row: Option<PartDelta>,
    /// The rest, where it changed.
    pub detail: Option<PartDelta>,
    /// Goals, soccer only.
    pub goals: Vec<Side>,
    /// Something can no longer be bet on: it must not wait for companions (CONTRACT 3.5).
    pub urgent: bool,
}

impl MatchDelta {
    /// Whether nothing changed for anybody.
    pub fn is_empty(&self) -> bool {
        self.row.is_none() && self.detail.is_none()
    }
}

/// The change of one part.
#[derive(Clone, PartialEq, Debug)]
pub enum PartDelta {
    /// Told whole: its words changed, or its columns.
    Replace,
    /// Told as what differs.
    Change(PartChange),
}

/// What differs in one part. Applying it first takes every movement mark (`changed`) of the part back to 0.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PartChange {
    /// Fields of the match itself that have a new value (row part only).
    pub fields: Vec<Field>,
    /// The part's markets, where they came, went, moved or changed in more than prices.
    pub markets: Option<MarketsChange>,
    /// New prices: the odd's place among all odds of the part, after `markets`; its mark follows from old and new.
    pub prices: Vec<(usize, Price)>,
    /// Marks the rule above does not give.
    pub marks: Vec<(usize, i8)>,
    /// Places of odds whose texts by odds format changed.
    pub values: Vec<usize>,
    /// Whether the order of all markets of the match changed (detail part only).
    pub layout: bool,
    /// Where the ball is now (detail part only), where it moved.
    pub ball: bool,
    /// What has happened so far (detail part only), where it goes on.
    pub history: bool,
}

/// A field of the match that changed; its value stands in the match.
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
    /// The ids in their new order, where the list itself changed.
    pub order: Option<Vec<MarketId>>,
    /// Markets to be told whole: new ones, and those that changed in more than prices.
    pub fresh: Vec<MarketId>,
}

/// One state of a match with its split.
#[derive(Clone, Copy, Debug)]
pub struct Split<'a> {
    /// The match.
    pub live_match: &'a Match,
    /// The places of its row's markets, ascending ([`super::rows::row_markets`]).
    pub row: &'a [usize],
}

impl<'a> Split<'a> {
    /// The row's markets.
    pub fn row_markets(self) -> impl Iterator<Item = &'a Market> {
        self.row.iter().filter_map(move |place| self.live_match.markets.get(*place))
    }

    /// All other markets.
    pub fn detail_markets(self) -> impl Iterator<Item = &'a Market> {
        let row = self.row;
        let rest = move |(place, market)| (row.binary_search(&place).is_err()).then_some(market);
        self.live_match.markets.iter().enumerate().filter_map(rest)
    }
}

/// What leads from one state to the next. Words of the match itself are not compared: see
/// [`super::aggregate::MatchState::updated`], which replaces the row where they changed.
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
        row: row.into_delta(),
        detail: detail.into_delta(),
    }
}

fn same_ids(old: &[Market], new: &[Market]) -> bool {
    old.len() == new.len() && old.iter().zip(new).all(|(a, b)| a.id == b.id)
}

fn fields_between(old: &Match, new: &Match) -> Vec<Field> {
    let differs = [
        // The running clock's meaning depends on this flag: it comes first.
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

/// Texts are words: a new text on both sides is not a number's change, but one taking the place of a clock is.
fn same_clock(old: Option<&Clock>, new: Option<&Clock>) -> bool {
    match (old, new) {
        (Some(Clock::Text(_)), Some(Clock::Text(_))) => true,
        _ => old == new,
    }
}

/// A change under construction.
struct Draft {
    change: PartChange,
    /// Any odd of the old part was marked: even an otherwise empty change must be told, to take the marks back.
    was_marked: bool,
    /// A market or a price went away.
    withdrawn: bool,
}

impl Draft {
    fn into_delta(self) -> Option<PartDelta> {
        let empty = PartChange::default();
        (self.was_marked || self.change != empty).then_some(PartDelta::Change(self.change))
    }
}

fn markets_between(old: &[&Market], new: &[&Market]) -> Draft {
    let mut draft = Draft { change: PartChange::default(), was_marked: false, withdrawn: false };
    draft.was_marked = old.iter().flat_map(|market| &market.odds).any(|odd| mark(odd) != 0);

    let same_order = old.len() == new.len() && old.iter().zip(new).all(|(a, b)| a.id == b.id);
    let by_id: IdMap<MarketId, &Market> =
        if same_order { IdMap::default() } else { old.iter().map(|market| (market.id, *market)).collect() };
    if !same_order {
        let stays = |market: &&Market| new.iter().any(|kept| kept.id == market.id);
        draft.withdrawn = !old.iter().all(stays);
        let order = Some(new.iter().map(|market| market.id).collect());
        draft.change.markets = Some(MarketsChange { order, fresh: Vec::new() });
    }

    let mut place = 0;
    for (index, market) in new.iter().enumerate() {
        let before = if same_order { Some(old[index]) } else { by_id.get(&market.id).copied() };
        match before {
            Some(before) if before.same_shape(market) => draft.prices(place, before, market),
            _ => {
                draft.withdrawn |= before.is_some_and(|before| lost_an_odd(before, market));
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
            if mark(new) != movement(old.value, new.value) {
                self.change.marks.push((place, mark(new)));
            }
            if old.values != new.values {
                self.change.values.push(place);
            }
        }
    }
}

fn mark(odd: &Odd) -> i8 {
    odd.changed.unwrap_or_default()
}

/// The mark of a price against the one before (CONTRACT 0): 1 up, -1 down, 0 unchanged.
pub fn movement(before: Price, after: Price) -> i8 {
    match after.cmp(&before) {
        std::cmp::Ordering::Greater => 1,
        std::cmp::Ordering::Equal => 0,
        std::cmp::Ordering::Less => -1,
    }
}
