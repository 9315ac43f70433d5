#!/usr/bin/env bash
# Stops the private PostgreSQL cluster of the tests if it runs. Its data stays.
source "$(dirname "${BASH_SOURCE[0]}")/postgres-env.sh"

# fast: ends connections, rolls back open transactions and writes the rest to disk.
if [ -d "$postgres_dir/data" ] && postgres_runs; then
    say "stopping postgres"
    as_postgres "$(postgres_program pg_ctl)" stop -w -t 30 -m fast -D "$postgres_dir/data" >/dev/null
fi
say "postgres is stopped"
