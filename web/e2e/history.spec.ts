import type { Locator, Page } from '@playwright/test'
import { axeFindings } from './axe'
import { idOf } from './feed'
import { expect, extrasAreThere, firstOdd, openList, PHONE, rows, test } from './test'

const card = (page: Page) => page.locator('[data-history]')

test('a right click on an odd shows how it moved', { tag: '@main' }, async ({ page, feed }) => {
  await openList(page)
  await extrasAreThere(page)
  await feed.movePrice(firstOdd(page))
  await firstOdd(page).click({ button: 'right' })
  await expect(card(page)).toBeVisible()
  await expect(firstOdd(page)).toHaveAttribute('aria-pressed', 'false')
  await expect(page.getByRole('menu')).toHaveCount(0)
  await expect(card(page).getByRole('img')).toHaveAccessibleName(/Od .* do .*, \d+ promjen.*\. Najniža .*, najviša /)
  expect(await axeFindings(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(card(page)).toBeHidden()
})

test('it goes on while it is looked at', async ({ page, feed }) => {
  await openList(page)
  await extrasAreThere(page)
  const odd = firstOdd(page)
  await feed.movePrice(odd)
  await odd.click({ button: 'right' })
  const [changes, latest] = [card(page).locator('dd').nth(2), card(page).locator('dd').nth(3)]
  const before = Number(await changes.textContent())
  for (const [more, price] of [
    [1, '7.15'],
    [2, '7.85'],
  ] as const) {
    feed.price(await idOf(odd), Number(price))
    await expect(changes).toHaveText(String(before + more))
    await expect(latest).toHaveText(price)
    await expect(odd.locator('[data-price]')).toHaveText(price)
  }
})

test('a key opens it from the odd that has the focus, and gives the focus back', async ({ page }) => {
  await openList(page)
  await extrasAreThere(page)
  const odd = firstOdd(page)
  await odd.focus()
  await page.keyboard.press('g')
  await expect(card(page)).toBeFocused()
  await expect(card(page)).toHaveAccessibleName(/^Kretanje kvote, /)
  expect(await axeFindings(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(card(page)).toBeHidden()
  await expect(odd).toBeFocused()
  await expect(odd).toHaveAttribute('aria-pressed', 'false')
})

test('an alert for a price is given when the price is reached, also after a reload', async ({ page, feed }) => {
  await openList(page)
  await extrasAreThere(page)
  const odd = firstOdd(page)
  const id = await idOf(odd)
  await odd.click({ button: 'right' })
  await card(page).getByRole('button', { name: 'Obavijest na višoj kvoti' }).click()
  await card(page)
    .getByRole('button', { name: /^Javi na / })
    .click()
  await expect(card(page)).toContainText('Javit ćemo kad kvota dosegne')
  expect(await axeFindings(page)).toEqual([])
  await page.reload()
  await extrasAreThere(page)
  feed.price(id, 9.35)
  await expect(page.getByRole('region', { name: 'Poruke' })).toContainText(/Kvota 9\.35: 1, /)
  await page.getByRole('button', { name: 'Otvori utakmicu' }).click()
  await expect(page).toHaveURL(/match=\d+$/)
  await expect(page.getByRole('button', { name: 'Obavijesti o utakmici', exact: true })).toBeVisible()
})

test('it is there in a match too', async ({ page }) => {
  await openList(page)
  await extrasAreThere(page)
  await rows(page).first().locator('[data-cell="match"]').click()
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  const odd = page.locator('main [data-market-group] [data-odd-id][data-state="open"]').nth(4)
  await odd.focus()
  await page.keyboard.press('g')
  await expect(card(page).getByRole('img')).toBeVisible()
})

test.describe('by touch', () => {
  test.use({ hasTouch: true, viewport: PHONE })

  test('a long press shows it and picks nothing; the row’s menu is for the rest of the row', async ({ page }) => {
    await openList(page)
    await extrasAreThere(page)
    const odd = firstOdd(page)
    await longPress(page, odd)
    await expect(card(page).getByRole('img')).toBeVisible()
    await expect(odd).toHaveAttribute('aria-pressed', 'false')
    await expect(page.getByRole('menu')).toHaveCount(0)
    const box = await card(page).boundingBox()
    expect(box && box.x >= 0 && box.x + box.width <= PHONE.width).toBe(true)
    // A part of the header without buttons.
    await page.touchscreen.tap(127, 20)
    await expect(card(page)).toBeHidden()
    await odd.tap()
    await expect(odd).toHaveAttribute('aria-pressed', 'true')
  })
})

/** A long press with a finger. */
async function longPress(page: Page, target: Locator): Promise<void> {
  await target.scrollIntoViewIfNeeded()
  const box = await target.boundingBox()
  if (!box) {
    throw new Error('it is not there')
  }
  const at = [{ x: box.x + box.width / 2, y: box.y + box.height / 2 }]
  const session = await page.context().newCDPSession(page)
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at })
  await expect(card(page)).toBeVisible()
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
}
