import { useMediaQuery } from './useMediaQuery'

/** The width from which the media panels of a match have room beside its markets: 355 + 10 + 395 px. */
const BESIDE = '(min-width: 73em)'
/** The width from which two columns of markets fit: beside the panels, and without them. */
const TWO_BESIDE = '(min-width: 107.5em)'
const TWO_BELOW = '(min-width: 40em)'

/** Where the media panels of a match are, and how many columns of markets fit. */
export function usePanelRoom(): { readonly isBeside: boolean; readonly hasTwoColumns: boolean } {
  const isBeside = useMediaQuery(BESIDE)
  const hasTwoColumns = useMediaQuery(isBeside ? TWO_BESIDE : TWO_BELOW)
  return { isBeside, hasTwoColumns }
}
