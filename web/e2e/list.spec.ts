import type { Page } from '@playwright/test'
import { axeFindings } from './axe'
import { pick } from './bettor'
import type { Feed } from './feed'
import { DESKTOP, expect, extrasAreThere, firstOdd, openList, PHONE, rows, TABLET, test } from './test'

test('shows the recorded matches by sport and tournament', { tag: '@main' }, async ({ page }) => {
  await openList(page)
  await expect(page).toHaveTitle('Ponuda uživo – kvota')
  await expect(page.getByRole('heading', { level: 1, name: 'Ponuda uživo' })).toBeVisible()
  await expect(page.getByRole('heading', { level: 2, name: 'Nogomet' })).toBeVisible()
  await expect(page.getByRole('row', { name: /Premier League/ })).toBeVisible()
  await expect(rows(page)).toHaveCount(10)
  await expect(page.getByRole('contentinfo')).toContainText('Wyscout')
  await expect(page.getByRole('contentinfo')).toContainText('CC BY 4.0')
})

test('a price that moves shows its new value, with an arrow', { tag: '@main' }, async ({ page, feed }) => {
  await openList(page)
  const odd = firstOdd(page)
  const id = await odd.getAttribute('data-odd-id')
  const price = odd.locator('[data-price]')
  const before = Number(await price.textContent())
  await feed.movePrice(odd)
  expect(Number(await price.textContent())).toBeGreaterThan(before)
  feed.price(id ?? '', 1.05)
  await expect(price).toHaveText('1.05')
})

test('the odds of a match that is suspended are locked until it goes on', { tag: '@main' }, async ({ page, feed }) => {
  await openList(page)
  const row = rows(page).nth(2)
  const id = (await row.getAttribute('data-match-id')) ?? ''
  const open = row.locator('[data-odd-id][data-state="open"]')
  const before = await open.count()
  expect(before).toBeGreaterThan(0)
  feed.suspended(id, true)
  await expect(open).toHaveCount(0)
  feed.suspended(id, false)
  await expect(open).toHaveCount(before)
})

test('the clock ticks by itself', async ({ page }) => {
  await page.clock.install()
  await openList(page)
  const clock = rows(page).first().locator('[data-clock]')
  const before = await clock.textContent()
  await page.clock.fastForward(60_000)
  await expect(clock).not.toHaveText(before ?? '')
})

/** The layout shifts while the prices of thirty visible odds change. */
async function shiftsWhilePricesMove(page: Page, feed: Feed, moved: (value: number) => number): Promise<number[]> {
  await page.evaluate(() => {
    const shifts: number[] = []
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        shifts.push((entry as PerformanceEntry & { value: number }).value)
      }
    }).observe({ type: 'layout-shift', buffered: false })
  })
  const odds = await page.locator('[data-row="match"] [data-odd-id][data-state="open"]').evaluateAll((buttons) =>
    buttons.slice(0, 30).map((button) => ({
      id: button.getAttribute('data-odd-id') ?? '',
      price: button.querySelector('[data-price]')?.textContent ?? '',
    })),
  )
  expect(odds).toHaveLength(30)
  for (const { id, price } of odds) {
    feed.price(id, moved(Number(price)))
  }
  for (const { id, price } of odds) {
    const shown = page.locator(`[data-row="match"] [data-odd-id="${id}"] [data-price]`)
    await expect(shown).not.toHaveText(price)
  }
  return page.evaluate(() => (window as unknown as { shifts: number[] }).shifts)
}

test('what changes moves nothing else', { tag: '@main' }, async ({ page, feed }) => {
  await openList(page)
  // The search button of the header loads after the list.
  await extrasAreThere(page)
  // Some prices get a text of another length.
  expect(await shiftsWhilePricesMove(page, feed, (value) => 11.1 + value)).toEqual([])
})

test('prices that move do not move the ticket', async ({ page, feed }) => {
  await openList(page)
  await pick(page, 3)
  await expect(page.locator('[data-place]')).toBeVisible()
  expect(await shiftsWhilePricesMove(page, feed, (value) => value + 0.11)).toEqual([])
})

for (const [screen, viewport, head, match, hidden] of [
  ['desktop', DESKTOP, 56, 56, 36],
  ['tablet', TABLET, 56, 56, 36],
  ['wide phone', { width: 768, height: 1024 }, 52, 80, 44],
  ['phone', PHONE, 52, 138, 44],
] as const) {
  test(`heights on a ${screen} are the ones the list is computed from`, async ({ page }) => {
    await page.setViewportSize(viewport)
    await openList(page)
    const heightOf = async (selector: string) => (await page.locator(selector).first().boundingBox())?.height
    expect(await heightOf('[data-sport-head]')).toBe(head)
    expect(await heightOf('[data-row="tournament"]')).toBe(28)
    expect(await heightOf('[data-row="match"]')).toBe(match)
    await rows(page).first().locator('[data-cell="match"]').focus()
    await page.keyboard.press('h')
    expect(await heightOf('[data-row="hidden"]')).toBe(hidden)
    // The last row ends at the bottom edge of its sport.
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
    await expect(page.locator('[data-last]')).toBeVisible()
    const ends = await page.evaluate(() => {
      const sport = document.querySelector('[data-sport-id]')
      const last = sport?.querySelector('[data-last]')
      return [sport?.getBoundingClientRect().bottom, last?.getBoundingClientRect().bottom]
    })
    expect(ends[0]).toBe(ends[1])
  })
}

