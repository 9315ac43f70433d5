#!/usr/bin/env bash
# Installs the missing Debian packages that the tests need. With arguments, installs those packages instead.
#
# Does not start RabbitMQ and PostgreSQL: `start-rabbitmq.sh` runs a private node, `start-postgres.sh` a private
# cluster.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# openssl makes the certificates of the broker's TLS listener. The DejaVu fonts have the Cyrillic letters for
# screenshots in sr-Cyrl. The headless shell is Chromium without a window, which makes the browser tests a fifth faster;
# it needs chromium-sandbox unless it runs as root.
packages=(rabbitmq-server postgresql chromium-headless-shell chromium-sandbox fonts-dejavu-core openssl)

[ "$#" = 0 ] || packages=("$@")

# Rust links with the C compiler of the system, and the TLS crates compile C code.
command -v cc >/dev/null || packages+=(gcc libc6-dev)

is_installed() {
    [ "$(dpkg-query --show --showformat='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

missing=()
for package in "${packages[@]}"; do
    is_installed "$package" || missing+=("$package")
done

if [ "${#missing[@]}" = 0 ]; then
    say "all packages are installed: ${packages[*]}"
    exit 0
fi

command -v apt-get >/dev/null || fail "these are missing and there is no apt-get to install them: ${missing[*]}"
say "installing ${missing[*]}"

# Another apt may be running: wait for its lock.
apt() {
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=600 "$@" >&2
}

# Debian starts a new server on its default port, but the tests run their own. This policy forbids that during the
# installation, unless the machine has a policy already.
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
    printf '#!/bin/sh\nexit 101\n' | as_root tee "$policy" >/dev/null
    as_root chmod 755 "$policy"
    trap 'as_root rm -f "$policy"' EXIT
fi

# The package lists may be empty or outdated. They are renewed only if the installation fails with them.
if ! apt install --no-install-recommends "${missing[@]}"; then
    say "renewing the package lists"
    apt update && apt install --no-install-recommends "${missing[@]}" || say "apt-get failed"
fi

# The browser tests also work with a full Chromium that is already installed.
stands_in() { [ "$1" = chromium-headless-shell ] && is_installed chromium; }

for package in "${missing[@]}"; do
    is_installed "$package" || stands_in "$package" || fail "$package could not be installed"
done
say "installed ${missing[*]}"
