import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { makeStore } from '../../app/store'
import { panelTurned } from '../../platform/view/viewSlice'
import { renderWithProviders } from '../../testing/renderWithProviders'
import { SecurityDialog } from './SecurityDialog'

const fetched = vi.fn<typeof fetch>()

beforeEach(() => {
  fetched.mockReset()
  vi.stubGlobal('fetch', fetched)
})

const json = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status })
const HERE = { id: 'aa', createdAt: 1, lastSeenAt: 1_700_000_000_000, agent: 'Firefox/128.0 Linux', current: true }
const PHONE = { ...HERE, id: 'bb', agent: 'Android Chrome/126.0', current: false }

/** Answers the list with these sessions, and any other call with `answer`. */
function serve(sessions: readonly unknown[], answer: () => Response = () => new Response(null, { status: 204 })) {
  fetched.mockImplementation(async (url, init) =>
    String(url).includes('account/sessions') && init?.method === 'GET' ? json({ sessions }) : answer(),
  )
}

function show() {
  const store = makeStore()
  store.dispatch(panelTurned('security'))
  renderWithProviders(<SecurityDialog />, { store })
  return { user: userEvent.setup(), store }
}

/** The calls that change something: method, path and body. */
function changes() {
  const sent = fetched.mock.calls.filter(([, init]) => init?.method !== 'GET')
  return sent.map(([url, init]) => [init?.method, String(url), init?.body])
}

async function fill(user: ReturnType<typeof userEvent.setup>, old: string, chosen: string) {
  if (old) {
    await user.type(screen.getByLabelText('Sadašnja lozinka'), old)
  }
  if (chosen) {
    await user.type(screen.getByLabelText('Nova lozinka'), chosen)
  }
  await user.keyboard('{Enter}')
}

test('its button closes it', async () => {
  serve([HERE])
  const { user, store } = show()
  await user.click(screen.getByRole('button', { name: 'Zatvori' }))
  expect(store.getState().view.panel).toBeNull()
})

test('a new password is sent, and the list of devices is fetched again', async () => {
  serve([HERE, PHONE])
  const { user } = show()
  await screen.findByText('Chrome, Android')
  serve([HERE])
  await user.click(screen.getByLabelText('Sadašnja lozinka'))
  await fill(user, 'lozinka123', 'nova lozinka')
  expect(await screen.findByText(/^Lozinka je promijenjena\./)).toBeTruthy()
  await waitFor(() => expect(screen.queryByText('Chrome, Android')).toBeNull())
  const body = JSON.stringify({ old: 'lozinka123', new: 'nova lozinka' })
  expect(changes()).toEqual([['POST', '/api/v1/account/password?lang=hr', body]])
  expect(screen.getByLabelText<HTMLInputElement>('Nova lozinka').value).toBe('')
})

test.each([
  ['', 'nova lozinka', 'Sadašnja lozinka', 'Upišite lozinku.'],
  ['lozinka123', '', 'Nova lozinka', 'Upišite lozinku.'],
  ['lozinka123', 'kratka', 'Nova lozinka', 'Lozinka mora imati barem 8 znakova.'],
])('"%s" and "%s" are not sent', async (old, chosen, field, text) => {
  serve([HERE])
  const { user } = show()
  await fill(user, old, chosen)
  expect(screen.getByLabelText(field).getAttribute('aria-invalid')).toBe('true')
  expect(screen.getByText(text)).toBeTruthy()
  expect(document.activeElement).toBe(screen.getByLabelText(field))
  expect(changes()).toEqual([])
})

test('a wrong password is said at its field, too many tries above the button', async () => {
  const error = (status: number) => json({ message: 'Pogrešno.', modelState: { error: ['Pogrešno.'] } }, status)
  serve([HERE], () => error(400))
  const { user } = show()
  await fill(user, 'kriva lozinka', 'nova lozinka')
  expect(await screen.findByText('Pogrešno.')).toBeTruthy()
  expect(document.activeElement).toBe(screen.getByLabelText('Sadašnja lozinka'))
  serve([HERE], () => error(429))
  await user.keyboard('{Enter}')
  expect(await screen.findByText(/^Previše pokušaja/)).toBeTruthy()
})

test('another device is logged out by its button, this one has none', async () => {
  serve([HERE, PHONE])
  const { user } = show()
  const [here, phone] = await screen.findAllByRole('listitem')
  expect(within(here as HTMLElement).getByText('Ovaj uređaj')).toBeTruthy()
  expect(within(here as HTMLElement).queryByRole('button')).toBeNull()
  expect(within(phone as HTMLElement).getByText(/^Zadnja aktivnost: /)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Odjavi uređaj Chrome, Android' }))
  expect(await screen.findByText('Odjavljeno: Chrome, Android')).toBeTruthy()
  expect(screen.getAllByRole('listitem')).toHaveLength(1)
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Prijavljeni uređaji' }))
  expect(changes()).toEqual([['DELETE', '/api/v1/account/sessions/bb', undefined]])
})

test('a list that cannot be fetched says so', async () => {
  fetched.mockImplementation(async () => json({}, 503))
  show()
  expect(await screen.findByText(/^Došlo je do pogreške/)).toBeTruthy()
})
