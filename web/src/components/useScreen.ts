import { useMediaQuery } from './useMediaQuery'

/** One column of touch; icons and one set of odds; everything. */
export type Screen = 'phone' | 'tablet' | 'desktop'

/** The breakpoints of the style sheets: 960 px and 1365 px, in em, so that they follow the size of the text. */
export function useScreen(): Screen {
  const wide = useMediaQuery('(min-width: 85.3125em)')
  const narrow = useMediaQuery('(max-width: 59.9375em)')
  if (wide) {
    return 'desktop'
  }
  return narrow ? 'phone' : 'tablet'
}
