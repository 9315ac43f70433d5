//! Decodes the feed's arrays into domain values, field by field in the order of CONTRACT 1. Called by the feed adapters
//! through the parent module.
//!
//! Must not fail on an invalid entity: only that entity is dropped, and decoding continues after it.

use super::check::{CHANGE_AT, check, check_and_follow};
use super::digest::MatchDigests;
use super::fields::{self, Fields};
use super::incidents::history;
use super::intern::Interner;
use super::kept_markets::{Found, Kept, KeptMarkets, Seen};
use super::market_shape::Value;
use super::translation::{Translation, Translations};
use super::{ActiveMessage, DecodeError, Decoded, Dropped, Flaw, UpdateLimits};
use crate::msgpack::{Cursor, Token};
use kvota_domain::Text;
use kvota_domain::feed::{Change, FeedUpdate, MatchUpdate, SportUpdate, Time};
use kvota_domain::ids::{ID_MAX, MarketId, MatchId, OddId, SportId};
use kvota_domain::lang::Lang;
use kvota_domain::market::{Market, Odd};
use kvota_domain::matches::{Ball, Match};
use kvota_domain::sport::{ColumnMarket, PreferredColumn, SportPatch};
use std::collections::HashSet;
use std::sync::Arc;

/// The highest action of a [`Ball`].
const BALL_ACTION_MAX: u8 = 12;

/// Decodes the messages of a feed one after the other; texts that they share are kept once.
#[derive(Default)]
pub struct Decoder {
    texts: Interner,
    translations: Translations,
    kept: KeptMarkets,
}

impl Decoder {
    /// A decoder that also knows the texts of the other languages that this one reads.
    pub fn with_same_texts(&self) -> Decoder {
        Decoder { translations: self.translations.clone(), ..Decoder::default() }
    }

    /// Decodes an inflated live event or snapshot: `[sports, numberOfMatches, date]`.
    ///
    /// # Errors
    /// An invalid envelope. Invalid entities are dropped alone and counted in [`Decoded::dropped`].
    pub fn update(&mut self, bytes: &[u8], limits: &UpdateLimits) -> Result<Decoded, DecodeError> {
        let mut following = self.kept.follow();
        check_and_follow(bytes, limits, &mut following)?;
        let found = following.found();
        Reading { kept: Some((&mut self.kept, found)), ..Reading::new(&mut self.texts) }.whole(bytes)
    }

    /// Like [`Decoder::update`], for a language of which only the texts count: each match has
    /// [`MatchUpdate::texts`] and nothing else. A match is read again only if a text may have changed since its last
    /// message, so cut prices are not counted.
    ///
    /// # Errors
    /// As [`Decoder::update`].
    pub fn texts(&mut self, bytes: &[u8], limits: &UpdateLimits, lang: Lang) -> Result<Decoded, DecodeError> {
        let mut digests = MatchDigests::new(&self.translations, lang);
        check_and_follow(bytes, limits, &mut digests)?;
        let digests = digests.found();
        let translation = Translation { known: &self.translations, lang, digests };
        let reading = Reading { translation: Some(translation), ..Reading::new(&mut self.texts) };
        Ok(Decoded { cut_prices: 0, ..reading.whole(bytes)? })
    }
}

/// Decodes a single message, as [`Decoder::update`] does.
///
/// # Errors
/// An invalid envelope.
pub fn decode_update(bytes: &[u8], limits: &UpdateLimits) -> Result<Decoded, DecodeError> {
    check(bytes, limits)?;
    Reading::new(&mut Interner::default()).whole(bytes)
}

/// Decodes an inflated feed-active message: `[active, date]`.
///
/// # Errors
/// An invalid envelope, or a missing or invalid flag.
pub fn decode_active(bytes: &[u8]) -> Result<ActiveMessage, DecodeError> {
    check(bytes, &UpdateLimits::EVENT)?;
    let mut cursor = Cursor::new(bytes);
    let mut message = Fields::open(&mut cursor).map_err(|_| DecodeError::NotAnArray)?;
    let active = message.flag().ok().flatten().ok_or(DecodeError::Lacking)?;
    let texts = &mut Interner::default();
    let mut reading = Reading::new(texts);
    let date_ms = reading.date(&mut message);
    Ok(ActiveMessage { active, date_ms })
}

