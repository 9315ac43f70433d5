import { expect, keepPicture, openList, test } from './test'

test('from 1700 px a row shows a third set of odds, below its headings', async ({ page }) => {
  await page.setViewportSize({ width: 1699, height: 900 })
  await openList(page)
  const third = page.getByRole('button', { name: /Treći stupac kvota/ })
  await expect(third).toHaveCount(0)
  await page.setViewportSize({ width: 1720, height: 900 })
  await expect(third.first()).toBeVisible()
  const sport = page.locator('[data-sets="3"]').first()
  const middle = async (selector: string) => {
    const box = await sport.locator(selector).first().boundingBox()
    return Math.round((box?.x ?? 0) + (box?.width ?? 0) / 2)
  }
  for (const [cell, heading] of [
    ['odd-0-0', '1'],
    ['odd-1-1', 'Više'],
    ['odd-2-0', '1X'],
    ['odd-2-2', 'X2'],
  ]) {
    expect(await middle(`[data-cell="${cell}"]`)).toBe(await middle(`[data-sport-head] [title="${heading}"]`))
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(1720)
  await keepPicture(page, 'list-wide')
})
