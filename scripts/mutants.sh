#!/usr/bin/env bash
# Shows that the simulation can find bugs: applies each patch of tests/mutants to a copy of the tree, one at a time, tells
# stories until one ends badly, and prints how many that took.
#
#   scripts/mutants.sh [SEEDS] [NAME...]
#
# SEEDS is how many stories are told before a mutant counts as not found. A mutant that no longer applies, or does not
# compile, ends the run: it shows nothing any more and has to be written anew.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
cd "$repo_root"

seeds="${1:-500}"
shift || true
tree="$repo_root/build/mutants"
# A folder of its own: cargo tells crates apart by their place in the tree, so that what is built of a copy would be taken
# for what is built of the tree itself.
export CARGO_TARGET_DIR="$CARGO_TARGET_DIR/mutants" CARGO_TERM_COLOR=never RUST_BACKTRACE=0
export KVOTA_SEEDS="$seeds" KVOTA_SHARES=1

rm -rf "$tree"
mkdir -p "$tree"
git ls-files -z --cached --others --exclude-standard | tar --null --files-from=- --create | tar --extract --directory "$tree"
mkdir -p "$tree/web/dist"
cp -r web/dist/. "$tree/web/dist/"

names=("$@")
if [ "${#names[@]}" = 0 ]; then
    for patch in tests/mutants/*.patch; do names+=("$(basename "$patch" .patch)"); done
fi

missed=0
for name in "${names[@]}"; do
    patch="$repo_root/tests/mutants/$name.patch"
    (cd "$tree" && patch --quiet --strip=1 --forward <"$patch") || fail "$name no longer applies"
    (cd "$tree" && cargo test --quiet --locked --features testkit --test simulation --no-run) || fail "$name does not compile"
    told="$(cd "$tree" && cargo test --quiet --locked --features testkit --test simulation -- \
        --exact the_first_share_of_stories_ends_well 2>&1)" && found="" || found="$(sed -nE 's/^seed ([0-9]+):$/\1/p' <<<"$told" | head -n 1)"
    (cd "$tree" && patch --quiet --strip=1 --reverse <"$patch")
    if [ -n "$found" ]; then
        printf '%-50s found by seed %s: %s\n' "$name" "$found" "$(grep -A1 "^seed $found:" <<<"$told" | tail -n 1 | cut -c1-160)"
    else
        printf '%-50s not found by %s seeds\n' "$name" "$seeds"
        missed=$((missed + 1))
    fi
done
[ "$missed" = 0 ]
