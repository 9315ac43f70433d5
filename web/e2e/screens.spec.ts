/**
 * What components and pages look like, against pictures that somebody has looked at (`screens/`). How they are made anew
 * is told in docs/client.md.
 */
import { join } from 'node:path'
import { test as base, expect, type Page } from '@playwright/test'
import { serveBuilt } from './built'
import { openState } from './fixturePage'

/** Of the package that the tests install: other machines have other fonts beside it. */
const LOOKS = 'font=DejaVu Sans'

const ALL = ['odds', 'rows', 'match', 'ticket', 'placing', 'bets', 'controls', 'messages', 'media', 'tracker']

/** What is laid out otherwise in the middle, and what is for fingers on a phone. */
const MIDDLE = ['rows', 'match', 'ticket', 'bets']
const PHONE = ['odds', 'rows', 'match', 'ticket', 'controls']

/** The whole gallery at a desk, and of the other widths what differs there. */
const SECTIONS: Readonly<Record<string, readonly string[]>> = {
  '1440-dark': ALL,
  '1440-light': ALL,
  '1024-dark': MIDDLE,
  '1024-light': MIDDLE,
  '390-dark': PHONE,
  '390-light': PHONE,
}

const PAGES: Readonly<Record<string, string>> = {
  loading: 'state=loading&slip=empty',
  list: 'slip=system',
  match: 'match=1',
  login: 'page=login&anonymous',
  bets: 'page=bets&slip=standard',
}

const SIZES = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
]

interface WorkerFixtures {
  readonly builtUrl: string
}

const test = base.extend<object, WorkerFixtures>({
  builtUrl: [
    // biome-ignore lint/correctness/noEmptyPattern: the runner reads from it which others are wanted.
    async ({}, use) => {
      const built = await serveBuilt(join(import.meta.dirname, '..'), ['gallery.html', 'e2e/fixture/index.html'])
      await use(built.url)
      await built.end()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
})

test.use({ timezoneId: 'Europe/Zagreb' })

/** At one instant, in one font, of somebody who was not asked yet whether goals may be told. */
async function stand(page: Page, size: (typeof SIZES)[number], theme: 'dark' | 'light') {
  await page.addInitScript(() => Object.defineProperty(Notification, 'permission', { get: () => 'default' }))
  await page.clock.setFixedTime('2026-05-13T18:00:00+02:00')
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'no-preference' })
  await page.setViewportSize(size)
}

/** Pictures, fonts and what is drawn late are there. */
async function settle(page: Page) {
  await expect(page.locator('[data-waiting]')).toHaveCount(0)
  await page.evaluate(async () => {
    await document.fonts.ready
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  })
}

for (const size of SIZES) {
  for (const theme of ['dark', 'light'] as const) {
    const look = `${size.width}-${theme}`
    const sections = SECTIONS[look] ?? []

    if (sections.length > 0) {
      test(`the gallery at ${size.width} px, ${theme}`, async ({ page, builtUrl }) => {
        await stand(page, size, theme)
        await page.goto(`${builtUrl}/gallery.html?still&${LOOKS}&theme=${theme}#odds`)
        for (const section of sections) {
          await page.evaluate((name) => {
            location.hash = name
          }, section)
          await expect(page.locator('[data-gallery]')).toHaveAttribute('data-gallery', section)
          await settle(page)
          await expect.soft(page).toHaveScreenshot(`${section}-${look}.png`, { fullPage: true, animations: 'allow' })
        }
      })
    }

    test(`the pages at ${size.width} px, ${theme}`, async ({ page, builtUrl }) => {
      await stand(page, size, theme)
      const pages = size.width < 960 ? { ...PAGES, sheet: 'slip=system&sheet=1' } : PAGES
      for (const [name, query] of Object.entries(pages)) {
        await openState(page, `${builtUrl}/e2e/fixture`, `${query}&${LOOKS}&theme=${theme}`)
        await settle(page)
        await expect.soft(page).toHaveScreenshot(`page-${name}-${look}.png`)
      }
    })
  }
}
