import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, onTestFinished, test, vi } from 'vitest'
import { fetchUser } from '../../api/userApi'
import { makeStore } from '../../app/store'
import { memberSeen } from '../../platform/account/accountSlice'
import { startProtection } from '../../platform/account/protectionListeners'
import { accountChanged } from '../../platform/account/protectionSlice'
import { panelTurned } from '../../platform/view/viewSlice'
import { eventually } from '../../testing/eventually'
import { renderWithProviders } from '../../testing/renderWithProviders'
import { ProtectionDialog } from './ProtectionDialog'

const fetched = vi.fn<typeof fetch>()

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(2026, 10, 27, 10) })
  fetched.mockReset()
  vi.stubGlobal('fetch', fetched)
  return () => vi.useRealTimers()
})

const json = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status })
const rejection = (text: string) => json({ message: text, modelState: { error: [text] } }, 400)

/** 28 November 2026, 10:00 in the time zone of the test. */
const LATER = new Date(2026, 10, 28, 10).getTime()
const NONE = { day: null, week: null, month: null }
const PENDING = { stake: NONE, loss: NONE, deposit: NONE, session: null, realityCheck: null }
const LIMITS = {
  stake: { ...NONE, day: '100.00' },
  loss: NONE,
  deposit: { ...NONE, month: '1000.50' },
  session: 60,
  realityCheck: null,
  pending: PENDING,
}
const RAISED = { ...LIMITS, pending: { ...PENDING, stake: { ...NONE, day: { value: '200.00', at: LATER } } } }

const status = (exclusion: object | null) => json({ user: 'ana', balance: '1.00', currency: 'EUR', exclusion })

type Answers = Readonly<Record<string, () => Response>>

/** Answers calls by method and path. */
function serve(answers: Answers = {}) {
  const known: Answers = {
    'GET account/limits': () => json(LIMITS),
    'GET live/user-status': () => status(null),
    ...answers,
  }
  fetched.mockImplementation(async (url, init) => {
    const path = String(url).replace('/api/v1/', '').replace(/\?.*/, '')
    return known[`${init?.method} ${path}`]?.() ?? new Response(null, { status: 404 })
  })
}

function show() {
  const store = makeStore()
  const stop = startProtection(store, store.listeners.startListening.withTypes(), { fetchUser, now: Date.now })
  onTestFinished(stop)
  store.dispatch(memberSeen({ name: 'ana', balance: '1.00', currency: 'EUR' }))
  store.dispatch(panelTurned('protection'))
  renderWithProviders(<ProtectionDialog />, { store })
  return { user: userEvent.setup(), store }
}

type User = ReturnType<typeof userEvent.setup>

/** The calls that change something: method, address and body. */
function changes() {
  const sent = fetched.mock.calls.filter(([, init]) => init?.method !== 'GET')
  return sent.map(([url, init]) => [init?.method, String(url), JSON.parse(String(init?.body))])
}

const limitField = (name: string) => screen.findByRole<HTMLInputElement>('textbox', { name })

async function type(user: User, name: string, text: string) {
  const field = await limitField(name)
  await user.clear(field)
  if (text) {
    await user.type(field, text)
  }
}

/** The description of a field: its unit, and its notes. */
const describes = (field: Element) =>
  (field.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent)
    .join(' ')

const save = (user: User) => user.click(screen.getByRole('button', { name: 'Spremi ograničenja' }))

test('the limits are shown as they are typed, and the button closes the dialog', async () => {
  serve()
  const { user, store } = show()
  expect((await limitField('Ulog, 24 h')).value).toBe('100,00')
  expect((await limitField('Uplate na račun, 30 dana')).value).toBe('1000,50')
  expect((await limitField('Gubitak, 7 dana')).value).toBe('')
  expect((await limitField('Najdulje trajanje prijave, u minutama')).value).toBe('60')
  await user.click(screen.getByRole('button', { name: 'Zatvori' }))
  expect(store.getState().view.panel).toBeNull()
})

test('only changed limits are sent, as exact amounts', async () => {
  serve({ 'PUT account/limits': () => json(RAISED) })
  const { user } = show()
  await type(user, 'Ulog, 24 h', '200')
  await type(user, 'Gubitak, 7 dana', '50,5 eura')
  await type(user, 'Uplate na račun, 30 dana', '1000,5')
  await type(user, 'Najdulje trajanje prijave, u minutama', '')
  await type(user, 'Podsjetnik na proteklo vrijeme, u minutama', '030')
  await save(user)
  expect(await screen.findByText('Ograničenja su spremljena.')).toBeTruthy()
  const body = { stake: { day: '200.00' }, loss: { week: '50.50' }, session: null, realityCheck: 30 }
  expect(changes()).toEqual([['PUT', '/api/v1/account/limits?lang=hr', body]])
  const field = await limitField('Ulog, 24 h')
  expect(field.value).toBe('100,00')
  expect(describes(field)).toMatch(/^€ 200,00\s€ od 28\. 11\. 2026\. 10:00$/)
})

