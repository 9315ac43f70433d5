import { translatePage } from '../src/testing/translatePage'
import { BETTING, consentToAny, openAsMember, pairs, pick, placeButton, setStake, ticket } from './bettor'
import { DESKTOP, expect, openList, PHONE, rows, test } from './test'

test.use({ programOptions: [BETTING, { scope: 'worker' }] })

test('an odd that is pressed is on the ticket, pressed again it is off', { tag: '@main' }, async ({ page }) => {
  await openList(page)
  const [id] = await pick(page, 1)
  const odd = page.locator(`button[data-odd-id="${id}"]`)
  await expect(pairs(page)).toHaveCount(1)
  await odd.click()
  await expect(odd).toHaveAttribute('aria-pressed', 'false')
  await expect(ticket(page).getByText('Listić je prazan')).toBeVisible()
})

test('the press is answered in the same frame', async ({ page }) => {
  await openList(page)
  const filled = await page.evaluate(async () => {
    const odd = document.querySelector<HTMLElement>('[data-row="match"] [data-odd-id][data-state="open"]')
    odd?.click()
    // Waits for the next frame.
    await new Promise(requestAnimationFrame)
    return odd?.getAttribute('aria-pressed')
  })
  expect(filled).toBe('true')
})

test('another odd of the match takes the place of the pair', { tag: '@main' }, async ({ page }) => {
  await openList(page)
  await pick(page, 2)
  const first = await pairs(page).first().getAttribute('data-pair-match-id')
  const row = page.locator(`[data-row][data-match-id="${first}"]`)
  const other = row.locator('button[data-odd-id][data-state="open"][aria-pressed="false"]').first()
  const id = await other.getAttribute('data-odd-id')
  await other.click()
  await expect(pairs(page)).toHaveCount(2)
  await expect(pairs(page).first()).toHaveAttribute('data-pair-odd-id', id ?? '')
})

test('the ticket is there after a reload, and in another tab at once', { tag: '@main' }, async ({ page, context }) => {
  await openList(page)
  const picked = await pick(page, 2)
  const other = await context.newPage()
  await openList(other)
  await expect(pairs(other)).toHaveCount(2)
  await page.reload()
  await expect(pairs(page)).toHaveCount(2)
  await other.locator(`button[data-odd-id="${picked[0]}"]`).click()
  await expect(pairs(page)).toHaveCount(1)
})

test('a system has combinations with counts, fixes, and a range of wins', { tag: '@main' }, async ({ page }) => {
  await openList(page)
  await pick(page, 4)
  await ticket(page).getByRole('tab', { name: 'Sistem' }).click()
  await expect(ticket(page).getByText('Odaberite barem jednu kombinaciju.')).toBeVisible()
  await expect(ticket(page).getByRole('radio')).toHaveCount(3)
  await ticket(page).getByRole('radio', { name: /2\/4/ }).check()
  await expect(ticket(page).getByText('6 komb.')).toBeVisible()
  await expect(ticket(page).getByText('Dobitak, najmanji i najveći')).toBeVisible()
  await ticket(page)
    .getByRole('button', { name: /^Fiks:/ })
    .first()
    .click()
  await expect(ticket(page).getByText('1 fiks + 3 para')).toBeVisible()
  await expect(ticket(page).getByRole('radio', { name: /2\/3/ })).toBeChecked()
  await ticket(page)
    .getByRole('button', { name: /^Fiks:/ })
    .nth(1)
    .click()
  await expect(ticket(page).getByRole('radio')).toHaveCount(1)
  await expect(ticket(page).getByRole('radio')).not.toBeChecked()
})

