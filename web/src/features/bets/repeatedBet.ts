import type { Bet } from '../../domain/bet'
import type { RepeatedBet } from '../../platform/view/requests'

/** The bet as a ticket that can be placed again; null for a bet of an older server, which does not name its odds. */
export function repeatedBet({ systemType, bruto, pairs }: Bet): RepeatedBet | null {
  const picks = pairs.flatMap(({ matchId, oddId, isFix }) =>
    oddId === null ? [] : { matchId, marketId: null, oddId, isFix },
  )
  const isSystem = systemType > 0
  return picks.length < pairs.length
    ? null
    : { type: isSystem ? 1 : 0, combination: isSystem ? systemType : null, stake: bruto, picks }
}
