# Commands of this repository; `make help` lists them by group. A line `##@ Name` begins a group, the text after `##` of
# a target is its help.
#
# The work is done in scripts/; this file names the commands and decides when the web client must be rebuilt.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

# Builds are kept outside the clone, so that a fresh clone on the same machine compiles only what changed.
export CARGO_TARGET_DIR ?= $(HOME)/.cache/kvota/target

ARGS ?=
WEB_SOURCES := $(shell find web config/translations -type f \
	-not -path '*/node_modules/*' -not -path 'web/dist/*' -not -path 'web/test-results/*' -not -path 'web/e2e/*' 2>/dev/null)

##@ Run

.PHONY: run
run: ## builds everything and serves the client; ARGS="..." are passed to kvota serve
	@scripts/run.sh $(ARGS)

.PHONY: cluster
cluster: ## serves with three nodes over PostgreSQL and RabbitMQ, behind HAProxy without sticky sessions
	@scripts/cluster.sh

.PHONY: load
load: ## runs a short load test and writes build/load.html; ARGS="..." are passed to kvota load
	@scripts/load.sh $(ARGS)

.PHONY: gallery
gallery: web/node_modules/.package-lock.json ## serves every component in every state at /gallery.html, without a server
	npm --prefix web run dev

##@ Test

.PHONY: test
test: ## installs and starts what the tests need, then runs the tests for while you work
	@scripts/test.sh

.PHONY: test-all
test-all: ## runs every test and lint, as CI does
	@scripts/test.sh all

.PHONY: test-rust
test-rust: ## checks formatting, runs clippy, the Rust tests and the documentation tests
	@scripts/test.sh rust

.PHONY: test-web
test-web: ## runs lint, type check and unit tests of the web client, builds it and checks its size
	@scripts/test.sh web

.PHONY: test-browser
test-browser: ## runs the browser tests against the real program
	@scripts/test.sh browser

SEEDS ?= 100000
.PHONY: simulate
simulate: web/dist/index.html ## simulates the system under faults: SEEDS=17 scenarios, or SEEDS=501..=2000
	@KVOTA_SEEDS="$(SEEDS)" cargo nextest run --locked --features testkit --cargo-profile simulate --profile simulate \
		--test simulation -E 'test(/share/)'

.PHONY: reliability
reliability: ## runs the rows of docs/reliability.md; ARGS="R01 R25" for some, FULL=1 for large numbers
	@scripts/reliability.sh $(ARGS)

.PHONY: fuzz
fuzz: web/dist/index.html ## fuzzes each reader of untrusted bytes for a minute; ARGS="feed 600" for one target
	@scripts/fuzz.sh $(ARGS)

.PHONY: api-fuzz
api-fuzz: web/dist/index.html ## fuzzes the HTTP calls by /api/openapi.json with Schemathesis; ARGS="--seed 7"
	@scripts/api-fuzz.sh $(ARGS)

##@ Quality

.PHONY: lint
lint: web/dist/index.html ## checks formatting, clippy, and lint and types of the web client, without running a test
	@cargo fmt --all --check
	@cargo clippy --locked --workspace --features testkit --all-targets -- -D warnings
	@npm --prefix web run lint
	@npm --prefix web run types

.PHONY: fmt
fmt: ## formats the Rust code
	@cargo fmt --all

.PHONY: deny
deny: ## checks licences and sources of the dependencies, and the banned ones
	@scripts/test.sh deny

.PHONY: advisories
advisories: ## checks dependencies against the RustSec database; exits with 3 if it cannot be reached
	@scripts/advisories.sh

.PHONY: mutation
mutation: ## lists mutants that no test finds; ARGS="wire -f crates/wire/src/json.rs"
	@scripts/mutation.sh $(if $(ARGS),$(ARGS),domain)

.PHONY: mutants
mutants: web/dist/index.html ## counts the scenarios that find each fault of tests/mutants; ARGS="500 name" for one
	@scripts/mutants.sh $(ARGS)

.PHONY: screens
screens: web/node_modules/.package-lock.json ## renders the reference pictures of the browser tests again; look at each before you commit it
	@npm --prefix web run screens

##@ Figures

.PHONY: figures
figures: web/dist/index.html ## prints bytes and costs of an update, and the size of the offer
	@cargo bench --quiet --locked --bench figures

.PHONY: bench
bench: web/dist/index.html ## times each step of an odds change and compares it with the kept run
	@scripts/bench.sh $(ARGS)

.PHONY: bench-keep
bench-keep: web/dist/index.html ## the same, and keeps this run for later comparisons
	@scripts/bench.sh --keep $(ARGS)

.PHONY: peers
peers: ## compares fan-out with Bun, NATS and RabbitMQ; ARGS=live-day|latency|saturation|stop|growth|offer
	@scripts/peers.sh $(ARGS)

.PHONY: bets-figures
bets-figures: web/dist/index.html ## prints how many bets a second each database stores, settles and cashes out by rules
	@scripts/install-services.sh
	@eval "$$(scripts/start-postgres.sh)" && cargo bench --quiet --locked --bench bets --bench settlement --bench rules

.PHONY: scaling
scaling: release ## prints what a delivery costs with one, two and three nodes, by node, HAProxy, PostgreSQL and RabbitMQ
	@node scripts/reliability/scaling.mjs "$$CARGO_TARGET_DIR/release/kvota"

.PHONY: client-figures
client-figures: release ## measures the client in a slowed browser with 130 lively matches; MINUTES=10 sets the time
	@scripts/install-services.sh chromium
	@KVOTA_BIN="$$CARGO_TARGET_DIR/release/kvota" node web/scripts/measure.mjs

.PHONY: simulator-cost
simulator-cost: web/dist/index.html ## prints the CPU cost of 1,000 simulated matches
	@cargo bench --quiet --locked --bench simulator

.PHONY: uof-cost
uof-cost: web/dist/index.html ## prints the cost of a provider's feed
	@cargo bench --quiet --locked --bench uof

.PHONY: calibration
calibration: web/dist/index.html ## plays 1,000 matches of each sport and draws how often outcomes priced at p happened
	@cargo run --quiet --locked --release --bin kvota -- calibrate --out docs/pictures/calibration.svg $(ARGS)

##@ Build

.PHONY: web
web: web/dist/index.html ## builds the web client into web/dist

.PHONY: release
release: web/dist/index.html ## builds the single file to ship and prints its path
	@cargo build --locked --release --bin kvota
	@ls -lh "$$CARGO_TARGET_DIR/release/kvota"

##@ Services

.PHONY: services
services: ## installs and starts RabbitMQ and PostgreSQL and prints the variables to connect to them
	@scripts/install-services.sh
	@scripts/start-rabbitmq.sh
	@scripts/start-postgres.sh

.PHONY: stop-services
stop-services: ## stops what `make services` started
	@scripts/stop-rabbitmq.sh
	@scripts/stop-postgres.sh

##@ Help

.PHONY: help
help: ## prints this list
	@awk -F ':[^#]*## ' '/^##@ / {printf "\n%s\n", substr($$0, 5)} \
		/^[a-z-]+:[^#]*## / {printf "  make %-15s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# npm writes this file last, so its time stamp is that of the installation.
web/node_modules/.package-lock.json: web/package.json web/package-lock.json
	cd web && npm ci --no-audit --no-fund
	@touch $@

web/dist/index.html: web/node_modules/.package-lock.json $(WEB_SOURCES)
	npm --prefix web run build
	@touch $@
