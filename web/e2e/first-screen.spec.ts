/** The first screen of a match, in every sport: how many rows of odds it shows, and what stays in view. */
import type { Page } from '@playwright/test'
import { expect, test } from './test'

test.use({ programOptions: [{ startMinute: 20, simulatedMatches: 120 }, { scope: 'worker' }] })

interface Offer {
  readonly sports: readonly {
    readonly id: number
    readonly name: string
    readonly matches: readonly { readonly id: number; readonly numberOfOdds: number }[]
  }[]
}

const ODDS = '[data-market-group] [data-odd-id]'

/** The match of each sport with the most odds: one that is nearly decided has few. */
async function matchesOf(page: Page): Promise<readonly { sport: string; id: number }[]> {
  const offer = (await (await page.request.get('/api/v1/live/offer?view=rows')).json()) as Offer
  expect(offer.sports.length).toBeGreaterThan(16)
  return offer.sports.flatMap(({ name, matches }) => {
    const [most] = [...matches].sort((a, b) => b.numberOfOdds - a.numberOfOdds)
    return most ? [{ sport: name, id: most.id }] : []
  })
}

/** The tops of the rows of odds that are whole on the screen, in px. */
function rowTops(page: Page): Promise<number[]> {
  return page.evaluate((odds) => {
    const boxes = [...document.querySelectorAll(odds)].map((odd) => odd.getBoundingClientRect())
    const whole = boxes.filter(({ bottom }) => bottom <= window.innerHeight)
    return [...new Set(whole.map(({ top }) => Math.round(top)))].sort((a, b) => a - b)
  }, ODDS)
}

for (const { width, height, rows } of [
  { width: 1366, height: 768, rows: 5 },
  { width: 1440, height: 900, rows: 7 },
]) {
  test(`at ${width}x${height} the first screen has ${rows} rows of odds in every sport`, async ({ page }) => {
    await page.setViewportSize({ width, height })
    for (const { sport, id } of await matchesOf(page)) {
      await page.goto(`/?match=${id}`)
      await expect.poll(async () => (await rowTops(page)).length, { message: sport }).toBeGreaterThanOrEqual(rows)
      const frame = page.locator('iframe')
      await expect(frame).toBeVisible()
      expect((await frame.boundingBox())?.width, sport).toBe(530)
    }
  })
}

test('at 390x844 the first odds are at 300 px in every sport', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  for (const { sport, id } of await matchesOf(page)) {
    await page.goto(`/?match=${id}`)
    await expect(page.locator(ODDS).first()).toBeVisible()
    const [first] = await rowTops(page)
    expect(first, sport).toBeLessThanOrEqual(300)
    expect(await page.evaluate(() => document.documentElement.scrollWidth), sport).toBeLessThanOrEqual(390)
  }
})
