/** Records the matches that end, and keeps them over a reload in local storage under `cn-ended`. */
import type { AppStartListening, AppStore, RootState } from '../../app/store'
import type { Match } from '../../domain/offer'
import { allRows } from '../../domain/table'
import { selectServerOffset } from '../../platform/connection/connectionSelectors'
import { framesApplied, offerLoaded } from '../../platform/offer/offerSlice'
import { addEnded, type EndedMatch, matchesEnded, matchesResumed, selectEnded } from './endedSlice'

const KEY = 'cn-ended'

type Kept = Pick<Storage, 'getItem' | 'setItem'>

export function startEnded(store: AppStore, startListening: AppStartListening, storage: Kept, now: () => number) {
  addEnded(store, loadEnded(storage), now())
  const record = (rows: readonly Match[], state: RootState) => {
    const known = new Set(selectEnded(state).map(({ id }) => id))
    const nowMs = now() + selectServerOffset(state)
    const ended = rows.filter(({ status }) => status === 'ended').map((match) => endedOf(match, nowMs))
    const resumed = rows.filter(({ id, status }) => status !== 'ended' && known.has(id)).map(({ id }) => id)
    if (ended.length > 0) {
      store.dispatch(matchesEnded(ended))
    }
    if (resumed.length > 0) {
      store.dispatch(matchesResumed(resumed))
    }
  }
  record(allRows(store.getState().offer.matches), store.getState())
  const stops = [
    startListening({
      actionCreator: framesApplied,
      effect: ({ payload }, api) => {
        const rows = payload.changes.matches.flatMap(([, match]) => match ?? [])
        if (rows.length > 0) {
          record(rows, api.getState())
        }
      },
    }),
    startListening({
      actionCreator: offerLoaded,
      effect: ({ payload }, api) => record(allRows(payload.offer.matches), api.getState()),
    }),
    startListening({
      predicate: (_, after, before) => selectEnded(after) !== selectEnded(before),
      effect: (_, api) => {
        try {
          storage.setItem(KEY, JSON.stringify(selectEnded(api.getState())))
        } catch {
          // Storage full or forbidden: they are kept only as long as the page is open.
        }
      },
    }),
  ]
  return () => {
    for (const stop of stops) {
      stop()
    }
  }
}

function endedOf(match: Match, endedMs: number): EndedMatch {
  const { id, sportId, sportName, home, away, tournament, tournamentDescription, status, score, scores, result } = match
  return {
    id,
    sportId,
    sportName,
    home,
    away,
    tournament,
    tournamentDescription,
    status,
    score,
    scores,
    result,
    endedMs,
  }
}

function loadEnded(storage: Kept): readonly EndedMatch[] {
  try {
    const stored: unknown = JSON.parse(storage.getItem(KEY) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isEnded) : []
  } catch {
    return []
  }
}

/** The stored text may come from another version. */
function isEnded(value: Partial<EndedMatch> | null): value is EndedMatch {
  return (
    typeof value === 'object' &&
    value !== null &&
    [value.id, value.sportId, value.endedMs].every(Number.isSafeInteger) &&
    [value.home, value.away, value.tournament, value.tournamentDescription, value.sportName, value.result].every(
      (text) => text === null || typeof text === 'string',
    ) &&
    value.status === 'ended' &&
    (value.score === null || isPair(value.score)) &&
    Array.isArray(value.scores) &&
    value.scores.every(isPair)
  )
}

const isPair = (value: unknown) => Array.isArray(value) && value.length === 2 && value.every(Number.isSafeInteger)
