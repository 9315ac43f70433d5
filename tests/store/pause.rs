//! The operator's pause of betting.

use crate::world::{NOW, World, key, order, place_all};
use kvota_store::{Answer, KeepRefusal, Kept, KeyPurpose, Placed};

pub(crate) async fn betting_is_open_until_it_is_paused(world: &World) {
    let pause = &world.stores.betting_pause;
    assert_eq!(pause.paused_since().await.expect("the store answers"), None);
    assert!(!pause.resume().await.expect("the store answers"), "it was open");
    assert!(pause.pause(NOW).await.expect("the store answers"), "it was open");
    assert!(!pause.pause(NOW + 5).await.expect("the store answers"), "it was paused");
    assert_eq!(pause.paused_since().await.expect("the store answers"), Some(NOW), "a pause keeps its beginning");
    assert!(pause.resume().await.expect("the store answers"), "it was paused");
    assert_eq!(pause.paused_since().await.expect("the store answers"), None);
    assert!(pause.pause(NOW + 9).await.expect("the store answers"));
    assert_eq!(pause.paused_since().await.expect("the store answers"), Some(NOW + 9), "a new pause begins anew");
}

pub(crate) async fn no_bet_is_written_while_betting_is_paused(world: &World) {
    let account = world.account("ana", 10_000).await;
    world.stores.betting_pause.pause(NOW).await.expect("the store answers");
    let placed = place_all(&world.stores, (0..20).map(|number| order(account, number))).await;
    assert!(placed.iter().all(|placed| *placed == Placed::Paused), "{placed:?}");
    assert_eq!(world.balance(account).await, 10_000);
    let page =
        world.stores.bets.tickets(account, kvota_store::TicketFilter::All, None, 10).await.expect("the store answers");
    assert_eq!(page.expect("a page").tickets, []);
    // The key is still free, for the same order after the pause and for a rejection.
    assert_eq!(world.stores.bets.find_key(account, key(1)).await.expect("the store answers"), None);
    let answer = Answer { status: 400, body: b"paused".to_vec() };
    let refusal = KeepRefusal { account, key: key(2), digest: [7; 32], answer, purpose: KeyPurpose::Bet, now_ms: NOW };
    assert_eq!(world.stores.bets.keep_refusal(refusal).await.expect("the store answers"), Kept::Kept);
    world.stores.betting_pause.resume().await.expect("the store answers");
    let placed = world.stores.bets.place(order(account, 1)).await.expect("the store answers");
    assert!(matches!(placed, Placed::Placed { .. }), "{placed:?}");
    assert_eq!(world.balance(account).await, 9_000);
}

pub(crate) async fn stored_answer_is_repeated_while_betting_is_paused(world: &World) {
    let account = world.account("ana", 10_000).await;
    let first = world.stores.bets.place(order(account, 1)).await.expect("the store answers");
    let Placed::Placed { answer, .. } = first else { panic!("{first:?}") };
    world.stores.betting_pause.pause(NOW).await.expect("the store answers");
    let again = world.stores.bets.place(order(account, 1)).await.expect("the store answers");
    assert_eq!(again, Placed::Replayed(answer));
    assert_eq!(world.balance(account).await, 9_000);
}
