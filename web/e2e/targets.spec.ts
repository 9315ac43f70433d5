/** What can be pressed on a phone is at least as large as a finger. */
import type { Page } from '@playwright/test'
import { expect, openState, test } from './fixturePage'
import { PHONE } from './test'

const OVERLAY = 'dialog[open], [role="dialog"], [role="listbox"]'

/** Opens a menu or a dialog by its button. */
const opened = (name: string | RegExp) => async (page: Page) => {
  await page.getByRole('button', { name }).first().click()
  await expect(page.locator(OVERLAY).filter({ visible: true }).last()).toBeVisible()
}

async function foldLeagues(page: Page): Promise<void> {
  for (const league of await page.locator('[data-row="tournament"] button[aria-expanded]').all()) {
    await league.click()
    await expect(league).toHaveAttribute('aria-expanded', 'false')
  }
}

async function hideAll(page: Page): Promise<void> {
  for (;;) {
    const match = page.locator('[data-row="match"] [data-cell="match"]').first()
    if ((await match.count()) === 0) {
      return
    }
    const id = await match.locator('xpath=ancestor::*[@data-row]').getAttribute('data-match-id')
    await match.focus()
    await page.keyboard.press('h')
    await expect(page.locator(`[data-row="hidden"][data-match-id="${id}"]`)).toBeAttached()
  }
}

/** The query of each state, and what is done in it. */
const PLACES: readonly (readonly [string, string, ((page: Page) => Promise<void>)?])[] = [
  ['list', 'slip=standard'],
  ['list with folded leagues', 'slip=empty', foldLeagues],
  ['list of hidden matches', 'slip=empty&few', hideAll],
  ['leagues', 'slip=empty&few', opened('Lige')],
  ['orders', 'slip=empty&few', opened(/^Poredak/)],
  ['account', 'slip=empty&few', opened(/^Račun/)],
  ['preferences', 'slip=empty&few', opened(/Postavke$/)],
  ['search', 'slip=empty&few', opened('Pretraga')],
  ['match', 'match=1&slip=empty'],
  ['alerts', 'match=1&slip=empty', opened('Obavijesti o utakmici')],
  [
    'search in the markets',
    'match=1&slip=empty',
    async (page) => page.getByRole('button', { name: 'Traži vrstu oklade' }).click(),
  ],
  ['favourites', 'page=favourites'],
  ['bets', 'page=bets&options'],
  ['rule of a cash-out', 'page=bets&cash=rule&options'],
  ['statement', 'page=statement'],
  ['starting soon', 'page=soon'],
  ['just ended', 'page=ended'],
  ['login', 'page=login&anonymous'],
  ['registration', 'page=register&anonymous'],
  ['exclusion', 'exclusion=pause&few'],
  ['toast', 'toast=1&few'],
  ['cashier', 'panel=cashier'],
  ['protection', 'panel=protection'],
  ['session', 'session=soon&few'],
  ['ticket', 'slip=standard&sheet=1'],
  ['system', 'slip=system&sheet=1'],
  ['confirmation', 'stage=confirming'],
  ['receipt', 'stage=accepted'],
]

/** What can be pressed and is lower or narrower than 44 px, with its area; links inside a sentence are left out. */
function small(page: Page): Promise<string[]> {
  return page.evaluate((overlay) => {
    const TARGET = 44
    // A hit test rounds to pixels, which takes up to one from an area at a fraction of them.
    const LEAST = TARGET - 1
    const CONTROLS =
      'a[href]:not([href^="#"]), button, input, select, summary, textarea, [role^="menuitem"], [role="option"]'
    const overlays = [...document.querySelectorAll(overlay)].filter((each) => each.checkVisibility())
    const scope = overlays.at(-1) ?? document
    const found: string[] = []

    /** The size of the area around the centre of a box that belongs to a control. */
    const area = (control: Element, box: Element): readonly [number, number] => {
      const { left, top, width, height } = box.getBoundingClientRect()
      const isOn = (x: number, y: number) => {
        const at = document.elementFromPoint(x, y)
        return (
          at !== null && (box.contains(at) || control.contains(at)) && (at.closest(CONTROLS) ?? control) === control
        )
      }
      const reach = (x: number, y: number, stepX: number, stepY: number) => {
        let by = 0
        while (by < TARGET && isOn(x + stepX * (by + 0.25), y + stepY * (by + 0.25))) {
          by += 0.5
        }
        return by
      }
      const sizes = [0.5, 0.25, 0.75].map((part) => {
        const [x, y] = [left + width * part, top + height / 2]
        return [reach(x, y, 1, 0) + reach(x, y, -1, 0), reach(x, y, 0, 1) + reach(x, y, 0, -1)] as const
      })
      return sizes.sort((a, b) => Math.min(...b) - Math.min(...a))[0] ?? [0, 0]
    }

    for (const control of scope.querySelectorAll<HTMLElement>(CONTROLS)) {
      const { labels = null } = control as HTMLInputElement
      const boxes = [control, ...(labels ?? [])].filter((box) => {
        const { width, height } = box.getBoundingClientRect()
        return box.checkVisibility({ visibilityProperty: true }) && width > 1 && height > 1
      })
      const around = [...(control.parentElement?.childNodes ?? [])].filter((node) => node !== control)
      const isInSentence =
        getComputedStyle(control).display === 'inline' && around.some(({ nodeName }) => nodeName === '#text')
      if (boxes.length === 0 || isInSentence || control.closest('[inert]')) {
        continue
      }
      const sizes = boxes.map((box) => {
        box.scrollIntoView({ block: 'center', inline: 'center' })
        return area(control, box)
      })
      if (!sizes.some(([width, height]) => width >= LEAST && height >= LEAST)) {
        const name = control.getAttribute('aria-label') ?? labels?.[0]?.textContent ?? control.textContent
        found.push(`${name?.trim()}: ${sizes.map((size) => size.join(' x ')).join(', ')}`)
      }
    }
    return found
  }, OVERLAY)
}

for (const part of [0, 1]) {
  const some = PLACES.filter((_, place) => place % 2 === part)
  test(`what can be pressed on a phone is 44 px high and wide: ${some.map(([name]) => name).join(', ')}`, async ({
    page,
    pagesUrl,
  }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.setViewportSize(PHONE)
    for (const [name, query, act] of some) {
      await openState(page, pagesUrl, query)
      await act?.(page)
      if (query.includes('panel=')) {
        await expect(page.getByRole('dialog')).toBeVisible()
      }
      await expect.poll(() => small(page), name).toEqual([])
    }
  })
}
