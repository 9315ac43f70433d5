import { lineText } from '../../domain/handicap'
import type { Market, Odd } from '../../domain/offer'
import { oddLabel } from './oddLabel'

type Named = Pick<Market, 'name' | 'type' | 'sbv'>

/** A market with its line as it is shown, which is the end of many titles: *Frames: first to 4*. */
export function marketTitle(name: string | null, line: string | null): string {
  return [name, line].filter(Boolean).join(' ')
}

/** The line of a market of the offer, as it is shown. Some of its odds are enough. */
export function marketLine({ type, sbv }: Pick<Named, 'type' | 'sbv'>, odds: readonly Odd[]): string {
  return lineText(
    { marketType: type, sbv },
    odds.map((odd) => ({ type: odd.type, name: oddLabel(odd) })),
  )
}

/** A market of the offer with its line. */
export function titleOf(market: Named, odds: readonly Odd[]): string {
  return marketTitle(market.name, marketLine(market, odds))
}

interface MarketOfPair {
  readonly marketName: string
  readonly marketType: number | null
  readonly oddType: string | null
  readonly oddName: string
  readonly sbv: string | null
}

/** The market of a pair with its line, as on the page of the match. */
export function pairMarket({ marketName, marketType, oddType, oddName, sbv }: MarketOfPair): string {
  return marketTitle(marketName, lineText({ marketType, sbv }, [{ type: oddType, name: oddName }]))
}
