import type { Page } from '@playwright/test'
import { expect, openList, rows, test } from './test'

// All sports side by side, with every match in sight of a window that is high enough.
test.use({ programOptions: [{ startMinute: 20, simulatedMatches: 120 }, { scope: 'worker' }] })

const WIDTHS = [1920, 1680, 1600, 1536, 1440, 1366, 1280, 1024, 768, 390, 320] as const
const LANGUAGES = ['hr', 'en', 'bs', 'sr']

interface Offer {
  readonly sports: readonly {
    readonly id: number
    readonly matches: readonly { readonly id: number; readonly numberOfOdds: number }[]
  }[]
  readonly numberOfMatches: number
}

async function offerOf(page: Page): Promise<Offer> {
  return (await (await page.request.get('/api/v1/live/offer?view=rows')).json()) as Offer
}

/** Gives the window this width, makes it so high that no row is out of sight, and waits for the next frames. */
async function resize(page: Page, width: number, offer: Offer): Promise<void> {
  await page.setViewportSize({ width, height: offer.numberOfMatches * 138 + offer.sports.length * 200 })
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
}

/** Opens the list with no row out of sight, and waits for all of them. */
async function openWholeList(page: Page, width: number, offer: Offer): Promise<void> {
  await resize(page, width, offer)
  await openList(page)
  // Rows are filled in turns.
  await expect(rows(page).getByRole('rowheader')).toHaveCount(offer.numberOfMatches)
  await page.evaluate(() => document.fonts.ready)
}

