import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import type { AxeResults } from 'axe-core'

const SCRIPT = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/** What axe finds on the page, a line each; run in the page's own policy, which lets no script in but its own. */
export async function axeFindings(page: Page): Promise<string[]> {
  await page.evaluate(await readFile(SCRIPT, 'utf8'))
  const results = await page.evaluate(() => (window as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run())
  return results.violations.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => `${id} (${help}): ${node.html.slice(0, 200)}`),
  )
}
