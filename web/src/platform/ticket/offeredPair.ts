import { useAppSelector } from '../../app/hooks'
import type { RootState } from '../../app/store'
import type { MatchId, OddId } from '../../domain/offer'
import { oddName } from '../offer/oddLabel'
import { selectMarket, selectMatch, selectOdd } from '../offer/offerSelectors'

interface Stored {
  readonly matchId: MatchId
  readonly oddId: OddId | null
  readonly home: string
  readonly away: string
  readonly marketName: string
  readonly oddName: string
  readonly oddType: string | null
}

type Texts = Pick<Stored, 'home' | 'away' | 'marketName' | 'oddName' | 'oddType'>

/**
 * The stored pairs with the texts of the offer, which are in the language of the page. Each pair has all its texts from
 * there or none, so that two languages are not mixed.
 */
export function useOfferedPairs<Pair extends Stored>(pairs: readonly Pair[]): readonly Pair[] {
  const texts = useAppSelector((state) => pairs.map((pair) => offeredTexts(state, pair)), haveSameTexts)
  return pairs.map((pair, place) => ({ ...pair, ...texts[place] }))
}

function offeredTexts(state: RootState, pair: Stored): Texts {
  const odd = pair.oddId === null ? undefined : selectOdd(state, pair.oddId)
  const market = odd && selectMarket(state, odd.marketId)
  const match = market?.matchId === pair.matchId ? selectMatch(state, pair.matchId) : undefined
  return odd && market && match
    ? {
        home: match.home ?? '',
        away: match.away ?? '',
        marketName: market.name ?? '',
        oddName: oddName(odd),
        oddType: odd.type ?? '',
      }
    : pair
}

const TEXTS = ['home', 'away', 'marketName', 'oddName', 'oddType'] as const

function haveSameTexts(a: readonly Texts[], b: readonly Texts[]): boolean {
  return (
    a.length === b.length &&
    a.every((pair, place) => {
      const other = b[place]
      return other !== undefined && TEXTS.every((text) => pair[text] === other[text])
    })
  )
}
