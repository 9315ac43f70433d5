import type { Page } from '@playwright/test'
import { idOf } from './feed'
import { expect, firstOdd, openList, rows, test } from './test'

const FIRST_PRICE = '[data-row="match"] [data-cell="odd-0-0"] [data-price]'

for (const [name, locale, heading, sport, menu] of [
  ['English', 'en-US', 'In-play', 'Soccer', 'Preferences'],
  ['Bosanski', 'bs-Latn-BA', 'Ponuda uživo', 'Fudbal', 'Postavke'],
  ['Српски', 'sr-Cyrl-RS', 'Понуда уживо', 'Фудбал', 'Подешавања'],
] as const) {
  test(`the page turns to ${name} and stays so`, async ({ page }) => {
    await openList(page)
    await expect(page.locator('html')).toHaveAttribute('lang', 'hr-HR')
    await page.getByRole('button', { name: /Postavke/ }).click()
    await page.getByRole('radio', { name }).check({ force: true })
    await expect(page.getByRole('heading', { level: 1, name: heading, exact: true })).toBeVisible()
    await expect(page.getByRole('heading', { level: 2, name: sport })).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('lang', locale)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('button', { name: menu })).toBeFocused()
    await page.reload()
    await expect(page.getByRole('heading', { level: 2, name: sport })).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('lang', locale)
  })
}

test('Bosnian amounts are written as in Bosnia, though Chromium has no Bosnian formats', async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem('cn-language', '"bs"'))
  await openList(page)
  await firstOdd(page).click()
  await expect(page.locator('[data-place]')).toHaveText(/^Uplati \d+,00\u00a0€$/)
})

test('prices are written in six formats', async ({ page }) => {
  await openList(page)
  for (const [format, pattern] of [
    ['Razlomačke', /^\d+\/\d+$/],
    ['Američke', /^[+-]\d{3,}$/],
    ['Hongkonške', /^\d+\.\d{2}$/],
    ['Indonezijske', /^-?\d+\.\d{2}$/],
    ['Malajske', /^-?[01]\.\d{2}$/],
    ['Decimalne', /^\d+(\.\d{1,2})?$/],
  ] as const) {
    await page.getByRole('button', { name: /Postavke/ }).click()
    await page.getByRole('radio', { name: new RegExp(format) }).check({ force: true })
    await page.keyboard.press('Escape')
    await expect(page.locator(FIRST_PRICE).first()).toHaveText(pattern)
  }
  await expect.poll(() => page.evaluate(() => localStorage.getItem('cn-oddsType'))).toBe('0')
})

test('the theme follows the system until one is chosen, and is there before the first paint', { tag: '@main' }, async ({
  page,
}) => {
  await openList(page)
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'auto')
  await page.getByRole('button', { name: 'Svijetla tema' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
  await expect(page.locator('body')).toHaveCSS('color', 'rgb(15, 28, 38)')
  await page.goto('/', { waitUntil: 'commit' })
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
  await openList(page)
  await page.getByRole('button', { name: /Postavke/ }).click()
  await page.getByRole('radio', { name: 'Sustav' }).check({ force: true })
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'auto')
})

test('with reduced motion prices still show where they went', async ({ page, feed }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await openList(page)
  await feed.movePrice(firstOdd(page))
  await expect(rows(page)).toHaveCount(10)
})

/** Chooses in the group of the low-data mode. */
async function turnLowData(page: Page, choice: 'Uključena' | 'Isključena'): Promise<void> {
  await page.getByRole('button', { name: /Postavke/ }).click()
  const group = page.getByRole('group', { name: 'Štednja podataka' })
  await group.getByRole('radio', { name: choice }).check({ force: true })
  await page.keyboard.press('Escape')
}

/** The ids of the odds that have flashed since the call of this. */
async function watchFlashes(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const flashed: string[] = []
    Object.assign(window, { flashed })
    new MutationObserver((mutations) => {
      for (const { target } of mutations) {
        const odd = target as HTMLElement
        if (odd.dataset['oddId'] && /(^|\s)flash-/.test(odd.className)) {
          flashed.push(odd.dataset['oddId'])
        }
      }
    }).observe(document.body, { attributeFilter: ['class'], subtree: true })
  })
  return () => page.evaluate(() => (window as unknown as { flashed: string[] }).flashed)
}

test('with low data prices have arrows without flashes, and the tracker loads when it is opened', async ({
  page,
  feed,
}) => {
  await openList(page)
  const odds = page.locator('[data-row="match"] [data-odd-id][data-state="open"]')
  const [first, second] = [await idOf(odds.nth(0)), await idOf(odds.nth(5))]
  const flashed = await watchFlashes(page)
  await feed.movePrice(odds.nth(0))
  expect(await flashed()).toContain(first)
  await turnLowData(page, 'Uključena')
  await feed.movePrice(odds.nth(5))
  expect(await flashed()).not.toContain(second)

  await rows(page).first().getByRole('link').first().click()
  const strip = page.getByRole('button', { name: /Semafor i statistika/ })
  await expect(strip).toHaveAttribute('aria-expanded', 'false')
  await expect(page.locator('iframe')).toHaveCount(0)
  await strip.click()
  await expect(page.locator('iframe')).toHaveCount(1)
})

test('low data follows the setting of the browser until it is chosen', async ({ page }) => {
  await page.addInitScript(() =>
    Object.defineProperty(navigator, 'connection', { configurable: true, value: { saveData: true } }),
  )
  const saved = () => page.evaluate(() => localStorage.getItem('cn-lowData'))
  const radioOfOn = async () => {
    await page.getByRole('button', { name: /Postavke/ }).click()
    return page.getByRole('group', { name: 'Štednja podataka' }).getByRole('radio', { name: 'Uključena' })
  }
  await openList(page)
  await expect(await radioOfOn()).toBeChecked()
  expect(await saved()).toBe(null)
  await page.keyboard.press('Escape')
  await turnLowData(page, 'Isključena')
  expect(await saved()).toBe('false')
  await page.reload()
  await expect(rows(page).first()).toBeVisible()
  await expect(await radioOfOn()).not.toBeChecked()
})
