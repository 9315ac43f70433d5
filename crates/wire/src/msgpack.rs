//! A msgpack cursor that reads one token at a time, without a tree of values. The feed decoders use it on untrusted
//! bytes.
//!
//! Must not recurse, nor allocate by an announced length: the sender controls both.

use rmp::Marker;

/// One value, or the header of an array or a map.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Token<'a> {
    /// nil.
    Nil,
    /// true or false.
    Bool(bool),
    /// An integer of 0 or more, of any width.
    Unsigned(u64),
    /// An integer below 0, of any width.
    Negative(i64),
    /// A 32-bit float.
    F32(f32),
    /// A 64-bit float.
    F64(f64),
    /// A string, not validated as UTF-8.
    Str(&'a [u8]),
    /// Bytes.
    Bin,
    /// An extension.
    Ext,
    /// An array; this many values follow.
    Array(u32),
    /// A map; this many pairs of values follow.
    Map(u32),
}

/// The bytes are not msgpack.
#[derive(thiserror::Error, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Malformed {
    /// The bytes end inside a value, or an array announces more than there is.
    #[error("the bytes end in the middle of a value")]
    Truncated,
    /// The byte 0xc1, which msgpack never uses.
    #[error("a byte that msgpack never uses")]
    Reserved,
}

/// A position in msgpack bytes. A copy remembers the position.
#[derive(Clone, Copy, Debug)]
pub struct Cursor<'a> {
    rest: &'a [u8],
}

impl<'a> Cursor<'a> {
    /// A cursor at the start of `bytes`.
    pub fn new(bytes: &'a [u8]) -> Cursor<'a> {
        Cursor { rest: bytes }
    }

    /// The number of bytes not yet read.
    pub fn left(&self) -> usize {
        self.rest.len()
    }

    /// The bytes not yet read.
    pub fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Reads one token. The caller must read the values of an array or a map, which follow it.
    ///
    /// # Errors
    /// The bytes are not msgpack.
    pub fn token(&mut self) -> Result<Token<'a>, Malformed> {
        let marker = Marker::from_u8(self.array::<1>()?[0]);
        Ok(match marker {
            Marker::Null => Token::Nil,
            Marker::False => Token::Bool(false),
            Marker::True => Token::Bool(true),
            Marker::FixPos(value) => Token::Unsigned(value.into()),
            Marker::U8 => Token::Unsigned(self.u8()?.into()),
            Marker::U16 => Token::Unsigned(self.u16()?.into()),
            Marker::U32 => Token::Unsigned(self.u32()?.into()),
            Marker::U64 => Token::Unsigned(u64::from_be_bytes(self.array()?)),
            Marker::FixNeg(value) => Token::Negative(value.into()),
            Marker::I8 => signed(i8::from_be_bytes(self.array()?).into()),
            Marker::I16 => signed(i16::from_be_bytes(self.array()?).into()),
            Marker::I32 => signed(i32::from_be_bytes(self.array()?).into()),
            Marker::I64 => signed(i64::from_be_bytes(self.array()?)),
            Marker::F32 => Token::F32(f32::from_be_bytes(self.array()?)),
            Marker::F64 => Token::F64(f64::from_be_bytes(self.array()?)),
            Marker::FixStr(len) => Token::Str(self.bytes(len.into())?),
            Marker::Str8 => self.str_of(Cursor::u8)?,
            Marker::Str16 => self.str_of(Cursor::u16)?,
            Marker::Str32 => self.str_of(Cursor::u32)?,
            Marker::Bin8 => self.bin_of(Cursor::u8)?,
            Marker::Bin16 => self.bin_of(Cursor::u16)?,
            Marker::Bin32 => self.bin_of(Cursor::u32)?,
            Marker::FixExt1 => self.ext(1)?,
            Marker::FixExt2 => self.ext(2)?,
            Marker::FixExt4 => self.ext(4)?,
            Marker::FixExt8 => self.ext(8)?,
            Marker::FixExt16 => self.ext(16)?,
            Marker::Ext8 => self.ext_of(Cursor::u8)?,
            Marker::Ext16 => self.ext_of(Cursor::u16)?,
            Marker::Ext32 => self.ext_of(Cursor::u32)?,
            Marker::FixArray(len) => self.holds(len.into(), 1).map(Token::Array)?,
            Marker::Array16 => self.head(Cursor::u16, 1).map(Token::Array)?,
            Marker::Array32 => self.head(Cursor::u32, 1).map(Token::Array)?,
            Marker::FixMap(len) => self.holds(len.into(), 2).map(Token::Map)?,
            Marker::Map16 => self.head(Cursor::u16, 2).map(Token::Map)?,
            Marker::Map32 => self.head(Cursor::u32, 2).map(Token::Map)?,
            Marker::Reserved => return Err(Malformed::Reserved),
        })
    }

    /// Skips one value with all its contents.
    ///
    /// # Errors
    /// The bytes are not msgpack.
    pub fn skip(&mut self) -> Result<(), Malformed> {
        // A counter instead of recursion: nesting costs no stack. It cannot overflow, because no byte announces 2^33
        // values.
        let mut pending: u64 = 1;
        while pending > 0 {
            pending -= 1;
            match self.token()? {
                Token::Array(len) => pending += u64::from(len),
                Token::Map(len) => pending += 2 * u64::from(len),
                _ => {}
            }
        }
        Ok(())
    }

    /// Skips `len` bytes, which the caller knows to be whole values.
    ///
    /// # Errors
    /// There are fewer bytes.
    pub fn skip_bytes(&mut self, len: usize) -> Result<(), Malformed> {
        self.bytes(len).map(drop)
    }

