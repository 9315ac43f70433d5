//! The domain's values as the arrays of the feed (CONTRACT 1), for whoever publishes it.
//!
//! Must never leave an element out: a reader by place counts on every one before the last it knows.

use crate::domain::Text;
use crate::domain::feed::{Change, FeedUpdate, MatchUpdate, SportUpdate, Time};
use crate::domain::lang::Lang;
use crate::domain::market::{Market, Odd};
use crate::domain::matches::{Ball, Match, Pair};
use crate::domain::price::Price;
use crate::domain::sport::PreferredColumn;
use crate::wire::msgpack::Writer;

/// A live event or a snapshot. A match's clock is written as [`MatchUpdate::time`] says, as of the update's date.
pub fn update(update: &FeedUpdate) -> Vec<u8> {
    let mut writer = Writer::new();
    let out = &mut writer;
    out.array(3);
    list(out, &update.sports, sport);
    out.option(update.number_of_matches, Writer::unsigned);
    out.option(update.date_ms, Writer::int);
    writer.into_bytes()
}

/// A feed-active message.
pub fn active(active: bool, date_ms: i64) -> Vec<u8> {
    let mut writer = Writer::new();
    writer.array(2);
    writer.flag(active);
    writer.int(date_ms);
    writer.into_bytes()
}

/// A request for a snapshot.
pub fn snapshot_request(lang: Lang) -> Vec<u8> {
    let mut writer = Writer::new();
    writer.array(1);
    writer.text(lang.code());
    writer.into_bytes()
}

fn sport(out: &mut Writer, update: &SportUpdate) {
    let sport = &update.sport;
    out.array(6);
    out.unsigned(sport.id.get());
    text(out, &sport.name);
    out.option(sport.order, Writer::int);
    list(out, &update.matches, match_update);
    out.option(sport.preferred.as_ref(), |out, columns| {
        list(out, columns, column);
    });
    out.option(sport.selected_preferred, Writer::int);
}

/// The order of the statements is the order of the elements.
fn match_update(out: &mut Writer, update: &MatchUpdate) {
    let live_match: &Match = &update.live_match;
    // The ball is ours, behind the contract's elements: without one, the match is as any other producer writes it.
    out.array(26 + usize::from(live_match.ball.is_some()));
    out.unsigned(live_match.id.get());
    text(out, &live_match.status);
    text(out, &live_match.home);
    text(out, &live_match.away);
    out.flag(live_match.betting);
    out.unsigned(match update.change {
        Change::Insert => 1,
        Change::Update => 2,
        Change::Delete => 3,
    });
    list(out, &live_match.markets, market);
    out.int(live_match.order);
    out.option(live_match.score, pair);
    list(out, &live_match.scores, |out, score| pair(out, *score));
    out.unsigned(live_match.sport_id.get());
    text(out, &live_match.sport_name);
    match &update.time {
        Time::None => out.nil(),
        Time::Seconds(seconds) => out.int(*seconds),
        Time::Text(shown) => out.text(shown),
    }
    text(out, &live_match.tournament);
    text(out, &live_match.tournament_description);
    text(out, &live_match.result);
    out.option(live_match.perform_event_id, Writer::unsigned);
    text(out, &live_match.perform_event_type);
    out.option(live_match.red_cards, pair);
    out.option(live_match.yellow_cards, pair);
    out.option(live_match.corners, pair);
    out.option(live_match.clock_stopped, Writer::flag);
    out.option(live_match.suspended, Writer::flag);
    out.option(live_match.player_serving, Writer::int);
    out.option(live_match.tiebreak, Writer::flag);
    out.option(live_match.game.as_ref(), |out, points| {
        list(out, points, |out, points| out.text(points));
    });
    if let Some(position) = live_match.ball {
        ball(out, position);
    }
}

fn ball(out: &mut Writer, ball: Ball) {
    out.array(4);
    for number in [ball.x, ball.y, ball.side, ball.action] {
        out.unsigned(number.into());
    }
}

fn market(out: &mut Writer, market: &Market) {
    out.array(12);
    out.unsigned(market.id.get());
    text(out, &market.name);
    text(out, &market.short);
    text(out, &market.special);
    text(out, &market.sbv);
    out.int(market.kind);
    out.option(market.subtype, Writer::int);
    out.option(market.order, Writer::int);
    list(out, &market.odds, odd);
    out.option(market.balanced, Writer::flag);
    text(out, &market.description);
    list(out, &market.tags, |out, tag| out.text(tag));
}

fn odd(out: &mut Writer, odd: &Odd) {
    out.array(7);
    out.unsigned(odd.id.get());
    text(out, &odd.kind);
    price(out, odd.value);
    out.option(odd.values.as_ref(), |out, values| {
        list(out, values, |out, value| out.text(value));
    });
    text(out, &odd.alias);
    out.option(odd.changed, |out, changed| out.int(changed.into()));
    text(out, &odd.description);
}

fn column(out: &mut Writer, column: &PreferredColumn) {
    out.array(5);
    out.int(column.order);
    text(out, &column.name);
    list(out, &column.fields, |out, field| out.text(field));
    out.flag(column.hidden);
    list(out, &column.markets, |out, market| {
        out.array(3);
        out.int(market.market_kind);
        text(out, &market.status);
        text(out, &market.format);
    });
}

/// An integer where it is whole, else a double: the nearest double to thousandths rounds back to the same thousandths.
fn price(out: &mut Writer, price: Price) {
    let thousandths = price.thousandths();
    if thousandths.is_multiple_of(1000) {
        out.unsigned((thousandths / 1000).into());
    } else {
        out.f64(f64::from(thousandths) / 1000.0);
    }
}

fn pair(out: &mut Writer, [home, away]: Pair) {
    out.array(2);
    out.int(home);
    out.int(away);
}

fn text(out: &mut Writer, text: &Option<Text>) {
    out.option(text.as_deref(), Writer::text);
}

fn list<T>(out: &mut Writer, items: &[T], mut item: impl FnMut(&mut Writer, &T)) {
    out.array(items.len());
    for it in items {
        item(out, it);
    }
}
