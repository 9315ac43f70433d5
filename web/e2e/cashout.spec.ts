/** Cashing out an open bet in full, in part and by a rule, while the feed moves its price. */
import type { Locator, Page } from '@playwright/test'
import { BETTING, balance, euros, type Placed, placeSingle } from './bettor'
import { expect, test } from './test'

// A program of its own: bets of other tests would be in the list.
test.use({ programOptions: [{ ...BETTING, betDelaySeconds: 2 }, { scope: 'worker' }] })

/** Places a single of 10 € and opens My bets. */
async function openBet(page: Page, row: number): Promise<Placed> {
  const placed = await placeSingle(page, row)
  await page.goto('/?view=bets')
  await expect(button(page)).toBeVisible()
  return placed
}

function cashOut(page: Page): Locator {
  return page.getByRole('region', { name: 'Isplata prije kraja' })
}

function button(page: Page): Locator {
  return cashOut(page).locator('[data-cash-out]')
}

/** The amount on the button: `14,49 €` is `14.49`. */
async function amount(page: Page): Promise<string> {
  const [, shown = ''] = /([\d.]+,\d\d)/.exec(await button(page).innerText()) ?? []
  return shown.replace('.', '').replace(',', '.')
}

test('a bet is cashed out in full by two presses', { tag: '@main' }, async ({ page }) => {
  await openBet(page, 0)
  await expect(button(page)).toHaveText(/^Isplati/)
  const box = await button(page).boundingBox()
  const before = Number(await balance(page))

  await button(page).click()
  await expect(button(page)).toHaveText(/^Potvrdi isplatu/)
  // Without the second press nothing happens.
  await expect(button(page)).toHaveText(/^Isplati/)
  const shown = await amount(page)
  await button(page).click()
  await expect(button(page)).toHaveText(/^Potvrdi isplatu/)
  // The button ignores presses of the first moment.
  await expect(async () => {
    await button(page).press('Enter')
    await expect(button(page)).toHaveText(/^Isplata/, { timeout: 300 })
  }).toPass()
  expect(await button(page).boundingBox()).toEqual(box)

  await expect(page.getByRole('region', { name: 'Poruke' })).toContainText(`prije kraja isplaćeno ${euros(shown)}`)
  await expect.poll(async () => (Number(await balance(page)) - before).toFixed(2)).toBe(shown)
  await expect(page.getByRole('article')).toHaveCount(0)
  await page.getByRole('radio', { name: /^Riješene/ }).check()
  await expect(page.getByRole('article')).toContainText('Isplaćena prije kraja')
})

test('a half is cashed out with the keyboard, and the rest continues', async ({ page }) => {
  await openBet(page, 1)
  await cashOut(page).getByRole('button', { name: 'Mogućnosti' }).click()
  const slider = cashOut(page).getByRole('slider', { name: 'Udio za isplatu' })
  await slider.focus()
  // From the whole bet to the largest part of 10 €, which is 90 %, and down in steps of 5 %.
  for (let press = 0; press < 9; press += 1) {
    await page.keyboard.press('ArrowLeft')
  }
  await expect(slider).toHaveAttribute('aria-valuetext', /^50/)
  await expect(cashOut(page)).toContainText('Uplata koja ostaje')
  await button(page).click()
  await expect(async () => {
    await button(page).press('Enter')
    await expect(button(page)).toHaveText(/^Isplata/, { timeout: 300 })
  }).toPass()
  await expect(cashOut(page)).toContainText('Isplaćeno je')
  // The half of the half that is left.
  await expect(cashOut(page)).toContainText(`Uplata koja ostaje${euros('2.50')}`)
  await expect(page.getByRole('article')).toContainText('Otvorena')
})

test('a suspended match says why and since when, and the button returns', async ({ page, feed }) => {
  const { matchId } = await openBet(page, 2)
  await expect(button(page)).toHaveText(/^Isplati/)
  feed.suspended(matchId, true)
  await expect(button(page)).toHaveText(/^Klađenje je trenutačno zaustavljeno, od/)
  await expect(button(page)).toHaveAttribute('aria-disabled', 'true')
  feed.suspended(matchId, false)
  await expect(button(page)).toHaveText(/^Isplati/)
})

test('a rule cashes out when the price reaches its amount', async ({ page, feed }) => {
  const { oddIds, number } = await openBet(page, 3)
  await cashOut(page).getByRole('button', { name: 'Mogućnosti' }).click()
  const target = (Number(await amount(page)) + 0.5).toFixed(2).replace('.', ',')
  await cashOut(page).getByRole('textbox').fill(target)
  await cashOut(page).getByRole('button', { name: 'Postavi' }).click()
  await expect(cashOut(page)).toContainText(`Pravilo: od ${target}`)
  feed.price(oddIds[0] ?? '', 1.01)
  await expect(page.getByRole('region', { name: 'Poruke' })).toContainText(`Listić ${number}: prije kraja isplaćeno`)
  await expect(page.getByRole('article')).toHaveCount(0)
})

test('a small fall during the delay is accepted, if the bettor has chosen so', async ({ page, feed }) => {
  const { oddIds } = await openBet(page, 4)
  const before = Number(await balance(page))
  const [odd = ''] = /\d+\.\d\d/.exec(await page.getByRole('article').getByRole('listitem').innerText()) ?? []
  await cashOut(page)
    .getByRole('checkbox', { name: /^Prihvati pad do 2/ })
    .check()
  await expect(button(page)).toHaveText(/^Isplati/)
  const shown = Number(await amount(page))
  await button(page).click()
  await expect(async () => {
    await button(page).press('Enter')
    await expect(button(page)).toHaveText(/^Isplata/, { timeout: 300 })
  }).toPass()
  // The value of the bet falls by 1 %.
  feed.price(oddIds[0] ?? '', Number(odd) * 1.01)
  await expect(page.getByRole('region', { name: 'Poruke' })).toContainText('prije kraja isplaćeno')
  const paid = Number(await balance(page)) - before
  expect(paid).toBeLessThan(shown)
  expect(paid).toBeGreaterThanOrEqual(shown * 0.98 - 0.005)
  await page.reload()
  await expect(page.getByRole('article')).toHaveCount(0)
  expect(await page.evaluate(() => localStorage.getItem('cn-acceptsFall'))).toBe('true')
})
