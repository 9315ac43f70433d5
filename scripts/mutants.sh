#!/usr/bin/env bash
# Shows that the simulation finds bugs: applies each patch of tests/mutants to a copy of the tree, one at a time, runs
# scenarios until one fails, and prints how many it took.
#
#   scripts/mutants.sh [SEEDS] [NAME...]
#
# SEEDS is the number of scenarios after which a mutant counts as not found. A patch that no longer applies or compiles
# ends the run and must be rewritten.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
cd "$repo_root"

seeds="${1:-500}"
shift || true
crate="$repo_root/build/mutants"
tree="$crate/tree"
export CARGO_TERM_COLOR=never RUST_BACKTRACE=0 KVOTA_SEEDS="$seeds" KVOTA_SHARES=1

rm -rf "$crate"
mkdir -p "$tree"
git ls-files -z --cached --others --exclude-standard | tar --null --files-from=- --create | tar --extract --touch --directory "$tree"
mkdir -p "$tree/web/dist"
cp -r web/dist/. "$tree/web/dist/"

# A crate around the copy, with the simulation as its only test. Its path differs from the tree's, so Cargo keeps their
# builds apart but shares the dependencies that `make test` has compiled. The programs of the copy are not built. The
# profiles and dependencies are those of Cargo.toml; with other features the dependencies would be compiled again.
sections() { awk -v wanted="$1" '/^\[/ { told = ($0 ~ wanted) } told' "$tree/Cargo.toml"; }
{
    printf '[package]\nname = "kvota-mutants"\nversion = "0.0.0"\nedition = "2024"\npublish = false\n\n[workspace]\nexclude = ["tree"]\n\n'
    sections '^\[workspace.dependencies\]' | sed 's|path = "crates/|path = "tree/crates/|'
    sections '^\[dev-dependencies\]' | sed 's|path = "."|path = "tree"|'
    printf '\n[lib]\npath = "empty.rs"\n\n[[test]]\nname = "simulation"\npath = "tree/tests/simulation/main.rs"\n\n'
    # Backtraces of mutants are never read, so they are built without debug information.
    sections '^\[profile\.' | sed 's|^debug = "line-tables-only"|debug = false|'
} >"$crate/Cargo.toml"
: >"$crate/empty.rs"
cp Cargo.lock "$crate/Cargo.lock"
simulation=(cargo test --quiet --offline --test simulation)

names=("$@")
if [ "${#names[@]}" = 0 ]; then
    for patch in tests/mutants/*.patch; do names+=("$(basename "$patch" .patch)"); done
fi

missed=0
for name in "${names[@]}"; do
    patch="$repo_root/tests/mutants/$name.patch"
    (cd "$tree" && patch --quiet --strip=1 --forward <"$patch") || fail "$name no longer applies"
    (cd "$crate" && "${simulation[@]}" --no-run) || fail "$name does not compile"
    told="$(cd "$crate" && "${simulation[@]}" -- --exact first_share_of_scenarios_passes 2>&1)" && found="" ||
        found="$(sed -nE 's/^seed ([0-9]+):$/\1/p' <<<"$told" | head -n 1)"
    (cd "$tree" && patch --quiet --strip=1 --reverse <"$patch")
    if [ -n "$found" ]; then
        printf '%-50s found by seed %s: %s\n' "$name" "$found" "$(grep -A1 "^seed $found:" <<<"$told" | tail -n 1 | cut -c1-160)"
    elif grep -q '^test result: ok' <<<"$told"; then
        printf '%-50s not found by %s seeds\n' "$name" "$seeds"
        missed=$((missed + 1))
    else
        say "$told"
        fail "$name ends the stories without a seed"
    fi
done
[ "$missed" = 0 ]
