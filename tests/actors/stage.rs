//! One sport with its actor, over an offer of its own.

use actix::Actor;
use kvota::actors::messages::offer::{ApplyToSport, Publish};
use kvota::actors::messages::pending_update::PendingUpdate;
use kvota::actors::offer_context::OfferContext;
use kvota::actors::sport_actor::SportActor;
use kvota::testkit::builders::{soccer, sport_id};
use kvota_domain::feed::MatchUpdate;
use kvota_domain::lang::Lang;
use kvota_domain::offer_event::FeedState;
use kvota_read_model::ReadModel;
use std::sync::Arc;

pub(crate) const DATE: i64 = 1_700_000_000_000;

pub(crate) struct Stage {
    pub(crate) offer: OfferContext,
    soccer: actix::Addr<SportActor>,
}

impl Stage {
    pub(crate) fn new() -> Stage {
        let model = Arc::new(ReadModel::new(Lang::Hr, 1));
        Lang::ALL.into_iter().for_each(|lang| model.set_feed(lang, FeedState::Active));
        let offer = OfferContext::new(model);
        let soccer = SportActor::new(sport_id(1), offer.clone()).start();
        Stage { offer, soccer }
    }

    /// Applies matches of a feed message about soccer.
    pub(crate) async fn feed(&mut self, matches: Vec<MatchUpdate>) {
        let command = ApplyToSport {
            sport: soccer(),
            matches: matches.into_iter().map(PendingUpdate::new).collect(),
            date_ms: DATE,
            is_whole: false,
            kept: Vec::new(),
            announce: Publish::Each,
        };
        self.soccer.send(command).await.expect("the sport lives");
    }
}
