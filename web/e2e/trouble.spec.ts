import { expect, extrasAreThere, firstOdd, openList, rows, test } from './test'

test('a feed that goes silent clears the offer, and brings it back by itself', { tag: '@main' }, async ({
  page,
  feed,
}) => {
  await openList(page)
  feed.off()
  await expect(page.getByRole('heading', { level: 1, name: 'Ponuda uživo trenutačno ne stiže' })).toBeVisible()
  await expect(rows(page)).toHaveCount(0)
  feed.on()
  await expect(rows(page)).toHaveCount(10)
  await feed.movePrice(firstOdd(page))
})

test.describe('a server that is killed', () => {
  test.use({
    expected: {
      complaints: [/ERR_CONNECTION_REFUSED|WebSocket connection to|Failed to load resource|fetching the script/],
    },
  })

  test('is missed at once, and the page goes on when it is back', { tag: '@main' }, async ({ page, program, feed }) => {
    await openList(page)
    // The banner is in a chunk that loads after the list.
    await extrasAreThere(page)
    await program?.end()
    await expect(page.getByText('Veza je prekinuta. Ponovno povezivanje…').first()).toBeVisible()
    await expect(rows(page)).toHaveCount(0)
    await program?.start()
    await expect(rows(page)).toHaveCount(10, { timeout: 40_000 })
    await expect(page.getByText('Veza je prekinuta. Ponovno povezivanje…').first()).toBeHidden()
    await feed.movePrice(firstOdd(page))
  })
})

test('before the scripts have loaded the page shows its header', async ({ page }) => {
  let letGo = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  await page.route('**/assets/*.js', async (route) => {
    await held
    await route.continue()
  })
  await page.goto('/', { waitUntil: 'commit' })
  const early = page.locator('.early')
  await expect(early.getByText('kvota')).toBeVisible()
  const { height } = (await early.locator('p').boundingBox()) ?? {}
  expect(height).toBe(56)
  letGo()
  await expect(rows(page)).toHaveCount(10)
  await expect(early).toHaveCount(0)
})
