//! Malicious and damaged messages: decompression bombs and a seeded mutator. `KVOTA_MUTATIONS` sets the number of
//! mutated messages, `KVOTA_SEED` repeats a failure. These tests use small limits; `tests/testkit/mutated.rs` uses the
//! real ones.

use super::*;
use crate::inflate::compress;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;

const MUTATIONS: u64 = 60_000;
const COMPRESSIONS: [Compression; 3] = [Compression::Plain, Compression::Deflate, Compression::Gzip];

/// A small xorshift generator: the same seed gives the same numbers on every platform.
pub(super) struct Random(pub(super) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub(super) fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() >> 11).unwrap() % bound.max(1)
    }
}

pub(super) fn from_env(name: &str, default: u64) -> u64 {
    let value = std::env::var(name).ok();
    value.map_or(default, |value| value.parse().expect(name))
}

pub(super) fn valid_messages() -> Vec<Vec<u8>> {
    let mut runner = TestRunner::deterministic();
    let mut message = || {
        let tree = super::arbitrary::update().new_tree(&mut runner).unwrap();
        encode::update(&tree.current())
    };
    std::iter::repeat_with(&mut message).filter(|bytes| (100..3000).contains(&bytes.len())).take(60).collect()
}

/// Headers that announce far more than follows, and values that fit no field.
const SPLINTERS: [&[u8]; 16] = [
    b"\xdd\xff\xff\xff\xff",
    b"\xdf\xff\xff\xff\xff",
    b"\xdb\xff\xff\xff\xff",
    b"\xc6\xff\xff\xff\xff",
    b"\xc9\xff\xff\xff\xff",
    b"\xdc\xff\xff",
    b"\xde\xff\xff",
    b"\xda\xff\xff",
    b"\xc1",
    b"\xcb\x7f\xf8\0\0\0\0\0\0",
    b"\xcb\x7f\xf0\0\0\0\0\0\0",
    b"\xcf\xff\xff\xff\xff\xff\xff\xff\xff",
    b"\xd3\x80\0\0\0\0\0\0\0",
    b"\xa4\xff\xfe\xfd\xfc",
    b"\x81\xc0\xc0",
    b"\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\xc0",
];

/// Shows `see` in each turn a valid message and then a damaged one, with the seed that repeats the turn.
pub(super) fn valid_and_damaged(turns: u64, seed: u64, mut see: impl FnMut(&[u8], u64)) {
    let valid = valid_messages();
    for turn in 0..from_env("KVOTA_MUTATIONS", turns) {
        let own = from_env("KVOTA_SEED", seed).wrapping_add(turn.wrapping_mul(0x9e37_79b9_7f4a_7c15)) | 1;
        let mut random = Random(own);
        let message = &valid[random.below(valid.len())];
        let mut damaged = message.clone();
        mutate(&mut damaged, &valid, &mut random);
        see(message, own);
        see(&damaged, own);
    }
}

pub(super) fn mutate(bytes: &mut Vec<u8>, others: &[Vec<u8>], random: &mut Random) {
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len());
        match random.below(8) {
            0 | 1 if !bytes.is_empty() => bytes[at] ^= 1 << random.below(8),
            2 if !bytes.is_empty() => bytes[at] = random.next() as u8,
            3 => bytes.truncate(at),
            4 => {
                let other = &others[random.below(others.len())];
                let from = random.below(other.len());
                let until = from + random.below((other.len() - from).min(64));
                bytes.splice(at..at, other[from..until].iter().copied());
            }
            5 => {
                let splinter = SPLINTERS[random.below(SPLINTERS.len())];
                let until = bytes.len().min(at + random.below(2) * splinter.len());
                bytes.splice(at..until, splinter.iter().copied());
            }
            6 => {
                let until = at + random.below((bytes.len() - at).min(16));
                bytes.drain(at..until);
            }
            _ => bytes.extend((0..random.below(9)).map(|byte| byte as u8)),
        }
    }
}

fn entities(update: &FeedUpdate) -> usize {
    let matches = update.sports.iter().flat_map(|sport| &sport.matches);
    let of_match =
        |live_match: &kvota_domain::matches::Match| 1 + live_match.markets.len() + live_match.number_of_odds();
    update.sports.len() + matches.map(|it| of_match(&it.live_match)).sum::<usize>()
}

