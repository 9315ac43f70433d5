import { useMediaQuery } from './useMediaQuery'

/** The width from which the media panels of a match have room beside its markets: 355 + 10 + 395 px. */
export const PANELS_BESIDE = '(min-width: 73em)'
/** The width from which the markets beside the panels have room for two columns. */
const TWO_COLUMNS = '(min-width: 107.5em)'

/** Where the media panels of a match are, and how many columns of markets fit. */
export function usePanelRoom(): { readonly isBeside: boolean; readonly hasTwoColumns: boolean } {
  const isBeside = useMediaQuery(PANELS_BESIDE)
  const hasTwoColumns = useMediaQuery(TWO_COLUMNS)
  return { isBeside, hasTwoColumns }
}
