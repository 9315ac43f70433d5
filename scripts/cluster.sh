#!/usr/bin/env bash
# Starts an installation for development: three nodes over one PostgreSQL and one RabbitMQ, a feed, and HAProxy in front,
# which sends each request and each connection to the next node (round robin, not sticky). Prints the address, and stops
# everything on an interrupt.
#
#   CLUSTER_NODES=5 CLUSTER_PORT=8090 scripts/cluster.sh
#
# A node that is killed by hand (its process id is printed) is not started again.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
cd "$repo_root"

nodes="${CLUSTER_NODES:-3}"
port="${CLUSTER_PORT:-8090}"
folder="$repo_root/build/cluster"

scripts/install-services.sh
scripts/install-services.sh haproxy
eval "$(scripts/start-rabbitmq.sh)"
eval "$(scripts/start-postgres.sh)"
step "the web client" make --no-print-directory web/dist/index.html
step "the program (the first time takes some minutes)" cargo build --locked --release --bin kvota
kvota="$CARGO_TARGET_DIR/release/kvota"

mkdir -p "$folder"
processes=()
stop() {
    trap - EXIT INT TERM
    # The balancer last, so that clients are sent to the nodes that still run.
    for process in "${processes[@]:1}" "${processes[0]}"; do
        kill "$process" 2>/dev/null || true
    done
    wait
}
trap stop EXIT INT TERM

{
    printf 'defaults\n  mode http\n  timeout connect 2s\n  timeout client 60s\n  timeout server 60s\n  timeout tunnel 1h\n'
    printf '  option redispatch 1\n  retries 2\n'
    printf 'frontend public\n  bind 127.0.0.1:%s\n  option forwardfor\n  default_backend nodes\n' "$port"
    printf 'backend nodes\n  balance roundrobin\n  option httpchk GET /readyz\n'
    for number in $(seq 1 "$nodes"); do
        printf '  server node%s 127.0.0.1:%s check inter 500ms fall 1 rise 1\n' "$number" "$((port + number))"
    done
} >"$folder/haproxy.cfg"
PATH="$PATH:/usr/sbin" haproxy -q -f "$folder/haproxy.cfg" &
processes+=("$!")

export KVOTA__FEED__AMQP_URL="$KVOTA_TEST_AMQP_URL" KVOTA__FEED__EXCHANGE=kvota-cluster
export KVOTA__FEED__SNAPSHOT_QUEUE=kvota-cluster-offer KVOTA__FEED__RESULTS_QUEUE=kvota-cluster-results
export KVOTA__FEED__RESULTS_REQUEST_QUEUE=kvota-cluster-results-requested
"$kvota" feed >"$folder/feed.log" 2>&1 &
processes+=("$!")

export KVOTA__FEED__SOURCE=amqp KVOTA__STORE__URL="$KVOTA_TEST_POSTGRES_URL"
export KVOTA__HTTP__TRUSTED_PROXIES=127.0.0.1 KVOTA__HTTP__ALLOWED_ORIGINS="http://127.0.0.1:$port,http://localhost:$port"
for number in $(seq 1 "$nodes"); do
    KVOTA__STORE__DATA_DIR="$folder/node$number" "$kvota" serve --listen "127.0.0.1:$((port + number))" \
        >"$folder/node$number.log" 2>&1 &
    processes+=("$!")
    say "node $number: process $!, http://127.0.0.1:$((port + number)), $folder/node$number.log"
done

until curl --silent --fail --output /dev/null "http://127.0.0.1:$port/readyz"; do
    sleep 0.2
    kill -0 "${processes[1]}" 2>/dev/null || fail "the feed has ended; see $folder/feed.log"
done
say "the installation is ready: http://127.0.0.1:$port"
wait
