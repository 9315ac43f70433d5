#!/usr/bin/env bash
# Installs the cargo programs that the tests use and that are missing: cargo-nextest and cargo-deny.
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

install_tool cargo-nextest 0.9.143 --no-default-features
install_tool cargo-deny 0.20.2
