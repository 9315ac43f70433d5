import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ICONS } from './Icon'

test('every icon has its drawing, and every drawing its icon', () => {
  const sprite = readFileSync('src/components/icons.svg', 'utf8')
  const drawn = [...sprite.matchAll(/<symbol id="([^"]+)"/g)].map(([, id]) => id)
  expect(drawn).toEqual([...ICONS])
})
