import { createContext, useContext } from 'react'

/** What the dialogs ask for; given by who has started it. */
export interface PlacingCalls {
  place(): void
  read(): void
}

/** Until it has been started. */
export const NOBODY: PlacingCalls = { place: () => undefined, read: () => undefined }

export const PlacingContext = createContext<PlacingCalls>(NOBODY)

export const usePlacing = () => useContext(PlacingContext)
