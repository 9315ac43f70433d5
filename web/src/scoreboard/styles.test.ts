import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const read = (path: string) => readFileSync(path, 'utf8').replace(/\/\*[\s\S]*?\*\//g, '')
const styles = ['tracker', 'charts', 'scoreboard'].map((name) => read(`src/scoreboard/${name}.css`)).join('')

/** The rules that have this declaration, with their selectors. */
const selectors = (declaration: RegExp) =>
  Array.from(styles.matchAll(/([^{}]+)\{([^{}]*)\}/g)).flatMap(([, selector = '', body = '']) =>
    declaration.test(body) ? [selector.trim().replace(/\s+/g, ' ')] : [],
  )

it('forced colours leave the drawings and each mark of a side as they are', () => {
  const kept = selectors(/forced-color-adjust: none/)
  expect(kept).toContain(':is(.stage, .chart)')
  const marks = selectors(/background: var\(--(side|home|away)\)/)
  expect(marks.length).toBeGreaterThan(3)
  expect(marks.filter((selector) => !kept.includes(selector))).toEqual([])
})

it('every transition ends with reduced motion', () => {
  const [, reduced = ''] = read('src/styles/tokens.css').split('@media (prefers-reduced-motion: reduce)')
  expect(reduced.slice(0, reduced.indexOf('@media'))).toMatch(/\*,[^}]*transition: none !important/)
  expect(styles).not.toMatch(/transition:[^;]*!important|animation/)
})

it('the sides of a chart are named below its title on the narrowest phones', () => {
  const [, narrow = ''] = styles.split('@media (max-width: 330px)')
  expect(narrow).toMatch(/^ \{\s+\.w355 figcaption \{\s+display: grid;\s+grid-template-columns: repeat\(2,/)
  expect(narrow).toMatch(/figcaption > :first-child \{\s+grid-column: 1 \/ -1;/)
})
