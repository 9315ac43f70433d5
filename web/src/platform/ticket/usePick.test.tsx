import { act, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { OddsButton } from '../../components/OddsButton'
import type { Exclusion } from '../../domain/exclusion'
import { readMarket } from '../../protocol/readEntities'
import { aMatch, anOffer, aSport } from '../../testing/builders'
import { renderWithProviders, storeWith } from '../../testing/renderWithProviders'
import { aRowChange, tell } from '../../testing/tell'
import { aPair, aTicket } from '../../testing/ticketBuilders'
import { addProtection, exclusionEnded, exclusionStarted } from '../account/protectionSlice'
import { ticketReceived } from '../connection/hubMessages'
import { useOddView } from '../offer/useOddView'
import { usePick } from './usePick'

function Pick() {
  const pick = usePick()
  return (
    <button type="button" onClick={() => pick(17, 101)}>
      pick
    </button>
  )
}

const NONE = null

it.each([
  ['nothing', NONE],
  ['0', 0],
  ['4', 4],
])('a market of subtype %s is on the ticket as that', async (_, subtype) => {
  // The fields as on the wire: id, name, short, special, sbv, type, subtype, order, odds.
  const market = readMarket([100, 'Ishod', NONE, NONE, NONE, 1, subtype, 0, [[101, '1', 1850]]])
  const store = storeWith(anOffer([aSport({ matches: [aMatch({ id: 17, markets: [market] })] })]))
  renderWithProviders(<Pick />, { store })
  await userEvent.click(screen.getByRole('button'))
  const wish = store.getState().ticket.wishes.at(-1)?.wish
  expect(wish).toMatchObject({ wish: 'pick', pair: { marketType: 1, marketSubType: subtype } })
})

it.each([
  ['1', null, null, '1'],
  ['Više', 'over', 'Više od 2.5', 'Više'],
  ['3', '2', 'Burnley', 'Burnley'],
  ['12', 'over', 'Više 2.5', 'Više 2.5'],
  ['sr:player:947', 'Barnard', 'Lee Barnard', 'Lee Barnard'],
])('the odd %s, %s, %s is on the ticket as %s before the server answers', async (type, alias, description, name) => {
  const market = readMarket([100, 'Ishod', NONE, NONE, NONE, 1, NONE, 0, [[101, type, 1850]]])
  const odds = market.odds.map((odd) => ({ ...odd, alias, description }))
  const store = storeWith(anOffer([aSport({ matches: [aMatch({ id: 17, markets: [{ ...market, odds }] })] })]))
  renderWithProviders(<Pick />, { store })
  await userEvent.click(screen.getByRole('button'))
  expect(store.getState().ticket.wishes.at(-1)?.wish).toMatchObject({ pair: { oddName: name, oddType: type } })
})

const OPEN = [100, 'Ishod', NONE, NONE, NONE, 1, 0, 0, [[101, '1', 1.85]], NONE, NONE, NONE]

function Odd() {
  const view = useOddView(17, 101)
  const pick = usePick()
  return view && <OddsButton {...view} onPress={() => pick(17, 101)} />
}

describe('a market that is suspended', () => {
  function show() {
    const suspended = readMarket([...OPEN, -1])
    const store = storeWith(anOffer([aSport({ matches: [aMatch({ id: 17, markets: [suspended] })] })]))
    renderWithProviders(<Odd />, { store })
    return { store, button: screen.getByRole('button'), user: userEvent.setup() }
  }
  const reopen = (store: ReturnType<typeof show>['store']) =>
    tell(store, aRowChange(17, { markets: { order: null, told: [readMarket(OPEN)] } }))
  const onTicket = aPair({ matchId: 17, oddId: 101, canBet: false, reason: 'market_suspended' })

  it('keeps its price and is locked, and no press or key picks it until it is open again', async () => {
    const { store, button, user } = show()
    expect(button.getAttribute('aria-label')).toBe('1, zaključano, 1.85')
    expect(button.dataset['state']).toBe('locked')
    expect(button.getAttribute('aria-disabled')).toBe('true')
    expect(button.getAttribute('aria-pressed')).toBeNull()
    await user.click(button)
    button.focus()
    await user.keyboard('{Enter} ')
    expect(store.getState().ticket.wishes).toEqual([])
    reopen(store)
    expect(button.getAttribute('aria-label')).toBe('1, kvota 1.85')
    expect(button.getAttribute('aria-disabled')).toBeNull()
    await user.click(button)
    expect(store.getState().ticket.wishes.at(-1)?.wish).toMatchObject({ wish: 'pick', pair: { oddId: 101 } })
  })

  it('an odd of it on the ticket stays selected and can be taken from it', async () => {
    const { store, button, user } = show()
    act(() => void store.dispatch(ticketReceived(aTicket({ pairs: [onTicket] }))))
    expect(button.getAttribute('aria-pressed')).toBe('true')
    expect(button.getAttribute('aria-disabled')).toBeNull()
    await user.click(button)
    expect(store.getState().ticket.wishes.at(-1)?.wish).toEqual({ wish: 'drop', matchId: 17 })
    expect(button.getAttribute('aria-pressed')).toBeNull()
    expect(button.getAttribute('aria-disabled')).toBe('true')
  })
})

describe('during an exclusion', () => {
  const market = readMarket(OPEN)

  function show(exclusion: Exclusion) {
    const store = storeWith(anOffer([aSport({ matches: [aMatch({ id: 17, markets: [market] })] })]))
    addProtection(store)
    renderWithProviders(<Odd />, { store })
    const button = screen.getByRole('button')
    expect(button.getAttribute('aria-disabled')).toBeNull()
    act(() => void store.dispatch(exclusionStarted(exclusion)))
    return { store, button, user: userEvent.setup() }
  }

  it.each([
    [{ kind: 'time_out', until: 9_999_999_999_999 }, 'Pauza od klađenja traje', 'barred_time_out'],
    [{ kind: 'self_exclusion', until: null }, 'Isključenje iz klađenja traje', 'barred_self_exclusion'],
  ])('%j no odd is picked by a press or a key, and the button says why', async (exclusion, reason, notice) => {
    const { store, button, user } = show(exclusion)
    expect(button.getAttribute('aria-disabled')).toBe('true')
    expect(button.getAttribute('aria-label')).toBe(`1, ${reason}, 1.85`)
    await user.click(button)
    button.focus()
    await user.keyboard('{Enter} ')
    expect(store.getState().ticket.wishes).toEqual([])
    expect(new Set(store.getState().notices.notices.map(({ key }) => key))).toEqual(new Set([notice]))
    act(() => void store.dispatch(exclusionEnded()))
    expect(button.getAttribute('aria-disabled')).toBeNull()
    await user.click(button)
    expect(store.getState().ticket.wishes).toHaveLength(1)
  })

  it('a picked odd can still be taken from the ticket', async () => {
    const { store, button, user } = show({ kind: 'time_out', until: null })
    act(() => void store.dispatch(ticketReceived(aTicket({ pairs: [aPair({ matchId: 17, oddId: 101 })] }))))
    await user.click(button)
    expect(store.getState().ticket.wishes.at(-1)?.wish).toEqual({ wish: 'drop', matchId: 17 })
  })
})
