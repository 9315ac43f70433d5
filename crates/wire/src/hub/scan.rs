//! Follows the frame headers of a client as bytes arrive, only to read the announced lengths: a frame that announces
//! more than a command may have is rejected at once (RFC 6455, 5.2). The hub calls it for every read; must validate
//! nothing but the length.

use crate::limits::COMMAND_BYTES_MAX;

/// The position in the stream of frames.
#[derive(Clone, Debug, Default)]
pub struct FrameScan {
    header: Vec<u8>,
    body_left: u64,
}

/// A frame announced more bytes than a command may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLong;

impl FrameScan {
    /// Processes the next bytes.
    ///
    /// # Errors
    /// [`TooLong`]; the scan must not be used afterwards.
    pub fn take(&mut self, mut bytes: &[u8]) -> Result<(), TooLong> {
        while !bytes.is_empty() {
            let skipped = usize::try_from(self.body_left).unwrap_or(usize::MAX).min(bytes.len());
            self.body_left -= skipped as u64;
            bytes = &bytes[skipped..];
            let Some((first, rest)) = bytes.split_first() else { return Ok(()) };
            self.header.push(*first);
            bytes = rest;
            if let Some(length) = announced(&self.header)? {
                self.header.clear();
                self.body_left = length;
            }
        }
        Ok(())
    }
}

/// The announced length of the body, when the header is complete. A mask adds four bytes to the header; the codec
/// rejects frames without a mask.
fn announced(header: &[u8]) -> Result<Option<u64>, TooLong> {
    let Some(second) = header.get(1) else { return Ok(None) };
    let extended = match second & 0x7f {
        126 => 2,
        127 => 8,
        _ => 0,
    };
    let Some(digits) = header.get(2..2 + extended) else { return Ok(None) };
    let length = match extended {
        0 => u64::from(second & 0x7f),
        _ => digits.iter().fold(0, |length, digit| length << 8 | u64::from(*digit)),
    };
    if length > COMMAND_BYTES_MAX as u64 {
        return Err(TooLong);
    }
    let mask = if second & 0x80 == 0 { 0 } else { 4 };
    Ok((header.len() == 2 + extended + mask).then_some(length))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A masked text frame.
    fn frame(length: usize) -> Vec<u8> {
        let mut frame = vec![0x81];
        match length {
            0..=125 => frame.push(0x80 | length as u8),
            126..=0xffff => {
                frame.push(0x80 | 126);
                frame.extend_from_slice(&(length as u16).to_be_bytes());
            }
            _ => {
                frame.push(0x80 | 127);
                frame.extend_from_slice(&(length as u64).to_be_bytes());
            }
        }
        frame.extend_from_slice(&[0xff; 4]);
        frame.extend(std::iter::repeat_n(0xff, length));
        frame
    }

    #[test]
    fn frames_of_allowed_lengths_pass_however_they_are_cut() {
        let stream: Vec<u8> = [0, 1, 125, 126, 127, 4096, 5].into_iter().flat_map(frame).collect();
        for size in [1, 2, 3, 7, 64, 4096, stream.len()] {
            let mut scan = FrameScan::default();
            for piece in stream.chunks(size) {
                assert_eq!(scan.take(piece), Ok(()), "pieces of {size}");
            }
            assert_eq!((scan.header.len(), scan.body_left), (0, 0), "pieces of {size}");
        }
    }

    #[test]
    fn a_length_beyond_the_limit_is_seen_before_the_body() {
        for length in [4097, 70_000] {
            let header: Vec<u8> = frame(length).into_iter().take(10).collect();
            assert_eq!(FrameScan::default().take(&header), Err(TooLong), "{length}");
        }
        let mut scan = FrameScan::default();
        assert_eq!(scan.take(&frame(3)), Ok(()));
        assert_eq!(scan.take(b"\x81\xff\x40\0\0\0\0\0\0\0"), Err(TooLong));
    }

    #[test]
    fn a_frame_without_a_mask_is_followed_too() {
        for length in [0, 1, 5, 126, 300] {
            let mut masked = frame(length);
            masked[1] &= 0x7f;
            let header = if length > 125 { 4 } else { 2 };
            let unmasked = [&masked[..header], &masked[header + 4..]].concat();
            let mut scan = FrameScan::default();
            assert_eq!(scan.take(&unmasked), Ok(()), "{length}");
            assert_eq!((scan.header.len(), scan.body_left), (0, 0), "{length}");
        }
    }
}
