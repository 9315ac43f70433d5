import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { favouritesReceived } from '../../platform/connection/hubMessages'
import '../../platform/offer/ownOrder'
import { sportFilterSet } from '../../platform/preferences/preferencesSlice'
import { matchOpened, pageOpened } from '../../platform/view/viewSlice'
import { aMatch, anOffer, aSport } from '../../testing/builders'
import { renderWithProviders, storeWith } from '../../testing/renderWithProviders'
import { SportChips } from './SportChips'
import { SportRail } from './SportRail'

function show() {
  const sports = [
    aSport({ id: 1, name: 'Nogomet', matches: [aMatch({ id: 17 })] }),
    aSport({ id: 5, name: 'Tenis', matches: [aMatch({ id: 18 })] }),
  ]
  const store = storeWith(anOffer(sports))
  return { store, user: userEvent.setup() }
}

const pressed = () => screen.queryAllByRole('button', { pressed: true }).map((button) => button.textContent)

test('what the list shows is marked, and in a match nothing', async () => {
  const { store, user } = show()
  renderWithProviders(<SportRail narrow={false} />, { store })
  expect(pressed()).toEqual(['Svi sportovi, 2'])
  await user.click(screen.getByRole('button', { name: /^Nogomet/ }))
  expect(pressed()).toEqual(['Nogomet, 1'])
  await user.click(screen.getByRole('button', { name: /^Tenis/ }))
  expect(pressed()).toEqual(['Nogomet, 1', 'Tenis, 1'])
  store.dispatch(matchOpened(17))
  await screen.findByRole('button', { name: /^Nogomet/, pressed: false })
  expect(pressed()).toEqual([])
})

test('from a match a sport leads to its list, whether it was chosen before or not', async () => {
  const { store, user } = show()
  store.dispatch(sportFilterSet([1]))
  store.dispatch(matchOpened(17))
  renderWithProviders(<SportRail narrow />, { store })
  await user.click(screen.getByRole('button', { name: /^Nogomet/ }))
  expect(store.getState().view.openMatchId).toBe(null)
  expect(pressed()).toEqual(['Nogomet, 1'])
})

test('from a match that was opened among the favourites they are one press away', async () => {
  const { store, user } = show()
  store.dispatch(pageOpened('favourites'))
  store.dispatch(matchOpened(17))
  renderWithProviders(<SportRail narrow />, { store })
  await user.click(screen.getByRole('button', { name: /^Favoriti/ }))
  expect(store.getState().view).toMatchObject({ page: 'favourites', openMatchId: null })
  await user.click(screen.getByRole('button', { name: /^Favoriti/ }))
  expect(store.getState().view).toMatchObject({ page: 'list', openMatchId: null })
})

test('the matches of the favourites follow the button of the favourites', () => {
  const { store } = show()
  store.dispatch(favouritesReceived([17]))
  renderWithProviders(<SportRail narrow={false} />, { store })
  const items = [...screen.getByRole('navigation').querySelectorAll('a, button')].map((item) => item.textContent)
  expect(items.slice(1, 4)).toEqual(['Favoriti, 1', expect.stringContaining(' – '), 'Odlučuje se uskoro'])
})

test.each([
  ['rail', <SportRail key="rail" narrow={false} />],
  ['chips', <SportChips key="chips" />],
])('the %s lead to what is decided or starts soon and what has just ended, and back', async (_, filter) => {
  const { store, user } = show()
  renderWithProviders(filter, { store })
  for (const [name, page] of [
    ['Odlučuje se uskoro', 'soon'],
    ['Počinje uskoro', 'starting'],
    ['Upravo završeno', 'ended'],
  ] as const) {
    await user.click(screen.getByRole('button', { name }))
    expect(store.getState().view.page).toBe(page)
    expect(screen.getByRole('button', { name, pressed: true })).toBeTruthy()
    await user.click(screen.getByRole('button', { name: /^Tenis/ }))
    expect([store.getState().view.page, store.getState().preferences.sports]).toEqual([page, [5]])
    await user.click(screen.getByRole('button', { name: /^Tenis/ }))
  }
  await user.click(screen.getByRole('button', { name: 'Upravo završeno' }))
  expect(store.getState().view.page).toBe('list')
})

test.each([
  ['rail', <SportRail key="rail" narrow={false} />, 'Svi sportovi, 2'],
  ['chips', <SportChips key="chips" />, 'Sve2'],
])('a filter by sports that are not in the offer now filters nothing, which the %s say', (_, filter, all) => {
  const { store } = show()
  store.dispatch(sportFilterSet([99]))
  renderWithProviders(filter, { store })
  expect(pressed()).toEqual([all])
})

test('the sports are put into an own order, by keys too, and back', async () => {
  const { store, user } = show()
  renderWithProviders(<SportRail narrow={false} />, { store })
  const names = () => screen.getAllByRole('listitem').map((item) => item.textContent)
  await user.click(screen.getByRole('button', { name: 'Poredak sportova' }))
  await screen.findByRole('list', { name: 'Poredak sportova' })
  expect(names()).toEqual(['Nogomet', 'Tenis'])
  screen.getByRole('button', { name: 'Gore: Tenis' }).focus()
  await user.keyboard('{Enter}')
  expect(names()).toEqual(['Tenis', 'Nogomet'])
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Gore: Tenis' }))
  await user.click(screen.getByRole('button', { name: 'Gotovo' }))
  expect(screen.getAllByRole('button', { name: /^(Nogomet|Tenis)/ })[0]?.textContent).toBe('Tenis, 1')
  expect(store.getState().preferences.sportOrder).toEqual([5, 1])
})

test('the chips show the chosen sport, which may be out of view', () => {
  const { store } = show()
  store.dispatch(sportFilterSet([5]))
  const intoView = vi.spyOn(Element.prototype, 'scrollIntoView')
  renderWithProviders(<SportChips />, { store })
  expect(intoView.mock.contexts).toEqual([screen.getByRole('button', { name: /^Tenis/, pressed: true })])
})
