#!/usr/bin/env bash
# Builds the release program and runs the rows of the reliability scoreboard that are about load and clients, each
# against a server of its own; arguments name rows (R01 R19 …). FULL=1 takes the numbers for a machine with two cores.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
cd "$repo_root"

kvota="${KVOTA_BIN:-}"
if [ -z "$kvota" ]; then
    step "packages of the web client" make --no-print-directory web/node_modules/.package-lock.json
    step "the web client" make --no-print-directory web/dist/index.html
    step "the program (the first time takes some minutes)" cargo build --locked --release --bin kvota
    kvota="$CARGO_TARGET_DIR/release/kvota"
fi
ulimit -n "$(ulimit -Hn)"
exec node scripts/reliability/run.mjs "$kvota" "$@"
