// The rows of docs/reliability.md that are checked by tests. scripts/reliability/check_names.mjs fails if a name is not that of a test.

/** The test of the common store suite, for each kind of store. */
const stores = (...names) => names.flatMap((name) => ["memory", "sqlite", "postgres"].map((kind) => `contract::${kind}::${name}`));

/**
 * `tests`: full test names by test program, as nextest names it (`kvota`: the unit tests of that crate). `more`: the variables of FULL=1.
 * `seeds`: the number of scenarios or runs, usually and with FULL=1. `services`: needs RabbitMQ or PostgreSQL.
 * `browser`: titles of browser tests, and whether they need the `program`. `then`: a second run. `part`: what of the
 * row no test checks.
 */
export const ROWS = {
  R06: {
    tests: { "kvota::program": ["kills::a_bet_survives_twenty_kills_exactly_once"] },
    more: { KVOTA_KILLS: 500 },
  },
  R07: {
    tests: {
      "kvota::store": [
        "crash::sqlite_has_a_whole_bet_or_none_after_a_crash_at_any_point",
        "crash::postgres_has_a_whole_bet_or_none_after_a_crash_at_any_point",
      ],
      "kvota::session": ["kept::session_panic_ends_its_connections_and_loses_no_saved_change"],
    },
    services: true,
    more: { KVOTA_CRASHES: 20 },
    part: "the points are those of a bet, 6 in each of two databases; once each, 20 times with FULL=1",
  },
  R08: {
    tests: {
      "kvota::store": ["sqlite::answered_bets_exist_after_the_file_is_reopened"],
      "kvota::simulation": [
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
      "kvota::program": ["ends::sigterm_lets_pending_bets_finish"],
      "kvota::placing": [
        "closing::shutdown_finishes_a_short_delay_and_rejects_new_bets",
        "closing::shutdown_abandons_an_order_that_does_not_end_and_leaves_its_key_unused",
        "closing::shutdown_without_pending_bets_is_immediate",
      ],
    },
    part: "not with 1,000 sockets",
  },
  R10: {
    tests: {
      "kvota::infra": [
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
    tests: { "kvota::infra": ["links::frozen_connection_is_detected_by_the_heartbeat"] },
    services: true,
    part: "once, not 20 times",
  },
  R12: {
    tests: {
      "kvota::store": [
        "unreachable::unreachable_server_is_reported_as_unavailable",
        "unreachable::cut_connections_are_reopened",
        "unreachable::frozen_connections_are_replaced_within_twenty_seconds",
      ],
      "kvota::placing": ["keys::store_outage_is_reported_and_repeating_the_key_resolves_it"],
      "kvota::session": [
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
      "kvota::placing": ["keys::store_outage_is_reported_and_repeating_the_key_resolves_it", "keys::stored_answer_survives_a_restart"],
      "kvota::store": ["unreachable::retry_after_a_broken_connection_makes_one_bet"],
    },
    services: true,
    more: { KVOTA_CUTS: 2_000 },
  },
  R14: {
    tests: {
      "kvota::program": ["ends::full_disk_rejects_bets_and_the_offer_keeps_running"],
      "kvota::store": ["sqlite::full_disk_rejects_bets_until_there_is_space"],
    },
    part: "the disk of the store; the log goes to a stream",
  },
  R15: { tests: { "kvota::faults": ["clock::wall_clock_jumps_change_no_bet_validation_and_end_no_session"] } },
  R16: {
    tests: {
      "kvota::faults": [
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
      "kvota::faults": ["mangled::duplicated_and_reordered_messages_lead_to_the_same_offer"],
      "kvota-feed": ["liveness::convergence::trouble_that_ends_leaves_nothing_behind"],
    },
    more: { KVOTA_MANGLED: 1_000_000 },
  },
  R23: {
    tests: {
      "kvota::faults": ["gaps::no_bet_is_accepted_between_a_gap_and_its_recovery"],
      "kvota-feed": ["liveness::convergence::while_nothing_is_late_the_offer_is_never_wrong"],
    },
    more: { KVOTA_GAPS: 1_000 },
  },
  R24: {
    tests: {
      "kvota::infra": ["messages::damaged_message_is_dropped_alone_and_counted", "messages::invalid_messages_only_leave_a_gap"],
      "kvota-feed": [
        "amqp::intake::tests::the_log_speaks_once_a_second_and_says_what_it_did_not",
        "amqp::intake::tests::everything_that_is_passed_over_is_counted",
      ],
    },
    services: true,
    more: { KVOTA_DAMAGED: 100_000 },
    part: "undecodable messages of the offer are counted and dropped, as the contract says; those of results are dead letters (tests/infra/results.rs)",
  },
  R25: {
    tests: {
      "kvota::faults": ["bombs::compression_bomb_is_rejected_at_its_size_limit"],
      "kvota-wire": ["feed::hostile::compressed_bombs_stop_at_the_limit", "inflate::tests::a_bomb_stops_at_the_limit"],
    },
  },
  R26: {
    tests: {
      "kvota::faults": ["bombs::deep_nesting_and_huge_announced_lengths_are_rejected_on_a_small_stack"],
      "kvota-wire": [
        "feed::hostile::nesting_bombs_are_rejected_on_a_small_stack",
        "feed::hostile::flood_of_tiny_entities_is_rejected_before_building",
        "feed::check::tests::documents_are_validated_as_a_whole",
        "msgpack::tests::nesting_is_skipped_without_recursion",
      ],
    },
  },
  R27: {
    tests: {
      "kvota::faults": ["drift::additional_elements_of_a_newer_producer_are_ignored", "drift::omitted_trailing_elements_are_read_as_absent"],
      "kvota-wire": ["feed::cases::shorter_arrays_are_absent_at_the_end_and_further_elements_are_ignored"],
    },
    part: "a message names no version, so none is counted",
  },
  R28: {
    tests: {
      "kvota::testkit": [
        "mutated::damaged_feed_messages_never_panic",
        "mutated::damaged_client_frames_never_panic",
        "mutated::damaged_ticket_bodies_never_panic",
        "mutated::damaged_cookies_never_panic",
        "mutated::damaged_stake_texts_never_panic",
      ],
      "kvota-wire": ["feed::hostile::mutated_messages_never_panic_or_exceed_the_limits"],
    },
    more: { KVOTA_MUTATIONS: 10_000_000 },
  },
  R29: {
    tests: {
      "kvota::placing": [
        "keys::hundred_parallel_requests_with_one_key_make_one_bet",
        "keys::repeated_key_returns_the_same_answer_after_any_change",
        "keys::used_key_rejects_another_body",
        "keys::only_one_of_two_parallel_bodies_gets_the_key",
        "keys::a_key_belongs_to_its_user",
        "keys::stored_answer_survives_a_restart",
        "keys::key_returns_nothing_after_logout",
      ],
      "kvota::faults": ["clock::idempotency_key_still_returns_its_bet_a_day_later"],
      "kvota::store": stores("one_key_used_a_hundred_times_makes_one_bet"),
    },
    services: true,
  },
  R30: {
    tests: {},
    browser: {
      file: "ticket-place.spec.ts",
      program: true,
      titles: [
        "by a double click",
        "by Enter and a click",
        "over a reload in flight",
        "in two tabs at once",
        "offline on its way, then online: one bet",
      ],
    },
  },
  R31: {
    tests: {
      "kvota::placing": [
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
      "kvota::placing": ["tampered::tampered_field_is_rejected_by_name_or_recalculated"],
      "kvota-domain::ticket": [
        "placing::amounts_that_do_not_match_the_submitted_odds_are_rejected",
        "placing::fields_that_do_not_match_the_odd_are_rejected",
      ],
    },
    more: { KVOTA_TAMPERED: 100_000 },
  },
  R33: {
    tests: {
      "kvota::placing": ["tampered::amount_is_read_exactly_or_rejected"],
      "kvota-domain::ticket": [
        "reference::random_tickets_match_the_reference",
        "reference::a_system_of_twenty_is_counted_without_being_listed",
        "totals::thirty_pairs_at_a_thousand_do_not_overflow",
        "properties::no_totals_panic",
        "properties::any_slip_is_handled_and_only_correct_amounts_are_accepted",
      ],
      "kvota-domain": ["ticket::exact::tests::share_matches_wide_integer_reference"],
    },
    more: { KVOTA_TICKETS: 1_000_000 },
  },
  R34: {
    tests: { "kvota::store": stores("thousand_bets_with_money_for_ten_place_ten", "parallel_bets_of_many_accounts_are_all_placed") },
    services: true,
  },
  R35: {
    tests: {
      "kvota::store": [
        ...stores(
          "a_won_bet_is_paid_once_and_a_repeated_result_changes_nothing",
          "an_older_result_is_ignored_market_by_market",
          "a_correction_mirrors_the_payment_and_makes_the_next_settlement",
        ),
        "ledger::sqlite_rejects_statements_that_unbalance_the_ledger",
        "ledger::postgres_rejects_statements_that_unbalance_the_ledger",
        "ledger::sqlite_audit_finds_manual_changes",
        "ledger::postgres_audit_finds_manual_changes",
        "life::bets_pay_what_the_newest_results_say_in_memory",
      ],
    },
    services: true,
  },
  R36: {
    tests: {
      "kvota::testkit": [
        "model::ticket_behaves_like_a_simple_model_of_the_contract",
        "model::wallet_is_debited_once_per_key_and_never_below_zero",
      ],
    },
    seeds: [1_000, 10_000],
    then: {
      tests: {
        "kvota::simulation": [
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
      "kvota::placing": ["access::every_call_enforces_its_access_rule", "receipts::bet_of_another_account_is_not_found"],
      kvota: ["http::openapi::tests::document_describes_exactly_the_route_table"],
    },
  },
  R38: {
    tests: {
      "kvota::account": [
        "accounts::cookie_from_before_the_login_is_invalid_after_it",
        "accounts::session_cookie_is_http_only_same_site_and_secure",
        "accounts::cookie_without_the_secure_prefix_is_ignored_over_tls",
        "accounts::sessions_are_notified_of_a_login_before_its_response",
      ],
      "kvota::session": ["logins::logout_ends_only_the_connections_of_its_cookie"],
      "kvota::hub": ["sessions::login_closes_with_1012_and_the_new_connection_has_ticket_and_name"],
      kvota: [
        "http::session_cookie::tests::invalid_cookie_starts_a_new_session",
        "http::session_cookie::tests::cookie_is_http_only_and_same_site",
      ],
    },
    part: "passwords cannot be changed; the cookie has the __Host- prefix over TLS alone",
  },
  R39: {
    tests: {
      "kvota::placing": ["access::pages_of_other_origins_cannot_call_anything_that_changes_state"],
      "kvota::account": ["accounts::page_of_another_origin_changes_nothing"],
      "kvota::hub": ["handshake::pages_of_other_origins_are_rejected"],
      kvota: ["http::origin::tests::without_origin_referer_and_fetch_site_decide"],
    },
    part: "a request that says nothing of any page is a program's and goes on (decision 4)",
  },
  R40: {
    tests: {
      "kvota::account": [
        "guesses::password_guesses_are_limited_per_minute",
        "guesses::unknown_name_takes_as_long_as_a_wrong_password",
        "guesses::wrong_passwords_from_one_address_do_not_lock_the_name_for_others",
        "guesses::a_known_browser_logs_in_while_the_name_is_locked",
        "accounts::unknown_name_and_wrong_password_return_the_same_message",
        "accounts::parallel_login_attempts_obey_the_same_limit",
      ],
      "kvota::http": [
        "security::every_page_has_security_headers_including_404",
        "security::data_and_error_responses_have_strict_security_headers",
        "scoreboard::scoreboard_page_can_be_framed_by_own_pages_only",
      ],
      kvota: ["http::account::passwords::tests::unknown_name_costs_the_same_hashing_work"],
    },
    browser: { file: "hostile.spec.ts", titles: ["texts of the feed are shown and never run"] },
    part: "bets are not timed while passwords are guessed",
  },
  R41: {
    tests: { "kvota::store": ["life::bets_pay_what_the_newest_results_say_in_memory"] },
    more: { KVOTA_HISTORIES: 100_000 },
    then: {
      tests: {
        "kvota::simulation": [
          "first_share_of_scenarios_passes",
          "second_share_of_scenarios_passes",
          "third_share_of_scenarios_passes",
          "last_share_of_scenarios_passes",
        ],
      },
      seeds: [500, 10_000],
    },
  },
  R42: {
    tests: {
      "kvota::store": [
        "crash::sqlite_settles_each_bet_once_after_a_crash_at_any_point",
        "crash::postgres_settles_each_bet_once_after_a_crash_at_any_point",
      ],
    },
    services: true,
    more: { KVOTA_CRASHES: 50 },
    part: "the time until the rest is settled is not measured",
  },
  R43: {
    tests: {
      "kvota::hub": [
        "payouts::watched_bet_is_settled_before_all_others",
        "payouts::bet_watched_on_another_node_is_settled_by_that_node",
        "payouts::open_tabs_get_their_payouts_while_many_bets_are_settled",
      ],
    },
    more: { KVOTA_OPEN_BETS: 100_000, KVOTA_WATCHING_BETTORS: 2_000 },
  },
  R44: {
    tests: {
      "kvota::store": [
        "life::bets_pay_what_the_newest_results_say_sqlite",
        "life::bets_pay_what_the_newest_results_say_postgres",
        ...stores("a_correction_beyond_the_balance_is_owed_stops_bets_and_is_paid_first"),
      ],
    },
    services: true,
    more: { KVOTA_HISTORIES_STORED: 1_000 },
  },
  R45: {
    tests: {
      "kvota::store": [
        ...stores("a_cash_out_and_a_settlement_at_once_pay_once"),
        "crash::sqlite_has_a_whole_cash_out_or_none_after_a_crash_at_any_point",
        "crash::postgres_has_a_whole_cash_out_or_none_after_a_crash_at_any_point",
      ],
      "kvota::placing": ["cash_outs::one_key_used_at_once_is_one_cash_out"],
    },
    services: true,
    more: { KVOTA_RACE_ROUNDS: 10_000 },
  },
  R50: {
    tests: {
      "kvota-uof": [
        "producer::tests::it_is_never_up_without_a_recovery",
        "xml::tests::harmful_documents_are_rejected",
      ],
      "kvota-uof::adapter": [
        "a_producer_that_is_silent_closes_its_matches_and_recovers_from_its_last_alive",
        "a_lost_broker_takes_every_producer_down",
        "one_producer_of_two_is_enough_for_an_active_feed_but_not_for_its_matches",
      ],
      "kvota-uof::mutated": ["damaged_messages_are_read_or_refused", "damaged_descriptions_are_read_or_refused"],
      "kvota::infra": [
        "uof::a_reader_recovers_at_the_start_and_after_the_broker_was_lost",
        "uof::a_restart_asks_neither_for_names_nor_for_results_again",
      ],
      "kvota::program": [
        "uof::bettors_bet_on_a_providers_feed_and_its_silence_stops_them",
        "uof::of_two_publishers_of_a_providers_feed_the_second_goes_on_when_the_first_is_killed",
      ],
    },
    services: true,
    seeds: ["20000", "1000000"],
  },
  R53: {
    tests: {
      "kvota::hub": [
        "nodes::client_of_two_nodes_converges_with_few_more_bytes_than_that_of_one",
        "nodes::offer_of_one_node_converges_with_the_hub_of_another",
      ],
    },
    more: { KVOTA_CHANGES_OF_NODES: 10_000 },
  },
};
