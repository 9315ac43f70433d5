/**
 * Announces to screen readers: goals and red cards of the opened match and of favourites, what else its sport has
 * of the opened match by its row and its facts, connection changes, and toasts. Never prices, because there are too many changes.
 */
import type { AppStartListening, AppStore, RootState } from '../../app/store'
import type { Match, MatchId, Side } from '../../domain/offer'
import type { Extras } from '../../protocol/extras'
import { connectionLost, feedChanged, helloReceived } from '../connection/connectionSlice'
import { selectFavourites } from '../favourites/favouritesSelectors'
import { matchName } from '../offer/matchName'
import { selectMatch } from '../offer/offerSelectors'
import { type FramesApplied, framesApplied } from '../offer/offerSlice'
import { selectOpenMatchId } from '../view/viewSelectors'
import { type Announcement, announced, announcedAtOnce, announcementWished } from './announcementsSlice'
import { noticeShown } from './noticesSlice'
import { leaderOf, spokenOf } from './spoken'
import { factsOf, spokenOfFacts } from './spokenFacts'

/** The pause between announcements. If several wait, only the newest is announced. */
export const PAUSE_MS = 5000

export function startAnnouncements({ dispatch }: AppStore, startListening: AppStartListening): () => void {
  const speaker = new Speaker((announcement) => dispatch(announced(announcement)))
  /** The side that was in the lead of the opened match last. */
  let lead: { readonly matchId: MatchId | null; readonly side: Side | 0 } = { matchId: null, side: 0 }
  const spokenOfOpen = (now: RootState, before: RootState): Announcement | null => {
    const matchId = selectOpenMatchId(now)
    const match = matchId === null ? undefined : selectMatch(now, matchId)
    const held = matchId === null ? undefined : selectMatch(before, matchId)
    if (!match || !held || match === held) {
      return null
    }
    const last = (lead.matchId === matchId && lead.side) || leaderOf(held)
    lead = { matchId, side: leaderOf(match) || last }
    return spokenOf(held, match, last)
  }
  /** The facts of the opened match that came last. */
  let facts: { readonly matchId: MatchId; readonly extras: Extras } | null = null
  const spokenOfNewFacts = (now: RootState, histories: FramesApplied['histories'] = []): Announcement | null => {
    const matchId = selectOpenMatchId(now)
    const match = matchId === null ? undefined : selectMatch(now, matchId)
    const sent = histories.find(([id]) => id === matchId)
    if (!match || !sent) {
      return null
    }
    const held = facts?.matchId === matchId ? facts.extras : null
    facts = { matchId: match.id, extras: factsOf(sent[1]) }
    return held && spokenOfFacts(match, held, facts.extras)
  }
  const stops = [
    startListening({
      actionCreator: framesApplied,
      effect: ({ payload }, api) => {
        const state = api.getState()
        const changed = new Set(payload.changes.matches.map(([id]) => id))
        const spoken = spokenOfOpen(state, api.getOriginalState())
        if (spoken) {
          speaker.say(spoken.key, spoken.values)
        }
        const fact = spokenOfNewFacts(state, payload.histories)
        if (fact) {
          speaker.say(fact.key, fact.values)
        }
        for (const id of new Set([...selectFavourites(state), selectOpenMatchId(state)])) {
          const match = id === null ? undefined : selectMatch(state, id)
          if (match && payload.goals.some(({ matchId }) => matchId === id)) {
            speaker.say('goalAnnouncement', { match: matchName(match), score: match.score?.join(':') ?? '' })
          } else if (match && changed.has(match.id) && hasRedCard(match, api.getOriginalState())) {
            speaker.say('redCardAnnouncement', { match: matchName(match) })
          }
        }
      },
    }),
    startListening({
      actionCreator: connectionLost,
      effect: (_, api) => {
        if (!wasLost(api.getOriginalState())) {
          speaker.say('reconnecting')
        }
      },
    }),
    startListening({
      actionCreator: helloReceived,
      effect: (_, api) => {
        if (wasLost(api.getOriginalState())) {
          speaker.say('connectionBack')
        }
      },
    }),
    startListening({
      actionCreator: feedChanged,
      effect: ({ payload }) => {
        if (payload === 'inactive') {
          speaker.say('feedInactive')
        }
      },
    }),
    startListening({
      actionCreator: announcementWished,
      effect: ({ payload }) => speaker.say(payload.key, payload.values),
    }),
    startListening({
      actionCreator: noticeShown,
      effect: ({ payload: { key, values, isUrgent } }) => {
        if (isUrgent) {
          dispatch(announcedAtOnce({ key, values }))
        } else {
          speaker.say(key, values)
        }
      },
    }),
  ]
  return () => {
    speaker.stop()
    for (const stop of stops) {
      stop()
    }
  }
}

function wasLost(state: RootState): boolean {
  return state.connection.status === 'lost'
}

function hasRedCard(match: Match, before: RootState): boolean {
  const held = selectMatch(before, match.id)
  return held !== undefined && redCards(match) > redCards(held)
}

function redCards(match: Match | undefined): number {
  const [home, away] = match?.redCards ?? [0, 0]
  return home + away
}

/** Announces the first text at once, and after a pause the newest one that arrived meanwhile. */
class Speaker {
  readonly #utter: (announcement: Announcement) => void
  #waiting: Announcement | null = null
  #pause: ReturnType<typeof setTimeout> | null = null

  constructor(utter: (announcement: Announcement) => void) {
    this.#utter = utter
  }

  say(key: Announcement['key'], values: Announcement['values'] = {}): void {
    this.#waiting = { key, values }
    if (this.#pause === null) {
      this.#sayWaiting()
    }
  }

  stop(): void {
    if (this.#pause !== null) {
      clearTimeout(this.#pause)
    }
  }

  #sayWaiting(): void {
    this.#pause = null
    const announcement = this.#waiting
    if (announcement) {
      this.#waiting = null
      this.#utter(announcement)
      this.#pause = setTimeout(() => this.#sayWaiting(), PAUSE_MS)
    }
  }
}
