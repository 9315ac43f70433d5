import { act, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, test, vi } from 'vitest'
import { makeStore } from '../../app/store'
import { memberSeen, moneyReceived, selectUser } from '../../platform/account/accountSlice'
import { addProtection, exclusionStarted, statusDoubted } from '../../platform/account/protectionSlice'
import { panelTurned } from '../../platform/view/viewSlice'
import { recordTypes } from '../../testing/actionTypes'
import { renderWithProviders } from '../../testing/renderWithProviders'
import { translatePage } from '../../testing/translatePage'
import { AccountPanel } from './AccountPanel'
import { CashierDialog } from './CashierDialog'
import { isStillUnsure } from './unsurePayment'

const fetched = vi.fn<typeof fetch>()

beforeEach(() => {
  fetched.mockReset()
  vi.stubGlobal('fetch', fetched)
})

const json = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status })
const paid = (amount: string, balance: string) => json({ amount, balance, receivable: '0.00' })
const rejection = (text: string, status = 400) => json({ message: text, modelState: { error: [text] } }, status)

const ANA = { name: 'ana', balance: '100.50', currency: 'EUR', receivable: '2.00', cashier: 'demo' }

function show(user = ANA) {
  const store = makeStore()
  store.dispatch(memberSeen(user))
  store.dispatch(panelTurned('cashier'))
  const { unmount } = renderWithProviders(<CashierDialog />, { store })
  return { user: userEvent.setup(), store, unmount }
}

/** The payments that were sent: address, amount and key. */
function payments() {
  return fetched.mock.calls.map(([url, init]) => {
    const { amount } = JSON.parse(String(init?.body)) as { amount: string }
    return { url: String(url), amount, key: new Headers(init?.headers).get('idempotency-key') }
  })
}

const field = () => screen.getByLabelText<HTMLInputElement>('Iznos')
const press = (user: ReturnType<typeof userEvent.setup>, name: RegExp | string) =>
  user.click(screen.getByRole('button', { name }))

test('a deposit is sent as an exact amount, its balance is announced and shown, and the field is empty again', async () => {
  fetched.mockResolvedValue(paid('25.50', '124.00'))
  const { user, store } = show()
  await user.type(field(), '25,5 €')
  await press(user, /^Uplati 25,50\s€$/)
  const text = await screen.findByText(/^Uplaćeno je 25,50\s€\. Novo stanje računa: 124,00\s€\.$/)
  expect(text.closest('[role="status"]')).toBeTruthy()
  expect(field().value).toBe('')
  expect(selectUser(store.getState())).toMatchObject({ balance: '124.00', receivable: '0.00', cashier: 'demo' })
  const [payment] = payments()
  expect(payment).toMatchObject({ url: '/api/v1/account/deposit?lang=hr', amount: '25.50' })
  expect(payment?.key).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)
})

test('on a translated page the button names the amount that it pays', async () => {
  fetched.mockResolvedValue(paid('500.00', '600.50'))
  const { user } = show()
  await press(user, '10')
  translatePage()
  await user.clear(field())
  await user.type(field(), '500')
  await press(user, /^Uplati 500,00\s€$/)
  expect(await screen.findByText(/^Uplaćeno je 500,00\s€\./)).toBeTruthy()
  expect(payments()).toMatchObject([{ amount: '500.00' }])
})

test('a newer balance of the hub is not replaced by the answer', async () => {
  fetched.mockResolvedValue(paid('10.00', '110.50'))
  const { user, store } = show()
  act(() => {
    store.dispatch(moneyReceived({ revision: 7, balance: '90.00', receivable: '0.00' }))
  })
  await press(user, '10')
  await press(user, /^Uplati 10,00/)
  await screen.findByText(/^Uplaćeno je/)
  expect(selectUser(store.getState())?.balance).toBe('90.00')
})

test('each payment has a key of its own', async () => {
  fetched.mockImplementation(async () => paid('10.00', '110.50'))
  const { user } = show()
  await press(user, '10')
  await press(user, /^Uplati 10,00/)
  await screen.findByText(/^Uplaćeno je/)
  await press(user, '10')
  await press(user, /^Uplati 10,00/)
  await screen.findByText(/^Uplaćeno je/)
  const [first, second] = payments()
  expect(second?.key).not.toBe(first?.key)
})

test('all of the balance can be withdrawn', async () => {
  fetched.mockResolvedValue(paid('100.50', '0.00'))
  const { user } = show()
  await user.click(screen.getByRole('tab', { name: 'Isplata s računa' }))
  await press(user, /^Sve: 100,50\s€$/)
  expect(field().value).toBe('100,50')
  await press(user, /^Isplati 100,50/)
  expect(await screen.findByText(/^Isplaćeno je 100,50\s€\. Novo stanje računa: 0,00/)).toBeTruthy()
  expect(payments()).toMatchObject([{ url: '/api/v1/account/withdraw?lang=hr', amount: '100.50' }])
})

test.each(['', '0', ','])('"%s" is not sent', async (typed) => {
  const { user } = show()
  if (typed) {
    await user.type(field(), typed)
  }
  await press(user, 'Uplati')
  expect(screen.getByText('Upišite iznos.')).toBeTruthy()
  expect(document.activeElement).toBe(field())
  expect(fetched).not.toHaveBeenCalled()
})

