//! R25 and R26: messages that are small to send but expand a lot (compression bombs, deep nesting). The measured costs
//! are printed; only bounds that hold on any machine are asserted. A debug build uses more stack and time than the
//! program.

use flate2::{Compress, FlushCompress};
use kvota::testkit::measured::{count, most, ms};
use kvota_wire::feed::{UpdateLimits, open_update};
use kvota_wire::inflate::{Compression, compress};
use kvota_wire::limits::{EVENT_BYTES_MAX, FEED_DEPTH_MAX};
use std::time::Duration;
use tokio::time::Instant;

const KIB: usize = 1 << 10;
const MIB: usize = 1 << 20;

/// A deflate block of 8 MiB of zeros that ends on a byte boundary, so that it can be repeated.
fn piece_of_zeros() -> Vec<u8> {
    let mut piece = Vec::with_capacity(16 * KIB);
    let mut packing = Compress::new(flate2::Compression::best(), false);
    let packed = packing.compress_vec(&vec![0; 8 * MIB], &mut piece, FlushCompress::Sync);
    assert!(packed.is_ok() && packing.total_in() == 8 * MIB as u64, "{packed:?}");
    piece
}

/// 256 MiB of zeros after the header of a stream. It has no checksum: a reader must stop at its limit, before that.
fn zeros_after(head: &[u8]) -> Vec<u8> {
    [head, &piece_of_zeros().repeat(32), b"\x03\x00"].concat()
}

fn gzip(body: &[u8]) -> Vec<u8> {
    compress(body, Compression::Gzip).expect("memory")
}

/// A memory figure of this process from the kernel, in KiB; `None` if the kernel does not provide it.
fn kernel_kib(name: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    line.trim_matches([':', ' ', '\t', 'k', 'B']).parse().ok()
}

/// The cost of a rejection: its time, and the growth of resident memory in KiB.
struct Cost {
    time: Duration,
    rose_kib: Option<u64>,
}

/// Decodes a body that must be rejected; returns the cause and the cost.
fn refuse(body: &[u8], encoding: Option<&str>, limits: &UpdateLimits) -> (&'static str, Cost) {
    // Resets the peak of resident memory.
    let is_marked = std::fs::write("/proc/self/clear_refs", "5").is_ok();
    let before = kernel_kib("VmRSS");
    let began = Instant::now();
    let outcome = open_update(body, encoding, limits);
    let time = began.elapsed();
    let highest = kernel_kib("VmHWM").filter(|_| is_marked);
    let cause = outcome.err().map_or("decoded", |error| error.cause());
    let rose_kib = highest.zip(before).map(|(highest, before)| highest.saturating_sub(before));
    (cause, Cost { time, rose_kib })
}

#[test]
fn compression_bomb_is_rejected_at_its_size_limit() {
    let zeros = zeros_after(b"\x1f\x8b\x08\0\0\0\0\0\x02\xff");
    let zlib = zeros_after(b"\x78\xda");
    assert!(zeros.len() < 256 * KIB && zlib.len() < 256 * KIB, "{} {}", zeros.len(), zlib.len());
    let member = gzip(&vec![0; MIB]);
    let cases: [(&str, &str, Vec<u8>, &str); 6] = [
        ("256 MiB as gzip", "gzip", zeros.clone(), "too_large"),
        ("256 MiB as zlib", "deflate", zlib, "too_large"),
        // Only the outer layer is decompressed. The inner gzip is bytes and not an array.
        ("a gzip in a gzip", "gzip", gzip(&zeros), "array"),
        ("256 members of 1 MiB", "gzip", member.repeat(256), "too_large"),
        ("five members, over the limit together", "gzip", member.repeat(5), "too_large"),
        ("100,000 members of nothing", "gzip", gzip(b"").repeat(100_000), "compression"),
    ];
    let (mut slowest, mut rose) = (Duration::ZERO, Some(0));
    for (name, encoding, body, expected) in &cases {
        // The best of five runs, since other work on the machine also takes time.
        let mut best = Duration::MAX;
        for _ in 0..5 {
            let (cause, cost) = refuse(body, Some(encoding), &UpdateLimits::EVENT);
            assert_eq!(cause, *expected, "{name}");
            best = best.min(cost.time);
            rose = rose.zip(cost.rose_kib).map(|(most, one)| most.max(one));
        }
        slowest = slowest.max(best);
    }
    count("R25", "bombs, each rejected with the expected cause", cases.len());
    most("R25", "ms, the slowest rejection, best of five", ms(slowest), 50);
    let rose = rose.map_or_else(|| "unknown".to_owned(), |kib| format!("{:.1}", kib as f64 / 1024.0));
    most("R25", "MiB more of resident memory", rose, 16);
}

