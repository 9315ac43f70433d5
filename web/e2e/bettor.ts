/** Test support for tickets: pick, register, place a bet, and query the server. */
import { expect, type Locator, type Page } from '@playwright/test'
import { idOf } from './feed'
import { rows } from './test'

/** A bet delay that is long enough to be visible. */
export const BETTING = { startMinute: 20, simulatedMatches: 0, betDelaySeconds: 2 }

/** The call that places a bet. */
export const SEND = '**/api/v1/live/send-ticket*'

export const PASSWORD = 'lozinka-12345'

let users = 0

/** An unused account name. */
export function newName(): string {
  users += 1
  return `ana.${process.pid}.${Date.now().toString(36)}.${users}`
}

/** Picks one odd in each of the first `count` rows that have an open one; the ids of the odds. */
export async function pick(page: Page, count: number): Promise<string[]> {
  const picked: string[] = []
  const all = await rows(page).all()
  for (const row of all) {
    const odd = row.locator('[data-odd-id][data-state="open"]').first()
    if (picked.length < count && (await odd.count()) > 0) {
      await odd.click()
      await expect(odd).toHaveAttribute('aria-pressed', 'true')
      picked.push((await odd.getAttribute('data-odd-id')) ?? '')
    }
  }
  expect(picked.length).toBe(count)
  return picked
}

/** The ticket: a column, or a sheet on a phone. */
export function ticket(page: Page): Locator {
  return page.locator('[data-ticket]')
}

export function pairs(page: Page): Locator {
  return ticket(page).getByRole('list', { name: 'Parovi' }).getByRole('listitem')
}

/** The button that places the bet. */
export function placeButton(page: Page): Locator {
  return ticket(page).getByRole('button', { name: /^Uplati/ })
}

export function confirmDialog(page: Page): Locator {
  return page.getByRole('dialog', { name: 'Potvrdite uplatu listića' })
}

/** The button that places the bet; it has another name after a price has fallen. */
export function placeInDialog(page: Page): Locator {
  return confirmDialog(page).getByRole('button', { name: /^(Uplati|Prihvati i uplati) / })
}

export function receipt(page: Page): Locator {
  return page.getByRole('dialog', { name: 'Hvala, listić je zaprimljen.' })
}

/** Registers a new account by a direct call and opens the page signed in; the name. */
export async function openAsMember(page: Page): Promise<string> {
  const name = newName()
  const answer = await page.request.post('/api/v1/account/register', { data: { name, password: PASSWORD } })
  expect(answer.status()).toBe(201)
  await page.goto('/')
  await expect(rows(page).first()).toBeVisible()
  await expect(page.getByRole('button', { name: /^Račun/ }).first()).toBeVisible()
  return name
}

/** Fills in the registration form. Waits for it first, since the login form has fields of the same names. */
export async function register(page: Page, name: string): Promise<void> {
  await expect(page.getByRole('heading', { level: 1, name: 'Registracija' })).toBeVisible()
  await page.getByLabel('Korisničko ime').fill(name)
  await page.getByLabel('Lozinka', { exact: true }).fill(PASSWORD)
  await page.getByRole('checkbox', { name: 'Imam najmanje 18 godina.' }).check()
  await page.getByRole('button', { name: 'Otvori račun' }).click()
}

/** Consents to any change of odds, so that a price change cannot reject the bet. */
export async function consentToAny(page: Page): Promise<void> {
  await ticket(page).getByRole('combobox', { name: 'Kad se kvota promijeni' }).selectOption({ label: 'Prihvati svaku' })
}

/** Types the stake of the ticket. */
export async function setStake(page: Page, stake: string): Promise<void> {
  await ticket(page).getByRole('textbox', { name: 'Uplata' }).fill(stake)
}

/** Opens the confirmation dialog; its button that places the bet. */
export async function askToPlace(page: Page): Promise<Locator> {
  await placeButton(page).click()
  await expect(confirmDialog(page)).toBeVisible()
  return placeInDialog(page)
}

/** Holds back the requests that place bets, so that the page keeps waiting; the function that releases them. */
export async function holdBets(page: Page): Promise<() => void> {
  let release: () => void = () => undefined
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(SEND, async (route) => {
    await released
    await route.continue()
  })
  return release
}

/** How many bets the server has of the signed-in user. */
export async function betCount(page: Page): Promise<number> {
  const answer = await page.request.get('/api/v1/account/tickets')
  expect(answer.ok()).toBe(true)
  const { tickets } = (await answer.json()) as { tickets: unknown[] }
  return tickets.length
}

export async function balance(page: Page): Promise<string> {
  const answer = await page.request.get('/api/v1/live/user-status')
  return ((await answer.json()) as { balance: string }).balance
}

export interface Placed {
  readonly matchId: string
  /** The odds of the market that was bet on, the chosen one first. */
  readonly oddIds: readonly string[]
  readonly number: string
}

/** Places a single of 10 € on the first odd of a row. */
export async function placeSingle(page: Page, row: number): Promise<Placed> {
  await openAsMember(page)
  const match = rows(page).nth(row)
  const matchId = (await match.getAttribute('data-match-id')) ?? ''
  const odd = match.locator('[data-odd-id][data-state="open"]').first()
  const oddIds = [await idOf(odd), await idOf(match.locator('[data-odd-id][data-state="open"]').nth(1))]
  await odd.click()
  await expect(odd).toHaveAttribute('aria-pressed', 'true')
  await consentToAny(page)
  await setStake(page, '10')
  await (await askToPlace(page)).click()
  await expect(receipt(page)).toBeVisible()
  const number = /[0-9A-Z]{3}-[0-9A-Z]{4}/.exec(await receipt(page).innerText())?.[0] ?? ''
  expect(number).not.toBe('')
  await receipt(page).getByRole('button', { name: 'Nastavi' }).click()
  return { matchId, oddIds, number }
}

/** An amount as the page writes it, with a no-break space before the currency. */
export const euros = (amount: string) => `${amount.replace('.', ',').replace(/(\d)(?=\d{3},)/, '$1.')} €`
