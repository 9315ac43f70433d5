import type { Page } from '@playwright/test'
import { axeFindings } from './axe'
import { DESKTOP, expect, openList, PHONE, rows, TABLET, test } from './test'

// Late in the first half the matches have events; 80 simulated matches include every sport.
test.use({ programOptions: { startMinute: 44, simulatedMatches: 80 } })

const frame = (page: Page) => page.frameLocator('iframe')
const frameAddress = async (page: Page) => {
  const src = await page.locator('iframe').getAttribute('src')
  return src?.replace(new URL(page.url()).origin, '')
}

interface OfferSport {
  readonly id: number
  readonly matches: readonly { readonly id: number; readonly status: string; readonly scores: unknown[] }[]
}

/** The id of a match in play of a sport. */
async function playedMatch(page: Page, sportId: number): Promise<number> {
  const answer = await page.request.get('/api/v1/live/offer?view=rows')
  const { sports } = (await answer.json()) as { sports: OfferSport[] }
  const matches = sports.find((sport) => sport.id === sportId)?.matches ?? []
  const played = matches.find(({ status }) => !['not_started', 'delayed', 'ended'].includes(status))
  expect(played, `a match of sport ${sportId} that is being played`).toBeDefined()
  return played?.id ?? 0
}

/** Opens a soccer match that has a ball position; its id. */
async function openMatch(page: Page, isFolded = false): Promise<string> {
  await openList(page)
  const row = rows(page).first()
  const id = (await row.getAttribute('data-match-id')) ?? ''
  await row.locator('[data-cell="match"]').click()
  if (isFolded) {
    await unfold(page)
  }
  await expect(frame(page).locator('.stage .ball')).toBeVisible()
  return id
}

/** Opens the strip that the tracker is folded into, if it is not open. */
async function unfold(page: Page): Promise<void> {
  const strip = page.getByRole('button', { name: /Semafor i statistika/ })
  await expect(strip).toBeVisible()
  if ((await strip.getAttribute('aria-expanded')) === 'false') {
    await strip.click()
  }
}

test('stands beside the match at exactly 530 px and follows the ball', { tag: '@main' }, async ({ page, feed }) => {
  const id = await openMatch(page)
  await expect.poll(() => frameAddress(page)).toBe(`/scoreboard/${id}?lang=hr&width=530`)
  await expect.poll(async () => (await page.locator('iframe').boundingBox())?.width).toBe(530)
  const ball = frame(page).locator('.stage .ball')
  const where = () => ball.evaluate((element: SVGElement) => element.style.transform)
  feed.ball(id, { x: 20, y: 30, side: 1, action: 1 })
  await expect.poll(where).toMatch(/^translate\(/)
  const before = await where()
  feed.ball(id, { x: 80, y: 60, side: 1, action: 2 })
  await expect.poll(where).not.toBe(before)
  await expect(frame(page).locator('.call')).not.toBeEmpty()
  await expect(frame(page).locator('.chart rect').nth(20)).toBeAttached()
})

test('has another address only where 1365 px are crossed', async ({ page }) => {
  await page.setViewportSize(DESKTOP)
  const id = await openMatch(page)
  await page.setViewportSize({ width: 1366, height: 900 })
  await expect.poll(() => frameAddress(page)).toBe(`/scoreboard/${id}?lang=hr&width=530`)
  await page.setViewportSize({ width: 1364, height: 900 })
  await expect.poll(() => frameAddress(page)).toBe(`/scoreboard/${id}?lang=hr&width=355&tabs=0`)
  await expect.poll(async () => (await page.locator('iframe').boundingBox())?.width).toBe(355)
  await page.setViewportSize(TABLET)
  await unfold(page)
  await expect.poll(() => frameAddress(page)).toBe(`/scoreboard/${id}?lang=hr&width=355&tabs=0`)
})

test('statistics and timeline are tabs, turned by the keyboard too', async ({ page }) => {
  await openMatch(page)
  const tabs = frame(page).getByRole('tab')
  await tabs.nth(0).focus()
  await page.keyboard.press('ArrowRight')
  await expect(frame(page).getByRole('tabpanel', { name: 'Statistika' }).getByText('Opasni napadi')).toBeVisible()
  await page.keyboard.press('ArrowRight')
  const story = frame(page).getByRole('tabpanel', { name: 'Tijek' }).getByRole('listitem')
  await expect(story.first()).toBeVisible()
  await expect(story.first()).toContainText(/\d+(\+\d+)?'/)
})

test('below 1365 px the tabs are those of the page, with the stream as the fourth', async ({ page }) => {
  for (const viewport of [TABLET, PHONE]) {
    await page.setViewportSize(viewport)
    await openMatch(page, true)
    const tabs = page.getByRole('tablist', { name: 'Semafor i statistika' }).getByRole('tab')
    await expect(tabs).toHaveText(['Teren', 'Statistika', 'Tijek', 'Prijenos'])
    await expect(frame(page).getByRole('tab')).toHaveCount(0)
    await tabs.nth(1).click()
    await expect(frame(page).getByText('Opasni napadi').last()).toBeVisible()
    await tabs.nth(0).click()
    await expect(frame(page).locator('.stage .ball')).toBeVisible()
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth))
      .toBeLessThanOrEqual(viewport.width)
  }
})

