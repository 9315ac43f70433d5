//! Carries out the steps of a session's plan (`itinerary.rs`): navigates as the web client does and changes the ticket,
//! one step at a time. Called by `session.rs` at the intended moment of each step.

use super::bettor;
use super::itinerary::{Action, Step};
use super::link::Link;
use super::personas::Persona;
use super::session::{Failure, Session};
use super::tally::Timing;
use super::view::View;
use serde_json::{Value, json};
use tokio::time::Instant;

/// Most matches on a ticket: a usual size.
const PAIRS_MAX: usize = 3;
/// Most favourites of one session.
const FAVOURITES_MAX: usize = 8;

impl Session {
    /// Carries out a step.
    pub(super) async fn step(&mut self, link: &Link<'_>, step: Step, intended: Instant) -> Result<(), Failure> {
        match step.action {
            Action::Open => self.open_a_match(link, step.choice, intended).await,
            Action::Close => self.watch(link, View { open: None, ..self.view }, intended).await,
            Action::Filter => self.change_the_filter(link, step.choice, intended).await,
            Action::Favourite => self.change_a_favourite(link, step.choice, intended).await,
            Action::Ping => self.command(link, intended, "ping", &[]).await.map(drop),
            Action::Ticket => self.deal_with_the_ticket(link, intended).await,
        }
    }

    async fn deal_with_the_ticket(&mut self, link: &Link<'_>, intended: Instant) -> Result<(), Failure> {
        if self.persona != Persona::Bettor {
            return self.change_the_ticket(link, intended).await;
        }
        match link.ticket().as_ref().and_then(bettor::body_of) {
            Some(body) => {
                self.place(body, intended).await;
                self.command(link, Instant::now(), "clear", &[]).await.map(drop)
            }
            None => self.fill_a_ticket(link, intended).await,
        }
    }

    /// Changes the view. The sampled copy drops what the new view does not show before the hub is asked, because
    /// afterwards frames may belong to either view.
    async fn watch(&mut self, link: &Link<'_>, view: View, intended: Instant) -> Result<(), Failure> {
        if let Some(sample) = &link.sample {
            let found = &mut self.worker.convergence.borrow_mut();
            let lost = sample.borrow_mut().show(view, Instant::now(), found);
            lost.iter().for_each(|of| link.resync(of));
        }
        self.view = view;
        self.command(link, intended, "watch", &[view.watch()]).await.map(drop)
    }

    async fn open_a_match(&mut self, link: &Link<'_>, choice: u64, intended: Instant) -> Result<(), Failure> {
        let chosen = self.worker.catalogue.borrow().match_by(choice, self.view.sport);
        let Some(id) = chosen else { return self.command(link, intended, "ping", &[]).await.map(drop) };
        let started = Instant::now();
        self.watch(link, View { open: Some(id), ..self.view }, intended).await?;
        let path = format!("/api/v1/live/match/{id}?lang={}&run={}", self.lang, link.run());
        let (_, is_there) = self.get("match", &path, false).await?;
        self.line.hang_up();
        if is_there {
            let now = Instant::now();
            let (felt, served) = (now.duration_since(intended), now.duration_since(started));
            self.worker.tally(self.persona).time(Timing::Match, felt, served);
        }
        if link.sample.is_some() {
            // The answer contains the whole row and detail, the base for later frames.
            self.command(link, Instant::now(), "resync", &[json!(id)]).await?;
        }
        Ok(())
    }

    /// Shows one sport, or all again. A client that watched less before must request the missing rows.
    async fn change_the_filter(&mut self, link: &Link<'_>, choice: u64, intended: Instant) -> Result<(), Failure> {
        let is_back = self.view.sport.is_some() && choice.is_multiple_of(2);
        let sport = if is_back { None } else { self.worker.catalogue.borrow().sport_by(choice / 2) };
        let started = Instant::now();
        self.watch(link, View { sport, ..self.view }, intended).await?;
        let must_reload = link.show_all(intended).await.map_err(|fault| ("resync", fault))?;
        if must_reload {
            self.get_offer(link, intended, started).await?;
            let now = Instant::now();
            let (felt, served) = (now.duration_since(intended), now.duration_since(started));
            self.worker.tally(self.persona).time(Timing::WatchState, felt, served);
        }
        Ok(())
    }

    /// Adds a favourite; if the match is one already, or if there are too many, removes it or the oldest.
    async fn change_a_favourite(&mut self, link: &Link<'_>, choice: u64, intended: Instant) -> Result<(), Failure> {
        let chosen = self.worker.catalogue.borrow().match_by(choice, self.view.sport);
        let Some(id) = chosen else { return self.command(link, intended, "ping", &[]).await.map(drop) };
        let full = self.favourites.first().copied().filter(|_| self.favourites.len() >= FAVOURITES_MAX);
        let removed = if self.favourites.contains(&id) { Some(id) } else { full };
        let arguments = match removed {
            Some(removed) => [json!(removed), json!(false)],
            None => [json!(id), json!(true)],
        };
        // If the match has left meanwhile, it is no longer a favourite either.
        self.command(link, intended, "favourite", &arguments).await?;
        match removed {
            Some(removed) => self.favourites.retain(|held| *held != removed),
            None => self.favourites.push(id),
        }
        Ok(())
    }

    async fn change_the_ticket(&mut self, link: &Link<'_>, intended: Instant) -> Result<(), Failure> {
        let ticket = link.ticket().unwrap_or_default();
        let pairs = ticket["pairs"].as_array().map_or(&[][..], Vec::as_slice);
        let of_ticket = self.random.one_of(pairs).map(|pair| pair["matchId"].clone());
        match (self.random.weighted(&[60, 10, 15, 10, 5]), of_ticket) {
            (1, _) => {
                let stake = format!("{}.{:02}", 1 + self.random.below(50), self.random.below(100));
                self.command(link, intended, "stake", &[json!(stake)]).await
            }
            (2, Some(id)) => self.command(link, intended, "drop", &[id]).await,
            (3, Some(id)) => {
                let on = self.random.below(2) == 0;
                self.command(link, intended, "fix", &[id, json!(on)]).await
            }
            (4, Some(_)) => self.command(link, intended, "clear", &[]).await,
            // A long ticket is cleared.
            _ if pairs.len() >= 8 => self.command(link, intended, "clear", &[]).await,
            _ => self.pick_anything(link, intended).await,
        }
        .map(drop)
    }

    async fn fill_a_ticket(&mut self, link: &Link<'_>, intended: Instant) -> Result<(), Failure> {
        self.command(link, intended, "clear", &[]).await?;
        let stake: Value = json!(self.worker.settings.stake);
        self.command(link, Instant::now(), "stake", &[stake]).await?;
        for _ in 0..=self.random.below(PAIRS_MAX) {
            self.pick_anything(link, Instant::now()).await?;
        }
        Ok(())
    }

    async fn pick_anything(&mut self, link: &Link<'_>, intended: Instant) -> Result<bool, Failure> {
        let chosen = self.worker.catalogue.borrow().any_odd(&mut self.random);
        match chosen {
            Some((id, market, odd)) => {
                self.command(link, intended, "pick", &[json!(id), json!(market), json!(odd)]).await
            }
            None => self.command(link, intended, "ping", &[]).await,
        }
    }
}
