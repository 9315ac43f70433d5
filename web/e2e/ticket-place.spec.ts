import type { Page } from '@playwright/test'
import {
  askToPlace,
  BETTING,
  balance,
  betCount,
  confirmDialog,
  consentToAny,
  holdBets,
  newName,
  openAsMember,
  pairs,
  pick,
  placeButton,
  placeInDialog,
  receipt,
  register,
  SEND,
  setStake,
  ticket,
} from './bettor'
import { expect, openList, PHONE, test } from './test'

const WAIT = 'Listić se obrađuje…'

test.use({ programOptions: [BETTING, { scope: 'worker' }] })

async function readyToPlace(page: Page, count = 2): Promise<void> {
  await openAsMember(page)
  await pick(page, count)
  await consentToAny(page)
}

test('a bet is asked about, waits, is taken, and stands in the list of bets', { tag: '@main' }, async ({ page }) => {
  // A delay in the rules that is long enough to see the countdown.
  await page.route('**/api/v1/live/rules*', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, json: { ...(await answer.json()), delays: { default: 90 } } })
  })
  await readyToPlace(page)
  const release = await holdBets(page)
  await setStake(page, '10')
  const yes = await askToPlace(page)
  await yes.click()
  await expect(page.getByRole('dialog', { name: WAIT })).toBeVisible()
  await expect(page.getByRole('timer')).toContainText(/Još \d+ sekund/)
  release()
  await expect(receipt(page)).toBeVisible()
  await expect.poll(() => balance(page)).toBe('990.00')
  await receipt(page).getByRole('button', { name: 'Moje oklade' }).click()
  await expect(page).toHaveURL(/view=bets/)
  await expect(page.getByRole('article')).toHaveCount(1)
  await expect(page.getByRole('article')).toContainText('Otvorena')
  await expect(page.getByRole('article').getByRole('listitem')).toHaveCount(2)
  await expect(ticket(page).getByText('Listić je prazan')).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1, name: 'Ponuda uživo' })).toBeVisible()
})

test('a bet is placed again: its pairs are kept, or put on the ticket from My bets', { tag: '@main' }, async ({
  page,
}) => {
  await readyToPlace(page)
  await setStake(page, '7')
  await (await askToPlace(page)).click()
  await receipt(page).getByRole('button', { name: 'Zadrži parove' }).click()
  await expect(pairs(page)).toHaveCount(2)
  await (await askToPlace(page)).click()
  await expect(receipt(page)).toBeVisible()
  expect(await betCount(page)).toBe(2)
  await receipt(page).getByRole('button', { name: 'Moje oklade' }).click()
  await page.getByRole('article').first().getByRole('button', { name: 'Ponovi listić' }).click()
  const dialog = page.getByRole('dialog', { name: 'Ponovi listić' })
  await expect(dialog).toContainText(/Uplata je 7,00\s€/)
  await dialog.getByRole('button', { name: 'Preuzmi 2 para' }).click()
  await expect(pairs(page)).toHaveCount(2)
  await expect(placeButton(page)).toContainText('7,00')
  await (await askToPlace(page)).click()
  await expect(receipt(page)).toBeVisible()
  expect(await betCount(page)).toBe(3)
})

test('a system is taken too', { tag: '@main' }, async ({ page }) => {
  await readyToPlace(page, 3)
  await ticket(page).getByRole('tab', { name: 'Sistem' }).click()
  await ticket(page).getByRole('radio', { name: /2\/3/ }).check()
  await (await askToPlace(page)).click()
  await expect(receipt(page)).toBeVisible()
  expect(await betCount(page)).toBe(1)
})

