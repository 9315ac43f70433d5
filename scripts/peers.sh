#!/usr/bin/env bash
# Compares the fan-out of a bare write loop, kvota, Bun, NATS over WebSocket and RabbitMQ over Web-STOMP in one run
# (benches/peers): the servers on the first core, the client on the second. Installs what is missing if possible, and
# skips the rest. The argument names the run: fan-out (default), latency, live-day, saturation, stop, growth or offer
# (against nginx). PEERS_CONNECTIONS, PEERS_ROUNDS (turns) and PEERS_SECONDS set the amount of work. PEERS_ONLY names
# servers:
# bare, kvota, kvota-2, bun, bun-50, nats, rabbit.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
cd "$repo_root"

run="${1:-fan-out}"

PEERS_ONLY="${PEERS_ONLY:-}"
for name in ${PEERS_ONLY//,/ }; do
    case "$name" in
        bare | kvota | kvota-2 | bun | bun-50 | nats | rabbit) ;;
        *) fail "PEERS_ONLY: there is no server $name; those are bare, kvota, kvota-2, bun, bun-50, nats, rabbit" ;;
    esac
done
PEERS_ONLY="$(echo $PEERS_ONLY | tr ' ' ',')"
export PEERS_ONLY

bun_version=1.4.5
peers_dir="$kvota_cache/peers"
mkdir -p "$peers_dir"

step "packages of the web client" make --no-print-directory web/node_modules/.package-lock.json
step "the web client" make --no-print-directory web/dist/index.html
step "the servers and their client (the first time takes some minutes)" cargo bench --quiet --locked --bench peers --no-run

# Bun is a single program in an npm package.
bun="$peers_dir/node_modules/.bin/bun"
if [ "$run" != offer ] && [ "$("$bun" --version 2>/dev/null)" != "$bun_version" ]; then
    npm install --prefix "$peers_dir" --no-audit --no-fund --silent "bun@$bun_version" >&2 || say "bun cannot be installed"
fi
[ ! -x "$bun" ] || export PEERS_BUN="$bun"

nats() { command -v nats-server || ls /usr/sbin/nats-server 2>/dev/null; }
if [ "$run" = fan-out ] && [ -z "$(nats)" ] && command -v apt-get >/dev/null; then
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y install --no-install-recommends nats-server >&2 || say "nats-server cannot be installed"
fi
[ -z "$(nats)" ] || { PEERS_NATS="$(nats)"; export PEERS_NATS; }

if [ "$run" = offer ]; then
    "$repo_root/scripts/install-services.sh" nginx-light wrk
    nginx() { command -v nginx || ls /usr/sbin/nginx; }
    PEERS_NGINX="$(nginx)" PEERS_WRK="$(command -v wrk)"
    export PEERS_NGINX PEERS_WRK
fi

# A separate RabbitMQ node with the Web-STOMP plugin, beside the one of the tests.
rabbit=
cleanup() {
    if [ -n "$rabbit" ]; then
        kill -TERM -- "-$rabbit" 2>/dev/null || true
        wait "$rabbit" 2>/dev/null || true
    fi
}
trap cleanup EXIT
server=/usr/lib/rabbitmq/bin/rabbitmq-server
if [ "$run" = fan-out ] && [ -x "$server" ]; then
    dir="$peers_dir/rabbitmq"
    rm -rf "$dir"
    mkdir -p "$dir/home" "$dir/data" "$dir/log"
    chmod 700 "$dir/home"
    export PEERS_STOMP_PORT=26613 PEERS_WEB_STOMP_PORT=26674
    cat >"$dir/rabbitmq.conf" <<CONF
listeners.tcp.1 = 127.0.0.1:26672
stomp.listeners.tcp.1 = 127.0.0.1:$PEERS_STOMP_PORT
web_stomp.tcp.ip = 127.0.0.1
web_stomp.tcp.port = $PEERS_WEB_STOMP_PORT
disk_free_limit.absolute = 50MB
CONF
    printf '[rabbitmq_web_stomp].\n' >"$dir/enabled_plugins"
    set -m
    env HOME="$dir/home" RABBITMQ_CONF_ENV_FILE=/dev/null RABBITMQ_NODENAME=kvota-peers@localhost \
        RABBITMQ_CONFIG_FILE="$dir/rabbitmq.conf" RABBITMQ_ADVANCED_CONFIG_FILE="$dir/advanced.config" \
        RABBITMQ_ENABLED_PLUGINS_FILE="$dir/enabled_plugins" RABBITMQ_MNESIA_BASE="$dir/data" \
        RABBITMQ_LOG_BASE="$dir/log" RABBITMQ_LOGS="$dir/log/rabbitmq.log" RABBITMQ_DIST_PORT=26675 \
        ERL_EPMD_PORT=26676 ERL_EPMD_ADDRESS=127.0.0.1 ERL_CRASH_DUMP="$dir/erl_crash.dump" \
        taskset -c 0 "$server" </dev/null >"$dir/start.log" 2>&1 &
    rabbit=$!
    set +m
fi

ulimit -n "$(ulimit -Hn)"
say "$(date -u '+%d %B %Y %H:%M UTC'), load before: $(cut -d' ' -f1-3 /proc/loadavg), $(nproc) cores"
taskset -c 1 cargo bench --quiet --locked --bench peers -- "$run"
