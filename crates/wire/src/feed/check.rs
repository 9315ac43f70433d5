//! Validates a whole document before anything is built from it: one well-formed array within the limits of depth and
//! size, with nothing after it. `decode` may then rely on every header that it reads.
//!
//! Must not recurse or allocate.

use super::{DecodeError, UpdateLimits};
use crate::limits::FEED_DEPTH_MAX;
use crate::msgpack::{Cursor, Token};

/// The index of `change` in a Match.
pub(super) const CHANGE_AT: u64 = 5;
/// Memory cost of a match or a sport, measured in odds: an empty one takes two bytes of a message and hundreds in
/// memory.
const HEAVY_ENTITY_COST: usize = 8;
/// Allowed list items (tags, texts of odds, scores by period) per allowed entity: six texts an odd, and some more.
const ITEMS_PER_ENTITY: usize = 8;

/// Follows the tokens of a document while it is validated. The default follows nothing.
pub(super) trait Follower {
    /// A token, the element at `index` of an array or map in the role `within`. `left` bytes were left before it.
    fn token(&mut self, _within: Role, _index: u64, _token: &Token<'_>, _left: usize) {}

    /// The end of an array or map in this role. `left` bytes are left.
    fn end(&mut self, _role: Role, _left: usize) {}

    /// The length and the cost of the market at the beginning of `rest`, if such bytes were validated before. They are
    /// skipped: no token of them is shown.
    fn known_market(&mut self, _rest: &[u8]) -> Option<(usize, Cost)> {
        None
    }

    /// The end of a market that was not known, with all its bytes.
    fn new_market(&mut self, _bytes: &[u8], _cost: Cost) {}
}

impl Follower for () {}

/// The meaning of an array, by its position.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// A live event, a snapshot or one of the small messages.
    Feed,
    /// A match-result (CONTRACT 7).
    Result,
    /// A list of match-results.
    Results,
    MarketResults,
    MarketResult,
    OddResults,
    Windows,
    Sports,
    Sport,
    Matches,
    Match,
    Markets,
    Market,
    Odds,
    Odd,
    Columns,
    Column,
    ColumnMarkets,
    /// A list of texts or of pairs.
    List,
    /// Anything that this version skips.
    Other,
}

impl Role {
    /// The role of the element at `index`.
    fn child(self, index: u64) -> Role {
        match (self, index) {
            (Role::Feed, 0) => Role::Sports,
            (Role::Results, _) => Role::Result,
            (Role::Result, 2) => Role::MarketResults,
            (Role::MarketResults, _) => Role::MarketResult,
            (Role::MarketResult, 2) => Role::OddResults,
            (Role::MarketResult, 3) => Role::Windows,
            (Role::Sports, _) => Role::Sport,
            (Role::Sport, 3) => Role::Matches,
            (Role::Sport, 4) => Role::Columns,
            (Role::Matches, _) => Role::Match,
            (Role::Match, 6) => Role::Markets,
            (Role::Match, 9) | (Role::Market, 11) | (Role::Odd, 3) | (Role::Column, 2) => Role::List,
            (Role::Markets, _) => Role::Market,
            (Role::Market, 8) => Role::Odds,
            (Role::Odds, _) => Role::Odd,
            (Role::Columns, _) => Role::Column,
            (Role::Column, 4) => Role::ColumnMarkets,
            _ => Role::Other,
        }
    }

    /// The cost of each element.
    fn each(self) -> Cost {
        let (entities, items) = match self {
            Role::Sports | Role::Matches | Role::Results => (HEAVY_ENTITY_COST, 0),
            Role::MarketResults | Role::OddResults | Role::Windows => (1, 0),
            Role::Markets | Role::Odds | Role::Columns | Role::ColumnMarkets => (1, 0),
            Role::List => (0, 1),
            _ => (0, 0),
        };
        Cost { entities, items }
    }
}

/// What a part of a message takes of its limits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Cost {
    entities: usize,
    items: usize,
}

/// An array or a map that is being skipped.
#[derive(Clone, Copy)]
struct Open {
    role: Role,
    next: u64,
    len: u64,
}

/// Validates a whole document of the feed.
pub(super) fn check(bytes: &[u8], limits: &UpdateLimits) -> Result<(), DecodeError> {
    check_as(Role::Feed, bytes, limits)
}

/// Validates a message of the offer; `follower` sees its tokens.
pub(super) fn check_and_follow(
    bytes: &[u8],
    limits: &UpdateLimits,
    follower: &mut impl Follower,
) -> Result<(), DecodeError> {
    validate(Role::Feed, bytes, limits, follower)
}

/// Validates a whole document whose outermost array has this role.
pub(super) fn check_as(role: Role, bytes: &[u8], limits: &UpdateLimits) -> Result<(), DecodeError> {
    validate(role, bytes, limits, &mut ())
}

