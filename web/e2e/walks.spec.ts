/** Each smaller part of the page by the keyboard alone: reached by Tab, operated, left; and axe, in both themes. */
import type { Locator, Page } from '@playwright/test'
import { axeFindings } from './axe'
import { BETTING, openAsMember, placeSingle, ticket } from './bettor'
import { DESKTOP, expect, extrasAreThere, rows, TABLET, test } from './test'

test.use({ programOptions: [{ ...BETTING, betDelaySeconds: 0 }, { scope: 'worker' }] })

const STOPS_MAX = 150

/** Presses Tab until an element has the focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible()
  for (let stop = 0; stop < STOPS_MAX; stop += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) {
      return
    }
    await page.keyboard.press('Tab')
  }
  await expect(target).toBeFocused()
}

async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    await page.keyboard.press(key)
  }
}

async function hasNoBarriers(page: Page): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    expect(await axeFindings(page), colorScheme).toEqual([])
  }
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const tab = (page: Page, name: string | RegExp) => ticket(page).getByRole('tab', { name })

/** Picks an odd of the first row with the arrows. */
async function pickByKeys(page: Page): Promise<void> {
  await tabTo(page, page.getByRole('grid').first().locator('[data-row="match"] [tabindex="0"]').first())
  const cell = () => page.evaluate(() => document.activeElement?.getAttribute('data-state'))
  while ((await cell()) !== 'open') {
    await press(page, 'ArrowRight')
  }
  await press(page, 'Enter')
  await expect(page.locator('[data-odd-id]:focus')).toHaveAttribute('aria-pressed', 'true')
}

async function openMatchByKeys(page: Page): Promise<void> {
  await rows(page).first().locator('[data-cell="match"]').focus()
  await press(page, 'Enter')
  await expect(page.getByRole('heading', { level: 3 }).first()).toBeVisible()
}

/** A button that opens something, which Escape closes again. */
async function opensAndCloses(page: Page, opener: Locator, inside: (page: Page) => Promise<void>): Promise<void> {
  await tabTo(page, opener)
  await press(page, 'Enter')
  await inside(page)
  await hasNoBarriers(page)
  await press(page, 'Escape')
  await expect(opener).toBeFocused()
}

/** A button that stays pressed, and keeps the focus. */
async function turnsOnAndOff(page: Page, toggle: Locator): Promise<void> {
  await tabTo(page, toggle)
  await press(page, 'Space')
  await expect(toggle).toHaveAttribute('aria-pressed', 'true')
  await expect(toggle).toBeFocused()
  await hasNoBarriers(page)
  await press(page, 'Space')
  await expect(toggle).toHaveAttribute('aria-pressed', 'false')
  await expect(toggle).toBeFocused()
}

