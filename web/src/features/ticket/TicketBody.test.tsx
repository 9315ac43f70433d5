import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { makeStore } from '../../app/store'
import type { TicketChoice, TicketPair, TicketType } from '../../domain/ticket/ticket'
import { memberSeen, strangerSeen } from '../../platform/account/accountSlice'
import { BARRED_ID } from '../../platform/account/ExclusionLine'
import { addProtection, exclusionStarted } from '../../platform/account/protectionSlice'
import { ticketReceived } from '../../platform/connection/hubMessages'
import { addKeptTicket, pairsLost } from '../../platform/ticket/keptTicketSlice'
import { addSingles, singlesTurned } from '../../platform/ticket/singlesSlice'
import { selectChoice } from '../../platform/ticket/ticketSelectors'
import { renderWithProviders } from '../../testing/renderWithProviders'
import { aPair, aTicket } from '../../testing/ticketBuilders'
import { TicketPanel } from './TicketPanel'

const PAIR = aPair({ oddValue: 2000 })
const SLOTS = { placeButton: null, onPlace: () => undefined, onShare: () => undefined }

it.each<[string, Partial<TicketChoice>, RegExp]>([
  ['a single', { pairs: [PAIR] }, /^\d+,\d\d\s€$/],
  ['a system of one pair', { pairs: [PAIR], type: 1 }, /^\d+,\d\d\s€$/],
  ['a system without a chosen combination', { pairs: [PAIR, aPair({})], type: 1 }, /^–$/],
])('the payout of %s is an amount only if it can be calculated', (_, choice, payout) => {
  const store = makeStore()
  store.dispatch(ticketReceived(aTicket({ stake: '10.00', ...choice })))
  const { container } = renderWithProviders(<TicketPanel slots={SLOTS} />, { store })
  expect(container.querySelector('[data-payout]')?.textContent).toMatch(payout)
})

describe('a system of one pair', () => {
  function show(pairs: TicketPair[], type: TicketType) {
    const store = makeStore()
    store.dispatch(ticketReceived(aTicket({ stake: '10.00', pairs, type })))
    renderWithProviders(<TicketPanel slots={SLOTS} />, { store })
    return store
  }

  it('is a standard ticket', () => {
    show([PAIR], 1)
    expect(screen.getByRole('tab', { name: 'Standardni', selected: true })).toBeTruthy()
    expect(screen.queryByText(/Za sistem su potrebna/)).toBeNull()
  })

  it('is chosen, and says that it begins with two pairs', async () => {
    const store = show([PAIR], 0)
    await userEvent.click(screen.getByRole('tab', { name: 'Sistem' }))
    expect(store.getState().notices.notices.map(({ key }) => key)).toEqual(['systemFromTwo'])
    expect(selectChoice(store.getState()).type).toBe(1)
    expect(screen.getByRole('tab', { name: 'Standardni', selected: true })).toBeTruthy()
  })
})

describe('before a login', () => {
  it('no tax is shown as zero', async () => {
    const store = makeStore()
    store.dispatch(strangerSeen())
    store.dispatch(ticketReceived(aTicket({ stake: '1.00', pairs: [aPair({ oddValue: 2200 })] })))
    renderWithProviders(<TicketPanel slots={SLOTS} />, { store })
    const turn = screen.getByRole('button', { name: 'Porezi i dobitak' })
    if (turn.getAttribute('aria-expanded') === 'false') {
      await userEvent.click(turn)
    }
    expect(screen.getByText('Moguća isplata, prije poreza').parentElement?.textContent).toMatch(/2,20\s€$/)
    expect(screen.getByText('Porez na uplatu').nextElementSibling?.textContent).toBe('nakon prijave')
    expect(screen.getByText('Porez na dobitak').nextElementSibling?.textContent).toBe('nakon prijave')
    expect(screen.queryByText(/0,00/)).toBeNull()
  })
})

