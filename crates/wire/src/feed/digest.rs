//! Digests of the matches of a message, made while it is validated. Two matches with equal digests have the same texts,
//! and the same entities of them are valid.
//!
//! Must cover everything that decides about a text or about the validity of an entity. Left out are the values of
//! numbers that are valid wherever a number may stand: prices, scores and clocks, which change all the time.

use super::check::{CHANGE_AT, Cost, Follower, Role};
use super::kept_markets::near;
use super::market_shape::{Found, MarketShape, Value};
use super::translation::Translations;
use crate::msgpack::Token;
use foldhash::fast::FoldHasher;
use kvota_domain::ids::MatchId;
use kvota_domain::lang::Lang;
use kvota_domain::price::Price;
use std::cell::{Cell, RefCell};
use std::hash::{BuildHasher, Hasher};

/// Numbers from 0 to the highest price are valid in every field that takes a number.
pub(super) const PLAIN_MAX: u32 = Price::MAX.thousandths() / 1000;

/// The meaning of an element for the digest.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Element {
    /// An id: every value counts.
    Id,
    /// The `change` of a match, which is read before the digest is used.
    Change,
    /// A price: nil, an integer or a float.
    Price,
    /// The movement of a price: nil or an integer.
    Movement,
    Other,
}

impl Element {
    fn at(within: Role, index: u64) -> Element {
        match (within, index) {
            (Role::Match | Role::Market | Role::Odd, 0) => Element::Id,
            (Role::Match, CHANGE_AT) => Element::Change,
            (Role::Odd, 2) => Element::Price,
            (Role::Odd, 5) => Element::Movement,
            _ => Element::Other,
        }
    }
}

/// The place and the digest of one match.
#[derive(Clone, Copy, Debug)]
pub(super) struct MatchDigest {
    /// The bytes left in the document where the match starts.
    left: usize,
    /// The length of the match in bytes.
    pub(super) bytes: usize,
    pub(super) digest: u64,
}

/// A market of the last message.
#[derive(Default)]
pub(super) struct KnownMarket {
    shape: MarketShape,
    digest: u64,
    cost: Cost,
}

/// Collects the digests of a message. A market that is as in the last message, but for its prices, is neither validated
/// nor digested again.
pub(super) struct MatchDigests<'s> {
    known: &'s Translations,
    lang: Lang,
    /// Where the prices and their movement are in the market that is being read.
    values: Vec<(usize, Value)>,
    /// A market without them.
    bare: Vec<u8>,
    /// The match that is being read.
    current: Option<Current<'s>>,
    found: Vec<MatchDigest>,
}

struct Current<'s> {
    /// The bytes left where it starts.
    start: usize,
    id: Option<MatchId>,
    own: Digest<'s>,
    /// The market that is being read.
    market: Option<NewMarket<'s>>,
    /// The markets of the last message, and of this one.
    before: Vec<KnownMarket>,
    now: Vec<KnownMarket>,
    /// The place in `before` where the next market is expected.
    next: usize,
}

struct NewMarket<'s> {
    /// The bytes left where it starts.
    start: usize,
    digest: Digest<'s>,
}

impl<'s> MatchDigests<'s> {
    /// For a message of a language.
    pub(super) fn new(known: &'s Translations, lang: Lang) -> MatchDigests<'s> {
        MatchDigests { known, lang, values: Vec::new(), bare: Vec::new(), current: None, found: Vec::new() }
    }

    /// The digests in the order of the matches.
    pub(super) fn found(self) -> Vec<MatchDigest> {
        self.found
    }

    fn digest(&self) -> Digest<'s> {
        Digest { hasher: self.known.seed().build_hasher(), kinds: 0 }
    }
}

/// The digest of the match that starts with this many bytes left.
pub(super) fn at(digests: &[MatchDigest], left: usize) -> Option<MatchDigest> {
    let place = digests.binary_search_by(|digest| left.cmp(&digest.left)).ok()?;
    digests.get(place).copied()
}