const WALKS: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  'orders of a sport': (page) =>
    opensAndCloses(page, button(page, /^Poredak: /), async () => {
      await press(page, 'ArrowDown')
      await expect(page.getByRole('listbox', { name: 'Poredak' })).toBeVisible()
    }),
  'menu of leagues, with pins': async (page) => {
    await page.setViewportSize(TABLET)
    await opensAndCloses(page, button(page, 'Lige'), async () => {
      const pin = page
        .getByRole('dialog', { name: 'Lige' })
        .getByRole('button', { name: /^Na vrh/ })
        .last()
      await tabTo(page, pin)
      await press(page, 'Space')
      await expect(page.getByRole('dialog').getByRole('button', { pressed: true })).toBeFocused()
    })
  },
  'starting soon': (page) => turnsOnAndOff(page, button(page, 'Počinje uskoro')),
  'just ended': (page) => turnsOnAndOff(page, button(page, 'Upravo završeno')),
  'lines of a row': async (page) => {
    await tabTo(page, page.getByRole('grid').first().locator('[data-row="match"] [tabindex="0"]').first())
    const cell = () => page.evaluate(() => document.activeElement?.getAttribute('data-cell') ?? '')
    while (!(await cell()).startsWith('line-')) {
      await press(page, 'ArrowRight')
    }
    const line = page.locator(
      `[data-match-id="${await page.evaluate(() => document.activeElement?.closest('[data-row]')?.getAttribute('data-match-id'))}"] [data-cell="${await cell()}"]`,
    )
    await opensAndCloses(page, line, async () => {
      // The other lines come with the match.
      await expect(page.locator('[data-cell^="line-1-"]').first()).toBeVisible()
      await press(page, 'ArrowRight')
      await expect(page.locator('[data-cell^="line-1-"]:focus')).toBeVisible()
    })
  },
  singles: async (page) => {
    await pickByKeys(page)
    await tabTo(page, tab(page, 'Standardni'))
    await press(page, 'End')
    await expect(tab(page, 'Pojedinačno')).toHaveAttribute('aria-selected', 'true')
    await tabTo(page, ticket(page).getByRole('listitem').getByRole('textbox'))
    await page.keyboard.type('7')
    await expect(button(page, /^Uplati/)).toContainText('7,00')
    await hasNoBarriers(page)
  },
  'open bets in the ticket': async (page) => {
    await tabTo(page, tab(page, /^Listić/))
    await press(page, 'ArrowRight')
    await expect(tab(page, /^Otvorene/)).toBeFocused()
    await expect(ticket(page)).toContainText('Nemate otvorenih oklada')
    await hasNoBarriers(page)
    await press(page, 'ArrowLeft')
    await expect(tab(page, /^Listić/)).toHaveAttribute('aria-selected', 'true')
  },
  'betting by one press': async (page) => {
    const turn = ticket(page).getByRole('checkbox', { name: 'Uplata jednim pritiskom' })
    await tabTo(page, turn)
    await press(page, 'Space')
    await expect(turn).toBeChecked()
    await tabTo(page, ticket(page).getByRole('textbox', { name: /^Uplata jednim/ }))
    await hasNoBarriers(page)
    await tabTo(page, turn)
    await press(page, 'Space')
    await expect(turn).not.toBeChecked()
    await expect(turn).toBeFocused()
  },
  'own quick stakes, and low data': async (page) => {
    await opensAndCloses(page, button(page, /Postavke$/), async () => {
      await tabTo(page, page.getByRole('group', { name: 'Štednja podataka' }).getByRole('radio', { checked: true }))
      await press(page, 'ArrowRight')
      await tabTo(page, page.getByRole('textbox', { name: '1. iznos' }))
      await page.keyboard.type('7')
    })
    await pickByKeys(page)
    await tabTo(page, ticket(page).getByRole('button', { name: /^\+7/ }))
  },
  'alerts of a match': async (page) => {
    await openMatchByKeys(page)
    await opensAndCloses(page, button(page, /^Obavijesti o utakmici/), async () => {
      const kind = page.getByRole('dialog').getByRole('checkbox').first()
      await tabTo(page, kind)
      await press(page, 'Space')
      await expect(kind).toBeChecked()
    })
  },
  'search in the markets': async (page) => {
    await openMatchByKeys(page)
    await opensAndCloses(page, button(page, 'Traži vrstu oklade'), async () => {
      await expect(page.getByRole('textbox', { name: 'Traži vrstu oklade' })).toBeFocused()
      await page.keyboard.type('gol')
    })
  },
  'favourite market': async (page) => {
    await openMatchByKeys(page)
    const pin = page.getByRole('button', { name: /^Drži na vrhu/ }).first()
    await turnsOnAndOff(page, pin)
  },
}

for (const [name, walk] of Object.entries(WALKS)) {
  test(`by keys alone, without barriers: ${name}`, async ({ page }) => {
    await page.setViewportSize(DESKTOP)
    await openAsMember(page)
    await extrasAreThere(page)
    await walk(page)
  })
}

test('by keys alone, without barriers: the day in My bets, and what fall of a cash-out is accepted', async ({
  page,
}) => {
  await placeSingle(page, 0)
  await page.goto('/?view=bets')
  await expect(page.getByRole('region', { name: 'Danas' })).toContainText('1 oklada')
  const accepts = page.getByRole('checkbox', { name: /^Prihvati pad do 2/ })
  await tabTo(page, accepts)
  await press(page, 'Space')
  await expect(accepts).toBeChecked()
  await expect(accepts).toBeFocused()
  await hasNoBarriers(page)
  await page.evaluate(() => (document.activeElement as HTMLElement).blur())
  await tabTo(page, page.getByRole('link', { name: 'Izvod računa' }))
  await press(page, 'Enter')
  await expect(page).toHaveURL(/view=statement/)
})
