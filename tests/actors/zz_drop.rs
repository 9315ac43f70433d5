//! Measurement by hand, not committed.
use crate::stage::{Stage, all_sports};
use kvota::wire::Spelling;

#[actix::test]
async fn zz_measure_drop() {
    let mut stage = Stage::new();
    let clients: Vec<_> = (0..10_000).map(|_| stage.client(Spelling::Msgpack, all_sports())).collect();
    let start = std::time::Instant::now();
    for client in &clients {
        stage.leave(client);
    }
    eprintln!("10,000 connections left in {:?}", start.elapsed());
}