test('a match is hidden and shown again, by hand and by key', async ({ page }) => {
  await openList(page)
  const row = rows(page).first()
  const name = await row.getByRole('rowheader').innerText()
  await row.getByRole('button', { name: /^Sakrij/ }).click()
  await expect(rows(page)).toHaveCount(9)
  const show = page.getByRole('button', { name: /^Prikaži: / })
  await expect(show).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(rows(page)).toHaveCount(10)
  expect(await rows(page).first().getByRole('rowheader').innerText()).toBe(name)
  await rows(page).nth(1).locator('[data-cell="match"]').focus()
  await page.keyboard.press('h')
  await expect(rows(page)).toHaveCount(9)
  await page.getByRole('button', { name: /^Prikaži skrivene/ }).click()
  await expect(rows(page)).toHaveCount(10)
})

test('the order by the number of odds is chosen by keys and kept over a reload', async ({ page }) => {
  await openList(page)
  await page.getByRole('button', { name: 'Poredak: Po ligama' }).focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  const counts = async () => {
    const texts = await rows(page).locator('[data-cell="more"]').allInnerTexts()
    return texts.map((text) => Math.floor(Number(/\d+/.exec(text)?.[0]) / 10))
  }
  await expect(page.getByRole('button', { name: 'Poredak: Po broju kvota' })).toBeFocused()
  await expect.poll(counts).toEqual((await counts()).sort((a, b) => b - a))
  await page.reload()
  await expect(page.getByRole('button', { name: 'Poredak: Po broju kvota' })).toBeVisible()
})

test('a league of the chosen sport is one press away in the rail, and is pinned there', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 600 })
  await openList(page)
  await page
    .getByRole('navigation', { name: 'Odabir sportova' })
    .getByRole('button', { name: /^Nogomet/ })
    .click()
  const leagues = page.getByRole('list', { name: 'Nogomet', exact: true }).getByRole('listitem')
  await expect(leagues.first()).toBeVisible()
  const texts = await leagues.locator('button:first-child > span:last-child > span:last-child').allTextContents()
  expect(texts.reduce((sum, text) => sum + Number(text), 0)).toBe(10)
  const last = leagues.last().getByRole('button').first()
  const name = (await last.getAttribute('title')) ?? ''
  await last.focus()
  await page.keyboard.press('Enter')
  const heading = page.locator('[data-row="tournament"] button').first()
  await expect(page.locator('[data-row="tournament"] button:focus')).toBeInViewport({ ratio: 1 })
  await leagues
    .last()
    .getByRole('button', { name: `Na vrh: ${name}` })
    .click()
  await expect(leagues.first().getByRole('button').first()).toHaveAttribute('title', name)
  await page.evaluate(() => window.scrollTo(0, 0))
  await expect(heading).toContainText(name.split(', ').at(-1) ?? '')
  expect(await axeFindings(page)).toEqual([])
})

for (const [screen, viewport] of [
  ['tablet', TABLET],
  ['phone', PHONE],
] as const) {
  test(`on a ${screen} the leagues of the list are in a menu, by keys too, and are pinned there`, async ({ page }) => {
    await page.setViewportSize(viewport)
    await openList(page)
    const button = page.getByRole('button', { name: 'Lige', exact: true })
    await button.focus()
    await page.keyboard.press('Enter')
    const menu = page.getByRole('dialog', { name: 'Lige' })
    const leagues = menu.getByRole('list', { name: 'Nogomet', exact: true }).getByRole('listitem')
    await expect(leagues.first()).toBeVisible()
    expect(await axeFindings(page)).toEqual([])
    const league = leagues.last().getByRole('button').first()
    const name = (await league.getAttribute('title')) ?? ''
    const pin = menu.getByRole('button', { name: `Na vrh: ${name}` })
    await pin.focus()
    await page.keyboard.press('Enter')
    await expect(pin).toHaveAttribute('aria-pressed', 'true')
    await expect(pin).toBeFocused()
    await expect(leagues.first().getByRole('button').first()).toHaveAttribute('title', name)
    await page.keyboard.press('Escape')
    await expect(button).toBeFocused()
    await page.keyboard.press('Enter')
    await leagues.first().getByRole('button').first().focus()
    await page.keyboard.press('Enter')
    await expect(menu).toHaveCount(0)
    const heading = page.locator('[data-row="tournament"] button:focus')
    await expect(heading).toBeInViewport({ ratio: 1 })
    await expect(heading).toContainText(name.split(', ').at(-1) ?? '')
  })
}

