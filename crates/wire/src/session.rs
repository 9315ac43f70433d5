//! Encodes a session for the store: msgpack arrays, starting with the version of the format. The session actor writes
//! and reads it. Stored bytes may be damaged or of a later version, so they are validated like external input.

use super::msgpack::{Cursor, Token};
use crate::limits::{SESSION_BYTES_MAX, SESSION_TEXT_BYTES_MAX};
use kvota_domain::Text;
use kvota_domain::favourites::Favourites;
use kvota_domain::ids::{MarketId, MatchId, OddId, SportId};
use kvota_domain::money::Money;
use kvota_domain::price::Price;
use kvota_domain::session_state::SessionState;
use kvota_domain::ticket::{Consent, Pair, Snapshot, Ticket, TicketEvent, TicketKind};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The version that this program writes, and the only one it reads. A session with a higher version is kept: see
/// [`Unreadable::is_newer`]. To raise it, first release a program that reads both versions and writes the old one.
const VERSION: u64 = 1;
/// The arrays nest to 4 (session, ticket, pairs, pair).
const DEPTH_MAX: usize = 8;

/// Why stored bytes cannot be decoded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum Unreadable {
    /// Another version wrote it, newer or much older.
    #[error("it is of version {0}")]
    Version(u64),
    /// The bytes are damaged.
    #[error("it is damaged")]
    Damaged,
}

#[derive(Serialize, Deserialize)]
struct SavedSession(u64, SavedTicket, Vec<u64>);

/// Type, pairs, combination, stake in cents, consent.
#[derive(Serialize, Deserialize)]
struct SavedTicket(u8, Vec<SavedPair>, Option<u8>, i64, String);

/// Match, market, odd, picked in thousandths, is fix, snapshot.
#[derive(Serialize, Deserialize)]
struct SavedPair(u64, u64, u64, u32, bool, SavedSnapshot);

#[derive(Serialize, Deserialize)]
struct SavedSnapshot {
    sport_id: u64,
    home: Option<Text>,
    away: Option<Text>,
    tournament: Option<Text>,
    market_kind: i64,
    market_subtype: Option<i64>,
    market_name: Option<Text>,
    sbv: Option<Text>,
    odd_kind: Option<Text>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    odd_name: Option<Text>,
}

impl Unreadable {
    /// Whether a newer program wrote it: it is valid and must not be overwritten.
    pub fn is_newer(self) -> bool {
        matches!(self, Unreadable::Version(version) if version > VERSION)
    }
}

/// The bytes of a session; names that are too long for [`decode`] are cut.
pub fn encode(state: &SessionState) -> Vec<u8> {
    let ticket = &state.ticket;
    let pairs = ticket.pairs.iter().map(saved_pair).collect();
    let cents = ticket.stake.cents();
    let ticket = SavedTicket(ticket.kind.as_type(), pairs, ticket.combination, cents, ticket.consent.code().to_owned());
    let favourites = state.favourites.iter().map(MatchId::get).collect();
    let mut out = Vec::new();
    super::Encoding::Msgpack.write(&mut out, &SavedSession(VERSION, ticket, favourites));
    out
}

/// Decodes a session.
///
/// # Errors
/// [`Unreadable`] for bytes that [`encode`] does not write.
pub fn decode(bytes: &[u8]) -> Result<SessionState, Unreadable> {
    let version = version_of(bytes).ok_or(Unreadable::Damaged)?;
    if version != VERSION {
        return Err(Unreadable::Version(version));
    }
    read(bytes).ok_or(Unreadable::Damaged)
}

fn version_of(bytes: &[u8]) -> Option<u64> {
    let mut cursor = Cursor::new(bytes);
    match (cursor.token().ok()?, cursor.token().ok()?) {
        (Token::Array(_), Token::Unsigned(version)) => Some(version),
        _ => None,
    }
}

fn read(bytes: &[u8]) -> Option<SessionState> {
    if bytes.len() > SESSION_BYTES_MAX {
        return None;
    }
    let mut reader = std::io::Cursor::new(bytes);
    let mut deserializer = rmp_serde::Deserializer::new(&mut reader);
    deserializer.set_max_depth(DEPTH_MAX);
    let SavedSession(_, ticket, favourites) = Deserialize::deserialize(&mut deserializer).ok()?;
    if usize::try_from(reader.position()).ok()? != bytes.len() {
        return None;
    }
    let favourites = favourites.into_iter().map(MatchId::new).collect::<Option<Vec<MatchId>>>()?;
    Some(SessionState { ticket: read_ticket(ticket)?, favourites: Favourites::of(favourites) })
}

