//! Golden messages in `tests/golden/feed/`: fixed bytes, so that encoder and decoder cannot change together unnoticed.
//! Run with `KVOTA_BLESS=1` to rewrite them; the review shows the difference.

use super::*;
use kvota_domain::Text;
use kvota_domain::feed::{Change, MatchUpdate, SportUpdate, Time};
use kvota_domain::ids::{MarketId, MatchId, OddId, SportId};
use kvota_domain::incidents::{History, Incident, IncidentKind};
use kvota_domain::lang::Lang;
use kvota_domain::market::{Market, Odd};
use kvota_domain::matches::{Ball, Match, Side};
use kvota_domain::price::Price;
use kvota_domain::sport::{ColumnMarket, PreferredColumn, SportPatch};
use std::path::PathBuf;
use std::sync::Arc;

fn text(text: &str) -> Option<Text> {
    Some(text.into())
}

fn odd(id: u64, kind: &str, thousandths: u32) -> Odd {
    Odd {
        id: OddId::new(id).unwrap(),
        kind: text(kind),
        value: Price::from_thousandths(thousandths).unwrap(),
        values: None,
        alias: None,
        changed: Some(1),
        description: None,
    }
}

fn soccer_match() -> MatchUpdate {
    let soccer = SportId::new(1).unwrap();
    let total = Market {
        id: MarketId::new(9_007_199_254_740_991).unwrap(),
        name: text("Ukupno golova"),
        short: text("Više/manje"),
        special: None,
        sbv: text("2.5"),
        kind: 18,
        subtype: Some(-1),
        order: Some(2),
        odds: vec![odd(300, "Više", 1850), odd(301, "Manje", 2000), odd(302, "", 0)],
        balanced: Some(true),
        description: None,
        tags: ["main.Glavne".into()].into(),
        is_suspended: false,
    };
    let live_match = Match {
        status: text("first_half"),
        home: text("Rijeka"),
        away: text("Široki Brijeg"),
        betting: true,
        markets: vec![Arc::new(total)],
        order: -3,
        score: Some([2, 1]),
        scores: vec![[1, 1], [1, 0]],
        sport_name: text("Nogomet"),
        tournament: text("Kup"),
        tournament_description: text("Hrvatska"),
        perform_event_id: Some(4_294_967_296),
        perform_event_type: text("hls"),
        red_cards: Some([0, 1]),
        yellow_cards: Some([2, 3]),
        corners: Some([4, 5]),
        clock_stopped: Some(false),
        suspended: Some(true),
        ball: Some(Ball { x: 88, y: 50, side: 1, action: 3 }),
        history: Some(Arc::new(history())),
        ..Match::empty(MatchId::new(70_000).unwrap(), soccer)
    };
    MatchUpdate { change: Change::Insert, live_match, time: Time::Seconds(2_711), texts: None }
}

fn history() -> History {
    let mut history = History { pressure: vec![0, 100, -7], ..History::default() };
    history.counts[12] = [1, 65_535];
    let at = |kind, side| Incident { kind, side, seconds: None, status: None, score: None, player: None };
    history.add(at(IncidentKind::Corner, Side::Away));
    let (seconds, status, player) = (Some(2_700), text("first_half"), text("D. Petković"));
    history.add(Incident { seconds, status, score: Some([1, 0]), player, ..at(IncidentKind::Penalty, Side::Home) });
    history
}

fn tennis_match() -> MatchUpdate {
    let tennis = SportId::new(5).unwrap();
    let live_match = Match {
        status: text("set_2"),
        home: text("Ђоковић"),
        away: text("Čilić"),
        scores: vec![[6, 4], [3, 3]],
        player_serving: Some(2),
        tiebreak: Some(false),
        game: Some(["40".into(), "AD".into()]),
        result: text("1:0"),
        ..Match::empty(MatchId::new(70_001).unwrap(), tennis)
    };
    MatchUpdate { change: Change::Update, live_match, time: Time::Text("2. set".into()), texts: None }
}

fn feed() -> FeedUpdate {
    let soccer = SportPatch {
        id: SportId::new(1).unwrap(),
        name: text("Nogomet"),
        order: Some(1),
        preferred: Some(vec![PreferredColumn {
            order: 1,
            name: text("Konačni ishod"),
            fields: vec!["1".into(), "X".into(), "2".into()],
            hidden: false,
            markets: vec![ColumnMarket { market_kind: 1, status: None, format: text("{+sbv}") }],
        }]),
        selected_preferred: Some(1),
    };
    let tennis = SportPatch::empty(SportId::new(5).unwrap());
    let deleted = MatchUpdate {
        change: Change::Delete,
        live_match: Match::empty(MatchId::new(70_002).unwrap(), tennis.id),
        time: Time::None,
        texts: None,
    };
    FeedUpdate {
        sports: vec![
            SportUpdate { sport: soccer, matches: vec![soccer_match()] },
            SportUpdate { sport: tennis, matches: vec![tennis_match(), deleted] },
        ],
        number_of_matches: Some(2),
        date_ms: Some(1_526_220_000_123),
        ..FeedUpdate::default()
    }
}

fn golden(name: &str, encoded: &[u8]) -> Vec<u8> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/feed");
    let path = folder.join(name).with_extension("msgpack");
    if std::env::var_os("KVOTA_BLESS").is_some() {
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(&path, encoded).unwrap();
    }
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn golden_messages_are_read_and_written_byte_by_byte() {
    let encoded = encode::update(&feed());
    let bytes = golden("live-event", &encoded);
    assert_eq!(encoded, bytes);
    let decoded = decode_update(&bytes, &UpdateLimits::EVENT).unwrap();
    assert_eq!(decoded.update, feed());
    assert_eq!(decoded.dropped.total(), 0);

    let encoded = encode::active(true, 1_526_220_000_123);
    let bytes = golden("feed-active", &encoded);
    assert_eq!(encoded, bytes);
    let active = decode_active(&bytes).unwrap();
    assert!(active.active);
    assert_eq!(active.date_ms, Some(1_526_220_000_123));

    let encoded = encode::snapshot_request(Lang::Bs);
    let bytes = golden("snapshot-request", &encoded);
    assert_eq!(encoded, bytes);
    assert_eq!(decode_snapshot_request(&bytes).unwrap(), Lang::Bs);
}
