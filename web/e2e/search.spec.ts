import { axeFindings } from './axe'
import { expect, extrasAreThere, openList, PHONE, rows, test } from './test'

const field = /Momčad, natjecanje ili sport/

test('a match is found by a few letters and opened by Enter', { tag: '@main' }, async ({ page }) => {
  await openList(page)
  await extrasAreThere(page)
  await rows(page).first().locator('[data-cell="match"]').focus()
  await page.keyboard.press('/')
  const box = page.getByRole('combobox', { name: field })
  await expect(box).toBeFocused()
  await box.fill('man')
  const options = page.getByRole('option')
  await expect(options).toHaveCount(2)
  await expect(options.first()).toContainText('Manchester United – Watford')
  await expect(options.first()).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('ArrowDown')
  await expect(options.nth(1)).toHaveAttribute('aria-selected', 'true')
  await expect(box).toHaveAttribute('aria-activedescendant', (await options.nth(1).getAttribute('id')) ?? 'none')
  expect(await axeFindings(page)).toEqual([])
  await page.keyboard.press('Enter')
  const title = page.getByRole('heading', { level: 1, name: /Southampton.*Manchester City/ })
  await expect(title).toBeVisible()
  await expect(title).toBeFocused()
})

test('marks and alphabets do not matter, and what is not there is said not to be', async ({ page }) => {
  await openList(page)
  await page.getByRole('button', { name: 'Pretraga' }).click()
  const box = page.getByRole('combobox', { name: field })
  await box.fill('ЛИВЕРП')
  await expect(page.getByRole('option')).toHaveText([/Liverpool – Brighton/])
  await box.fill('lívèrpööl')
  await expect(page.getByRole('option')).toHaveCount(1)
  await box.fill('premier lea')
  await expect(page.getByRole('option')).toHaveCount(10)
  await box.fill('qqq')
  await expect(page.getByRole('option')).toHaveCount(0)
  await expect(page.getByText('0 pogodaka')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(box).toBeHidden()
  await expect(page.getByRole('button', { name: 'Pretraga' })).toBeFocused()
})

test('a sport that is found filters the list', async ({ page }) => {
  await openList(page)
  await extrasAreThere(page)
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: field }).fill('nogo')
  await page.getByRole('option', { name: /^Nogomet/ }).click()
  await expect(page.getByRole('option')).toHaveCount(0)
  await expect.poll(() => page.evaluate(() => localStorage.getItem('cn-sports'))).toBe('[1]')
})

test('it fits a phone', async ({ page }) => {
  await page.setViewportSize(PHONE)
  await openList(page)
  await page.getByRole('button', { name: 'Pretraga' }).click()
  await page.getByRole('combobox', { name: field }).fill('c')
  await expect(page.getByRole('option').first()).toBeVisible()
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width)
  expect(await axeFindings(page)).toEqual([])
})