fn read_ticket(SavedTicket(kind, pairs, combination, cents, consent): SavedTicket) -> Option<Ticket> {
    let stake = Money::from_cents(cents);
    let mut ticket = Ticket::empty(stake);
    if stake < Money::ZERO {
        return None;
    }
    // Apply events, so that a match cannot have two pairs and the selected combination exists.
    for pair in pairs {
        ticket.apply(&TicketEvent::PairAdded(read_pair(pair)?));
    }
    ticket.apply(&TicketEvent::KindChosen(TicketKind::from_type(kind.into())?));
    ticket.apply(&TicketEvent::CombinationChosen(combination));
    ticket.apply(&TicketEvent::ConsentGiven(Consent::from_code(&consent)?));
    Some(ticket)
}

fn saved_pair(pair: &Pair) -> SavedPair {
    let Snapshot {
        sport_id,
        home,
        away,
        tournament,
        market_kind,
        market_subtype,
        market_name,
        sbv,
        odd_kind,
        odd_name,
    } = pair.snapshot.clone();
    let snapshot = SavedSnapshot {
        sport_id: sport_id.get(),
        home: cut(home),
        away: cut(away),
        tournament: cut(tournament),
        market_kind,
        market_subtype,
        market_name: cut(market_name),
        sbv: cut(sbv),
        odd_kind: cut(odd_kind),
        odd_name: cut(odd_name),
    };
    let picked = pair.picked.thousandths();
    SavedPair(pair.match_id.get(), pair.market_id.get(), pair.odd_id.get(), picked, pair.is_fix, snapshot)
}

fn cut(text: Option<Text>) -> Option<Text> {
    text.map(|text| {
        if text.len() > SESSION_TEXT_BYTES_MAX {
            text[..text.floor_char_boundary(SESSION_TEXT_BYTES_MAX)].into()
        } else {
            text
        }
    })
}

