#!/usr/bin/env bash
# Runs the tests for while you work, every test, or every test of the named parts:
#
#   scripts/test.sh [all | [web] [rust] [deny] [browser]]
#
# Those of a day leave out clippy, the checks of dependencies, three of four equal shares of the scenarios and races, and
# all browser tests but the main path of each feature. docs/testing.md has the durations.
#
# All steps of a part run even if one fails, so that one run shows all failures. Only the failure of a step that later
# ones need ends the run at once. build/logs has the output of each step, build/tests the counts.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
cd "$repo_root"

# No colours: people and the counting below read the logs.
export CARGO_TERM_COLOR=never NO_COLOR=1
unset FORCE_COLOR

# Three times as many tests as processors, because many wait for a clock, a broker or a process. Tests that only compute
# are limited to the number of processors (.config/nextest.toml).
export NEXTEST_TEST_THREADS="${NEXTEST_TEST_THREADS:-$((3 * $(nproc)))}"

# CI continues no incremental build, and without its data compiles in a fifth less time. Not elsewhere: cargo keeps both
# kinds apart, so a developer's next build would begin from nothing.
[ -z "${CI:-}" ] || export CARGO_INCREMENTAL=0

counts="$repo_root/build/tests"
nextest_profile=default
[ -z "${CI:-}" ] || nextest_profile=ci
features=(--locked --workspace --features testkit)
failed_steps=0

check() {
    step "$@" || failed_steps=$((failed_steps + 1))
}

must() {
    if ! step "$@"; then
        failed_steps=$((failed_steps + 1))
        say "nothing after '$1' can be run without it"
        finish
    fi
}

# Stores how many tests of a kind passed and failed. No tests at all is a failure.
count() {
    local kind="$1" passed="${2:-0}" failed="${3:-0}"
    printf '%d %d\n' "$passed" "$failed" >"$counts/$kind"
    if [ "$((passed + failed))" = 0 ]; then
        say "FAILED          no $kind tests were counted"
        failed_steps=$((failed_steps + 1))
    fi
}

# Prints the log of the step with this label, if there is one.
log_of() {
    cat "$log_dir/$(printf '%s' "$1" | tr -cs 'a-zA-Z0-9' '-').log" 2>/dev/null || true
}

# nextest ends with "Summary [ 1.2s] 12 tests run: 10 passed (1 slow), 1 failed, 1 timed out, 3 skipped", and with
# "8/12 tests run" if it was interrupted. A test that ran and did not pass has failed.
count_nextest() {
    local run passed
    read -r run passed < <(
        log_of "$1" | sed -nE 's/^ *Summary \[[^]]*\] ([0-9]+)(\/[0-9]+)? tests? run: ([0-9]+) passed.*/\1 \3/p' | tail -n 1
    ) || true
    count rust "${passed:-0}" "$((${run:-0} - ${passed:-0}))"
}

# rustdoc prints one "test result: ok. 3 passed; 0 failed; ..." for each group that it compiles together. A crate
# without examples prints none, so zero documentation tests is not a failure.
count_doctests() {
    log_of "$1" | awk '/^test result:/ { passed += $4; failed += $6 } END { print passed + 0, failed + 0 }' >"$counts/doc"
}

count_vitest() {
    local passed=0 failed=0
    if [ -s build/vitest.json ]; then
        read -r passed failed < <(node -p \
            'const r = JSON.parse(require("fs").readFileSync("build/vitest.json")); `${r.numPassedTests} ${r.numFailedTests}`')
    fi
    count web "$passed" "$failed"
}

# Playwright ends with a line for each outcome, such as "  3 passed (2.1s)" and "  1 failed", and names each failed
# test. A "flaky" test passed only at the second try and counts as failed, as do tests that did not finish.
count_browser() {
    local passed failed
    read -r passed failed < <(
        log_of "$1" | awk '
            /^ +[0-9]+ passed( |$)/ { passed += $1 }
            /^ +[0-9]+ (failed|flaky|interrupted|did not run)( |$)/ { failed += $1 }
            END { print passed + 0, failed + 0 }'
    )
    count browser "$passed" "$failed"
}

