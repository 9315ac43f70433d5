# The places, port and names of the private PostgreSQL cluster; sourced by start-postgres.sh and stop-postgres.sh.
#
# The cluster belongs to the user, not to a clone: two clones share it, since each test makes a schema of its own. The
# port is far from the default and bound to the loopback address alone, so a server of the machine is left in peace.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

postgres_port="${KVOTA_POSTGRES_PORT:-56760}"
postgres_user=kvota
postgres_database=kvota

# PostgreSQL refuses to run as root. For root the cluster is run by the user postgres, whom Debian's package makes, and
# lies in that user's home: root's own cache is closed to others.
if [ "$(id -u)" = 0 ]; then
    postgres_dir="/var/lib/postgresql/kvota-$postgres_port"
    as_postgres() { runuser -u postgres -- "$@"; }
else
    postgres_dir="$kvota_cache/postgres-$postgres_port"
    as_postgres() { "$@"; }
fi
postgres_log="$postgres_dir/server.log"

# Debian puts the programs of each version into a folder of its own, outside the path; the newest is ours.
postgres_program() {
    local found
    found="$(printf '%s\n' /usr/lib/postgresql/*/bin/"$1" | sort -V | tail -n 1)"
    [ -x "$found" ] || found="$(command -v "$1")" || fail "PostgreSQL is not installed; run scripts/install-services.sh"
    printf '%s\n' "$found"
}

# Prints the line a caller evaluates to let the tests find the server.
print_postgres_exports() {
    printf 'export KVOTA_TEST_POSTGRES_URL=%q\n' \
        "postgres://$postgres_user@127.0.0.1:$postgres_port/$postgres_database"
}

postgres_runs() {
    [ -d "$postgres_dir/data" ] && as_postgres "$(postgres_program pg_ctl)" status -D "$postgres_dir/data" >/dev/null 2>&1
}
