#!/usr/bin/env bash
# Builds the web client and the program and serves them with the built-in defaults. Arguments are passed to `kvota serve`.
# The program has the profile `quick`, which compiles in a third of the time of a package and is fast enough to look at.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
cd "$repo_root"
progress_every=15

step "1 of 3: packages of the web client" make --no-print-directory web/node_modules/.package-lock.json
step "2 of 3: the web client" make --no-print-directory web/dist/index.html
step "3 of 3: the program (the first time takes some minutes)" \
    cargo build --locked --profile quick --no-default-features --bin kvota

# The program replaces this shell, so that an interrupt stops it orderly. It prints its address.
exec "$CARGO_TARGET_DIR/quick/kvota" serve "$@"
