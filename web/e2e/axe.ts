import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import type { AxeResults, RunOptions } from 'axe-core'

const SCRIPT = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/** What it finds wrong is all that is read: what passes, and how to select it, is not worked out. */
const OPTIONS: RunOptions = { resultTypes: ['violations'], selectors: false }

/**
 * What axe finds on the page, or in the part of it that has changed since it was looked at whole, a line each; run in the
 * page's own policy, which lets no script in but its own.
 */
export async function axeFindings(page: Page, part?: string): Promise<string[]> {
  const isThere = await page.evaluate(() => 'axe' in window)
  if (!isThere) {
    await page.evaluate(await readFile(SCRIPT, 'utf8'))
  }
  const results = await page.evaluate(
    ([selector, options]) => {
      const { axe } = window as unknown as {
        axe: { run(context: Document | string, options: RunOptions): Promise<AxeResults> }
      }
      return axe.run(selector ?? document, options)
    },
    [part, OPTIONS] as const,
  )
  return results.violations.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => `${id} (${help}): ${node.html.slice(0, 200)}`),
  )
}
