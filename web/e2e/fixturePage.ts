/** The client with a constant offer (`fixture/`), to check each of its states without time pressure. */
import { expect, type Page } from '@playwright/test'
import { test } from './built'

export { expect, test }

/** The query of each state. */
export const STATES: Readonly<Record<string, string>> = {
  loading: 'state=loading&slip=empty',
  inactive: 'state=inactive',
  empty: 'state=empty&slip=empty',
  lost: 'state=lost',
  recovering: 'state=recovering',
  standard: 'slip=standard',
  system: 'slip=system',
  nothingPicked: 'slip=empty',
  favourites: 'page=favourites',
  noFavourites: 'page=favourites&nofav',
  match: 'match=1',
  marketsSuspended: 'suspended&match=1&slip=standard',
  provider: 'provider',
  providerMatch: 'provider&match=1',
  providerNameless: 'provider=nameless&match=1',
  login: 'page=login&anonymous',
  register: 'page=register&anonymous',
  bets: 'page=bets',
  cashOutConfirming: 'page=bets&cash=confirming',
  cashOutFell: 'page=bets&cash=fell',
  cashOutSending: 'page=bets&cash=sending',
  cashOutPaid: 'page=bets&cash=paid',
  cashOutFailed: 'page=bets&cash=failed',
  cashOutOptions: 'page=bets&options',
  cashOutRule: 'page=bets&cash=rule&options',
  toast: 'toast=1',
  excluded: 'exclusion=pause',
  excludedForLife: 'exclusion=forever&panel=cashier',
  sessionEndsSoon: 'session=soon',
  sessionEnded: 'session=ended',
  confirming: 'stage=confirming',
  waiting: 'stage=waiting',
  accepted: 'stage=accepted',
  refused: 'stage=refused',
  unknown: 'stage=unknown',
  popup: 'stage=popup',
}

/** Opens a state and waits until all its parts are there. */
export async function openState(page: Page, pagesUrl: string, query: string): Promise<void> {
  await page.goto(`${pagesUrl}/e2e/fixture/?${query}`)
  await expect(page.locator('#main')).toBeAttached()
  if (/stage=(?!unknown)|sheet=1/.test(query)) {
    await expect(page.getByRole('dialog').or(page.getByRole('alertdialog')).first()).toBeVisible()
  }
  const isLogin = /page=(login|register)/.test(query)
  const isPhone = (page.viewportSize()?.width ?? 0) < 960
  if (isLogin) {
    await expect(page.locator('form')).toBeVisible()
  } else if (isPhone) {
    await expect(page.locator('nav[aria-label] [aria-haspopup="dialog"]').first()).toBeAttached()
  } else {
    await expect(page.locator('[data-ticket]')).toBeAttached()
  }
  if (query.includes('page=bets')) {
    await expect(page.locator('article').first()).toBeAttached()
  }
  if (query.includes('options')) {
    // Both open bets: one can be cashed out now, the other cannot.
    for (const options of await page.getByRole('button', { name: 'Mogućnosti' }).all()) {
      await options.click()
    }
    for (const formula of await page.locator('details > summary').all()) {
      await formula.click()
    }
  }
  if (query.includes('match=')) {
    await expect(page.locator('h3').first()).toBeAttached()
  }
}