fn validate(role: Role, bytes: &[u8], limits: &UpdateLimits, follower: &mut impl Follower) -> Result<(), DecodeError> {
    if bytes.len() > limits.bytes_max {
        return Err(DecodeError::TooLarge(limits.bytes_max));
    }
    let mut cursor = Cursor::new(bytes);
    let Token::Array(len) = cursor.token()? else {
        return Err(DecodeError::NotAnArray);
    };
    let outermost = Open { role, next: 0, len: len.into() };
    let mut open = [outermost; FEED_DEPTH_MAX];
    let mut depth = 1;
    let too_rich = || DecodeError::TooRich(limits.entities_max);
    let most = Cost { entities: limits.entities_max, items: limits.entities_max.saturating_mul(ITEMS_PER_ENTITY) };
    let mut budget = most.less(role.each(), outermost.len).ok_or_else(too_rich)?;
    // The rest of the document and of the budget where the market that is read begins.
    let mut market = (bytes, budget);
    while depth > 0 {
        let innermost = &mut open[depth - 1];
        if innermost.next == innermost.len {
            if innermost.role == Role::Market {
                let (rest, before) = market;
                let cost = Cost { entities: before.entities - budget.entities, items: before.items - budget.items };
                follower.new_market(&rest[..rest.len() - cursor.left()], cost);
            }
            follower.end(innermost.role, cursor.left());
            depth -= 1;
            continue;
        }
        let index = innermost.next;
        innermost.next += 1;
        if innermost.role == Role::Markets {
            if let Some((len, cost)) = follower.known_market(cursor.rest()) {
                budget = budget.less(cost, 1).ok_or_else(too_rich)?;
                cursor.skip_bytes(len)?;
                continue;
            }
            market = (cursor.rest(), budget);
        }
        let left = cursor.left();
        let token = cursor.token()?;
        follower.token(innermost.role, index, &token, left);
        let (role, len) = match token {
            Token::Array(len) => (innermost.role.child(index), len.into()),
            Token::Map(len) => (Role::Other, 2 * u64::from(len)),
            _ => continue,
        };
        budget = budget.less(role.each(), len).ok_or_else(too_rich)?;
        let next = open.get_mut(depth).ok_or(DecodeError::TooDeep)?;
        *next = Open { role, next: 0, len };
        depth += 1;
    }
    match cursor.left() {
        0 => Ok(()),
        trailing => Err(DecodeError::Trailing(trailing)),
    }
}

impl Cost {
    /// What is left of a budget after so many of these: all elements of an array at once, because `token` has checked
    /// that they can exist.
    fn less(self, each: Cost, number: u64) -> Option<Cost> {
        let number = usize::try_from(number).ok()?;
        Some(Cost {
            entities: self.entities.checked_sub(each.entities.checked_mul(number)?)?,
            items: self.items.checked_sub(each.items.checked_mul(number)?)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: UpdateLimits = UpdateLimits { bytes_max: 1000, entities_max: 20 };

    fn cause(bytes: &[u8]) -> Option<&'static str> {
        check(bytes, &SMALL).err().map(|error| error.cause())
    }

    fn nested(depth: usize) -> Vec<u8> {
        let mut bytes = vec![0x91; depth - 1];
        bytes.push(0x90);
        bytes
    }

    #[test]
    fn documents_are_validated_as_a_whole() {
        let cases: [(&str, Vec<u8>, Option<&str>); 14] = [
            ("the empty feed", vec![0x90], None),
            ("nothing", vec![], Some("truncated")),
            ("a map", vec![0x80], Some("array")),
            ("nil", vec![0xc0], Some("array")),
            ("an integer", vec![0x01], Some("array")),
            ("a second value", vec![0x90, 0xc0], Some("trailing")),
            ("an element short", vec![0x92, 0xc0], Some("truncated")),
            ("a reserved byte", vec![0x91, 0xc1], Some("msgpack")),
            ("nested as deep as may be", nested(FEED_DEPTH_MAX), None),
            ("nested deeper", nested(FEED_DEPTH_MAX + 1), Some("depth")),
            ("as large as may be", [&[0x91, 0xda, 3, 228][..], &[b'x'; 996]].concat(), None),
            ("larger", [&[0x91, 0xda, 3, 229][..], &[b'x'; 997]].concat(), Some("too_large")),
            ("two sports", vec![0x91, 0x92, 0x90, 0x90], None),
            ("three sports of the weight of 8 odds", vec![0x91, 0x93, 0x90, 0x90, 0x90], Some("entities")),
        ];
        for (name, bytes, expected) in cases {
            assert_eq!(cause(&bytes), expected, "{name}");
        }
    }

    #[test]
    fn maps_nest_too() {
        let mut bytes = vec![0x91];
        bytes.extend([0x81, 0x01].repeat(FEED_DEPTH_MAX));
        bytes.push(0xc0);
        assert_eq!(cause(&bytes), Some("depth"));
    }

    #[test]
    fn list_items_have_their_own_budget() {
        // One sport with one column that has this many headings.
        let with_fields = |fields: u8| {
            let mut bytes = b"\x91\x91\x95\xc0\xc0\xc0\xc0\x91\x93\xc0\xc0\xdc\0".to_vec();
            bytes.push(fields);
            bytes.resize(bytes.len() + usize::from(fields), 0xc0);
            bytes
        };
        assert_eq!(cause(&with_fields(160)), None);
        assert_eq!(cause(&with_fields(161)), Some("entities"));
    }
}
