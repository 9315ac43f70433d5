/** The filter for markets that are decided soon, with the simulated matches of all sports. */
import type { Locator, Page } from '@playwright/test'
import { axeFindings } from './axe'
import { askToPlace, BETTING, balance, consentToAny, openAsMember, receipt, setStake } from './bettor'
import { idOf } from './feed'
import { DESKTOP, expect, openList, PHONE, rows, TABLET, test } from './test'

// A program of its own: a market that was decided stays decided, also after a reset of the feed.
test.use({ programOptions: [{ ...BETTING, simulatedMatches: 120, betDelaySeconds: 0 }, { scope: 'worker' }] })

function soon(page: Page): Locator {
  return page.locator('[data-row="soon"]')
}

/** The quick filter: a button of the rail, or a chip on a phone. */
function filter(page: Page): Locator {
  return page.getByRole('button', { name: 'Odlučuje se uskoro', exact: true })
}

test('a bet on a market that is decided soon is paid', { tag: '@main' }, async ({ page, feed }) => {
  await openAsMember(page)
  await filter(page).click()
  await expect(page).toHaveURL(/view=soon$/)
  await expect(filter(page)).toHaveAttribute('aria-pressed', 'true')
  const market = soon(page)
    .getByRole('group', { name: /, (do|za oko) \d min$/ })
    .first()
  const odd = market.locator('[data-odd-id][data-state="open"]').first()
  const oddId = await idOf(odd)
  await odd.click()
  await expect(odd).toHaveAttribute('aria-pressed', 'true')
  await consentToAny(page)
  await setStake(page, '10')
  await (await askToPlace(page)).click()
  await receipt(page).getByRole('button', { name: 'Nastavi' }).click()
  await expect.poll(() => balance(page)).toBe('990.00')
  feed.result(oddId)
  await expect(page.getByRole('alert').filter({ hasText: 'je dobitan: isplaćeno' })).toHaveCount(1)
  await expect.poll(async () => Number(await balance(page))).toBeGreaterThan(990)
  // The market has left the offer, and with it the list.
  await expect(page.locator(`[data-odd-id="${oddId}"]`)).toHaveCount(0)
  await page.getByRole('link', { name: 'Moje oklade', exact: true }).click()
  await expect(page.getByRole('region', { name: 'Danas' })).toContainText(/1 oklada.*Uplaćeno\s*10,00.*Rezultat\s*\+/s)
})

test('keys open the filter, a match of it and come back to its link', async ({ page }) => {
  await openList(page)
  await filter(page).focus()
  await page.keyboard.press('Enter')
  const link = soon(page).first().getByRole('link')
  const name = await link.innerText()
  await link.focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/view=soon&match=\d+$/)
  await expect(page.getByRole('heading', { level: 3 }).first()).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL(/view=soon$/)
  await expect(soon(page).getByRole('link', { name, exact: true })).toBeFocused()
  await filter(page).click()
  await expect(page).toHaveURL(/\/$/)
})

test('a sport can be chosen within the filter', async ({ page }) => {
  await page.goto('/?view=soon')
  await expect(soon(page).first()).toBeVisible()
  await page
    .getByRole('navigation', { name: 'Odabir sportova' })
    .getByRole('button', { name: /^Tenis/ })
    .click()
  await expect(soon(page).first()).toHaveAttribute('data-sport', 'tennis')
  await expect(page.locator('[data-row="soon"]:not([data-sport="tennis"])')).toHaveCount(0)
  await expect(page).toHaveURL(/view=soon$/)
})

test('what starts soon and what has just ended are filters too', { tag: '@main' }, async ({ page }) => {
  await openList(page)
  const [starting, ended] = ['Počinje uskoro', 'Upravo završeno'].map((name) =>
    page.getByRole('button', { name, exact: true }),
  ) as [Locator, Locator]
  await starting.click()
  await expect(page).toHaveURL(/view=starting$/)
  await expect(rows(page).first()).toBeVisible()
  await expect(rows(page).filter({ hasNotText: '[Nije počelo]' })).toHaveCount(0)
  await ended.click()
  await expect(page).toHaveURL(/view=ended$/)
  const result = page.locator('[data-row="ended"]').first()
  await expect(result).toContainText(/\d+:\d+/)
  expect(await axeFindings(page)).toEqual([])
  await page.reload()
  await expect(result).toBeVisible()
  await result.getByRole('link').click()
  await expect(page).toHaveURL(/view=ended&match=\d+$/)
})

for (const [screen, viewport] of [
  ['desktop', DESKTOP],
  ['tablet', TABLET],
  ['phone', PHONE],
] as const) {
  test(`the filter on a ${screen}: axe finds nothing, and nothing is cut`, async ({ page }) => {
    await page.setViewportSize(viewport)
    await openList(page)
    await filter(page).click()
    await expect(soon(page).first()).toBeVisible()
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      expect(await axeFindings(page)).toEqual([])
    }
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth))
      .toBeLessThanOrEqual(viewport.width)
  })
}