test('wears the theme and speaks the language of the page around it', async ({ page }) => {
  await openMatch(page)
  const root = frame(page).locator('html')
  await page.getByRole('button', { name: 'Svijetla tema' }).click()
  await expect(root).toHaveAttribute('data-theme', 'light')
  await page.getByRole('button', { name: 'Tamna tema' }).click()
  await expect(root).toHaveAttribute('data-theme', 'dark')
  await page.goto(`${await frameAddress(page)}&theme=light`.replace('lang=hr', 'lang=sr'))
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
  await expect(page.locator('html')).toHaveAttribute('lang', 'sr-Cyrl-RS')
  await expect(page.getByRole('tab').first()).toHaveText('Терен')
})

for (const [sport, id, ground] of [
  ['basketball', 2, 'basketball'],
  ['baseball', 3, 'baseball'],
  ['ice hockey', 4, 'hockey'],
  ['tennis', 5, 'tennis'],
  ['handball', 6, 'handball'],
  ['rugby', 12, 'rugby'],
  ['American football', 16, 'gridiron'],
  ['snooker', 19, 'snooker'],
  ['table tennis', 20, 'table'],
  ['cricket', 21, 'cricket'],
  ['darts', 22, 'darts'],
  ['volleyball', 23, 'volleyball'],
  ['futsal', 29, 'futsal'],
  ['badminton', 31, 'badminton'],
  ['beach volleyball', 34, 'beach'],
  ['squash', 37, 'squash'],
  ['mixed martial arts', 117, 'mma'],
] as const) {
  test(`${sport} has its ground and its score`, async ({ page }) => {
    const matchId = await playedMatch(page, id)
    await page.goto(`/scoreboard/${matchId}?lang=hr&width=530`)
    await expect(page.locator(`.stage [id^="${ground}-"]`).first()).toBeAttached()
    await expect(page.getByRole('img', { name: /^Teren/ })).toBeVisible()
    await expect(page.locator('.figure')).not.toBeEmpty()
    await expect(page.locator('.middle .when')).not.toBeEmpty()
    await expect(page.locator('.panel.field').getByRole('table')).toBeVisible()
    expect(await axeFindings(page)).toEqual([])
  })
}

test('the drawing of a sport is loaded with its match alone', async ({ page }) => {
  const loaded: string[] = []
  page.on('request', (request) => loaded.push(new URL(request.url()).pathname))
  const matchId = await playedMatch(page, 22)
  await page.goto(`/scoreboard/${matchId}?lang=hr&width=355`)
  await expect(page.locator('.stage .wing').first()).toBeVisible()
  expect(loaded.filter((path) => /\/(soccer|tennis|sheet|difference|innings|snooker|mma)-/.test(path))).toEqual([])
})

test('a match that is not in the offer is said to be none', async ({ page }) => {
  await page.goto('/scoreboard/1?lang=en&width=355')
  await expect(page.getByText('This match is not in the offer.')).toBeVisible()
})

test('says when there is no offer, and goes on when there is', async ({ page, feed }) => {
  const id = await playedMatch(page, 1)
  await page.goto(`/scoreboard/${id}?lang=hr&width=530`)
  await expect(page.locator('.body')).toBeVisible()
  feed.off()
  await expect(page.locator('.state.inactive')).toBeVisible()
  feed.on()
  await expect(page.locator('.body')).toBeVisible()
})

for (const colorScheme of ['dark', 'light'] as const) {
  for (const width of [355, 530]) {
    test(`has no barriers at ${width} px, ${colorScheme}`, async ({ page }) => {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 432 })
      const id = await playedMatch(page, 1)
      await page.goto(`/scoreboard/${id}?lang=hr&width=${width}`)
      for (const tab of await page.getByRole('tab').all()) {
        await tab.click()
        expect(await axeFindings(page)).toEqual([])
      }
    })
  }
}
