/** Singles: each pair of the ticket as a bet of its own, placed by one press with one receipt. */
import type { Locator, Page } from '@playwright/test'
import { axeFindings } from './axe'
import {
  askToPlace,
  BETTING,
  balance,
  betCount,
  confirmDialog,
  consentToAny,
  newName,
  openAsMember,
  pairs,
  pick,
  placeButton,
  placeInDialog,
  register,
  SEND,
  setStake,
  ticket,
} from './bettor'
import { expect, openList, PHONE, test } from './test'

test.use({ programOptions: [BETTING, { scope: 'worker' }] })

const receipt = (page: Page, text: string) => page.getByRole('dialog', { name: text })
const stakeOf = (page: Page, pair: number): Locator => pairs(page).nth(pair).getByRole('textbox')

async function turnToSingles(page: Page): Promise<void> {
  await ticket(page).getByRole('tab', { name: 'Pojedinačno' }).click()
}

async function readyWithSingles(page: Page, count = 2): Promise<void> {
  await openAsMember(page)
  await pick(page, count)
  await consentToAny(page)
  await turnToSingles(page)
  await ticket(page).getByRole('textbox', { name: 'Uplata po paru' }).fill('10')
}

test('each pair is a bet with its own stake, by one press and with one receipt', { tag: '@main' }, async ({ page }) => {
  await readyWithSingles(page)
  await stakeOf(page, 1).fill('7')
  await expect(placeButton(page)).toContainText('17,00')
  expect(await axeFindings(page)).toEqual([])
  const yes = await askToPlace(page)
  await expect(confirmDialog(page).getByRole('listitem')).toHaveCount(2)
  await yes.dblclick()
  const dialog = receipt(page, 'Zaprimljeno: 2 od 2')
  await expect(dialog).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
  await expect(dialog.getByText(/Zaprimljeno, listić/)).toHaveCount(2)
  await expect(dialog).toContainText(/17,00/)
  expect(await betCount(page)).toBe(2)
  expect(await balance(page)).toBe('983.00')
  await dialog.getByRole('button', { name: 'Nastavi' }).click()
  await expect(ticket(page).getByText('Listić je prazan')).toBeVisible()
})

test.describe('a rejected single', () => {
  test.use({ expected: { complaints: [/status of 400/] } })

  test('stays on the ticket, with the reason', async ({ page }) => {
    await readyWithSingles(page)
    const rejected = await pairs(page).nth(1).getAttribute('data-pair-odd-id')
    await page.route(SEND, async (route) => {
      const body = route.request().postDataJSON() as { pairs: { marketId: number }[] }
      if (String(body.pairs[0]?.marketId) === rejected) {
        await route.fulfill({ status: 400, json: { modelState: { error: ['Iznos prelazi vaš limit.'] } } })
      } else {
        await route.continue()
      }
    })
    await (await askToPlace(page)).click()
    const dialog = receipt(page, 'Zaprimljeno: 1 od 2')
    await expect(dialog).toContainText('Nije zaprimljeno: Iznos prelazi vaš limit.')
    await dialog.getByRole('button', { name: 'Nastavi' }).click()
    await expect(pairs(page)).toHaveCount(1)
    await expect(pairs(page)).toContainText('Iznos prelazi vaš limit.')
    await expect(placeButton(page)).toContainText('10,00')
    expect(await betCount(page)).toBe(1)
  })
})

test('a reload while they are sent doubles none and loses none', { tag: '@main' }, async ({ page }) => {
  await readyWithSingles(page, 3)
  const sent = page.waitForRequest(SEND)
  await (await askToPlace(page)).click()
  await sent
  await page.reload()
  const dialog = receipt(page, 'Zaprimljeno: 3 od 3')
  await expect(dialog).toBeVisible({ timeout: 30_000 })
  expect(await betCount(page)).toBe(3)
  expect(await balance(page)).toBe('970.00')
  await dialog.getByRole('button', { name: 'Nastavi' }).click()
  await expect(ticket(page).getByText('Listić je prazan')).toBeVisible()
  await page.reload()
  await expect(page.locator('[data-row="match"]').first()).toBeVisible()
  expect(await betCount(page)).toBe(3)
})

test('above the balance nothing is sent', async ({ page }) => {
  await readyWithSingles(page)
  await stakeOf(page, 0).fill('990,01')
  await expect(ticket(page)).toContainText('Na računu nema dovoljno')
  await expect(placeButton(page)).toHaveAttribute('aria-disabled', 'true')
  await stakeOf(page, 0).fill('990')
  await expect(placeButton(page)).toHaveAttribute('aria-disabled', 'false')
})

test('they stay singles over a login', async ({ page }) => {
  await openList(page)
  await pick(page, 2)
  await consentToAny(page)
  await setStake(page, '5')
  await turnToSingles(page)
  await placeButton(page).click()
  await page.getByRole('link', { name: 'Otvori račun' }).click()
  await register(page, newName())
  await expect(confirmDialog(page)).toContainText('2 pojedinačne oklade')
  await placeInDialog(page).click()
  await expect(receipt(page, 'Zaprimljeno: 2 od 2')).toBeVisible()
  expect(await betCount(page)).toBe(2)
  expect(await balance(page)).toBe('990.00')
})

test.describe('on a phone', () => {
  test.use({ viewport: PHONE })

  test('the stakes fit into the sheet', async ({ page }) => {
    await openAsMember(page)
    await pick(page, 2)
    await page.getByRole('button', { name: /^Listić/ }).click()
    await turnToSingles(page)
    await expect(stakeOf(page, 0)).toBeVisible()
    const { width = 0, height = 0 } = (await stakeOf(page, 0).boundingBox()) ?? {}
    expect(width).toBeGreaterThan(80)
    expect(height).toBeGreaterThanOrEqual(44)
    expect(await ticket(page).evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0)
    expect(await axeFindings(page)).toEqual([])
  })
})
