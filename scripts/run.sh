#!/usr/bin/env bash
# Builds the web client and the release program and serves them with the built-in defaults. Arguments are passed to
# `kvota serve`.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
cd "$repo_root"

step "packages of the web client" make --no-print-directory web/node_modules/.package-lock.json
step "the web client" make --no-print-directory web/dist/index.html
step "the program (the first time takes some minutes)" cargo build --locked --release --bin kvota

# The program replaces this shell, so that an interrupt stops it orderly. It prints its address.
exec "$CARGO_TARGET_DIR/release/kvota" serve "$@"