test('the stake keeps its rules', { tag: '@main' }, async ({ page }) => {
  await openList(page)
  await pick(page, 1)
  const stake = ticket(page).getByRole('textbox', { name: 'Uplata' })
  await stake.fill('12,349')
  await expect(stake).toHaveValue('12,34')
  await expect(placeButton(page)).toContainText('12,34')
  await stake.fill('0,5')
  await stake.blur()
  await expect(stake).toHaveValue('12,34')
  await stake.press('ArrowUp')
  await expect(stake).toHaveValue('13,34')
  await ticket(page).getByRole('button', { name: '+5 €', exact: true }).dblclick()
  await expect(stake).toHaveValue('23,34')
  for (let press = 0; press < 23; press += 1) {
    await ticket(page).getByRole('button', { name: 'Smanji za 1' }).click()
  }
  await expect(stake).toHaveValue('1,00')
  // A click selects the whole text, so that typing replaces it.
  await stake.click()
  await page.keyboard.type('2 000 000')
  await stake.blur()
  await expect(stake).toHaveValue('1000000,00')
  await page.reload()
  await expect(stake).toHaveValue('1000000,00')
})

test('the amounts that add to the stake are the own ones, and Max is the balance', { tag: '@main' }, async ({
  page,
}) => {
  await openAsMember(page)
  await pick(page, 1)
  const stake = ticket(page).getByRole('textbox', { name: 'Uplata' })
  await page.getByRole('button', { name: /Postavke/ }).click()
  await page.getByRole('textbox', { name: '2. iznos' }).fill('7,5')
  await page.keyboard.press('Escape')
  await ticket(page).getByRole('button', { name: '+7,50 €', exact: true }).press('Enter')
  await expect(stake).toHaveValue('8,50')
  await page.reload()
  await ticket(page).getByRole('button', { name: '+7,50 €', exact: true }).click()
  await expect(stake).toHaveValue('16,00')
  await ticket(page).getByRole('button', { name: 'Max', exact: true }).click()
  await expect(stake).toHaveValue('1000,00')
  await expect(placeButton(page)).toContainText('1.000,00')
})

test('on a page that the browser has translated the button names the stake that it pays', {
  tag: '@main',
}, async ({ page }) => {
  await openList(page)
  await pick(page, 2)
  await page.evaluate(translatePage)
  const stake = ticket(page).getByRole('textbox', { name: 'Uplata' })
  await stake.fill('500')
  await stake.blur()
  await expect(placeButton(page)).toHaveText(/^Uplati 500,00\s€$/)
  await page.evaluate(translatePage)
  await setStake(page, '10')
  await expect(placeButton(page)).toHaveText(/^Uplati 10,00\s€$/)
  await pairs(page).first().locator('[data-remove]').click()
  await expect(pairs(page)).toHaveCount(1)
})

test('consent and clearing', async ({ page }) => {
  await openList(page)
  await pick(page, 2)
  await consentToAny(page)
  await page.reload()
  await expect(ticket(page).getByRole('combobox')).toHaveValue('any')
  await ticket(page).getByRole('button', { name: 'Obriši sve parove' }).click()
  await expect(ticket(page).getByText('Listić je prazan')).toBeVisible()
  await expect(page.locator('button[data-odd-id][aria-pressed="true"]')).toHaveCount(0)
})

for (const [screen, viewport] of [
  ['desktop', DESKTOP],
  ['phone', PHONE],
] as const) {
  test(`a ticket cleared by mistake comes back with its fix and combination, on a ${screen}`, async ({ page }) => {
    await page.setViewportSize(viewport)
    await openList(page)
    const picked = await pick(page, 4)
    if (screen === 'phone') {
      await page.getByRole('button', { name: /^Listić, 4 para/ }).click()
    }
    await ticket(page).getByRole('tab', { name: 'Sistem' }).click()
    await ticket(page)
      .getByRole('button', { name: /^Fiks:/ })
      .nth(1)
      .click()
    await ticket(page).getByRole('radio', { name: /2\/3/ }).check()
    await ticket(page).getByRole('button', { name: 'Obriši sve parove' }).click()
    await expect(ticket(page).getByText('Listić je prazan')).toBeVisible()
    await page.getByRole('button', { name: 'Vrati' }).click()
    await expect(pairs(page)).toHaveCount(4)
    await expect(ticket(page).getByRole('radio', { name: /2\/3/ })).toBeChecked()
    await page.reload()
    if (screen === 'phone') {
      await page.getByRole('button', { name: /^Listić, 4 para/ }).click()
    }
    await expect(pairs(page)).toHaveCount(4)
    await expect
      .poll(() => pairs(page).evaluateAll((all) => all.map((pair) => pair.getAttribute('data-pair-odd-id'))))
      .toEqual(picked)
    await expect(
      ticket(page)
        .getByRole('button', { name: /^Fiks:/ })
        .nth(1),
    ).toHaveAttribute('aria-pressed', 'true')
    await expect(ticket(page).getByRole('radio', { name: /2\/3/ })).toBeChecked()
  })
}

