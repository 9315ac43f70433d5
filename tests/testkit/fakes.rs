//! Fakes: they record which calls came, how often, and in which order across several fakes.

use kvota::testkit::fake::{Calls, Fake};

#[derive(actix::Message, Debug)]
#[rtype(result = "u32")]
struct GetPrice(u64);

#[derive(actix::Message, Debug)]
#[rtype(result = "bool")]
struct Debit(u32);

#[actix::test]
async fn fake_answers_counts_and_records_calls_in_order() {
    let calls = Calls::default();
    let prices = Fake::<GetPrice>::of(&calls)
        .on("the first price", |_| true, |_| 1850)
        .times(1)
        .on("a price", |_| true, |GetPrice(id)| *id as u32)
        .start();
    let bank = Fake::<Debit>::of(&calls).on("a debit", |Debit(cents)| *cents > 0, |_| true).start();
    assert_eq!(prices.recipient().send(GetPrice(7)).await, Ok(1850));
    assert_eq!(bank.recipient().send(Debit(100)).await, Ok(true));
    assert_eq!(prices.recipient().send(GetPrice(7)).await, Ok(7));
    assert_eq!((calls.count("a price"), calls.count("a debit")), (1, 1));
    calls.expect_order(&["the first price", "a price"]);
    calls.expect_exactly(&["the first price", "a debit", "a price"]);
}

#[actix::test]
#[should_panic(expected = "call 2 of [\"a debit\", \"a price\"] (a price) did not come in its place")]
async fn wrong_order_of_calls_is_reported() {
    let calls = Calls::default();
    let prices = Fake::<GetPrice>::of(&calls).on("a price", |_| true, |_| 1).start();
    let bank = Fake::<Debit>::of(&calls).on("a debit", |_| true, |_| true).start();
    prices.recipient().send(GetPrice(7)).await.expect("answered");
    bank.recipient().send(Debit(100)).await.expect("answered");
    calls.expect_order(&["a debit", "a price"]);
}

#[actix::test]
async fn message_without_a_rule_stops_the_fake_and_fails_the_sender() {
    let fake = Fake::<Debit>::new().on("a debit", |Debit(cents)| *cents > 0, |_| true).start();
    assert!(fake.recipient().send(Debit(0)).await.is_err());
}
