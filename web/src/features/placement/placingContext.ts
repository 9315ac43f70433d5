import { createContext, useContext } from 'react'
import type { MatchId } from '../../domain/offer'

/** The calls that the dialogs make. The part that starts placing provides them. */
export interface PlacingCalls {
  place(): void
  /** Places a rejected bet again at other prices. */
  placeAgain(prices: Prices): void
  read(): void
}

/** Prices in thousandths by match. */
export type Prices = ReadonlyMap<MatchId, number>

/** Used until placing has been started. */
export const NOBODY: PlacingCalls = { place: () => undefined, placeAgain: () => undefined, read: () => undefined }

export const PlacingContext = createContext<PlacingCalls>(NOBODY)

export const usePlacing = () => useContext(PlacingContext)
