/**
 * A ticket as a link, without the stake: `/ticket/17.170.1701-18.180.1801` has the ids of match, market and odd of each
 * pair. Prices are those at the time of opening.
 */
import type { MarketId, MatchId, OddId } from '../../domain/offer'

export interface Pick {
  readonly matchId: MatchId
  readonly marketId: MarketId
  readonly oddId: OddId
}

/** The maximum number of pairs of a ticket (CONTRACT 2, `maxPairs`). */
export const PICKS_MAX = 30
/** The maximum length of a link in characters: three of the largest ids for each pair. */
const LENGTH_MAX = PICKS_MAX * 51

export function writeTicketLink(origin: string, picks: readonly Pick[]): string {
  const text = picks.map(({ matchId, marketId, oddId }) => `${matchId}.${marketId}.${oddId}`).join('-')
  return `${origin}/ticket/${text}`
}

/** The picks of a link; null if it is not valid, has too many picks or the same match twice. */
export function readPicks(text: string): readonly Pick[] | null {
  if (text.length > LENGTH_MAX) {
    return null
  }
  const picks: Pick[] = []
  for (const part of text.split('-')) {
    const ids = /^(\d{1,16})\.(\d{1,16})\.(\d{1,16})$/.exec(part)?.slice(1).map(Number)
    const [matchId, marketId, oddId] = ids ?? []
    const isWhole = [matchId, marketId, oddId].every(Number.isSafeInteger)
    if (!isWhole || matchId === undefined || marketId === undefined || oddId === undefined) {
      return null
    }
    picks.push({ matchId, marketId, oddId })
  }
  const isOneEach = new Set(picks.map(({ matchId }) => matchId)).size === picks.length
  return isOneEach && picks.length <= PICKS_MAX ? picks : null
}
