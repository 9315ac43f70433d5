/** The open bets in the ticket column, while the feed changes the score of their matches. */
import { axeFindings } from './axe'
import { BETTING, openAsMember, pairs, placeSingle, ticket } from './bettor'
import { expect, PHONE, rows, test } from './test'

test.use({ programOptions: [BETTING, { scope: 'worker' }] })

test('the open bets are a tab of the ticket, and say how their pairs stand now', { tag: '@main' }, async ({
  page,
  feed,
}) => {
  const { matchId, number } = await placeSingle(page, 0)
  await ticket(page).getByRole('tab', { name: 'Otvorene 1' }).click()
  const bet = ticket(page).getByRole('article')
  await expect(bet).toContainText(number)
  feed.score(matchId, [7, 1])
  await expect(bet.getByRole('listitem')).toContainText('Sada prolazi')
  feed.score(matchId, [7, 9])
  await expect(bet.getByRole('listitem')).toContainText('Sada ne prolazi')
  await expect(bet.locator('[data-cash-out]')).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
  const { width = 0 } = (await ticket(page).boundingBox()) ?? {}
  expect(await bet.evaluate((element) => element.scrollWidth)).toBeLessThan(width)
  // A picked odd is shown at once.
  await rows(page).nth(1).locator('[data-odd-id][data-state="open"]').first().click()
  await expect(pairs(page)).toHaveCount(1)
})

test.describe('on a phone', () => {
  test.use({ viewport: PHONE })

  test('the sheet has them too', async ({ page }) => {
    await openAsMember(page)
    await page.getByRole('button', { name: /^Listić/ }).click()
    const sheet = page.getByRole('dialog', { name: 'Listić' })
    await sheet.getByRole('tab', { name: /^Otvorene/ }).click()
    await expect(sheet).toContainText('Nemate otvorenih oklada')
    await sheet.getByRole('link', { name: 'Sve moje oklade' }).click()
    await expect(page).toHaveURL(/view=bets/)
    await expect(sheet).toBeHidden()
  })
})
