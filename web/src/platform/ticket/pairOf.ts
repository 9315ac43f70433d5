import type { Market, Match, Odd } from '../../domain/offer'
import type { TicketPair } from '../../domain/ticket/ticket'
import { oddName } from '../offer/oddLabel'

/** Prices below this, in thousandths, are shown as no price. */
const SHOWN_FROM = 1000

/** Builds a ticket pair from the offer; null if the odd has no price. */
export function pairOf(
  { id: matchId, sportId, home, away }: Pick<Match, 'id' | 'sportId' | 'home' | 'away'>,
  market: Pick<Market, 'id' | 'name' | 'type' | 'subtype' | 'sbv'>,
  odd: Pick<Odd, 'id' | 'type' | 'alias' | 'description' | 'value'>,
): TicketPair | null {
  if (odd.value < SHOWN_FROM) {
    return null
  }
  return {
    matchId,
    marketId: market.id,
    oddId: odd.id,
    sportId,
    home: home ?? '',
    away: away ?? '',
    marketName: market.name ?? '',
    oddName: oddName(odd),
    marketType: market.type,
    marketSubType: market.subtype,
    sbv: market.sbv,
    oddType: odd.type ?? '',
    oddValue: odd.value,
    pickedValue: odd.value,
    canBet: true,
    reason: null,
    isFix: false,
  }
}