/// Decodes a snapshot request: `[lang]`, never compressed.
///
/// # Errors
/// An invalid envelope, or an unknown language.
pub fn decode_snapshot_request(bytes: &[u8]) -> Result<Lang, DecodeError> {
    check(bytes, &UpdateLimits::EVENT)?;
    let mut cursor = Cursor::new(bytes);
    let mut request = Fields::open(&mut cursor).map_err(|_| DecodeError::NotAnArray)?;
    let code = request.text(&mut Interner::default()).ok().flatten();
    code.and_then(|code| Lang::from_code(&code)).ok_or(DecodeError::Lacking)
}

/// The state while a message is decoded.
struct Reading<'i> {
    texts: &'i mut Interner,
    /// For a language of which only the texts count.
    translation: Option<Translation<'i>>,
    /// The markets of the last messages, and those found in this one, for a decoder that reads several.
    kept: Option<(&'i mut KeptMarkets, Found)>,
    /// The prices and movements of the market that is read, with the bytes that are left before each.
    values: Vec<(usize, Value)>,
    dropped: Dropped,
    cut_prices: u32,
    /// See [`FeedUpdate::unreadable`].
    unreadable: Vec<MatchId>,
    /// See [`FeedUpdate::is_incomplete`].
    is_incomplete: bool,
}

/// The values that the matches of a sport inherit from it.
#[derive(Clone)]
struct Enclosing {
    id: SportId,
    name: Option<Text>,
}

