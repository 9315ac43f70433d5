/**
 * Gives the alerts: as a toast, or as a system notification while the page is hidden and the browser allows it. Keeps
 * them over a reload in local storage under `cn-alerts`.
 */
import type { i18n as I18n } from 'i18next'
import type { AppStartListening, AppStore, RootState } from '../../app/store'
import { isBeforeKickOff } from '../../domain/kickOff'
import { formatOdd } from '../../domain/oddsFormat'
import type { Match, MatchId } from '../../domain/offer'
import {
  addAlerts,
  alertsLoaded,
  alertTurned,
  priceAlertDropped,
  selectAlerts,
} from '../../platform/alerts/alertsSlice'
import { noticeShown } from '../../platform/notices/noticesSlice'
import type { NoteWorld } from '../../platform/notices/systemNotes'
import { titleOf } from '../../platform/offer/marketTitle'
import { matchName } from '../../platform/offer/matchName'
import { oddLabel } from '../../platform/offer/oddLabel'
import { selectMarket, selectMatch, selectOdd } from '../../platform/offer/offerSelectors'
import { framesApplied, offerLoaded } from '../../platform/offer/offerSlice'
import { selectOddsFormat } from '../../platform/preferences/preferencesSelectors'
import { matchOpened } from '../../platform/view/viewSlice'
import { hrefOf } from '../../platform/view/viewUrl'
import { alertName, happened, type Seen, seenOf } from './alertEvents'
import { type Kept, loadAlerts, saveAlerts } from './alertsStorage'

export interface AlertsWorld {
  readonly i18n: Pick<I18n, 't'>
  readonly notes: NoteWorld
  readonly isHidden: () => boolean
  readonly storage: Kept
}

export function startAlerts(store: AppStore, startListening: AppStartListening, world: AlertsWorld): () => void {
  const { dispatch, getState } = store
  const { t } = world.i18n
  /** What was last seen of the matches with alerts, also before a lost connection. */
  const seen = new Map<MatchId, Seen>()
  if (!getState().alerts) {
    addAlerts(store)
    dispatch(alertsLoaded(loadAlerts(world.storage)))
  }

  const give = (matchId: MatchId, what: string, of: string, tag: string) => {
    if (world.isHidden() && world.notes.isAllowed()) {
      world.notes.show(what, { body: of, tag, href: hrefOf({ matchId, page: 'list' }) })
    } else {
      dispatch(noticeShown('alertNotice', { what, of }, { key: 'openMatch', action: matchOpened(matchId) }))
    }
  }
  const ofMatch = (match: Match) => [matchName(match), match.score?.join(':')].filter(Boolean).join(' ')

  const lookAtMatches = () => {
    for (const [id, kinds] of Object.entries(selectAlerts(getState()).matches)) {
      const match = selectMatch(getState(), Number(id))
      if (!match) {
        continue
      }
      const before = seen.get(match.id)
      seen.set(match.id, seenOf(match))
      const isOver = before && isBeforeKickOff({ ...match, ...before }) && !isBeforeKickOff(match)
      for (const kind of kinds.filter((each) => before && happened(each, before, match))) {
        give(match.id, t(alertName(kind, match.sportId)), ofMatch(match), `${kind}-${id}`)
      }
      if (isOver && kinds.includes('kickOff')) {
        dispatch(alertTurned({ matchId: match.id, kind: 'kickOff', isOn: false }))
      }
    }
  }
  const lookAtPrices = () => {
    const state = getState()
    for (const { matchId, oddId, target, rises } of selectAlerts(state).prices) {
      const value = selectOdd(state, oddId)?.value ?? 0
      if (value > 0 && (rises ? value >= target : value <= target)) {
        dispatch(priceAlertDropped(oddId))
        const what = t('alertPrice', { odd: formatOdd(value, selectOddsFormat(state)) })
        give(matchId, what, pickOf(state, oddId), `price-${oddId}`)
      }
    }
  }
  lookAtMatches()

  const stops = [
    startListening({
      actionCreator: framesApplied,
      effect: ({ payload: { changes, goals, unseenGoals = [] } }) => {
        if (changes.matches.length > 0) {
          lookAtMatches()
        }
        for (const matchId of new Set([...goals, ...unseenGoals].map((goal) => goal.matchId))) {
          const match = selectMatch(getState(), matchId)
          if (match && selectAlerts(getState()).matches[matchId]?.includes('goal')) {
            give(matchId, t('alertGoal'), ofMatch(match), `goal-${matchId}`)
          }
        }
        if (changes.odds.length > 0) {
          lookAtPrices()
        }
      },
    }),
    startListening({
      actionCreator: offerLoaded,
      effect: () => {
        lookAtMatches()
        lookAtPrices()
      },
    }),
    startListening({ actionCreator: alertTurned, effect: lookAtMatches }),
    startListening({
      predicate: (_, now, before) => selectAlerts(now) !== selectAlerts(before),
      effect: (_, api) => saveAlerts(world.storage, selectAlerts(api.getState())),
    }),
  ]
  return () => {
    for (const stop of stops) {
      stop()
    }
  }
}

/** The pick with its market and match, as a text. */
function pickOf(state: RootState, oddId: number): string {
  const odd = selectOdd(state, oddId)
  const market = odd && selectMarket(state, odd.marketId)
  const match = market && selectMatch(state, market.matchId)
  return odd && market && match ? `${oddLabel(odd)}, ${titleOf(market, [odd])}, ${matchName(match)}` : ''
}
