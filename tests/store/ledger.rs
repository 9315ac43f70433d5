//! Manual writes to the ledger, past the program: constraints reject them, and without constraints the audit finds
//! them.

use crate::world::{Kind, Place, World, order, place_all, tamper_with_file};
use kvota_store::AccountId;
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};

fn posting(from: &str, to: &str, amount: i64, bettor: i64, balance: i64) -> String {
    format!(
        "INSERT INTO postings (at_ms, kind, from_account, to_account, amount_cents, bettor_id, balance_after_cents) \
         VALUES (1, 'payout', {from}, {to}, {amount}, {bettor}, {balance})"
    )
}

/// One statement for each way to unbalance the ledger or to separate a bet from its postings.
fn forbidden_statements(account: AccountId) -> Vec<String> {
    vec![
        // A posting of zero, of an unknown account, from an account to itself, and without the balance after it.
        posting("'bank'", "'bettor'", 0, account.get(), 5),
        posting("'bank'", "'bettor'", -5, account.get(), 5),
        posting("'bank'", "'bettor'", 5, 4711, 5),
        posting("'bettor'", "'bettor'", 5, account.get(), 5),
        posting("'bank'", "'nobody'", 5, account.get(), 5),
        posting("'bank'", "'house'", 5, account.get(), 5),
        // Changes of past postings.
        "UPDATE postings SET amount_cents = amount_cents * 2".to_owned(),
        "DELETE FROM postings".to_owned(),
        // A negative balance, a stake that was not paid, a bet without its answer.
        format!("UPDATE accounts SET balance_cents = -1 WHERE id = {account}"),
        "UPDATE bets SET bruto_cents = bruto_cents + 1".to_owned(),
        "DELETE FROM answers".to_owned(),
        "UPDATE bets SET state = 'gone'".to_owned(),
    ]
}

/// Statements that run without constraints, each with a word of the finding.
fn found(account: AccountId) -> Vec<(String, &'static str)> {
    vec![
        (format!("UPDATE accounts SET balance_cents = balance_cents + 1 WHERE id = {account}"), "not the sum"),
        (
            "UPDATE postings SET amount_cents = amount_cents + 1 WHERE kind = 'stake'".to_owned(),
            "the open stakes are not the stakes of the open bets, but differ by (cents): 3",
        ),
        ("DELETE FROM postings WHERE kind = 'opening'".to_owned(), "not the sum of their postings"),
        ("UPDATE postings SET bettor_id = 4711 WHERE kind = 'opening'".to_owned(), "postings of no account: 1"),
        (
            "UPDATE postings SET balance_after_cents = 1 WHERE kind = 'opening'".to_owned(),
            "postings whose balance is not that of the posting before",
        ),
        (format!("UPDATE accounts SET receivable_cents = 5 WHERE id = {account}"), "whose receivable is"),
        ("UPDATE bets SET state = 'won', settlements = 1, standing = 1".to_owned(), "not numbered from 1"),
        ("UPDATE bets SET state = 'won', settlements = 1, standing = 1".to_owned(), "whose state is not that"),
        ("UPDATE bets SET bruto_cents = bruto_cents + 1".to_owned(), "bets without a posting of their stake"),
        (
            "DELETE FROM bet_pairs; DELETE FROM bets WHERE ticket_id = (SELECT MAX(ticket_id) FROM bets)".to_owned(),
            "postings of stakes without a bet",
        ),
        ("DELETE FROM answers".to_owned(), "bets without exactly one key"),
        ("DELETE FROM bet_pairs; DELETE FROM bets".to_owned(), "keys answered with 200 without a bet"),
        (
            "UPDATE postings SET kind = 'deposit' WHERE kind = 'opening'".to_owned(),
            "accounts whose deposits and withdrawals are not those that were answered: 1",
        ),
        ("DELETE FROM bet_pairs WHERE position = 0".to_owned(), "pairs are missing"),
    ]
}

async fn world_with_bets(kind: Kind) -> (World, AccountId) {
    let world = World::new(kind).await;
    let account = world.account("ana", 10_000).await;
    place_all(&world.stores, (0..3).map(|number| order(account, number))).await;
    (world, account)
}

#[tokio::test]
async fn sqlite_rejects_statements_that_unbalance_the_ledger() {
    let (world, account) = world_with_bets(Kind::Sqlite).await;
    let Place::Folder(folder) = &world.place else { panic!("a store in a file has a folder") };
    for statement in forbidden_statements(account) {
        let outcome = tamper_with_file(&folder.file(), &format!("PRAGMA foreign_keys = ON; {statement}")).await;
        assert!(outcome.is_err(), "{statement}");
    }
    world.end().await;
}

#[tokio::test]
async fn postgres_rejects_statements_that_unbalance_the_ledger() {
    let (world, account) = world_with_bets(Kind::Postgres).await;
    let Place::Schema(schema) = &world.place else { panic!("a store in PostgreSQL has a schema") };
    let mut other = PgConnection::connect(&schema.url).await.unwrap();
    for statement in forbidden_statements(account) {
        let outcome = other.execute(AssertSqlSafe(statement.clone())).await;
        assert!(outcome.is_err(), "{statement}");
    }
    world.end().await;
}

#[tokio::test]
async fn sqlite_audit_finds_manual_changes() {
    for number in 0..found(AccountId::HOUSE).len() {
        let (world, account) = world_with_bets(Kind::Sqlite).await;
        let (statement, finding) = found(account).swap_remove(number);
        let Place::Folder(folder) = &world.place else { panic!("a store in a file has a folder") };
        let without_triggers = "DROP TRIGGER postings_are_not_changed; DROP TRIGGER postings_are_not_deleted; \
                                DROP TRIGGER bets_stay_as_placed";
        tamper_with_file(&folder.file(), &format!("{without_triggers}; {statement}")).await.unwrap();

        let report = world.stores.audit().await.unwrap();
        assert!(report.findings.iter().any(|found| found.contains(finding)), "{statement}\n{report}");
        world.stores.close().await.unwrap();
    }
}

#[tokio::test]
async fn postgres_audit_finds_manual_changes() {
    for number in 0..found(AccountId::HOUSE).len() {
        let (world, account) = world_with_bets(Kind::Postgres).await;
        let (statement, finding) = found(account).swap_remove(number);
        let Place::Schema(schema) = world.place else { panic!("a store in PostgreSQL has a schema") };
        let mut other = PgConnection::connect(&schema.url).await.unwrap();
        // Switches off triggers, including those of foreign keys.
        other.execute("SET session_replication_role = replica").await.unwrap();
        other.execute(sqlx::raw_sql(AssertSqlSafe(statement.clone()))).await.unwrap();

        let report = world.stores.audit().await.unwrap();
        assert!(report.findings.iter().any(|found| found.contains(finding)), "{statement}\n{report}");
        world.stores.close().await.unwrap();
        schema.drop().await;
    }
}
