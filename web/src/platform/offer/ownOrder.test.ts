import { describe, expect, it } from 'vitest'
import type { AppStore } from '../../app/store'
import { aMatch, anOffer, aSport } from '../../testing/builders'
import { storeWith } from '../../testing/renderWithProviders'
import { aRowChange, tell } from '../../testing/tell'
import { leaguePinToggled, sortChosen, sportOrderSet } from '../preferences/preferencesSlice'
import { selectSportGroups } from './offerSelectors'
import './ownOrder'

const at = (seconds: number) => ({ kind: 'stopped', seconds }) as const
const SECOND_LEAGUE = { tournamentDescription: '2. HNL' }
const matches = [
  aMatch({ id: 11, order: 1, clock: at(600) }),
  aMatch({ id: 12, order: 2, clock: at(4000), ...SECOND_LEAGUE }),
  aMatch({ id: 13, order: 3, clock: at(3000) }),
  aMatch({ id: 14, order: 4, clock: { kind: 'text', text: '20:30' }, status: 'not_started' }),
  aMatch({ id: 15, order: 5, clock: { kind: 'text', text: '9:15' }, status: 'not_started', ...SECOND_LEAGUE }),
  aMatch({ id: 16, order: 6, clock: null, status: 'ended' }),
]
const offer = (): AppStore =>
  storeWith(anOffer([aSport({ id: 1, matches }), aSport({ id: 5, matches: [aMatch({ id: 50 })] })]))

const leagues = (store: AppStore) => selectSportGroups(store.getState())[0]?.tournaments ?? []
const ids = (store: AppStore) => leagues(store).map(({ matchIds }) => matchIds)

describe('the order of the list', () => {
  it('is by league, unless another one is chosen', () => {
    expect(ids(offer())).toEqual([
      [11, 13, 14, 16],
      [12, 15],
    ])
  })

  it.each([
    ['played', [[12], [13, 11], [15], [14, 16]]],
    ['start', [[15], [14, 11, 13], [12], [16]]],
  ] as const)('by time (%s) repeats the heading of a league where another one is between', (sort, expected) => {
    const store = offer()
    store.dispatch(sortChosen(sort))
    expect(ids(store)).toEqual(expected)
    const keys = leagues(store).map(({ key }) => key)
    expect(new Set(keys).size).toBe(keys.length)
  })

  it('by the number of odds has the most offered matches first, and does not change for a few odds', () => {
    const counts = [30, 38, 95, 12, 0, 200]
    const offered = matches.map((match, place) => ({ ...match, numberOfOdds: counts[place] ?? 0 }))
    const store = storeWith(anOffer([aSport({ id: 1, matches: offered })]))
    store.dispatch(sortChosen('odds'))
    // The last one has ended.
    const expected = [[13, 11], [12], [14], [15], [16]]
    expect(ids(store)).toEqual(expected)
    tell(store, aRowChange(12, { fields: { numberOfOdds: 39 } }))
    expect(ids(store)).toEqual(expected)
    tell(store, aRowChange(12, { fields: { numberOfOdds: 120 } }, 2))
    expect(ids(store)).toEqual([[12], [13, 11, 14], [15], [16]])
  })

  it('by time follows a match that begins, and stays the same when prices change', () => {
    const store = offer()
    store.dispatch(sortChosen('played'))
    const before = selectSportGroups(store.getState())
    tell(store, aRowChange(11, { prices: [[0, 2000]] }))
    expect(selectSportGroups(store.getState())).toBe(before)
    tell(store, aRowChange(14, { fields: { status: 'first_half', clock: at(5000) } }))
    expect(ids(store)[0]).toEqual([14])
  })

  it('has pinned leagues first in their sport', () => {
    const store = offer()
    store.dispatch(leaguePinToggled(leagues(store)[1]?.leagueId ?? ''))
    expect(ids(store)[0]).toEqual([12, 15])
    store.dispatch(leaguePinToggled(leagues(store)[0]?.leagueId ?? ''))
    expect(ids(store)[0]).toEqual([11, 13, 14, 16])
  })

  it("has the sports in the user's order, and the others after them", () => {
    const store = offer()
    store.dispatch(sportOrderSet([5, 99]))
    expect(selectSportGroups(store.getState()).map(({ sportId }) => sportId)).toEqual([5, 1])
  })
})
