import { axeFindings } from './axe'
import { DESKTOP, expect, firstOdd, openList, PHONE, rows, TABLET, test } from './test'

for (const [screen, viewport] of [
  ['desktop', DESKTOP],
  ['tablet', TABLET],
  ['phone', PHONE],
] as const) {
  for (const colorScheme of ['dark', 'light'] as const) {
    test(`axe finds nothing in the list on a ${screen}, ${colorScheme}`, async ({ page, feed }) => {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.setViewportSize(viewport)
      await openList(page)
      await rows(page).first().locator('[data-cell="match"]').focus()
      await page.keyboard.press('h')
      await feed.movePrice(firstOdd(page))
      expect(await axeFindings(page)).toEqual([])
    })

    test(`axe finds nothing in a match on a ${screen}, ${colorScheme}`, async ({ page }) => {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.setViewportSize(viewport)
      await openList(page)
      await rows(page).first().locator('[data-cell="more"]').click()
      await expect(page.getByRole('heading', { level: 3 }).first()).toBeVisible()
      expect(await axeFindings(page)).toEqual([])
    })
  }
}

test('axe finds nothing in what opens', { tag: '@main' }, async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await openList(page)
  await page.getByRole('button', { name: /Postavke/ }).click()
  expect(await axeFindings(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /Prvi stupac kvota/ }).click()
  expect(await axeFindings(page)).toEqual([])
})

test('axe finds nothing when there is nothing', async ({ page, feed }) => {
  await openList(page)
  feed.off()
  await expect(rows(page)).toHaveCount(0)
  expect(await axeFindings(page)).toEqual([])
  feed.on()
  await expect(rows(page)).toHaveCount(10)
})

test('at 320 px nothing has to be scrolled sideways', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await openList(page)
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  await rows(page).first().locator('[data-cell="match"]').click()
  await expect(page.getByRole('heading', { level: 3 }).first()).toBeVisible()
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
})

test('text of twice the size still fits its rows', async ({ page }) => {
  await page.setViewportSize(DESKTOP)
  await openList(page)
  await page.evaluate(() => {
    document.documentElement.style.setProperty('font-size', '200%')
    window.dispatchEvent(new Event('resize'))
  })
  await expect(page.locator('[data-row="match"]').first()).toHaveCSS('height', '112px')
  const overflowing = () =>
    page.evaluate(
      () =>
        [...document.querySelectorAll<HTMLElement>('[data-row]')].filter(
          (row) => row.scrollHeight > row.clientHeight + 1,
        ).length,
    )
  const covered = () =>
    page.evaluate(() => {
      const ticket = document.querySelector('[data-ticket]')?.getBoundingClientRect().left ?? 0
      const odds = [...document.querySelectorAll('[data-row="match"] [data-odd-id]')]
      return odds.filter((odd) => odd.getBoundingClientRect().right > ticket).length
    })
  // The columns follow the width in a later frame.
  await expect.poll(overflowing).toBe(0)
  await expect.poll(covered).toBe(0)
})

test('with a default text of twice the size nothing is cut on a phone, and no page scrolls sideways', async ({
  playwright,
  page,
}) => {
  await openList(page)
  const { origin } = new URL(page.url())
  const { executablePath, args = [] } = test.info().project.use.launchOptions ?? {}
  const browser = await playwright.chromium.launch({
    ...(executablePath && { executablePath }),
    args: [...args, '--blink-settings=defaultFontSize=32'],
  })
  const large = await browser.newPage({ viewport: PHONE, locale: 'hr-HR' })
  for (const [path, seen] of [
    ['', '[data-row="match"]'],
    ['?view=bets', 'form'],
    ['?view=register', 'form'],
  ] as const) {
    await large.goto(`${origin}/${path}`)
    await expect(large.locator(seen).first()).toBeVisible()
    await expect.poll(() => large.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe('32px')
    await expect.poll(() => large.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width)
    const cut = await large.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('[data-sport-head] span, [data-sport-head] h2, nav span')]
        .filter((label) => label.scrollWidth > label.clientWidth + 1 || label.scrollHeight > label.clientHeight + 1)
        .filter((label) => label.clientWidth > 1 && getComputedStyle(label).overflow !== 'visible')
        .map(({ textContent }) => textContent),
    )
    expect(cut).toEqual([])
  }
  await browser.close()
})