/** What is wrong with the rows and heads in the page, in words. */
function problemsOf(page: Page, leastName: number): Promise<string[]> {
  return page.evaluate((least) => {
    const problems: string[] = []

    interface Piece {
      readonly text: string
      readonly boxes: readonly DOMRect[]
      readonly lines: number
    }
    // Below this width, names and tournaments wrap instead of being cut.
    const canWrap = window.innerWidth < 360

    /** The texts that are seen in an element, each with the boxes of its lines. */
    const piecesOf = (element: Element): Piece[] => {
      const pieces: Piece[] = []
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
      while (walker.nextNode()) {
        const parent = walker.currentNode.parentElement
        const text = walker.currentNode.textContent?.trim() ?? ''
        if (!parent || text === '' || parent.closest('.vh') || !parent.checkVisibility()) {
          continue
        }
        const range = document.createRange()
        range.selectNodeContents(walker.currentNode)
        const isClipped = getComputedStyle(parent).overflowX === 'hidden'
        const edge = isClipped ? parent.getBoundingClientRect().right : Number.POSITIVE_INFINITY
        const boxes = [...range.getClientRects()].map(
          ({ left, top, right, height }) => new DOMRect(left, top, Math.max(0, Math.min(right, edge) - left), height),
        )
        pieces.push({ text, boxes, lines: new Set(boxes.map(({ top }) => Math.round(top))).size })
      }
      return pieces
    }
    // Lines of text may touch: the box of a letter is higher than what is drawn of it.
    const overlap = (a: DOMRect, b: DOMRect) =>
      Math.min(a.right, b.right) - Math.max(a.left, b.left) > 0.5 &&
      Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3.5
    const isInside = (inner: DOMRect, outer: DOMRect) =>
      inner.left >= outer.left - 0.5 &&
      inner.right <= outer.right + 0.5 &&
      inner.top >= outer.top - 0.5 &&
      inner.bottom <= outer.bottom + 0.5
    const isCut = (element: Element) =>
      element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight + 1

    const checkPieces = (where: string, element: Element) => {
      const outer = element.getBoundingClientRect()
      const pieces = piecesOf(element)
      pieces.forEach((piece, place) => {
        if (!piece.boxes.every((box) => isInside(box, outer))) {
          problems.push(`${where}: "${piece.text}" is not inside`)
        }
        for (const other of pieces.slice(place + 1)) {
          if (piece.boxes.some((box) => other.boxes.some((another) => overlap(box, another)))) {
            problems.push(`${where}: "${piece.text}" and "${other.text}" overlap`)
          }
        }
      })
    }

    const checkRow = (where: string, row: Element) => {
      const header = row.querySelector('[role="rowheader"]')
      const width = header?.getBoundingClientRect().width ?? 0
      if (width < least - 0.01) {
        problems.push(`${where}: the names have ${width} px`)
      }
      if (row.scrollWidth > row.clientWidth) {
        problems.push(`${where}: is ${row.scrollWidth} px wide in ${row.clientWidth} px`)
      }
      const cells = [...row.children].filter((cell) => cell.checkVisibility() && cell.clientWidth > 0)
      cells.forEach((cell, place) => {
        const box = cell.getBoundingClientRect()
        if (!isInside(box, row.getBoundingClientRect())) {
          problems.push(`${where}: column ${place} is not inside`)
        }
        for (const other of cells.slice(place + 1)) {
          if (overlap(box, other.getBoundingClientRect())) {
            problems.push(`${where}: two columns overlap: "${cell.textContent}", "${other.textContent}"`)
          }
        }
      })
      const names = [...(header?.querySelectorAll<HTMLElement>('a > span:not(.vh) > span:first-child') ?? [])]
      if (names.length !== 2) {
        problems.push(`${where}: has ${names.length} names`)
      }
      for (const name of names) {
        if (isCut(name) && (canWrap || name.title !== name.textContent)) {
          problems.push(`${where}: "${name.textContent}" is cut${canWrap ? '' : ' and has no title'}`)
        }
        if (piecesOf(name).some(({ lines }) => lines > (canWrap ? 2 : 1))) {
          problems.push(`${where}: "${name.textContent}" has too many lines`)
        }
      }
      const time = header?.previousElementSibling?.firstElementChild
      for (const line of time?.children ?? []) {
        if (isCut(line)) {
          problems.push(`${where}: the time "${line.textContent}" is cut`)
        }
      }
      if (!time || piecesOf(time).length === 0) {
        problems.push(`${where}: neither clock nor status is seen`)
      }
      checkPieces(where, row)
    }

    for (const sport of document.querySelectorAll<HTMLElement>('[data-sport-id]')) {
      const where = `sport ${sport.dataset['sportId']}`
      const head = sport.querySelector('[data-sport-head]')
      if (head) {
        checkPieces(`${where}, head`, head)
        for (const label of head.querySelectorAll<HTMLElement>('h2, [title], [title] > *, button > span')) {
          if (label.clientWidth > 0 && isCut(label)) {
            problems.push(`${where}: the label "${label.textContent}" is cut`)
          }
        }
      }
      for (const row of sport.querySelectorAll('[data-row="tournament"]')) {
        checkPieces(`${where}, tournament`, row)
        const names = row.querySelector('button > span')
        if (canWrap && (!names || isCut(names))) {
          problems.push(`${where}: the tournament "${row.textContent}" is cut`)
        }
      }
      for (const row of sport.querySelectorAll<HTMLElement>('[data-row="match"]')) {
        checkRow(`${where}, match ${row.dataset['matchId']}`, row)
      }
    }
    if (document.documentElement.scrollWidth > window.innerWidth) {
      problems.push(`the page is ${document.documentElement.scrollWidth} px wide`)
    }
    return problems
  }, leastName)
}

test('names of every sport are readable in windows of every width', async ({ page }) => {
  const offer = await offerOf(page)
  await openWholeList(page, WIDTHS[0], offer)
  for (const width of WIDTHS) {
    await resize(page, width, offer)
    await expect(rows(page)).toHaveCount(offer.numberOfMatches)
    const shown = await page
      .locator('[data-sport-id]')
      .evaluateAll((sports) => sports.map((sport) => Number(sport.getAttribute('data-sport-id'))))
    expect(shown.sort()).toEqual(offer.sports.map(({ id }) => id).sort())
    await expect.poll(() => problemsOf(page, 132), { message: `at ${width} px` }).toEqual([])
  }
})

for (const language of LANGUAGES) {
  test(`no name and no label is cut in the language ${language}`, async ({ page }) => {
    await page.addInitScript((lang) => localStorage.setItem('cn-language', JSON.stringify(lang)), language)
    const offer = await offerOf(page)
    // A page of its own for the narrow screen; the wide one is resized.
    for (const [first, ...others] of [[1366, 1440], [320]] as const) {
      await openWholeList(page, first, offer)
      await expect(page.locator('html')).toHaveAttribute('lang', new RegExp(`^${language}`))
      expect(await problemsOf(page, 132), `at ${first} px`).toEqual([])
      for (const width of others) {
        await resize(page, width, offer)
        await expect.poll(() => problemsOf(page, 132), { message: `at ${width} px` }).toEqual([])
      }
    }
  })
}

