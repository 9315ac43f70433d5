//! The suite that every store is held to: each function of the other files is a test of each kind of store.

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
    logins::an_account_has_its_name_and_its_opening_balance,
    logins::a_name_is_taken_once,
    logins::names_that_look_alike_are_one,
    logins::a_login_is_renewed_while_it_is_there,
    logins::a_login_ends_when_it_says,
    logins::a_login_is_ended_here_or_everywhere,
    logins::ended_logins_are_forgotten,
    sessions::a_session_is_loaded_as_it_was_saved,
    sessions::who_saves_over_another_version_is_told,
    sessions::two_who_save_at_once_do_not_both_win,
    sessions::a_version_does_not_come_back,
    sessions::old_anonymous_sessions_are_forgotten,
}
