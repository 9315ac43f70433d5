#!/usr/bin/env bash
# Starts the private RabbitMQ node of the tests if it does not run, and prints the variables with its addresses:
#
#   eval "$(scripts/start-rabbitmq.sh)"
#
# KVOTA_TEST_AMQP_URL is plain, KVOTA_TEST_AMQPS_URL is TLS under the certificate authority in KVOTA_TEST_AMQP_CA.
# Needs neither root nor systemd. Debian's /usr/sbin/rabbitmq-server switches root to the user rabbitmq and rejects all
# others; the program that it calls does neither, and with our own folders it runs as any user.
source "$(dirname "${BASH_SOURCE[0]}")/rabbitmq-env.sh"

start_seconds_max=120
server=/usr/lib/rabbitmq/bin/rabbitmq-server

# One certificate authority and one server certificate for localhost, created once and kept with the node.
make_certificates() {
    local tls="$rabbitmq_dir/tls"
    if [ -s "$tls/server.pem" ] && openssl x509 -in "$tls/server.pem" -noout -checkend 86400 >/dev/null; then
        return
    fi
    say "making the broker's certificates"
    rm -rf "$tls"
    mkdir -p "$tls"
    (
        cd "$tls"
        # prime256v1, because the TLS of Erlang and of Rust supports it and it is quick to create.
        openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 3650 \
            -subj '/CN=kvota test authority' -addext 'basicConstraints=critical,CA:TRUE' \
            -addext 'keyUsage=critical,keyCertSign,cRLSign' -keyout ca.key -out ca.pem
        openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes \
            -subj '/CN=localhost' -keyout server.key -out server.csr
        printf '%s\n' 'basicConstraints=CA:FALSE' 'keyUsage=digitalSignature' 'extendedKeyUsage=serverAuth' \
            'subjectAltName=DNS:localhost,IP:127.0.0.1' >server.ext
        openssl x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 3649 \
            -extfile server.ext -out server.pem
    ) >"$rabbitmq_dir/openssl.log" 2>&1 || fail "openssl made no certificates; see $rabbitmq_dir/openssl.log"
}

write_configuration() {
    cat >"$rabbitmq_dir/rabbitmq.conf" <<CONF
listeners.tcp.1 = 127.0.0.1:$rabbitmq_port
listeners.ssl.1 = 127.0.0.1:$rabbitmq_tls_port
ssl_options.cacertfile = $rabbitmq_dir/tls/ca.pem
ssl_options.certfile = $rabbitmq_dir/tls/server.pem
ssl_options.keyfile = $rabbitmq_dir/tls/server.key
ssl_options.verify = verify_none
ssl_options.versions.1 = tlsv1.3
ssl_options.versions.2 = tlsv1.2
default_user = $rabbitmq_user
default_pass = $rabbitmq_password
loopback_users.guest = true
log.file.level = info
# Without this a nearly full disk would block publishers, which would look like a bug of ours.
disk_free_limit.absolute = 50MB
CONF
    printf '[].\n' >"$rabbitmq_dir/enabled_plugins"
}

launch() {
    # The Erlang cookie is in HOME and must be writable by this user only. The data is deleted at each start: tests
    # declare everything they use, and leftovers of a killed node must not affect them.
    rm -rf "$rabbitmq_dir/data"
    mkdir -p "$rabbitmq_dir/home" "$rabbitmq_dir/data" "$rabbitmq_dir/log"
    # setsid and closed standard streams, so that the node outlives the terminal and holds no pipe of the caller.
    env HOME="$rabbitmq_dir/home" \
        RABBITMQ_CONF_ENV_FILE=/dev/null \
        RABBITMQ_NODENAME="$rabbitmq_node" \
        RABBITMQ_USE_LONGNAME=false \
        RABBITMQ_CONFIG_FILE="$rabbitmq_dir/rabbitmq.conf" \
        RABBITMQ_ADVANCED_CONFIG_FILE="$rabbitmq_dir/advanced.config" \
        RABBITMQ_ENABLED_PLUGINS_FILE="$rabbitmq_dir/enabled_plugins" \
        RABBITMQ_MNESIA_BASE="$rabbitmq_dir/data" \
        RABBITMQ_LOG_BASE="$rabbitmq_dir/log" \
        RABBITMQ_LOGS="$rabbitmq_dir/log/rabbitmq.log" \
        RABBITMQ_DIST_PORT="$rabbitmq_dist_port" \
        RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS="-kernel inet_dist_use_interface {127,0,0,1}" \
        ERL_EPMD_PORT="$rabbitmq_epmd_port" \
        ERL_EPMD_ADDRESS=127.0.0.1 \
        setsid "$server" <"/dev/null" >"$rabbitmq_log" 2>&1 &
    # The process id of RabbitMQ's shell around Erlang: on TERM it stops Erlang orderly, and it ends with it.
    printf '%s\n' "$!" >"$rabbitmq_pid_file"
}

[ -x "$server" ] || fail "RabbitMQ is not installed; run scripts/install-services.sh"
mkdir -p "$rabbitmq_dir"
chmod 700 "$rabbitmq_dir"

# Of two parallel runs the second waits and finds the running broker. The broker must not inherit the lock, or it would
# hold it for its whole life.
exec 9>"$rabbitmq_dir/lock"
flock -w "$start_seconds_max" 9 || fail "another start-rabbitmq.sh has not ended in $start_seconds_max s"

if rabbitmq_pid >/dev/null && rabbitmq_answers; then
    say "rabbitmq is running on 127.0.0.1:$rabbitmq_port"
    print_rabbitmq_exports
    exit 0
fi

if ! rabbitmq_pid >/dev/null; then
    if rabbitmq_answers; then
        fail "port $rabbitmq_port is taken by another broker; set KVOTA_RABBITMQ_PORT to a free one"
    fi
    make_certificates
    write_configuration
    say "starting rabbitmq on 127.0.0.1:$rabbitmq_port (TLS on $rabbitmq_tls_port)"
    launch 9>&-
fi

for ((second = 0; second < start_seconds_max; second++)); do
    if rabbitmq_answers; then
        say "rabbitmq answers after $second s"
        print_rabbitmq_exports
        exit 0
    fi
    if ! kill -0 "$(cat "$rabbitmq_pid_file")" 2>/dev/null; then
        tail -n 30 "$rabbitmq_log" >&2
        fail "rabbitmq ended while starting; see $rabbitmq_log"
    fi
    sleep 1
done
tail -n 30 "$rabbitmq_log" >&2
fail "rabbitmq does not answer on 127.0.0.1:$rabbitmq_port after $start_seconds_max s; see $rabbitmq_log"
