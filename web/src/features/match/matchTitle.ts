/** The title of an opened match takes the focus: at once where it is there, else as soon as its chunk has come. */
const MATCH_TITLE_ID = 'match-title'

let isWanted = false

export function wantTitleFocus(): void {
  isWanted = true
  giveFocus(document.getElementById(MATCH_TITLE_ID))
}

/** What the title needs. */
export const matchTitleProps = { id: MATCH_TITLE_ID, tabIndex: -1, ref: giveFocus } as const

function giveFocus(title: HTMLElement | null): void {
  if (title && isWanted) {
    isWanted = false
    title.focus({ preventScroll: true })
  }
}
