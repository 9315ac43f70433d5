import { act, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { sportFilterToggled } from '../../platform/preferences/preferencesSlice'
import '../../platform/offer/ownOrder'
import { pageOpened } from '../../platform/view/viewSlice'
import { aMatch, anOffer, aSport } from '../../testing/builders'
import { renderWithProviders, storeWith } from '../../testing/renderWithProviders'
import { aRowChange, tell } from '../../testing/tell'
import { widen } from '../../testing/viewport'
import { OfferPage } from './OfferPage'

beforeEach(() => widen(1440))

test('the heading counts what the filter shows', () => {
  const matches = [aMatch({ id: 1 }), aMatch({ id: 2 })]
  const store = storeWith(
    anOffer([aSport({ id: 1, matches }), aSport({ id: 2, matches: [aMatch({ id: 3, sportId: 2 })] })]),
  )
  renderWithProviders(<OfferPage isShown />, { store })
  expect(screen.getByText('3 utakmice, 2 sporta')).toBeTruthy()
  act(() => {
    store.dispatch(sportFilterToggled(1))
  })
  expect(screen.getByText('2 utakmice, 1 sport')).toBeTruthy()
})

test('the order is chosen by keys, and has a name for screen readers', async () => {
  const user = userEvent.setup()
  const matches = [
    aMatch({ id: 1, home: 'Rijeka', numberOfOdds: 10 }),
    aMatch({ id: 2, home: 'Zadar', numberOfOdds: 90 }),
  ]
  const store = storeWith(anOffer([aSport({ id: 1, matches })]))
  renderWithProviders(<OfferPage isShown />, { store })
  screen.getByRole('button', { name: 'Poredak: Po ligama' }).focus()
  await user.keyboard('{ArrowDown}{End}{Enter}')
  expect(screen.getByRole('button', { name: 'Poredak: Po broju kvota' })).toBe(document.activeElement)
  expect(store.getState().preferences.sort).toBe('odds')
  const names = screen.getAllByRole('rowheader', { name: / – / }).map(({ textContent }) => textContent)
  expect(names).toEqual(['Zadar – Hajduk Split', 'Rijeka – Hajduk Split'])
})

test('an order without a text is not offered', async () => {
  renderWithProviders(<OfferPage isShown />, { store: storeWith(anOffer([aSport({ matches: [aMatch()] })])) })
  await userEvent.click(screen.getByRole('button', { name: 'Poredak: Po ligama' }))
  const names = screen.getAllByRole('option').map(({ textContent }) => textContent)
  expect(names.slice(0, 3)).toEqual(['Po ligama', 'Po vremenu igre', 'Po početku'])
  expect(names.join()).not.toContain('sort_')
})

test('the matches that start soon are shown alone, until they have started', () => {
  const at = (text: string) => ({ status: 'not_started', clock: { kind: 'text', text } }) as const
  const nine = new Date('2026-05-13T21:00:00').getTime()
  const matches = [
    aMatch({ id: 1, home: 'Rijeka', ...at('21:45') }),
    aMatch({ id: 2, home: 'Split', ...at('22:30') }),
    aMatch({ id: 3, home: 'Zadar' }),
  ]
  const store = storeWith({ ...anOffer([aSport({ id: 1, matches })]), dateMs: nine })
  store.dispatch(pageOpened('starting'))
  renderWithProviders(<OfferPage isShown />, { store })
  expect(screen.getByRole('heading', { level: 1, name: 'Počinje uskoro' })).toBeTruthy()
  expect(screen.getAllByRole('rowheader', { name: / – / }).map(({ textContent }) => textContent)).toEqual([
    'Rijeka – Hajduk Split',
  ])
  tell(store, aRowChange(1, { fields: { status: 'first_half' } }))
  expect(screen.getByRole('heading', { level: 2, name: 'Uskoro ne počinje nijedna utakmica' })).toBeTruthy()
})
