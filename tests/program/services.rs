//! Test support: a schema of PostgreSQL and names at the broker that no other test uses.

use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};
use std::sync::atomic::{AtomicU32, Ordering};

static NUMBER: AtomicU32 = AtomicU32::new(0);

/// A schema of the test's own.
pub(crate) struct Schema {
    name: String,
    url: String,
}

impl Schema {
    pub(crate) async fn new() -> Schema {
        let server = server();
        let name = format!("kvota_program_{}_{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
        run(&format!("DROP SCHEMA IF EXISTS {name} CASCADE; CREATE SCHEMA {name}")).await;
        let separator = if server.contains('?') { '&' } else { '?' };
        Schema { url: format!("{server}{separator}options[search_path]={name}"), name }
    }

    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    pub(crate) async fn drop(self) {
        run(&format!("DROP SCHEMA {} CASCADE", self.name)).await;
    }
}

/// The name of an exchange.
pub(crate) fn exchange(test: &str) -> String {
    format!("kvota-program-{}-{test}", std::process::id())
}

fn server() -> String {
    std::env::var("KVOTA_TEST_POSTGRES_URL").expect("KVOTA_TEST_POSTGRES_URL: `make services` prints it")
}

async fn run(statements: &str) {
    let mut connection = PgConnection::connect(&server()).await.expect("a PostgreSQL server");
    connection.execute(AssertSqlSafe(statements.to_owned())).await.expect("the statements run");
}
