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
        "crash::a_file_holds_a_whole_bet_or_none_wherever_the_process_ends",
        "crash::a_server_holds_a_whole_bet_or_none_wherever_the_process_ends",
      ],
      session: ["kept::a_session_that_dies_ends_its_connections_and_loses_nothing_that_was_saved"],
    },
    services: true,
    more: { KVOTA_CRASHES: 20 },
    part: "the points are those of a bet, 6 in each of two databases; once each, 20 times with FULL=1",
  },
  R08: {
    tests: {
      store: ["sqlite::what_was_answered_is_there_when_the_file_is_opened_again"],
      simulation: [
        "the_first_share_of_stories_ends_well",
        "the_second_share_of_stories_ends_well",
        "the_third_share_of_stories_ends_well",
        "the_last_share_of_stories_ends_well",
      ],
    },
    seeds: [500, 1_000],
    part: "the loss of unsynced writes is a model; torn tails and flipped bits are the database's to find",
  },
  R09: {
    tests: {
      program: ["ends::told_to_stop_it_answers_the_bets_on_their_way"],
      placing: [
        "closing::a_short_delay_is_finished_and_new_bets_are_not_taken",
        "closing::a_long_delay_is_let_go_and_its_key_is_not_used_up",
        "closing::with_no_bet_on_its_way_the_end_is_at_once",
      ],
    },
    part: "not with 1,000 sockets",
  },
  R10: {
    tests: {
      infra: [
        "links::a_source_waits_for_a_broker_that_is_not_there_yet",
        "links::a_link_that_is_cut_is_lost_and_stands_again",
        "links::the_offer_follows_its_producer_through_every_cut",
        "roundtrip::a_producer_that_crashes_and_comes_back_is_recovered_from",
      ],
    },
    services: true,
    part: "links are cut, the broker itself is not restarted",
  },
  R11: {
    tests: { infra: ["links::a_link_that_freezes_is_lost_by_its_heartbeat"] },
    services: true,
    part: "once, not 20 times",
  },
  R12: {
    tests: {
      store: ["unreachable::a_server_that_is_not_there_is_unavailable", "unreachable::connections_that_are_cut_are_made_anew"],
      placing: ["keys::a_store_that_cannot_be_reached_is_told_and_the_key_settles_it"],
      session: [
        "store_trouble::what_happens_without_a_store_is_acknowledged_and_saved_later",
        "store_trouble::a_bettor_who_comes_while_there_is_no_store_finds_his_ticket_when_it_is_back",
        "store_trouble::who_is_logged_in_becomes_known_when_the_store_is_back",
      ],
    },
    services: true,
    part: "connections are cut, the server is not restarted; not under load",
  },
  R13: {
    tests: {
      placing: ["keys::a_store_that_cannot_be_reached_is_told_and_the_key_settles_it", "keys::an_answer_outlives_the_server"],
      store: ["unreachable::a_wire_that_breaks_anywhere_in_a_bet_makes_one_bet"],
    },
    services: true,
    more: { KVOTA_CUTS: 2_000 },
  },
  R14: {
    tests: {
      program: ["ends::without_room_on_the_disk_bets_wait_and_the_offer_lives"],
      store: ["sqlite::a_full_disk_refuses_bets_until_there_is_room"],
    },
    part: "the disk of the store; the log goes to a stream",
  },
  R15: { tests: { faults: ["clock::a_clock_that_jumps_changes_no_judgement_and_ends_no_session"] } },
  R16: {
    tests: {
      faults: [
        "panics::a_match_that_dies_is_back_with_its_update",
        "panics::a_sport_that_dies_is_back_with_all_its_matches",
        "panics::a_reader_that_dies_is_back_with_the_whole_offer",
        "panics::a_publisher_that_dies_is_back_with_its_connections",
        "panics::the_finder_of_sessions_that_dies_is_back_and_no_session_notices",
        "panics::a_session_that_dies_is_back_with_what_was_acknowledged",
      ],
    },
  },
  R22: {
    tests: {
      faults: ["mangled::doubled_and_reordered_messages_lead_to_the_same_offer"],
      lib: ["feed::liveness::convergence::trouble_that_ends_leaves_nothing_behind"],
    },
    more: { KVOTA_MANGLED: 1_000_000 },
  },
  R23: {
    tests: {
      faults: ["gaps::no_bet_is_taken_between_a_hole_and_its_healing"],
      lib: ["feed::liveness::convergence::while_nothing_is_late_the_offer_is_never_wrong"],
    },
    more: { KVOTA_GAPS: 1_000 },
  },
  R24: {
    tests: {
      infra: ["messages::a_damaged_message_costs_itself_and_is_counted", "messages::garbage_leaves_a_hole_and_nothing_else"],
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
      faults: ["bombs::a_bomb_is_refused_where_its_limit_is"],
      lib: ["wire::feed::hostile::compressed_bombs_stop_at_the_limit", "wire::inflate::tests::a_bomb_stops_at_the_limit"],
    },
  },
  R26: {
    tests: {
      faults: ["bombs::what_nests_or_announces_too_much_is_refused_on_a_small_stack"],
      lib: [
        "wire::feed::hostile::bombs_are_refused_on_the_small_stack_of_a_test",
        "wire::feed::hostile::a_flood_of_next_to_nothing_is_refused_before_anything_is_built",
        "wire::feed::check::tests::documents_are_judged_as_a_whole",
        "wire::msgpack::tests::nesting_is_passed_over_without_recursion",
      ],
    },
  },
  R27: {
    tests: {
      faults: ["drift::elements_of_a_later_version_are_passed_over", "drift::what_is_left_out_at_the_end_is_absent"],
      lib: ["wire::feed::cases::shorter_arrays_are_absent_at_the_end_and_further_elements_are_ignored"],
    },
    part: "a message names no version, so none is counted",
  },
  R28: {
    tests: {
      testkit: [
        "mutated::a_message_of_the_feed",
        "mutated::a_frame_of_a_client",
        "mutated::the_body_of_a_ticket",
        "mutated::a_cookie",
        "mutated::the_text_of_a_stake",
      ],
      lib: ["wire::feed::hostile::mutated_messages_never_panic_nor_pass_the_limits"],
    },
    more: { KVOTA_MUTATIONS: 10_000_000 },
  },
  R29: {
    tests: {
      placing: [
        "keys::a_hundred_at_the_same_moment_are_one_bet_and_a_hundred_equal_answers",
        "keys::the_same_key_again_gives_the_same_answer_whatever_has_changed",
        "keys::a_used_key_takes_no_other_body",
        "keys::of_two_bodies_at_the_same_moment_one_has_the_key",
        "keys::a_key_belongs_to_its_user",
        "keys::an_answer_outlives_the_server",
        "keys::who_logged_out_hears_nothing_under_his_keys",
      ],
      faults: ["clock::a_day_later_a_key_is_still_that_of_its_bet"],
      store: stores("one_key_a_hundred_times_is_one_bet"),
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
        "race::a_look_sees_one_moment_while_another_thread_writes",
      ],
    },
  },
  R32: {
    tests: {
      placing: ["tampered::what_was_tampered_with_is_refused_by_name_or_counted_anew"],
      ticket: [
        "placing::amounts_that_are_not_those_of_the_odds_submitted_are_refused",
        "placing::what_contradicts_the_odd_is_refused",
      ],
    },
    more: { KVOTA_TAMPERED: 100_000 },
  },
  R33: {
    tests: {
      placing: ["tampered::an_amount_is_exact_or_none"],
      ticket: [
        "reference::random_tickets_are_what_wide_integers_say",
        "reference::a_system_of_twenty_is_counted_without_being_listed",
        "totals::thirty_pairs_at_a_thousand_do_not_overflow",
        "properties::no_totals_panic",
        "properties::no_slip_panics_and_only_the_numbers_of_its_odds_are_taken",
      ],
      lib: ["domain::ticket::exact::tests::a_share_is_what_wide_integers_say"],
    },
    more: { KVOTA_TICKETS: 1_000_000 },
  },
  R34: {
    tests: { store: stores("a_thousand_bets_with_money_for_ten_are_ten", "bets_of_many_accounts_at_once_are_all_placed") },
    services: true,
  },
  R35: {
    tests: {
      store: [
        "ledger::a_file_refuses_what_would_unbalance_it",
        "ledger::a_server_refuses_what_would_unbalance_it",
        "ledger::the_audit_of_a_file_finds_what_was_done_to_it",
        "ledger::the_audit_of_a_server_finds_what_was_done_to_it",
      ],
    },
    services: true,
    part: "bets are not settled by this program, so no result is applied; that entries are never changed is shown",
  },
  R36: {
    tests: {
      testkit: [
        "model::a_ticket_does_what_a_plain_model_of_the_contract_does",
        "model::a_wallet_is_debited_once_a_key_and_never_below_nothing",
      ],
    },
    seeds: [1_000, 10_000],
    then: {
      tests: {
        simulation: [
          "the_first_share_of_stories_ends_well",
          "the_second_share_of_stories_ends_well",
          "the_third_share_of_stories_ends_well",
          "the_last_share_of_stories_ends_well",
          "a_seed_tells_the_same_story_twice",
        ],
      },
      seeds: [500, 100_000],
    },
  },
  R37: {
    tests: {
      placing: ["access::every_call_knows_who_it_is_for", "receipts::another_ones_bet_is_none"],
      lib: ["http::openapi::tests::every_call_is_described_and_nothing_else"],
    },
  },
  R38: {
    tests: {
      placing: [
        "accounts::a_session_that_was_known_before_the_login_is_worth_nothing_after",
        "accounts::the_cookie_is_out_of_reach_of_scripts_strangers_and_plain_connections",
        "accounts::a_plain_cookie_does_not_count_over_tls",
        "accounts::who_keeps_sessions_hears_of_logins_before_they_are_answered",
      ],
      session: ["logins::a_logout_ends_the_connections_of_its_cookie_alone"],
      hub: ["sessions::a_login_ends_the_connection_with_1012_and_the_new_one_has_ticket_and_name"],
      lib: [
        "http::session_cookie::tests::what_is_no_session_of_ours_becomes_a_new_one",
        "http::session_cookie::tests::the_cookie_is_out_of_reach_of_scripts_and_strangers",
      ],
    },
    part: "passwords cannot be changed; the cookie has the __Host- prefix over TLS alone",
  },
  R39: {
    tests: {
      placing: ["access::no_strangers_page_reaches_what_changes_anything", "accounts::a_strangers_page_changes_nothing"],
      hub: ["handshake::strangers_pages_are_refused"],
      lib: ["http::origin::tests::without_an_origin_the_rest_decides"],
    },
    part: "a request that says nothing of any page is a program's and goes on (decision 4)",
  },
  R40: {
    tests: {
      placing: [
        "guesses::ten_thousand_guesses_are_as_few_as_the_minutes_they_take",
        "guesses::an_unknown_name_takes_the_time_of_a_wrong_password",
        "guesses::wrong_passwords_from_one_address_do_not_lock_the_name_for_others",
        "guesses::a_known_browser_logs_in_while_the_name_is_locked",
        "accounts::an_unknown_name_and_a_wrong_password_get_the_same_words",
        "accounts::tries_at_the_same_moment_are_as_few_as_one_by_one",
      ],
      http: [
        "security::every_page_says_what_it_may_do_a_missing_one_too",
        "security::data_is_no_page_errors_neither",
        "scoreboard::the_page_may_be_framed_by_our_own_pages_alone",
      ],
      lib: ["http::account::passwords::tests::an_unknown_name_costs_what_a_known_one_does"],
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
