import { axeFindings } from './axe'
import { pairs, pick, ticket } from './bettor'
import { expect, openList, rows, test } from './test'

test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

const shared = /Podijeljeni listić/

test('a match and sports have addresses of their own', async ({ page }) => {
  await openList(page)
  const id = await rows(page).nth(2).getAttribute('data-match-id')
  await page.goto(`/match/${id}`)
  await expect(page.getByRole('heading', { level: 1, name: /Huddersfield Town.*Arsenal/ })).toBeVisible()
  await expect(page).toHaveURL(`/?match=${id}`)
  await page.goto('/sport/1,5')
  await expect(rows(page).first()).toBeVisible()
  await expect(page).toHaveURL('/')
  await expect.poll(() => page.evaluate(() => localStorage.getItem('cn-sports'))).toBe('[1,5]')
})

test('a ticket is given away as a link, and asks before it replaces another', { tag: '@main' }, async ({
  page,
  browser,
  programUrl,
}) => {
  await openList(page)
  const odds = await pick(page, 3)
  await ticket(page).getByRole('button', { name: 'Podijeli listić' }).click()
  await expect(page.getByText('Poveznica na listić je kopirana.').first()).toBeVisible()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/ticket\/\d+\.\d+\.\d+(-\d+\.\d+\.\d+){2}$/)

  const friend = await browser.newContext({ baseURL: programUrl, locale: 'hr-HR', colorScheme: 'dark' })
  const other = await friend.newPage()
  await openList(other)
  await other.locator('[data-row="match"] [data-odd-id][data-state="open"]').last().click()
  await expect(pairs(other)).toHaveCount(1)
  await other.goto(link)
  const dialog = other.getByRole('dialog', { name: shared })
  await expect(dialog.getByRole('listitem')).toHaveCount(3)
  await expect(dialog).toContainText('Vaš sadašnji listić (1 par) bit će zamijenjen.')
  expect(await axeFindings(other)).toEqual([])
  await dialog.getByRole('button', { name: 'Odustani' }).click()
  await expect(pairs(other)).toHaveCount(1)
  await expect(other).toHaveURL('/')

  await other.goto(link)
  await dialog.getByRole('button', { name: 'Preuzmi 3 para' }).click()
  await expect(dialog).toBeHidden()
  await expect(pairs(other)).toHaveCount(3)
  for (const odd of odds) {
    await expect(other.locator(`[data-ticket] [data-pair-odd-id="${odd}"]`)).toHaveCount(1)
  }
  await other.reload()
  await expect(pairs(other)).toHaveCount(3)
  await expect(dialog).toBeHidden()
  await friend.close()
})

test('what is no longer offered is said, and a bad link too', async ({ page }) => {
  await page.goto('/ticket/999999.1.1')
  const dialog = page.getByRole('dialog', { name: shared })
  await expect(dialog).toContainText('1 par se više ne nudi.')
  await dialog.getByRole('button', { name: 'Zatvori' }).click()
  await expect(dialog).toBeHidden()
  for (const bad of ['17', '1.2', '1.1.1-1.2.2', '1.1.1-']) {
    await page.goto(`/ticket/${bad}`)
    await expect(page.getByText('Poveznica na listić nije ispravna').first()).toBeVisible()
    await expect(page).toHaveURL('/')
  }
})
