#!/usr/bin/env bash
# A first load test in one command: builds the release program, starts a server on a free port with a temporary data
# folder, runs `kvota load` against it, and prints where the report is. Arguments are passed to `kvota load`;
# KVOTA_TARGET names a running server to use instead.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
cd "$repo_root"

step "packages of the web client" make --no-print-directory web/node_modules/.package-lock.json
step "the web client" make --no-print-directory web/dist/index.html
step "the program (the first time takes some minutes)" cargo build --locked --release --bin kvota
kvota="$CARGO_TARGET_DIR/release/kvota"

work="$(mktemp -d)"
server=
cleanup() {
    [ -z "$server" ] || { kill "$server" 2>/dev/null && wait "$server" 2>/dev/null; } || true
    rm -rf "$work"
}
trap cleanup EXIT

target="${KVOTA_TARGET:-}"
if [ -z "$target" ]; then
    KVOTA__STORE__DATA_DIR="$work" KVOTA__BETTING__DELAY__DEFAULT=0 RUST_LOG=warn \
        "$kvota" serve --listen 127.0.0.1:0 >"$work/ready" 2>"$work/log" &
    server=$!
    for _ in $(seq 600); do
        target="$(sed -n 's/^kvota is ready: //p' "$work/ready")"
        [ -z "$target" ] || break
        kill -0 "$server" 2>/dev/null || { cat "$work/log" >&2; fail "the server did not start"; }
        sleep 0.1
    done
    [ -n "$target" ] || fail "the server did not become ready within a minute"
    say "a server of its own: $target"
fi

mkdir -p build
if [ $# = 0 ]; then
    set -- --stage 10s:0..200 --stage 20s:200
fi
status=0
"$kvota" load --target "$target" --json build/load.json --report build/load.html "$@" || status=$?
say "open file://$repo_root/build/load.html"
exit "$status"
