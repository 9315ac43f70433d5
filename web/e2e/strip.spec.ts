import { axeFindings } from './axe'
import { expect, extrasAreThere, openList, PHONE, rows, test } from './test'

test('the favourites’ scores stand above the list and the match, and stay so', { tag: '@main' }, async ({ page }) => {
  await openList(page)
  for (const place of [0, 3]) {
    await rows(page).nth(place).locator('[data-cell="star"]').click()
  }
  await extrasAreThere(page)
  await rows(page).first().locator('[data-cell="match"]').focus()
  await page.keyboard.press('v')
  const strip = page.getByRole('navigation', { name: 'Traka favorita' })
  await expect(strip.getByRole('link')).toHaveCount(2)
  expect(await axeFindings(page)).toEqual([])
  await strip.getByRole('link').nth(1).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: /Liverpool/ })).toBeVisible()
  await expect(strip.getByRole('link').nth(1)).toHaveAttribute('aria-current', 'true')
  await page.reload()
  await expect(strip.getByRole('link')).toHaveCount(2)
  await page.getByRole('button', { name: 'Sakrij traku favorita' }).click()
  await expect(strip).toHaveCount(0)
  await expect.poll(() => page.evaluate(() => localStorage.getItem('cn-strip'))).toBe('false')
})

test('its coming and its favourites move nothing unasked', async ({ page }) => {
  await page.addInitScript(() => {
    localStorage.setItem('cn-strip', 'true')
    const shifts: number[] = []
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]) {
        if (!entry.hadRecentInput) {
          shifts.push(entry.value)
        }
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
  await openList(page)
  await expect(page.getByText('Označite utakmice zvjezdicom')).toBeVisible()
  await rows(page).first().locator('[data-cell="star"]').click()
  await expect(page.getByRole('navigation', { name: 'Traka favorita' }).getByRole('link')).toHaveCount(1)
  const sum = await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts.reduce((a, b) => a + b, 0))
  expect(sum).toBeLessThan(0.02)
})

test('it is switched on in the preferences, and fits a phone', async ({ page }) => {
  await page.setViewportSize(PHONE)
  await openList(page)
  await rows(page).first().locator('[data-cell="star"]').click()
  await page.getByRole('button', { name: /Postavke/ }).click()
  await page.getByRole('radio', { name: 'Prikazana' }).check({ force: true })
  await page.keyboard.press('Escape')
  await expect(page.getByRole('navigation', { name: 'Traka favorita' }).getByRole('link')).toHaveCount(1)
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width)
  expect(await axeFindings(page)).toEqual([])
})
