//! Damages bytes, depending on a seed: line errors, old clients and attacks. Most damage is small, because a decoder
//! rejects an entirely wrong message at its first byte.

use crate::seed::Dice;

/// Bytes and numbers that often break decoders: headers of large arrays, ends of ranges, separators.
const SPLINTERS: [&[u8]; 20] = [
    b"\xdd\xff\xff\xff\xff",
    b"\xdf\xff\xff\xff\xff",
    b"\xdb\xff\xff\xff\xff",
    b"\xcf\xff\xff\xff\xff\xff\xff\xff\xff",
    b"\xcb\x7f\xf8\x00\x00\x00\x00\x00\x00",
    b"\xc0",
    b"\x91",
    b"\x80",
    b"\x00",
    b"\xff",
    b"\xc3\xa9",
    b"\\u0000",
    b"9007199254740993",
    b"-1",
    b"1e999",
    b"0.001",
    b"null",
    b"\"",
    b"[[[[[[[[",
    b",",
];

/// Damages an example at one to four positions. With several examples, one may be inserted into another.
///
/// # Panics
/// If there is no example.
#[track_caller]
pub fn mutate(dice: &mut Dice, examples: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = dice.one_of(examples).clone();
    for _ in 0..dice.between(1, 4) {
        damage(dice, &mut bytes, examples);
    }
    bytes
}

fn damage(dice: &mut Dice, bytes: &mut Vec<u8>, examples: &[Vec<u8>]) {
    let len = bytes.len() as u64;
    let place = |dice: &mut Dice| dice.below(len.max(1)) as usize;
    let at = place(dice);
    match dice.below(10) {
        _ if bytes.is_empty() => bytes.extend_from_slice(dice.one_of::<&[u8]>(&SPLINTERS)),
        0 => bytes[at] ^= 1 << dice.below(8),
        1 => bytes[at] = dice.below(256) as u8,
        2 => {
            bytes.remove(at);
        }
        3 => bytes.truncate(at),
        4 => {
            let byte = bytes[at];
            bytes.insert(at, byte);
        }
        5 | 6 => {
            let splinter = *dice.one_of::<&[u8]>(&SPLINTERS);
            let end = (at + dice.below(splinter.len() as u64 + 1) as usize).min(bytes.len());
            bytes.splice(at..end, splinter.iter().copied());
        }
        7 => {
            let to = place(dice);
            bytes.swap(at, to);
        }
        8 => {
            let end = (at + 1 + dice.below(16) as usize).min(bytes.len());
            let piece = bytes[at..end].to_vec();
            let to = place(dice);
            bytes.splice(to..to, piece);
        }
        _ => {
            let other = dice.one_of(examples);
            let from = dice.below(other.len() as u64 + 1) as usize;
            let end = (from + dice.below(64) as usize).min(other.len());
            bytes.splice(at.., other[from..end].iter().copied());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_does_the_same_damage_and_most_of_it_is_small() {
        let examples = vec![b"the quick brown fox".to_vec(), b"jumps over".to_vec()];
        let all = |seed| {
            let mut dice = Dice::new(seed);
            (0..200).map(|_| mutate(&mut dice, &examples)).collect::<Vec<_>>()
        };
        assert_eq!(all(1), all(1));
        let alike = all(1).iter().filter(|bytes| bytes.starts_with(b"the") || bytes.starts_with(b"jum")).count();
        assert!(alike > 100, "{alike} of 200 begin as they did");
    }
}
