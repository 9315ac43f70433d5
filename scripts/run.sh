#!/usr/bin/env bash
# Builds the web and the release program and serves the client with the defaults embedded in it; arguments are handed
# to `kvota serve`.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
cd "$repo_root"

step "packages of the web client" make --no-print-directory web/node_modules/.package-lock.json
step "the web client" make --no-print-directory web/dist/index.html
step "the program (the first time takes some minutes)" cargo build --locked --release --bin kvota

# The program prints the address it serves and takes our place, so that an interrupt ends it in an orderly way.
exec "$CARGO_TARGET_DIR/release/kvota" serve "$@"
