//! Accounts (CONTRACT 2 *account*, CONTRACT 9) over real HTTP: registration, logins, passwords, limits, exclusions,
//! the register of excluded players, and the cashier.

mod accounts;
mod cashier;
mod guesses;
#[allow(dead_code, reason = "shared with the tests of placing")]
#[path = "../placing/kit.rs"]
mod kit;
mod passwords;
mod protection;
mod register;
mod sessions;
