//! Passwords, hashed with Argon2id. Each costs tens of milliseconds of a core, so they are hashed off the threads that
//! serve everybody, a few at a time, and who would wait too long is told to come again: bets do not wait for logins.

use crate::domain::limits::PASSWORDS_WAITING_MAX;
use crate::http::error::ApiError;
use actix_web::web;
use argon2::{Algorithm, Argon2, Params, PasswordHash, PasswordHasher, PasswordVerifier, Version};
use std::fmt;
use std::num::NonZeroUsize;
use std::sync::Arc;
use tokio::sync::Semaphore;

/// What one hash costs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PasswordCost {
    /// Memory, in KiB.
    pub memory_kib: u32,
    /// Times over it.
    pub passes: u32,
}

impl PasswordCost {
    /// What is recommended for a server: 46 MiB, once. Of OWASP's equal choices the one that the allocator gives back:
    /// below 32 MiB (glibc's `DEFAULT_MMAP_THRESHOLD_MAX`) it keeps what was freed, for each of the pool's threads.
    pub const SERVER: PasswordCost = PasswordCost { memory_kib: 47_104, passes: 1 };
    /// As little as can be: for tests.
    pub const LEAST: PasswordCost = PasswordCost { memory_kib: Params::MIN_M_COST, passes: Params::MIN_T_COST };
}

/// Hashes passwords; a clone shares the turns.
#[derive(Clone)]
pub struct Passwords {
    argon: Argon2<'static>,
    /// A hash that no password has, for names that nobody has.
    nobodys: Option<Arc<str>>,
    turns: Arc<Semaphore>,
    waiting: Arc<Semaphore>,
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
            waiting: Arc::new(Semaphore::new(PASSWORDS_WAITING_MAX)),
        }
    }

    /// The hash of a password, with its salt and cost in it.
    ///
    /// # Errors
    /// [`ApiError::Unavailable`] where too many wait, [`ApiError::Internal`] where the machine has no randomness.
    pub async fn hash(&self, password: String) -> Result<String, ApiError> {
        let argon = self.argon.clone();
        let hashed = self.in_turn(move || argon.hash_password(password.as_bytes()).map(|hash| hash.to_string()));
        hashed.await?.map_err(|error| ApiError::Internal(error.to_string().into()))
    }

    /// Whether the password is that of the hash; of nobody's hash it never is, after the same work.
    ///
    /// # Errors
    /// [`ApiError::Unavailable`] where too many wait.
    pub async fn is_right(&self, password: String, hash: Option<String>) -> Result<bool, ApiError> {
        let is_somebody = hash.is_some();
        let hash = hash.or_else(|| self.nobodys.as_deref().map(str::to_owned)).unwrap_or_default();
        let argon = self.argon.clone();
        let is_right = self.in_turn(move || argon.verify_password(password.as_bytes(), hash.as_str()).is_ok());
        Ok(is_right.await? && is_somebody)
    }

    async fn in_turn<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, ApiError> {
        let _place = self.waiting.try_acquire().map_err(|_| ApiError::Unavailable)?;
        let turn = Arc::clone(&self.turns).acquire_owned().await.map_err(|_| ApiError::Unavailable)?;
        let worked = web::block(move || {
            // Kept until the work is done, also where nobody waits for it any more.
            let _turn = turn;
            work()
        });
        worked.await.map_err(|_| ApiError::Unavailable)
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

    #[actix_web::test]
    async fn a_password_is_right_for_its_own_hash_alone() {
        let passwords = Passwords::new(PasswordCost::LEAST);
        let hash = passwords.hash("correct horse".to_owned()).await.unwrap();
        assert!(hash.starts_with("$argon2id$v=19$"), "{hash}");
        assert_ne!(passwords.hash("correct horse".to_owned()).await.unwrap(), hash, "each has its salt");
        for (password, hash, is_right) in [
            ("correct horse", Some(hash.clone()), true),
            ("correct horsf", Some(hash), false),
            ("correct horse", None, false),
            ("nobody has this password", None, false),
            ("", Some("no hash".to_owned()), false),
        ] {
            assert_eq!(passwords.is_right(password.to_owned(), hash).await.unwrap(), is_right, "{password}");
        }
    }

    #[test]
    fn an_unknown_name_costs_what_a_known_one_does() {
        let passwords = Passwords::new(PasswordCost::SERVER);
        let nobodys = passwords.nobodys.unwrap();
        assert!(nobodys.starts_with("$argon2id$v=19$m=47104,t=1,p=1$"), "{nobodys}");
    }

    #[actix_web::test]
    async fn who_would_wait_too_long_is_told_so() {
        let passwords = Passwords { waiting: Arc::new(Semaphore::new(0)), ..Passwords::new(PasswordCost::LEAST) };
        let hashed = passwords.hash("password".to_owned()).await;
        assert!(matches!(hashed, Err(ApiError::Unavailable)));
    }
}
