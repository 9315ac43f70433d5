#!/usr/bin/env bash
# Installs the named cargo programs if they are missing; by default cargo-nextest and cargo-deny, for `make test`.
#
# Any installed version is accepted. A missing program is installed in the version that the project was last tested
# with.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# Compiled without optimisation, which takes one or two minutes instead of ten: the programs mostly wait for others.
# nextest is built without self-update and probes.
install_tool() {
    local program="$1" version="$2"
    shift 2
    if command -v "$program" >/dev/null; then
        say "$program is installed"
        return
    fi
    say "installing $program $version"
    # A separate target folder, because a shared one would block every other build.
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
