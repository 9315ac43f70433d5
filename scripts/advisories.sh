#!/usr/bin/env bash
# Asks the RustSec database whether a dependency in Cargo.lock has a known weakness: a job for every night, not a test,
# because its outcome depends on what was published since yesterday.
#
# Ends with 0 where nothing is known, with 1 where an advisory applies, and with 3 where the database or the registry cannot
# be reached: then nothing was checked, and the job must not count as passed.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
cd "$repo_root"

readonly unreachable=3

"$repo_root/scripts/install-tools.sh" cargo-deny

say "fetching the advisory database"
if ! cargo deny --locked fetch db >&2; then
    say "error: the advisory database cannot be reached, so nothing was checked"
    exit "$unreachable"
fi
say "fetching the dependencies, by which the check knows what is used"
if ! cargo fetch --quiet --locked; then
    say "error: the registry cannot be reached, so nothing was checked"
    exit "$unreachable"
fi
# Offline from here on: what fails now is an advisory, or a lock file that does not fit.
if cargo deny --locked --offline --all-features check advisories >&2; then
    say "no advisory applies to the dependencies in Cargo.lock"
else
    fail "an advisory applies, or the check failed; see above"
fi
