//! Accounts and bets (CONTRACT 2 *account*, CONTRACT 4 *Placing*): over real HTTP where a client could see a
//! difference, on the placement itself where time passes, and on a changing seeded offer for races.

mod access;
mod accounts;
mod cash_outs;
mod cashier;
mod closing;
mod delay;
mod guesses;
mod keys;
mod kit;
mod limits;
mod passwords;
mod pause;
mod protection;
mod race;
mod receipts;
mod refusals;
mod register;
mod rules;
mod sessions;
mod stage;
mod tampered;
