import { useMediaQuery } from './useMediaQuery'

/** One column of touch; icons and one set of odds; everything; a third set of odds. */
export type Screen = 'phone' | 'tablet' | 'desktop' | 'wide'

/** Narrower than a ticket in a column of its own has room. */
export const PHONE = '(max-width: 59.9375em)'

/** The breakpoints of the style sheets: 960 px, 1365 px and 1700 px, in em, so that they follow the size of the text. */
export function useScreen(): Screen {
  const widest = useMediaQuery('(min-width: 106.25em)')
  const wide = useMediaQuery('(min-width: 85.3125em)')
  const narrow = useMediaQuery(PHONE)
  if (wide) {
    return widest ? 'wide' : 'desktop'
  }
  return narrow ? 'phone' : 'tablet'
}

/** How many sets of odds a row has room for. */
export const SETS: Readonly<Record<Screen, number>> = { phone: 1, tablet: 1, desktop: 2, wide: 3 }
