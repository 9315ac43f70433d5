import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import hr from '../../../../config/translations/hr.json'
import type { AppDispatch, RootState } from '../../app/store'
import { favouritesReceived } from '../../platform/connection/hubMessages'
import type { NoteWorld } from '../../platform/notices/systemNotes'
import { framesApplied } from '../../platform/offer/offerSlice'
import { goalNotesTurned } from '../../platform/preferences/preferencesSlice'
import { aMatch, anOffer, aSport } from '../../testing/builders'
import { makeI18n } from '../../testing/makeI18n'
import { storeWith } from '../../testing/renderWithProviders'
import { startGoalNotes } from './goalNotesListeners'

const NOTHING = {
  changes: { sports: [], matches: [], markets: [], odds: [], parts: [] },
  movements: [],
  goals: [],
  deletedMatches: [],
  dateMs: null,
}
const goalIn = (matchId: number) => ({ matchId, side: 1 as const })

const world = { isAllowed: vi.fn(() => true), show: vi.fn<NoteWorld['show']>() }
let stop: () => void
let store: ReturnType<typeof storeWith>

beforeEach(() => {
  world.isAllowed.mockReturnValue(true)
  world.show.mockClear()
  const matches = [aMatch({ id: 17, home: 'Split', away: 'Zadar', score: [2, 1] }), aMatch({ id: 18 })]
  store = storeWith(anOffer([aSport({ matches })]))
  store.dispatch(favouritesReceived([17]))
  store.dispatch(goalNotesTurned(true))
  const startListening = store.listeners.startListening.withTypes<RootState, AppDispatch>()
  stop = startGoalNotes(startListening, makeI18n('hr', hr), world)
})

afterEach(() => stop())

describe('a goal while the page is out of sight', () => {
  it('of a favourite is told with the score, and leads to the match', () => {
    store.dispatch(framesApplied({ ...NOTHING, unseenGoals: [goalIn(17), goalIn(17)] }))
    expect(world.show.mock.calls).toEqual([['Gol! 2:1', { body: 'Split – Zadar', tag: 'goal-17', href: '/?match=17' }]])
  })

  it('of any other match is not', () => {
    store.dispatch(framesApplied({ ...NOTHING, unseenGoals: [goalIn(18), goalIn(99)] }))
    expect(world.show).not.toHaveBeenCalled()
  })

  it('is not told unasked, nor without leave', () => {
    world.isAllowed.mockReturnValue(false)
    store.dispatch(framesApplied({ ...NOTHING, unseenGoals: [goalIn(17)] }))
    world.isAllowed.mockReturnValue(true)
    store.dispatch(goalNotesTurned(false))
    store.dispatch(framesApplied({ ...NOTHING, unseenGoals: [goalIn(17)] }))
    expect(world.show).not.toHaveBeenCalled()
  })

  it('in sight is news for the page, not for the machine', () => {
    store.dispatch(framesApplied({ ...NOTHING, goals: [goalIn(17)] }))
    expect(world.show).not.toHaveBeenCalled()
  })
})
