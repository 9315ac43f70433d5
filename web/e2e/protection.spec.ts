/** Player protection and the cashier: limits that stop a bet, an exclusion, and money paid in and out. */
import type { Locator, Page } from '@playwright/test'
import { axeFindings } from './axe'
import { BETTING, openAsMember, PASSWORD, pick, placeButton, placeInDialog, ticket } from './bettor'
import { DESKTOP, expect, PHONE, test } from './test'

test.use({ programOptions: [BETTING, { scope: 'worker' }] })

/** Opens a dialog of the account menu. */
async function open(page: Page, name: string): Promise<Locator> {
  await page
    .getByRole('button', { name: /^Račun/ })
    .first()
    .click()
  await page.getByRole('button', { name }).click()
  return page.getByRole('dialog', { name })
}

for (const [where, viewport] of [
  ['on a desktop', DESKTOP],
  ['on a phone', PHONE],
] as const) {
  test.describe(`limits ${where}`, () => {
    test.use({ viewport })

    test('a limit is set, its raise waits and is withdrawn, and all of it is in the history', async ({ page }) => {
      await openAsMember(page)
      const dialog = await open(page, 'Zaštita igrača')
      await dialog.getByLabel('Ulog, 24 h').fill('25,5')
      await dialog.getByRole('button', { name: 'Spremi ograničenja' }).click()
      await expect(dialog.getByText('Ograničenja su spremljena.')).toBeVisible()
      await expect(dialog.getByLabel('Ulog, 24 h')).toHaveValue('25,50')
      expect(await axeFindings(page)).toEqual([])

      await dialog.getByLabel('Ulog, 24 h').fill('100')
      await dialog.getByRole('button', { name: 'Spremi ograničenja' }).click()
      await expect(dialog.getByText(/100,00\s€ od/)).toBeVisible()
      await dialog.getByRole('button', { name: /^Povuci promjenu/ }).click()
      await expect(dialog.getByText(/100,00\s€ od/)).toBeHidden()
      await dialog.getByRole('tab', { name: 'Povijest' }).click()
      await expect(dialog.getByText(/→ 100,00/)).toBeVisible()
      expect(await axeFindings(page)).toEqual([])
    })
  })
}

test.describe('limits and bets', () => {
  test.use({ expected: { complaints: [/400/] } })

  test('a bet above the own limit is rejected with what is left', { tag: '@main' }, async ({ page }) => {
    await openAsMember(page)
    const limits = await page.request.put('/api/v1/account/limits', { data: { stake: { day: '4' } } })
    expect(limits.status()).toBe(200)
    await pick(page, 1)
    await ticket(page).getByLabel('Uplata', { exact: true }).fill('5')
    await placeButton(page).click()
    await placeInDialog(page).click()
    await expect(page.getByText(/^Vaše dnevno ograničenje uloga dopušta još 4,00\s€\.$/)).toBeVisible()
  })

  test('a time-out begins after its password and stops bets', async ({ page }) => {
    await openAsMember(page)
    await pick(page, 1)
    const dialog = await open(page, 'Zaštita igrača')
    await dialog.getByRole('tab', { name: 'Pauza' }).click()
    await dialog.getByRole('radio', { name: '7 dana' }).click()
    await dialog.getByLabel('Lozinka').fill('nije-ova-lozinka')
    await dialog.getByRole('button', { name: 'Nastavi' }).click()
    await dialog.getByRole('button', { name: 'Potvrdi i počni' }).click()
    await expect(dialog.getByText('Lozinka nije točna.')).toBeVisible()
    await dialog.getByLabel('Lozinka').fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Nastavi' }).click()
    await dialog.getByRole('button', { name: 'Potvrdi i počni' }).click()
    // Its announcement has the same text for a moment.
    await expect(dialog.getByText(/^Pauza od klađenja traje do /).first()).toBeVisible()
    expect(await axeFindings(page)).toEqual([])
    await page.keyboard.press('Escape')
    const bar = page.getByRole('region', { name: 'Zaštita igrača' })
    const odd = page.locator('[data-odd-id]:not([aria-pressed="true"])').first()
    for (const isReloaded of [false, true]) {
      if (isReloaded) {
        await page.reload()
      }
      await expect(bar.getByText(/^Pauza do /)).toBeVisible()
      await expect(odd).toHaveAttribute('aria-disabled', 'true')
      await expect(odd).toHaveAccessibleName(/Pauza od klađenja traje/)
      await expect(placeButton(page)).toHaveCount(0)
      expect(await axeFindings(page)).toEqual([])
    }
    await bar.getByRole('button', { name: 'isplata' }).click()
    const cashier = page.getByRole('dialog', { name: 'Uplata i isplata' })
    await expect(cashier.getByRole('button', { name: /^Isplati/ })).toBeVisible()
    await expect(cashier.getByRole('tab')).toHaveCount(0)
    expect(await axeFindings(page)).toEqual([])
  })
})

for (const [where, viewport] of [
  ['on a desktop', DESKTOP],
  ['on a phone', PHONE],
] as const) {
  test(`money is paid in and out ${where}`, async ({ page }) => {
    await page.setViewportSize(viewport)
    await openAsMember(page)
    const dialog = await open(page, 'Uplata i isplata')
    await dialog.getByLabel('Iznos').fill('50,5')
    await dialog.getByRole('button', { name: /^Uplati 50,50/ }).click()
    await expect(dialog.getByText(/^Uplaćeno je 50,50.*1\.050,50/)).toBeVisible()
    expect(await axeFindings(page)).toEqual([])
    await dialog.getByRole('tab', { name: 'Isplata s računa' }).click()
    await dialog.getByRole('button', { name: /^Sve/ }).click()
    await dialog.getByRole('button', { name: /^Isplati 1\.050,50/ }).click()
    await expect(dialog.getByText(/^Isplaćeno je 1\.050,50.*: 0,00/)).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('button', { name: /^Račun.*0,00/ }).first()).toBeFocused()
  })
}
