import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { CashOutOrder } from '../../api/cashOutApi'
import type { OrderAnswer } from '../../api/order'
import { type AppDispatch, makeStore, type RootState } from '../../app/store'
import { wait } from '../../app/wait'
import { DELIBERATE_MS } from '../../components/deliberatePress'
import type { CashOutValue } from '../../domain/cashOut'
import { DEFAULT_RULES } from '../../domain/ticket/rules'
import { memberSeen, selectUser, strangerSeen } from '../../platform/account/accountSlice'
import { connectionLost } from '../../platform/connection/connectionSlice'
import { cashOutValuesReceived } from '../../platform/connection/hubMessages'
import { selectUrgentAnnouncement } from '../../platform/notices/announcementsSlice'
import { lowDataTurned } from '../../platform/preferences/preferencesSlice'
import { rulesTold } from '../../platform/ticket/rulesSlice'
import { selectPage } from '../../platform/view/viewSelectors'
import { readBet } from '../../protocol/readBets'
import { aToldBet, type BetOptions } from '../../testing/betBuilders'
import { renderWithProviders } from '../../testing/renderWithProviders'
import { CashOut } from './CashOut'
import { AGAIN_MS, type CashOutWorld, MOVED_MS, ON_ITS_WAY_MS, startCashOut } from './cashOutListeners'
import { addCashOut } from './cashOutSlice'
import { CONFIRM_MS } from './cashOutState'

const VALUE = { value: '15.04', winTax: '0.55', net: '14.49', reasons: [] }
const LOWER = { value: '13.04', winTax: '0.35', net: '12.69', reasons: [] }
const HIGHER = { value: '16.04', winTax: '0.65', net: '15.39', reasons: [] }
const NONE = { value: null, winTax: null, net: null }
const SUSPENDED = { ...NONE, reasons: ['not_bettable', 'match_suspended'] }
const ANA = { name: 'ana', balance: '100.00', currency: 'EUR' }
const HALF = {
  key: 'of-another-tab',
  ticketId: 'A',
  body: '{"share":"0.50","net":"14.49","accept":"higher"}',
  language: 'hr',
  percent: 50,
  net: '14.49',
  delaySeconds: 8,
  sentMs: new Date(2026, 4, 13, 18, 4).getTime(),
}
const RULES = { isEnabled: true, margin: '5', min: '0.10', cap: 'none' } as const

let store: ReturnType<typeof makeStore>
let stop: () => void
const orders: CashOutOrder[] = []
let answers: ((answer: OrderAnswer) => void)[] = []
const fetchCashOut = vi.fn<CashOutWorld['fetchCashOut']>()
let keys = 0

beforeEach(() => {
  vi.useFakeTimers({ now: new Date(2026, 4, 13, 18, 4) })
  store = makeStore()
  addCashOut(store)
  orders.length = 0
  answers = []
  keys = 0
  fetchCashOut.mockReset().mockResolvedValue(LOWER)
  start()
  store.dispatch(memberSeen(ANA))
  store.dispatch(rulesTold({ rules: DEFAULT_RULES, delays: { default: 5, 1: 8 }, cashOut: RULES }))
})

function start(storage: CashOutWorld['storage'] = localStorage) {
  stop = startCashOut(store, store.listeners.startListening.withTypes<RootState, AppDispatch>(), {
    fetchCashOut,
    storage,
    sendCashOut: (order) => {
      orders.push(order)
      return new Promise((resolve) => {
        answers.push(resolve)
      })
    },
    uuid: () => {
      keys += 1
      return `key-${keys}`
    },
    now: Date.now,
    random: () => 1,
    wait,
  })
}

