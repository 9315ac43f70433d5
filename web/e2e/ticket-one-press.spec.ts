/** Betting by one press: a switch in the ticket, a time in which the bet can be taken back, and its outcome. */
import type { Locator, Page } from '@playwright/test'
import { axeFindings } from './axe'
import { BETTING, betCount, openAsMember, pairs, ticket } from './bettor'
import { idOf } from './feed'
import { expect, openList, PHONE, rows, test } from './test'

test.use({ programOptions: [BETTING, { scope: 'worker' }] })

const NAME = 'Uplata jednim pritiskom'
const bar = (page: Page) => page.locator('[data-one-press]')
const openOdd = (page: Page, row: number): Locator =>
  rows(page).nth(row).locator('[data-odd-id][data-state="open"]').first()

async function turnOn(page: Page, stake = '2,50'): Promise<void> {
  await openAsMember(page)
  await ticket(page).getByRole('checkbox', { name: NAME }).check()
  await ticket(page)
    .getByRole('textbox', { name: /^Uplata jednim/ })
    .fill(stake)
}

test('a press on an odd places a single after the time to undo it', { tag: '@main' }, async ({ page }) => {
  await turnOn(page)
  await openOdd(page, 0).click()
  await expect(bar(page)).toContainText(/2,50/)
  await expect(bar(page).getByRole('timer')).toContainText(/Šalje se za \d s/)
  expect(await axeFindings(page)).toEqual([])
  await expect(bar(page).getByRole('alert')).toContainText(/Zaprimljeno, listić/)
  expect(await axeFindings(page)).toEqual([])
  expect(await betCount(page)).toBe(1)
  await expect(pairs(page)).toHaveCount(0)
  await bar(page).getByRole('button', { name: 'Zatvori' }).click()
  await expect(bar(page)).toBeHidden()
})

test('it is taken back by its button, or by another press on the odd', { tag: '@main' }, async ({ page }) => {
  await turnOn(page)
  await openOdd(page, 0).click()
  await bar(page).getByRole('button', { name: 'Poništi' }).click()
  await expect(bar(page)).toBeHidden()
  await openOdd(page, 0).click()
  await expect(bar(page).getByRole('timer')).toContainText('Šalje se za 2 s')
  await openOdd(page, 0).click()
  await expect(bar(page)).toBeHidden()
  // A bet on another odd, which follows those that were taken back.
  await openOdd(page, 1).click()
  await expect(bar(page).getByRole('alert')).toContainText(/Zaprimljeno, listić/)
  expect(await betCount(page)).toBe(1)
})

test('a price that fell meanwhile is not bet on', async ({ page, feed }) => {
  await turnOn(page)
  const odd = openOdd(page, 0)
  const oddId = await idOf(odd)
  await odd.click()
  await expect(bar(page)).toBeVisible()
  feed.price(oddId, 1.01)
  await expect(page.getByText('Oklada nije poslana').first()).toBeVisible()
  await expect(bar(page)).toBeHidden()
  expect(await betCount(page)).toBe(0)
})

test('switch and stake are kept, within their limit; others do not see them', async ({ page }) => {
  await turnOn(page, '250')
  await expect(ticket(page).getByRole('textbox', { name: /^Uplata jednim/ })).toHaveValue('250')
  await page.reload()
  await expect(ticket(page).getByRole('checkbox', { name: NAME })).toBeChecked()
  await expect(ticket(page).getByRole('textbox', { name: /^Uplata jednim/ })).toHaveValue(/100,00/)
  await ticket(page).getByRole('checkbox', { name: NAME }).uncheck()
  await openOdd(page, 0).click()
  await expect(pairs(page)).toHaveCount(1)
})

test('without a login odds go to the ticket', async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem('cn-onePress', 'true'))
  await openList(page)
  await expect(ticket(page).getByRole('checkbox', { name: NAME })).toHaveCount(0)
  await openOdd(page, 0).click()
  await expect(pairs(page)).toHaveCount(1)
  await expect(bar(page)).toHaveCount(0)
})

test.describe('on a phone', () => {
  test.use({ viewport: PHONE })

  test('the bar is above the bottom bar, and its button is large enough', async ({ page }) => {
    await openAsMember(page)
    await page.getByRole('button', { name: /^Listić/ }).click()
    await ticket(page).getByRole('checkbox', { name: NAME }).check()
    await page.keyboard.press('Escape')
    await openOdd(page, 0).click()
    const undo = bar(page).getByRole('button', { name: 'Poništi' })
    const { height = 0 } = (await undo.boundingBox()) ?? {}
    expect(height).toBeGreaterThanOrEqual(44)
    await undo.click()
    await expect(bar(page)).toBeHidden()
    expect(await betCount(page)).toBe(0)
  })
})
