#!/usr/bin/env bash
# Fuzzes the functions that handle input from outside (src/testkit/targets.rs).
#
#   scripts/fuzz.sh [TARGET|all] [SECONDS]
#
# SECONDS for each target, 60 by default. An input that fails a check is saved in tests/corpus, where `make test` runs
# it first, and ends the run. The fuzzer's corpus is kept outside the clone for the next run.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
cd "$repo_root"

asked="${1:-all}"
seconds="${2:-60}"
targets=(feed hub_command send_ticket cookie stake)
if [ "$asked" != all ]; then
    case " ${targets[*]} " in *" $asked "*) targets=("$asked") ;; *) fail "there is no target '$asked'; there are ${targets[*]}" ;; esac
fi

cargo +nightly --version >/dev/null 2>&1 || rustup toolchain install nightly --profile minimal >&2
scripts/install-tools.sh cargo-fuzz

# The program is safe Rust and needs no sanitizer; without one a run is several times as fast.
fuzz=(cargo +nightly fuzz)
how=(--dev --sanitizer none --target-dir "$kvota_cache/fuzz")
step "fuzz: build" "${fuzz[@]}" build "${how[@]}"

for target in "${targets[@]}"; do
    learned="$kvota_cache/fuzz-corpus/$target"
    found="$repo_root/build/fuzz/$target"
    mkdir -p "$learned" "$found"
    status=0
    KVOTA_EXAMPLES="$learned" "${fuzz[@]}" run "${how[@]}" "$target" "$learned" "tests/corpus/$target" -- -max_total_time="$seconds" -timeout=10 \
        -max_len=4096 -artifact_prefix="$found/" -print_final_stats=1 >"$found.log" 2>&1 || status=$?
    runs="$(sed -nE 's/^stat::number_of_executed_units: *([0-9]+)$/\1/p' "$found.log")"
    if [ "$status" = 0 ]; then
        printf '%-12s %s inputs, %s kept for their branches: nothing found\n' "$target" "$runs" "$(find "$learned" -type f | wc -l)"
        continue
    fi
    for file in "$found"/*; do
        [ -f "$file" ] || continue
        mv "$file" "tests/corpus/$target/"
        say "tests/corpus/$target/$(basename "$file") breaks it; give it the name of what it is"
    done
    tail -n 40 "$found.log" >&2
    fail "$target was broken, or could not be run"
done
