//! What the ledger decides and books: bets with changing results, cash-outs, payments, limits.

#![cfg(test)]

mod attempts;
mod causes;
mod kit;
mod revisions;
