import { expect, openList, rows, test } from './test'

test('a goal lights its row up for five seconds', async ({ page, feed }) => {
  await openList(page)
  const row = rows(page).nth(4)
  const id = (await row.getAttribute('data-match-id')) ?? ''
  const tag = page.locator(`[data-row="match"][data-match-id="${id}"]`).getByText('GOL', { exact: true })
  await expect(tag).toHaveCount(0)
  let goals = 5
  await expect(async () => {
    goals += 1
    feed.score(id, [goals, 0])
    await expect(tag).toBeVisible({ timeout: 3000 })
  }).toPass()
  await expect(tag).toBeHidden()
})
