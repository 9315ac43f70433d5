#!/usr/bin/env bash
# Stops the private PostgreSQL cluster of the tests; does nothing when it does not run. What is in it stays.
source "$(dirname "${BASH_SOURCE[0]}")/postgres-env.sh"

# fast: connections are ended, transactions undone, and the rest is written down.
if [ -d "$postgres_dir/data" ] && postgres_runs; then
    say "stopping postgres"
    as_postgres "$(postgres_program pg_ctl)" stop -w -t 30 -m fast -D "$postgres_dir/data" >/dev/null
fi
say "postgres is stopped"
