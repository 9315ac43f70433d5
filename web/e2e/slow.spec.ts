/** The order of the first load: what a slow network shows first, and what waits for the list. No test measures time. */
import { expect, rows, test } from './test'

test('the skeleton and the request of the offer do not wait for the scripts and the styles', async ({ page }) => {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.addInitScript(() => {
    const shifts = { sum: 0 }
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        shifts.sum += (entry as unknown as { value: number }).value
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
  await page.route('**/assets/*', async (route) => {
    await held
    await route.continue()
  })
  const offer = page.waitForRequest((request) => request.url().includes('/live/offer'))
  const requested: string[] = []
  page.on('request', (request) => requested.push(new URL(request.url()).pathname))
  await page.goto('/', { waitUntil: 'commit' })
  await offer
  await expect(page.locator('.early').getByText('kvota')).toBeVisible()
  await expect(page.locator('.early-rows')).toBeVisible()
  await expect.poll(() => page.evaluate(() => performance.getEntriesByType('paint').length)).toBeGreaterThan(0)
  release()
  await expect(rows(page)).toHaveCount(10)
  await expect.poll(() => requested.some((path) => /\/assets\/bettor-.*\.js$/.test(path))).toBe(true)
  const shifts = await page.evaluate(() => (window as unknown as { shifts: { sum: number } }).shifts.sum)
  expect(shifts).toBeLessThanOrEqual(0.02)
})

test('the ticket and the extras are requested after the list is rendered', async ({ page }) => {
  // Their wait for the list ends by a timer too (app/listReady.ts). Without that timer only the order counts.
  await page.addInitScript(() => {
    const { setTimeout } = window
    Object.assign(window, {
      setTimeout: (task: TimerHandler, ms?: number) => (ms === 2000 ? 0 : setTimeout(task, ms)),
    })
  })
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/live/offer?*', async (route) => {
    await held
    await route.continue()
  })
  const requested: string[] = []
  page.on('request', (request) => requested.push(new URL(request.url()).pathname))
  const isLater = (path: string) => /\/assets\/(bettor|extras)-.*\.js$/.test(path)
  await page.goto('/')
  await expect(page.getByRole('main')).toBeVisible()
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  expect(requested.filter(isLater)).toEqual([])
  release()
  await expect(rows(page)).toHaveCount(10)
  await expect.poll(() => requested.filter(isLater).length).toBe(2)
})

for (const [language, text] of [
  ['hr', 'Učitavanje…'],
  ['en', 'Loading…'],
  ['sr', 'Учитавање…'],
] as const) {
  test(`the skeleton's status is in the language of the page: ${language}`, async ({ page }) => {
    await page.addInitScript((saved) => localStorage.setItem('cn-language', saved), JSON.stringify(language))
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/assets/*.js', async (route) => {
      await held
      await route.continue()
    })
    await page.goto('/', { waitUntil: 'commit' })
    await expect(page.locator('.early').getByRole('status')).toHaveText(text, { useInnerText: true })
    release()
    await expect(rows(page)).toHaveCount(10)
  })
}