test('the keyboard alone builds a ticket', { tag: '@main' }, async ({ page }) => {
  await page.setViewportSize(DESKTOP)
  await openList(page)
  await rows(page).first().locator('[data-cell="match"]').focus()
  await page.keyboard.press('f')
  await expect(rows(page).first().locator('[data-cell="star"]')).toHaveAttribute('aria-pressed', 'true')
  const odd = rows(page).first().locator('[data-cell="odd-0-0"]')
  while (!(await odd.evaluate((element) => element === document.activeElement))) {
    await page.keyboard.press('ArrowRight')
  }
  await page.keyboard.press('Enter')
  await expect(pairs(page)).toHaveCount(1)
  await page.keyboard.press('t')
  await expect(ticket(page).getByRole('heading', { name: 'Listić' })).toBeFocused()
  const stake = ticket(page).getByRole('textbox', { name: 'Uplata' })
  while (!(await stake.evaluate((element) => element === document.activeElement))) {
    await page.keyboard.press('Tab')
  }
  await page.keyboard.press('ArrowUp')
  await expect(stake).toHaveValue('2,00')
  await page.keyboard.press('Alt+Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Prijava' })).toBeVisible()
})

test('on a phone going back closes the sheet, and nothing else', async ({ page }) => {
  await page.setViewportSize(PHONE)
  await openList(page)
  await pick(page, 1)
  await rows(page).first().locator('[data-cell="match"]').click()
  await expect(page).toHaveURL(/match=/)
  const open = page.getByRole('button', { name: /^Listić, 1 par/ })
  const sheet = page.getByRole('dialog', { name: 'Listić' })
  await open.click()
  await expect(sheet).toBeVisible()
  await page.goBack()
  await expect(sheet).toBeHidden()
  await expect(page).toHaveURL(/match=/)
  // Closing the sheet by its button leaves no entry in the browser history.
  await open.click()
  await sheet.getByRole('button', { name: 'Zatvori listić' }).click()
  await expect(sheet).toBeHidden()
  await page.goBack()
  await expect(page).not.toHaveURL(/match=/)
  // Going back from a page that was opened from the sheet leads to the list.
  await open.click()
  await placeButton(page).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Prijava' })).toBeVisible()
  await page.goBack()
  await expect(rows(page).first()).toBeVisible()
  await expect(sheet).toBeHidden()
})

test('on a phone the ticket is a sheet that closes by Escape, its button, and a tap outside', async ({ page }) => {
  await page.setViewportSize(PHONE)
  await openList(page)
  await pick(page, 2)
  const open = page.getByRole('button', { name: /^Listić, 2 para, ukupna kvota/ })
  const box = await open.boundingBox()
  const sheet = page.getByRole('dialog', { name: 'Listić' })
  await open.click()
  await expect(sheet).toBeVisible()
  await expect(pairs(page)).toHaveCount(2)
  await page.keyboard.press('Escape')
  await expect(sheet).toBeHidden()
  await open.click()
  await sheet.getByRole('button', { name: 'Zatvori listić' }).click()
  await expect(sheet).toBeHidden()
  await open.click()
  await page.mouse.click(195, 20)
  await expect(sheet).toBeHidden()
  expect(await open.boundingBox()).toEqual(box)
})
