#!/usr/bin/env bash
# Starts the private PostgreSQL cluster of the tests, or finds it running, and prints the variable that leads to it:
#
#   eval "$(scripts/start-postgres.sh)"
#
# It needs no systemd and does not touch the cluster that Debian may have made. What is committed is waited for on the
# disk as in a real installation (fsync stays on): figures and crash tests would mean nothing without it.
source "$(dirname "${BASH_SOURCE[0]}")/postgres-env.sh"

start_seconds_max=60

# initdb asks for a whole new folder; one that was interrupted is begun anew. Everybody on the loopback is trusted: the
# port is open to this machine alone, and nothing in the cluster is worth a password.
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
    # The socket lies in the cluster's folder: the default one belongs to another user.
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

# Two runs may come at once; the second waits and finds the cluster of the first. The server must not inherit the lock,
# or it would be held for as long as it lives.
exec 9>"$postgres_dir/lock"
flock -w "$start_seconds_max" 9 || fail "another start-postgres.sh has not ended in $start_seconds_max s"

if postgres_runs; then
    say "postgres is running on 127.0.0.1:$postgres_port"
else
    make_cluster
    configure
    say "starting postgres on 127.0.0.1:$postgres_port"
    # pg_ctl waits until the server answers, and the server outlives the terminal and holds no pipe of the caller.
    as_postgres "$(postgres_program pg_ctl)" start -w -t "$start_seconds_max" -D "$postgres_dir/data" \
        -l "$postgres_log" </dev/null >/dev/null 2>&1 9>&- || {
        tail -n 30 "$postgres_log" >&2
        fail "postgres does not answer on 127.0.0.1:$postgres_port; see $postgres_log"
    }
fi
make_database
print_postgres_exports
