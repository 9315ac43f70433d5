#!/usr/bin/env bash
# Starts the private PostgreSQL cluster of the tests if it does not run, and prints the variable with its address:
#
#   eval "$(scripts/start-postgres.sh)"
#
# Needs no systemd and does not touch a cluster made by Debian. A commit waits for the disk as in a real installation
# (fsync stays on): otherwise figures and crash tests would mean nothing.
source "$(dirname "${BASH_SOURCE[0]}")/postgres-env.sh"

start_seconds_max=60

# initdb needs a new folder; after an interruption it starts again. All connections on the loopback are trusted: the
# port is open to this machine only, and the cluster holds no secrets.
make_cluster() {
    [ ! -e "$postgres_dir/made" ] || return 0
    say "making the PostgreSQL cluster in $postgres_dir"
    rm -rf "$postgres_dir/data"
    as_postgres "$(postgres_program initdb)" -D "$postgres_dir/data" --username="$postgres_user" --auth=trust \
        --encoding=UTF8 --locale=C.UTF-8 >"$postgres_dir/initdb.log" 2>&1 ||
        fail "initdb made no cluster; see $postgres_dir/initdb.log"
    : >"$postgres_dir/made"
}

configure() {
    # The socket is in the cluster's folder, because the default folder belongs to another user.
    cat >"$postgres_dir/kvota.conf" <<CONF
listen_addresses = '127.0.0.1'
port = $postgres_port
unix_socket_directories = '$postgres_dir'
max_connections = 300
shared_buffers = 128MB
log_line_prefix = '%m [%p] %q%a '
CONF
    grep -qF kvota.conf "$postgres_dir/data/postgresql.conf" ||
        printf "include '%s'\n" "$postgres_dir/kvota.conf" >>"$postgres_dir/data/postgresql.conf"
}

make_database() {
    local psql=("$(postgres_program psql)" -X -h 127.0.0.1 -p "$postgres_port" -U "$postgres_user")
    if ! "${psql[@]}" -d postgres -tAc "SELECT 1 FROM pg_database WHERE datname = '$postgres_database'" | grep -q 1; then
        "${psql[@]}" -d postgres -qc "CREATE DATABASE $postgres_database" >&2
    fi
}

postgres_program postgres >/dev/null
mkdir -p "$postgres_dir"
chmod 700 "$postgres_dir"
[ "$(id -u)" != 0 ] || chown postgres "$postgres_dir"

# Of two parallel runs the second waits and finds the running cluster. The server must not inherit the lock, or it would
# hold it for its whole life.
exec 9>"$postgres_dir/lock"
flock -w "$start_seconds_max" 9 || fail "another start-postgres.sh has not ended in $start_seconds_max s"

if postgres_runs; then
    say "postgres is running on 127.0.0.1:$postgres_port"
else
    make_cluster
    configure
    say "starting postgres on 127.0.0.1:$postgres_port"
    # pg_ctl waits until the server answers. The server outlives the terminal and holds no pipe of the caller.
    as_postgres "$(postgres_program pg_ctl)" start -w -t "$start_seconds_max" -D "$postgres_dir/data" \
        -l "$postgres_log" </dev/null >/dev/null 2>&1 9>&- || {
        tail -n 30 "$postgres_log" >&2
        fail "postgres does not answer on 127.0.0.1:$postgres_port; see $postgres_log"
    }
fi
make_database
print_postgres_exports
