# kvota: what a person or a machine does with this repository. `make help` lists it.
#
# The work is in scripts/; this file names it and knows what of the web has to be built anew.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

# Builds are kept outside the clone, so that a fresh clone on the same machine is warm.
export CARGO_TARGET_DIR ?= $(HOME)/.cache/kvota/target

ARGS ?=
WEB_SOURCES := $(shell find web config/translations -type f \
	-not -path '*/node_modules/*' -not -path 'web/dist/*' -not -path 'web/test-results/*' 2>/dev/null)

.PHONY: help
help: ## lists what there is to make
	@sed -nE 's/^([a-z-]+):[^#]*## (.*)/\1|\2/p' $(MAKEFILE_LIST) | while IFS='|' read -r name text; do \
		printf '  make %-15s %s\n' "$$name" "$$text"; done

.PHONY: run
run: ## builds everything and serves the client; ARGS="..." goes to kvota serve
	@scripts/run.sh $(ARGS)

.PHONY: test
test: ## installs and starts what the tests need and runs them all
	@scripts/test.sh

.PHONY: test-rust
test-rust: ## format, clippy, Rust tests and documentation tests
	@scripts/test.sh rust

.PHONY: test-web
test-web: ## lint, types, unit tests, build and size of the web client
	@scripts/test.sh web

.PHONY: test-browser
test-browser: ## the browser tests, against the real program
	@scripts/test.sh browser

SEEDS ?= 100000
.PHONY: simulate
simulate: web/dist/index.html ## tells SEEDS stories of the whole system under faults; SEEDS=17 of them, SEEDS=501..=2000 those
	@KVOTA_SEEDS="$(SEEDS)" cargo nextest run --locked --features testkit --cargo-profile simulate --profile simulate \
		--test simulation -E 'test(/share/)'

.PHONY: mutants
mutants: web/dist/index.html ## how many stories find each deliberate fault of tests/mutants; ARGS="500 name" for one
	@scripts/mutants.sh $(ARGS)

.PHONY: mutation
mutation: ## changes one thing at a time in the domain or the wire and tells what no test notices; ARGS="wire -f crates/wire/src/json.rs"
	@scripts/mutation.sh $(if $(ARGS),$(ARGS),domain)

.PHONY: fuzz
fuzz: web/dist/index.html ## a fuzzer tries what strangers can send, a minute each; ARGS="feed 600" for one
	@scripts/fuzz.sh $(ARGS)

.PHONY: deny
deny: ## licences and sources of the dependencies, and the banned ones
	@scripts/test.sh deny

.PHONY: advisories
advisories: ## asks the RustSec database about the dependencies: a nightly job; 3 where it cannot be reached
	@scripts/advisories.sh

.PHONY: figures
figures: web/dist/index.html ## prints the counted figures of docs/performance.md
	@cargo bench --quiet --locked --bench figures

.PHONY: simulator-cost
simulator-cost: web/dist/index.html ## prints what 1,000 simulated matches cost
	@cargo bench --quiet --locked --bench simulator

.PHONY: calibration
calibration: web/dist/index.html ## plays 1,000 matches of each sport and draws how often what was priced at p happened
	@cargo run --quiet --locked --release --bin kvota -- calibrate --out docs/pictures/calibration.svg $(ARGS)

.PHONY: bets-figures
bets-figures: web/dist/index.html ## prints how many bets a second each database keeps, beside its limit
	@scripts/install-services.sh
	@eval "$$(scripts/start-postgres.sh)" && cargo bench --quiet --locked --bench bets

.PHONY: client-figures
client-figures: release ## prints what a bettor's browser does with 130 lively matches; MINUTES=10 of them
	@scripts/install-services.sh chromium
	@KVOTA_BIN="$$CARGO_TARGET_DIR/release/kvota" node web/scripts/measure.mjs

.PHONY: bench
bench: web/dist/index.html ## times the steps of a change's path, beside the last run that was kept
	@scripts/bench.sh $(ARGS)

.PHONY: bench-keep
bench-keep: web/dist/index.html ## the same, and keeps this run for the next ones
	@scripts/bench.sh --keep $(ARGS)

.PHONY: peers
peers: ## fan-out beside a bare write loop, Bun, NATS and RabbitMQ; ARGS=live-day, latency, saturation, stop, growth or offer
	@scripts/peers.sh $(ARGS)

.PHONY: reliability
reliability: ## the rows of docs/reliability.md, a line each; ARGS="R01 R25" names some, FULL=1 takes large numbers
	@scripts/reliability.sh $(ARGS)

.PHONY: load
load: ## a first load test: starts a server, sends sessions, writes build/load.html; ARGS="..." goes to kvota load
	@scripts/load.sh $(ARGS)

.PHONY: lint
lint: web/dist/index.html ## format, clippy and the web's lint and types, without a test
	@cargo fmt --all --check
	@cargo clippy --locked --workspace --features testkit --all-targets -- -D warnings
	@npm --prefix web run lint
	@npm --prefix web run types

.PHONY: fmt
fmt: ## formats the Rust code
	@cargo fmt --all

.PHONY: web
web: web/dist/index.html ## builds the web client into web/dist

.PHONY: gallery
gallery: web/node_modules/.package-lock.json ## serves every component in every state, at /gallery.html; needs no server
	npm --prefix web run dev

.PHONY: screens
screens: web/node_modules/.package-lock.json ## makes the pictures that the tests compare with anew; look at them before they are kept
	@npm --prefix web run screens

.PHONY: release
release: web/dist/index.html ## builds the one file to ship and tells where it is
	@cargo build --locked --release --bin kvota
	@ls -lh "$$CARGO_TARGET_DIR/release/kvota"

.PHONY: services
services: ## installs and starts RabbitMQ and PostgreSQL and prints the variables that lead to them
	@scripts/install-services.sh
	@scripts/start-rabbitmq.sh
	@scripts/start-postgres.sh

.PHONY: stop-services
stop-services: ## stops what `make services` started
	@scripts/stop-rabbitmq.sh
	@scripts/stop-postgres.sh

# npm writes this file last, so its age is the age of the installation.
web/node_modules/.package-lock.json: web/package.json web/package-lock.json
	cd web && npm ci --no-audit --no-fund
	@touch $@

web/dist/index.html: web/node_modules/.package-lock.json $(WEB_SOURCES)
	npm --prefix web run build
	@touch $@
