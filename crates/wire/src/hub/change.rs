//! Encodes *row change* and *detail change*, which are sent hundreds of times a second, so every byte counts. One
//! changed odd of a row is a dozen bytes: the message, the match, the previous revision, the odd's index, its price.

use super::message::Part;
use crate::Encoding;
use crate::array::ArrayWriter;
use crate::entities::Positional;
use crate::matches::Localised;
use kvota_domain::aggregate::MatchState;
use kvota_domain::clock::Clock;
use kvota_domain::delta::{Field, MarketsChange, PartChange};
use kvota_domain::ids::{IdMap, MarketId};
use kvota_domain::market::{Market, Odd};

const MARKETS: i8 = -20;
const MARKS: i8 = -21;
const VALUES: i8 = -22;
const LAYOUT: i8 = -23;
const BALL: i8 = -24;
const HISTORY: i8 = -25;

/// Appends the change that leads from revision `follows` to `state`.
pub(super) fn write_change<'o>(
    begin: impl FnOnce(usize) -> ArrayWriter<'o>,
    localised: &Localised<'_>,
    state: &MatchState,
    part: Part,
    follows: u32,
    change: &PartChange,
) {
    let kind = match part {
        Part::Row => 4,
        Part::Detail => 5,
    };
    let mut array = begin(3 + 2 * pairs(change));
    array.item(&kind).item(&state.live_match.id.get()).item(&follows);
    if let Some(markets) = &change.markets {
        array.item(&MARKETS).with(|out, encoding| write_markets(out, encoding, localised, state, markets));
    }
    for (place, price) in &change.prices {
        array.item(place).item(&price.thousandths());
    }
    if !change.marks.is_empty() {
        let marks: Vec<i64> = change.marks.iter().flat_map(|(place, mark)| [*place as i64, i64::from(*mark)]).collect();
        array.item(&MARKS).item(&marks);
    }
    if !change.values.is_empty() {
        array.item(&VALUES).with(|out, encoding| write_values(out, encoding, state, part, &change.values));
    }
    if change.layout {
        let layout: Vec<u64> = state.live_match.markets.iter().map(|market| market.id.get()).collect();
        array.item(&LAYOUT).item(&layout);
    }
    if change.ball {
        array.item(&BALL).item(&state.live_match.ball.as_ref().map(Positional));
    }
    if change.history {
        array.item(&HISTORY).item(&state.live_match.history.as_deref().map(Positional));
    }
    for field in &change.fields {
        array.item(&key(*field)).with(|out, encoding| write_field(out, encoding, localised, state, *field));
    }
    array.end();
}

fn pairs(change: &PartChange) -> usize {
    usize::from(change.markets.is_some())
        + change.prices.len()
        + usize::from(!change.marks.is_empty())
        + usize::from(!change.values.is_empty())
        + usize::from(change.layout)
        + usize::from(change.ball)
        + usize::from(change.history)
        + change.fields.len()
}

fn write_markets(
    out: &mut Vec<u8>,
    encoding: Encoding,
    localised: &Localised<'_>,
    state: &MatchState,
    markets: &MarketsChange,
) {
    let order: Option<Vec<u64>> = markets.order.as_ref().map(|order| order.iter().map(|id| id.get()).collect());
    let wanted: IdMap<MarketId, ()> = markets.fresh.iter().map(|id| (*id, ())).collect();
    let all = state.live_match.markets.iter().map(|market| &**market);
    let fresh: Vec<&Market> = all.filter(|market| wanted.contains_key(&market.id)).collect();
    ArrayWriter::begin(out, encoding, 2)
        .item(&order)
        .with(|out, encoding| {
            let mut list = ArrayWriter::begin(out, encoding, fresh.len());
            for market in fresh {
                list.item(&Positional(&*localised.market(market)));
            }
            list.end();
        })
        .end();
}

fn write_values(out: &mut Vec<u8>, encoding: Encoding, state: &MatchState, part: Part, places: &[usize]) {
    let split = state.split();
    let odds: Vec<&Odd> = match part {
        Part::Row => split.row_markets().flat_map(|market| &market.odds).collect(),
        Part::Detail => split.detail_markets().flat_map(|market| &market.odds).collect(),
    };
    let mut list = ArrayWriter::begin(out, encoding, 2 * places.len());
    for place in places {
        list.item(place).item(&odds.get(*place).and_then(|odd| odd.values.as_ref()));
    }
    list.end();
}

/// The keys of docs/protocol.md, *Changes*.
fn key(field: Field) -> i8 {
    match field {
        Field::Status => -1,
        Field::Score => -2,
        Field::Scores => -3,
        Field::Clock => -4,
        Field::Betting => -5,
        Field::Suspended => -6,
        Field::RedCards => -7,
        Field::YellowCards => -8,
        Field::Corners => -9,
        Field::PlayerServing => -10,
        Field::Tiebreak => -11,
        Field::Game => -12,
        Field::NumberOfOdds => -13,
        Field::Order => -14,
        Field::ClockStopped => -15,
        Field::PerformEventId => -16,
    }
}

fn write_field(out: &mut Vec<u8>, encoding: Encoding, localised: &Localised<'_>, state: &MatchState, field: Field) {
    let live_match = &*state.live_match;
    match field {
        Field::Status => encoding.write(out, &live_match.status),
        Field::Score => encoding.write(out, &live_match.score),
        Field::Scores => encoding.write(out, &live_match.scores),
        Field::Clock => match localised.clock() {
            None => encoding.write(out, &None::<()>),
            Some(Clock::Running { zero_ms }) => encoding.write(out, zero_ms),
            Some(Clock::Stopped { seconds }) => encoding.write(out, &[seconds]),
            Some(Clock::Text(text)) => encoding.write(out, text),
        },
        Field::Betting => encoding.write(out, &live_match.betting),
        Field::Suspended => encoding.write(out, &live_match.suspended),
        Field::RedCards => encoding.write(out, &live_match.red_cards),
        Field::YellowCards => encoding.write(out, &live_match.yellow_cards),
        Field::Corners => encoding.write(out, &live_match.corners),
        Field::PlayerServing => encoding.write(out, &live_match.player_serving),
        Field::Tiebreak => encoding.write(out, &live_match.tiebreak),
        Field::Game => encoding.write(out, &live_match.game),
        Field::NumberOfOdds => encoding.write(out, &live_match.number_of_odds()),
        Field::Order => encoding.write(out, &live_match.order),
        Field::ClockStopped => encoding.write(out, &live_match.clock_stopped),
        Field::PerformEventId => encoding.write(out, &live_match.perform_event_id),
    }
}
