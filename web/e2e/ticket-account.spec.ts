import { axeFindings } from './axe'
import { BETTING, newName, openAsMember, PASSWORD, pick, register } from './bettor'
import { DESKTOP, expect, openList, PHONE, rows, test } from './test'

test.use({ programOptions: [BETTING, { scope: 'worker' }] })

test('one registers, logs out, and logs in again', { tag: '@main' }, async ({ page }) => {
  const name = newName()
  await page.goto('/?view=register')
  await register(page, name)
  await expect(rows(page).first()).toBeVisible()
  await page.getByRole('button', { name: /^Račun/ }).click()
  await expect(page.getByRole('dialog', { name: 'Račun' })).toContainText(name)
  await expect(page.getByRole('dialog', { name: 'Račun' })).toContainText('1.000,00')
  await page.getByRole('button', { name: 'Odjava' }).click()
  // The account button is gone; the focus moves to the login link in its position.
  await expect(page.getByRole('banner').getByRole('link', { name: 'Prijava' })).toBeFocused()
  await page.getByRole('banner').getByRole('link', { name: 'Prijava' }).click()
  await page.getByLabel('Korisničko ime').fill(name)
  await page.getByLabel('Lozinka', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: /^Račun/ })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: 'Ponuda uživo' })).toBeVisible()
})

test.describe('what is wrong is said at its field', () => {
  test.use({ expected: { complaints: [/Failed to load resource/] } })

  test('a wrong password, a name that is taken', async ({ page, context }) => {
    const name = await openAsMember(page)
    await context.clearCookies()
    await page.goto('/?view=login')
    await page.getByLabel('Korisničko ime').fill(name)
    await page.getByLabel('Lozinka', { exact: true }).fill('nije-to-to')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Korisničko ime ili lozinka nisu točni.')).toBeVisible()
    await expect(page.getByLabel('Lozinka', { exact: true })).toBeFocused()
    await page.getByRole('link', { name: 'Otvori račun' }).click()
    await register(page, name)
    await expect(page.getByLabel('Korisničko ime')).toHaveAttribute('aria-invalid', 'true')
  })
})

test('going back leaves the login', async ({ page }) => {
  await openList(page)
  await page.getByRole('banner').getByRole('link', { name: 'Prijava' }).click()
  await expect(page).toHaveURL(/view=login/)
  await page.goBack()
  await expect(page).not.toHaveURL(/view=/)
  await expect(rows(page).first()).toBeVisible()
})

test.describe('an anonymous user who opens their bets', () => {
  test.use({ expected: { complaints: [/Failed to load resource/] } })

  test('gets the login, which leads to the bets and back to the list', async ({ page, context }) => {
    const name = await openAsMember(page)
    await context.clearCookies()
    await openList(page)
    const bets = page.getByRole('banner').getByRole('link', { name: 'Moje oklade' })
    await bets.click()
    await expect(page).toHaveURL(/view=login/)
    await page.goBack()
    await expect(page).not.toHaveURL(/view=/)
    await expect(rows(page).first()).toBeVisible()
    await bets.click()
    await page.getByLabel('Korisničko ime').fill(name)
    await page.getByLabel('Lozinka', { exact: true }).fill(PASSWORD)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: 'Moje oklade' })).toBeVisible()
    await expect(page).toHaveURL(/view=bets/)
    await page.goBack()
    await expect(page).not.toHaveURL(/view=/)
  })
})

for (const [where, viewport] of [
  ['on a desktop', DESKTOP],
  ['on a phone', PHONE],
] as const) {
  test.describe(`security ${where}`, () => {
    // The other device gets a 401.
    test.use({ viewport, expected: { complaints: [/401/] } })

    test('a device is logged out, and a new password is the only one', async ({ page, browser, baseURL }) => {
      const name = await openAsMember(page)
      const elsewhere = await browser.newContext({ ...(baseURL && { baseURL }), userAgent: 'Firefox/128.0 (Windows)' })
      const login = (password: string) =>
        elsewhere.request.post('/api/v1/account/login', { data: { name, password } }).then((answer) => answer.status())
      expect(await login(PASSWORD)).toBe(200)

      await page
        .getByRole('button', { name: /^Račun/ })
        .first()
        .click()
      await page.getByRole('button', { name: 'Sigurnost' }).click()
      const dialog = page.getByRole('dialog', { name: 'Sigurnost' })
      await expect(dialog.getByText('Firefox, Windows')).toBeVisible()
      expect(await axeFindings(page)).toEqual([])
      await dialog.getByRole('button', { name: 'Odjavi uređaj Firefox, Windows' }).click()
      await expect(dialog.getByText('Firefox, Windows', { exact: true })).toBeHidden()
      expect((await elsewhere.request.get('/api/v1/live/user-status')).status()).toBe(401)

      await dialog.getByLabel('Sadašnja lozinka').fill(PASSWORD)
      await dialog.getByLabel('Nova lozinka').fill('sasvim nova lozinka')
      await page.keyboard.press('Enter')
      await expect(dialog.getByText(/^Lozinka je promijenjena/)).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(dialog).toBeHidden()
      await expect(page.getByRole('button', { name: /^Račun/ }).first()).toBeFocused()
      expect([await login(PASSWORD), await login('sasvim nova lozinka')]).toEqual([401, 200])
      await elsewhere.close()
    })
  })
}

test('an anonymous ticket goes along to the account', { tag: '@main' }, async ({ page }) => {
  await openList(page)
  await pick(page, 2)
  await page.goto('/?view=register')
  await register(page, newName())
  await expect(page.locator('button[data-odd-id][aria-pressed="true"]').first()).toBeVisible()
  await expect(page.locator('[data-ticket] li[data-pair-match-id]')).toHaveCount(2)
})

for (const [screen, viewport] of [
  ['desktop', DESKTOP],
  ['phone', PHONE],
] as const) {
  test(`favourites filter the list, and take the filter by sport away, on a ${screen}`, async ({ page }) => {
    await page.setViewportSize(viewport)
    await openList(page)
    const star = rows(page).nth(1).locator('[data-cell="star"]')
    const id = await rows(page).nth(1).getAttribute('data-match-id')
    await star.click()
    await expect(star).toHaveAttribute('aria-pressed', 'true')
    const filter = page.getByRole('navigation', { name: 'Odabir sportova' }).getByRole('button', { name: /^Nogomet/ })
    await filter.click()
    await expect(filter).toHaveAttribute('aria-pressed', 'true')
    const favourites =
      screen === 'phone'
        ? page.getByRole('link', { name: 'Favoriti' })
        : page.getByRole('button', { name: /^Favoriti/ })
    await favourites.click()
    await expect(page).toHaveURL(/view=favourites/)
    await expect(rows(page)).toHaveCount(1)
    await expect(rows(page).first()).toHaveAttribute('data-match-id', id ?? '')
    await page.reload()
    await expect(rows(page)).toHaveCount(1)
    await favourites.click()
    await expect(rows(page).nth(1)).toBeVisible()
    await expect(filter).toHaveAttribute('aria-pressed', 'false')
  })
}

test('without favourites it says how to make one', async ({ page }) => {
  await page.goto('/?view=favourites')
  await expect(page.getByRole('heading', { name: 'Još nemate favorita' })).toBeVisible()
  await page.getByRole('link', { name: 'Pogledaj ponudu' }).click()
  await expect(rows(page).first()).toBeVisible()
})
