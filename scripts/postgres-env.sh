# Paths, port and names of the private PostgreSQL cluster; sourced by start-postgres.sh and stop-postgres.sh.
#
# The cluster belongs to the user, not to a clone: two clones share it, since each test creates its own schema. The port
# is far from the default and on the loopback address only, so it does not conflict with a server of the machine. It is
# below 32768, so that the system gives it to no outgoing connection.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

postgres_port="${KVOTA_POSTGRES_PORT:-26760}"
postgres_user=kvota
postgres_database=kvota

# PostgreSQL does not run as root. For root the cluster runs as the user postgres of the Debian package and is in that
# user's home, because other users cannot enter root's cache.
if [ "$(id -u)" = 0 ]; then
    postgres_dir="/var/lib/postgresql/kvota-$postgres_port"
    as_postgres() { runuser -u postgres -- "$@"; }
else
    postgres_dir="$kvota_cache/postgres-$postgres_port"
    as_postgres() { "$@"; }
fi
postgres_log="$postgres_dir/server.log"

# Debian installs the programs of each version in a separate folder outside the path; the newest is used.
postgres_program() {
    local found
    found="$(printf '%s\n' /usr/lib/postgresql/*/bin/"$1" | sort -V | tail -n 1)"
    [ -x "$found" ] || found="$(command -v "$1")" || fail "PostgreSQL is not installed; run scripts/install-services.sh"
    printf '%s\n' "$found"
}

# Prints the line that a caller evaluates, so that the tests find the server.
print_postgres_exports() {
    printf 'export KVOTA_TEST_POSTGRES_URL=%q\n' \
        "postgres://$postgres_user@127.0.0.1:$postgres_port/$postgres_database"
}

postgres_runs() {
    [ -d "$postgres_dir/data" ] && as_postgres "$(postgres_program pg_ctl)" status -D "$postgres_dir/data" >/dev/null 2>&1
}
