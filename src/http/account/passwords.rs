//! Hashes passwords with Argon2id. A hash takes tens of milliseconds of a core, so hashing runs outside the server's
//! threads, a few hashes at a time. Logins and registrations wait in two queues, each limited in total and per address.
//!
//! At most one registration competes with the logins for a turn, so that any number of registrations can at most double
//! the wait of a login.

use crate::http::error::ApiError;
use crate::http::limits::{PASSWORDS_WAITING_MAX, PASSWORDS_WAITING_PER_ADDRESS_MAX};
use crate::http::rate_limit::Source;
use actix_web::web;
use argon2::{Algorithm, Argon2, Params, PasswordHash, PasswordHasher, PasswordVerifier, Version};
use std::collections::HashMap;
use std::fmt;
use std::net::IpAddr;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::{Semaphore, SemaphorePermit};
use unicode_normalization::UnicodeNormalization;

/// The cost of one hash.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PasswordCost {
    /// Memory, in KiB.
    pub memory_kib: u32,
    /// Passes over the memory.
    pub passes: u32,
}

impl PasswordCost {
    /// For a server: 46 MiB, one pass. OWASP recommends several equal choices; this one lets the allocator return the
    /// memory. Below 32 MiB (glibc's `DEFAULT_MMAP_THRESHOLD_MAX`) it keeps freed memory, for each thread of the pool.
    pub const SERVER: PasswordCost = PasswordCost { memory_kib: 47_104, passes: 1 };
    /// The lowest possible cost, for tests.
    pub const LEAST: PasswordCost = PasswordCost { memory_kib: Params::MIN_M_COST, passes: Params::MIN_T_COST };
}

/// Hashes passwords. Clones share the turns and the queues.
#[derive(Clone)]
pub struct Passwords {
    argon: Argon2<'static>,
    /// A hash to verify against when the name is unknown, so that the work is the same.
    nobodys: Option<Arc<str>>,
    turns: Arc<Semaphore>,
    logins: Queue,
    registrations: Queue,
    /// Held by the one registration that waits for a turn or has one.
    registering: Arc<Semaphore>,
}

impl Passwords {
    /// Hashes at this cost, on half of the cores.
    pub fn new(cost: PasswordCost) -> Passwords {
        let params = Params::new(cost.memory_kib, cost.passes, Params::DEFAULT_P_COST, None).unwrap_or_default();
        let argon = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
        let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let nobodys = argon.hash_password(b"nobody has this password").ok();
        Passwords {
            nobodys: nobodys.map(|hash: PasswordHash| hash.to_string().into()),
            argon,
            turns: Arc::new(Semaphore::new((cores / 2).max(1))),
            logins: Queue::new(PASSWORDS_WAITING_MAX),
            registrations: Queue::new(PASSWORDS_WAITING_MAX),
            registering: Arc::new(Semaphore::new(1)),
        }
    }

    /// The hash of a new account's password, which includes its salt and cost.
    ///
    /// # Errors
    /// [`ApiError::Unavailable`] if too many calls wait, [`ApiError::TooMany`] if too many calls of this source wait,
    /// [`ApiError::Internal`] if the system has no randomness.
    pub async fn hash(&self, password: String, source: Source) -> Result<String, ApiError> {
        let _slot = self.registrations.enter(source)?;
        let first = Arc::clone(&self.registering).acquire_owned().await.map_err(|_| ApiError::Unavailable)?;
        let argon = self.argon.clone();
        let password = composed(&password);
        let hashed = self.in_turn(move || {
            // Held until the work is done, even if the client has disconnected.
            let _first = first;
            argon.hash_password(password.as_bytes()).map(|hash| hash.to_string())
        });
        hashed.await?.map_err(|error| ApiError::Internal(error.to_string().into()))
    }

    /// Whether the password matches the hash. Without a hash it never does, after the same work. A password that is not
    /// composed (CONTRACT 9) is also tried as it is, because older accounts have hashes of such.
    ///
    /// # Errors
    /// [`ApiError::Unavailable`] if too many calls wait, [`ApiError::TooMany`] if too many calls of this source wait.
    pub async fn verify(&self, password: String, hash: Option<String>, source: Source) -> Result<bool, ApiError> {
        let _slot = self.logins.enter(source)?;
        let is_somebody = hash.is_some();
        let hash = hash.or_else(|| self.nobodys.as_deref().map(str::to_owned)).unwrap_or_default();
        let argon = self.argon.clone();
        let verify = self.in_turn(move || {
            let matches = |password: &str| argon.verify_password(password.as_bytes(), hash.as_str()).is_ok();
            let composed = composed(&password);
            matches(&composed) || (composed != password && matches(&password))
        });
        Ok(verify.await? && is_somebody)
    }

    async fn in_turn<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, ApiError> {
        let turn = Arc::clone(&self.turns).acquire_owned().await.map_err(|_| ApiError::Unavailable)?;
        let worked = web::block(move || {
            // Held until the work is done, even if nothing waits for it any more.
            let _turn = turn;
            work()
        });
        worked.await.map_err(|_| ApiError::Unavailable)
    }
}

/// The password in Unicode's composed form (NFC), so that it is the same on every keyboard.
fn composed(password: &str) -> String {
    password.nfc().collect()
}

/// Calls that wait for a turn or have one.
#[derive(Clone)]
struct Queue {
    slots: Arc<Semaphore>,
    /// The number of calls by address.
    of_address: Arc<Mutex<HashMap<IpAddr, usize>>>,
}

impl Queue {
    fn new(slots: usize) -> Queue {
        Queue { slots: Arc::new(Semaphore::new(slots)), of_address: Arc::default() }
    }