    fn bytes(&mut self, len: usize) -> Result<&'a [u8], Malformed> {
        let (taken, rest) = self.rest.split_at_checked(len).ok_or(Malformed::Truncated)?;
        self.rest = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Malformed> {
        let (taken, rest) = self.rest.split_first_chunk().ok_or(Malformed::Truncated)?;
        self.rest = rest;
        Ok(*taken)
    }

    fn u8(&mut self) -> Result<u8, Malformed> {
        self.array().map(u8::from_be_bytes)
    }

    fn u16(&mut self) -> Result<u16, Malformed> {
        self.array().map(u16::from_be_bytes)
    }

    fn u32(&mut self) -> Result<u32, Malformed> {
        self.array().map(u32::from_be_bytes)
    }

    fn sized<N: Into<u32>>(
        &mut self,
        len: impl FnOnce(&mut Self) -> Result<N, Malformed>,
    ) -> Result<&'a [u8], Malformed> {
        let len = usize::try_from(len(self)?.into()).map_err(|_| Malformed::Truncated)?;
        self.bytes(len)
    }

    fn str_of<N: Into<u32>>(
        &mut self,
        len: impl FnOnce(&mut Self) -> Result<N, Malformed>,
    ) -> Result<Token<'a>, Malformed> {
        self.sized(len).map(Token::Str)
    }

    fn bin_of<N: Into<u32>>(
        &mut self,
        len: impl FnOnce(&mut Self) -> Result<N, Malformed>,
    ) -> Result<Token<'a>, Malformed> {
        self.sized(len).map(|_| Token::Bin)
    }

    fn ext(&mut self, len: usize) -> Result<Token<'a>, Malformed> {
        // One byte for the type of extension comes before the content.
        self.bytes(1 + len).map(|_| Token::Ext)
    }

    fn ext_of<N: Into<u32>>(
        &mut self,
        len: impl FnOnce(&mut Self) -> Result<N, Malformed>,
    ) -> Result<Token<'a>, Malformed> {
        let len = usize::try_from(len(self)?.into()).map_err(|_| Malformed::Truncated)?;
        self.ext(len)
    }

    fn head<N: Into<u32>>(
        &mut self,
        len: impl FnOnce(&mut Self) -> Result<N, Malformed>,
        values_each: u64,
    ) -> Result<u32, Malformed> {
        let len = len(self)?.into();
        self.holds(len, values_each)
    }

    /// Each value takes at least one byte, so a header that announces more values than the bytes left is rejected.
    fn holds(&self, len: u32, values_each: u64) -> Result<u32, Malformed> {
        if u64::from(len) * values_each <= self.rest.len() as u64 { Ok(len) } else { Err(Malformed::Truncated) }
    }
}

fn signed<'a>(value: i64) -> Token<'a> {
    u64::try_from(value).map_or(Token::Negative(value), Token::Unsigned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn tokens(bytes: &[u8]) -> Result<Vec<Token<'_>>, Malformed> {
        let mut cursor = Cursor::new(bytes);
        let mut tokens = Vec::new();
        while cursor.left() > 0 {
            tokens.push(cursor.token()?);
        }
        Ok(tokens)
    }

    #[test]
    fn headers_that_announce_too_much_are_rejected() {
        for bytes in [
            &b"\xdd\xff\xff\xff\xff"[..],
            b"\xdf\xff\xff\xff\xff\0",
            b"\x82\0\0\0",
            b"\x91",
            b"\xdb\xff\xff\xff\xff",
            b"\xc6\xff\xff\xff\xff",
            b"\xc9\xff\xff\xff\xff\0",
            b"\xcb\0\0",
            b"",
        ] {
            assert_eq!(Cursor::new(bytes).token(), Err(Malformed::Truncated), "{bytes:x?}");
        }
        assert_eq!(Cursor::new(b"\xc1").token(), Err(Malformed::Reserved));
    }

    #[test]
    fn unused_values_are_skipped() {
        let bytes = b"\xc4\x01x\xd4\x05y\xc7\x02\x05yy\x81\xa1k\x92\x01\x02\x07";
        let mut cursor = Cursor::new(bytes);
        assert_eq!(cursor.token(), Ok(Token::Bin));
        assert_eq!(cursor.token(), Ok(Token::Ext));
        assert_eq!(cursor.token(), Ok(Token::Ext));
        cursor.skip().unwrap();
        assert_eq!(cursor.token(), Ok(Token::Unsigned(7)));
        assert_eq!(cursor.left(), 0);
    }

    #[test]
    fn nesting_is_skipped_without_recursion() {
        let mut deep = vec![0x91; 5_000_000];
        deep.push(0xc0);
        let mut cursor = Cursor::new(&deep);
        cursor.skip().unwrap();
        assert_eq!(cursor.left(), 0);
    }

    proptest! {
        #[test]
        fn integers_are_read_at_any_width(value: i64, unsigned: u64) {
            let mut bytes = Vec::new();
            rmp::encode::write_sint(&mut bytes, value).unwrap();
            rmp::encode::write_uint(&mut bytes, unsigned).unwrap();
            rmp::encode::write_i64(&mut bytes, value).unwrap();
            prop_assert_eq!(tokens(&bytes).unwrap(), [signed(value), Token::Unsigned(unsigned), signed(value)]);
        }

        #[test]
        fn texts_are_read_at_any_length(len in prop_oneof![0usize..70, 250usize..260, 65_530usize..65_540]) {
            let text = "x".repeat(len);
            let mut bytes = Vec::new();
            rmp::encode::write_str(&mut bytes, &text).unwrap();
            prop_assert_eq!(tokens(&bytes).unwrap(), [Token::Str(text.as_bytes())]);
        }
    }
}
