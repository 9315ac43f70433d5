/**
 * The ticket's sheet is a step of the history, so that the way back closes it, as on a phone everything does. The
 * address stays what it is: a reload shows the page beneath.
 */
import type { AppStartListening } from '../../app/store'

/** What of the browser's history is used. */
export interface Steps {
  readonly isSheet: () => boolean
  readonly push: () => void
  readonly forget: () => void
  readonly back: () => void
}

const SHEET = 'sheet'

export const STEPS: Steps = {
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
        steps.push()
      } else if (steps.isSheet()) {
        // Closed by another way than back. Where a page was opened from it, that took its step.
        steps.back()
      }
    },
  })
}