    fn enter(&self, source: Source) -> Result<Slot<'_>, ApiError> {
        // An unlisted proxy serves many clients, so it may use up to half of the queue; the rest stays free for others.
        let max = if source.is_unlisted_proxy { PASSWORDS_WAITING_MAX / 2 } else { PASSWORDS_WAITING_PER_ADDRESS_MAX };
        let permit = self.slots.try_acquire().map_err(|_| ApiError::Unavailable)?;
        let mut of_address = self.of_address.lock().unwrap_or_else(PoisonError::into_inner);
        let held = of_address.entry(source.network).or_default();
        if *held >= max {
            return Err(ApiError::TooMany { seconds: 1 });
        }
        *held += 1;
        Ok(Slot { queue: self, address: source.network, _permit: permit })
    }
}

/// A slot in a queue; dropping it frees the slot.
struct Slot<'a> {
    queue: &'a Queue,
    address: IpAddr,
    _permit: SemaphorePermit<'a>,
}

impl Drop for Slot<'_> {
    fn drop(&mut self) {
        let mut of_address = self.queue.of_address.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(held) = of_address.get_mut(&self.address) {
            *held -= 1;
            if *held == 0 {
                of_address.remove(&self.address);
            }
        }
    }
}

impl fmt::Debug for Passwords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Passwords").field("cost", self.argon.params()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from(last: u8) -> Source {
        Source { network: IpAddr::from([192, 0, 2, last]), is_unlisted_proxy: false }
    }

    #[actix_web::test]
    async fn a_password_is_the_same_in_composed_and_decomposed_letters() {
        let passwords = Passwords::new(PasswordCost::LEAST);
        let (composed, decomposed) = ("lozinka \u{10d}\u{161}", "lozinka c\u{30c}s\u{30c}");
        for stored in [composed, decomposed] {
            let hash = passwords.hash(stored.to_owned(), from(1)).await.unwrap();
            for typed in [composed, decomposed] {
                assert!(passwords.verify(typed.to_owned(), Some(hash.clone()), from(1)).await.unwrap(), "{typed:?}");
            }
        }
        let older = passwords.argon.hash_password(decomposed.as_bytes()).unwrap().to_string();
        assert!(passwords.verify(decomposed.to_owned(), Some(older), from(1)).await.unwrap(), "stored as it was typed");
    }

    #[actix_web::test]
    async fn password_verifies_only_against_its_own_hash() {
        let passwords = Passwords::new(PasswordCost::LEAST);
        let hash = passwords.hash("correct horse".to_owned(), from(1)).await.unwrap();
        assert!(hash.starts_with("$argon2id$v=19$"), "{hash}");
        assert_ne!(passwords.hash("correct horse".to_owned(), from(1)).await.unwrap(), hash, "each has its salt");
        for (password, hash, verify) in [
            ("correct horse", Some(hash.clone()), true),
            ("correct horsf", Some(hash), false),
            ("correct horse", None, false),
            ("nobody has this password", None, false),
            ("", Some("no hash".to_owned()), false),
        ] {
            assert_eq!(passwords.verify(password.to_owned(), hash, from(1)).await.unwrap(), verify, "{password}");
        }
    }

    #[test]
    fn unknown_name_costs_the_same_hashing_work() {
        let passwords = Passwords::new(PasswordCost::SERVER);
        let nobodys = passwords.nobodys.unwrap();
        assert!(nobodys.starts_with("$argon2id$v=19$m=47104,t=1,p=1$"), "{nobodys}");
    }

    #[actix_web::test]
    async fn full_registration_queue_does_not_block_logins() {
        let passwords = Passwords::new(PasswordCost::SERVER);
        let addresses = PASSWORDS_WAITING_MAX / PASSWORDS_WAITING_PER_ADDRESS_MAX;
        let flood = (0..PASSWORDS_WAITING_MAX).map(|number| {
            passwords.hash("password".to_owned(), from(u8::try_from(number % addresses).expect("a byte")))
        });
        let flood = futures_util::future::join_all(flood);
        let login = async {
            tokio::task::yield_now().await;
            passwords.verify("password".to_owned(), None, from(1)).await
        };
        tokio::select! {
            biased;
            _ = flood => panic!("a login waits for all registrations"),
            checked = login => assert!(!checked.expect("a login has its own queue")),
        }
    }

    #[actix_web::test]
    async fn one_address_cannot_fill_a_queue() {
        let passwords = Passwords::new(PasswordCost::LEAST);
        let flood = (0..PASSWORDS_WAITING_MAX).map(|_| passwords.hash("password".to_owned(), from(1)));
        let flood = futures_util::future::join_all(flood).await;
        let hashed = flood.iter().filter(|outcome| outcome.is_ok()).count();
        let rejected = flood.iter().filter(|outcome| matches!(outcome, Err(ApiError::TooMany { seconds: 1 }))).count();
        assert_eq!((hashed, hashed + rejected), (PASSWORDS_WAITING_PER_ADDRESS_MAX, PASSWORDS_WAITING_MAX));
        assert!(passwords.registrations.of_address.lock().unwrap().is_empty(), "all slots are free again");
        assert!(passwords.hash("password".to_owned(), from(1)).await.is_ok());
    }

    #[actix_web::test]
    async fn a_full_queue_is_unavailable() {
        let passwords = Passwords { registrations: Queue::new(0), ..Passwords::new(PasswordCost::LEAST) };
        let hashed = passwords.hash("password".to_owned(), from(1)).await;
        assert!(matches!(hashed, Err(ApiError::Unavailable)));
        assert!(passwords.verify("password".to_owned(), None, from(1)).await.is_ok(), "logins have their own");
    }
}
