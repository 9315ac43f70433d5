import { useMediaQuery } from './useMediaQuery'

/** One column of touch; icons of the sports and the ticket beside the list; the sports by name. */
export type Screen = 'phone' | 'tablet' | 'desktop'

/** Narrower than a ticket in a column of its own has room. */
export const PHONE = '(max-width: 59.9375em)'

/** The breakpoints of the style sheets: 960 px and 1365 px, in em, so that they follow the size of the text. */
export function useScreen(): Screen {
  const wide = useMediaQuery('(min-width: 85.3125em)')
  const narrow = useMediaQuery(PHONE)
  if (wide) {
    return 'desktop'
  }
  return narrow ? 'phone' : 'tablet'
}
