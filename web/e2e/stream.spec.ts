import type { Page } from '@playwright/test'
import { axeFindings } from './axe'
import { expect, openList, PHONE, rows, TABLET, test } from './test'

const play = (page: Page) => page.getByRole('button', { name: 'Pokreni prijenos' })
const video = (page: Page) => page.locator('video')
const isPlaying = (page: Page) =>
  video(page).evaluate(
    (element: HTMLVideoElement) => !element.paused && element.readyState > 2 && element.currentTime > 0,
  )

/** With a long timeout, since a busy machine decodes slowly. */
async function expectPlaying(page: Page): Promise<void> {
  await expect.poll(() => isPlaying(page), { timeout: 60_000 }).toBe(true)
}

// Each test has one player, but decoding is slow on a busy machine.
test.setTimeout(90_000)

async function openMatch(page: Page): Promise<void> {
  await openList(page)
  await rows(page).first().locator('[data-cell="match"]').click()
  await expect(page.getByRole('heading', { level: 3 }).first()).toBeVisible()
}

test('plays when it is wanted, without sound, and measures how far behind it is', async ({ page }) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await openMatch(page)
  await expect(play(page)).toBeVisible()
  expect(asked.filter((path) => path.startsWith('/demo/') || path.includes('/hls.'))).toEqual([])
  await play(page).click()
  await expectPlaying(page)
  await expect.poll(() => video(page).evaluate((element: HTMLVideoElement) => element.muted)).toBe(true)
  // The built-in video does not show the match, so it is not called live.
  await expect(page.getByText('Ogledni video')).toBeVisible()
  await expect(page.locator('[data-behind]')).toHaveAttribute('data-behind', /^\d+$/)
  expect(asked).toContain('/demo/live.m3u8')
  expect(await axeFindings(page)).toEqual([])
})

test('is operated by the keyboard', async ({ page }) => {
  await openMatch(page)
  await play(page).focus()
  await page.keyboard.press('Enter')
  await expectPlaying(page)
  await page.getByRole('button', { name: 'Uključi zvuk' }).focus()
  await page.keyboard.press('Space')
  await expect(page.getByRole('button', { name: 'Isključi zvuk' })).toBeFocused()
  await expect.poll(() => video(page).evaluate((element: HTMLVideoElement) => element.muted)).toBe(false)
  await page.getByRole('button', { name: 'Zaustavi prijenos' }).focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => video(page).evaluate((element: HTMLVideoElement) => element.paused)).toBe(true)
  await play(page).press('Enter')
  await expectPlaying(page)
})

test('goes into a picture of its own where the browser has them', async ({ page }) => {
  await openMatch(page)
  await play(page).click()
  await expectPlaying(page)
  const isAble = await page.evaluate(() => document.pictureInPictureEnabled)
  await expect(page.getByRole('button', { name: 'Slika u slici' })).toHaveCount(isAble ? 1 : 0)
})

test.describe('trouble', () => {
  test.use({
    expected: { complaints: [/ERR_FAILED|Failed to load resource/] },
  })

  test('says that it cannot be shown, and is tried again', async ({ page }) => {
    await openMatch(page)
    await page.route('**/demo/**', (route) => route.abort())
    await play(page).click()
    await expect(page.getByText('Prijenos se ne može prikazati.')).toBeVisible({ timeout: 40_000 })
    await page.unroute('**/demo/**')
    await page.getByRole('button', { name: 'Pokušaj ponovno' }).click()
    await expectPlaying(page)
  })
})

test('a match without one has no panel for it', async ({ page }) => {
  await page.route('**/live/stream?**', (route) => route.fulfill({ status: 204 }))
  await openMatch(page)
  await expect(page.getByRole('region', { name: 'Prijenos' })).toHaveCount(0)
  await expect(play(page)).toHaveCount(0)
})

for (const [screen, viewport] of [
  ['tablet', TABLET],
  ['phone', PHONE],
] as const) {
  test(`on a ${screen} it is the fourth tab, and the tracker goes on behind it`, async ({ page }) => {
    await page.setViewportSize(viewport)
    await openMatch(page)
    await page.getByRole('button', { name: /Semafor i statistika/ }).click()
    await page.getByRole('tab', { name: 'Prijenos' }).click()
    await play(page).click()
    await expectPlaying(page)
    expect(await axeFindings(page)).toEqual([])
    await page.getByRole('tab', { name: 'Teren' }).click()
    await expect(page.frameLocator('iframe').locator('.stage .ball')).toBeVisible()
    await expect(video(page)).toHaveCount(0)
  })
}

test('another match has another stream', async ({ page }) => {
  await openMatch(page)
  await play(page).click()
  await expectPlaying(page)
  await page.getByRole('navigation', { name: 'Druge utakmice uživo' }).getByRole('link').nth(2).click()
  await expect(play(page)).toBeVisible()
})