test.each([
  ['no answer', () => Promise.reject(new TypeError('network'))],
  ['503', async () => json({}, 503)],
  ['an answer without a balance', async () => json({})],
])('after %s the same payment has the same key, and another one a new key', async (_, answer) => {
  fetched.mockImplementation(answer)
  const { user } = show()
  await press(user, '20')
  await press(user, /^Uplati 20,00/)
  const text = await screen.findByText(/^Ne znamo je li uplata od 20,00\s€ provedena\./)
  expect(text.closest('[role="alert"]')).toBeTruthy()
  await press(user, /^Uplati 20,00/)
  await screen.findByText(/^Ne znamo/)
  await press(user, '50')
  await press(user, /^Uplati 50,00/)
  await screen.findByText(/^Ne znamo je li uplata od 50,00/)
  const [first, second, third] = payments()
  expect(second?.key).toBe(first?.key)
  expect(third?.key).not.toBe(first?.key)
})

test('a payment with an unknown outcome is offered again when the dialog opens, to its user only', async () => {
  fetched.mockImplementation(async () => json({}, 503))
  const { user, unmount } = show()
  await user.click(screen.getByRole('tab', { name: 'Isplata s računa' }))
  await user.type(field(), '5')
  await press(user, /^Isplati 5,00/)
  await screen.findByText(/^Ne znamo/)
  unmount()
  const other = show({ ...ANA, name: 'ivo' })
  expect(field().value).toBe('')
  other.unmount()
  fetched.mockResolvedValue(paid('5.00', '95.50'))
  const again = show()
  expect(screen.getByRole('tab', { selected: true }).textContent).toBe('Isplata s računa')
  expect(screen.getByText(/^Ne znamo je li isplata od 5,00/)).toBeTruthy()
  fetched.mockImplementation(async () => paid('5.00', '95.50'))
  await press(again.user, /^Isplati 5,00/)
  await screen.findByText(/^Isplaćeno je/)
  const [first, second] = payments()
  expect(second?.key).toBe(first?.key)
  again.unmount()
  show()
  expect(screen.queryByText(/^Ne znamo/)).toBeNull()
})

test('a rejection is announced with its reason, and the amount stays', async () => {
  const reason = 'Vaše dnevno ograničenje uplata na račun dopušta još 5.00 EUR.'
  fetched.mockImplementation(async () => rejection(reason))
  const { user } = show()
  await press(user, '10')
  await press(user, /^Uplati 10,00/)
  expect((await screen.findByText(/dopušta još 5,00\s€\.$/)).closest('[role="alert"]')).toBeTruthy()
  expect(field().value).toBe('10')
  fetched.mockImplementation(async () => rejection('x', 429))
  await press(user, /^Uplati 10,00/)
  expect(await screen.findByText(/^Previše pokušaja/)).toBeTruthy()
})

test('a rejection settles a repeated payment only if the server has looked for its key', () => {
  const rejected = (status: number) => ({ outcome: 'rejected', status, text: null }) as const
  expect(isStillUnsure(rejected(400), true)).toBe(false)
  expect(isStillUnsure(rejected(429), true)).toBe(true)
  expect(isStillUnsure(rejected(429), false)).toBe(false)
})

test('the demo cashier says that no real money moves, and the limits are one press away', async () => {
  const { user, store, unmount } = show()
  expect(screen.getByText(/^Ovo je demo blagajna/)).toBeTruthy()
  await press(user, 'Ograničenja i zaštita igrača')
  expect(store.getState().view.panel).toBe('protection')
  unmount()
  show({ ...ANA, cashier: 'other' })
  expect(screen.queryByText(/^Ovo je demo blagajna/)).toBeNull()
})

test('the account menu has the cashier only if the installation has one', async () => {
  const store = makeStore()
  store.dispatch(memberSeen({ ...ANA, cashier: 'none' }))
  renderWithProviders(<AccountPanel onDone={() => undefined} />, { store })
  expect(screen.queryByRole('button', { name: 'Uplata i isplata' })).toBeNull()
  act(() => {
    store.dispatch(memberSeen(ANA))
  })
  const names = screen.getAllByRole('button').map(({ textContent }) => textContent)
  expect(names.indexOf('Uplata i isplata')).toBe(names.indexOf('Sigurnost') - 1)
  await userEvent.setup().click(screen.getByRole('button', { name: 'Uplata i isplata' }))
  expect(store.getState().view.panel).toBe('cashier')
})

describe('during an exclusion', () => {
  it.each([
    [{ kind: 'time_out', until: new Date(2126, 10, 28, 16, 59).getTime() }, /^Pauza do 28\. 11\. 2126\. 16:59$/],
    [{ kind: 'self_exclusion', until: null }, /^Isključenje bez roka$/],
  ])('%j nothing is paid in, a line says why, and money is paid out', async (exclusion, line) => {
    fetched.mockResolvedValue(paid('10.00', '90.50'))
    const { user, store } = show()
    await press(user, '10')
    addProtection(store)
    act(() => {
      store.dispatch(exclusionStarted(exclusion))
    })
    expect(screen.getByText(line)).toBeTruthy()
    expect(screen.queryByRole('tab')).toBeNull()
    expect(screen.queryByRole('button', { name: 'isplata' })).toBeNull()
    await user.type(field(), '10')
    await press(user, /^Isplati 10,00/)
    expect(await screen.findByText(/^Isplaćeno je 10,00/)).toBeTruthy()
    expect(payments()).toMatchObject([{ url: '/api/v1/account/withdraw?lang=hr', amount: '10.00' }])
  })

  it('that the page does not know, a rejected deposit fetches the status again', async () => {
    fetched.mockResolvedValue(rejection('Dok traje pauza ili isključenje, ne primamo uplate na račun.'))
    const { user, store } = show()
    const types = recordTypes(store)
    await press(user, '10')
    await press(user, /^Uplati 10,00/)
    await screen.findByText(/^Dok traje pauza/)
    expect(types).toContain(statusDoubted.type)
  })
})