it('the pairs that were lost with their matches are named in the empty ticket', async () => {
  const store = makeStore()
  addKeptTicket(store)
  store.dispatch(ticketReceived(aTicket({})))
  store.dispatch(
    pairsLost([aPair({ home: 'Rijeka', away: 'Osijek' }), aPair({ home: 'Zadar', away: 'Cibona', oddName: 'X' })]),
  )
  renderWithProviders(<TicketPanel slots={SLOTS} />, { store })
  expect(screen.getByText('Ovih parova više nema u ponudi:')).toBeTruthy()
  expect(screen.getByText('Rijeka (Rijeka – Osijek)')).toBeTruthy()
  expect(screen.getByText('Neriješeno (Zadar – Cibona)')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'U redu' }))
  expect(screen.queryByText('Ovih parova više nema u ponudi:')).toBeNull()
})

describe('during an exclusion', () => {
  function show(pairs: TicketPair[], isSingles = false, type: TicketType = 0) {
    const store = makeStore()
    addProtection(store)
    addSingles(store)
    store.dispatch(memberSeen({ name: 'ana', balance: '100.00', currency: 'EUR' }))
    store.dispatch(ticketReceived(aTicket({ stake: '10.00', pairs, type })))
    store.dispatch(singlesTurned(isSingles))
    const view = renderWithProviders(<TicketPanel slots={SLOTS} />, { store })
    const exclude = () => act(() => void store.dispatch(exclusionStarted({ kind: 'time_out', until: null })))
    return { ...view, store, exclude }
  }
  const isOff = (control: HTMLElement) => control.closest('[disabled]') !== null
  const controls = () => [
    ...screen.getAllByRole('textbox'),
    ...within(screen.getByRole('group', { name: 'Dodaj uplati' })).getAllByRole('button'),
    screen.getByRole('checkbox', { name: 'Uplata jednim pritiskom' }),
    screen.getByRole('combobox'),
  ]

  it.each([false, true])('stake, consent, one press and payout are off (singles: %s)', (isSingles) => {
    const { exclude, container } = show([PAIR], isSingles)
    expect(controls().filter((each) => isOff(each))).toEqual([])
    exclude()
    expect(controls().filter((each) => !isOff(each))).toEqual([])
    expect(container.querySelector('[data-payout]')).toBe(null)
  })

  it.each<TicketType>([0, 1])('its sums show no win, before or after taxes (type %i)', async (type) => {
    const { exclude } = show([PAIR, aPair({})], false, type)
    exclude()
    const turn = screen.getByRole('button', { name: /Porezi i dobitak/ })
    if (turn.getAttribute('aria-expanded') === 'false') {
      expect(turn.textContent).toBe('Porezi i dobitak')
      await userEvent.click(turn)
    }
    expect(screen.getByText(/^Porez na uplatu/)).toBeTruthy()
    expect(screen.queryByText(/dobitak/i, { selector: 'dt' })).toBe(null)
  })

  it.each([false, true])('what is off is described by the line with the reason (singles: %s)', (isSingles) => {
    const { exclude } = show([PAIR], isSingles)
    const described = () =>
      [...screen.getAllByRole('textbox'), ...screen.getAllByRole('combobox'), ...steps()].map((each) =>
        each.getAttribute('aria-describedby'),
      )
    const steps = () => [/^Smanji/, /^Povećaj/].map((name) => screen.getByRole('button', { name }))
    expect(new Set(described())).toEqual(new Set([null]))
    exclude()
    expect(new Set(described())).toEqual(new Set([BARRED_ID]))
  })

  it('its pairs can be removed, and it can be cleared', async () => {
    const { store, exclude } = show([PAIR, aPair({})])
    exclude()
    await userEvent.click(screen.getAllByRole('button', { name: /^Ukloni/ })[0] as HTMLElement)
    expect(selectChoice(store.getState()).pairs).toHaveLength(1)
    await userEvent.click(screen.getByRole('button', { name: 'Obriši sve parove' }))
    expect(selectChoice(store.getState()).pairs).toEqual([])
  })
})
