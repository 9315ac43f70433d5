//! The section `wallet` of the configuration: where balances are held, and how money is paid in and out (CONTRACT 9).

use super::reader::Reader;
use crate::betting::cashier::CashierKind;

/// Section `wallet`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wallet {
    /// kvota's own cashier.
    pub cashier: CashierKind,
}

pub(super) fn read_wallet(reader: &mut Reader<'_>) -> Option<Wallet> {
    let mode = reader.parsed("wallet.mode", "embedded", |text| (text == "embedded").then_some(()));
    let cashier = reader.parsed("wallet.cashier", "none or demo", |text| {
        [CashierKind::None, CashierKind::Demo].into_iter().find(|kind| kind.code() == text)
    });
    mode?;
    Some(Wallet { cashier: cashier? })
}

/// Rejects the demo cashier, which books money without a payment.
pub(super) fn check_production(reader: &mut Reader<'_>, wallet: Wallet) {
    if wallet.cashier == CashierKind::Demo {
        let text = "\"demo\" is not allowed in the profile production; allowed is none";
        reader.note("wallet.cashier", text.to_owned());
    }
}
