#!/usr/bin/env bash
# Times the steps of a change's path (benches/paths.rs) and compares them with the last run that was kept; with --keep this
# run becomes the one that later ones are compared with. Other arguments are handed to criterion.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
cd "$repo_root"

# Outside the clone, like the builds: a run that was kept outlives a `cargo clean`.
export CRITERION_HOME="$kvota_cache/criterion"
baseline=(--baseline-lenient kept)
if [ "${1:-}" = --keep ]; then
    baseline=(--save-baseline kept)
    shift
elif ! compgen -G "$CRITERION_HOME/*/*/kept" >/dev/null; then
    say "no run was kept yet: make bench-keep keeps one"
fi
say "$(date -u '+%d %B %Y %H:%M UTC'), load before: $(cut -d' ' -f1-3 /proc/loadavg), $(nproc) cores"
cargo bench --quiet --locked --bench paths -- "${baseline[@]}" "$@"
