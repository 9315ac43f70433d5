//! Arbitrary messages for this crate's tests: every field of every entity, absent and present.
//!
//! Must generate only what a decoder can return: a match has its sport's id, a deletion has only its id.

use kvota_domain::Text;
use kvota_domain::feed::{Change, FeedUpdate, MatchUpdate, SportUpdate, Time};
use kvota_domain::ids::{ID_MAX, MarketId, MatchId, OddId, SportId};
use kvota_domain::market::{Market, Odd};
use kvota_domain::matches::{Ball, Match, Pair};
use kvota_domain::price::Price;
use kvota_domain::sport::{ColumnMarket, PreferredColumn, SportPatch};
use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;
use std::collections::HashSet;
use std::sync::Arc;

pub(super) fn update() -> impl Strategy<Value = FeedUpdate> {
    let sports = vec(sport(), 0..3);
    (sports, of(0..=ID_MAX), of(0..=(ID_MAX as i64))).prop_map(|(sports, number_of_matches, date_ms)| FeedUpdate {
        sports,
        number_of_matches,
        date_ms,
        ..FeedUpdate::default()
    })
}

fn text() -> impl Strategy<Value = Text> {
    prop_oneof!["[a-z_]{0,12}", "\\PC{0,40}", Just("Више од".to_owned()), Just("x".repeat(300)),].prop_map(Text::from)
}

fn maybe() -> impl Strategy<Value = Option<Text>> {
    of(text())
}

fn pair() -> impl Strategy<Value = Pair> {
    prop_oneof![any::<Pair>(), [0i64..200, 0i64..200]]
}

fn id() -> impl Strategy<Value = u64> {
    prop_oneof![0..=ID_MAX, 0u64..1000]
}

fn sport() -> impl Strategy<Value = SportUpdate> {
    let patch = (
        id().prop_map(|id| SportId::new(id).unwrap()),
        maybe(),
        of(any::<i64>()),
        of(vec(column(), 0..3)),
        of(any::<i64>()),
    );
    (patch, vec(match_update(), 0..4)).prop_map(|(patch, mut matches)| {
        let (id, name, order, preferred, selected_preferred) = patch;
        for update in &mut matches {
            let live_match = &mut update.live_match;
            live_match.sport_id = id;
            if update.change != Change::Delete && live_match.sport_name.is_none() {
                live_match.sport_name.clone_from(&name);
            }
        }
        SportUpdate { sport: SportPatch { id, name, order, preferred, selected_preferred }, matches }
    })
}

fn column() -> impl Strategy<Value = PreferredColumn> {
    let market = (any::<i64>(), maybe(), maybe()).prop_map(|(market_kind, status, format)| ColumnMarket {
        market_kind,
        status,
        format,
    });
    let fields = vec(text(), 0..4);
    (any::<i64>(), maybe(), fields, any::<bool>(), vec(market, 0..3))
        .prop_map(|(order, name, fields, hidden, markets)| PreferredColumn { order, name, fields, hidden, markets })
}

fn match_update() -> impl Strategy<Value = MatchUpdate> {
    let change = prop_oneof![Just(Change::Insert), Just(Change::Update), Just(Change::Delete)];
    let time = prop_oneof![Just(Time::None), any::<i64>().prop_map(Time::Seconds), text().prop_map(Time::Text),];
    (change, live_match(), time).prop_map(|(change, live_match, time)| {
        if change == Change::Delete {
            MatchUpdate {
                change,
                live_match: Match::empty(live_match.id, live_match.sport_id),
                time: Time::None,
                texts: None,
            }
        } else {
            MatchUpdate { change, live_match, time, texts: None }
        }
    })
}

fn live_match() -> impl Strategy<Value = Match> {
    let words = (maybe(), maybe(), maybe(), maybe(), maybe(), maybe(), maybe(), maybe());
    let counts = (of(pair()), of(pair()), of(pair()), of(pair()), vec(pair(), 0..6));
    let flags = (any::<bool>(), of(any::<bool>()), of(any::<bool>()), of(any::<bool>()));
    let rest = (any::<i64>(), of(id()), of(1i64..=2), of([text(), text()]), of(ball()));
    (id(), words, counts, flags, rest, vec(market(), 0..4)).prop_map(|(id, words, counts, flags, rest, markets)| {
        let sport = SportId::new(0).unwrap();
        let mut it = Match::empty(MatchId::new(id).unwrap(), sport);
        (it.status, it.home, it.away, it.sport_name, ..) = words.clone();
        (.., it.tournament, it.tournament_description, it.result, it.perform_event_type) = words;
        (it.score, it.red_cards, it.yellow_cards, it.corners, it.scores) = counts;
        (it.betting, it.clock_stopped, it.suspended, it.tiebreak) = flags;
        (it.order, it.perform_event_id, it.player_serving, it.game, it.ball) = rest;
        // A decoder keeps only the first of repeated ids, so repeated ones would not round-trip.
        let (mut markets, (mut ids, mut odds)) = (markets, (HashSet::new(), HashSet::new()));
        markets.retain(|market| ids.insert(market.id));
        markets.iter_mut().for_each(|market| market.odds.retain(|odd| odds.insert(odd.id)));
        it.markets = markets.into_iter().map(Arc::new).collect();
        it
    })
}

fn ball() -> impl Strategy<Value = Ball> {
    (0u8..=100, 0u8..=100, 0u8..=2, 0u8..=12).prop_map(|(x, y, side, action)| Ball { x, y, side, action })
}

fn market() -> impl Strategy<Value = Market> {
    let words = (maybe(), maybe(), maybe(), maybe(), maybe(), vec(text(), 0..3));
    let numbers = (any::<i64>(), of(any::<i64>()), of(any::<i64>()), of(any::<bool>()));
    (id(), words, numbers, vec(odd(), 0..5), any::<bool>()).prop_map(|(id, words, numbers, odds, is_suspended)| {
        let (name, short, special, sbv, description, tags) = words;
        let (kind, subtype, order, balanced) = numbers;
        Market {
            id: MarketId::new(id).unwrap(),
            name,
            short,
            special,
            sbv,
            kind,
            subtype,
            order,
            odds,
            balanced,
            description,
            tags: tags.into(),
            is_suspended,
        }
    })
}

fn odd() -> impl Strategy<Value = Odd> {
    let price = prop_oneof![0u32..5_000, 0..=Price::MAX.thousandths()];
    let values = of(vec(text(), 0..7));
    (id(), maybe(), price, values, maybe(), of(-1i8..=1), maybe()).prop_map(
        |(id, kind, thousandths, values, alias, changed, description)| Odd {
            id: OddId::new(id).unwrap(),
            kind,
            value: Price::from_thousandths(thousandths).unwrap(),
            values: values.map(Into::into),
            alias,
            changed,
            description,
        },
    )
}
