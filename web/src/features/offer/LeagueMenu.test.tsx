import { act, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import '../../platform/offer/ownOrder'
import { selectSportGroups } from '../../platform/offer/offerSelectors'
import { sportFilterSet } from '../../platform/preferences/preferencesSlice'
import { leagueToggled, sportToggled } from '../../platform/view/viewSlice'
import { aMatch, anOffer, aSport } from '../../testing/builders'
import { renderWithProviders, storeWith } from '../../testing/renderWithProviders'
import { widen } from '../../testing/viewport'
import { OfferPage } from './OfferPage'

const league = (tournamentDescription: string) => aMatch({ tournament: 'Engleska', tournamentDescription })

beforeEach(() => widen(390))

function show() {
  const store = storeWith(
    anOffer([
      aSport({ id: 1, name: 'Nogomet', matches: [league('1. liga'), league('1. liga'), league('2. liga')] }),
      aSport({ id: 5, name: 'Tenis', matches: [aMatch({ tournament: 'Umag', tournamentDescription: null })] }),
    ]),
  )
  renderWithProviders(<OfferPage isShown />, { store })
  return { store, user: userEvent.setup() }
}

const button = () => screen.getByRole('button', { name: 'Lige' })
const panel = () => screen.getByRole('dialog', { name: 'Lige' })
const leaguesOf = (sport: string) =>
  within(within(panel()).getByRole('list', { name: sport }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent)

async function open(user: ReturnType<typeof userEvent.setup>) {
  button().focus()
  await user.keyboard('{Enter}')
  await within(panel()).findByRole('heading', { name: 'Nogomet' })
}

test('the leagues of all shown sports are in a menu, with the number of their matches', async () => {
  const { store, user } = show()
  await open(user)
  expect(leaguesOf('Nogomet')).toEqual(['Engleska 1. liga, 2', 'Engleska 2. liga, 1'])
  expect(leaguesOf('Tenis')).toEqual(['Umag, 1'])
  act(() => {
    store.dispatch(sportFilterSet([5]))
  })
  expect(within(panel()).queryByRole('list', { name: 'Nogomet' })).toBeNull()
  await user.keyboard('{Escape}')
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(document.activeElement).toBe(button())
})

test('a pin in the menu puts its league first, and the menu stays', async () => {
  const { user } = show()
  await open(user)
  within(panel()).getByRole('button', { name: 'Na vrh: Engleska, 2. liga', pressed: false }).focus()
  await user.keyboard('{Enter}')
  expect(leaguesOf('Nogomet')).toEqual(['Engleska 2. liga, 1', 'Engleska 1. liga, 2'])
  const pinned = within(panel()).getByRole('button', { name: 'Na vrh: Engleska, 2. liga', pressed: true })
  expect(document.activeElement).toBe(pinned)
})

test('a league of the menu unfolds in the list, and the menu closes', async () => {
  const { store, user } = show()
  act(() => {
    store.dispatch(sportToggled(1))
    store.dispatch(leagueToggled(selectSportGroups(store.getState())[0]?.tournaments[1]?.leagueId ?? ''))
  })
  await open(user)
  await user.click(within(panel()).getByTitle('Engleska, 2. liga'))
  expect(store.getState().view).toMatchObject({ collapsedSports: {}, collapsedLeagues: {} })
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('a rail with the names of the sports has the leagues itself', () => {
  widen(1440)
  show()
  expect(screen.queryByRole('button', { name: 'Lige' })).toBeNull()
})
