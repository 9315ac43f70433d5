/**
 * Screenshots of components and pages, compared with reviewed pictures (`screens/`). docs/client.md says how to renew
 * them.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page, PageAssertionsToHaveScreenshotOptions } from '@playwright/test'
import { expect, openState, test } from './fixturePage'

/** The font of a package that the tests install, because machines differ in their other fonts. */
const LOOKS = 'font=DejaVu Sans'

const ALL = ['odds', 'rows', 'match', 'ticket', 'placing', 'bets', 'controls', 'messages', 'media', 'tracker']

/** Sections with another layout at medium width, and sections with touch controls on a phone. */
const MIDDLE = ['rows', 'match', 'ticket', 'bets']
const PHONE = ['odds', 'rows', 'match', 'ticket', 'bets', 'controls']

/** The sections for each screenshot: all on a desktop, on smaller screens only those that differ. */
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

test.use({ timezoneId: 'Europe/Zagreb' })

/** Opens a page with a fixed time and font, as a user who has not been asked about goal notifications yet. */
async function stand(page: Page, size: (typeof SIZES)[number], theme: 'dark' | 'light') {
  await page.addInitScript(() => Object.defineProperty(Notification, 'permission', { get: () => 'default' }))
  await page.clock.setFixedTime('2026-05-13T18:00:00+02:00')
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'no-preference' })
  await page.setViewportSize(size)
}

/** Waits until images, fonts and lazy parts are there. */
async function settle(page: Page) {
  await expect(page.locator('[data-waiting]')).toHaveCount(0)
  await page.evaluate(async () => {
    await document.fonts.ready
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  })
}

/**
 * Compares the page with its reviewed picture. On most machines every byte is equal, which is found without decoding
 * the pictures and counting their pixels.
 */
async function expectPicture(page: Page, name: string, options: PageAssertionsToHaveScreenshotOptions = {}) {
  const reviewed = join(import.meta.dirname, 'screens', name)
  const { fullPage = false, animations = 'disabled' } = options
  const taken = await page.screenshot({ fullPage, animations, scale: 'css' })
  if (!existsSync(reviewed) || !taken.equals(readFileSync(reviewed))) {
    await expect.soft(page).toHaveScreenshot(name, options)
  }
}

for (const size of SIZES) {
  for (const theme of ['dark', 'light'] as const) {
    const look = `${size.width}-${theme}`
    const sections = SECTIONS[look] ?? []

    if (sections.length > 0) {
      test(`the gallery at ${size.width} px, ${theme}`, async ({ page, pagesUrl }) => {
        await stand(page, size, theme)
        await page.goto(`${pagesUrl}/gallery.html?still&${LOOKS}&theme=${theme}#odds`)
        for (const section of sections) {
          await page.evaluate((name) => {
            location.hash = name
          }, section)
          await expect(page.locator('[data-gallery]')).toHaveAttribute('data-gallery', section)
          await settle(page)
          await expectPicture(page, `${section}-${look}.png`, {
            fullPage: true,
            animations: 'allow',
            // The tallest section has 16,000 px.
            timeout: 60_000,
          })
        }
      })
    }

    test(`the pages at ${size.width} px, ${theme}`, async ({ page, pagesUrl }) => {
      await stand(page, size, theme)
      const pages = size.width < 960 ? { ...PAGES, sheet: 'slip=system&sheet=1' } : PAGES
      for (const [name, query] of Object.entries(pages)) {
        await openState(page, pagesUrl, `${query}&${LOOKS}&theme=${theme}`)
        await settle(page)
        await expectPicture(page, `page-${name}-${look}.png`)
      }
    })
  }
}
