import { act, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest'
import hr from '../../../../config/translations/hr.json'
import type { AppDispatch, RootState } from '../../app/store'
import { alertTurned, priceAlertSet, selectAlerts } from '../../platform/alerts/alertsSlice'
import type { NoteWorld } from '../../platform/notices/systemNotes'
import { offerAbsent, offerLoaded } from '../../platform/offer/offerSlice'
import type { ToldMatch } from '../../protocol/frames'
import { loadOffer } from '../../protocol/loadOffer'
import { aMarket, aMatch, anOdd, anOffer, aSport } from '../../testing/builders'
import { makeI18n } from '../../testing/makeI18n'
import { renderWithProviders, storeWith } from '../../testing/renderWithProviders'
import { aRowChange, tell } from '../../testing/tell'
import { AlertBell } from './AlertBell'
import { startAlerts } from './alertsListeners'

const market = aMarket({ id: 50, odds: [anOdd({ id: 501, type: '1', value: 1850 })] })
const soccer = (fields: Partial<ToldMatch> = {}) =>
  aMatch({ id: 17, home: 'Split', away: 'Zadar', score: [1, 0], redCards: [0, 0], markets: [market], ...fields })
const tennis = (fields: Partial<ToldMatch> = {}) =>
  aMatch({ id: 51, home: 'Ana', away: 'Eva', status: 'set_1', score: [0, 0], ...fields })
const offerOf = (...matches: ToldMatch[]) =>
  anOffer([
    aSport({ id: 1, matches: matches.filter(({ id }) => id === 17) }),
    aSport({ id: 5, name: 'Tenis', matches: matches.filter(({ id }) => id !== 17) }),
  ])

function storage(text: string | null = null) {
  const held = new Map(text === null ? [] : [['cn-alerts', text]])
  return {
    getItem: (key: string) => held.get(key) ?? null,
    setItem: (key: string, to: string) => void held.set(key, to),
  }
}

let stop: () => void = () => undefined

function start({ kept = storage(), matches = [soccer(), tennis()], isHidden = false, isAllowed = true } = {}) {
  const store = storeWith(offerOf(...matches))
  const show = vi.fn<NoteWorld['show']>()
  stop = startAlerts(store, store.listeners.startListening.withTypes<RootState, AppDispatch>(), {
    i18n: makeI18n('hr', hr),
    notes: { isAllowed: () => isAllowed, show },
    isHidden: () => isHidden,
    storage: kept,
  })
  const notices = () => store.getState().notices.notices.map(({ values }) => `${values['what']}: ${values['of']}`)
  const turn = (matchId: number, ...kinds: Parameters<typeof alertTurned>[0]['kind'][]) => {
    for (const kind of kinds) {
      store.dispatch(alertTurned({ matchId, kind, isOn: true }))
    }
  }
  return { store, show, notices, kept, turn }
}

afterEach(() => stop())

describe('an alert', () => {
  it('for the start is given once', () => {
    const { store, notices, turn } = start({ matches: [soccer({ status: 'not_started', score: null })] })
    turn(17, 'kickOff')
    tell(store, aRowChange(17, { fields: { status: 'first_half' } }))
    expect(notices()).toEqual(['Početak utakmice: Split – Zadar'])
    expect(selectAlerts(store.getState()).matches).toEqual({})
  })

  it('for the end of a set is given at each end, and not when a match stands still', () => {
    const { store, notices, turn } = start()
    turn(51, 'period')
    tell(store, aRowChange(51, { fields: { status: 'interrupted' } }))
    tell(store, aRowChange(51, { fields: { status: 'set_1' } }, 2))
    expect(notices()).toEqual([])
    tell(store, aRowChange(51, { fields: { status: 'set_2', score: [1, 0] } }, 3))
    tell(store, aRowChange(51, { fields: { status: 'ended', score: [2, 0] } }, 4))
    expect(notices()).toEqual(['Kraj seta: Ana – Eva 1:0', 'Kraj seta: Ana – Eva 2:0'])
  })

  it('for a red card and for a goal', () => {
    const { store, notices, turn } = start()
    turn(17, 'redCard', 'goal')
    tell(store, aRowChange(17, { fields: { redCards: [0, 1] } }))
    tell(store, { kind: 'goal', matchId: 17, side: 1 })
    tell(store, aRowChange(17, { fields: { redCards: [0, 1], corners: [1, 1] } }, 2))
    expect(notices()).toEqual(['Crveni karton: Split – Zadar 1:0', 'Gol: Split – Zadar 1:0'])
  })

  it('is given for what happened while the connection was lost', () => {
    const { store, notices, turn } = start()
    turn(17, 'redCard')
    store.dispatch(offerAbsent())
    const offer = loadOffer(offerOf(soccer({ redCards: [1, 0] })))
    store.dispatch(offerLoaded({ offer, feed: 'active', dateMs: null }))
    expect(notices()).toEqual(['Crveni karton: Split – Zadar 1:0'])
  })

  it.each([
    ['reached from below', 1900, true, 1950],
    ['reached from above', 1800, false, 1790],
  ])('for a price %s is given once', (_, target, rises, value) => {
    const { store, notices } = start()
    store.dispatch(priceAlertSet({ matchId: 17, oddId: 501, target, rises }))
    tell(store, aRowChange(17, { prices: [[0, 0]] }))
    tell(store, aRowChange(17, { prices: [[0, 1860]] }, 2))
    expect(notices()).toEqual([])
    tell(store, aRowChange(17, { prices: [[0, value]] }, 3))
    expect(notices()).toEqual([`Kvota ${(value / 1000).toFixed(2)}: 1, Konačan ishod, Split – Zadar`])
    expect(selectAlerts(store.getState()).prices).toEqual([])
  })

  it('is a notification of the system while the page is hidden, if the browser allows it', () => {
    const allowed = start({ isHidden: true })
    allowed.turn(17, 'redCard')
    tell(allowed.store, aRowChange(17, { fields: { redCards: [1, 0] } }))
    expect(allowed.show.mock.calls).toEqual([
      ['Crveni karton', { body: 'Split – Zadar 1:0', tag: 'redCard-17', href: '/?match=17' }],
    ])
    expect(allowed.notices()).toEqual([])
    stop()
    const forbidden = start({ isHidden: true, isAllowed: false })
    forbidden.turn(17, 'redCard')
    tell(forbidden.store, aRowChange(17, { fields: { redCards: [1, 0] } }))
    expect([forbidden.show.mock.calls.length, forbidden.notices().length]).toEqual([0, 1])
  })
})

test('the alerts are kept over a reload while their matches are offered', () => {
  const { store, kept, turn } = start()
  turn(17, 'redCard')
  turn(51, 'period')
  store.dispatch(priceAlertSet({ matchId: 17, oddId: 501, target: 1900, rises: true }))
  tell(store, { kind: 'matchDeleted', matchId: 51 })
  stop()
  const again = start({ kept })
  expect(selectAlerts(again.store.getState())).toEqual({
    matches: { 17: ['redCard'] },
    prices: [{ matchId: 17, oddId: 501, target: 1900, rises: true }],
  })
})

test.each(['', '{', '5', 'null', '{"matches":{"x":["goal"],"1":5},"prices":[{"oddId":1},null]}'])(
  'a stored text of %j is no alert',
  (text) => {
    const { store } = start({ kept: storage(text) })
    expect(selectAlerts(store.getState())).toEqual({ matches: {}, prices: [] })
  },
)

describe('the bell of a match', () => {
  const ask = vi.fn(async () => 'granted')

  beforeEach(() => {
    ask.mockClear()
    vi.stubGlobal('Notification', { permission: 'default', requestPermission: ask })
  })

  afterEach(() => vi.unstubAllGlobals())

  it('offers the events that its sport has, and asks for the permission when one is set', async () => {
    const user = userEvent.setup()
    const { store } = start()
    renderWithProviders(<AlertBell matchId={17} />, { store })
    await user.click(screen.getByRole('button', { name: 'Obavijesti o utakmici' }))
    const names = screen.getAllByRole('checkbox').map((box) => (box as HTMLInputElement).labels?.[0]?.textContent)
    expect(names).toEqual(['Gol', 'Crveni karton', 'Kraj dijela igre'])
    expect(ask).not.toHaveBeenCalled()
    await user.click(screen.getByRole('checkbox', { name: 'Crveni karton' }))
    expect(ask).toHaveBeenCalledOnce()
    expect(selectAlerts(store.getState()).matches).toEqual({ 17: ['redCard'] })
    expect(screen.getByRole('button', { name: 'Obavijesti o utakmici, uključene' })).toBeTruthy()
    await user.click(screen.getByRole('checkbox', { name: 'Crveni karton' }))
    expect(selectAlerts(store.getState()).matches).toEqual({})
  })

  it('lists the alerts for prices, which can be removed', async () => {
    const user = userEvent.setup()
    const { store } = start()
    act(() => {
      store.dispatch(priceAlertSet({ matchId: 17, oddId: 501, target: 1900, rises: true }))
    })
    renderWithProviders(<AlertBell matchId={17} />, { store })
    await user.click(screen.getByRole('button', { name: 'Obavijesti o utakmici, uključene' }))
    await user.click(screen.getByRole('button', { name: 'Ukloni: Kvota 1.90: 1, Konačan ishod' }))
    expect(selectAlerts(store.getState()).prices).toEqual([])
  })
})
