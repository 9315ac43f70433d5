/** Texts of the feed are shown unchanged: none of them becomes an element, an attribute or a script. */
import { expect, openState, test } from './fixturePage'
import { PAYLOADS } from './payloads'

test.use({ viewport: { width: 1440, height: 1000 } })

test('texts of the feed are shown and never run', async ({ page, pagesUrl }) => {
  test.setTimeout(180_000)
  await page.addInitScript(() => {
    Object.assign(window, { hits: 0, hit: () => Object.assign(window, { hits: Reflect.get(window, 'hits') + 1 }) })
  })
  const shown = new Set<string>()
  for (const query of [
    'hostile&slip=system',
    'hostile&match=1',
    'hostile&stage=confirming',
    'hostile&page=favourites',
  ]) {
    await openState(page, pagesUrl, query)
    const found = await page.evaluate((payloads) => {
      const all = [...document.querySelectorAll('body *')]
      const attributes = all.flatMap((element) => [...element.attributes])
      return {
        hits: Reflect.get(window, 'hits') as number,
        elements: all
          .map((element) => element.localName)
          .filter((name) => /^(iframe|object|embed|base|meta|marquee|video|math|style|body)$/.test(name)),
        scripts: all.filter((element) => element.localName === 'script' && !element.hasAttribute('type')).length,
        handlers: attributes.map(({ name }) => name).filter((name) => name.startsWith('on')),
        addresses: attributes
          .filter(({ name }) => /^(xlink:)?(href|src|action|data|srcdoc)$/.test(name))
          .map(({ value }) => value)
          .filter((value) => /javascript:|data:text|<script/i.test(value)),
        texts: payloads.filter((text) => document.body.textContent?.includes(text)),
      }
    }, PAYLOADS)
    const { texts, ...wrong } = found
    expect(wrong, query).toEqual({ hits: 0, elements: [], scripts: 0, handlers: [], addresses: [] })
    for (const text of texts) {
      shown.add(text)
    }
  }
  // The list mounts only visible rows; the match has a market for each text. Every text must have been shown.
  expect(PAYLOADS.filter((text) => !shown.has(text))).toEqual([])
  expect(PAYLOADS.length).toBe(200)
})
