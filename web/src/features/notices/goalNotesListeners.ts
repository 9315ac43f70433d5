/**
 * Shows a system notification for a favourite's goal while the page is hidden, if the user has switched them on and the
 * browser allows them. Only soccer has goal messages (docs/protocol.md).
 */
import type { i18n as I18n } from 'i18next'
import type { AppStartListening } from '../../app/store'
import type { MatchId } from '../../domain/offer'
import { selectFavourites } from '../../platform/favourites/favouritesSelectors'
import type { NoteWorld } from '../../platform/notices/systemNotes'
import { matchName } from '../../platform/offer/matchName'
import { selectMatch } from '../../platform/offer/offerSelectors'
import { framesApplied } from '../../platform/offer/offerSlice'
import { selectHasGoalNotes } from '../../platform/preferences/preferencesSelectors'
import { hrefOf } from '../../platform/view/viewUrl'

export function startGoalNotes(startListening: AppStartListening, i18n: Pick<I18n, 't'>, world: NoteWorld): () => void {
  return startListening({
    actionCreator: framesApplied,
    effect: ({ payload }, api) => {
      const state = api.getState()
      const goals = payload.unseenGoals ?? []
      if (goals.length === 0 || !selectHasGoalNotes(state) || !world.isAllowed()) {
        return
      }
      const favourites = selectFavourites(state)
      const scored = new Set<MatchId>(goals.map(({ matchId }) => matchId).filter((id) => favourites.has(id)))
      for (const id of scored) {
        const match = selectMatch(state, id)
        if (match) {
          world.show(i18n.t('goalNoteTitle', { score: match.score?.join(':') ?? '' }), {
            body: matchName(match),
            tag: `goal-${id}`,
            href: hrefOf({ matchId: id, page: 'list' }),
          })
        }
      }
    },
  })
}