test('without a change nothing is sent', async () => {
  serve()
  const { user } = show()
  await type(user, 'Ulog, 24 h', '100')
  await save(user)
  expect(await screen.findByText('Ništa nije promijenjeno.')).toBeTruthy()
  expect(changes()).toEqual([])
})

test('the fields name their unit', async () => {
  serve()
  show()
  expect(describes(await limitField('Gubitak, 24 h'))).toBe('€')
  expect(describes(await limitField('Podsjetnik na proteklo vrijeme, u minutama'))).toBe('min')
})

test.each([
  ['Ulog, 7 dana', 'sto', '', '€ Upišite samo brojeve.'],
  ['Ulog, 24 h', '100x', '100', /^€ Pročitano kao 100,00\s€\.$/],
  ['Najdulje trajanje prijave, u minutama', '60m', '60', 'min Pročitano kao 60 min.'],
])(
  'in %s letters are left out of %j, which is said instead of that nothing changed',
  async (name, typed, text, note) => {
    serve()
    const { user } = show()
    await type(user, name, typed)
    const field = await limitField(name)
    expect(field.value).toBe(text)
    expect(describes(field)).toMatch(note)
    await save(user)
    expect(document.activeElement).toBe(field)
    expect(screen.queryByText('Ništa nije promijenjeno.')).toBeNull()
    expect(changes()).toEqual([])
  },
)

test('a limit in force says how much of it is used, also after a change', async () => {
  const used = {
    stake: { day: '12.00', week: '12.00', month: '40.00' },
    loss: { day: '-3.00' },
    deposit: { month: '2000.00' },
  }
  const limits = { ...LIMITS, loss: { ...NONE, day: '20.00' } }
  serve({ 'GET account/limits': () => json({ ...limits, used }), 'PUT account/limits': () => json(limits) })
  const { user } = show()
  await limitField('Ulog, 24 h')
  const shares = () =>
    Array.from(document.querySelectorAll<HTMLElement>('[data-used]'), ({ dataset, textContent }) => [
      textContent?.replace(/\s/g, ' '),
      dataset['used'],
    ])
  const expected = [
    ['100,00 € – iskorišteno 12,00 €', '12'],
    ['20,00 € – iskorišteno 0,00 €', '0'],
    ['1.000,50 € – iskorišteno 2.000,00 €', '100'],
  ]
  expect(shares()).toEqual(expected)
  await type(user, 'Ulog, 7 dana', '300')
  await save(user)
  await screen.findByText('Ograničenja su spremljena.')
  expect(shares()).toEqual(expected)
})

test('minutes that are no limit are not sent', async () => {
  serve()
  const { user } = show()
  const name = 'Podsjetnik na proteklo vrijeme, u minutama'
  await type(user, name, '10081')
  await save(user)
  expect(screen.getByText('Upišite broj od 1 do 10080.')).toBeTruthy()
  const field = await limitField(name)
  expect(field.getAttribute('aria-invalid')).toBe('true')
  expect(document.activeElement).toBe(field)
  expect(changes()).toEqual([])
})

test('a pending change is withdrawn by the value in force, and what was typed elsewhere stays', async () => {
  serve({ 'GET account/limits': () => json(RAISED), 'PUT account/limits': () => json(LIMITS) })
  const { user } = show()
  await type(user, 'Gubitak, 24 h', '20')
  await user.click(screen.getByRole('button', { name: 'Povuci promjenu: Ulog, 24 h' }))
  expect(await screen.findByText('Promjena je povučena: Ulog, 24 h')).toBeTruthy()
  expect(changes()).toEqual([['PUT', '/api/v1/account/limits?lang=hr', { stake: { day: '100.00' } }]])
  expect(screen.queryByRole('button', { name: /^Povuci/ })).toBeNull()
  expect((await limitField('Gubitak, 24 h')).value).toBe('20')
  await eventually(async () => expect(document.activeElement).toBe(await limitField('Ulog, 24 h')))
})

