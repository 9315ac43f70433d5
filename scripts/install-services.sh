#!/usr/bin/env bash
# Installs the Debian packages that the tests need and that are missing; does nothing when all are there. With arguments
# these packages in the place of those of the tests.
#
# RabbitMQ and PostgreSQL are only installed here, not started: `start-rabbitmq.sh` runs a private node of the one and
# `start-postgres.sh` a private cluster of the other.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# openssl makes the certificates of the broker's TLS listener; the DejaVu fonts hold the Cyrillic of sr-Cyrl, without
# which screenshots show boxes; the headless shell is Chromium without what only a window needs, which spares the browser
# tests a fifth of their time; chromium-sandbox is what it needs when it does not run as root.
packages=(rabbitmq-server postgresql chromium-headless-shell chromium-sandbox fonts-dejavu-core openssl)

[ "$#" = 0 ] || packages=("$@")

# A Rust toolchain links with the system's C compiler, and the TLS crates compile some C of their own.
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

# Another apt may be at work on the machine; waiting for its lock is right, failing at once is not.
apt() {
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=600 "$@" >&2
}

# Debian starts a freshly installed server on its default port. We run our own and want no second one, so the policy
# that package scripts ask is "no" for as long as the installation takes, unless the machine has a policy already.
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
    printf '#!/bin/sh\nexit 101\n' | as_root tee "$policy" >/dev/null
    as_root chmod 755 "$policy"
    trap 'as_root rm -f "$policy"' EXIT
fi

# The lists of a fresh machine are empty and those of an old one name versions that are gone, so they are renewed only
# when the installation cannot be done with them.
if ! apt install --no-install-recommends "${missing[@]}"; then
    say "renewing the package lists"
    apt update && apt install --no-install-recommends "${missing[@]}" || say "apt-get failed"
fi

# The browser tests take either Chromium: where the small one cannot be had, one that is there already will do.
stands_in() { [ "$1" = chromium-headless-shell ] && is_installed chromium; }

for package in "${missing[@]}"; do
    is_installed "$package" || stands_in "$package" || fail "$package could not be installed"
done
say "installed ${missing[*]}"
