/** Changes of the offer, by table. The protocol creates them and the offer's reducer applies them. */
import type { Market, Match, MatchParts, Odd, Offer, Sport } from './offer'
import { type TableChanges, TableDraft, withChanges } from './table'

export interface OfferChanges {
  readonly sports: TableChanges<Sport>
  readonly matches: TableChanges<Match>
  readonly markets: TableChanges<Market>
  readonly odds: TableChanges<Odd>
  readonly parts: TableChanges<MatchParts>
}

/** The offer with the changes applied; the same object if there are none. */
export function applyChanges(offer: Offer, changes: OfferChanges): Offer {
  const next: Offer = {
    sports: withChanges(offer.sports, changes.sports),
    matches: withChanges(offer.matches, changes.matches),
    markets: withChanges(offer.markets, changes.markets),
    odds: withChanges(offer.odds, changes.odds),
    parts: withChanges(offer.parts, changes.parts),
  }
  const same =
    next.sports === offer.sports &&
    next.matches === offer.matches &&
    next.markets === offer.markets &&
    next.odds === offer.odds &&
    next.parts === offer.parts
  return same ? offer : next
}

/** Collects changes of an offer. Reads see the changes; the original offer is not modified. */
export class OfferDraft {
  readonly sports: TableDraft<Sport>
  readonly matches: TableDraft<Match>
  readonly markets: TableDraft<Market>
  readonly odds: TableDraft<Odd>
  readonly parts: TableDraft<MatchParts>

  constructor(offer: Offer) {
    this.sports = new TableDraft(offer.sports)
    this.matches = new TableDraft(offer.matches)
    this.markets = new TableDraft(offer.markets)
    this.odds = new TableDraft(offer.odds)
    this.parts = new TableDraft(offer.parts)
  }

  changes(): OfferChanges {
    return {
      sports: this.sports.changes(),
      matches: this.matches.changes(),
      markets: this.markets.changes(),
      odds: this.odds.changes(),
      parts: this.parts.changes(),
    }
  }
}