fn read_pair(SavedPair(match_id, market_id, odd_id, picked, is_fix, snapshot): SavedPair) -> Option<Pair> {
    let SavedSnapshot {
        sport_id,
        home,
        away,
        tournament,
        market_kind,
        market_subtype,
        market_name,
        sbv,
        odd_kind,
        odd_name,
    } = snapshot;
    let sport_id = SportId::new(sport_id)?;
    Some(Pair {
        match_id: MatchId::new(match_id)?,
        market_id: MarketId::new(market_id)?,
        odd_id: OddId::new(odd_id)?,
        picked: Price::from_thousandths(picked).filter(|price| price.is_offered())?,
        is_fix,
        snapshot: Snapshot {
            sport_id,
            home,
            away,
            tournament,
            market_kind,
            market_subtype,
            market_name,
            sbv,
            odd_kind,
            odd_name,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use kvota_domain::ids::ID_MAX;
    use proptest::prelude::*;

    fn text() -> impl Strategy<Value = Option<Text>> {
        proptest::option::of("\\PC{0,12}".prop_map(Text::from))
    }

    fn snapshot() -> impl Strategy<Value = Snapshot> {
        let texts = (text(), text(), text(), text(), text(), text(), text());
        (0..1_u64 << 53, texts, any::<i64>(), any::<Option<i64>>()).prop_map(|(sport, texts, kind, subtype)| {
            let (home, away, tournament, market_name, sbv, odd_kind, odd_name) = texts;
            let sport_id = SportId::new(sport).unwrap();
            let (market_kind, market_subtype) = (kind, subtype);
            Snapshot {
                sport_id,
                home,
                away,
                tournament,
                market_kind,
                market_subtype,
                market_name,
                sbv,
                odd_kind,
                odd_name,
            }
        })
    }

    fn pair() -> impl Strategy<Value = Pair> {
        let id = || 0..1_u64 << 53;
        (id(), id(), id(), 1..100_000_000_u32, any::<bool>(), snapshot()).prop_map(
            |(match_id, market_id, odd_id, picked, is_fix, snapshot)| Pair {
                match_id: MatchId::new(match_id).unwrap(),
                market_id: MarketId::new(market_id).unwrap(),
                odd_id: OddId::new(odd_id).unwrap(),
                picked: Price::from_thousandths(picked).unwrap(),
                is_fix,
                snapshot,
            },
        )
    }

    fn state() -> impl Strategy<Value = SessionState> {
        let pairs = proptest::collection::vec(pair(), 0..31);
        let consent = prop_oneof![Just(Consent::None), Just(Consent::Higher), Just(Consent::Any)];
        let favourites = proptest::collection::vec(0..1_u64 << 53, 0..40);
        (pairs, any::<bool>(), any::<Option<u8>>(), 0..i64::MAX, consent, favourites).prop_map(
            |(pairs, is_system, combination, cents, consent, favourites)| {
                let mut ticket = Ticket::empty(Money::from_cents(cents));
                for pair in pairs {
                    ticket.apply(&TicketEvent::PairAdded(pair));
                }
                if is_system {
                    ticket.apply(&TicketEvent::KindChosen(TicketKind::System));
                }
                ticket.apply(&TicketEvent::CombinationChosen(combination));
                ticket.apply(&TicketEvent::ConsentGiven(consent));
                let favourites = Favourites::of(favourites.into_iter().filter_map(MatchId::new));
                SessionState { ticket, favourites }
            },
        )
    }

    proptest! {
        #[test]
        fn encoded_session_round_trips(state in state()) {
            prop_assert_eq!(decode(&encode(&state)), Ok(state));
        }

        #[test]
        fn arbitrary_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = decode(&bytes);
        }

        #[test]
        fn damaged_session_is_valid_or_rejected(state in state(), at: prop::sample::Index, byte: u8, cut: bool) {
            let mut bytes = encode(&state);
            let at = at.index(bytes.len());
            if cut {
                bytes.truncate(at);
                prop_assert_eq!(decode(&bytes), Err(Unreadable::Damaged));
            } else {
                bytes[at] = byte;
                if let Ok(read) = decode(&bytes) {
                    prop_assert_eq!(decode(&encode(&read)), Ok(read));
                }
            }
        }
    }

    #[test]
    fn long_names_are_cut_and_round_trip() {
        let long = |letter: &str| Some(Text::from(letter.repeat(8 << 10)));
        let pair = |number: u64| Pair {
            match_id: MatchId::new(number).unwrap(),
            market_id: MarketId::new(number).unwrap(),
            odd_id: OddId::new(number).unwrap(),
            picked: Price::from_thousandths(1_850).unwrap(),
            is_fix: false,
            snapshot: Snapshot {
                sport_id: SportId::new(1).unwrap(),
                home: long("š"),
                away: long("x"),
                tournament: long("x"),
                market_kind: 1,
                market_subtype: None,
                market_name: long("x"),
                sbv: long("x"),
                odd_kind: long("€"),
                odd_name: None,
            },
        };
        let mut ticket = Ticket::empty(Money::from_cents(100));
        (1..=30).for_each(|number| ticket.apply(&TicketEvent::PairAdded(pair(number))));
        let favourites = Favourites::of((1..=1_000).filter_map(|number| MatchId::new(ID_MAX - number)));
        let read = decode(&encode(&SessionState { ticket, favourites: favourites.clone() })).unwrap();
        assert_eq!((read.ticket.pairs.len(), &read.favourites), (30, &favourites));
        let name = |text: &Option<Text>| text.as_deref().unwrap().chars().count();
        let kept = &read.ticket.pairs[29].snapshot;
        assert_eq!((name(&kept.home), name(&kept.away), name(&kept.odd_kind)), (512, 1_024, 341));
    }

    #[test]
    fn newer_version_is_reported_whatever_follows() {
        assert_eq!(decode(&[0x92, 0x02, 0xc0]), Err(Unreadable::Version(2)));
        assert!(Unreadable::Version(2).is_newer());
        assert!(!Unreadable::Version(0).is_newer() && !Unreadable::Damaged.is_newer());
        assert_eq!(decode(&[0x93, 0x01, 0xc0, 0xc0]), Err(Unreadable::Damaged));
        assert_eq!(decode(&[]), Err(Unreadable::Damaged));
    }

    #[test]
    fn impossible_ticket_is_rejected() {
        let ticket = |cents, consent: &str| SavedTicket(0, Vec::new(), None, cents, consent.to_owned());
        let bytes = |ticket| rmp_serde::to_vec(&SavedSession(VERSION, ticket, Vec::new())).unwrap();
        assert!(decode(&bytes(ticket(100, "any"))).is_ok());
        assert!(decode(&bytes(ticket(0, "any"))).is_ok());
        assert_eq!(decode(&bytes(ticket(-1, "any"))), Err(Unreadable::Damaged));
        assert_eq!(decode(&bytes(ticket(100, "all"))), Err(Unreadable::Damaged));
        let trailing = [bytes(ticket(100, "any")), vec![0]].concat();
        assert_eq!(decode(&trailing), Err(Unreadable::Damaged));
    }

    #[test]
    fn a_session_is_read_up_to_its_bound_in_bytes() {
        let of = |favourites: usize| {
            let ticket = SavedTicket(0, Vec::new(), None, 100, "any".to_owned());
            rmp_serde::to_vec(&SavedSession(VERSION, ticket, vec![1; favourites])).unwrap()
        };
        // Each favourite takes one byte.
        let rest = of(SESSION_BYTES_MAX).len() - SESSION_BYTES_MAX;
        for (beyond, is_read) in [(0, true), (1, false), (2, false)] {
            let bytes = of(SESSION_BYTES_MAX - rest + beyond);
            assert_eq!(bytes.len(), SESSION_BYTES_MAX + beyond);
            assert_eq!(decode(&bytes).is_ok(), is_read, "{beyond} beyond the bound");
        }
    }
}