test.describe('is one bet', () => {
  test('by a double click', { tag: '@main' }, async ({ page }) => {
    await readyToPlace(page)
    await (await askToPlace(page)).dblclick()
    await expect(receipt(page)).toBeVisible()
    expect(await betCount(page)).toBe(1)
  })

  test('by Enter and a click', async ({ page }) => {
    await readyToPlace(page)
    const yes = await askToPlace(page)
    await yes.focus()
    await Promise.all([page.keyboard.press('Enter'), yes.click({ timeout: 1000 }).catch(() => undefined)])
    await expect(receipt(page)).toBeVisible()
    expect(await betCount(page)).toBe(1)
  })

  test('over a reload in flight, and the bettor learns what came of it', { tag: '@main' }, async ({ page }) => {
    await readyToPlace(page)
    const sent = page.waitForRequest(SEND)
    await (await askToPlace(page)).click()
    await sent
    await page.reload()
    await expect(receipt(page)).toBeVisible({ timeout: 30_000 })
    expect(await betCount(page)).toBe(1)
    await receipt(page).getByRole('button', { name: 'Nastavi' }).click()
    await page.reload()
    await expect(page.locator('[data-row="match"]').first()).toBeVisible()
    await expect(receipt(page)).toBeHidden()
  })

  test('in two tabs at once', { tag: '@main' }, async ({ page, context }) => {
    await readyToPlace(page)
    const other = await context.newPage()
    await openList(other)
    await expect(pairs(other)).toHaveCount(2)
    const yes = await askToPlace(page)
    const otherYes = await askToPlace(other)
    await Promise.all([yes.click(), otherYes.click()])
    // One tab reports that the other places the bet; afterwards neither has a bet to send.
    const isSaid = (tab: Page) => tab.getByText('u drugoj kartici').first().isVisible()
    await expect.poll(async () => (await isSaid(page)) || (await isSaid(other))).toBe(true)
    await expect.poll(async () => (await receipt(page).isVisible()) || (await receipt(other).isVisible())).toBe(true)
    expect(await betCount(page)).toBe(1)
    await expect.poll(() => balance(page)).toBe('999.00')
  })
})

test.describe('without an answer', () => {
  test.use({ expected: { complaints: [/Failed to load resource|WebSocket connection|ERR_INTERNET_DISCONNECTED/] } })

  test('the popup has no button and stays 3 s; the truth comes later', { tag: '@main' }, async ({ page }) => {
    await readyToPlace(page)
    let lost = 0
    // The server accepts the bet, but the response is lost.
    await page.route(SEND, async (route) => {
      lost += 1
      if (lost === 1) {
        await route.fetch()
        await route.abort('connectionreset')
      } else {
        await route.continue()
      }
    })
    await (await askToPlace(page)).click()
    // The popup closes by itself, so everything about it is checked at once.
    const popup = page
      .getByRole('alertdialog', { name: 'Došlo je do pogreške u komunikaciji.' })
      .filter({ hasText: 'Pokušajte ponovno malo kasnije.' })
      .filter({ hasNot: page.getByRole('button') })
    await expect(popup).toBeVisible()
    await expect(receipt(page)).toBeVisible({ timeout: 30_000 })
    expect(lost).toBeGreaterThan(1)
    expect(await betCount(page)).toBe(1)
  })

  test('the question waits while there is no network, and nothing is sent', async ({ page, context }) => {
    await readyToPlace(page)
    await askToPlace(page)
    await context.setOffline(true)
    const waits = confirmDialog(page).getByRole('button', { name: 'Čeka se veza…' })
    await expect(waits).toHaveAttribute('aria-disabled', 'true')
    await waits.click({ force: true })
    await expect(confirmDialog(page)).toBeVisible()
    await context.setOffline(false)
    await placeInDialog(page).click({ timeout: 40_000 })
    await expect(receipt(page)).toBeVisible()
    expect(await betCount(page)).toBe(1)
  })

  test('offline on its way, then online: one bet, and its receipt', async ({ page, context }) => {
    await readyToPlace(page)
    let isLost = false
    await page.route(SEND, async (route) => {
      if (isLost) {
        await route.continue()
        return
      }
      isLost = true
      await context.setOffline(true)
      await route.abort('internetdisconnected')
    })
    await (await askToPlace(page)).click()
    await expect(page.getByRole('alertdialog')).toBeVisible()
    await expect(page.getByRole('alertdialog')).toBeHidden()
    await context.setOffline(false)
    await expect(receipt(page)).toBeVisible({ timeout: 40_000 })
    expect(await betCount(page)).toBe(1)
    await receipt(page).getByRole('button', { name: 'Nastavi' }).click()
    await expect(ticket(page).getByText('Listić je prazan')).toBeVisible()
  })
})

