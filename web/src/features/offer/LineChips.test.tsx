import { act, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, test } from 'vitest'
import { framesApplied } from '../../platform/offer/offerSlice'
import { applyMessages } from '../../protocol/applyFrame'
import type { OfferMessage, ToldMatch } from '../../protocol/frames'
import { aMatch, anOdd, anOffer, aSport, aTotal } from '../../testing/builders'
import { renderWithProviders, storeWith } from '../../testing/renderWithProviders'
import { widen } from '../../testing/viewport'
import { OfferList } from './OfferList'
import './LineChips'

const aLine = (sbv: string, first: number, balanced = false) =>
  aTotal(sbv, {
    id: first * 10,
    balanced,
    odds: [anOdd({ id: first, type: 'Manje' }), anOdd({ id: first + 1, type: 'Više' })],
  })

/** The total of one team is another ladder of the same type. */
const ofTeam = aTotal('0.5', { name: 'Ukupno golova domaćina', odds: [anOdd({ id: 191 })] })
const match = aMatch({ id: 11, home: 'Rijeka', away: 'Osijek', markets: [aLine('2.5', 121, true)] })
const whole = { ...match, markets: [aLine('3.5', 131), aLine('2.5', 121, true), aLine('1.5', 111), ofTeam] }

const withoutIt: OfferMessage = {
  kind: 'detail',
  matchId: 11,
  revision: 2,
  layout: [1210, 1310],
  markets: [aLine('3.5', 131)],
  ball: null,
}

function show({ opened = [whole] }: { opened?: readonly ToldMatch[] } = {}) {
  const store = storeWith(anOffer([aSport({ id: 1, matches: [match] })]), { opened })
  renderWithProviders(<OfferList isShown />, { store })
  return { store, user: userEvent.setup() }
}

const row = () => within(screen.getByRole('row', { name: /Rijeka/ }))
const line = (text: string) => row().getByRole('button', { name: `Granica ${text}, prikaži druge` })
const chips = () => [...document.querySelectorAll('[data-cell^="line-1-"]')].map(({ textContent }) => textContent)
const odds = () => [...document.querySelectorAll('[data-odd-id]')].map((odd) => Number(odd.getAttribute('data-odd-id')))

beforeEach(() => widen(1440))

describe('the lines of a row', () => {
  test('are shown in place of its odds, lowest first, and one of them replaces the balanced one', async () => {
    const { user } = show()
    expect(odds()).toEqual([121, 122])
    await user.click(line('2.5'))
    expect(line('2.5').getAttribute('aria-expanded')).toBe('true')
    expect([odds(), chips()]).toEqual([[], ['1.5', '3.5']])
    await user.click(row().getByRole('button', { name: '1.5' }))
    expect([odds(), chips()]).toEqual([[111, 112], []])
    expect(document.activeElement).toBe(line('1.5'))
    expect(row().getByRole('button', { name: /Ukupno golova, 1.5, Manje/ })).toBeTruthy()
  })

  test('lead back to the balanced one', async () => {
    const { user, store } = show()
    await user.click(line('2.5'))
    await user.click(row().getByRole('button', { name: '3.5' }))
    await user.click(line('3.5'))
    await user.click(row().getByRole('button', { name: '2.5' }))
    expect([odds(), store.getState().view.lines]).toEqual([[121, 122], []])
  })

  test('are reached by arrows and left by Escape', async () => {
    const { user } = show()
    line('2.5').focus()
    await user.keyboard('{Enter}{ArrowRight}{ArrowRight}')
    expect(document.activeElement?.textContent).toBe('3.5')
    await user.keyboard('{Escape}')
    expect(document.activeElement).toBe(line('2.5'))
    expect(odds()).toEqual([121, 122])
  })

  test('show and say which are suspended, and their odds are locked', async () => {
    const markets = whole.markets.map((market) => ({ ...market, isSuspended: market.sbv === '3.5' }))
    const { user } = show({ opened: [{ ...whole, markets }] })
    await user.click(line('2.5'))
    expect(row().getByRole('button', { name: '1.5' })).toBeTruthy()
    await user.click(row().getByRole('button', { name: /^3.5.*zaključano$/ }))
    expect(odds()).toEqual([131, 132])
    const odd = document.querySelector('[data-odd-id="131"]')
    expect(odd?.getAttribute('data-state')).toBe('locked')
    expect(odd?.getAttribute('aria-label')).toBe('Rijeka – Osijek, Ukupno golova, 3.5, Manje, zaključano, 1.85')
  })

  test('come when the match has sent them', async () => {
    const { user } = show({ opened: [] })
    await user.click(line('2.5'))
    expect(row().getByText('…').getAttribute('aria-busy')).toBe('true')
  })

  test('are none where the market has one line', async () => {
    const { user } = show({ opened: [match] })
    await user.click(line('2.5'))
    expect(row().getByText('Nema drugih granica')).toBeTruthy()
  })
})

test('a line that is offered no more gives way to the balanced one', async () => {
  const { store, user } = show()
  await user.click(line('2.5'))
  await user.click(row().getByRole('button', { name: '1.5' }))
  const { offer } = store.getState()
  act(() => {
    store.dispatch(framesApplied(applyMessages(offer, [withoutIt], new Set([11]))))
  })
  expect(odds()).toEqual([121, 122])
})
