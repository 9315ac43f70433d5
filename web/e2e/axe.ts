import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import type { AxeResults, RunOptions } from 'axe-core'

const SCRIPT = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/** Only violations are reported; leaving out passes and selectors saves time. */
const OPTIONS: RunOptions = { resultTypes: ['violations'], selectors: false }

/**
 * The violations that axe finds on the page, or in one changed part of it, one per line. Runs under the content
 * security policy of the page. `without` names rules that do not apply to the part by itself.
 */
export async function axeFindings(page: Page, part?: string, without: readonly string[] = []): Promise<string[]> {
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
    [part, { ...OPTIONS, rules: Object.fromEntries(without.map((rule) => [rule, { enabled: false }])) }] as const,
  )
  return results.violations.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => `${id} (${help}): ${node.html.slice(0, 200)}`),
  )
}
