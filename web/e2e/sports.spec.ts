import { axeFindings } from './axe'
import { DESKTOP, expect, openList, test } from './test'

// The default matches of `kvota serve`: recorded soccer and simulated other sports.
test.use({ programOptions: [{ startMinute: 20, simulatedMatches: 120 }, { scope: 'worker' }] })

const SPORTS = [1, 2, 3, 4, 5, 6, 12, 16, 19, 20, 21, 22, 23, 29, 31, 34, 117]

interface Offer {
  readonly sports: readonly {
    readonly id: number
    readonly name: string
    readonly matches: readonly { readonly id: number; readonly status: string; readonly home: string }[]
  }[]
  readonly numberOfMatches: number
}

test('all sports are in play at once, about 130 matches of them', { tag: '@main' }, async ({ page, request }) => {
  const offer = (await (await request.get('/api/v1/live/offer')).json()) as Offer
  const ids = offer.sports.map(({ id }) => id)
  expect(ids).toEqual(expect.arrayContaining(SPORTS))
  expect(offer.numberOfMatches).toBeGreaterThan(100)
  await openList(page)
  for (const { name } of offer.sports.slice(0, 3)) {
    await expect(page.getByRole('button', { name: new RegExp(`^${name}`) }).first()).toBeVisible()
  }
})

test('a sport chosen alone shows its own columns and nothing axe objects to', async ({ page }) => {
  await page.setViewportSize(DESKTOP)
  await openList(page)
  await page
    .getByRole('button', { name: /^Tenis/ })
    .first()
    .click()
  await expect(page.getByRole('heading', { level: 2, name: 'Tenis', exact: true })).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
})

// Basketball, rugby, cricket and MMA have the longest names of outcomes.
for (const sportId of [2, 12, 21, 117]) {
  test(`no outcome of a match of sport ${sportId} has a label that is cut on a phone`, async ({ page, request }) => {
    const offer = (await (await request.get('/api/v1/live/offer?view=rows')).json()) as Offer
    const [match] = offer.sports.find(({ id }) => id === sportId)?.matches ?? []
    await page.setViewportSize({ width: 360, height: 800 })
    await page.goto(`/?match=${match?.id}`)
    await expect(page.locator('[data-market-id] button[data-odd-id]').first()).toBeVisible()
    for (const width of [320, 360, 390, 600]) {
      await page.setViewportSize({ width, height: 800 })
      const cut = await page.evaluate(async () => {
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
        const labels = [
          ...document.querySelectorAll<HTMLElement>('[data-market-id] [data-odd-id] > span:first-of-type'),
        ]
        return labels
          .filter((label) => label.scrollWidth > label.clientWidth + 1 || label.scrollHeight > label.clientHeight + 1)
          .map(({ textContent }) => textContent)
      })
      expect(cut, `at ${width} px`).toEqual([])
    }
  })
}
