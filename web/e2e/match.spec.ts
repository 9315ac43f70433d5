import type { Locator, Page } from '@playwright/test'
import { axeFindings } from './axe'
import { DESKTOP, expect, openList, PHONE, rows, TABLET, test } from './test'

test('opens from the list, stands in the address, and closes to the row it came from', { tag: '@main' }, async ({
  page,
}) => {
  await openList(page)
  const row = rows(page).nth(3)
  const id = await row.getAttribute('data-match-id')
  const link = row.locator('[data-cell="match"]')
  await link.click()
  await expect(page).toHaveURL(`/?match=${id}`)
  const title = page.getByRole('heading', { level: 1 })
  await expect(title).toBeFocused()
  await expect(page.getByRole('heading', { level: 3, name: 'Konačni ishod' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL('/')
  await expect(link).toBeFocused()
})

test('is found by its address, and the browser goes back and forward', async ({ page }) => {
  await openList(page)
  await rows(page).first().locator('[data-cell="more"]').click()
  await expect(page.getByRole('radiogroup', { name: 'Vrste oklada' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { level: 3, name: 'Konačni ishod' })).toBeVisible()
  await page.goBack()
  await expect(rows(page)).toHaveCount(10)
  await page.goForward()
  await expect(page.getByRole('heading', { level: 3, name: 'Konačni ishod' })).toBeVisible()
})

test('an address of no match leads to the list and says so', async ({ page }) => {
  await page.goto('/?match=1')
  await expect(rows(page)).toHaveCount(10)
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('button', { name: 'U redu' })).toBeVisible()
})

test('tags choose among its markets', { tag: '@main' }, async ({ page }) => {
  await openList(page)
  await rows(page).first().locator('[data-cell="more"]').click()
  const tags = page.getByRole('radiogroup', { name: 'Vrste oklada' })
  await expect(tags.getByRole('radio', { name: /Sve/ })).toHaveAttribute('aria-checked', 'true')
  // The markets are rendered in steps.
  const heads = page.getByRole('heading', { level: 3 })
  await expect.poll(() => heads.count()).toBeGreaterThan(20)
  const all = await heads.count()
  await tags.getByRole('radio', { name: /Korneri/ }).click()
  await expect(page.getByRole('heading', { level: 3, name: 'Konačni ishod' })).toHaveCount(0)
  await expect.poll(() => heads.count()).toBeLessThan(all)
  await page.keyboard.press('Home')
  await expect(tags.getByRole('radio', { name: /Sve/ })).toBeFocused()
  await expect(page.getByRole('heading', { level: 3, name: 'Konačni ishod' })).toBeVisible()
})

test('lines stand as a ladder with the main one marked; cards open and close', async ({ page }) => {
  await openList(page)
  await rows(page).first().locator('[data-cell="more"]').click()
  const card = page.locator('section', {
    has: page.getByRole('heading', { level: 3, name: /^Ukupno golova\s*\d*$/ }),
  })
  await expect(card.getByText('Granica', { exact: true })).toBeVisible()
  await expect(card.getByTitle('glavna linija')).toHaveCount(1)
  const head = card.getByRole('heading', { level: 3 }).getByRole('button')
  await head.click()
  await expect(card.locator('[data-odd-id]')).toHaveCount(0)
  await head.click()
  await expect(card.locator('[data-odd-id]').first()).toBeVisible()
})

test('a handicap has its sign, on the page and on the ticket', async ({ page }) => {
  await openMarkets(page)
  const card = page.locator('section', {
    has: page.getByRole('heading', { level: 3, name: 'Azijski hendikep', exact: true }),
  })
  const lead = card.locator('[data-market-id]', { hasText: /^\+\d/ }).first()
  await expect(lead).toBeVisible()
  await expect(card.locator('[data-market-id]', { hasText: /^\d/ })).toHaveCount(0)
  const [line] = (await lead.innerText()).split('\n')
  await lead.locator('[data-odd-id]').first().click()
  await expect(page.locator('[data-ticket]').getByText(`Azijski hendikep ${line}`, { exact: true })).toBeVisible()
})

test('its prices move', { tag: '@main' }, async ({ page, feed }) => {
  await openList(page)
  await rows(page).first().locator('[data-cell="more"]').click()
  await feed.movePrice(page.locator('main [data-market-group] [data-odd-id][data-state="open"]').nth(4))
})

test('the strip leads to the next match', async ({ page }) => {
  await openList(page)
  await rows(page).first().locator('[data-cell="match"]').click()
  const tile = page.getByRole('navigation', { name: 'Druge utakmice uživo' }).getByRole('link').nth(2)
  await tile.click()
  await expect(tile).toHaveAttribute('aria-current', 'true')
  await expect(tile).toBeFocused()
  await expect(page.getByRole('heading', { level: 3, name: 'Konačni ishod' })).toBeVisible()
})

test('hidden from here it is a strip in the list', async ({ page }) => {
  await openList(page)
  await rows(page).first().locator('[data-cell="match"]').click()
  await page.getByRole('button', { name: 'Sakrij', exact: true }).click()
  await expect(rows(page)).toHaveCount(9)
})

test('the list is found where it was left', async ({ page }) => {
  await page.setViewportSize(PHONE)
  await openList(page)
  const row = rows(page).nth(6)
  const scrollY = () => page.evaluate(() => window.scrollY)
  // In the middle, so that the click has no reason to scroll. The first rows may be drawn again meanwhile.
  await expect(async () => {
    await row.evaluate((element) => element.scrollIntoView({ block: 'center' }))
    expect(await scrollY()).toBeGreaterThan(0)
  }).toPass()
  // Rows are filled one after another, and the browser keeps the row in its place meanwhile.
  for (const above of (await rows(page).all()).slice(0, 7)) {
    await expect(above).not.toHaveAttribute('aria-hidden')
  }
  const before = await scrollY()
  await row.locator('[data-cell="match"]').click()
  await expect(page.getByRole('heading', { level: 3 }).first()).toBeVisible()
  await expect.poll(scrollY).toBe(0)
  await page.getByRole('button', { name: 'Natrag na ponudu' }).click()
  await expect(row).toBeVisible()
  await expect.poll(scrollY).toBe(before)
})

test('head and tags stay in view while the page scrolls, and the panels beside the markets', async ({ page }) => {
  await page.setViewportSize({ width: 1366, height: 768 })
  await openMarkets(page)
  const last = page.locator('[data-market-group] [data-odd-id]').last()
  await last.scrollIntoViewIfNeeded()
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(200)
  const box = (locator: Locator) => locator.evaluate((element) => element.getBoundingClientRect().toJSON() as DOMRect)
  const header = await box(page.locator('body header').first())
  const head = await box(page.locator('main header[data-match-id]'))
  const tags = await box(page.getByRole('radiogroup', { name: 'Vrste oklada' }))
  expect(head.bottom - header.bottom).toBe(48)
  expect(tags.top).toBeGreaterThanOrEqual(head.bottom)
  expect(tags.bottom).toBeLessThan(head.bottom + 60)
  const panel = page.getByRole('region', { name: 'Semafor i statistika' })
  await expect(panel).toBeInViewport({ ratio: 1 })
  expect((await box(panel)).left).toBeGreaterThan((await box(last)).right)
})

test('on a phone the panels are folded into a strip, which stays as it was left', async ({ page }) => {
  await page.setViewportSize(PHONE)
  await openMarkets(page)
  const strip = page.getByRole('button', { name: /Semafor i statistika/ })
  await expect(strip).toHaveAttribute('aria-expanded', 'false')
  expect((await strip.boundingBox())?.height).toBe(44)
  await expect(page.locator('iframe')).toHaveCount(0)
  await strip.click()
  await expect(page.locator('iframe')).toBeVisible()
  expect((await page.locator('iframe').boundingBox())?.width).toBe(355)
  await page.reload()
  await expect(strip).toHaveAttribute('aria-expanded', 'true')
  await expect(page.locator('iframe')).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
})

test('on a phone the chosen chip is whole, and those that are cut off fade', async ({ page }) => {
  await page.setViewportSize(PHONE)
  await openMarkets(page)
  const tags = page.getByRole('radiogroup', { name: 'Vrste oklada' })
  await expect(tags.getByRole('radio').nth(2)).toBeVisible()
  for (const place of [1, 2, 3]) {
    await tags
      .getByRole('radio')
      .nth(place)
      .evaluate((chip: HTMLElement) => chip.click())
    await expect(tags.getByRole('radio').nth(place)).toHaveAttribute('aria-checked', 'true')
    const [row, chip] = [await tags.boundingBox(), await tags.getByRole('radio', { checked: true }).boundingBox()]
    // The fades are 12 px wide at the left and 28 px at the right.
    expect(chip?.x).toBeGreaterThanOrEqual((row?.x ?? 0) + 12)
    expect((chip?.x ?? 0) + (chip?.width ?? 0)).toBeLessThanOrEqual((row?.x ?? 0) + (row?.width ?? 0) - 28)
  }
  await tags.evaluate((row) => row.scrollTo({ left: row.scrollWidth }))
  const [row, last] = [await tags.boundingBox(), await tags.getByRole('radio').last().boundingBox()]
  expect((last?.x ?? 0) + (last?.width ?? 0)).toBeLessThanOrEqual((row?.x ?? 0) + (row?.width ?? 0) - 27)
})

test('a favourite market is first in every match of the sport, also after a reload', async ({ page }) => {
  await openMarkets(page)
  const heads = page.getByRole('heading', { level: 3 })
  const pin = page.getByRole('button', { name: 'Drži na vrhu: Ukupno golova', exact: true })
  await pin.focus()
  await page.keyboard.press('Enter')
  await expect(heads.first()).toHaveText('Ukupno golova')
  await expect(pin).toBeFocused()
  await page.reload()
  await expect(heads.first()).toHaveText('Ukupno golova')
  await page.getByRole('navigation', { name: 'Druge utakmice uživo' }).getByRole('link').nth(2).click()
  await expect(heads.first()).toHaveText('Ukupno golova')
  await pin.click()
  await expect(heads.first()).toHaveText('Konačni ishod')
})

test('markets are found by their names', async ({ page }) => {
  await openMarkets(page)
  await page.getByRole('button', { name: 'Traži vrstu oklade' }).click()
  const field = page.getByRole('textbox', { name: 'Traži vrstu oklade' })
  await expect(field).toBeFocused()
  await field.fill('sljedeci gol')
  const heads = page.getByRole('heading', { level: 3 })
  await expect(heads.first()).toHaveText(/^Sljedeći gol/)
  await expect(page.getByRole('heading', { level: 3, name: 'Konačni ishod' })).toHaveCount(0)
  expect(await axeFindings(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Traži vrstu oklade' })).toBeFocused()
  await expect(page.getByRole('heading', { level: 3, name: 'Konačni ishod' })).toBeVisible()
})

/** Opens the first match and waits for its markets. */
async function openMarkets(page: Page): Promise<void> {
  await openList(page)
  await rows(page).first().locator('[data-cell="match"]').click()
  await expect(page.locator('[data-market-group] [data-odd-id]').first()).toBeVisible()
}

for (const [screen, viewport] of [
  ['desktop', DESKTOP],
  ['tablet', TABLET],
  ['phone', PHONE],
] as const) {
  test(`the bell sets alerts for the match, on a ${screen}`, async ({ page }) => {
    await page.setViewportSize(viewport)
    await openList(page)
    await rows(page).first().locator('[data-cell="match"]').click()
    await page.getByRole('button', { name: 'Obavijesti o utakmici' }).click()
    const redCard = page.getByRole('checkbox', { name: 'Crveni karton' })
    await redCard.check()
    await expect(page.getByRole('dialog', { name: 'Obavijesti o utakmici' })).toBeInViewport({ ratio: 1 })
    expect(await axeFindings(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.reload()
    await page.getByRole('button', { name: 'Obavijesti o utakmici, uključene' }).click()
    await expect(redCard).toBeChecked()
  })
}