test('the columns follow the width of the list while the window changes', async ({ page }) => {
  const offer = await offerOf(page)
  await openWholeList(page, 1440, offer)
  const volleyball = page.locator('[data-sport-id="23"]')
  const row = volleyball.locator('[data-row="match"]').first()
  const time = row.getByRole('gridcell').nth(1)
  const name = row.getByRole('rowheader')
  const isAbove = async () => {
    const [clock, names] = await Promise.all([time.boundingBox(), name.boundingBox()])
    return (clock?.y ?? NaN) < (names?.y ?? NaN) && clock?.x === names?.x
  }
  const hide = volleyball.getByRole('button', { name: /^Sakrij/ })
  await expect(hide.first()).toBeVisible()
  expect(await isAbove()).toBe(false)
  const { height } = page.viewportSize() ?? { height: 0 }
  await page.setViewportSize({ width: 1366, height })
  await expect(hide).toHaveCount(0)
  await expect.poll(isAbove).toBe(true)
  expect(await problemsOf(page, 132)).toEqual([])
  await page.setViewportSize({ width: 1440, height })
  await expect(hide.first()).toBeVisible()
  await expect.poll(isAbove).toBe(false)
})

test('every status fits beside the names, in every language', async ({ page }) => {
  const offer = await offerOf(page)
  await openWholeList(page, 1440, offer)
  for (const language of LANGUAGES) {
    const cut = await page.evaluate(async (lang) => {
      const texts = (await (await fetch(`/api/v1/live/translations?lang=${lang}`)).json()) as Record<string, string>
      const times = [...document.querySelectorAll('[data-row="match"] [role="rowheader"]')].map(
        (names) => names.previousElementSibling?.firstElementChild ?? null,
      )
      const isBracketed = (time: Element | null) => time?.textContent?.startsWith('[') === true
      const leads = (time: Element | null) => time?.firstElementChild?.hasAttribute('data-clock') === false
      const samples = {
        bracketed: times.find(isBracketed),
        plain: times.find((time) => leads(time) && !isBracketed(time)),
      }
      const found: string[] = []
      const check = (kind: keyof typeof samples, text: string) => {
        const sample = samples[kind]
        const copy = sample?.cloneNode(true) as HTMLElement | undefined
        const line = copy?.firstElementChild
        if (!copy || !line) {
          found.push(`no row is ${kind}`)
          return
        }
        line.textContent = text
        sample?.parentElement?.append(copy)
        if (line.scrollWidth > line.clientWidth) {
          found.push(`${text}: ${line.scrollWidth} px in ${line.clientWidth} px`)
        }
        copy.remove()
      }
      const plain =
        /^(half_time|pause|ended|overtime|penalties|shoot_out|super_over|extra_innings|extra_half_time|(first|second)_(half|extra)|awaiting_(extra_time|penalties|shoot_out)|(quarter|period|set|inning|innings|round|leg|frame)_\d+)$/
      for (const [key, text] of Object.entries(texts)) {
        const short = texts[`short_${key}`] ?? text
        if (['delayed', 'interrupted', 'abandoned', 'not_started'].includes(key)) {
          check('bracketed', `[${short}]`)
        } else if (plain.test(key)) {
          check('plain', short)
        }
      }
      return found
    }, language)
    expect(cut, language).toEqual([])
  }
})

test('the names in the head of a match are whole', async ({ page }) => {
  const offer = await offerOf(page)
  for (const { id, matches } of offer.sports) {
    // One that is nearly decided has few odds, and may end.
    const [match] = [...matches].sort((a, b) => b.numberOfOdds - a.numberOfOdds)
    await page.setViewportSize({ width: 1024, height: 900 })
    await page.goto(`/?match=${match?.id}`)
    const head = page.locator('main header[data-match-id]')
    await expect(head).toBeVisible()
    for (const width of [320, 375, 390, 412, 960, 1024, 1168]) {
      await page.setViewportSize({ width, height: 900 })
      const cut = () =>
        head
          .locator('p > span[title]')
          .evaluateAll((all) =>
            all.filter((name) => name.scrollWidth > name.clientWidth).map((name) => name.textContent),
          )
      await expect.poll(cut, { message: `sport ${id} at ${width} px` }).toEqual([])
    }
  }
})
