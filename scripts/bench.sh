#!/usr/bin/env bash
# Measures the steps of a change's path (benches/paths.rs) and compares them with the kept run. With --keep this run
# becomes the kept one. Fails if a step has become slower. With --in-ci it runs as the tests are built, only prints, and
# keeps the first run of a machine.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
cd "$repo_root"

# Outside the clone, like the builds, so that the kept run survives a `cargo clean`.
mkdir -p "$kvota_cache/bench"
export KVOTA_BENCH_KEPT="$kvota_cache/bench/paths.json"
build=()
if [ "${1:-}" = --in-ci ]; then
    build=(--profile dev --workspace --features testkit)
    KVOTA_BENCH_KEPT="$kvota_cache/bench/paths-of-tests.json"
    set -- --only-print
    [ -e "$KVOTA_BENCH_KEPT" ] || set -- --keep
fi
[ -e "$KVOTA_BENCH_KEPT" ] || say "no run was kept yet: make bench-keep keeps one"
say "$(date -u '+%d %B %Y %H:%M UTC'), load before: $(cut -d' ' -f1-3 /proc/loadavg), $(nproc) cores"
cargo bench --quiet --locked "${build[@]}" --bench paths -- "$@"
