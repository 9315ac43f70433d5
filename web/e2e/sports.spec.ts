import { axeFindings } from './axe'
import { DESKTOP, expect, keepPicture, openList, PHONE, test } from './test'

// What `kvota serve` plays by itself: the recorded soccer and the simulated other sports side by side.
test.use({ programOptions: [{ speed: 20, startMinute: 20, simulatedMatches: 120 }, { scope: 'worker' }] })

const SPORTS = [1, 2, 3, 4, 5, 6, 12, 16, 19, 20, 21, 22, 23, 29, 31, 34, 117]

interface Offer {
  readonly sports: readonly {
    readonly id: number
    readonly name: string
    readonly matches: readonly { readonly id: number; readonly status: string; readonly home: string }[]
  }[]
  readonly numberOfMatches: number
}

test('all sports are in play at once, about 130 matches of them', async ({ page, request }) => {
  const offer = (await (await request.get('/api/v1/live/offer')).json()) as Offer
  const ids = offer.sports.map(({ id }) => id)
  expect(ids).toEqual(expect.arrayContaining(SPORTS.filter((id) => id !== 1)))
  expect(offer.numberOfMatches).toBeGreaterThan(100)
  await openList(page)
  for (const { name } of offer.sports.slice(0, 3)) {
    await expect(page.getByRole('button', { name: new RegExp(`^${name}`) }).first()).toBeVisible()
  }
})

for (const lang of ['hr', 'en', 'bs', 'sr']) {
  test(`every status that matches come into has its words in ${lang}`, async ({ request }) => {
    const translations = (await (await request.get(`/api/v1/live/translations?lang=${lang}`)).json()) as object
    const statuses = new Set<string>()
    for (let look = 0; look < 20; look += 1) {
      const offer = (await (await request.get(`/api/v1/live/offer?view=rows&lang=${lang}`)).json()) as Offer
      offer.sports.flatMap(({ matches }) => matches).forEach(({ status }) => statuses.add(status))
    }
    expect([...statuses].filter((status) => !(status in translations))).toEqual([])
  })
}

test('a sport chosen alone shows its own columns and nothing axe objects to', async ({ page }) => {
  await page.setViewportSize(DESKTOP)
  await openList(page)
  await page.getByRole('button', { name: /^Tenis/ }).first().click()
  await expect(page.getByRole('heading', { level: 2, name: 'Tenis', exact: true })).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
})

for (const [screen, viewport] of [
  ['desktop', DESKTOP],
  ['phone', PHONE],
] as const) {
  for (const colorScheme of ['dark', 'light'] as const) {
    test(`a picture of many sports on a ${screen}, ${colorScheme}`, async ({ page }) => {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize(viewport)
      await openList(page)
      await keepPicture(page, `sports-${screen}-${colorScheme}`)
    })
  }
}