impl Follower for MatchDigests<'_> {
    fn token(&mut self, within: Role, index: u64, token: &Token<'_>, left: usize) {
        let is_array = matches!(token, Token::Array(_));
        if within == Role::Matches && is_array {
            let (before, now) = (Vec::new(), Vec::new());
            let own = self.digest();
            self.current = Some(Current { start: left, id: None, own, market: None, before, now, next: 0 });
        }
        let market = (within == Role::Markets && is_array).then(|| self.digest());
        let Some(current) = &mut self.current else { return };
        match (within, index, token) {
            (Role::Match, 0, Token::Unsigned(id)) => {
                current.id = MatchId::new(*id);
                current.before = current.id.map(|id| self.known.take_markets(self.lang, id)).unwrap_or_default();
                current.now.reserve(current.before.len());
            }
            // A match that is deleted is not kept.
            (Role::Match, CHANGE_AT, Token::Unsigned(DELETION)) => current.id = None,
            _ => {}
        }
        if let Some(digest) = market {
            self.values.clear();
            current.market = Some(NewMarket { start: left, digest });
        }
        let element = Element::at(within, index);
        match &mut current.market {
            Some(market) => {
                market.digest.add(token, element);
                match element {
                    Element::Price => self.values.push((market.start - left, Value::Price)),
                    Element::Movement => self.values.push((market.start - left, Value::Movement)),
                    _ => {}
                }
            }
            None => current.own.add(token, element),
        }
    }

    fn known_market(&mut self, rest: &[u8]) -> Option<(usize, Cost)> {
        let (seed, current) = (self.known.seed(), self.current.as_mut()?);
        let found = Cell::new(None);
        let bare = RefCell::new(&mut self.bare);
        let is_here = |known: &KnownMarket| {
            found.set(known.shape.find(rest, seed, &mut bare.borrow_mut()));
            found.get().is_some()
        };
        let place = near(&current.before, current.next, is_here)?;
        let (Found { len, is_same }, mut known) = (found.get()?, std::mem::take(current.before.get_mut(place)?));
        if !is_same {
            known.shape.note(rest.get(..len)?, seed);
        }
        current.next = place + 1;
        current.own.value(MARKET, known.digest);
        let cost = known.cost;
        current.now.push(known);
        Some((len, cost))
    }

    fn new_market(&mut self, bytes: &[u8], cost: Cost) {
        let Some(current) = &mut self.current else { return };
        let Some(NewMarket { digest, .. }) = current.market.take() else { return };
        let digest = digest.finish();
        current.own.value(MARKET, digest);
        current.next += 1;
        let shape = MarketShape::of(bytes, &self.values, self.known.seed(), &mut self.bare);
        current.now.push(KnownMarket { shape: shape.unwrap_or_default(), digest, cost });
    }

    fn end(&mut self, role: Role, left: usize) {
        if role != Role::Match {
            return;
        }
        if let Some(Current { start, id, own, now, .. }) = self.current.take() {
            if let Some(id) = id {
                self.known.keep_markets(self.lang, id, now);
            }
            self.found.push(MatchDigest { left: start, bytes: start - left, digest: own.finish() });
        }
    }
}

/// A digest that is being made.
struct Digest<'s> {
    hasher: FoldHasher<'s>,
    /// The kinds of the tokens since the last write to the hasher, which would cost more than the tokens.
    kinds: u64,
}

/// The `change` of a match that is deleted.
const DELETION: u64 = 3;
/// A factor above all kinds.
const KINDS: u64 = 31;
/// The kind of a whole market.
const MARKET: u64 = 16;

impl Digest<'_> {
    fn finish(mut self) -> u64 {
        self.hasher.write_u64(self.kinds);
        self.hasher.finish()
    }

    fn add(&mut self, token: &Token<'_>, element: Element) {
        let is_plain = |value: f64| element != Element::Id && (0.0..=f64::from(PLAIN_MAX)).contains(&value);
        match *token {
            _ if element == Element::Change => self.kind(1),
            Token::Nil if element == Element::Price => self.kind(2),
            Token::Nil | Token::Negative(-1) if element == Element::Movement => self.kind(2),
            Token::Unsigned(number) if element != Element::Id && number <= PLAIN_MAX.into() => self.kind(2),
            Token::F32(number) if element == Element::Price && is_plain(number.into()) => self.kind(2),
            Token::F64(number) if element == Element::Price && is_plain(number) => self.kind(2),
            Token::F32(number) if is_plain(number.into()) => self.kind(3),
            Token::F64(number) if is_plain(number) => self.kind(4),
            Token::Nil => self.kind(5),
            Token::Bool(_) => self.kind(6),
            Token::Bin => self.kind(7),
            Token::Ext => self.kind(8),
            Token::Unsigned(number) => self.value(9, number),
            Token::Negative(number) => self.value(10, number.unsigned_abs()),
            Token::F32(number) => self.value(11, number.to_bits().into()),
            Token::F64(number) => self.value(12, number.to_bits()),
            Token::Array(len) => self.value(13, len.into()),
            Token::Map(len) => self.value(14, len.into()),
            Token::Str(bytes) => {
                self.value(15, bytes.len() as u64);
                self.hasher.write(bytes);
            }
        }
    }

    /// Adds a token of which only the kind counts.
    fn kind(&mut self, kind: u64) {
        self.kinds = self.kinds.wrapping_mul(KINDS).wrapping_add(kind);
    }

    /// Adds a token with its value.
    fn value(&mut self, kind: u64, value: u64) {
        self.kind(kind);
        self.hasher.write_u64(self.kinds);
        self.hasher.write_u64(value);
        self.kinds = 0;
    }
}
