import { act, screen } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { sportFilterToggled } from '../../platform/preferences/preferencesSlice'
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
