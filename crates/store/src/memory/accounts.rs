//! Accounts and logins in memory. Must not hold its lock while it waits.

use super::{KeptLogin, MemoryStore, forget, unknown};
use crate::limits::ACCOUNT_SESSIONS_LISTED_MAX;
use crate::nodes::SessionKey;
use crate::{
    Account, AccountId, AccountSession, AccountStore, Created, Login, NewAccount, NewLogin, PasswordChange, StoreError,
    StoreFuture,
};
use kvota_domain::account_name::{external_key, name_skeleton};
use kvota_domain::bet::AccountMoney;
use kvota_domain::money::Money;
use kvota_domain::protection::Protection;
use kvota_domain::session::SessionId;
use kvota_domain::settlement::{LedgerAccount, Posting, PostingKind};
use std::cmp::Reverse;

impl AccountStore for MemoryStore {
    fn create(&self, account: NewAccount) -> StoreFuture<'_, Created> {
        let mut state = self.state();
        let skeleton = name_skeleton(&account.name);
        if state.names.contains_key(&skeleton) {
            return Self::done(Ok(Created::NameTaken));
        }
        let external_ids = state.accounts.values().filter_map(|account| account.external_id.as_deref());
        let wanted = account.external_id.as_deref().map(external_key);
        if wanted.is_some() && external_ids.map(external_key).any(|held| Some(held) == wanted) {
            return Self::done(Ok(Created::ExternalIdTaken));
        }
        let number = i64::try_from(state.accounts.len()).unwrap_or(i64::MAX).saturating_add(1);
        let Some(id) = AccountId::bettor(number).filter(|_| account.opening >= Money::ZERO) else {
            return Self::done(Err(StoreError::Corrupt { cause: "the account cannot be kept".to_owned() }));
        };
        let NewAccount { name, password_hash, opening, now_ms, external_id } = account;
        let (receivable, protection) = (Money::ZERO, Protection::default());
        state
            .accounts
            .insert(id, Account { id, name, password_hash, balance: opening, receivable, protection, external_id });
        state.names.insert(skeleton, id);
        if opening != Money::ZERO {
            let (from, to) = (LedgerAccount::Bank, LedgerAccount::Bettor);
            state.post(Posting { kind: PostingKind::Opening, from, to, amount: opening }, (id, None), now_ms, opening);
        }
        Self::done(Ok(Created::Account(id)))
    }

    fn find<'a>(&'a self, name: &'a str) -> StoreFuture<'a, Option<Account>> {
        let state = self.state();
        let found = state.names.get(&name_skeleton(name)).and_then(|id| state.accounts.get(id));
        Self::done(Ok(found.cloned()))
    }

    fn account(&self, id: AccountId) -> StoreFuture<'_, Option<Account>> {
        Self::done(Ok(self.state().accounts.get(&id).cloned()))
    }

    fn balance(&self, id: AccountId) -> StoreFuture<'_, Option<Money>> {
        Self::done(Ok(self.state().accounts.get(&id).map(|account| account.balance)))
    }

    fn money(&self, id: AccountId) -> StoreFuture<'_, Option<AccountMoney>> {
        let state = self.state();
        let revision = state.revisions.get(&id).copied().unwrap_or_default();
        let account = state.accounts.get(&id);
        Self::done(Ok(account.map(|account| AccountMoney {
            balance: account.balance,
            receivable: account.receivable,
            revision,
        })))
    }

    fn log_in(&self, session: SessionId, new: NewLogin) -> StoreFuture<'_, ()> {
        let mut state = self.state();
        let Some(account) = state.accounts.get(&new.account) else { return Self::done(Err(unknown(new.account))) };
        let login = new.login(&account.protection);
        let kept = KeptLogin { login, agent: new.agent, checked_at_ms: None };
        state.logins.insert(SessionKey::of_cookie(session), kept);
        let of_account = state.logins.iter().filter(|(_, held)| held.login.account == new.account);
        let mut keys: Vec<_> = of_account.map(|(key, held)| (Reverse(held.login.expires_at_ms), key.clone())).collect();
        keys.sort_by_key(|(expires, key)| (*expires, key.to_text()));
        for (_, surplus) in keys.into_iter().skip(crate::limits::ACCOUNT_SESSIONS_LISTED_MAX) {
            state.logins.remove(&surplus);
        }
        Self::done(Ok(()))
    }

    fn login(&self, session: SessionId, now_ms: i64) -> StoreFuture<'_, Option<Login>> {
        let login = self.state().logins.get(&SessionKey::of_cookie(session)).map(|held| held.login);
        Self::done(Ok(login.filter(|login| login.holds(now_ms))))
    }

    fn renew_login(&self, session: SessionId, login: Login) -> StoreFuture<'_, bool> {
        let mut state = self.state();
        let held = state.logins.get_mut(&SessionKey::of_cookie(session));
        let held = held.filter(|held| held.login.account == login.account);
        let renewed = held.map(|held| {
            let ends_at_ms = held.login.times.ends_at_ms.unwrap_or(i64::MAX);
            held.login.expires_at_ms = login.expires_at_ms.min(ends_at_ms);
        });
        Self::done(Ok(renewed.is_some()))
    }

    fn log_out(&self, session: SessionId) -> StoreFuture<'_, bool> {
        Self::done(Ok(self.state().logins.remove(&SessionKey::of_cookie(session)).is_some()))
    }

    fn sessions_of(&self, account: AccountId, now_ms: i64) -> StoreFuture<'_, Vec<AccountSession>> {
        let state = self.state();
        let held = state.logins.iter().filter(|(_, held)| held.login.account == account);
        let mut sessions: Vec<AccountSession> = held
            .filter(|(_, held)| held.login.expires_at_ms > now_ms)
            .map(|(key, held)| AccountSession {
                key: key.clone(),
                expires_at_ms: held.login.expires_at_ms,
                created_at_ms: held.login.created_at_ms,
                agent: held.agent.clone(),
            })
            .collect();
        sessions.sort_by_key(|session| (Reverse(session.expires_at_ms), session.key.to_text()));
        sessions.truncate(ACCOUNT_SESSIONS_LISTED_MAX);
        Self::done(Ok(sessions))
    }

    fn end_session(&self, account: AccountId, key: SessionKey) -> StoreFuture<'_, bool> {
        let logins = &mut self.state().logins;
        let is_of_account = logins.get(&key).is_some_and(|held| held.login.account == account);
        Self::done(Ok(is_of_account && logins.remove(&key).is_some()))
    }

    fn change_password(&self, change: PasswordChange) -> StoreFuture<'_, Option<Vec<SessionKey>>> {
        let PasswordChange { account, old_hash, new_hash, kept } = change;
        let mut state = self.state();
        let Some(held) = state.accounts.get_mut(&account).filter(|held| held.password_hash == old_hash) else {
            return Self::done(Ok(None));
        };
        held.password_hash = new_hash;
        let kept = SessionKey::of_cookie(kept);
        let ended = state.logins.extract_if(|key, held| held.login.account == account && *key != kept);
        let ended = ended.map(|(key, _)| key).collect();
        Self::done(Ok(Some(ended)))
    }

    fn forget_ended_logins(&self, now_ms: i64) -> StoreFuture<'_, u64> {
        Self::done(Ok(forget(&mut self.state().logins, |_, held| held.login.expires_at_ms <= now_ms)))
    }
}
