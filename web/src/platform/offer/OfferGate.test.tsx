import { act, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { useAppSelector } from '../../app/hooks'
import type { AppStore, RootState } from '../../app/store'
import { aMatch, anOffer, aSport } from '../../testing/builders'
import { renderWithProviders, storeWith } from '../../testing/renderWithProviders'
import { aRowChange, tell } from '../../testing/tell'
import { shortcutsTurned } from '../preferences/preferencesSlice'
import { matchFacts, OfferGate, UnseenGate } from './OfferGate'
import { selectMatch } from './offerSelectors'

afterEach(() => {
  vi.useRealTimers()
})

const offer = () => anOffer([aSport({ matches: [aMatch({ id: 1, score: [0, 0] }), aMatch({ id: 2, score: [0, 0] })] })])
let asked = 0

function change(store: AppStore, id: number, score: [number, number], follows = 1) {
  tell(store, aRowChange(id, { fields: { score } }, follows))
}

function Scores() {
  const scores = useAppSelector((state) => {
    asked += 1
    return [1, 2].map((id) => selectMatch(state, id)?.score?.join(':')).join(' ')
  })
  return <p>{scores}</p>
}

const factsOfFirst = (state: RootState) => matchFacts(state, 1, [])

test('children of a gate are asked when their match or something else than the offer has changed', () => {
  const store = storeWith(offer())
  renderWithProviders(
    <OfferGate facts={factsOfFirst}>
      <Scores />
    </OfferGate>,
    { store },
  )
  asked = 0
  change(store, 2, [0, 1])
  expect(asked).toBe(0)
  change(store, 1, [1, 0])
  expect(screen.getByText('1:0 0:1')).toBeTruthy()
  asked = 0
  act(() => void store.dispatch(shortcutsTurned(false)))
  expect(asked).toBeGreaterThan(0)
})

test('what is out of sight hears of changes once a second, and at once when it is shown again', () => {
  vi.useFakeTimers()
  const store = storeWith(offer())
  const page = (isShown: boolean) => (
    <UnseenGate isShown={isShown}>
      <Scores />
    </UnseenGate>
  )
  const { rerender } = renderWithProviders(page(false), { store })
  asked = 0
  for (const score of [1, 2, 3]) {
    change(store, 1, [score, 0], score)
  }
  expect(asked).toBe(0)
  act(() => void vi.advanceTimersByTime(1000))
  expect(screen.getByText('3:0 0:0')).toBeTruthy()
  change(store, 1, [4, 0], 4)
  expect(screen.getByText('3:0 0:0')).toBeTruthy()
  rerender(page(true))
  expect(screen.getByText('4:0 0:0')).toBeTruthy()
  change(store, 1, [5, 0], 5)
  expect(screen.getByText('5:0 0:0')).toBeTruthy()
})
