#!/usr/bin/env bash
# Shows what the tests of the two lowest floors are worth: cargo-mutants changes one thing in them at a time, and a test
# has to notice. docs/mutation.md has what it found.
#
#   scripts/mutation.sh domain|wire [ARGUMENTS OF cargo mutants...]    such as: --list, -f crates/domain/src/money.rs, --shard 0/4
#   scripts/mutation.sh check                                          the tests alone, without a mutant
#
# The whole crate takes far too long to compile once for each of thousands of mutants, so a small one is put together in
# build/mutation: both floors, the queries above them, the pure part of the test kit and the tests that need no more, all
# as one unit of compilation; for the domain it is without everything above. Its dependencies are those of Cargo.toml and
# Cargo.lock. What was found is in build/mutation-domain and build/mutation-wire, or in OUT.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
cd "$repo_root"

crate="${CRATE:-$repo_root/build/mutation}"
mkdir -p "$crate"
# cargo mutants copies the crate again for itself, so that what a run left here is never built upon.
rm -rf "${crate:?}"/*
copy() {
    local path
    for path in "$@"; do
        mkdir -p "$crate/$(dirname "$path")"
        cp -r "$path" "$crate/$path"
    done
}
copy crates/domain/src crates/wire/src src/read_model src/actors/session/telling.rs
copy src/testkit/{builders,history,measured,mutator,seed,slip,story,table,targets}.rs
copy tests/{ticket,domain,hub/bodies.rs,hub/commands.rs,hub/golden.rs,testkit/mutated.rs,testkit/rules.rs,golden,corpus}
copy config/translations Cargo.lock rustfmt.toml
cp tests/mutation/lib.rs "$crate/src/lib.rs"
# The slips' own test reads them by the wire, which is not there for mutants of the domain.
sed -i '/^#\[cfg(test)\]/,$d' "$crate/src/testkit/slip.rs"

dependency() { grep -E "^$1 = " Cargo.toml | head -n 1; }
{
    printf '[package]\nname = "kvota"\nversion = "0.1.0"\nedition = "2024"\npublish = false\n\n[features]\nwire = []\n\n'
    printf '[dependencies]\n'
    for name in brotli bytes dashmap flate2 foldhash num-bigint rmp rmp-serde serde serde_json thiserror unicode-security; do dependency "$name"; done
    printf 'tokio = { version = "1", features = ["rt", "sync", "time"] }\n\n[dev-dependencies]\n'
    dependency proptest
    # Nothing here is looked at by a debugger; the crate itself is compiled thousands of times, its dependencies once.
    printf '\n[profile.dev]\ndebug = false\n\n[profile.dev.package."*"]\nopt-level = 1\n\n[workspace]\n'
} >"$crate/Cargo.toml"

# Damaged messages, random tickets and cases are many more in `make test`; here they are the slowest tests, and few find
# what many find. Bombs are left out: they take seconds each, and what they alone find is found by a run with BOMBS=1.
export KVOTA_MUTATIONS="${KVOTA_MUTATIONS:-300}" KVOTA_TICKETS="${KVOTA_TICKETS:-100}" PROPTEST_CASES="${PROPTEST_CASES:-50}"
export CARGO_TERM_COLOR=never RUST_BACKTRACE=0 CARGO_TARGET_DIR="${TARGET:-$kvota_cache/mutation}"
tests=()
[ -n "${BOMBS:-}" ] || tests=(--skip bomb --skip a_flood --skip nesting_is_passed)
cd "$crate"

floor="${1:-check}"
shift || true
case "$floor" in
    check)
        cargo test --lib -- "${tests[@]}"
        exec cargo test --lib --features wire -- "${tests[@]}"
        ;;
    domain) features=() ;;
    wire) features=(--features wire) ;;
    *) fail "there is no floor '$floor' to mutate; there are domain and wire" ;;
esac
case " $* " in *" -f "* | *" --file "*) ;; *) set -- -f "src/$floor/**" "$@" ;; esac
out="${OUT:-$repo_root/build/mutation-$floor}"
mkdir -p "$out"
(cd "$repo_root" && scripts/install-tools.sh cargo-mutants)
# The copy lies in a folder that git ignores, which is no reason to leave it out.
exec cargo mutants --gitignore=false --no-shuffle --output "$out" --minimum-test-timeout "${TIMEOUT:-20}" --cargo-arg=--lib \
    "${features[@]}" "$@" -- -- "${tests[@]}"
