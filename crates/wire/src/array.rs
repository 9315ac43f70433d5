//! Writes an array element by element in either encoding; an element may be bytes encoded earlier. Called by `hub` and
//! `matches`. The caller counts the elements first, because msgpack starts an array with its length.

use super::Encoding;
use serde::Serialize;

/// An array under construction at the end of a buffer.
pub(crate) struct ArrayWriter<'a> {
    out: &'a mut Vec<u8>,
    encoding: Encoding,
    left: usize,
    first: bool,
}

impl<'a> ArrayWriter<'a> {
    /// Starts an array of exactly `len` elements.
    pub(crate) fn begin(out: &'a mut Vec<u8>, encoding: Encoding, len: usize) -> ArrayWriter<'a> {
        match encoding {
            Encoding::Msgpack => write_array_header(out, len),
            Encoding::Json => out.push(b'['),
        }
        ArrayWriter { out, encoding, left: len, first: true }
    }

    /// Appends an element.
    pub(crate) fn item(&mut self, value: &impl Serialize) -> &mut Self {
        self.separate();
        self.encoding.write(self.out, value);
        self
    }

    /// Appends an element that the caller writes: exactly one value in this encoding.
    pub(crate) fn with(&mut self, write: impl FnOnce(&mut Vec<u8>, Encoding)) -> &mut Self {
        self.separate();
        write(self.out, self.encoding);
        self
    }

    /// Ends the array.
    pub(crate) fn end(&mut self) {
        debug_assert_eq!(self.left, 0, "an array was announced longer than it became");
        if self.encoding == Encoding::Json {
            self.out.push(b']');
        }
    }

    fn separate(&mut self) {
        debug_assert!(self.left > 0, "an array became longer than announced");
        self.left = self.left.saturating_sub(1);
        if self.encoding == Encoding::Json && !std::mem::take(&mut self.first) {
            self.out.push(b',');
        }
    }
}

/// The msgpack header of an array.
pub(crate) fn write_array_header(out: &mut Vec<u8>, len: usize) {
    let len = u32::try_from(len).unwrap_or(u32::MAX);
    // Writing to memory cannot fail.
    let written = rmp::encode::write_array_len(out, len);
    debug_assert!(written.is_ok());
}
