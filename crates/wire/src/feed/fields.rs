//! Reads the elements of one positional array in order, each as the type that its index requires. Called by `decode` on
//! documents that `check` has accepted.
//!
//! Missing elements at the end count as absent, further elements are skipped, nil means absent (CONTRACT 1). A value of
//! another type is a [`Flaw`] of its entity. The caller then skips that entity, so a failing reader may leave the
//! cursor anywhere.

use super::Flaw;
use super::intern::Interner;
use crate::msgpack::{Cursor, Malformed, Token};
use kvota_domain::Text;
use kvota_domain::ids::ID_MAX;
use kvota_domain::matches::Pair;
use kvota_domain::price::Price;

impl From<Malformed> for Flaw {
    /// Cannot happen after `check`; counted as a wrong type.
    fn from(_: Malformed) -> Flaw {
        Flaw::Type
    }
}

/// The remaining elements of an array.
pub(super) struct Fields<'c, 'a> {
    cursor: &'c mut Cursor<'a>,
    left: u32,
}

impl<'c, 'a> Fields<'c, 'a> {
    /// Enters the array at `cursor`.
    pub(super) fn open(cursor: &'c mut Cursor<'a>) -> Result<Fields<'c, 'a>, Flaw> {
        match cursor.token()? {
            Token::Array(left) => Ok(Fields { cursor, left }),
            _ => Err(Flaw::Type),
        }
    }

    /// Skips the elements that this version does not know.
    pub(super) fn close(mut self) -> Result<(), Flaw> {
        while self.left > 0 {
            self.skip()?;
        }
        Ok(())
    }

    /// The cursor at the next element, for callers that read it themselves; `None` after the end.
    pub(super) fn next(&mut self) -> Option<&mut Cursor<'a>> {
        self.left = self.left.checked_sub(1)?;
        Some(self.cursor)
    }

    pub(super) fn skip(&mut self) -> Result<(), Flaw> {
        match self.next() {
            Some(cursor) => Ok(cursor.skip()?),
            None => Ok(()),
        }
    }

    fn token(&mut self) -> Result<Token<'a>, Flaw> {
        match self.next() {
            Some(cursor) => Ok(cursor.token()?),
            None => Ok(Token::Nil),
        }
    }

    /// The length of a list whose items follow at [`Fields::cursor`].
    pub(super) fn list(&mut self) -> Result<Option<u32>, Flaw> {
        match self.token()? {
            Token::Nil => Ok(None),
            Token::Array(len) => Ok(Some(len)),
            _ => Err(Flaw::Type),
        }
    }

    /// The bytes left before the next element; `None` after the end.
    pub(super) fn left(&self) -> Option<usize> {
        (self.left > 0).then(|| self.cursor.left())
    }

    pub(super) fn cursor(&mut self) -> &mut Cursor<'a> {
        self.cursor
    }

    /// A required id.
    pub(super) fn id<T>(&mut self, id: impl FnOnce(u64) -> Option<T>) -> Result<T, Flaw> {
        match self.token()? {
            Token::Nil => Err(Flaw::NoId),
            Token::Unsigned(number) => id(number).ok_or(Flaw::Id),
            _ => Err(Flaw::Type),
        }
    }

    /// An optional id.
    pub(super) fn other_id(&mut self) -> Result<Option<u64>, Flaw> {
        match self.token()? {
            Token::Nil => Ok(None),
            Token::Unsigned(number) if number <= ID_MAX => Ok(Some(number)),
            Token::Unsigned(_) => Err(Flaw::Id),
            _ => Err(Flaw::Type),
        }
    }

    pub(super) fn int(&mut self) -> Result<Option<i64>, Flaw> {
        int(self.token()?)
    }

    /// The movement of a price: 1, -1 or 0. Other values count as absent, and the movement is derived from the prices.
    pub(super) fn movement(&mut self) -> Result<Option<i8>, Flaw> {
        movement(self.token()?)
    }

    pub(super) fn flag(&mut self) -> Result<Option<bool>, Flaw> {
        match self.token()? {
            Token::Nil => Ok(None),
            Token::Bool(flag) => Ok(Some(flag)),
            _ => Err(Flaw::Type),
        }
    }

    pub(super) fn text(&mut self, texts: &mut Interner) -> Result<Option<Text>, Flaw> {
        text(self.token()?, texts)
    }

    /// A text, or a number in its shortest decimal form: `2.5`, `3`, `-1`.
    pub(super) fn text_or_number(&mut self, texts: &mut Interner) -> Result<Option<Text>, Flaw> {
        text_or_number(self.token()?, texts)
    }

    /// A price in thousandths; an absent one is not offered. Further decimals are cut off, and `note_cut` is called:
    /// rounding up would pay more than the feed offered.
    pub(super) fn price(&mut self, note_cut: impl FnOnce()) -> Result<Price, Flaw> {
        price(self.token()?, note_cut)
    }

    /// `[home, away]`; absent if either is absent.
    pub(super) fn pair(&mut self) -> Result<Option<Pair>, Flaw> {
        match self.next() {
            Some(cursor) => pair(cursor),
            None => Ok(None),
        }
    }

    /// A list read item by item.
    pub(super) fn items<T>(
        &mut self,
        mut item: impl FnMut(&mut Cursor<'a>) -> Result<T, Flaw>,
    ) -> Result<Option<Vec<T>>, Flaw> {
        let Some(len) = self.list()? else {
            return Ok(None);
        };
        let mut items = Vec::with_capacity(len.min(16) as usize);
        for _ in 0..len {
            items.push(item(self.cursor)?);
        }
        Ok(Some(items))
    }

    /// A list of texts with fixed indexes: an absent text is empty.
    pub(super) fn texts(&mut self, texts: &mut Interner) -> Result<Option<Vec<Text>>, Flaw> {
        self.items(|cursor| match text(cursor.token()?, texts)? {
            Some(text) => Ok(text),
            None => texts.text(b""),
        })
    }
}