test('limits that cannot be loaded or saved say so', async () => {
  serve({ 'GET account/limits': () => json({}, 503), 'PUT account/limits': () => rejection('Nije moguće.') })
  const { user } = show()
  expect((await screen.findByRole('alert')).textContent).toMatch(/^Došlo je do pogreške/)
  serve({ 'PUT account/limits': () => rejection('Nije moguće.') })
  await user.click(screen.getByRole('button', { name: 'Pokušaj ponovno' }))
  await type(user, 'Ulog, 24 h', '1')
  await save(user)
  const text = await screen.findByText('Nije moguće.')
  expect(text.closest('[role="alert"]')).toBeTruthy()
  expect((await limitField('Ulog, 24 h')).value).toBe('1')
})

async function askExclusion(user: User, choices: readonly string[], password: string) {
  await user.click(screen.getByRole('tab', { name: 'Pauza i isključenje' }))
  for (const name of choices) {
    await user.click(screen.getByRole('radio', { name }))
  }
  await user.type(screen.getByLabelText('Lozinka'), password)
  await user.keyboard('{Enter}')
}

test('an exclusion begins only after a confirmation, and the dialog says until when', async () => {
  const exclusion = { kind: 'time_out', until: LATER }
  serve()
  const { user } = show()
  serve({
    'POST account/time-out': () => json({ user: 'ana', exclusion }),
    'GET live/user-status': () => status(exclusion),
  })
  await askExclusion(user, ['7 dana'], 'lozinka123')
  const question = /^Počinje odmah: Pauza, 7 dana\./
  expect(document.activeElement).toBe(screen.getByText(question))
  expect(changes()).toEqual([])
  await user.click(screen.getByRole('button', { name: 'Odustani' }))
  expect(screen.queryByText(question)).toBeNull()
  expect(document.activeElement).toBe(screen.getByLabelText('Lozinka'))
  await user.keyboard('{Enter}')
  await user.click(screen.getByRole('button', { name: 'Potvrdi i počni' }))
  const note = await screen.findByText(/^Pauza od klađenja traje do 28\. 11\. 2026\. 10:00/)
  expect(note.closest('[role="status"]')).toBe(document.activeElement)
  expect(changes()).toEqual([['POST', '/api/v1/account/time-out?lang=hr', { hours: 168, password: 'lozinka123' }]])
  // It does not offer to begin again.
  expect(screen.queryByLabelText('Lozinka')).toBeNull()
  expect(screen.getByText('Završava').nextElementSibling?.textContent).toBe('28. 11. 2026. 10:00')
})

test.each([
  [['Isključenje', '1 godina'], 12],
  [['Isključenje', 'bez roka'], null],
])('%j is a self-exclusion of %j months', async (choices, months) => {
  const exclusion = { kind: 'self_exclusion', until: null }
  serve()
  const { user } = show()
  serve({
    'POST account/self-exclusion': () => json({ exclusion }),
    'GET live/user-status': () => status(exclusion),
  })
  await askExclusion(user, choices, 'lozinka123')
  await user.click(screen.getByRole('button', { name: 'Potvrdi i počni' }))
  expect(await screen.findByText('Isključili ste se iz klađenja bez roka.')).toBeTruthy()
  expect(changes()).toEqual([['POST', '/api/v1/account/self-exclusion?lang=hr', { months, password: 'lozinka123' }]])
})

test('another choice must be confirmed again', async () => {
  serve()
  const { user } = show()
  await askExclusion(user, [], 'lozinka123')
  await user.click(screen.getByRole('radio', { name: '48 sati' }))
  expect(screen.queryByRole('button', { name: 'Potvrdi i počni' })).toBeNull()
})

test('a rejected password is announced, and can be typed again', async () => {
  serve({ 'POST account/time-out': () => rejection('Pogrešna lozinka.') })
  const { user } = show()
  await askExclusion(user, [], '{Enter}')
  expect(screen.getByText('Upišite lozinku.')).toBeTruthy()
  await askExclusion(user, [], 'kriva')
  await user.click(screen.getByRole('button', { name: 'Potvrdi i počni' }))
  expect((await screen.findByText('Pogrešna lozinka.')).closest('[role="alert"]')).toBeTruthy()
  expect(document.activeElement).toBe(screen.getByLabelText('Lozinka'))
  expect(screen.queryByText(/^Pauza od klađenja traje/)).toBeNull()
})

test('an exclusion in force is shown when the dialog opens', async () => {
  serve({ 'GET live/user-status': () => status({ kind: 'self_exclusion', until: LATER }) })
  show()
  expect(await screen.findByText(/^Isključili ste se iz klađenja do 28\. 11\. 2026\. 10:00/)).toBeTruthy()
})

