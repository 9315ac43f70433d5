import type { Page } from '@playwright/test'
import { pick } from './bettor'
import { expect, extrasAreThere, openList, PHONE, rows, test } from './test'

/** Texts without a translation: names, keyboard keys, formats, and texts of the feed. */
const NAMES =
  /\b(kvota|Hrvatski|English|Bosanski|Ctrl|Alt|Esc|Home|End|Enter|EUR|Wyscout|doi:\S+|CC BY [\d.]+|HR|EN|BS|SR)\b|Српски/gu

/** Wraps every translation in marks: a text without marks comes from somewhere else. */
async function wrapTexts(page: Page): Promise<void> {
  await page.route('**/api/v1/live/translations*', async (route) => {
    const answer = await route.fetch()
    const texts = (await answer.json()) as Record<string, string>
    const wrapped = Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, `«${text}»`]))
    await route.fulfill({ response: answer, json: wrapped })
  })
}

/** All texts of the feed, longest first. */
async function feedTexts(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const texts = new Set<string>()
    const walk = (value: unknown) => {
      if (typeof value === 'string') {
        texts.add(value)
        // Of `group.name` the page shows the part after the dot.
        texts.add(value.replace(/^[^.]*\./, ''))
      } else if (value && typeof value === 'object') {
        Object.values(value).forEach(walk)
      }
    }
    walk(await (await fetch('/api/v1/live/offer?lang=hr')).json())
    return [...texts].filter(Boolean).sort((a, b) => b.length - a.length)
  })
}

/** Visible or read-out words that come from neither the translations nor the feed. */
async function strayWords(page: Page): Promise<string[]> {
  const known = await feedTexts(page)
  const shown = await page.evaluate(() => {
    const texts: string[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const parent = walker.currentNode.parentElement
      if (parent && !parent.closest('script, style, svg, [data-clock]')) {
        texts.push(walker.currentNode.textContent ?? '')
      }
    }
    for (const element of document.querySelectorAll('[aria-label], [title], [placeholder], [alt]')) {
      for (const name of ['aria-label', 'title', 'placeholder', 'alt']) {
        texts.push(element.getAttribute(name) ?? '')
      }
    }
    texts.push(document.title)
    return texts
  })
  return [...new Set(shown)].filter((text) => {
    let rest = text
    // Marked texts may be nested.
    while (/«[^«»]*»/u.test(rest)) {
      rest = rest.replace(/«[^«»]*»/gu, ' ')
    }
    rest = rest.replace(NAMES, ' ')
    for (const word of known) {
      rest = rest.replaceAll(word, ' ')
    }
    return /\p{L}{2}/u.test(rest)
  })
}

// A tracker may still be loading its texts when a test ends.
test.afterEach(async ({ page }) => await page.unrouteAll({ behavior: 'ignoreErrors' }))

test.describe('every word comes from the translations or the feed', () => {
  // An anonymous user gets 401 for the list of bets, which the browser logs as an error.
  test.use({ expected: { complaints: [/401 \(Unauthorized\)/] } })

  test('in the list, the ticket and a match', { tag: '@main' }, async ({ page }) => {
    await wrapTexts(page)
    await openList(page)
    expect(await strayWords(page)).toEqual([])
    await pick(page, 2)
    await rows(page).first().locator('[data-cell="star"]').click()
    await page.getByRole('tab').nth(1).click()
    expect(await strayWords(page)).toEqual([])
    await rows(page).nth(1).locator('[data-cell="match"]').click()
    await expect(page.locator('[data-market-group]').first()).toBeVisible()
    expect(await strayWords(page)).toEqual([])
  })

  test('in what opens in front of the page', async ({ page }) => {
    await wrapTexts(page)
    await openList(page)
    await extrasAreThere(page)
    await page.getByRole('button', { name: /Postavke/ }).click()
    await expect(page.getByRole('radio').nth(12)).toBeAttached()
    expect(await strayWords(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').first().fill('man')
    expect(await strayWords(page)).toEqual([])
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await rows(page).first().locator('[data-odd-id]').first().focus()
    await page.keyboard.press('g')
    await expect(page.locator('[data-history]').getByRole('img')).toBeVisible()
    expect(await strayWords(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.keyboard.press('?')
    await expect(page.getByRole('dialog').locator('kbd').first()).toBeVisible()
    expect(await strayWords(page)).toEqual([])
  })

  test('on a phone, at the login, and where there is nothing', async ({ page }) => {
    await page.setViewportSize(PHONE)
    await wrapTexts(page)
    await openList(page)
    expect(await strayWords(page)).toEqual([])
    for (const view of ['login', 'register', 'favourites', 'bets']) {
      await page.goto(`/?view=${view}`)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      expect(await strayWords(page), view).toEqual([])
    }
  })
})

test('Cyrillic is written in the letters of the same face', async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem('cn-language', '"sr"'))
  await openList(page)
  await expect(page.getByRole('heading', { level: 1, name: 'Понуда уживо' })).toBeVisible()
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('DOM.enable')
  await cdp.send('CSS.enable')
  const { root } = await cdp.send('DOM.getDocument')
  const faces = async (selector: string) => {
    const { nodeIds } = await cdp.send('DOM.querySelectorAll', { nodeId: root.nodeId, selector })
    const used = new Set<string>()
    for (const nodeId of nodeIds.slice(0, 20)) {
      const { fonts } = await cdp.send('CSS.getPlatformFontsForNode', { nodeId })
      for (const { familyName } of fonts) {
        used.add(familyName)
      }
    }
    return [...used]
  }
  const latin = await faces('[data-price]')
  expect(latin).toHaveLength(1)
  expect(await faces('h1, h2, nav a, aside h2, footer p')).toEqual(latin)
})
