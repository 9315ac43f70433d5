import type { Page } from '@playwright/test'
import { axeFindings } from './axe'
import { expect, openState, STATES, test } from './fixturePage'
import { DESKTOP, PHONE } from './test'

// Each screen in one theme: themes differ only in colours, and these two cover both (accessibility.spec.ts checks the
// list and a match on all screens in both).
const SCREENS = [
  ['desktop', DESKTOP, 'dark'],
  ['phone', PHONE, 'light'],
] as const

const IN_A_DIALOG = /stage=(?!unknown)/

const SHEET = { sheet: 'slip=system&sheet=1' }

const SMALL = [
  ['at 320 px', { width: 320, height: 640 }],
  // The space in a window of 1280 px at 400 %, and of 1440 px at 200 %.
  ['at 400 %', { width: 320, height: 256 }],
  ['at 200 %', { width: 720, height: 450 }],
] as const

/** Where the page or a dialog has to be scrolled sideways on small screens. */
async function scrolledSideways(page: Page): Promise<string[]> {
  const wider: string[] = []
  for (const [how, size] of SMALL) {
    await page.setViewportSize(size)
    const widths = await page.evaluate(async () => {
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
      const boxes = [document.documentElement, ...document.querySelectorAll('dialog, dialog [data-ticket]')]
      return boxes.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
    })
    if (widths.some((by) => by > 0)) {
      wider.push(`${how}: by ${widths.join(', ')} px`)
    }
  }
  return wider
}

for (const [screen, viewport, theme] of SCREENS) {
  const isPhone = screen === 'phone'
  const promise = isPhone ? 'axe finds nothing and nothing is scrolled sideways' : 'axe finds nothing'
  const states = Object.entries({ ...STATES, ...(isPhone && SHEET) })
  // A page and a browser context for each state would double the time of these tests.
  for (const half of [0, 1]) {
    const some = states.filter((_, place) => place % 2 === half)
    test(`${promise} on a ${screen}, ${theme}: ${some.map(([state]) => state).join(', ')}`, async ({
      page,
      pagesUrl,
    }) => {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
      for (const [state, query] of some) {
        await page.setViewportSize(viewport)
        // Checking every row once is enough: the rows of the other states are the same.
        await openState(page, pagesUrl, `${query}&theme=${theme}${state === 'standard' ? '' : '&few'}`)
        // The page behind a dialog is that of `standard`.
        const part = IN_A_DIALOG.test(query) ? 'dialog[open]' : undefined
        expect.soft(await axeFindings(page, part), state).toEqual([])
        if (isPhone) {
          expect.soft(await scrolledSideways(page), state).toEqual([])
        }
      }
    })
  }
}

/** They hold of a page; the gallery shows many trackers on one. */
const OF_A_PAGE = ['heading-order', 'landmark-unique', 'landmark-no-duplicate-main']

for (const theme of ['dark', 'light'] as const) {
  test(`axe finds nothing in the trackers with all their facts, ${theme}`, async ({ page, pagesUrl }) => {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    await page.goto(`${pagesUrl}/gallery.html?theme=${theme}#tracker`)
    await expect(page.locator('[data-gallery="tracker"] .stage').last()).toBeAttached()
    expect(await axeFindings(page, '[data-gallery]', OF_A_PAGE)).toEqual([])
  })
}

for (const width of [320, 360, 390]) {
  test(`at ${width} px an odd that is picked says what it is of`, async ({ page, pagesUrl }) => {
    await page.setViewportSize({ width, height: 800 })
    await openState(page, pagesUrl, 'slip=standard')
    const picked = page.locator('[data-row] button[data-odd-id][aria-pressed="true"]')
    await expect(picked.first()).toBeVisible()
    const labels = await picked.evaluateAll((buttons) =>
      buttons.map((button) => {
        const label = [...button.children].find(({ textContent }) => textContent === '1')
        const box = label?.getBoundingClientRect()
        const around = button.getBoundingClientRect()
        const isWhole = label && label.clientWidth > 0 && label.scrollWidth <= label.clientWidth
        return Boolean(isWhole && box && box.left >= around.left && box.right <= around.right)
      }),
    )
    expect(new Set(labels)).toEqual(new Set([true]))
  })
}

