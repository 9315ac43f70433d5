#!/usr/bin/env bash
# Builds the web client and the program and serves them with the built-in defaults. Arguments are passed to `kvota serve`.
# The program has the profile `quick`, which compiles in a third of the time of a package and is fast enough to look at.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
cd "$repo_root"
progress_every=15

step "1 of 3: packages of the web client" make --no-print-directory web/node_modules/.package-lock.json
step "2 of 3: the web client" make --no-print-directory web/dist/index.html
step "3 of 3: the program (the first time takes some minutes)" \
    cargo build --locked --profile quick --no-default-features --bin kvota

# The demonstration of a provider's feed needs a broker and the provider.
if [[ " $* " == *" uof-demo "* || " $* " == *"=uof-demo "* ]]; then
    scripts/install-services.sh rabbitmq-server openssl
    eval "$(scripts/start-rabbitmq.sh)"
    mkdir -p "$log_dir"
    export KVOTA__FEED__AMQP_URL="$KVOTA_TEST_AMQP_URL" KVOTA__FEED__UOF__AMQP_URL="$KVOTA_TEST_AMQP_URL"
    "$CARGO_TARGET_DIR/quick/kvota" uof-provider --profile uof-demo >"$log_dir/uof-provider.log" 2>&1 &
    provider=$!
    trap 'kill "$provider" 2>/dev/null || true' EXIT
    say "the provider writes its log to $log_dir/uof-provider.log"
    # An interrupt reaches all of them; this shell ends after the server.
    trap : INT TERM
    "$CARGO_TARGET_DIR/quick/kvota" serve "$@" &
    wait $! || wait $!
    exit
fi

# The program replaces this shell, so that an interrupt stops it orderly. It prints its address.
exec "$CARGO_TARGET_DIR/quick/kvota" serve "$@"