impl<'i> Reading<'i> {
    fn new(texts: &'i mut Interner) -> Reading<'i> {
        Reading {
            texts,
            translation: None,
            kept: None,
            values: Vec::new(),
            dropped: Dropped::default(),
            cut_prices: 0,
            unreadable: Vec::new(),
            is_incomplete: false,
        }
    }

    /// A whole message that was validated.
    fn whole(mut self, bytes: &[u8]) -> Result<Decoded, DecodeError> {
        let mut cursor = Cursor::new(bytes);
        let not_an_array = |_: Flaw| DecodeError::NotAnArray;
        let mut feed = Fields::open(&mut cursor).map_err(not_an_array)?;
        let sports = self.entities(&mut feed, Reading::sport_or_gap).map_err(not_an_array)?;
        let number_of_matches = self.number_of_matches(&mut feed);
        let date_ms = self.date(&mut feed);
        Ok(Decoded {
            update: FeedUpdate {
                sports: sports.unwrap_or_default(),
                number_of_matches,
                date_ms,
                unreadable: self.unreadable,
                is_incomplete: self.is_incomplete,
            },
            dropped: self.dropped,
            cut_prices: self.cut_prices,
        })
    }

    /// A list of entities without the invalid ones.
    fn entities<'a, T>(
        &mut self,
        fields: &mut Fields<'_, 'a>,
        mut entity: impl FnMut(&mut Self, &mut Cursor<'a>) -> Result<T, Flaw>,
    ) -> Result<Option<Vec<T>>, Flaw> {
        let Some(len) = fields.list()? else {
            return Ok(None);
        };
        let mut entities = Vec::with_capacity(len.min(16) as usize);
        for _ in 0..len {
            let cursor = fields.cursor();
            let beginning = *cursor;
            match entity(self, cursor) {
                Ok(entity) => entities.push(entity),
                Err(flaw) => {
                    self.dropped.count(flaw);
                    *cursor = beginning;
                    cursor.skip()?;
                }
            }
        }
        Ok(Some(entities))
    }

    /// CONTRACT 1: an invalid date counts as absent. A date above 2^53 - 1 is invalid.
    fn date(&mut self, fields: &mut Fields<'_, '_>) -> Option<i64> {
        self.count_of(fields, Flaw::Date).and_then(|date| i64::try_from(date).ok())
    }

    fn number_of_matches(&mut self, fields: &mut Fields<'_, '_>) -> Option<u64> {
        self.count_of(fields, Flaw::Type)
    }

    /// A number of the envelope; an invalid one counts as absent.
    fn count_of(&mut self, fields: &mut Fields<'_, '_>, flaw: Flaw) -> Option<u64> {
        let mut cursor = *fields.next()?;
        fields.cursor().skip().ok()?;
        match cursor.token() {
            Ok(Token::Nil) => None,
            Ok(Token::Unsigned(number)) if number <= ID_MAX => Some(number),
            _ => {
                self.dropped.count(flaw);
                None
            }
        }
    }

    /// A sport. If it is dropped, the ids of its matches are unknown, so the update is incomplete.
    fn sport_or_gap(&mut self, cursor: &mut Cursor<'_>) -> Result<SportUpdate, Flaw> {
        self.sport(cursor).inspect_err(|_| self.is_incomplete = true)
    }

    /// A match. If it is dropped, its id is noted.
    fn match_or_note(&mut self, cursor: &mut Cursor<'_>, sport: &Enclosing) -> Result<MatchUpdate, Flaw> {
        let mut beginning = *cursor;
        let read = self.match_update(cursor, sport);
        match &read {
            Ok(update) => self.unreadable.retain(|id| *id != update.id()),
            Err(_) => match Fields::open(&mut beginning).and_then(|mut fields| fields.id(MatchId::new)) {
                Ok(id) if self.unreadable.contains(&id) => {}
                Ok(id) => self.unreadable.push(id),
                Err(_) => self.is_incomplete = true,
            },
        }
        read
    }

    fn sport(&mut self, cursor: &mut Cursor<'_>) -> Result<SportUpdate, Flaw> {
        let mut fields = Fields::open(cursor)?;
        let id = fields.id(SportId::new)?;
        let name = fields.text(self.texts)?;
        let order = fields.int()?;
        let enclosing = Enclosing { id, name: name.clone() };
        let matches = self.entities(&mut fields, |reading, cursor| reading.match_or_note(cursor, &enclosing))?;
        let preferred = self.entities(&mut fields, Reading::column)?;
        let selected_preferred = fields.int()?;
        fields.close()?;
        Ok(SportUpdate {
            sport: SportPatch { id, name, order, preferred, selected_preferred },
            matches: matches.unwrap_or_default(),
        })
    }

    fn column(&mut self, cursor: &mut Cursor<'_>) -> Result<PreferredColumn, Flaw> {
        let mut fields = Fields::open(cursor)?;
        let column = PreferredColumn {
            order: fields.int()?.unwrap_or_default(),
            name: fields.text(self.texts)?,
            fields: fields.texts(self.texts)?.unwrap_or_default(),
            hidden: fields.flag()?.unwrap_or_default(),
            markets: self.entities(&mut fields, Reading::column_market)?.unwrap_or_default(),
        };
        fields.close()?;
        Ok(column)
    }

    fn column_market(&mut self, cursor: &mut Cursor<'_>) -> Result<ColumnMarket, Flaw> {
        let mut fields = Fields::open(cursor)?;
        let market = ColumnMarket {
            market_kind: fields.int()?.ok_or(Flaw::NoId)?,
            status: fields.text(self.texts)?,
            format: fields.text(self.texts)?,
        };
        fields.close()?;
        Ok(market)
    }

    fn match_update(&mut self, cursor: &mut Cursor<'_>, sport: &Enclosing) -> Result<MatchUpdate, Flaw> {
        // A deletion needs only its id, so read `change` before the other fields are validated.
        let change = peek_change(*cursor)?;
        let beginning = *cursor;
        let mut fields = Fields::open(cursor)?;
        let id = fields.id(MatchId::new)?;
        let nothing = MatchUpdate { change, live_match: Match::empty(id, sport.id), time: Time::None, texts: None };
        if change == Change::Delete {
            fields.close()?;
            if let Some(translation) = &self.translation {
                translation.forget(id);
            }
            if let Some((kept, _)) = &mut self.kept {
                kept.forget(id);
            }
            return Ok(nothing);
        }
        if let Some(translation) = &self.translation
            && let Some((bytes, texts)) = translation.find(id, sport.name.as_ref(), beginning.left())
        {
            *cursor = beginning;
            cursor.skip_bytes(bytes)?;
            return Ok(MatchUpdate { texts: Some(texts), ..nothing });
        }
        let dropped_before = self.dropped.total();
        let (live_match, time) = self.live_match(&mut fields, id, sport)?;
        fields.close()?;
        let update = MatchUpdate { live_match, time, ..nothing };
        let Some(translation) = &self.translation else {
            return Ok(update);
        };
        let mut texts = update.texts();
        // Entities that are dropped must be counted each time.
        if self.dropped.total() == dropped_before {
            texts = translation.keep(id, sport.name.as_ref(), beginning.left(), texts);
        }
        let live_match = Match::empty(id, sport.id);
        Ok(MatchUpdate { live_match, time: Time::None, texts: Some(texts), ..update })
    }

    /// The fields after the id. The order of the statements is the order of the elements.
    fn live_match(
        &mut self,
        fields: &mut Fields<'_, '_>,
        id: MatchId,
        sport: &Enclosing,
    ) -> Result<(Match, Time), Flaw> {
        let mut live_match = Match::empty(id, sport.id);
        live_match.status = fields.text(self.texts)?;
        live_match.home = fields.text(self.texts)?;
        live_match.away = fields.text(self.texts)?;
        live_match.betting = fields.flag()?.unwrap_or_default();
        fields.skip()?; // change, known already
        let markets = self.markets(fields, id)?;
        let markets = markets.unwrap_or_default().into_iter().flatten().collect();
        live_match.markets = self.without_repeated_ids(markets);
        live_match.order = fields.int()?.unwrap_or_default();
        live_match.score = fields.pair()?;
        let scores = fields.items(fields::listed_pair)?;
        live_match.scores = scores.unwrap_or_default();
        // The enclosing sport's id counts: a match under another sport moves there. An id of a wrong type is still a
        // flaw.
        fields.other_id()?;
        let sport_name = fields.text(self.texts)?;
        live_match.sport_name = sport_name.or_else(|| sport.name.clone());
        let time = self.time(fields)?;
        live_match.tournament = fields.text(self.texts)?;
        live_match.tournament_description = fields.text(self.texts)?;
        live_match.result = fields.text(self.texts)?;
        live_match.perform_event_id = fields.other_id()?;
        live_match.perform_event_type = fields.text(self.texts)?;
        live_match.red_cards = fields.pair()?;
        live_match.yellow_cards = fields.pair()?;
        live_match.corners = fields.pair()?;
        live_match.clock_stopped = fields.flag()?;
        live_match.suspended = fields.flag()?;
        live_match.player_serving = fields.int()?.filter(|side| matches!(side, 1 | 2));
        live_match.tiebreak = fields.flag()?;
        live_match.game = self.game(fields)?;
        live_match.ball = ball(fields);
        live_match.history = history(fields, self.texts);
        Ok((live_match, time))
    }

    /// The markets of a match. Flaws must be counted each time, so that a market with one is read each time.
    fn markets(&mut self, fields: &mut Fields<'_, '_>, id: MatchId) -> Result<Option<Vec<Option<Arc<Market>>>>, Flaw> {
        let mut now = Vec::new();
        let markets = self.entities(fields, |reading, cursor| {
            let seen = reading.kept.as_mut().and_then(|(_, found)| found.at(cursor.left()));
            if let Some(Seen::Known(kept)) = seen {
                let market = kept.pass(cursor);
                now.push(kept);
                return Ok(market);
            }
            let (beginning, flaws) = (*cursor, (reading.dropped.total(), reading.cut_prices));
            reading.values.clear();
            let market = reading.market(cursor)?;
            if let Some(Seen::New(cost)) = seen
                && flaws == (reading.dropped.total(), reading.cut_prices)
            {
                now.push(Kept::read((beginning, *cursor), &reading.values, &market, cost));
            }
            Ok(market)
        });
        if let Some((kept, _)) = &mut self.kept {
            kept.keep(id, now);
        }
        markets
    }

    /// Keeps the first market or odd with each id (CONTRACT 0); the others are invalid entities.
    fn without_repeated_ids(&mut self, mut markets: Vec<Arc<Market>>) -> Vec<Arc<Market>> {
        let odds = || markets.iter().flat_map(|market| &market.odds);
        let is_sound = all_different(markets.iter().map(|market| market.id.get()).collect())
            && all_different(odds().map(|odd| odd.id.get()).collect());
        if is_sound {
            return markets;
        }
        let (mut markets_seen, mut odds_seen) = (HashSet::new(), HashSet::new());
        markets.retain_mut(|market| {
            let is_first = markets_seen.insert(market.id);
            if is_first {
                Arc::make_mut(market).odds.retain(|odd| {
                    let is_first = odds_seen.insert(odd.id);
                    if !is_first {
                        self.dropped.count(Flaw::Repeated);
                    }
                    is_first
                });
            } else {
                self.dropped.count(Flaw::Repeated);
            }
            is_first
        });
        markets
    }

    fn time(&mut self, fields: &mut Fields<'_, '_>) -> Result<Time, Flaw> {
        let Some(cursor) = fields.next() else {
            return Ok(Time::None);
        };
        match cursor.token()? {
            Token::Unsigned(seconds) => i64::try_from(seconds).map(Time::Seconds).map_err(|_| Flaw::Type),
            Token::Negative(seconds) => Ok(Time::Seconds(seconds)),
            other => {
                let text = fields::text(other, self.texts)?;
                Ok(text.map_or(Time::None, Time::Text))
            }
        }
    }

    /// The points of the current game; a producer may send 15 instead of "15".
    fn game(&mut self, fields: &mut Fields<'_, '_>) -> Result<Option<[Text; 2]>, Flaw> {
        let points = fields.items(|cursor| fields::text_or_number(cursor.token()?, self.texts))?;
        let mut points = points.unwrap_or_default().into_iter();
        let (home, away) = (points.next().flatten(), points.next().flatten());
        Ok(home.zip(away).map(|(home, away)| [home, away]))
    }

    /// A market; `None` if its status is not in the offer (CONTRACT 10).
    fn market(&mut self, cursor: &mut Cursor<'_>) -> Result<Option<Arc<Market>>, Flaw> {
        let mut fields = Fields::open(cursor)?;
        let mut market = Market {
            id: fields.id(MarketId::new)?,
            name: fields.text(self.texts)?,
            short: fields.text(self.texts)?,
            special: fields.text(self.texts)?,
            sbv: fields.text_or_number(self.texts)?,
            kind: fields.int()?.unwrap_or_default(),
            subtype: fields.int()?,
            order: fields.int()?,
            odds: self.entities(&mut fields, Reading::odd)?.unwrap_or_default(),
            balanced: fields.flag()?,
            description: fields.text(self.texts)?,
            tags: fields.texts(self.texts)?.unwrap_or_default().into(),
            is_suspended: false,
        };
        let status = fields.int()?;
        fields.close()?;
        market.is_suspended = matches!(status, Some(-1 | -2));
        Ok(matches!(status, None | Some(1 | -1 | -2)).then(|| Arc::new(market)))
    }

    fn odd(&mut self, cursor: &mut Cursor<'_>) -> Result<Odd, Flaw> {
        let mut fields = Fields::open(cursor)?;
        let (id, kind) = (fields.id(OddId::new)?, fields.text(self.texts)?);
        self.values.extend(fields.left().map(|left| (left, Value::Price)));
        let value = fields.price(|| self.cut_prices = self.cut_prices.saturating_add(1))?;
        let values = fields.texts(self.texts)?.map(Arc::from);
        let alias = fields.text(self.texts)?;
        self.values.extend(fields.left().map(|left| (left, Value::Movement)));
        let (changed, description) = (fields.movement()?, fields.text(self.texts)?);
        fields.close()?;
        Ok(Odd { id, kind, value, values, alias, changed, description })
    }
}

fn all_different(mut ids: Vec<u64>) -> bool {
    ids.sort_unstable();
    ids.windows(2).all(|pair| pair[0] != pair[1])
}

fn peek_change(mut cursor: Cursor<'_>) -> Result<Change, Flaw> {
    let mut fields = Fields::open(&mut cursor)?;
    for _ in 0..CHANGE_AT {
        fields.skip()?;
    }
    match fields.int()? {
        None | Some(0 | 2) => Ok(Change::Update),
        Some(1) => Ok(Change::Insert),
        Some(3) => Ok(Change::Delete),
        Some(_) => Err(Flaw::Change),
    }
}

/// Our extension after the contract's elements. Other producers may send anything there, so an invalid ball counts as
/// absent.
fn ball(fields: &mut Fields<'_, '_>) -> Option<Ball> {
    let mut cursor = *fields.next()?;
    fields.cursor().skip().ok()?;
    let mut ball = Fields::open(&mut cursor).ok()?;
    let mut number = |max: u8| {
        let number = ball.int().ok().flatten()?;
        u8::try_from(number).ok().filter(|number| *number <= max)
    };
    Some(Ball { x: number(100)?, y: number(100)?, side: number(2)?, action: number(BALL_ACTION_MAX)? })
}
