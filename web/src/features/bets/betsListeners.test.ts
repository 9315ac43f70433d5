import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import hr from '../../../../config/translations/hr.json'
import { type AppDispatch, makeStore, type RootState } from '../../app/store'
import type { BetCause } from '../../domain/bet'
import { memberSeen } from '../../platform/account/accountSlice'
import { startAnnouncements } from '../../platform/notices/announcementsListeners'
import { selectAnnouncement, selectUrgentAnnouncement } from '../../platform/notices/announcementsSlice'
import type { NoteWorld } from '../../platform/notices/systemNotes'
import { betNotesTurned } from '../../platform/preferences/preferencesSlice'
import { readBet, readProgress } from '../../protocol/readBets'
import {
  ALL_RETURNED,
  aToldBet,
  aToldCashOut,
  aToldSettlement,
  type BetOptions,
  NOTHING_PAID,
} from '../../testing/betBuilders'
import { makeI18n } from '../../testing/makeI18n'
import { selectHasPlacementDialog } from '../placement/hasDialog'
import { addPlacement, confirmationAsked, confirmationDeclined } from '../placement/placementSlice'
import { type BetsWorld, GATHER_MS, startBets } from './betsListeners'
import { addBets, betChanged, betsReceived } from './betsSlice'

const i18n = makeI18n('hr', hr)
const notes = { isAllowed: vi.fn(() => true), show: vi.fn<NoteWorld['show']>() }
const isHidden = vi.fn(() => false)
const fetchBet = vi.fn<BetsWorld['fetchBet']>()
let store: ReturnType<typeof makeStore>
const stops: (() => void)[] = []

const settlement = aToldSettlement()
/** A half was cashed out. */
const HALF = { remaining: { bruto: '5.00', taxedStake: '4.75' }, cashOuts: [aToldCashOut()], cashOutRule: null }

/** A change of a bet, as decoded from the hub. */
function change(cause: BetCause, ticketId: string, fields: BetOptions) {
  const results = [{ result: 'won', settledAt: 5, factor: '1.85', reason: null }]
  const progress = readProgress({ ticketId, revision: 2, results, settlement: null, possible: null, ...fields })
  store.dispatch(betChanged({ cause, progress }))
}

/** The toasts, oldest first, without no-break spaces. */
const toasts = () =>
  store.getState().notices.notices.map(({ key, values }) => String(i18n.t(key, values)).replace(/\s/g, ' '))

beforeEach(() => {
  vi.useFakeTimers()
  vi.clearAllMocks()
  isHidden.mockReturnValue(false)
  notes.isAllowed.mockReturnValue(true)
  fetchBet.mockRejectedValue(new Error('not expected'))
  store = makeStore()
  addBets(store)
  addPlacement(store)
  const startListening = store.listeners.startListening.withTypes<RootState, AppDispatch>()
  stops.push(
    startBets(store, startListening, { i18n, notes, isHidden, fetchBet, hasDialog: selectHasPlacementDialog }),
    startAnnouncements(store, startListening),
  )
  store.dispatch(memberSeen({ name: 'ana', balance: '100.00', currency: 'EUR' }))
  store.dispatch(betsReceived(['A', 'B', 'C'].map((id) => readBet(aToldBet(id)))))
})

afterEach(() => {
  for (const stop of stops.splice(0)) {
    stop()
  }
  vi.useRealTimers()
})

