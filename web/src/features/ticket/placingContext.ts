import { createContext, useContext } from 'react'

/** The calls that the dialogs make. The part that starts placing provides them. */
export interface PlacingCalls {
  place(): void
  read(): void
}

/** Used until placing has been started. */
export const NOBODY: PlacingCalls = { place: () => undefined, read: () => undefined }

export const PlacingContext = createContext<PlacingCalls>(NOBODY)

export const usePlacing = () => useContext(PlacingContext)