for (const width of [355, 390, 1440]) {
  test(`at ${width} px the long texts of a provider stay in their places`, async ({ page, pagesUrl }) => {
    await page.setViewportSize({ width, height: 1000 })
    for (const query of ['provider', 'provider&match=1', 'provider=nameless&match=1']) {
      await openState(page, pagesUrl, query)
      const found = await page.evaluate(() => {
        const isOutside = (inner: Element, outer: Element) => {
          const [a, b] = [inner.getBoundingClientRect(), outer.getBoundingClientRect()]
          return a.width > 0 && (a.left < b.left - 1 || a.right > b.right + 1 || a.bottom > b.bottom + 1)
        }
        const root = document.documentElement
        const inPrices = [...document.querySelectorAll('main [data-odd-id] > *')]
        const inCards = [...document.querySelectorAll('[data-market-group] *')]
        // The prices of a ladder are below its headings.
        const centre = (element: Element) => {
          const { left, right } = element.getBoundingClientRect()
          return Math.round((left + right) / 2)
        }
        const crooked = [...document.querySelectorAll('[data-market-group]')].filter((card) => {
          const headings = [...card.querySelectorAll('[aria-hidden="true"] > [title]')].map(centre)
          const lines = [...card.querySelectorAll('[data-market-id]')]
          const places = lines.map((line) => [...line.querySelectorAll('[data-odd-id]')].map(centre))
          return headings.length > 0 && places.some((own) => own.join() !== headings.join())
        })
        return {
          sideways: root.scrollWidth - root.clientWidth,
          outsidePrices: inPrices.filter((part) => isOutside(part, part.parentElement ?? root)).length,
          outsideCards: inCards.filter((part) => isOutside(part, part.closest('[data-market-group]') ?? root)).length,
          crooked: crooked.length,
        }
      })
      expect.soft(found, query).toEqual({ sideways: 0, outsidePrices: 0, outsideCards: 0, crooked: 0 })
    }
  })
}

test("a provider's variants and ids are neither shown nor read", async ({ page, pagesUrl }) => {
  for (const query of ['provider', 'provider&match=1', 'provider=nameless&match=1']) {
    await openState(page, pagesUrl, query)
    const texts = await page.evaluate(() => {
      const spoken = [...document.querySelectorAll('[aria-label], [title]')]
      return [
        document.body.innerText,
        ...spoken.flatMap((each) => [each.getAttribute('aria-label'), each.getAttribute('title')]),
      ]
    })
    const raw = texts.filter((text) => /\b(sr|pre):\w/.test(text ?? ''))
    expect.soft(raw, query).toEqual([])
  }
})

for (const width of [320, 390, 1024, 1440]) {
  test(`at ${width} px the header does not move with who one is`, async ({ page, pagesUrl }) => {
    await page.setViewportSize({ width, height: 800 })
    const places: (number | undefined)[] = []
    for (const query of ['slip=empty&anonymous', 'slip=empty']) {
      await openState(page, pagesUrl, query)
      places.push((await page.getByRole('button', { name: /Postavke/ }).boundingBox())?.x)
    }
    expect(places[0]).toBe(places[1])
  })
}

test('reduced motion moves nothing but what leaves on time', async ({ page, pagesUrl }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const moving: string[] = []
  for (const state of ['standard', 'loading', 'lost', 'waiting', 'toast', 'match'] as const) {
    await openState(page, pagesUrl, STATES[state] ?? '')
    moving.push(
      ...(await page.evaluate(() =>
        document
          .getAnimations()
          .filter(
            (animation) => animation.playState === 'running' && Number(animation.effect?.getTiming().duration) > 1,
          )
          .map((animation) => `${(animation as CSSAnimation).animationName}`),
      )),
    )
  }
  expect(moving).toEqual([])
})

test('with reduced motion a change of the theme is complete at once', async ({ page, pagesUrl }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await openState(page, pagesUrl, 'page=favourites&theme=light')
  const transitions = await page.evaluate(() => {
    const root = document.documentElement
    root.dataset.theme = root.dataset.theme === 'dark' ? 'light' : 'dark'
    return document.getAnimations().filter((animation) => animation instanceof CSSTransition).length
  })
  expect(transitions).toBe(0)
})

test('in forced colours what is chosen is still told from what is not', async ({ page, pagesUrl }) => {
  await page.emulateMedia({ forcedColors: 'active' })
  await openState(page, pagesUrl, 'slip=system')
  const looks = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => {
        const style = getComputedStyle(element)
        return [style.backgroundColor, style.color, style.borderColor, style.outlineStyle].join()
      })
  for (const [chosen, other] of [
    ['[data-row] button[data-odd-id][aria-pressed="true"]', '[data-row] button[data-odd-id][aria-pressed="false"]'],
    ['[data-ticket] [role="tab"][aria-selected="true"]', '[data-ticket] [role="tab"][aria-selected="false"]'],
    ['[data-ticket] li button[aria-pressed="true"]', '[data-ticket] li button[aria-pressed="false"]'],
  ] as const) {
    expect(await looks(chosen), chosen).not.toBe(await looks(other))
  }
  await page.locator('[data-place]').focus()
  await expect(page.locator('[data-place]')).not.toHaveCSS('outline-style', 'none')
})