test_web() {
    must "web: packages" make --no-print-directory web/node_modules/.package-lock.json
    check "web: lint" npm --prefix web run lint
    check "web: types" npm --prefix web run types
    rm -f build/vitest.json
    check "web: unit tests" npm --prefix web test -- --reporter=json --reporter=default \
        --outputFile.json="$repo_root/build/vitest.json"
    count_vitest
    # The program embeds the result, so no Rust can be compiled before.
    must "web: build" make --no-print-directory web/dist/index.html
    check "web: size" npm --prefix web run size
}

test_rust() {
    must "rust: nextest and deny are installed" scripts/install-tools.sh
    must "rust: web is built" make --no-print-directory web/dist/index.html
    check "rust: format" cargo fmt --all --check
    if [ "$every" = yes ]; then
        check "rust: clippy" cargo clippy "${features[@]}" --all-targets -- -D warnings
        check "rust: without the test kit" cargo check --locked
    fi
    must "rust: tests are compiled" cargo nextest run "${features[@]}" --no-run
    check "rust: tests" cargo nextest run "${features[@]}" --profile "$nextest_profile" "${rust_filter[@]}"
    count_nextest "rust: tests"
    check "rust: rows of docs/reliability.md name tests" reliability_rows
    check "rust: documentation tests" cargo test "${features[@]}" --doc
    count_doctests "rust: documentation tests"
    check "rust: pages of the test kits have no warnings" \
        env RUSTDOCFLAGS="-D warnings" cargo doc --locked --no-deps -p kvota-actor-testkit -p kvota-testkit
    if [ -n "${CI:-}" ]; then
        # For people to see: times on a machine that others use must not fail a run.
        check "rust: times of a change's path" scripts/bench.sh --in-ci
        log_of "rust: times of a change's path" | tr '\r' '\n' | tail -n 9 >&2
    fi
}

reliability_rows() {
    cargo nextest list "${features[@]}" --message-format json | node scripts/reliability/check_names.mjs
}

test_deny() {
    must "rust: nextest and deny are installed" scripts/install-tools.sh
    check "rust: bans, licences, sources" cargo deny --locked --all-features check bans licenses sources
}

test_browser() {
    must "browser: web is built" make --no-print-directory web/dist/index.html
    # As the Rust tests have just built it: with the test kit and the features of dev-dependencies; without those
    # everything would be compiled again. Another test checks the build without them.
    must "browser: program" cargo test "${features[@]}" --no-run --test program
    export KVOTA_BIN="$CARGO_TARGET_DIR/debug/kvota"
    check "browser: tests" npm --prefix web run e2e -- "${browser_filter[@]}"
    count_browser "browser: tests"
}

start_services() {
    must "services: packages" scripts/install-services.sh
    must "services: rabbitmq" scripts/start-rabbitmq.sh
    eval "$(scripts/start-rabbitmq.sh 2>/dev/null)"
    must "services: postgres" scripts/start-postgres.sh
    eval "$(scripts/start-postgres.sh 2>/dev/null)"
}

# Prints the counts and exits; the exit code says whether every step passed.
finish() {
    local kind passed failed
    for kind in rust doc web browser; do
        [ -s "$counts/$kind" ] || continue
        read -r passed failed <"$counts/$kind"
        printf '%8d s  %s tests: %d ran, %d of them failed\n' "$SECONDS" "$kind" "$((passed + failed))" "$failed" >&2
    done
    printf '%d\n' "$failed_steps" >"$counts/failed-steps"
    if [ "$failed_steps" != 0 ]; then
        say "$failed_steps of the steps failed after $SECONDS s; build/logs has all they printed"
        exit 1
    fi
    say "every step went well in $SECONDS s"
    exit 0
}

every=yes
rust_filter=() browser_filter=()
case "$*" in
"")
    every=no
    wanted=" web rust browser "
    rust_filter=(-E 'not test(/(second|third|last)_(share|quarter)_of_/)')
    browser_filter=(--grep @main)
    ;;
all) wanted=" web rust deny browser " ;;
*) wanted=" $* " ;;
esac
for part in $wanted; do
    [ "$(type -t "test_$part")" = function ] || fail "there is no part '$part'; the parts are web, rust, deny, browser, or 'all' alone"
done

rm -rf "$counts" "$log_dir"
mkdir -p "$counts"

case "$wanted" in *" rust "* | *" browser "*) start_services ;; esac
for part in web rust deny browser; do
    case "$wanted" in *" $part "*) "test_$part" ;; esac
done
finish
