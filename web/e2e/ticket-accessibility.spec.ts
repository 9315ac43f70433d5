import { axeFindings } from './axe'
import { askToPlace, BETTING, consentToAny, holdBets, openAsMember, pick, receipt, ticket } from './bettor'
import { DESKTOP, expect, openList, PHONE, test } from './test'

test.use({ programOptions: [BETTING, { scope: 'worker' }] })

for (const [screen, viewport] of [
  ['desktop', DESKTOP],
  ['phone', PHONE],
] as const) {
  for (const colorScheme of ['dark', 'light'] as const) {
    test(`axe finds nothing in the ticket and its bet on a ${screen}, ${colorScheme}`, async ({ page }) => {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.setViewportSize(viewport)
      await openAsMember(page)
      await pick(page, 3)
      if (screen === 'phone') {
        await page.getByRole('button', { name: /^Listić, 3 para/ }).click()
      }
      await consentToAny(page)
      expect(await axeFindings(page)).toEqual([])
      // From here on only the ticket or a dialog changes.
      await ticket(page).getByRole('tab', { name: 'Sistem' }).click()
      await expect(ticket(page).getByRole('radio')).toHaveCount(2)
      expect(await axeFindings(page, '[data-ticket]')).toEqual([])
      await ticket(page).getByRole('radio', { name: /2\/3/ }).check()
      const yes = await askToPlace(page)
      expect(await axeFindings(page, 'dialog[open]')).toEqual([])
      const release = await holdBets(page)
      await yes.click()
      await expect(page.getByRole('dialog', { name: 'Listić se obrađuje…' })).toBeVisible()
      expect(await axeFindings(page, 'dialog[open]')).toEqual([])
      release()
      await expect(receipt(page)).toBeVisible()
      expect(await axeFindings(page, 'dialog[open]')).toEqual([])
      await receipt(page).getByRole('button', { name: 'Moje oklade' }).click()
      await expect(page.getByRole('article')).toHaveCount(1)
      expect(await axeFindings(page, 'main')).toEqual([])
    })

    test(`axe finds nothing in the login on a ${screen}, ${colorScheme}`, async ({ page }) => {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.setViewportSize(viewport)
      await openList(page)
      await pick(page, 2)
      for (const view of ['login', 'register']) {
        await page.goto(`/?view=${view}`)
        await expect(page.getByLabel('Korisničko ime')).toBeVisible()
        expect(await axeFindings(page)).toEqual([])
      }
      await page.getByRole('button', { name: 'Otvori račun' }).click()
      await expect(page.getByText('Upišite korisničko ime.')).toBeVisible()
      expect(await axeFindings(page)).toEqual([])
    })
  }
}
