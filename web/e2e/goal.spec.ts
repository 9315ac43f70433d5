import { expect, keepPicture, openList, test } from './test'

// Ten matches at sixty times their speed: a goal every few seconds.
test.use({ programOptions: [{ speed: 60, startMinute: 30, simulatedMatches: 0 }, { scope: 'worker' }] })

test('a goal lights its row up for five seconds', async ({ page, program }) => {
  test.skip(program === null, 'the program is not ours')
  await openList(page)
  const tag = page.getByText('GOL', { exact: true }).first()
  await expect(tag).toBeVisible({ timeout: 40_000 })
  const row = page.locator('[data-row="match"]', { has: page.getByText('GOL', { exact: true }) }).first()
  const id = await row.getAttribute('data-match-id')
  await keepPicture(page, 'goal')
  await expect(page.locator(`[data-match-id="${id}"]`).getByText('GOL', { exact: true })).toBeHidden({
    timeout: 12_000,
  })
})
