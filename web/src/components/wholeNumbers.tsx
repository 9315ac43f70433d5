import type { ReactNode } from 'react'

const NUMBER = /(\b[0-9A-Z]{3}-[0-9A-Z]{4}\b)/

/** A text in which ticket numbers, such as K7Q-4M2X, are never broken at their hyphen. */
export function wholeNumbers(text: string): ReactNode {
  return text.split(NUMBER).map((part, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts are always replaced as a whole.
    <span key={place} className={place % 2 === 1 ? 'whole' : undefined}>
      {part}
    </span>
  ))
}
