//! Decompresses bodies by `content-encoding` (CONTRACT 1) within a limit, and compresses them for publishers. The feed
//! adapters call it for every message.
//!
//! Must not produce more than the limit: a quarter of a megabyte can inflate to 256 MiB.

use crate::limits::GZIP_MEMBERS_MAX;
use flate2::bufread::{GzDecoder, ZlibDecoder};
use flate2::write::{GzEncoder, ZlibEncoder};
use std::borrow::Cow;
use std::io::{self, Read, Write};

/// How a body is compressed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Compression {
    /// Not compressed: the property is absent.
    Plain,
    /// `deflate`, which is zlib (RFC 1950).
    Deflate,
    /// `gzip`, with one or several members.
    Gzip,
}

/// Why a body could not be read.
#[derive(thiserror::Error, Debug)]
pub enum InflateError {
    /// An encoding other than `deflate` and `gzip`.
    #[error("unknown content-encoding '{0}'")]
    UnknownEncoding(String),
    /// The stream is invalid, truncated, or has a wrong checksum.
    #[error("the compressed stream is broken")]
    Broken(#[source] io::Error),
    /// This many bytes follow the end of the stream.
    #[error("{0} bytes follow the end of the compressed stream")]
    Trailing(usize),
    /// More members than [`GZIP_MEMBERS_MAX`].
    #[error("more than {GZIP_MEMBERS_MAX} members")]
    TooManyMembers,
    /// The inflated body is larger than allowed.
    #[error("more than {0} bytes inflated")]
    TooLarge(usize),
}

impl Compression {
    /// Parses the `content-encoding` property.
    ///
    /// # Errors
    /// An encoding other than `deflate`, `gzip` or none (CONTRACT 1).
    pub fn from_property(property: Option<&str>) -> Result<Compression, InflateError> {
        match property {
            None => Ok(Compression::Plain),
            Some("deflate") => Ok(Compression::Deflate),
            Some("gzip") => Ok(Compression::Gzip),
            Some(other) => Err(InflateError::UnknownEncoding(other.chars().take(32).collect())),
        }
    }

    /// The `content-encoding` property, absent for [`Compression::Plain`].
    pub const fn property(self) -> Option<&'static str> {
        match self {
            Compression::Plain => None,
            Compression::Deflate => Some("deflate"),
            Compression::Gzip => Some("gzip"),
        }
    }
}

/// Inflates `body` to at most `bytes_max` bytes.
///
/// # Errors
/// The stream is invalid, truncated, too large, or followed by other bytes.
pub fn inflate(body: &[u8], encoding: Compression, bytes_max: usize) -> Result<Cow<'_, [u8]>, InflateError> {
    match encoding {
        Compression::Plain if body.len() > bytes_max => Err(InflateError::TooLarge(bytes_max)),
        Compression::Plain => Ok(Cow::Borrowed(body)),
        Compression::Deflate => {
            let mut decoder = ZlibDecoder::new(body);
            let mut inflated = Vec::new();
            read_bounded(&mut decoder, &mut inflated, bytes_max)?;
            match decoder.into_inner().len() {
                0 => Ok(Cow::Owned(inflated)),
                trailing => Err(InflateError::Trailing(trailing)),
            }
        }
        Compression::Gzip => members(body, bytes_max).map(Cow::Owned),
    }
}

/// Inflates all members of a gzip body. A member must be followed by another one, so trailing bytes are an invalid
/// header. Even an empty member costs time, so members are counted.
fn members(mut body: &[u8], bytes_max: usize) -> Result<Vec<u8>, InflateError> {
    let mut inflated = Vec::new();
    for _ in 0..GZIP_MEMBERS_MAX {
        let mut member = GzDecoder::new(body);
        read_bounded(&mut member, &mut inflated, bytes_max)?;
        body = member.into_inner();
        if body.is_empty() {
            return Ok(inflated);
        }
    }
    Err(InflateError::TooManyMembers)
}

/// Appends the whole stream to `inflated`, which may have at most `bytes_max` bytes in the end.
fn read_bounded(decoder: &mut impl Read, inflated: &mut Vec<u8>, bytes_max: usize) -> Result<(), InflateError> {
    // Reading one byte more distinguishes too large from exactly full; the latter's checksum must still be read.
    let left = bytes_max.saturating_sub(inflated.len()).saturating_add(1);
    decoder.take(u64::try_from(left).unwrap_or(u64::MAX)).read_to_end(inflated).map_err(InflateError::Broken)?;
    if inflated.len() > bytes_max {
        return Err(InflateError::TooLarge(bytes_max));
    }
    Ok(())
}

