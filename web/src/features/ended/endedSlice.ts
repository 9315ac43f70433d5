/** The matches that ended within the last hour while the page was open, with their results. It loads with the ticket. */
import { createSlice, type PayloadAction } from '@reduxjs/toolkit'
import type { AppStore } from '../../app/store'
import type { Match, MatchId } from '../../domain/offer'

/** What is kept of a match that has ended. */
export interface EndedMatch
  extends Pick<
    Match,
    | 'id'
    | 'sportId'
    | 'sportName'
    | 'home'
    | 'away'
    | 'tournament'
    | 'tournamentDescription'
    | 'status'
    | 'score'
    | 'scores'
    | 'result'
  > {
  /** When this client saw the end, in the server's time. */
  readonly endedMs: number
}

export interface EndedState {
  /** The latest first. */
  readonly matches: readonly EndedMatch[]
}

/** How long a match counts as just ended. */
const KEPT_MS = 3_600_000
/** More than end in an hour of the largest offer. */
const KEPT_MAX = 300

const NONE: EndedState = { matches: [] }

const endedSlice = createSlice({
  name: 'ended',
  initialState: NONE,
  reducers: {
    /** A match that is known keeps the time of its end. */
    matchesEnded: (state, { payload }: PayloadAction<readonly EndedMatch[]>): EndedState => {
      const nowMs = Math.max(...payload.map(({ endedMs }) => endedMs))
      const known = new Map<MatchId, EndedMatch>(state.matches.map((match) => [match.id, match]))
      for (const match of payload) {
        known.set(match.id, { ...match, endedMs: known.get(match.id)?.endedMs ?? match.endedMs })
      }
      return { matches: recent([...known.values()], nowMs) }
    },
    /** A match goes on, after an end that was a mistake. */
    matchesResumed: (state, { payload }: PayloadAction<readonly MatchId[]>): EndedState => ({
      matches: state.matches.filter(({ id }) => !payload.includes(id)),
    }),
  },
})

export const { matchesEnded, matchesResumed } = endedSlice.actions

/** Those of the last hour. */
export function recent(matches: readonly EndedMatch[], nowMs: number): readonly EndedMatch[] {
  return matches
    .filter(({ endedMs }) => nowMs - endedMs < KEPT_MS)
    .sort((a, b) => b.endedMs - a.endedMs || b.id - a.id)
    .slice(0, KEPT_MAX)
}

interface State {
  readonly ended?: EndedState
}

export const selectEnded = ({ ended }: State) => (ended ?? NONE).matches

/** Adds the reducer to a store, with the matches that were stored. */
export function addEnded(store: AppStore, stored: readonly EndedMatch[], nowMs: number): void {
  store.addReducers({ ended: endedSlice.reducer })
  const matches = recent(stored, nowMs)
  if (matches.length > 0) {
    store.dispatch(matchesEnded(matches))
  }
}
