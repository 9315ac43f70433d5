//! What a persona does when it has thought: one thing at a time, drawn from its seed. Called by `session.rs` at the
//! intended moment of each.

use super::bettor;
use super::link::Link;
use super::personas::Persona;
use super::session::{Session, Trouble};
use super::tally::Timing;
use serde_json::{Value, json};
use tokio::time::Instant;

/// Matches on a ticket, at most: what people mostly have.
const PAIRS_MAX: usize = 3;

impl Session {
    /// Does the next thing.
    pub(super) async fn step(&mut self, link: &Link<'_>, intended: Instant) -> Result<(), Trouble> {
        match self.persona {
            Persona::Watcher => self.watch_something(link, intended).await,
            Persona::Builder => self.change_the_ticket(link, intended).await,
            Persona::Bettor => match link.ticket().as_ref().and_then(bettor::body_of) {
                Some(body) => {
                    self.place(&body, intended).await;
                    self.command(link, Instant::now(), "clear", &[]).await.map(drop)
                }
                None => self.fill_a_ticket(link, intended).await,
            },
        }
    }

    async fn watch_something(&mut self, link: &Link<'_>, intended: Instant) -> Result<(), Trouble> {
        match self.random.weighted(&[60, 25, 15]) {
            0 => self.open_a_match(link, intended).await,
            1 => {
                if let Some(sample) = &link.sample {
                    sample.borrow_mut().watch(None);
                }
                self.command(link, intended, "watch", &[json!({"sports": null})]).await.map(drop)
            }
            _ => self.command(link, intended, "ping", &[]).await.map(drop),
        }
    }

    async fn open_a_match(&mut self, link: &Link<'_>, intended: Instant) -> Result<(), Trouble> {
        let chosen = self.worker.catalogue.borrow().any_match(&mut self.random);
        let Some(id) = chosen else { return self.command(link, intended, "ping", &[]).await.map(drop) };
        if let Some(sample) = &link.sample {
            sample.borrow_mut().watch(None);
        }
        let started = Instant::now();
        self.command(link, intended, "watch", &[json!({"sports": null, "matches": [id]})]).await?;
        let path = format!("/api/v1/live/match/{id}?lang={}", self.lang);
        let (_, is_there) = self.get("match", &path, false).await?;
        self.line.hang_up();
        if is_there {
            let now = Instant::now();
            let (felt, served) = (now.duration_since(intended), now.duration_since(started));
            self.worker.tally.borrow_mut().time(Timing::Match, felt, served);
        }
        if link.sample.is_some() {
            // Tells row and detail whole, so that the copy begins with what frames follow.
            self.command(link, Instant::now(), "resync", &[json!(id)]).await?;
        }
        Ok(())
    }

    async fn change_the_ticket(&mut self, link: &Link<'_>, intended: Instant) -> Result<(), Trouble> {
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
            // A long ticket is begun anew.
            _ if pairs.len() >= 8 => self.command(link, intended, "clear", &[]).await,
            _ => self.pick_anything(link, intended).await,
        }
        .map(drop)
    }

    async fn fill_a_ticket(&mut self, link: &Link<'_>, intended: Instant) -> Result<(), Trouble> {
        self.command(link, intended, "clear", &[]).await?;
        let stake: Value = json!(self.worker.settings.stake);
        self.command(link, Instant::now(), "stake", &[stake]).await?;
        for _ in 0..=self.random.below(PAIRS_MAX) {
            self.pick_anything(link, Instant::now()).await?;
        }
        Ok(())
    }

    async fn pick_anything(&mut self, link: &Link<'_>, intended: Instant) -> Result<bool, Trouble> {
        let chosen = self.worker.catalogue.borrow().any_odd(&mut self.random);
        match chosen {
            Some((id, market, odd)) => {
                self.command(link, intended, "pick", &[json!(id), json!(market), json!(odd)]).await
            }
            None => self.command(link, intended, "ping", &[]).await,
        }
    }
}
