/**
 * A ticket as a link, without the stake: `/ticket/17.170.1701-18.180.1801` has the ids of match, market and odd of each
 * pair. A system begins with its k, or with 0 if none is chosen, and marks fixed pairs: `/ticket/2-17.170.1701.1-…`.
 * Prices are those at the time of opening.
 */
import type { MarketId, MatchId, OddId } from '../../domain/offer'
import type { TicketType } from '../../domain/ticket/ticket'

export interface Pick {
  readonly matchId: MatchId
  /** Null for a pick of a bet, which does not name it. */
  readonly marketId: MarketId | null
  readonly oddId: OddId
  readonly isFix: boolean
}

export interface LinkedTicket {
  /** The stake of a bet that is placed again; a link has none. */
  readonly stake?: string
  readonly type: TicketType
  readonly combination: number | null
  readonly picks: readonly Pick[]
}

/** The maximum number of pairs of a ticket (CONTRACT 2, `maxPairs`). */
export const PICKS_MAX = 30
/** The maximum length of a link in characters: a k, and three of the largest ids and a mark for each pair. */
const LENGTH_MAX = 3 + PICKS_MAX * 53

export function writeTicketLink(origin: string, { type, combination, picks }: LinkedTicket): string {
  const isSystem = type === 1
  const parts = picks.map(
    ({ matchId, marketId, oddId, isFix }) => `${matchId}.${marketId}.${oddId}${isSystem && isFix ? '.1' : ''}`,
  )
  return `${origin}/ticket/${[...(isSystem ? [combination ?? 0] : []), ...parts].join('-')}`
}

/** The ticket of a link; null if it is not valid, has too many picks, the same match twice, or a k without combinations. */
export function readTicketLink(text: string): LinkedTicket | null {
  if (text.length > LENGTH_MAX) {
    return null
  }
  const [, k, parts = ''] = /^(?:(\d{1,2})-)?(.*)$/.exec(text) ?? []
  const isSystem = k !== undefined
  const combination = Number(k) || null
  const picks: Pick[] = []
  for (const part of parts.split('-')) {
    const found = /^(\d{1,16})\.(\d{1,16})\.(\d{1,16})(\.1)?$/.exec(part)
    const [matchId, marketId, oddId] = found?.slice(1, 4).map(Number) ?? []
    const isWhole = [matchId, marketId, oddId].every(Number.isSafeInteger)
    if (!isWhole || matchId === undefined || marketId === undefined || oddId === undefined) {
      return null
    }
    picks.push({ matchId, marketId, oddId, isFix: found?.[4] !== undefined })
  }
  const fixed = picks.filter(({ isFix }) => isFix).length
  const isOneEach = new Set(picks.map(({ matchId }) => matchId)).size === picks.length
  const isValid =
    isOneEach &&
    picks.length <= PICKS_MAX &&
    (isSystem || fixed === 0) &&
    (combination === null || combination < picks.length - fixed)
  return isValid ? { type: isSystem ? 1 : 0, combination, picks } : null
}
