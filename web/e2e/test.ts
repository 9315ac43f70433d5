/** Fixtures of every browser test: the program, its page, and a check that the page logs no errors. */
import { test as base, expect, type Locator, type Page } from '@playwright/test'
import { Feed } from './feed'
import { Program, type ProgramOptions } from './program'

interface TestFixtures {
  /** The feed of the program, reset after the test. The test is skipped if it did not start the program itself. */
  readonly feed: Feed
  /** Console errors that the test expects, such as a broken connection. */
  readonly expected: { readonly complaints: readonly RegExp[] }
}

interface WorkerFixtures {
  readonly programOptions: ProgramOptions
  /** The program, if the tests have started it. */
  readonly program: Program | null
  readonly programUrl: string
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  programOptions: [
    // Most tests rely on the ten recorded matches.
    { startMinute: 20, simulatedMatches: 0 },
    { option: true, scope: 'worker' },
  ],

  program: [
    async ({ programOptions }, use) => {
      const bin = process.env['KVOTA_BIN']
      if (process.env['KVOTA_URL'] || !bin) {
        await use(null)
        return
      }
      const program = await Program.start(bin, programOptions)
      await use(program)
      await program.end()
    },
    { scope: 'worker' },
  ],

  programUrl: [
    async ({ program }, use) => {
      const url = program?.url ?? process.env['KVOTA_URL']
      if (!url) {
        throw new Error('KVOTA_BIN (a program to start) or KVOTA_URL (one that runs) has to be given')
      }
      await use(url)
    },
    { scope: 'worker' },
  ],

  baseURL: ({ programUrl }, use) => use(programUrl),

  feed: async ({ program }, use, info) => {
    info.skip(program === null, 'the feed of a program that is not ours cannot be changed')
    if (program) {
      const feed = new Feed(program)
      await use(feed)
      await feed.reset()
    }
  },

  expected: [{ complaints: [] }, { option: true }],

  page: async ({ page, expected }, use) => {
    const complaints: string[] = []
    page.on('console', (message) => {
      // On a slow machine the page requests the user over HTTP, and an anonymous one gets a 401.
      const isAnonymous = message.text().includes('401') && /\/live\/user-status\b/.test(message.location().url)
      const isOfPlaywright = message.text().startsWith('Service Worker registration blocked by Playwright')
      if ((message.type() === 'error' && !isAnonymous) || (message.type() === 'warning' && !isOfPlaywright)) {
        complaints.push(message.text())
      }
    })
    page.on('pageerror', (error) => complaints.push(error.stack ?? error.message))
    await use(page)
    const unexpected = complaints.filter((text) => !expected.complaints.some((pattern) => pattern.test(text)))
    expect(unexpected, 'the page complained').toEqual([])
  },
})

export { expect }

export const PHONE = { width: 390, height: 844 }
export const TABLET = { width: 1024, height: 900 }
export const DESKTOP = { width: 1440, height: 1000 }

/** The rows of matches. */
export function rows(page: Page): Locator {
  return page.locator('[data-row="match"]')
}

/** The first odd of the list that can be bet on. */
export function firstOdd(page: Page): Locator {
  return page.locator('[data-row="match"] [data-odd-id][data-state="open"]').first()
}

/** Opens the page and waits for its matches. */
export async function openList(page: Page, path = '/'): Promise<void> {
  await page.goto(path)
  await expect(rows(page).first()).toBeVisible()
}

/** Waits until the parts loaded after the first paint react to keys: opens and closes the search. */
export async function extrasAreThere(page: Page): Promise<void> {
  const search = page.getByRole('combobox', { name: /Momčad|Team/ })
  await expect(async () => {
    await page.keyboard.press('Control+k')
    await expect(search).toBeVisible({ timeout: 1000 })
  }).toPass()
  await page.keyboard.press('Escape')
  await expect(search).toBeHidden()
}
