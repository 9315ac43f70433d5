# What every script of this folder shares; it is sourced, never run.
#
# Nothing below changes the machine: it only names places and prints.

set -euo pipefail

repo_root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"

# Everything that outlives one run is kept here, outside the clone, so that a fresh clone on the same machine is warm.
kvota_cache="${KVOTA_CACHE:-$HOME/.cache/kvota}"
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$kvota_cache/target}"

# cargo install puts its programs here, and a non-interactive shell need not have it on its path.
export PATH="$PATH:${CARGO_HOME:-$HOME/.cargo}/bin"

# Progress goes to standard error: the standard output of a script is what it answers.
say() { printf '%s\n' "$*" >&2; }

fail() {
    say "error: $*"
    exit 1
}

# Runs a command as root, by sudo when we are somebody else; -n because nobody is there to type a password.
as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo -n "$@"
    else
        fail "'$*' needs root, and sudo is not installed"
    fi
}
