import { expect, openList, test } from './test'

test('a list of 894 px and more shows a third set of odds, below its headings', async ({ page }) => {
  // The sports and the ticket beside the list take 584 px.
  await page.setViewportSize({ width: 1477, height: 900 })
  await openList(page)
  const third = page.getByRole('button', { name: /Treći stupac kvota/ })
  await expect(third).toHaveCount(0)
  await page.setViewportSize({ width: 1478, height: 900 })
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
    const centre = () => middle(`[data-cell="${cell}"]`)
    await expect.poll(async () => (await centre()) - (await middle(`[data-sport-head] [title="${heading}"]`))).toBe(0)
  }
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(1478)
})