describe('while an exclusion is in force', () => {
  const week = { kind: 'time_out', until: new Date(2026, 11, 4, 10).getTime() }

  it('a longer one is started by a separate control, and only the longer lengths are offered', async () => {
    serve({ 'GET live/user-status': () => status(week) })
    const { user } = show()
    await screen.findByText(/^Pauza od klađenja traje do 0?4\. 12\./)
    await user.click(screen.getByRole('tab', { name: 'Pauza i isključenje' }))
    expect(screen.queryByRole('radio')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Produlji' }))
    expect(screen.getAllByRole('radio').map(({ textContent }) => textContent)).toEqual([
      'Pauza',
      'Isključenje',
      '30 dana',
    ])
    const longer = { kind: 'time_out', until: new Date(2026, 11, 27, 10).getTime() }
    serve({
      'POST account/time-out': () => json({ exclusion: longer }),
      'GET live/user-status': () => status(longer),
    })
    await user.type(screen.getByLabelText('Lozinka'), 'lozinka123{Enter}')
    await user.click(screen.getByRole('button', { name: 'Potvrdi i počni' }))
    expect(await screen.findByText(/^Pauza od klađenja traje do 27\. 12\./)).toBeTruthy()
    expect(changes()).toEqual([['POST', '/api/v1/account/time-out?lang=hr', { hours: 720, password: 'lozinka123' }]])
    expect(screen.queryByRole('radio')).toBeNull()
  })

  it('one without an end has a text of its own, and nothing lasts longer', async () => {
    serve({ 'GET live/user-status': () => status({ kind: 'self_exclusion', until: null }) })
    const { user } = show()
    await screen.findByText('Isključili ste se iz klađenja bez roka.')
    await user.click(screen.getByRole('tab', { name: 'Pauza i isključenje' }))
    expect(screen.getByText(/^Ovo isključenje nema roka/)).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Produlji' })).toBeNull()
    expect(within(screen.getByRole('tabpanel')).queryByText(/Pauza/)).toBeNull()
  })
})

test('limits that are changed elsewhere are shown, and what is typed stays', async () => {
  serve()
  const { user, store } = show()
  await type(user, 'Gubitak, 24 h', '20')
  serve({ 'GET account/limits': () => json({ ...LIMITS, session: 30 }) })
  act(() => {
    store.dispatch(accountChanged())
  })
  await eventually(async () => expect((await limitField('Najdulje trajanje prijave, u minutama')).value).toBe('30'))
  expect((await limitField('Gubitak, 24 h')).value).toBe('20')
})

test('the history is shown in pages', async () => {
  const limit = (details: object) => ({ at: LATER, kind: 'limit', details })
  const first = [
    limit({ limit: 'stake.day', from: '50.00', to: null, effectiveAt: LATER + 86_400_000 }),
    limit({ limit: 'session', from: null, to: 60, effectiveAt: LATER }),
    limit({ limit: 'stake.day', from: '50.00', to: '50.00', effectiveAt: LATER }),
  ]
  serve({ 'GET account/history': () => json({ entries: first, next: '7' }) })
  const { user } = show()
  await user.click(screen.getByRole('tab', { name: 'Povijest' }))
  const [removal, session, withdrawal] = await screen.findAllByRole('listitem')
  expect(removal?.textContent).toMatch(
    /^Ulog, 24 h: 50,00\s€ → bez ograničenja28\. 11\. 2026\. 10:00 · Vrijedi od 29\./,
  )
  expect(session?.textContent).toBe('Najdulje trajanje prijave: bez ograničenja → 60 min28. 11. 2026. 10:00')
  expect(withdrawal?.textContent).toMatch(/^Promjena je povučena: Ulog, 24 h/)

  const exclusions = [
    { at: 1, kind: 'exclusion', details: { kind: 'time_out', until: LATER } },
    { at: 1, kind: 'exclusion', details: { kind: 'self_exclusion', until: null } },
    { at: 1, kind: 'new', details: {} },
  ]
  serve({ 'GET account/history': () => json({ entries: exclusions, next: null }) })
  await user.click(screen.getByRole('button', { name: 'Starije stavke' }))
  expect(await screen.findByText(/^Pauza do 28\. 11\. 2026\. 10:00$/)).toBeTruthy()
  expect(screen.getByText('Isključenje bez roka')).toBeTruthy()
  expect(screen.getByText('Ostalo')).toBeTruthy()
  expect(screen.getAllByRole('listitem')).toHaveLength(6)
  expect(String(fetched.mock.calls.at(-1)?.[0])).toBe('/api/v1/account/history?cursor=7')
  expect(within(screen.getByRole('tabpanel')).queryByRole('button', { name: 'Starije stavke' })).toBeNull()
})