#[test]
fn mutated_messages_never_panic_or_exceed_the_limits() {
    let (count, seed) = (from_env("KVOTA_MUTATIONS", MUTATIONS), from_env("KVOTA_SEED", 0x6b76_6f74_6100_0001));
    let valid = valid_messages();
    let limits = UpdateLimits { bytes_max: 4096, entities_max: 400 };
    let mut outcomes = [0u64; 3];
    for turn in 0..count {
        // Each turn has its own seed, so that a failure can be repeated without the turns before it.
        let own = seed.wrapping_add(turn.wrapping_mul(0x9e37_79b9_7f4a_7c15)) | 1;
        let mut random = Random(own);
        let encoding = COMPRESSIONS[random.below(3)];
        let mut body = valid[random.below(valid.len())].clone();
        let compress_first = random.below(2) == 0;
        if compress_first {
            body = compress(&body, encoding).unwrap();
        }
        mutate(&mut body, &valid, &mut random);
        if !compress_first {
            body = compress(&body, encoding).unwrap();
        }
        let outcome = std::panic::catch_unwind(|| open_update(&body, encoding.property(), &limits));
        let outcome = outcome.unwrap_or_else(|_| panic!("turn {turn} of seed {seed}: {body:x?}"));
        match outcome {
            Ok(decoded) => {
                assert!(entities(&decoded.update) <= limits.entities_max, "turn {turn}");
                let again = encode::update(&decoded.update);
                let wide = UpdateLimits::EVENT;
                // The encoder does not write these two fields.
                let readable = FeedUpdate { unreadable: vec![], is_incomplete: false, ..decoded.update.clone() };
                assert_eq!(decode_update(&again, &wide).unwrap().update, readable);
                outcomes[usize::from(decoded.dropped.total() > 0)] += 1;
            }
            Err(error) => {
                assert!(!error.cause().is_empty());
                outcomes[2] += 1;
            }
        }
    }
    let [whole, dropped, refused] = outcomes;
    assert!(
        [whole, dropped, refused].iter().all(|it| *it > count / 200),
        "the mutator reaches every outcome: {outcomes:?} of {count}"
    );
}

fn cause(body: &[u8], encoding: Compression, limits: &UpdateLimits) -> &'static str {
    let outcome = open_update(body, encoding.property(), limits);
    outcome.err().map_or("decoded", |error| error.cause())
}

#[test]
fn nesting_bombs_are_rejected_on_a_small_stack() {
    let event = &UpdateLimits::EVENT;
    let snapshot = &UpdateLimits::SNAPSHOT;
    let mut deep = vec![0x91; 5_000_000];
    deep.push(0x90);
    assert_eq!(cause(&deep, Compression::Plain, snapshot), "depth");
    let maps = b"\x81\x01".repeat(1_000_000);
    assert_eq!(cause(&[b"\x91", &maps[..], b"\xc0"].concat(), Compression::Plain, snapshot), "depth");
    assert_eq!(cause(b"\xdd\xff\xff\xff\xff", Compression::Plain, event), "truncated");
    assert_eq!(cause(b"\x91\xdd\xff\xff\xff\xff", Compression::Plain, event), "truncated");
    for head in [&b"\xdb\xff\xff\xff\xff"[..], b"\xc6\xff\xff\xff\xff", b"\xdf\xff\xff\xff\xff"] {
        assert_eq!(cause(&[b"\x91", head].concat(), Compression::Plain, event), "truncated");
    }
}

/// `[[nil or [] …]]`: this many sports, each almost empty.
fn sports(count: u32, each: u8) -> Vec<u8> {
    let mut bytes = vec![0x91, 0xdd];
    bytes.extend(count.to_be_bytes());
    bytes.resize(bytes.len() + count as usize, each);
    bytes
}

#[test]
fn flood_of_tiny_entities_is_rejected_before_building() {
    for each in [0xc0, 0x90] {
        let flood = sports(10_000_000, each);
        assert_eq!(cause(&flood, Compression::Plain, &UpdateLimits::EVENT), "too_large");
        assert_eq!(cause(&flood, Compression::Plain, &UpdateLimits::SNAPSHOT), "entities");
    }
    // Outside the lists of entities, skipped values cost nothing and are accepted.
    let mut ignored = vec![0x94, 0xc0, 0xc0, 0xc0, 0xdd];
    ignored.extend(10_000_000u32.to_be_bytes());
    ignored.resize(ignored.len() + 10_000_000, 0xc0);
    assert_eq!(cause(&ignored, Compression::Plain, &UpdateLimits::SNAPSHOT), "decoded");
}

#[test]
fn compressed_bombs_stop_at_the_limit() {
    let zeros = vec![0; 256 << 20];
    for encoding in [Compression::Gzip, Compression::Deflate] {
        let bomb = compress(&zeros, encoding).unwrap();
        assert!(bomb.len() < 4 << 20);
        assert_eq!(cause(&bomb, encoding, &UpdateLimits::EVENT), "too_large");
        assert_eq!(cause(&bomb, encoding, &UpdateLimits::SNAPSHOT), "too_large");
        // A bomb inside a bomb is ordinary bytes: nothing is inflated twice.
        let nested = compress(&bomb, encoding).unwrap();
        assert_eq!(cause(&nested, encoding, &UpdateLimits::SNAPSHOT), "array");
    }
    let member = compress(&zeros[..1 << 20], Compression::Gzip).unwrap();
    let members = member.repeat(100);
    assert_eq!(cause(&members, Compression::Gzip, &UpdateLimits::SNAPSHOT), "too_large");
    let empty_members = compress(b"", Compression::Gzip).unwrap().repeat(100_000);
    assert_eq!(cause(&empty_members, Compression::Gzip, &UpdateLimits::EVENT), "compression");
}
