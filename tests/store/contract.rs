//! The common suite: every function of the other files becomes a test of each kind of store.

use crate::world::{Kind, World};

macro_rules! contract {
    ($($module:ident :: $name:ident),+ $(,)?) => {
        mod memory {
            $(#[tokio::test] async fn $name() { super::run(super::Kind::Memory, crate::$module::$name).await; })+
        }
        mod sqlite {
            $(#[tokio::test] async fn $name() { super::run(super::Kind::Sqlite, crate::$module::$name).await; })+
        }
        mod postgres {
            $(#[tokio::test] async fn $name() { super::run(super::Kind::Postgres, crate::$module::$name).await; })+
        }
    };
}

async fn run(kind: Kind, test: impl AsyncFnOnce(&World)) {
    let world = World::new(kind).await;
    test(&world).await;
    world.end().await;
}

contract! {
    bets::bet_is_stored_unchanged,
    bets::bet_with_any_text_of_a_feed_is_stored,
    bets::bet_with_the_maximum_number_of_pairs_is_stored,
    bets::thousand_bets_with_money_for_ten_place_ten,
    bets::parallel_bets_of_many_accounts_are_all_placed,
    bets::one_key_used_a_hundred_times_makes_one_bet,
    bets::key_with_another_body_is_a_conflict,
    bets::a_key_belongs_to_its_account,
    bets::stored_answer_is_returned_before_the_balance_is_checked,
    bets::bet_that_cannot_be_stored_leaves_no_trace,
    bets::other_bets_of_a_batch_are_placed_when_one_fails,
    bets::rejection_is_stored_once,
    bets::open_stakes_are_reported,
    bets::limit_holds_for_parallel_bets,
    bets::tickets_are_listed_newest_first_in_pages,
    settlement::a_won_bet_is_paid_once_and_a_repeated_result_changes_nothing,
    settlement::an_older_result_is_ignored_market_by_market,
    settlement::equal_content_with_a_higher_version_is_no_change,
    settlement::markets_without_bets_cause_no_work,
    settlement::a_bet_that_is_set_aside_waits_until_it_is_tried_again,
    settlement::open_bets_on_ended_matches_are_listed_with_the_cause,
    settlement::old_results_of_markets_without_bets_are_deleted,
    settlement::reset_version_lets_a_lower_one_correct_the_result,
    settlement::bets_without_rules_keep_those_of_the_configuration_once,
    settlement::a_bet_is_lost_with_its_first_lost_pair,
    settlement::a_void_bet_gets_its_stake_back,
    settlement::a_correction_mirrors_the_payment_and_makes_the_next_settlement,
    settlement::a_rollback_opens_a_bet_again_and_the_next_settlement_has_the_next_number,
    settlement::a_correction_beyond_the_balance_is_owed_stops_bets_and_is_paid_first,
    settlement::a_cancellation_applies_to_bets_inside_its_window,
    settlement::no_bet_is_placed_on_an_odd_with_a_result,
    settlement::work_is_done_in_batches_and_remembered,
    settlement::two_workers_settle_each_bet_once,
    settlement::watched_accounts_are_settled_first,
    settlement::a_statement_lists_the_ledger_of_an_account_and_sums_to_its_balance,
    settlement::tickets_are_listed_by_state,
    moved_lines::a_bet_on_a_line_that_moved_waits_for_an_operator,
    moved_lines::a_cancellation_voids_a_bet_on_a_line_that_moved,
    moved_lines::a_pair_that_was_decided_before_the_line_moved_stays_decided,
    cash_outs::a_whole_cash_out_pays_the_net_amount_and_closes_the_bet,
    cash_outs::a_part_is_paid_and_later_results_count_for_the_rest,
    cash_outs::a_settlement_that_came_first_is_the_answer,
    cash_outs::waiting_results_settle_the_bet_instead,
    cash_outs::a_key_is_one_cash_out,
    cash_outs::a_rejected_cash_out_writes_nothing_and_leaves_the_key,
    cash_outs::a_decided_pair_counts_with_its_factor,
    cash_outs::a_debt_is_paid_off_first,
    cash_outs::nothing_is_cashed_out_while_betting_is_paused,
    cash_outs::payments_of_a_bet_are_at_most_its_maximum_payout,
    cash_outs::a_rule_is_kept_until_the_bet_is_cashed_out,
    cash_outs::open_stakes_count_the_rest_alone,
    cash_outs::a_cash_out_and_a_settlement_at_once_pay_once,
    cashier::payments_are_booked_and_shown_in_the_statement,
    cashier::a_key_is_one_payment,
    cashier::parallel_withdrawals_do_not_exceed_the_balance,
    cashier::a_deposit_pays_off_a_debt_first,
    cashier::deposits_stay_within_their_limit_and_stop_during_an_exclusion,
    protection::protection_is_kept_with_its_account_and_its_history,
    protection::excluded_account_places_no_bet_until_the_exclusion_is_over,
    protection::stakes_of_a_sliding_window_count_against_their_limit,
    protection::payouts_count_against_a_limit_of_losses,
    protection::limits_in_minutes_concern_present_and_later_logins,
    protection::change_of_nothing_is_no_entry_of_the_history,
    protection::stakes_and_payouts_since_a_time_are_summed,
    protection::bets_at_the_same_moment_do_not_exceed_a_limit,
    protection::bet_at_the_moment_of_an_exclusion_is_placed_before_it_or_not_at_all,
    logins::an_account_has_its_name_and_its_opening_balance,
    logins::name_can_be_registered_once,
    logins::similar_looking_names_are_the_same,
    logins::only_an_existing_login_is_renewed,
    logins::login_ends_at_its_expiry_time,
    logins::logout_ends_one_login,
    logins::sessions_of_an_account_are_listed_and_ended_one_by_one,
    logins::new_password_ends_all_other_logins_of_its_account,
    logins::login_during_a_change_of_the_password_ends_or_can_tell,
    logins::expired_logins_are_deleted,
    pause::betting_is_open_until_it_is_paused,
    pause::no_bet_is_written_while_betting_is_paused,
    pause::stored_answer_is_repeated_while_betting_is_paused,
    sessions::session_is_loaded_unchanged,
    sessions::saving_over_another_version_is_a_conflict,
    sessions::only_one_of_two_parallel_saves_succeeds,
    sessions::versions_are_not_reused_after_a_deletion,
    sessions::old_anonymous_sessions_are_deleted,
    sessions::oldest_anonymous_sessions_beyond_the_limit_are_deleted,
}