/// `[[[…]]]`.
fn nested(depth: usize) -> Vec<u8> {
    let mut bytes = vec![0x91; depth - 1];
    bytes.push(0x90);
    bytes
}

/// `[nil, nil, nil, [nil …]]`: `count` elements at a position that this version does not read.
fn passed_over(count: u32) -> Vec<u8> {
    let mut bytes = vec![0x94, 0xc0, 0xc0, 0xc0, 0xdd];
    bytes.extend(count.to_be_bytes());
    bytes.resize(bytes.len() + count as usize, 0xc0);
    bytes
}

/// `[[[1, nil, nil, [[7, nil, nil, nil, true, 2, [[70, … [[700], …]]]]]]]]`: one match with `count` odds.
fn odds(count: u32) -> Vec<u8> {
    let mut bytes = vec![0x91, 0x91, 0x94, 0x01, 0xc0, 0xc0, 0x91];
    bytes.extend([0x97, 0x07, 0xc0, 0xc0, 0xc0, 0xc3, 0x02, 0x91]);
    bytes.extend([0x99, 0x46, 0xc0, 0xc0, 0xc0, 0xc0, 0xc0, 0xc0, 0xc0, 0xdd]);
    bytes.extend(count.to_be_bytes());
    for id in 0..count {
        bytes.extend([0x91, 0xce]);
        bytes.extend(id.to_be_bytes());
    }
    bytes
}

/// Runs a test on a stack of 64 KiB, where any recursion would overflow, also in a debug build.
fn on_a_small_stack(test: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(64 * KIB).spawn(test).expect("a thread");
    thread.join().expect("it overflows nothing and ends well");
}

#[test]
fn deep_nesting_and_huge_announced_lengths_are_rejected_on_a_small_stack() {
    on_a_small_stack(|| {
        let (event, snapshot) = (&UpdateLimits::EVENT, &UpdateLimits::SNAPSHOT);
        let announced = |head: &[u8]| [&[0x91], head].concat();
        let maps = |depth: usize| [&[0x91][..], &[0x81, 0x01].repeat(depth), &[0xc0]].concat();
        let entities = u32::try_from(event.entities_max).expect("a number") - 17;
        let cases: Vec<(&str, Vec<u8>, &UpdateLimits, &str)> = vec![
            ("as deep as may be", nested(FEED_DEPTH_MAX), event, "decoded"),
            ("depth 33", nested(33), event, "depth"),
            ("depth 1,000", nested(1_000), event, "depth"),
            ("depth 4 M in an event", nested(4_000_000), event, "depth"),
            ("depth 5 M in a snapshot", nested(5_000_000), snapshot, "depth"),
            ("1 M maps", maps(1_000_000), snapshot, "depth"),
            ("an array of 2^32 - 1", b"\xdd\xff\xff\xff\xff".to_vec(), event, "truncated"),
            ("an array of 2^32 - 1 inside", announced(b"\xdd\xff\xff\xff\xff"), event, "truncated"),
            ("a map of 2^32 - 1", announced(b"\xdf\xff\xff\xff\xff"), event, "truncated"),
            ("a text of 2^32 - 1", announced(b"\xdb\xff\xff\xff\xff"), event, "truncated"),
            ("bytes of 2^32 - 1", announced(b"\xc6\xff\xff\xff\xff"), event, "truncated"),
            ("10 M nils in an event", passed_over(10_000_000), event, "too_large"),
            ("10 M nils that nobody looks at", passed_over(10_000_000), snapshot, "decoded"),
            ("as many odds as may be", odds(entities), event, "decoded"),
            ("one odd more", odds(entities + 1), event, "entities"),
            ("4 MiB and a byte", vec![0xc0; EVENT_BYTES_MAX + 1], event, "too_large"),
        ];
        for (name, body, limits, expected) in &cases {
            assert_eq!(refuse(body, None, limits).0, *expected, "{name}");
        }
        count("R26", "messages read or rejected on a stack of 64 KiB", cases.len());
    });
}
