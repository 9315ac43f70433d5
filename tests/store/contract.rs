//! The common suite: every function of the other files becomes a test of each kind of store.

use crate::world::{Kind, World};

macro_rules! contract {
    ($($module:ident :: $name:ident),+ $(,)?) => {
        mod memory {
            $(#[tokio::test] async fn $name() { super::hold(super::Kind::Memory, crate::$module::$name).await; })+
        }
        mod sqlite {
            $(#[tokio::test] async fn $name() { super::hold(super::Kind::Sqlite, crate::$module::$name).await; })+
        }
        mod postgres {
            $(#[tokio::test] async fn $name() { super::hold(super::Kind::Postgres, crate::$module::$name).await; })+
        }
    };
}

async fn hold(kind: Kind, test: impl AsyncFnOnce(&World)) {
    let world = World::new(kind).await;
    test(&world).await;
    world.end().await;
}

contract! {
    bets::a_bet_is_kept_as_it_was_placed,
    bets::a_bet_on_whatever_a_feed_names_is_kept,
    bets::a_bet_of_as_many_pairs_as_there_may_be_is_kept,
    bets::a_thousand_bets_with_money_for_ten_are_ten,
    bets::bets_of_many_accounts_at_once_are_all_placed,
    bets::one_key_a_hundred_times_is_one_bet,
    bets::a_key_for_another_body_is_a_conflict,
    bets::a_key_belongs_to_its_account,
    bets::a_kept_answer_stands_before_the_money,
    bets::what_cannot_be_kept_leaves_nothing,
    bets::neighbours_of_a_bet_that_fails_are_placed,
    bets::a_refusal_is_kept_once,
    bets::what_is_at_stake_is_told,
    bets::a_limit_holds_for_bets_side_by_side,
    bets::tickets_come_newest_first_in_pages,
    settlement::a_won_bet_is_paid_once_and_a_repeated_result_changes_nothing,
    settlement::an_older_result_is_ignored_market_by_market,
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
    logins::an_account_has_its_name_and_its_opening_balance,
    logins::a_name_is_taken_once,
    logins::names_that_look_alike_are_one,
    logins::a_login_is_renewed_while_it_is_there,
    logins::a_login_ends_when_it_says,
    logins::a_login_is_ended_here_or_everywhere,
    logins::ended_logins_are_forgotten,
    pause::betting_is_open_until_it_is_paused,
    pause::no_bet_is_written_while_betting_is_paused,
    pause::a_kept_answer_is_repeated_while_betting_is_paused,
    sessions::a_session_is_loaded_as_it_was_saved,
    sessions::who_saves_over_another_version_is_told,
    sessions::two_who_save_at_once_do_not_both_win,
    sessions::a_version_does_not_come_back,
    sessions::old_anonymous_sessions_are_forgotten,
}