/// Compresses a body for publishing, fast rather than small: a live event is read once.
///
/// # Errors
/// Errors of writing to memory, which cannot occur.
pub fn compress(body: &[u8], encoding: Compression) -> io::Result<Vec<u8>> {
    match encoding {
        Compression::Plain => Ok(body.to_vec()),
        Compression::Deflate => {
            let mut encoder = ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
            encoder.write_all(body)?;
            encoder.finish()
        }
        Compression::Gzip => {
            let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::fast());
            encoder.write_all(body)?;
            encoder.finish()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &[u8] = b"a live event, a live event, a live event";
    const ALL: [Compression; 3] = [Compression::Plain, Compression::Deflate, Compression::Gzip];

    #[test]
    fn compressed_data_round_trips_up_to_the_limit() {
        for encoding in ALL {
            let body = compress(TEXT, encoding).unwrap();
            assert_eq!(inflate(&body, encoding, TEXT.len()).unwrap().as_ref(), TEXT, "{encoding:?}");
            let refused = inflate(&body, encoding, TEXT.len() - 1);
            assert!(matches!(refused, Err(InflateError::TooLarge(_))), "{encoding:?}");
        }
    }

    #[test]
    fn truncated_stream_is_rejected() {
        for encoding in [Compression::Deflate, Compression::Gzip] {
            let body = compress(TEXT, encoding).unwrap();
            for cut in 0..body.len() {
                let refused = inflate(&body[..cut], encoding, 1 << 20);
                assert!(matches!(refused, Err(InflateError::Broken(_))), "{encoding:?} cut at {cut}: {refused:?}");
            }
        }
    }

    #[test]
    fn trailing_bytes_are_rejected() {
        for encoding in [Compression::Deflate, Compression::Gzip] {
            for garbage in [&b"\0"[..], b"x", b"garbage that goes on for a while", b"\x1f\x8b"] {
                let mut body = compress(TEXT, encoding).unwrap();
                body.extend_from_slice(garbage);
                assert!(inflate(&body, encoding, 1 << 20).is_err(), "{encoding:?} followed by {garbage:?}");
            }
        }
    }

    #[test]
    fn a_gzip_of_several_members_is_their_sum() {
        let mut body = compress(b"one", Compression::Gzip).unwrap();
        body.extend(compress(b"two", Compression::Gzip).unwrap());
        assert_eq!(inflate(&body, Compression::Gzip, 6).unwrap().as_ref(), b"onetwo");
        assert!(inflate(&body, Compression::Gzip, 5).is_err());
    }

    #[test]
    fn members_are_counted() {
        let member = compress(b"1", Compression::Gzip).unwrap();
        let most = member.repeat(GZIP_MEMBERS_MAX);
        assert_eq!(inflate(&most, Compression::Gzip, 1 << 20).unwrap().len(), GZIP_MEMBERS_MAX);
        let more = inflate(&member.repeat(GZIP_MEMBERS_MAX + 1), Compression::Gzip, 1 << 20).map(Cow::into_owned);
        assert!(matches!(more, Err(InflateError::TooManyMembers)), "{more:?}");
    }

    #[test]
    fn a_wrong_checksum_is_broken() {
        for encoding in [Compression::Deflate, Compression::Gzip] {
            let mut body = compress(TEXT, encoding).unwrap();
            let last = body.len() - if encoding == Compression::Gzip { 5 } else { 1 };
            body[last] ^= 1;
            assert!(matches!(inflate(&body, encoding, 1 << 20), Err(InflateError::Broken(_))), "{encoding:?}");
        }
    }

    #[test]
    fn a_bomb_stops_at_the_limit() {
        let bomb = compress(&vec![0; 32 << 20], Compression::Gzip).unwrap();
        assert!(bomb.len() < 1 << 20);
        assert!(matches!(inflate(&bomb, Compression::Gzip, 4 << 20), Err(InflateError::TooLarge(_))));
    }

    #[test]
    fn only_exact_encoding_names_are_known() {
        for encoding in ALL {
            assert_eq!(Compression::from_property(encoding.property()).unwrap(), encoding);
        }
        for other in ["", "br", "identity", "GZIP", "zlib"] {
            assert!(Compression::from_property(Some(other)).is_err(), "{other}");
        }
    }
}
