//! Checks the codes that the rules share with the encodings and the translations. A changed letter is a change of the
//! protocol.

use kvota_domain::lang::{Lang, PerLang};
use kvota_domain::session::SessionId;
use kvota_domain::ticket::{BuilderCode, CannotBet, Consent, TaxKind, TaxableWin, TicketKind, WinTaxMode};

#[test]
fn codes_are_those_of_the_contract() {
    let cases = [
        (Lang::ALL.map(Lang::code).join(" "), "hr en bs sr"),
        (Lang::ALL.map(Lang::locale).join(" "), "hr-HR en-US bs-Latn-BA sr-Cyrl-RS"),
        ([TaxKind::Stake, TaxKind::Win].map(TaxKind::code).join(" "), "stake win"),
        ([WinTaxMode::Marginal, WinTaxMode::Whole].map(WinTaxMode::code).join(" "), "marginal whole"),
        ([TaxableWin::Profit, TaxableWin::Win].map(TaxableWin::code).join(" "), "profit win"),
        ([Consent::None, Consent::Higher, Consent::Any].map(Consent::code).join(" "), "none higher any"),
        (
            CannotBet::ALL.map(CannotBet::code).join(" "),
            "feed_inactive feed_recovering match_gone betting_stopped match_suspended market_closed odd_withdrawn \
             market_suspended market_settled",
        ),
        (
            [BuilderCode::NoCombination, BuilderCode::PairCannotBeBetOn, BuilderCode::EmptyTicket]
                .map(|code| format!("{}={}", code.number(), code.key()))
                .join(" "),
            "0=liveAtLeastOneComb 1=liveRemoveDisabledPairs 2=liveEmptyTicketPairs",
        ),
    ];
    for (codes, wanted) in cases {
        assert_eq!(codes, wanted);
    }
}

#[test]
fn codes_parse_back_and_others_are_rejected() {
    for lang in Lang::ALL {
        assert_eq!(Lang::from_code(lang.code()), Some(lang));
    }
    for consent in [Consent::None, Consent::Higher, Consent::Any] {
        assert_eq!(Consent::from_code(consent.code()), Some(consent));
    }
    for kind in [TicketKind::Standard, TicketKind::System] {
        assert_eq!(TicketKind::from_type(kind.as_type().into()), Some(kind));
    }
    assert_eq!((TicketKind::Standard.as_type(), TicketKind::System.as_type(), TicketKind::from_type(2)), (0, 1, None));
    for text in ["", "HR", "hr-HR", "de"] {
        assert_eq!((Lang::from_code(text), Consent::from_code(text)), (None, None));
    }
}

#[test]
fn each_language_has_its_own_value() {
    let mut values = PerLang::new(Lang::code);
    values[Lang::Bs] = "other";
    let pairs: Vec<_> = values.iter().map(|(lang, value)| (lang.index(), *value)).collect();
    assert_eq!(pairs, [(0, "hr"), (1, "en"), (2, "other"), (3, "sr")]);
}

#[test]
fn public_session_name_is_unique_and_not_the_id() {
    let [one, other] = [1, 2].map(|byte| SessionId::from_bytes([byte; 16]));
    assert_ne!(one.public_name(), other.public_name());
    assert_eq!(one.public_name(), SessionId::from_bytes([1; 16]).public_name());
    assert!(one.public_name().len() == 16 && one.public_name().bytes().all(|byte| byte.is_ascii_hexdigit()));
    assert!(!one.to_text().contains(&one.public_name()));
}
