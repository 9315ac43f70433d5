#!/usr/bin/env bash
# Lets a fuzzer try what strangers can send: the functions of src/testkit/targets.rs, watched branch by branch.
#
#   scripts/fuzz.sh [TARGET|all] [SECONDS]
#
# SECONDS is for each target, 60 where nothing is said. What breaks a promise becomes a file of tests/corpus, which
# `make test` tries first from then on, and ends the run; what the fuzzer learned is kept outside of the clone for the next.
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

# All of the program is safe Rust, which needs no sanitizer; without one a run is several times as fast.
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
