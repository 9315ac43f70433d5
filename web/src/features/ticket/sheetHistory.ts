/**
 * The ticket's sheet is a step of the history, so that the way back closes it, as on a phone everything does. The
 * address stays what it is: a reload shows the page beneath.
 */
import type { AppStartListening } from '../../app/store'
import { PHONE } from '../../components/useScreen'

/** What of the browser's history is used. */
export interface Steps {
  /** Whether the ticket is a sheet here, and not a column that is there anyway. */
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
    // Left by a reload.
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
        // Closed by another way than back. Where a page was opened from it, that took its step.
        steps.back()
      }
    },
  })
}
