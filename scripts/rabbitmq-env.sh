# Paths, ports and names of the private RabbitMQ node; sourced by start-rabbitmq.sh and stop-rabbitmq.sh.
#
# The node belongs to the user, not to a clone: two clones share it, since each test creates its own exchanges. The
# ports are far from the defaults and on the loopback address only, so they do not conflict with a broker of the
# machine. They are below 32768, so that the system gives them to no outgoing connection.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

rabbitmq_port="${KVOTA_RABBITMQ_PORT:-26720}"
rabbitmq_dir="$kvota_cache/rabbitmq-$rabbitmq_port"
rabbitmq_tls_port="$((rabbitmq_port + 1))"
rabbitmq_dist_port="$((rabbitmq_port + 2))"
rabbitmq_epmd_port="$((rabbitmq_port + 3))"
rabbitmq_node="kvota-$rabbitmq_port@localhost"
rabbitmq_user=kvota
rabbitmq_password=kvota
rabbitmq_pid_file="$rabbitmq_dir/pid"
rabbitmq_log="$rabbitmq_dir/node.log"

# Prints the lines that a caller evaluates, so that the tests find the broker.
print_rabbitmq_exports() {
    local account="$rabbitmq_user:$rabbitmq_password"
    printf 'export KVOTA_TEST_AMQP_URL=%q\n' "amqp://$account@127.0.0.1:$rabbitmq_port/%2f"
    printf 'export KVOTA_TEST_AMQPS_URL=%q\n' "amqps://$account@localhost:$rabbitmq_tls_port/%2f"
    printf 'export KVOTA_TEST_AMQP_CA=%q\n' "$rabbitmq_dir/tls/ca.pem"
}

# Prints the process id of our node; fails if it does not run. Process ids are reused after a reboot, so the process
# must also have the node's name in its environment (its arguments do not contain it).
rabbitmq_pid() {
    local pid
    pid="$(cat "$rabbitmq_pid_file" 2>/dev/null)" || return 1
    [ -n "$pid" ] || return 1
    grep -qzxF "RABBITMQ_NODENAME=$rabbitmq_node" "/proc/$pid/environ" 2>/dev/null || return 1
    printf '%s\n' "$pid"
}

greet_rabbitmq() {
    exec 3<>"/dev/tcp/127.0.0.1/$rabbitmq_port" || return 1
    printf 'AMQP\0\0\011\001' >&3
    timeout 2 head -c 3 <&3 | od -An -tx1 | tr -d ' \n'
}

# A broker that is ready answers the AMQP 0-9-1 greeting with a method frame (type 1) on channel 0; one that is still
# starting refuses the connection or stays silent.
rabbitmq_answers() {
    local answer
    answer="$(greet_rabbitmq 2>/dev/null)" || return 1
    [ "$answer" = 010000 ]
}
