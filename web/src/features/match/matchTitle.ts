/** Focuses the title of an opened match: at once, or when its chunk has loaded and the title is mounted. */
const MATCH_TITLE_ID = 'match-title'

let isWanted = false

export function wantTitleFocus(): void {
  isWanted = true
  giveFocus(document.getElementById(MATCH_TITLE_ID))
}

/** The props of the title element. */
export const matchTitleProps = { id: MATCH_TITLE_ID, tabIndex: -1, ref: giveFocus } as const

function giveFocus(title: HTMLElement | null): void {
  if (title && isWanted) {
    isWanted = false
    title.focus({ preventScroll: true })
  }
}
