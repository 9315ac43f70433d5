import { act, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, test, vi } from 'vitest'
import { favouritesReceived } from '../../platform/connection/hubMessages'
import '../../platform/offer/ownOrder'
import { selectSportGroups } from '../../platform/offer/offerSelectors'
import { sortChosen, sportFilterSet } from '../../platform/preferences/preferencesSlice'
import { leagueToggled, matchOpened, pageOpened, sportToggled } from '../../platform/view/viewSlice'
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

test('among the chips the sports are first', () => {
  const { store } = show()
  renderWithProviders(<SportChips />, { store })
  expect(screen.getAllByRole('button').map((chip) => chip.textContent)).toEqual([
    'Sve2',
    'Nogomet1',
    'Tenis1',
    'Odlučuje se',
    'Počinje',
    'Završeno',
  ])
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

describe('the leagues of a chosen sport', () => {
  const league = (tournamentDescription: string) => ({ tournament: 'Engleska', tournamentDescription })
  function showLeagues(count = 2) {
    const matches = Array.from({ length: count + 1 }, (_, place) => aMatch({ ...league(`Liga ${place % count}`) }))
    const tennis = aSport({ id: 5, name: 'Tenis', matches: [aMatch({ tournament: 'Umag' })] })
    const store = storeWith(anOffer([aSport({ id: 1, name: 'Nogomet', matches }), tennis]))
    return { store, user: userEvent.setup() }
  }
  const items = () => screen.getAllByRole('listitem').map((item) => within(item).getAllByRole('button')[0]?.title)

  test('are below it with the number of their matches, until it is no longer chosen', async () => {
    const { store, user } = showLeagues()
    renderWithProviders(<SportRail narrow={false} />, { store })
    expect(screen.queryByRole('list')).toBeNull()
    await user.click(screen.getByRole('button', { name: /^Nogomet/ }))
    await screen.findByRole('list', { name: 'Nogomet' })
    const texts = screen.getAllByRole('listitem').map(({ textContent }) => textContent)
    expect(texts).toEqual(['Engleska Liga 0, 2', 'Engleska Liga 1, 1'])
    await user.click(screen.getByRole('button', { name: /^Nogomet/ }))
    expect(screen.queryByRole('list')).toBeNull()
  })

  test('are pinned by keys too, which puts them first and keeps the focus', async () => {
    const { store, user } = showLeagues()
    store.dispatch(sportFilterSet([1]))
    renderWithProviders(<SportRail narrow={false} />, { store })
    await screen.findByRole('list', { name: 'Nogomet' })
    const pin = screen.getByRole('button', { name: 'Na vrh: Engleska, Liga 1', pressed: false })
    pin.focus()
    await user.keyboard('{Enter}')
    expect(items()).toEqual(['Engleska, Liga 1', 'Engleska, Liga 0'])
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Na vrh: Engleska, Liga 1', pressed: true }))
  })

  test('are counted as one where the order by time has several headings of it', async () => {
    const { store } = showLeagues()
    act(() => {
      store.dispatch(sportFilterSet([1]))
      store.dispatch(sortChosen('start'))
    })
    renderWithProviders(<SportRail narrow={false} />, { store })
    await screen.findByRole('list', { name: 'Nogomet' })
    expect(items().sort()).toEqual(['Engleska, Liga 0', 'Engleska, Liga 1'])
  })

  test('are the first ones, and all after a press', async () => {
    const { store, user } = showLeagues(11)
    store.dispatch(sportFilterSet([1]))
    renderWithProviders(<SportRail narrow={false} />, { store })
    await screen.findByRole('list', { name: 'Nogomet' })
    expect(items()).toHaveLength(8)
    await user.click(screen.getByRole('button', { name: 'Prikaži još (3)' }))
    expect(items()).toHaveLength(11)
    expect(screen.queryByRole('button', { name: /^Prikaži još/ })).toBeNull()
  })

  test('unfold in the list when they are pressed', async () => {
    const { store, user } = showLeagues()
    const leagueId = selectSportGroups(store.getState())[0]?.tournaments[1]?.leagueId ?? ''
    store.dispatch(sportFilterSet([1]))
    store.dispatch(sportToggled(1))
    store.dispatch(leagueToggled(leagueId))
    renderWithProviders(<SportRail narrow={false} />, { store })
    await user.click(await screen.findByTitle('Engleska, Liga 1'))
    expect(store.getState().view).toMatchObject({ collapsedSports: {}, collapsedLeagues: {} })
  })
})

test('the chips show the chosen sport, which may be out of view', () => {
  const { store } = show()
  store.dispatch(sportFilterSet([5]))
  const intoView = vi.spyOn(Element.prototype, 'scrollIntoView')
  renderWithProviders(<SportChips />, { store })
  expect(intoView.mock.contexts).toEqual([screen.getByRole('button', { name: /^Tenis/, pressed: true })])
  act(() => {
    store.dispatch(sportFilterSet([5, 1]))
  })
  expect(intoView.mock.contexts.at(-1)).toBe(screen.getByRole('button', { name: /^Nogomet/, pressed: true }))
})

test('the chips show the chosen filter by time, also one of a link', () => {
  const { store } = show()
  store.dispatch(sportFilterSet([5]))
  store.dispatch(pageOpened('ended'))
  const intoView = vi.spyOn(Element.prototype, 'scrollIntoView')
  renderWithProviders(<SportChips />, { store })
  expect(intoView.mock.contexts.at(-1)).toBe(screen.getByRole('button', { name: 'Upravo završeno', pressed: true }))
  act(() => {
    store.dispatch(sportFilterSet([5, 1]))
  })
  expect(intoView.mock.contexts.at(-1)).toBe(screen.getByRole('button', { name: /^Nogomet/, pressed: true }))
  act(() => {
    store.dispatch(pageOpened('starting'))
  })
  expect(intoView.mock.contexts.at(-1)).toBe(screen.getByRole('button', { name: 'Počinje uskoro', pressed: true }))
})
