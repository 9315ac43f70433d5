//! Encodes domain values as the arrays of the feed (CONTRACT 1), for publishers. Markets, odds and columns use
//! `wire::entities`, like the hub.
//!
//! Must not leave an element out: readers find each element by its index.

use crate::Encoding;
use crate::array::{ArrayWriter, write_array_header};
use crate::entities::{AsSent, Elements, Positional};
use kvota_domain::feed::{Change, FeedUpdate, MatchUpdate, SportUpdate, Time};
use kvota_domain::lang::Lang;
use kvota_domain::matches::Match;

/// Elements of a match that belong to the contract. Our ball and history come after them.
const MATCH_ELEMENTS: usize = 26;

/// A live event or a snapshot. A match's clock is written from [`MatchUpdate::time`], as of the update's date.
pub fn update(update: &FeedUpdate) -> Vec<u8> {
    let mut bytes = Vec::new();
    array(&mut bytes, 3)
        .with(|out, _| list(out, &update.sports, sport))
        .item(&update.number_of_matches)
        .item(&update.date_ms)
        .end();
    bytes
}

/// A feed-active message.
pub fn active(active: bool, date_ms: i64) -> Vec<u8> {
    let mut bytes = Vec::new();
    array(&mut bytes, 2).item(&active).item(&date_ms).end();
    bytes
}

/// A request for a snapshot.
pub fn snapshot_request(lang: Lang) -> Vec<u8> {
    let mut bytes = Vec::new();
    array(&mut bytes, 1).item(&lang.code()).end();
    bytes
}

fn array(out: &mut Vec<u8>, len: usize) -> ArrayWriter<'_> {
    ArrayWriter::begin(out, Encoding::Msgpack, len)
}

fn list<T>(out: &mut Vec<u8>, items: &[T], item: impl Fn(&mut Vec<u8>, &T)) {
    write_array_header(out, items.len());
    items.iter().for_each(|it| item(out, it));
}

fn sport(out: &mut Vec<u8>, update: &SportUpdate) {
    let sport = &update.sport;
    array(out, 6)
        .item(&sport.id.get())
        .item(&sport.name)
        .item(&sport.order)
        .with(|out, _| list(out, &update.matches, match_update))
        .item(&sport.preferred.as_deref().map(Positional))
        .item(&sport.selected_preferred)
        .end();
}

/// The order of the lines is the order of the elements.
fn match_update(out: &mut Vec<u8>, update: &MatchUpdate) {
    let live_match: &Match = &update.live_match;
    // A match without ball and history has only the contract's elements.
    let ours = if live_match.history.is_some() { 2 } else { usize::from(live_match.ball.is_some()) };
    let mut elements = array(out, MATCH_ELEMENTS + ours);
    elements
        .item(&live_match.id.get())
        .item(&live_match.status)
        .item(&live_match.home)
        .item(&live_match.away)
        .item(&live_match.betting)
        .item(&number(update.change))
        .item(&Elements(live_match.markets.iter().map(|market| AsSent(&**market))))
        .item(&live_match.order)
        .item(&live_match.score)
        .item(&live_match.scores)
        .item(&live_match.sport_id.get())
        .item(&live_match.sport_name);
    match &update.time {
        Time::None => elements.item(&()),
        Time::Seconds(seconds) => elements.item(seconds),
        Time::Text(text) => elements.item(text),
    };
    elements
        .item(&live_match.tournament)
        .item(&live_match.tournament_description)
        .item(&live_match.result)
        .item(&live_match.perform_event_id)
        .item(&live_match.perform_event_type)
        .item(&live_match.red_cards)
        .item(&live_match.yellow_cards)
        .item(&live_match.corners)
        .item(&live_match.clock_stopped)
        .item(&live_match.suspended)
        .item(&live_match.player_serving)
        .item(&live_match.tiebreak)
        .item(&live_match.game);
    if ours > 0 {
        elements.item(&live_match.ball.as_ref().map(Positional));
    }
    if let Some(history) = live_match.history.as_deref() {
        elements.item(&Positional(history));
    }
    elements.end();
}

fn number(change: Change) -> u8 {
    match change {
        Change::Insert => 1,
        Change::Update => 2,
        Change::Delete => 3,
    }
}
