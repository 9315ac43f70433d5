#!/usr/bin/env bash
# Checks Cargo.lock against the RustSec database. A nightly job, not a test: its outcome depends on advisories published
# since yesterday.
#
# Exit code 0: nothing known; 1: an advisory applies; 3: the database or the registry cannot be reached. With 3 nothing
# was checked, and the job must not count as passed.
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
# Offline from here on, so any failure is an advisory or an unsuitable lock file.
if cargo deny --locked --offline --all-features check advisories >&2; then
    say "no advisory applies to the dependencies in Cargo.lock"
else
    fail "an advisory applies, or the check failed; see above"
fi
