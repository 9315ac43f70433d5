# Shared by all scripts of this folder. Sourced, never run.
#
# Must not change the machine: it only sets paths and defines functions.

set -euo pipefail

repo_root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"

# Files that are kept between runs. Outside the clone, so that a fresh clone on the same machine reuses them.
kvota_cache="${KVOTA_CACHE:-$HOME/.cache/kvota}"
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$kvota_cache/target}"

# The folder of `cargo install`, which may be missing in the path of a non-interactive shell.
export PATH="$PATH:${CARGO_HOME:-$HOME/.cargo}/bin"

# Prints progress to standard error; standard output is for the result of a script.
say() { printf '%s\n' "$*" >&2; }

fail() {
    say "error: $*"
    exit 1
}

# Runs a command as root, with sudo if needed. -n: never ask for a password.
as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo -n "$@"
    else
        fail "'$*' needs root, and sudo is not installed"
    fi
}

# The logs of the steps; build output, never committed.
log_dir="$repo_root/build/logs"

# Cargo shows its progress in the logs too, so that `step` can say how much is left.
export CARGO_TERM_PROGRESS_WHEN=always CARGO_TERM_PROGRESS_WIDTH=100

# Seconds between two progress lines of a step.
progress_every=60

# What a step shows as its progress: cargo's count with an estimate of the time left, or the last line of the log. The
# argument is the time that has passed, in seconds. The last ten units of cargo are our own crates, each of which takes as
# long as thirteen others.
progress() {
    local line units
    line="$(tail -c 1000 "$1" | tr '\r' '\n' | tail -n 1 | cut -c1-100)"
    units="$(printf '%s' "$line" | sed -n 's|.*\] \([0-9]*\)/\([0-9]*\).*|\1 \2|p')"
    if [ -z "$units" ]; then
        printf '%s' "$line"
        return
    fi
    printf '%s' "$units" | awk -v elapsed="$2" '{
        ours = $2 > 20 ? 10 : 0
        others = $2 - ours
        done = $1 <= others ? $1 : others + 13 * ($1 - others)
        left = done > 0 ? elapsed * (others + 13 * ours - done) / done : 0
        printf "%d of %d parts, about %d s left", $1, $2, left
    }'
}

# Runs a command as one step: `step LABEL COMMAND...`. Its output goes to its own log. Prints one line with the result
# and the time, now and then a progress line, and the end of the log only if it failed.
step() {
    local label="$1" log began status=0 heartbeat
    shift
    mkdir -p "$log_dir"
    log="$log_dir/$(printf '%s' "$label" | tr -cs 'a-zA-Z0-9' '-').log"
    began=$SECONDS
    [ ! -t 2 ] || printf '   ...     %s\r' "$label" >&2
    # The command runs in the foreground, so that an interrupt reaches it; the progress lines come from the background.
    # The sleeps hold no open stream, or a reader of our output would wait for the last sleep.
    (
        while sleep 5 </dev/null >/dev/null 2>&1 && kill -0 $$ 2>/dev/null; do
            elapsed=$((SECONDS - began))
            if [ $((elapsed % progress_every)) -lt 5 ]; then
                printf '   ... %4d s  %s: %s\n' "$elapsed" "$label" "$(progress "$log" "$elapsed")" >&2
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
