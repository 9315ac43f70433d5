/** The lines of the market that a row shows. All of them are known only while the detail of the match is watched. */
import { shownMarket, shownSbv } from '../../domain/columns'
import type { Market, MarketId, Match, PreferredColumn } from '../../domain/offer'
import { lookup } from '../../domain/table'
import type { ViewState } from '../view/viewSlice'
import type { OfferState } from './offerSlice'

interface State {
  readonly offer: Pick<OfferState, 'markets'>
  readonly view: Pick<ViewState, 'lines'>
}

/** The market of the line that was chosen for a row; undefined for the balanced one, or while it is not offered. */
export function selectChosenMarket(state: State, match: Match, balanced: Market | undefined): Market | undefined {
  const { lines } = state.view
  const chosen = balanced && lines.find(({ matchId, type }) => matchId === match.id && type === balanced.type)
  return chosen && ladderOf(state, match, balanced).find(({ sbv }) => sbv === chosen.sbv)
}

export interface Line {
  readonly marketId: MarketId
  readonly sbv: string
  /** As the column shows it. */
  readonly text: string
  readonly isBalanced: boolean
  readonly isSuspended: boolean
}

/** The lines of a column in a row, lowest first. */
export function selectLines(state: State, match: Match, column: PreferredColumn): readonly Line[] {
  const balanced = shownMarket(column, match.status, marketsOf(state, match.rowMarketIds))
  const ladder = balanced ? ladderOf(state, match, balanced) : []
  return ladder
    .flatMap((market) => {
      const text = shownSbv(column, match.status, market)
      const { id: marketId, sbv, isSuspended } = market
      return sbv === null || text === '' ? [] : [{ marketId, sbv, text, isBalanced: market === balanced, isSuspended }]
    })
    .sort((a, b) => Number(a.sbv) - Number(b.sbv))
}

const marketsOf = ({ offer }: State, ids: readonly MarketId[]) => ids.flatMap((id) => lookup(offer.markets, id) ?? [])

/** A type may have several ladders: goals of the match, of a team. */
function ladderOf(state: State, match: Match, balanced: Market): readonly Market[] {
  return marketsOf(state, [...match.rowMarketIds, ...match.detailMarketIds]).filter(
    ({ type, subtype, special, name }) =>
      type === balanced.type && subtype === balanced.subtype && special === balanced.special && name === balanced.name,
  )
}