describe('a toast and an urgent announcement', () => {
  it.each([
    ['settled', { state: 'won', settlement }, 'Listić A22-4M2X je dobitan: isplaćeno 16,77 €.'],
    ['settled', { state: 'lost', settlement: NOTHING_PAID }, 'Listić A22-4M2X nije dobitan.'],
    ['cashed_out', { state: 'open', ...HALF }, 'Listić A22-4M2X: prije kraja isplaćeno 7,24 €.'],
    ['settled', { state: 'void', settlement: ALL_RETURNED }, 'Listić A22-4M2X je poništen: vraćeno 10,00 €.'],
    [
      'corrected',
      { state: 'lost', settlement: NOTHING_PAID },
      'Ispravak: isplata listića A22-4M2X sada iznosi 0,00 €.',
    ],
    ['corrected', { state: 'open' }, 'Ispravak: listić A22-4M2X ponovno je otvoren, a obračun poništen.'],
  ] as const)('report a bet that is %s: %j', (cause, fields, text) => {
    change(cause, 'A', fields)
    vi.advanceTimersByTime(GATHER_MS)
    expect(toasts()).toEqual([text])
    const urgent = selectUrgentAnnouncement(store.getState())
    expect(urgent && String(i18n.t(urgent.key, urgent.values)).replace(/\s/g, ' ')).toBe(text)
    expect(selectAnnouncement(store.getState())).toBeNull()
  })

  it('do not report a single result, nor an older revision', () => {
    change('pair_decided', 'A', { state: 'open' })
    change('settled', 'A', { state: 'won', settlement, revision: 1 })
    vi.advanceTimersByTime(GATHER_MS)
    expect(toasts()).toEqual([])
  })

  it('report many bets together', () => {
    for (const id of ['A', 'B', 'C']) {
      change('settled', id, { state: 'won', settlement })
    }
    vi.advanceTimersByTime(GATHER_MS)
    expect(toasts()).toEqual(['Riješena su 3 listića, ukupno isplaćeno 50,31 €.'])
  })

  it('wait until the confirmation is closed', () => {
    store.dispatch(confirmationAsked(0))
    change('settled', 'A', { state: 'won', settlement })
    vi.advanceTimersByTime(10 * GATHER_MS)
    expect(toasts()).toEqual([])
    store.dispatch(confirmationDeclined())
    expect(toasts()).toHaveLength(1)
  })

  it('report a bet that was settled before the page was opened and is corrected now', async () => {
    const bet = readBet(aToldBet('X', { state: 'lost', settlement: NOTHING_PAID, revision: 5 }))
    fetchBet.mockResolvedValue({ bet, settlements: [] })
    change('corrected', 'X', { state: 'lost', settlement: NOTHING_PAID, revision: 5 })
    await vi.advanceTimersByTimeAsync(GATHER_MS)
    expect(fetchBet).toHaveBeenCalledWith('X', 'hr', expect.anything())
    expect(toasts()).toEqual(['Ispravak: isplata listića X22-4M2X sada iznosi 0,00 €.'])
  })

  it('report bets that were settled while the connection was lost', async () => {
    const bet = readBet(aToldBet('A', { state: 'won', settlement, revision: 2 }))
    fetchBet.mockResolvedValueOnce({ bet, settlements: [] })
    store.dispatch(betsReceived(['B', 'C'].map((id) => readBet(aToldBet(id)))))
    await vi.advanceTimersByTimeAsync(GATHER_MS)
    expect(toasts()).toEqual(['Listić A22-4M2X je dobitan: isplaćeno 16,77 €.'])
    expect(store.getState().bets.held['A']?.state).toBe('won')
  })
})

describe('a system notification', () => {
  it('reports a settled bet while the page is hidden, if it is switched on', () => {
    isHidden.mockReturnValue(true)
    store.dispatch(betNotesTurned(true))
    change('settled', 'A', { state: 'lost', settlement: NOTHING_PAID })
    vi.advanceTimersByTime(GATHER_MS)
    const note = { body: 'Listić A22-4M2X nije dobitan.', tag: 'bet-A', href: '/?view=bets' }
    expect(notes.show.mock.calls).toEqual([['Moje oklade', note]])
  })

  it.each([
    [true, false, true],
    [false, true, true],
    [true, true, false],
  ])('does not otherwise: hidden %s, switched on %s, allowed %s', (hidden, on, allowed) => {
    isHidden.mockReturnValue(hidden)
    notes.isAllowed.mockReturnValue(allowed)
    store.dispatch(betNotesTurned(on))
    change('settled', 'A', { state: 'lost', settlement: NOTHING_PAID })
    vi.advanceTimersByTime(GATHER_MS)
    expect(notes.show).not.toHaveBeenCalled()
  })
})
