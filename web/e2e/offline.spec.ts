import type { Page } from '@playwright/test'
import { axeFindings } from './axe'
import { openAsMember } from './bettor'
import { expect, extrasAreThere, openList, rows, test } from './test'

const OFFLINE = 'Niste na mreži. Kvote će se prikazati čim se veza vrati.'

test.use({
  serviceWorkers: 'allow',
  expected: { complaints: [/ERR_INTERNET_DISCONNECTED|ERR_FAILED|WebSocket connection to|Failed to (load|fetch)/] },
})

/** Waits until the service worker has cached the shell. */
async function shellIsKept(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
  })
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)
}

test('without a network no odd is shown, at once, and they are back with it', { tag: '@main' }, async ({
  page,
  context,
}) => {
  await openList(page)
  // The banner is in a chunk that loads after the list; the worker keeps those that load after it.
  await extrasAreThere(page)
  await shellIsKept(page)
  await context.setOffline(true)
  await expect(page.getByText(OFFLINE).first()).toBeVisible()
  await expect(rows(page)).toHaveCount(0)
  await expect(page.locator('[data-odd-id]')).toHaveCount(0)
  await expect(page.getByText('Kvote uživo')).toHaveCount(0)
  await context.setOffline(false)
  await expect(rows(page)).toHaveCount(10, { timeout: 30_000 })
  await expect(page.getByText(OFFLINE).first()).toBeHidden()
})

test('it starts without a network, in words and without odds', { tag: '@main' }, async ({ page, context }) => {
  await openList(page)
  await shellIsKept(page)
  await context.setOffline(true)
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'Ponuda uživo' })).toBeVisible()
  // Emulated offline mode is not reported to a page that loads offline, so either message is accepted.
  await expect(page.getByText(/Niste na mreži|Veza je prekinuta/).first()).toBeVisible()
  await expect(page.locator('[data-odd-id]')).toHaveCount(0)
  expect(await axeFindings(page)).toEqual([])
  await context.setOffline(false)
  await expect(rows(page)).toHaveCount(10, { timeout: 30_000 })
})

test('nothing of a call is ever kept', async ({ page }) => {
  await openList(page)
  await shellIsKept(page)
  await page.reload()
  await expect(rows(page).first()).toBeVisible()
  const kept = await page.evaluate(async () => {
    const names = await caches.keys()
    const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
    return requests.flat().map(({ url }) => new URL(url).pathname)
  })
  expect(kept).toContain('/')
  expect(kept.filter((path) => path.startsWith('/assets/')).length).toBeGreaterThan(10)
  expect(
    kept.filter((path) => !/^\/(assets\/.+|early\.(css|js)|icon\.svg|manifest\.webmanifest)?$/.test(path)),
  ).toEqual([])
})

test('it can be installed', async ({ page }) => {
  await openList(page)
  const manifest = await (await page.request.get('/manifest.webmanifest')).json()
  expect(manifest).toMatchObject({ start_url: '/', display: 'standalone', name: 'kvota' })
  for (const { src, type } of manifest.icons) {
    const icon = await page.request.get(src)
    expect([icon.status(), icon.headers()['content-type']]).toEqual([200, type])
  }
  const worker = await page.request.get('/sw.js')
  expect(worker.headers()['content-type']).toBe('text/javascript; charset=utf-8')
  expect(worker.headers()['cache-control']).toBe('no-cache')
})

for (const [who, open] of [
  ['an anonymous user', openList],
  ['a member', openAsMember],
] as const) {
  test(`data that is older than 3 s says so to ${who}, and fits on every screen`, async ({ page }) => {
    await open(page)
    // The page's clock is ten seconds ahead, so the data looks ten seconds old.
    await page.evaluate(() => {
      const now = Date.now
      Date.now = () => now() + 10_000
    })
    await expect(page.locator('[data-age]')).toContainText(/Podaci stari \d+ sekund/)
    for (const width of [1024, 390, 360, 320]) {
      await page.setViewportSize({ width, height: 844 })
      await expect(page.locator('[data-age]')).toBeVisible()
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    }
  })
}
