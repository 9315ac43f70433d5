// The rows of docs/reliability.md that are checked by tests: the tests, the larger numbers of FULL=1, and the printed
// measurements. A row passes if all its tests ran and passed and every measurement is within its limit. A renamed test
// does not run, which fails its row.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { full } from "./common.mjs";

/** The test of the common store suite, for each kind of store. */
const stores = (...names) => names.flatMap((name) => ["memory", "sqlite", "postgres"].map((kind) => `contract::${kind}::${name}`));

/**
 * `tests`: full test names by test program (`lib`: the unit tests of the crate). `more`: the variables of FULL=1.
 * `seeds`: the number of scenarios or runs, usually and with FULL=1. `services`: needs RabbitMQ or PostgreSQL.
 * `browser`: titles of browser tests, and whether they need the `program`. `then`: a second run. `part`: what of the
 * row no test checks.
 */
const ROWS = {
  R06: {
    tests: { program: ["kills::a_bet_survives_twenty_kills_exactly_once"] },
    more: { KVOTA_KILLS: 500 },
  },
  R07: {
    tests: {
      store: [
        "crash::sqlite_has_a_whole_bet_or_none_after_a_crash_at_any_point",
        "crash::postgres_has_a_whole_bet_or_none_after_a_crash_at_any_point",
      ],
      session: ["kept::session_panic_ends_its_connections_and_loses_no_saved_change"],
    },
    services: true,
    more: { KVOTA_CRASHES: 20 },
    part: "the points are those of a bet, 6 in each of two databases; once each, 20 times with FULL=1",
  },
  R08: {
    tests: {
      store: ["sqlite::answered_bets_exist_after_the_file_is_reopened"],
      simulation: [
        "first_share_of_scenarios_passes",
        "second_share_of_scenarios_passes",
        "third_share_of_scenarios_passes",
        "last_share_of_scenarios_passes",
      ],
    },
    seeds: [500, 1_000],
    part: "the loss of unsynced writes is a model; torn tails and flipped bits are the database's to find",
  },
  R09: {
    tests: {
      program: ["ends::sigterm_lets_pending_bets_finish"],
      placing: [
        "closing::shutdown_finishes_a_short_delay_and_rejects_new_bets",
        "closing::shutdown_abandons_a_long_delay_and_leaves_its_key_unused",
        "closing::shutdown_without_pending_bets_is_immediate",
      ],
    },
    part: "not with 1,000 sockets",
  },
  R10: {
    tests: {
      infra: [
        "links::source_waits_for_a_broker_that_starts_later",
        "links::cut_connection_is_reported_lost_and_reconnects",
        "links::offer_follows_the_producer_after_every_cut",
        "roundtrip::reader_recovers_after_the_producer_crashes_and_restarts",
      ],
    },
    services: true,
    part: "links are cut, the broker itself is not restarted",
  },
  R11: {
    tests: { infra: ["links::frozen_connection_is_detected_by_the_heartbeat"] },
    services: true,
    part: "once, not 20 times",
  },
  R12: {
    tests: {
      store: ["unreachable::unreachable_server_is_reported_as_unavailable", "unreachable::cut_connections_are_reopened"],
      placing: ["keys::store_outage_is_reported_and_repeating_the_key_resolves_it"],
      session: [
        "store_trouble::commands_during_a_store_outage_are_acknowledged_and_saved_later",
        "store_trouble::ticket_is_loaded_after_a_store_outage_that_covered_the_first_connection",
        "store_trouble::account_is_identified_after_the_store_outage",
      ],
    },
    services: true,
    part: "connections are cut, the server is not restarted; not under load",
  },
  R13: {
    tests: {
      placing: ["keys::store_outage_is_reported_and_repeating_the_key_resolves_it", "keys::stored_answer_survives_a_restart"],
      store: ["unreachable::retry_after_a_broken_connection_makes_one_bet"],
    },
    services: true,
    more: { KVOTA_CUTS: 2_000 },
  },
  R14: {
    tests: {
      program: ["ends::full_disk_rejects_bets_and_the_offer_keeps_running"],
      store: ["sqlite::full_disk_rejects_bets_until_there_is_space"],
    },
    part: "the disk of the store; the log goes to a stream",
  },
  R15: { tests: { faults: ["clock::wall_clock_jumps_change_no_bet_validation_and_end_no_session"] } },
  R16: {
    tests: {
      faults: [
        "panics::match_actor_restarts_after_a_panic_and_applies_the_update",
        "panics::sport_actor_restarts_after_a_panic_with_all_its_matches",
        "panics::feed_reader_restarts_after_a_panic_with_the_whole_offer",
        "panics::publisher_restarts_after_a_panic_and_keeps_its_connections",
        "panics::session_directory_restarts_after_a_panic_without_affecting_sessions",
        "panics::session_restarts_after_a_panic_with_all_acknowledged_commands",
      ],
    },
  },
  R22: {
    tests: {
      faults: ["mangled::duplicated_and_reordered_messages_lead_to_the_same_offer"],
      lib: ["feed::liveness::convergence::trouble_that_ends_leaves_nothing_behind"],
    },
    more: { KVOTA_MANGLED: 1_000_000 },
  },
  R23: {
    tests: {
      faults: ["gaps::no_bet_is_accepted_between_a_gap_and_its_recovery"],
      lib: ["feed::liveness::convergence::while_nothing_is_late_the_offer_is_never_wrong"],
    },
    more: { KVOTA_GAPS: 1_000 },
  },
  R24: {
    tests: {
      infra: ["messages::damaged_message_is_dropped_alone_and_counted", "messages::invalid_messages_only_leave_a_gap"],
      lib: [
        "feed::amqp::intake::tests::the_log_speaks_once_a_second_and_says_what_it_did_not",
        "feed::amqp::intake::tests::everything_that_is_passed_over_is_counted",
      ],
    },
    services: true,
    more: { KVOTA_DAMAGED: 100_000 },
    part: "what does not decode is counted and dropped, as the contract has it; nothing is dead-lettered",
  },
  R25: {
    tests: {
      faults: ["bombs::compression_bomb_is_rejected_at_its_size_limit"],
      lib: ["wire::feed::hostile::compressed_bombs_stop_at_the_limit", "wire::inflate::tests::a_bomb_stops_at_the_limit"],
    },
  },
  R26: {
    tests: {
      faults: ["bombs::deep_nesting_and_huge_announced_lengths_are_rejected_on_a_small_stack"],
      lib: [
        "wire::feed::hostile::nesting_bombs_are_rejected_on_a_small_stack",
        "wire::feed::hostile::flood_of_tiny_entities_is_rejected_before_building",
        "wire::feed::check::tests::documents_are_validated_as_a_whole",
        "wire::msgpack::tests::nesting_is_skipped_without_recursion",
      ],
    },
  },
  R27: {
    tests: {
      faults: ["drift::additional_elements_of_a_newer_producer_are_ignored", "drift::omitted_trailing_elements_are_read_as_absent"],
      lib: ["wire::feed::cases::shorter_arrays_are_absent_at_the_end_and_further_elements_are_ignored"],
    },
    part: "a message names no version, so none is counted",
  },
  R28: {
    tests: {
      testkit: [
        "mutated::damaged_feed_messages_never_panic",
        "mutated::damaged_client_frames_never_panic",
        "mutated::damaged_ticket_bodies_never_panic",
        "mutated::damaged_cookies_never_panic",
        "mutated::damaged_stake_texts_never_panic",
      ],
      lib: ["wire::feed::hostile::mutated_messages_never_panic_or_exceed_the_limits"],
    },
    more: { KVOTA_MUTATIONS: 10_000_000 },
  },
  R29: {
    tests: {
      placing: [
        "keys::hundred_parallel_requests_with_one_key_make_one_bet",
        "keys::repeated_key_returns_the_same_answer_after_any_change",
        "keys::used_key_rejects_another_body",
        "keys::only_one_of_two_parallel_bodies_gets_the_key",
        "keys::a_key_belongs_to_its_user",
        "keys::stored_answer_survives_a_restart",
        "keys::key_returns_nothing_after_logout",
      ],
      faults: ["clock::idempotency_key_still_returns_its_bet_a_day_later"],
      store: stores("one_key_used_a_hundred_times_makes_one_bet"),
    },
    services: true,
  },
  R30: {
    tests: {},
    browser: {
      file: "ticket-place.spec.ts",
      program: true,
      titles: [
        "is one bet by a double click",
        "is one bet by Enter and a click",
        "is one bet over a reload in flight",
        "is one bet in two tabs at once",
        "offline on its way, then online: one bet",
      ],
    },
  },
  R31: {
    tests: {
      placing: [
        "race::bets_race_the_offer_in_the_first_quarter_of_the_seeds",
        "race::bets_race_the_offer_in_the_second_quarter_of_the_seeds",
        "race::bets_race_the_offer_in_the_third_quarter_of_the_seeds",
        "race::bets_race_the_offer_in_the_last_quarter_of_the_seeds",
        "race::offer_snapshot_is_consistent_while_another_thread_writes",
      ],
    },
  },
  R32: {
    tests: {
      placing: ["tampered::tampered_field_is_rejected_by_name_or_recalculated"],
      ticket: [
        "placing::amounts_that_do_not_match_the_submitted_odds_are_rejected",
        "placing::fields_that_do_not_match_the_odd_are_rejected",
      ],
    },
    more: { KVOTA_TAMPERED: 100_000 },
  },
  R33: {
    tests: {
      placing: ["tampered::amount_is_read_exactly_or_rejected"],
      ticket: [
        "reference::random_tickets_match_the_reference",
        "reference::a_system_of_twenty_is_counted_without_being_listed",
        "totals::thirty_pairs_at_a_thousand_do_not_overflow",
        "properties::no_totals_panic",
        "properties::any_slip_is_handled_and_only_correct_amounts_are_accepted",
      ],
      lib: ["domain::ticket::exact::tests::share_matches_wide_integer_reference"],
    },
    more: { KVOTA_TICKETS: 1_000_000 },
  },
  R34: {
    tests: { store: stores("thousand_bets_with_money_for_ten_place_ten", "parallel_bets_of_many_accounts_are_all_placed") },
    services: true,
  },
  R35: {
    tests: {
      store: [
        "ledger::sqlite_rejects_statements_that_unbalance_the_ledger",
        "ledger::postgres_rejects_statements_that_unbalance_the_ledger",
        "ledger::sqlite_audit_finds_manual_changes",
        "ledger::postgres_audit_finds_manual_changes",
      ],
    },
    services: true,
    part: "bets are not settled by this program, so no result is applied; that entries are never changed is shown",
  },
  R36: {
    tests: {
      testkit: [
        "model::ticket_behaves_like_a_simple_model_of_the_contract",
        "model::wallet_is_debited_once_per_key_and_never_below_zero",
      ],
    },
    seeds: [1_000, 10_000],
    then: {
      tests: {
        simulation: [
          "first_share_of_scenarios_passes",
          "second_share_of_scenarios_passes",
          "third_share_of_scenarios_passes",
          "last_share_of_scenarios_passes",
          "same_seed_gives_the_same_scenario",
        ],
      },
      seeds: [500, 100_000],
    },
  },
  R37: {
    tests: {
      placing: ["access::every_call_enforces_its_access_rule", "receipts::bet_of_another_account_is_not_found"],
      lib: ["http::openapi::tests::document_describes_exactly_the_route_table"],
    },
  },
  R38: {
    tests: {
      placing: [
        "accounts::cookie_from_before_the_login_is_invalid_after_it",
        "accounts::session_cookie_is_http_only_same_site_and_secure",
        "accounts::cookie_without_the_secure_prefix_is_ignored_over_tls",
        "accounts::sessions_are_notified_of_a_login_before_its_response",
      ],
      session: ["logins::logout_ends_only_the_connections_of_its_cookie"],
      hub: ["sessions::login_closes_with_1012_and_the_new_connection_has_ticket_and_name"],
      lib: [
        "http::session_cookie::tests::invalid_cookie_starts_a_new_session",
        "http::session_cookie::tests::cookie_is_http_only_and_same_site",
      ],
    },
    part: "passwords cannot be changed; the cookie has the __Host- prefix over TLS alone",
  },
  R39: {
    tests: {
      placing: ["access::pages_of_other_origins_cannot_call_anything_that_changes_state", "accounts::page_of_another_origin_changes_nothing"],
      hub: ["handshake::pages_of_other_origins_are_rejected"],
      lib: ["http::origin::tests::without_origin_referer_and_fetch_site_decide"],
    },
    part: "a request that says nothing of any page is a program's and goes on (decision 4)",
  },
  R40: {
    tests: {
      placing: [
        "guesses::password_guesses_are_limited_per_minute",
        "guesses::unknown_name_takes_as_long_as_a_wrong_password",
        "guesses::wrong_passwords_from_one_address_do_not_lock_the_name_for_others",
        "guesses::a_known_browser_logs_in_while_the_name_is_locked",
        "accounts::unknown_name_and_wrong_password_return_the_same_message",
        "accounts::parallel_login_attempts_obey_the_same_limit",
      ],
      http: [
        "security::every_page_has_security_headers_including_404",
        "security::data_and_error_responses_have_strict_security_headers",
        "scoreboard::scoreboard_page_can_be_framed_by_own_pages_only",
      ],
      lib: ["http::account::passwords::tests::unknown_name_costs_the_same_hashing_work"],
    },
    browser: { file: "hostile.spec.ts", titles: ["texts of the feed are shown and never run"] },
    part: "bets are not timed while passwords are guessed",
  },
};


