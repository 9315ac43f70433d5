import { act, fireEvent, screen } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { afterPaint } from '../../components/answerFirst'
import { matchOpened } from '../../platform/view/viewSlice'
import { aMatch, anOffer, aSport, aTotal } from '../../testing/builders'
import { renderWithProviders, storeWith } from '../../testing/renderWithProviders'
import { MarketCard } from './MarketCard'
import { MatchPage } from './MatchPage'

const MATCH = aMatch({ id: 17, home: 'Rijeka', away: 'Osijek' })

let openMatchId: () => number | null

beforeEach(() => {
  const store = storeWith(anOffer([aSport({ matches: [MATCH] })]), { opened: [MATCH] })
  store.dispatch(matchOpened(17))
  renderWithProviders(
    <>
      <main>
        <MatchPage matchId={17} />
      </main>
      <input aria-label="elsewhere" />
    </>,
    { store },
  )
  openMatchId = () => store.getState().view.openMatchId
})

test.each([
  ['in the match', () => screen.getByRole('heading', { level: 1 })],
  ['on the page around it, where a click on nothing leaves the focus', () => screen.getByRole('main')],
  ['nowhere', () => document.body],
])('Escape leads back to the list with the focus %s', async (_, target) => {
  fireEvent.keyDown(target(), { key: 'Escape' })
  await act(painted)
  expect(openMatchId()).toBe(null)
})

test('the heading of a market with one line is read as two words', () => {
  const market = aTotal('2.5', { id: 170, name: 'Ukupno kornera' })
  const store = storeWith(anOffer([aSport({ matches: [MATCH] })]), { opened: [{ ...MATCH, markets: [market] }] })
  const group = { key: '18', name: 'Ukupno kornera', marketIds: [170] }
  renderWithProviders(<MarketCard matchId={17} group={group} />, { store })
  expect(screen.getByRole('heading', { name: 'Ukupno kornera 2.5' })).toBeTruthy()
})

test('Escape elsewhere, or taken by something in the match, does not', async () => {
  fireEvent.keyDown(screen.getByRole('textbox'), { key: 'Escape' })
  const back = screen.getByRole('button', { name: 'Natrag na ponudu' })
  back.addEventListener('keydown', (event) => event.preventDefault())
  fireEvent.keyDown(back, { key: 'Escape' })
  await act(painted)
  expect(openMatchId()).toBe(17)
})

/** Resolves after all work that is scheduled for after the next paint. */
function painted(): Promise<void> {
  return new Promise(afterPaint)
}
