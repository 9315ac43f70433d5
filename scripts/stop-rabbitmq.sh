#!/usr/bin/env bash
# Stops the private RabbitMQ node of the tests and its name server, if they run.
source "$(dirname "${BASH_SOURCE[0]}")/rabbitmq-env.sh"

stop_seconds_max=20

if pid="$(rabbitmq_pid)"; then
    say "stopping rabbitmq"
    kill "$pid"
    for ((second = 0; second < stop_seconds_max; second++)); do
        kill -0 "$pid" 2>/dev/null || break
        sleep 1
    done
    # Its data is not needed, so a node that does not stop in time is killed. The process is the shell around Erlang and
    # leads its own process group; the signal goes to the group.
    kill -9 -- "-$pid" 2>/dev/null || true
fi
rm -f "$rabbitmq_pid_file"

# The name server is a separate process that Erlang starts with the first node and never stops.
if command -v epmd >/dev/null; then
    ERL_EPMD_PORT="$rabbitmq_epmd_port" epmd -kill >/dev/null 2>&1 || true
fi
say "rabbitmq is stopped"