test('the prices of a sport are one stop of the tab key, and the arrows go through them', async ({
  page,
  pagesUrl,
}) => {
  await openState(page, pagesUrl, 'slip=standard')
  const grid = page.getByRole('grid').first()
  await expect(grid.locator('[tabindex="0"]')).toHaveCount(1)
  const cell = () => page.evaluate(() => document.activeElement?.getAttribute('data-cell'))
  const row = () => page.evaluate(() => document.activeElement?.closest('[data-row]')?.getAttribute('data-match-id'))
  await grid.locator('[data-cell="odd-0-0"]').first().focus()
  const first = await row()
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => cell()).toBe('odd-0-1')
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => cell()).toBe('odd-0-1')
  await expect.poll(() => row()).not.toBe(first)
  await page.keyboard.press('ArrowUp')
  await expect.poll(() => row()).toBe(first)
  await expect(grid.locator('[tabindex="0"]')).toHaveCount(1)
  await expect(grid.locator('[tabindex="0"]')).toHaveAttribute('data-cell', 'odd-0-1')
})

test('a ticket reads as it looks', async ({ page, pagesUrl }) => {
  await openState(page, pagesUrl, 'slip=system')
  await expect(page.locator('[data-ticket]')).toMatchAriaSnapshot(`
    - heading "Listić" [level=2]
    - tablist "Listić":
      - tab "Listić 5 parova" [selected]
      - tab "Otvorene"
    - button "Podijeli listić"
    - button "Obriši sve parove"
    - tabpanel "Listić":
      - tablist "Vrsta listića":
        - tab "Standardni"
        - tab "Sistem" [selected]
      - tabpanel "Sistem":
        - list "Parovi":
          - listitem:
            - 'button "Fiks: Dinamo Zagreb" [pressed]'
            - 'button "Ukloni: Dinamo Zagreb"'
        - group /Kombinacije/:
          - radio /1\\/4/
          - radio /2\\/4/ [checked]
          - radio /3\\/4/
        - combobox "Kad se kvota promijeni"
        - button "Smanji za 1"
        - textbox "Uplata"
        - button "Povećaj za 1"
        - button /^Uplati/ [disabled]
  `)
  await openState(page, pagesUrl, 'stage=confirming')
  await expect(page.getByRole('dialog')).toMatchAriaSnapshot(`
    - dialog "Potvrdite uplatu listića":
      - heading "Potvrdite uplatu listića" [level=2]
      - list:
        - listitem
        - listitem
        - listitem
      - button "Odustani"
      - button /^Uplati/
  `)
})

for (const [screen, viewport, theme] of SCREENS) {
  test(`a market that is suspended alone is locked, on a ${screen}`, async ({ page, pagesUrl }) => {
    await page.setViewportSize(viewport)
    const card = (name: string) => page.locator('[data-market-group]', { has: page.getByRole('heading', { name }) })
    const sizes = async () => {
      await expect(page.locator('[data-market-group]')).toHaveCount(10)
      return page.locator('[data-market-group], [data-market-group] button').evaluateAll((elements) =>
        elements.map((element) => {
          const { width, height } = element.getBoundingClientRect()
          return [width, height]
        }),
      )
    }
    await openState(page, pagesUrl, `match=1&slip=empty&few&theme=${theme}`)
    const open = await sizes()
    await openState(page, pagesUrl, `suspended&match=1&slip=empty&few&theme=${theme}`)
    expect(await sizes()).toEqual(open)

    const handicap = card('Hendikep')
    await expect(handicap.getByRole('heading')).toHaveAccessibleName('Hendikep suspendirano')
    const odd = handicap.locator('[data-odd-id]').first()
    await expect(odd).toHaveAccessibleName('Hendikep, Prednost 0:1, 1, zaključano, 1.98')
    await expect(odd).toHaveText('1.98')
    await expect(odd).not.toHaveAttribute('aria-pressed')
    await odd.dispatchEvent('click')
    await odd.focus()
    await page.keyboard.press('Enter')
    await expect(page.locator('[data-odd-id][aria-pressed="true"]')).toHaveCount(0)

    // Of the totals one line alone is suspended.
    const totals = card('Ukupno golova')
    await expect(totals.getByRole('heading')).toHaveAccessibleName('Ukupno golova')
    await expect(totals.locator('[data-state="locked"]')).toHaveCount(2)
    await totals.locator('[data-state="open"]').first().click()
    await expect(page.locator('[data-odd-id][aria-pressed="true"]')).not.toHaveCount(0)
  })
}
