/**
 * A ticket as a link: which odds, and nothing of the stake. `/ticket/17.170.1701-18.180.1801` names matches, markets and
 * odds; prices are those of when it is opened.
 */
import type { MarketId, MatchId, OddId } from '../../domain/offer'

export interface Pick {
  readonly matchId: MatchId
  readonly marketId: MarketId
  readonly oddId: OddId
}

/** As many as a ticket may have (CONTRACT 2, `maxPairs`). */
export const PICKS_MAX = 30
/** Thirty times three of the largest ids. */
const LENGTH_MAX = PICKS_MAX * 51

export function writeTicketLink(origin: string, picks: readonly Pick[]): string {
  const text = picks.map(({ matchId, marketId, oddId }) => `${matchId}.${marketId}.${oddId}`).join('-')
  return `${origin}/ticket/${text}`
}

/** The picks of a link; null where it is none, names too many, or a match twice. */
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
