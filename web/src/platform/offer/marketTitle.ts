import { isHandicap, signedHandicap } from '../../domain/handicap'

/** A market with its line, which is the end of many titles: *Frames: first to 4*. */
export function marketTitle(name: string | null, sbv: string | null): string {
  return [name, sbv].filter(Boolean).join(' ')
}

interface MarketOfPair {
  readonly marketName: string
  readonly oddName: string
  readonly sbv: string | null
}

/** The market of a pair with its line. A handicap has its sign, as on the page of the match. */
export function pairMarket({ marketName, oddName, sbv }: MarketOfPair): string {
  return marketTitle(marketName, sbv !== null && isHandicap(sbv, [oddName]) ? signedHandicap(sbv) : sbv)
}
