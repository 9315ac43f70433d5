import { axeFindings } from './axe'
import { askToPlace, consentToAny, openAsMember, pick, receipt, STILL, ticket } from './bettor'
import { DESKTOP, expect, openList, PHONE, test } from './test'

test.use({ programOptions: [STILL, { scope: 'worker' }] })

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
      await ticket(page).getByRole('tab', { name: 'Sistem' }).click()
      await expect(ticket(page).getByRole('radio')).toHaveCount(2)
      expect(await axeFindings(page)).toEqual([])
      await ticket(page).getByRole('radio', { name: /2\/3/ }).check()
      const yes = await askToPlace(page)
      expect(await axeFindings(page)).toEqual([])
      await yes.click()
      await expect(page.getByRole('dialog', { name: 'Listić se obrađuje…' })).toBeVisible()
      expect(await axeFindings(page)).toEqual([])
      await expect(receipt(page)).toBeVisible()
      expect(await axeFindings(page)).toEqual([])
      await receipt(page).getByRole('button', { name: 'Moje oklade' }).click()
      await expect(page.getByRole('article')).toHaveCount(1)
      expect(await axeFindings(page)).toEqual([])
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

test('prices that move do not move the ticket', async ({ page }) => {
  await page.setViewportSize(DESKTOP)
  await openList(page)
  await pick(page, 3)
  await page.evaluate(() => {
    const shifts: number[] = []
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        shifts.push((entry as PerformanceEntry & { value: number }).value)
      }
    }).observe({ type: 'layout-shift', buffered: false })
  })
  await page.waitForTimeout(5000)
  expect(await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts)).toEqual([])
})
