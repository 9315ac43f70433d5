import { axeFindings } from './axe'
import { expect, extrasAreThere, openList, rows, test } from './test'

test('the map of keys opens by its own key, and switches the signs off', { tag: '@main' }, async ({ page }) => {
  await openList(page)
  await extrasAreThere(page)
  const first = rows(page).first()
  await first.locator('[data-cell="match"]').focus()
  await page.keyboard.press('?')
  const map = page.getByRole('dialog', { name: 'Tipkovnica' })
  await expect(map).toBeVisible()
  for (const key of ['?', 'T', 'V', 'Esc', 'F', 'H', 'G', 'Alt Enter']) {
    await expect(map.locator('kbd').filter({ hasText: new RegExp(`^\\${key[0]}${key.slice(1)}$`) })).toHaveCount(1)
  }
  expect(await axeFindings(page)).toEqual([])
  await map.getByRole('switch').click()
  await expect(map.getByRole('switch')).toHaveAttribute('aria-checked', 'false')
  await page.keyboard.press('Escape')
  await expect(map).toBeHidden()
  await expect(first.locator('[data-cell="match"]')).toBeFocused()

  await page.keyboard.press('?')
  await page.keyboard.press('/')
  await page.keyboard.press('f')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(first.locator('[data-cell="star"]')).toHaveAttribute('aria-pressed', 'false')
  // Shortcuts with Ctrl still work.
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('combobox', { name: /Momčad/ })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect.poll(() => page.evaluate(() => localStorage.getItem('cn-shortcuts'))).toBe('false')
})

test('signs that are typed are text', async ({ page }) => {
  await openList(page)
  await extrasAreThere(page)
  await page.keyboard.press('Control+k')
  const box = page.getByRole('combobox', { name: /Momčad/ })
  await box.pressSequentially('/?gfv')
  await expect(box).toHaveValue('/?gfv')
  await expect(page.getByRole('dialog')).toHaveCount(1)
})
