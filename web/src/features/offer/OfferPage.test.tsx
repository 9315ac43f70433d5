import { act, screen } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { sportFilterToggled } from '../../platform/preferences/preferencesSlice'
import { aMatch, anOffer, aSport } from '../../testing/builders'
import { renderWithProviders, storeWith } from '../../testing/renderWithProviders'
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
