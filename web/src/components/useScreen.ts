import { useSyncExternalStore } from 'react'
import { useMediaQuery } from './useMediaQuery'
import { textScale } from './useTextScale'

/** One column of touch; icons of the sports and the ticket beside the list; the sports by name. */
export type Screen = 'phone' | 'tablet' | 'desktop'

/** Narrower than a ticket in a column of its own has room. */
export const PHONE = '(max-width: 59.9375em)'

const DESKTOP_EM = 85.3125

/** Media queries ignore the font size of the page itself, such as one set by the user's style sheet. */
function hasRoomForText(): boolean {
  return window.innerWidth / (16 * textScale()) >= DESKTOP_EM
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('resize', listener)
  return () => window.removeEventListener('resize', listener)
}

/** The breakpoints of the style sheets: 960 px and 1365 px, in em, so that they follow the size of the text. */
export function useScreen(): Screen {
  const wide = useMediaQuery(`(min-width: ${DESKTOP_EM}em)`)
  const narrow = useMediaQuery(PHONE)
  const hasRoom = useSyncExternalStore(subscribe, hasRoomForText)
  if (wide && hasRoom) {
    return 'desktop'
  }
  return narrow ? 'phone' : 'tablet'
}
