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

# Where a run leaves what its steps printed; build output, never committed.
log_dir="$repo_root/build/logs"

# Runs a command as one step of a longer work: `step LABEL COMMAND...`. What it prints goes to a log of its own, one
# line says how it ended and how long it took, a sign of life comes each minute, and only a failure shows its log.
step() {
    local label="$1" log began status=0 heartbeat
    shift
    mkdir -p "$log_dir"
    log="$log_dir/$(printf '%s' "$label" | tr -cs 'a-zA-Z0-9' '-').log"
    began=$SECONDS
    [ ! -t 2 ] || printf '   ...     %s\r' "$label" >&2
    # The command stays in the foreground, so that an interrupt reaches it; the sign of life goes beside it. Its sleeps
    # hold no stream of ours, or whoever reads them would wait for a sleep to end.
    (
        while sleep 5 </dev/null >/dev/null 2>&1 && kill -0 $$ 2>/dev/null; do
            elapsed=$((SECONDS - began))
            if [ $((elapsed % 60)) -lt 5 ]; then
                printf '   ... %4d s  %s: %s\n' "$elapsed" "$label" "$(tail -n 1 "$log" | tr '\r' '\n' | tail -n 1 | cut -c1-100)" >&2
            fi
        done
    ) &
    heartbeat=$!
    "$@" </dev/null >"$log" 2>&1 || status=$?
    kill "$heartbeat" 2>/dev/null || true
    wait "$heartbeat" 2>/dev/null || true
    if [ "$status" = 0 ]; then
        printf '   ok  %4d s  %s\n' "$((SECONDS - began))" "$label" >&2
    else
        printf 'FAILED %4d s  %s (exit code %d)\n' "$((SECONDS - began))" "$label" "$status" >&2
        printf -- '--- the end of %s\n' "${log#"$repo_root"/}" >&2
        tail -n 200 "$log" >&2
        printf -- '---\n' >&2
    fi
    return "$status"
}