/** Runs a command and passes each line of its output to `told`; the exit code. */
function run(command, env, cwd, told) {
  const child = spawn("bash", ["-c", command], { cwd, env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on("line", told);
  return new Promise((done) => child.once("close", done));
}

const quoted = (text) => `'${text}'`;

/** Runs the tests of a row; the names of passed tests, and the measurements. */
async function runTests(name, { tests, seeds, more = {}, services }) {
  const wanted = Object.entries(tests).flatMap(([program, found]) => found.map((test) => ({ program, test })));
  if (!wanted.length) return { wanted: 0, passed: 0, measured: [], last: [] };
  const binary = (program) => (program === "lib" ? "kvota" : `kvota::${program}`);
  const filter = wanted.map(({ program, test }) => `(binary_id(=${binary(program)}) & test(=${test}))`).join(" | ");
  const programs = Object.keys(tests).map((program) => (program === "lib" ? "--lib" : `--test ${program}`));
  const env = { RUST_BACKTRACE: "0", NO_COLOR: "1", ...(full ? more : {}) };
  if (seeds) env.KVOTA_SEEDS = seeds[full ? 1 : 0];
  // A profile without time limits for the numbers of FULL=1.
  const profile = full ? "--profile simulate" : "";
  const started = services ? 'scripts/install-services.sh; eval "$(scripts/start-rabbitmq.sh)"; eval "$(scripts/start-postgres.sh)";' : "";
  const command = `${started} exec cargo nextest run --locked --features testkit ${programs.join(" ")} ${profile} --no-fail-fast --no-capture -E ${quoted(filter)}`;
  const [passed, measured, last] = [new Set(), [], []];
  await run(command, env, undefined, (line) => {
    last.push(line);
    if (last.length > 400) last.shift();
    // A slow test is printed again at the end of the run.
    const found = /^ *PASS \[.*?\] \(.*?\) (\S+) (\S+)/.exec(line);
    if (found) passed.add(`${found[1]} ${found[2]}`);
    const figure = new RegExp(`${name} (most|least) (\\S+) (\\S+) (.*)`).exec(line);
    if (figure) measured.push({ bound: figure[1], value: figure[2], limit: figure[3], what: figure[4] });
  });
  return { wanted: wanted.length, passed: passed.size, measured, last };
}

/** Runs the browser tests of a row. */
async function runBrowser({ file, titles, program }) {
  // KVOTA_BIN names a program that is already built.
  const build = program && !process.env.KVOTA_BIN ? "cargo build --locked --features testkit --bin kvota && cd web" : "cd web";
  const which = quoted(titles.map((title) => title.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|"));
  const command = `${build} && KVOTA_BIN="\${KVOTA_BIN:-$CARGO_TARGET_DIR/debug/kvota}" npx playwright test ${file} -g ${which}`;
  let passed = 0;
  const last = [];
  await run(command, {}, undefined, (line) => {
    last.push(line);
    passed = Number(/^ +(\d+) passed/.exec(line)?.[1] ?? passed);
  });
  return { wanted: titles.length, passed, last: last.slice(-60) };
}

const within = ({ bound, value, limit }) => (bound === "most" ? Number(value) <= Number(limit) : Number(value) >= Number(limit));

/** Runs a row and prints its line; whether it passed. */
async function hold(name) {
  const { then, browser, part } = ROWS[name];
  const runs = [await runTests(name, ROWS[name])];
  if (then) runs.push(await runTests(name, then));
  const inBrowser = browser ? await runBrowser(browser) : { wanted: 0, passed: 0, last: [] };
  const all = [...runs, inBrowser];
  const sum = (key) => all.reduce((total, one) => total + one[key], 0);
  const measured = runs.flatMap((one) => one.measured);
  const holds = sum("wanted") > 0 && sum("passed") === sum("wanted") && measured.every(within);
  if (!holds) for (const one of all) if (one.passed < one.wanted) console.error(one.last.join("\n"));
  const figures = measured.map(({ value, limit, what }) => `${value}/${limit} ${what}`);
  const missing = part ? ` (in part: ${part})` : "";
  console.log(`${name} ${holds ? "PASS" : "FAIL"} ${[`${sum("passed")}/${sum("wanted")} tests`, ...figures].join("; ")}${missing}`);
  return holds;
}

/** For each row, a function that runs it and prints its line. */
export const rows = Object.fromEntries(Object.keys(ROWS).map((name) => [name, () => hold(name)]));