afterEach(() => {
  stop()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function show(value: CashOutValue | null = VALUE, fields: BetOptions = {}) {
  renderWithProviders(<CashOut bet={readBet(aToldBet('A', fields))} />, { store })
  if (value) {
    tell(value)
  }
}

const tell = (value: CashOutValue) =>
  act(() => void store.dispatch(cashOutValuesReceived([{ ticketId: 'A', ...value }], Date.now())))
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
const answer = async (status: number, body: Record<string, unknown> = {}, text: string | null = null) => {
  answers.at(-1)?.({ status, body, text })
  await pass(0)
}

const section = () => screen.getByRole('region', { name: 'Isplata prije kraja A22-4M2X' })
const button = () => section().querySelector('[data-cash-out]') as HTMLButtonElement
/** Without no-break spaces. */
const textOf = (element: HTMLElement) => (element.textContent ?? '').replace(/\s/g, ' ')
const shown = () => textOf(button())
const press = () => fireEvent.click(button())
const options = () => fireEvent.click(within(section()).getByRole('button', { name: 'Mogućnosti' }))
const slider = () => screen.getByRole<HTMLInputElement>('slider', { name: 'Udio za isplatu' })
const bodies = (): Record<string, string>[] => orders.map(({ body }) => JSON.parse(body))
const said = () => selectUrgentAnnouncement(store.getState())?.key

/** Presses twice, the second time after the bettor has read the button. */
async function cashOut() {
  press()
  await pass(DELIBERATE_MS)
  press()
  await pass(0)
}

describe('the button', () => {
  it('shows the value, and its movement for some seconds', async () => {
    show()
    expect(shown()).toBe('Isplati14,49 €')
    await pass(1000)
    tell(HIGHER)
    expect(shown()).toBe('Isplati15,39 €, raste')
    tell(LOWER)
    expect(shown()).toBe('Isplati12,69 €, pada')
    await pass(MOVED_MS)
    expect(shown()).toBe('Isplati12,69 €')
  })

  it('flashes when its value moves, but not with low data', async () => {
    show()
    await pass(1000)
    tell(HIGHER)
    expect(button().querySelector('.flash')).not.toBe(null)
    act(() => void store.dispatch(lowDataTurned(true)))
    tell(LOWER)
    expect([shown(), button().querySelector('.flash')]).toEqual(['Isplati12,69 €, pada', null])
  })

  it('waits for a value, also after the connection was lost', () => {
    show(null)
    expect([shown(), button().getAttribute('aria-disabled')]).toEqual(['Čeka se iznos', 'true'])
    tell(VALUE)
    press()
    expect(shown()).toBe('Potvrdi isplatu14,49 €')
    act(() => void store.dispatch(connectionLost()))
    press()
    expect(shown()).toBe('Čeka se iznos')
    // The first values of a connection show no movement.
    tell(HIGHER)
    expect(shown()).toBe('Isplati15,39 €')
  })

  it('says why and since when it is unavailable, and returns by itself', async () => {
    show()
    tell(SUSPENDED)
    await pass(60_000)
    tell({ ...NONE, reasons: ['not_bettable', 'betting_stopped'] })
    expect(shown()).toBe('Klađenje na utakmicu je zatvoreno, od 18:04')
    press()
    expect([button().getAttribute('aria-disabled'), orders]).toEqual(['true', []])
    tell(VALUE)
    expect([shown(), button().getAttribute('aria-disabled')]).toEqual(['Isplati14,49 €', 'false'])
  })

  it.each([
    ['not_bettable', 'Na jedan se par trenutačno ne može kladiti'],
    ['feed_recovering', 'Ponuda se usklađuje'],
    ['below_minimum', 'Iznos je premalen'],
    ['of_a_later_version', 'Isplata trenutačno nije moguća'],
  ])('has a text for the reason %s', (code, text) => {
    show({ ...NONE, reasons: [code] })
    expect(shown()).toBe(text)
  })

  it.each([
    ['an older server', null, {}],
    ['a server without cash-out', { ...RULES, isEnabled: false }, {}],
    ['a decided bet', RULES, { state: 'won' }],
  ])('is absent for %s', (_, cashOutRules, fields) => {
    store.dispatch(rulesTold({ rules: DEFAULT_RULES, delays: {}, cashOut: cashOutRules }))
    show(VALUE, fields)
    expect(screen.queryByRole('region')).toBeNull()
  })
})

describe('the confirmation', () => {
  it('is the second press, and ends after five seconds', async () => {
    show()
    press()
    expect([shown(), said()]).toEqual(['Potvrdi isplatu14,49 €', 'cashOutConfirmSays'])
    await pass(CONFIRM_MS - 1)
    expect(shown()).toBe('Potvrdi isplatu14,49 €')
    await pass(1)
    expect([shown(), orders]).toEqual(['Isplati14,49 €', []])
  })

  it('ends with Escape', () => {
    show()
    press()
    fireEvent.keyDown(button(), { key: 'Escape' })
    expect(shown()).toBe('Isplati14,49 €')
  })

  it('ignores a double click and a key that is held down', async () => {
    show()
    press()
    press()
    fireEvent.click(button(), { detail: 2 })
    expect(fireEvent.keyDown(button(), { key: 'Enter', repeat: true })).toBe(false)
    await pass(0)
    expect([shown(), orders]).toEqual(['Potvrdi isplatu14,49 €', []])
  })

  it('follows a rising value, asks again if it falls, and ends if there is none', async () => {
    show()
    press()
    await pass(4000)
    tell(HIGHER)
    expect(shown()).toBe('Potvrdi isplatu15,39 €, raste')
    tell(LOWER)
    expect(shown()).toBe('Potvrdi novi iznos12,69 €, pada')
    expect(textOf(section())).toContain('Iznos za cijelu okladu pao je s 15,39 € na 12,69 €.')
    press()
    await pass(4000)
    expect([shown(), said(), orders]).toEqual(['Potvrdi novi iznos12,69 €', 'cashOutFell', []])
    tell(SUSPENDED)
    expect(shown()).toBe('Klađenje je trenutačno zaustavljeno, od 18:04')
  })
})

describe('with an accepted fall of 2 %', () => {
  const fall = () => within(section()).getByRole('checkbox', { name: /^Prihvati pad do 2/ })
  const SLIGHTLY = { value: '14.75', winTax: '0.54', net: '14.21', reasons: [] }
  const TOO_LOW = { value: '14.74', winTax: '0.54', net: '14.20', reasons: [] }

  it('the lowest accepted value is sent, and what is paid is reported', async () => {
    show()
    fireEvent.click(fall())
    await cashOut()
    expect(bodies()).toEqual([{ share: '1', net: '14.21', accept: 'higher' }])
    await answer(200, { paid: '14.30', balance: '114.30', state: 'cashed_out' })
    expect(textOf(section())).toContain('Isplaćeno je 14,30 €.')
  })

  it('the confirmation follows a small fall, and asks again after a larger one', async () => {
    show()
    fireEvent.click(fall())
    press()
    await pass(DELIBERATE_MS)
    tell(SLIGHTLY)
    expect(shown()).toBe('Potvrdi isplatu14,21 €, pada')
    // Several small falls are not a small one.
    tell(TOO_LOW)
    expect(shown()).toBe('Potvrdi novi iznos14,20 €, pada')
    press()
    expect(orders).toEqual([])
  })

  it('a value that fell further during the delay is asked about again', async () => {
    show()
    fireEvent.click(fall())
    await cashOut()
    await answer(400, { reason: 'value_changed' }, 'Iznos isplate je u međuvremenu pao.')
    expect(shown()).toBe('Potvrdi novi iznos12,69 €, pada')
    expect(textOf(section())).toContain('pao je s 14,49 € na 12,69 €')
    await pass(DELIBERATE_MS)
    press()
    await pass(0)
    expect(bodies().map(({ net }) => net)).toEqual(['14.21', '12.44'])
  })

  it('turning it ends a confirmation that was asked without it', async () => {
    show()
    press()
    fireEvent.click(fall())
    await pass(DELIBERATE_MS)
    press()
    expect([shown(), orders]).toEqual(['Potvrdi isplatu14,49 €', []])
    expect(store.getState().preferences.acceptsFall).toBe(true)
  })
})

describe('a cash-out', () => {
  it('sends the value that was shown, counts down the delay, and reports what was paid', async () => {
    show()
    await cashOut()
    expect(orders).toMatchObject([{ key: 'key-1', ticketId: 'A', language: 'hr', delaySeconds: 8 }])
    expect(bodies()).toEqual([{ share: '1', net: '14.49', accept: 'higher' }])
    expect([shown(), button().getAttribute('aria-busy')]).toEqual(['Isplata za 8 s', 'true'])
    await pass(3000)
    expect(shown()).toBe('Isplata za 5 s')
    press()
    await pass(5200)
    expect(shown()).toBe('Isplata je u tijeku')
    await answer(200, { paid: '15.00', balance: '115.00', state: 'cashed_out' })
    expect(textOf(section())).toContain('Isplaćeno je 15,00 €.')
    expect([said(), orders.length, selectUser(store.getState())?.balance]).toEqual(['cashOutPaid', 1, '115.00'])
  })

  it('asks again with the lower value of now', async () => {
    show()
    await cashOut()
    await answer(400, { reason: 'value_changed' }, 'Iznos isplate je u međuvremenu pao.')
    expect(shown()).toBe('Potvrdi novi iznos12,69 €, pada')
    expect(textOf(section())).toContain('pao je s 14,49 € na 12,69 €')
    await pass(DELIBERATE_MS)
    press()
    await pass(0)
    expect(orders.map(({ key }) => key)).toEqual(['key-1', 'key-2'])
    expect(bodies().map(({ net }) => net)).toEqual(['14.49', '12.69'])
  })

  it('says that a settlement came first', async () => {
    show()
    await cashOut()
    await answer(200, { paid: null, state: 'lost', balance: '100.00' })
    expect(textOf(section())).toContain('Oklada je u međuvremenu obračunana')
    expect(said()).toBe('cashOutSettled')
  })

  it.each([
    [400, { reason: 'match_suspended' }, null, 'Klađenje je trenutačno zaustavljeno', 'reason_match_suspended'],
    [400, { reason: 'below_minimum' }, 'Ostatak uloga premalen je.', 'Ostatak uloga premalen je.', 'cashOutFailedSays'],
    [404, {}, null, 'Oklada više nije otvorena', 'cashOutReason_not_open'],
    [409, {}, null, 'Isplata nije uspjela.', 'cashOutFailed'],
    [429, {}, null, 'Previše zahtjeva. Pokušajte malo kasnije', 'cashOutReason_rate_limited'],
  ])('shows and says why it was rejected: %i %j', async (status, body, text, reason, key) => {
    show()
    await cashOut()
    await answer(status, body, text)
    expect(textOf(section())).toContain(reason)
    expect(said()).toBe(key)
    expect(shown()).toBe('Isplati14,49 €')
    await pass(60_000)
    expect(orders).toHaveLength(1)
  })

  it('leads an anonymous user to the login', async () => {
    show()
    await cashOut()
    await answer(401)
    expect([selectPage(store.getState()), store.getState().cashOut.values]).toEqual(['login', {}])
  })

  it('is sent again with the same key while there is no answer', async () => {
    show()
    await cashOut()
    await answer(0)
    expect(shown()).toBe('Provjerava se ishod')
    await pass(250)
    await answer(503)
    await pass(500)
    await answer(200, { paid: '14.49', state: 'cashed_out' })
    expect(orders.map(({ key }) => key)).toEqual(['key-1', 'key-1', 'key-1'])
    expect(textOf(section())).toContain('Isplaćeno je 14,49 €.')
  })

  it('is only asked about after a minute without an answer', async () => {
    show()
    await cashOut()
    await pass(8000 + AGAIN_MS)
    await answer(0)
    await pass(250)
    await answer(400, { reason: 'malformed' }, 'Zahtjev nije ispravan.')
    await pass(ON_ITS_WAY_MS)
    await answer(409)
    expect(orders.map(({ key }) => key)).toEqual(Array(4).fill('key-1'))
    expect(bodies().map((body) => body['net'])).toEqual(['14.49', undefined, undefined, '14.49'])
    await answer(200, { paid: '14.49', state: 'cashed_out' })
    expect(textOf(section())).toContain('Isplaćeno je 14,49 €.')
  })

  it('has not happened if its key is still unused when no request can be on its way any more', async () => {
    show()
    await cashOut()
    await pass(8000 + AGAIN_MS)
    await answer(0)
    await pass(250)
    await answer(400, { reason: 'malformed' }, 'Zahtjev nije ispravan.')
    await pass(ON_ITS_WAY_MS)
    expect(shown()).toBe('Provjerava se ishod')
    await answer(400, { reason: 'malformed' }, 'Zahtjev nije ispravan.')
    expect(textOf(section())).toContain('Isplata nije uspjela.')
  })

  it('is not rejected by an answer that may have overtaken the first request', async () => {
    show()
    await cashOut()
    await answer(0)
    await pass(250)
    await answer(400, { reason: 'match_suspended' })
    expect(shown()).toBe('Provjerava se ishod')
    await pass(500)
    await answer(409)
    await answer(400, { reason: 'below_minimum' }, 'Ostatak uloga premalen je.')
    expect(textOf(section())).toContain('Ostatak uloga premalen je.')
  })

  it('is not sent for another user', async () => {
    show()
    await cashOut()
    act(() => void store.dispatch(memberSeen({ ...ANA, name: 'iva' })))
    await answer(0)
    await pass(10_000)
    expect(orders).toHaveLength(1)
  })
})

describe('after a reload, a cash-out without an outcome', () => {
  /** The next page of the same browser. */
  function reload() {
    stop()
    cleanup()
    store = makeStore()
    addCashOut(store)
    start()
    store.dispatch(rulesTold({ rules: DEFAULT_RULES, delays: { default: 5, 1: 8 }, cashOut: RULES }))
  }

  it('is sent again with the same key and body, until its outcome is known', async () => {
    show()
    options()
    fireEvent.change(slider(), { target: { value: '50' } })
    await cashOut()
    await pass(3000)
    reload()
    await pass(0)
    expect(orders).toHaveLength(1)
    store.dispatch(memberSeen(ANA))
    show()
    await pass(0)
    options()
    expect([shown(), slider().value]).toEqual(['Isplata za 5 s', '50'])
    expect(orders).toHaveLength(2)
    expect([orders[1]?.key, orders[1]?.body]).toEqual([orders[0]?.key, orders[0]?.body])
    await answer(200, { paid: '7.24', state: 'open' })
    expect(textOf(section())).toContain('Isplaćeno je 7,24 €.')
    reload()
    store.dispatch(memberSeen(ANA))
    await pass(0)
    expect(orders).toHaveLength(2)
  })

  it('is only asked about once it is old', async () => {
    show()
    await cashOut()
    reload()
    await pass(3_600_000)
    store.dispatch(memberSeen(ANA))
    show()
    await pass(0)
    expect([orders.length, orders.at(-1)?.body]).toEqual([2, '{}'])
    await answer(409)
    expect([orders[2]?.key, orders[2]?.body]).toEqual([orders[0]?.key, orders[0]?.body])
    await answer(200, { paid: null, state: 'lost' })
    expect(textOf(section())).toContain('Oklada je u međuvremenu obračunana')
  })

  it('waits for the login of its user', async () => {
    show()
    await cashOut()
    reload()
    store.dispatch(memberSeen({ ...ANA, name: 'iva' }))
    await pass(0)
    expect(orders).toHaveLength(1)
    store.dispatch(strangerSeen())
    store.dispatch(memberSeen(ANA))
    await pass(0)
    expect(orders.map(({ key }) => key)).toEqual(['key-1', 'key-1'])
  })

  it('is asked about instead of a new one, if it was confirmed in another tab', async () => {
    show()
    localStorage.setItem('cn-cash-outs', JSON.stringify([{ ...HALF, user: 'ana' }]))
    await cashOut()
    expect(orders.map(({ key, body }) => [key, body])).toEqual([[HALF.key, HALF.body]])
    // The other tab has received the answer.
    localStorage.setItem('cn-cash-outs', '[]')
    await answer(0)
    await pass(250)
    expect(orders).toHaveLength(1)
    expect(shown()).toBe('Isplati14,49 €')
  })

  it.each(['null', '{}', '[null, {}, {"key":"a"}]', 'no JSON'])('is ignored if it is malformed: %s', async (text) => {
    localStorage.setItem('cn-cash-outs', text)
    reload()
    store.dispatch(memberSeen(ANA))
    await pass(0)
    expect(orders).toEqual([])
    show()
    await cashOut()
    expect(orders).toHaveLength(1)
  })

  it('is kept as long as the page is open if nothing can be stored', async () => {
    stop()
    start({
      getItem: () => null,
      setItem: () => {
        throw new Error('full')
      },
    })
    show()
    await cashOut()
    await answer(0)
    await pass(250)
    await answer(200, { paid: '14.49', state: 'cashed_out' })
    expect(orders.map(({ key }) => key)).toEqual(['key-1', 'key-1'])
  })
})

describe('a part', () => {
  it('is chosen by the keyboard, and shows what it pays and what remains', async () => {
    show()
    options()
    expect([slider().min, slider().max, slider().step, slider().value]).toEqual(['5', '100', '5', '100'])
    // Browsers send this event for the arrow keys. 95 % would leave less than the minimum stake.
    fireEvent.change(slider(), { target: { value: '95' } })
    expect(slider().value).toBe('90')
    fireEvent.change(slider(), { target: { value: '95' } })
    expect(slider().value).toBe('100')
    fireEvent.change(slider(), { target: { value: '50' } })
    expect(slider().getAttribute('aria-valuetext')?.replace(/\s/g, ' ')).toBe('50 %, dobivate 7,24 €')
    expect(textOf(section())).toContain('Dobivate sada7,24 €Uplata koja ostaje5,00 €Moguća isplata ostatka, oko8,39 €')
    expect(shown()).toBe('Isplati 50 %7,24 €')
    await cashOut()
    expect(bodies()).toMatchObject([{ share: '0.50', net: '14.49' }])
  })

  it('has buttons for usual shares', () => {
    show()
    options()
    fireEvent.click(within(section()).getByRole('button', { name: /^25/ }))
    expect([slider().value, shown()]).toEqual(['25', 'Isplati 25 %3,62 €'])
  })

  it('is not confirmed by a press that was meant for another share', () => {
    show()
    options()
    press()
    fireEvent.change(slider(), { target: { value: '50' } })
    expect(shown()).toBe('Isplati 50 %7,24 €')
  })

  it('is not offered if less than the minimum stake would remain', () => {
    show(VALUE, { remaining: { bruto: '1.00', taxedStake: '0.95' } })
    options()
    expect(screen.queryByRole('slider')).toBeNull()
    expect(textOf(section())).toContain('Može se isplatiti samo cijela oklada')
  })
})

describe('the calculation', () => {
  it('shows stake, factors, margin and tax on demand', () => {
    show()
    options()
    fireEvent.click(screen.getByText('Kako je izračunato'))
    const text = textOf(section())
    expect(text).toContain('Ulog u igri9,50 €Dinamo Zagrebkvota 1.85 : sadašnja')
    expect(text).toContain('Vrijednost bez marže15,83 €Naša marža, 5 %− 0,79 €Porez na dobitak− 0,55 €')
    expect(text).toContain('Dobivate sada14,49 €')
    tell({ ...VALUE, net: '10.00' })
    expect(textOf(section())).toContain('Ograničenje isplate− 4,49 €Dobivate sada10,00 €')
  })

  it('ends with what the chosen part pays', () => {
    show()
    options()
    fireEvent.click(screen.getByText('Kako je izračunato'))
    fireEvent.change(slider(), { target: { value: '50' } })
    expect(textOf(section())).toContain('Porez na dobitak− 0,55 €Udio za isplatu× 50 %Dobivate sada7,24 €')
  })
})

describe('the rule', () => {
  const calls: [string, string, unknown][] = []
  const field = () => screen.getByRole('textbox', { name: 'Isplati cijelu okladu kad iznos dosegne' })
  const type = (value: string) => fireEvent.change(field(), { target: { value } })
  const pressOn = async (name: string) => {
    fireEvent.click(within(section()).getByRole('button', { name }))
    await pass(0)
  }
  const serve = (status: number, body: unknown = null) => {
    calls.length = 0
    vi.stubGlobal('fetch', async (url: string, { method, body: sent }: RequestInit) => {
      calls.push([String(method), url, sent ? JSON.parse(String(sent)) : null])
      return new Response(body === null ? null : JSON.stringify(body), { status })
    })
  }

  it('is set, shown with its state, and removed', async () => {
    serve(200, { atLeast: '16.00' })
    show()
    options()
    type('16')
    await pressOn('Postavi')
    expect(calls).toEqual([['PUT', '/api/v1/account/tickets/A/cash-out-rule', { atLeast: '16.00' }]])
    expect(textOf(section())).toContain('Pravilo: od 16,00 €')
    expect(textOf(section())).toContain('Nedostaje 1,51 €.')
    tell(SUSPENDED)
    expect(textOf(section())).toContain('Pravilo čeka dok isplata nije moguća.')
    serve(204)
    await pressOn('Ukloni pravilo')
    expect(calls).toEqual([['DELETE', '/api/v1/account/tickets/A/cash-out-rule', null]])
    expect(textOf(section())).not.toContain('Pravilo: od')
    expect(field()).toBeDefined()
  })

  it('of a newer revision of the bet counts', () => {
    show(VALUE, { revision: 4, cashOutRule: { atLeast: '14.00' } })
    options()
    expect(textOf(section())).toContain('Pravilo: od 14,00 €')
    expect(textOf(section())).toContain('Iznos je dosegnut, isplata je u tijeku.')
  })

  it('cannot exceed the possible payout, and warns if the amount is already reached', async () => {
    serve(200)
    show()
    options()
    await pressOn('Postavi')
    type('16,78')
    await pressOn('Postavi')
    expect([calls, field().getAttribute('aria-invalid')]).toEqual([[], 'true'])
    expect(textOf(section())).toContain('To je više od moguće isplate, 16,77 €.')
    type('12')
    expect(textOf(section())).toContain('Taj je iznos već dosegnut, pa bi se oklada isplatila odmah.')
  })

  it('that could not be set stays in the field', async () => {
    serve(503)
    show()
    options()
    type('16')
    await pressOn('Postavi')
    expect(screen.getByRole('alert').textContent).toBe('Pravilo nije promijenjeno. Pokušajte ponovno.')
    expect(field()).toHaveProperty('value', '16')
  })
})