pub(super) fn int(token: Token<'_>) -> Result<Option<i64>, Flaw> {
    match token {
        Token::Nil => Ok(None),
        Token::Unsigned(number) => i64::try_from(number).map(Some).map_err(|_| Flaw::Type),
        Token::Negative(number) => Ok(Some(number)),
        _ => Err(Flaw::Type),
    }
}

/// See [`Fields::movement`].
pub(super) fn movement(token: Token<'_>) -> Result<Option<i8>, Flaw> {
    let changed = int(token)?.and_then(|changed| i8::try_from(changed).ok());
    Ok(changed.filter(|it| matches!(it, -1..=1)))
}

pub(super) fn text(token: Token<'_>, texts: &mut Interner) -> Result<Option<Text>, Flaw> {
    match token {
        Token::Nil => Ok(None),
        Token::Str(bytes) => texts.text(bytes).map(Some),
        _ => Err(Flaw::Type),
    }
}

pub(super) fn text_or_number(token: Token<'_>, texts: &mut Interner) -> Result<Option<Text>, Flaw> {
    let spelled = match token {
        Token::Unsigned(number) => number.to_string(),
        Token::Negative(number) => number.to_string(),
        // Format as f32: 2.1 must not become 2.0999999046325684.
        Token::F32(number) if number.is_finite() => number.to_string(),
        Token::F64(number) if number.is_finite() => number.to_string(),
        other => return text(other, texts),
    };
    Ok(Some(spelled.into()))
}

/// The largest error, in thousandths, of a float that stands for a price with three decimals. For the largest price,
/// 100,000, the error is 0.00000002.
const FLOAT_ERROR_MAX: f64 = 1e-6;

/// See [`Fields::price`].
pub(super) fn price(token: Token<'_>, note_cut: impl FnOnce()) -> Result<Price, Flaw> {
    let value = match token {
        Token::Nil => return Ok(Price::NONE),
        Token::Unsigned(whole) => {
            let thousandths = whole.checked_mul(1000).and_then(|it| u32::try_from(it).ok());
            return thousandths.and_then(Price::from_thousandths).ok_or(Flaw::Value);
        }
        Token::Negative(_) => return Err(Flaw::Value),
        // A 32-bit float means its shortest decimal: 1.85, not 1.8500000238.
        Token::F32(value) if value.is_finite() => value.to_string().parse().map_err(|_| Flaw::Value)?,
        Token::F64(value) => value,
        Token::F32(_) => return Err(Flaw::Value),
        _ => return Err(Flaw::Type),
    };
    // CONTRACT 1: the value is validated before decimals are cut off.
    let value_max = f64::from(Price::MAX.thousandths()) / 1000.0;
    if !(0.0..=value_max).contains(&value) {
        return Err(Flaw::Value);
    }
    let nearest = (value * 1000.0).round();
    // A binary float rarely equals its decimal: 1.005 is slightly smaller.
    let is_exact = (value * 1000.0 - nearest).abs() < FLOAT_ERROR_MAX;
    let thousandths = if is_exact { nearest } else { (value * 1000.0).floor() } as u32;
    if !is_exact {
        note_cut();
    }
    Price::from_thousandths(thousandths).ok_or(Flaw::Value)
}

fn pair(cursor: &mut Cursor<'_>) -> Result<Option<Pair>, Flaw> {
    let mark = *cursor;
    if cursor.token()? == Token::Nil {
        return Ok(None);
    }
    *cursor = mark;
    let mut fields = Fields::open(cursor)?;
    let (home, away) = (fields.int()?, fields.int()?);
    fields.close()?;
    Ok(home.zip(away).map(|(home, away)| [home, away]))
}

/// A pair in a list with fixed indexes: an absent pair becomes nil to nil.
pub(super) fn listed_pair(cursor: &mut Cursor<'_>) -> Result<Pair, Flaw> {
    Ok(pair(cursor)?.unwrap_or_default())
}
