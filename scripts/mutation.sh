#!/usr/bin/env bash
# Measures the tests of a pure crate: cargo-mutants changes one thing at a time, and a test must fail.
# docs/mutation.md lists the results.
#
#   scripts/mutation.sh domain|wire [ARGUMENTS OF cargo mutants...]    such as: --list, -f crates/domain/src/money.rs, --shard 0/4
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
cd "$repo_root"

crate="${1:-domain}"
shift || true
[ -d "crates/$crate" ] || fail "there is no crate '$crate' under crates/"

# Fewer damaged messages, random tickets and cases than in `make test-all`: they are enough to detect a mutant.
export KVOTA_MUTATIONS="${KVOTA_MUTATIONS:-300}" KVOTA_TICKETS="${KVOTA_TICKETS:-100}" PROPTEST_CASES="${PROPTEST_CASES:-50}"
export CARGO_TERM_COLOR=never RUST_BACKTRACE=0
# The compression bombs take seconds each. BOMBS=1 includes them.
tests=()
[ -n "${BOMBS:-}" ] || tests=(--skip bomb --skip a_flood --skip nesting_is_passed)

out="${OUT:-$repo_root/build/mutation-$crate}"
mkdir -p "$out"
scripts/install-tools.sh cargo-mutants
exec cargo mutants --package "kvota-$crate" --no-shuffle --output "$out" --minimum-test-timeout "${TIMEOUT:-20}" "$@" -- -- "${tests[@]}"
