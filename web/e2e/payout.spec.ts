/** What a bettor sees when the feed decides a bet: in every tab, without a reload. */
import type { Locator, Page } from '@playwright/test'
import { BETTING, balance, euros, placeSingle } from './bettor'
import { expect, openList, test } from './test'

// A program of its own: a market that was decided stays decided, also after a reset of the feed.
test.use({ programOptions: [{ ...BETTING, betDelaySeconds: 0 }, { scope: 'worker' }] })

/** The account buttons show the balance. */
function accountButton(page: Page): Locator {
  return page.getByRole('banner').getByRole('button', { name: /^Račun/ })
}

/** Opens a second tab, and waits until both show the balance after the stake was taken, and the open bet. */
async function openSecondTab(page: Page): Promise<Page> {
  const second = await page.context().newPage()
  await openList(second)
  for (const tab of [page, second]) {
    await expect(accountButton(tab)).toContainText('990,00')
    // What ends before a tab has received its bets is not reported in it.
    await expect(tab.getByRole('tab', { name: 'Otvorene 1' })).toBeVisible()
  }
  return second
}

/** Fails if the page is loaded again before the function that is returned is called. */
async function markLoad(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(() => Object.assign(window, { isSameLoad: true }))
  return async () => expect(await page.evaluate(() => 'isSameLoad' in window)).toBe(true)
}

function toasts(page: Page): Locator {
  return page.getByRole('region', { name: 'Poruke' })
}

/** The text is in a toast, and in the region that screen readers announce at once. */
async function isReported(page: Page, text: string): Promise<void> {
  await expect(toasts(page)).toContainText(text)
  await expect(page.getByRole('alert').filter({ hasText: text })).toHaveCount(1)
}

test('a won bet is paid in every tab, announced and listed', { tag: '@main' }, async ({ page, feed }) => {
  const { matchId, oddIds, number } = await placeSingle(page, 0)
  const second = await openSecondTab(page)
  const tabs = [page, second]
  const checks = await Promise.all(tabs.map(markLoad))

  feed.score(matchId, [6, 0])
  const row = second.locator(`[data-row="match"][data-match-id="${matchId}"]`)
  await expect(row.getByText('GOL', { exact: true })).toBeVisible()
  // The toasts last ten seconds, so both tabs are watched before the result is sent.
  const reports = tabs.map((tab) => isReported(tab, `Listić ${number} je dobitan: isplaćeno`))
  feed.result(oddIds[0] ?? '')
  await Promise.all(reports)

  await expect.poll(() => balance(page)).not.toBe('990.00')
  const after = await balance(page)
  const paid = (Number(after) - 990).toFixed(2)
  expect(Number(paid)).toBeGreaterThan(0)
  const text = `Listić ${number} je dobitan: isplaćeno ${euros(paid)}.`
  for (const tab of tabs) {
    await expect(tab.getByRole('alert').filter({ hasText: text })).toHaveCount(1)
    await expect(accountButton(tab)).toContainText(euros(after))
  }

  await toasts(second).getByRole('button', { name: 'Moje oklade' }).click()
  await expect(second).toHaveURL(/view=bets/)
  await second.getByRole('radio', { name: /^Dobitne/ }).check()
  const bet = second.getByRole('article')
  await expect(bet).toHaveCount(1)
  await expect(bet).toContainText(number)
  await expect(bet).toContainText('Dobitna')
  await expect(bet).toContainText(`Isplaćeno${euros(paid)}`)
  await expect(bet.getByRole('listitem')).toContainText('Dobitan')
  await Promise.all(checks.map((isSameLoad) => isSameLoad()))
})

test('a lost bet is announced in every tab, and nothing is paid', async ({ page, feed }) => {
  const { oddIds, number } = await placeSingle(page, 1)
  const second = await openSecondTab(page)
  const reports = [page, second].map((tab) => isReported(tab, `Listić ${number} nije dobitan.`))
  feed.result(oddIds[1] ?? '')
  await Promise.all(reports)
  for (const tab of [page, second]) {
    await expect(accountButton(tab)).toContainText('990,00')
  }
  await expect.poll(() => balance(page)).toBe('990.00')
  await second.goto('/?view=bets')
  await second.getByRole('radio', { name: /^Gubitne/ }).check()
  const bet = second.getByRole('article')
  await expect(bet).toHaveCount(1)
  await expect(bet).toContainText(number)
  await expect(bet).toContainText('Gubitna')
  await expect(bet).toContainText('Isplaćeno0,00 €')
})

test('My bets that is open follows the result', async ({ page, feed }) => {
  const { oddIds, number } = await placeSingle(page, 2)
  const second = await page.context().newPage()
  await second.goto('/?view=bets')
  await expect(second.getByRole('article')).toContainText('Otvorena')
  const isSameLoad = await markLoad(second)
  feed.result(oddIds[0] ?? '')
  await expect(second.getByText('Nemate otvorenih oklada')).toBeVisible()
  await second.getByRole('radio', { name: /^Riješene/ }).check()
  await expect(second.getByRole('article')).toContainText(number)
  await expect(second.getByRole('article')).toContainText('Dobitna')
  await isSameLoad()
})
