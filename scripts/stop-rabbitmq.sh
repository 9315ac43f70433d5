#!/usr/bin/env bash
# Stops the private RabbitMQ node of the tests and its name server; does nothing when neither runs.
source "$(dirname "${BASH_SOURCE[0]}")/rabbitmq-env.sh"

stop_seconds_max=20

if pid="$(rabbitmq_pid)"; then
    say "stopping rabbitmq"
    kill "$pid"
    for ((second = 0; second < stop_seconds_max; second++)); do
        kill -0 "$pid" 2>/dev/null || break
        sleep 1
    done
    # Nothing in it is worth keeping, so a node that does not end in time is ended for it. The process is the shell
    # around the Erlang machine and leads a group of its own; the group takes both.
    kill -9 -- "-$pid" 2>/dev/null || true
fi
rm -f "$rabbitmq_pid_file"

# The name server is a process of its own that Erlang starts beside the first node and never stops.
if command -v epmd >/dev/null; then
    ERL_EPMD_PORT="$rabbitmq_epmd_port" epmd -kill >/dev/null 2>&1 || true
fi
say "rabbitmq is stopped"
