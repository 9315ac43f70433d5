#!/usr/bin/env bash
# Installs the cargo programs that are named and missing; without names those of `make test`, cargo-nextest and cargo-deny.
#
# Any version that is there will do; a missing one comes at the version the project was last tested with.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# They are compiled without optimisation: both wait for others nearly all the time, and so they are ready in one or two
# minutes in place of ten. nextest goes without its self-update and its probes.
install_tool() {
    local program="$1" version="$2"
    shift 2
    if command -v "$program" >/dev/null; then
        say "$program is installed"
        return
    fi
    say "installing $program $version"
    # A target folder of its own: sharing ours would make every other build on the machine wait for it.
    cargo install --locked --debug --target-dir "$kvota_cache/tools" "$@" "$program@$version"
    rm -rf "$kvota_cache/tools"
}

[ "$#" != 0 ] || set -- cargo-nextest cargo-deny
for program in "$@"; do
    case "$program" in
        cargo-nextest) install_tool cargo-nextest 0.9.143 --no-default-features ;;
        cargo-deny) install_tool cargo-deny 0.20.2 ;;
        cargo-mutants) install_tool cargo-mutants 27.1.0 ;;
        cargo-fuzz) install_tool cargo-fuzz 0.13.2 ;;
        *) fail "nobody said how '$program' is installed" ;;
    esac
done