test.describe('an answer of', () => {
  test.use({ expected: { complaints: [/Failed to load resource/] } })

  const refused = { message: 'x', modelState: { error: ['Kvota se promijenila.'] } }
  for (const [status, body, title, text] of [
    [400, refused, 'Listić nije zaprimljen.', 'Kvota se promijenila.'],
    [409, refused, 'Listić nije zaprimljen.', 'Pokušajte ponovno malo kasnije.'],
    [429, refused, 'Listić nije zaprimljen.', 'Pokušajte ponovno malo kasnije.'],
    [500, {}, 'Došlo je do pogreške u komunikaciji.', ''],
    [503, {}, 'Još ne znamo je li listić zaprimljen', 'Listić nije zaprimljen. Pokušajte ponovno malo kasnije.'],
  ] as const) {
    test(`${status} is said, and the ticket stays`, async ({ page }) => {
      await readyToPlace(page)
      let isDown = true
      await page.route(SEND, (route) => (isDown ? route.fulfill({ status, json: body }) : route.continue()))
      await (await askToPlace(page)).click()
      const dialog = page.getByRole('alertdialog', { name: title })
      await expect(dialog).toContainText(text)
      await expect(pairs(page)).toHaveCount(2)
      await dialog.getByRole('button', { name: 'U redu' }).click()
      await expect(dialog).toBeHidden()
      if (status >= 500) {
        await expect(ticket(page).getByText('Još ne znamo je li listić zaprimljen')).toBeVisible()
        const answer = page.waitForResponse(
          (response) => !isDown && response.url().includes('send-ticket') && response.status() !== status,
        )
        isDown = false
        // A refusal names its reason here; the receipt would only stay away.
        expect(await (await answer).json()).not.toHaveProperty('modelState')
        await expect(receipt(page)).toBeVisible({ timeout: 30_000 })
        expect(await betCount(page)).toBe(1)
      } else {
        expect(await betCount(page)).toBe(0)
      }
    })
  }

  test('401 leads to the login, and back to the ticket', async ({ page }) => {
    await readyToPlace(page)
    await page.route(SEND, (route) => route.fulfill({ status: 401, json: {} }))
    await (await askToPlace(page)).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Prijava' })).toBeVisible()
    await expect(page.getByText('Za uplatu listića potrebna je prijava.')).toBeVisible()
  })
})

test.describe('a rejected bet', () => {
  test.use({ expected: { complaints: [/status of 400/] } })

  test('because of an odd is placed at the new odd by one press', { tag: '@main' }, async ({ page }) => {
    await readyToPlace(page)
    await page.route(
      SEND,
      async (route) => {
        const { pairs: sent } = route.request().postDataJSON() as { pairs: { oddValue: number }[] }
        const changed = sent.map((pair) => ({ ...pair, currentValue: pair.oddValue + 0.5, reason: null }))
        const json = { message: 'x', modelState: { error: ['Kvota se promijenila.'] }, pairs: changed }
        await route.fulfill({ status: 400, json })
      },
      { times: 1 },
    )
    await (await askToPlace(page)).click()
    const rejection = page.getByRole('alertdialog', { name: 'Listić nije zaprimljen.' })
    await expect(rejection.getByRole('listitem')).not.toHaveCount(0)
    await rejection.locator('[data-accept]').click()
    await expect(receipt(page)).toBeVisible()
    expect(await betCount(page)).toBe(1)
  })
})

test('a stranger logs in on the way, and the question is open again', { tag: '@main' }, async ({ page }) => {
  await openList(page)
  await pick(page, 2)
  await consentToAny(page)
  await placeButton(page).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Prijava' })).toBeVisible()
  await page.getByRole('link', { name: 'Otvori račun' }).click()
  await register(page, newName())
  await expect(confirmDialog(page).getByRole('listitem')).toHaveCount(2)
  await placeInDialog(page).click()
  await expect(receipt(page)).toBeVisible()
  await receipt(page).getByRole('button', { name: 'Nastavi' }).click()
  // The button that opened the dialog is gone with the pairs.
  await expect(ticket(page)).toBeFocused()
})

test('the keyboard alone places a bet', async ({ page }) => {
  await readyToPlace(page)
  await page.locator('main').focus()
  await page.keyboard.press('t')
  await page.keyboard.press('Alt+Enter')
  await expect(confirmDialog(page)).toBeVisible()
  const yes = placeInDialog(page)
  await expect(async () => {
    await page.keyboard.press('Tab')
    await expect(yes).toBeFocused({ timeout: 200 })
  }).toPass()
  await page.keyboard.press('Enter')
  await expect(receipt(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(receipt(page)).toBeHidden()
  expect(await betCount(page)).toBe(1)
})

test('a phone places a bet from the sheet', { tag: '@main' }, async ({ page }) => {
  await page.setViewportSize(PHONE)
  await openAsMember(page)
  await pick(page, 2)
  await page.getByRole('button', { name: /^Listić, 2 para/ }).click()
  await consentToAny(page)
  await (await askToPlace(page)).click()
  await expect(receipt(page)).toBeVisible()
  expect(await betCount(page)).toBe(1)
})
