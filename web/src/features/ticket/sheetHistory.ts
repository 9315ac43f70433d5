/**
 * Opening the ticket's sheet adds an entry to the browser history, so that the back button of a phone closes it. The
 * address does not change: a reload shows the page behind the sheet.
 */
import type { AppStartListening } from '../../app/store'
import { PHONE } from '../../components/useScreen'

/** The part of the browser history that is used; tests replace it. */
export interface Steps {
  /** Whether the window is so narrow that the ticket is a sheet, not a column. */
  readonly isNarrow: () => boolean
  readonly isSheet: () => boolean
  readonly push: () => void
  readonly forget: () => void
  readonly back: () => void
}

const SHEET = 'sheet'

export const STEPS: Steps = {
  isNarrow: () => matchMedia(PHONE).matches,
  isSheet: () => history.state === SHEET,
  push: () => history.pushState(SHEET, ''),
  forget: () => history.replaceState(null, ''),
  back: () => history.back(),
}

export function startSheetHistory(startListening: AppStartListening, steps: Steps = STEPS): () => void {
  if (steps.isSheet()) {
    // The entry is from before a reload.
    steps.forget()
  }
  return startListening({
    predicate: (_, now, before) => now.view.ticketOpen !== before.view.ticketOpen,
    effect: (_, api) => {
      if (api.getState().view.ticketOpen) {
        if (steps.isNarrow()) {
          steps.push()
        }
      } else if (steps.isSheet()) {
        // The sheet was closed without the back button. If a page was opened from it, that page replaced the entry.
        steps.back()
      }
    },
  })
}