test('where there is no room for the button, a row has a menu', async ({ page }) => {
  await page.setViewportSize(TABLET)
  await openList(page)
  await extrasAreThere(page)
  const ask = () =>
    rows(page)
      .first()
      .click({ button: 'right', position: { x: 300, y: 8 } })
  await ask()
  await page.getByRole('menuitem', { name: 'Otvori utakmicu' }).click()
  await expect(page).toHaveURL(/match=/)
  await page.goBack()
  await expect(rows(page).first()).toBeVisible()
  await expect(page.getByRole('menu')).toHaveCount(0)
  await ask()
  await page.getByRole('menuitem', { name: 'Sakrij' }).click()
  await expect(rows(page)).toHaveCount(9)
})

test('a sport collapses to its head', async ({ page }) => {
  await openList(page)
  await page.getByRole('button', { name: 'Sažmi: Nogomet' }).click()
  await expect(rows(page)).toHaveCount(0)
  await page.getByRole('button', { name: 'Proširi: Nogomet' }).click()
  await expect(rows(page)).toHaveCount(10)
})

test('the filter is kept over a reload', { tag: '@main' }, async ({ page }) => {
  await openList(page)
  const sport = page.getByRole('navigation', { name: 'Odabir sportova' }).getByRole('button', { name: /Nogomet/ })
  await sport.click()
  await expect(sport).toHaveAttribute('aria-pressed', 'true')
  await expect.poll(() => page.evaluate(() => localStorage.getItem('cn-sports'))).toBe('[1]')
  await page.reload()
  await expect(sport).toHaveAttribute('aria-pressed', 'true')
  await page.getByRole('button', { name: /Svi sportovi/ }).click()
  await expect(sport).toHaveAttribute('aria-pressed', 'false')
})

test('a chosen set of odds is kept over a reload', async ({ page }) => {
  await openList(page)
  await page.getByRole('button', { name: /Prvi stupac kvota/ }).click()
  await page.getByRole('option', { name: 'Dvostruka šansa' }).click()
  const chosen = page.getByRole('button', { name: 'Prvi stupac kvota: Dvostruka šansa' })
  await expect(chosen).toBeFocused()
  await expect(rows(page).first().locator('[data-odd-id]').first()).toHaveAccessibleName(/, 1X, /)
  await page.reload()
  await expect(chosen).toBeVisible()
})

test('a press on the line of a row offers the others, and the chosen one is live', { tag: '@main' }, async ({
  page,
  feed,
}) => {
  await openList(page)
  const row = rows(page).nth(1)
  const line = row.getByRole('button', { name: /^Granica/ })
  const before = (await line.textContent()) ?? ''
  await line.click()
  const chip = row.locator('[data-cell^="line-1-"]').first()
  await expect(chip).toBeVisible()
  const other = (await chip.textContent()) ?? ''
  expect(Number(other)).toBeLessThan(Number(before))
  await chip.click()
  await expect(line).toHaveText(other)
  await expect(line).toBeFocused()
  const odd = row.getByRole('button', { name: new RegExp(`Ukupno golova, ${other}, Manje`) })
  await feed.movePrice(odd)
  await odd.click()
  await expect(page.locator('[data-ticket]')).toContainText(`Manje ${other}`)
  await line.click()
  await row.getByRole('button', { name: before, exact: true }).click()
  await expect(line).toHaveText(before)
})

test('arrow keys lead through rows and columns', { tag: '@main' }, async ({ page }) => {
  await openList(page)
  await page.getByRole('button', { name: /Drugi stupac kvota/ }).focus()
  await page.keyboard.press('Tab')
  await expect(rows(page).first().locator('[data-cell="match"]')).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowDown')
  await expect(rows(page).nth(1).locator('[data-cell="odd-0-0"]')).toBeFocused()
  await page.keyboard.press('End')
  await expect(
    rows(page)
      .nth(1)
      .getByRole('button', { name: /^Sakrij/ }),
  ).toBeFocused()
})

test('a focus in what sticks moves nothing; a row that gets it comes out from under what sticks', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 500 })
  await openList(page)
  await rows(page).first().locator('[data-odd-id]').first().click()
  await expect(page.locator('[data-place]')).toBeVisible()
  await page.evaluate(() => window.scrollTo(0, 250))
  for (const stuck of [
    'header a',
    'header button',
    'nav button',
    '[data-sport-head] button',
    '[data-ticket] button',
    '[data-place]',
  ]) {
    await page.locator(stuck).first().focus()
    expect(await page.evaluate(() => window.scrollY), stuck).toBe(250)
  }
  const lowest = rows(page).last().locator('[data-cell="match"]')
  await lowest.focus()
  await expect(lowest).toBeInViewport({ ratio: 1 })
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
  for (let place = 8; place >= 0; place -= 1) {
    await page.keyboard.press('ArrowUp')
    const cell = rows(page).nth(place).locator('[data-cell="match"]')
    await expect(cell).toBeFocused()
    const [top, bar] = await Promise.all(
      [cell, page.locator('[data-sport-head]').first()].map(
        async (one) => (await one.boundingBox()) ?? { y: NaN, height: 0 },
      ),
    )
    expect(top?.y).toBeGreaterThanOrEqual((bar?.y ?? NaN) + (bar?.height ?? NaN))
  }
})

test('the first stop of the page leads past everything to the offer', async ({ page }) => {
  await openList(page)
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Preskoči na ponudu' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
})
