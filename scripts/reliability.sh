#!/usr/bin/env bash
# Runs the rows of docs/reliability.md; arguments name rows (R01 R25 …), by default all. Rows about load, clients and
# nodes need the release program and start their own servers; the other rows are tests. FULL=1 uses the large numbers.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
cd "$repo_root"

measured=" R01 R02 R04 R05 R17 R18 R19 R20 R21 R51 R52 R54 R57 R58 "
is_measured="$([ $# -gt 0 ] || echo yes)" is_tested="$is_measured"
for row in "$@"; do
    if [[ "$measured" == *" $row "* ]]; then is_measured=yes; else is_tested=yes; fi
done

kvota="${KVOTA_BIN:-none}"
if [ "$kvota" = none ] && [ -n "$is_measured" ]; then
    step "packages of the web client" make --no-print-directory web/node_modules/.package-lock.json
    step "the web client" make --no-print-directory web/dist/index.html
    step "the program (the first time takes some minutes)" cargo build --locked --release --bin kvota
    kvota="$CARGO_TARGET_DIR/release/kvota"
fi
if [ -n "$is_tested" ]; then
    step "nextest is installed" scripts/install-tools.sh
    step "the web client" make --no-print-directory web/dist/index.html
fi
ulimit -n "$(ulimit -Hn)"
exec node scripts/reliability/run.mjs "$kvota" "$@"
