import { describe, expect, it } from 'vitest'
import { selectMatch, selectSportGroups, selectSportSummaries } from '../../platform/offer/offerSelectors'
import { aMatch, anOffer, aSport } from '../../testing/builders'
import { storeWith } from '../../testing/renderWithProviders'
import { entriesOf, FOUND_MAX, find } from './search'

const offer = anOffer([
  aSport({
    id: 1,
    name: 'Nogomet',
    matches: [
      aMatch({ id: 11, home: 'Šibenik', away: 'Hajduk Split', tournament: 'HNL' }),
      aMatch({ id: 12, home: 'Đurgarden', away: 'AIK', tournament: 'Allsvenskan' }),
      aMatch({ id: 13, home: 'Real Madrid', away: 'Atlético', tournament: 'La Liga' }),
    ],
  }),
  aSport({
    id: 5,
    name: 'Тенис',
    matches: [aMatch({ id: 21, sportId: 5, home: 'Ђоковић', away: 'Alcaraz', tournament: 'Madrid Open' })],
  }),
])

const state = storeWith(offer).getState()
const entries = entriesOf(selectSportGroups(state), selectSportSummaries(state), (id) => selectMatch(state, id))
const found = (query: string) => find(entries, query).map(({ kind, id }) => `${kind} ${id}`)

describe('a search', () => {
  it.each([
    ['sibenik', ['match 11']],
    ['ШИБЕНИК', ['match 11']],
    ['djokovic', ['match 21']],
    ['đurg', ['match 12']],
    ['split haj', ['match 11']],
    ['durgarden hajduk', []],
    ['tenis', ['sport 5', 'match 21']],
    ['nog', ['sport 1', 'match 11', 'match 12', 'match 13']],
    ['la liga', ['match 13']],
    ['', []],
    ['  . ', []],
    ['zzz', []],
  ])('for "%s" finds %j', (query, expected) => {
    expect(found(query)).toEqual(expected)
  })

  it('puts a team before a tournament of the same name', () => {
    expect(found('madrid')).toEqual(['match 13', 'match 21'])
  })

  it('of a letter finds what begins with it', () => {
    expect(found('š')).toEqual(['match 11'])
  })

  it('tells no more than can be looked at', () => {
    const matches = Array.from({ length: 200 }, (_, id) => aMatch({ id, home: `Team ${id}`, away: 'Other' }))
    const many = storeWith(anOffer([aSport({ matches })])).getState()
    const all = entriesOf(selectSportGroups(many), selectSportSummaries(many), (id) => selectMatch(many, id))
    expect(find(all, 'team')).toHaveLength(FOUND_MAX)
  })
})
