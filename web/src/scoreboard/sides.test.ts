import { expect, it } from 'vitest'
import hr from '../../../config/translations/hr.json'
import type { Pair } from '../domain/offer'
import { servesText } from './families/serving'
import { shortNames } from './sides'
import { makeTexts } from './texts'

it.each<[Pair<string>, Pair<string>]>([
  [
    ['M. Kovačić', 'L. Perišin'],
    ['Kovačić', 'Perišin'],
  ],
  [
    ['R. de Vries', 'Dž. J. Bor'],
    ['De Vries', 'Bor'],
  ],
  [
    ['Kovačić, Marin', 'Perišin, L.'],
    ['Kovačić', 'Perišin'],
  ],
  [
    ["Crnković / Dell'Orco", 'L. Berger / P. Novak'],
    ['Crnković', 'Berger'],
  ],
  [
    ['D.C. United', 'Bodø/Glimt'],
    ['D.C. United', 'Bodø/Glimt'],
  ],
  [
    ['M. Bor', 'L. Bor'],
    ['M. Bor', 'L. Bor'],
  ],
  [
    ['', '/'],
    ['', '/'],
  ],
])('%j are %j where there is little room', (names, expected) => {
  expect(shortNames(names)).toEqual(expected)
})

it('two players serve, one does', () => {
  const said = (name: string) => servesText(makeTexts(hr), [name, 'A. Horvat'], 1)
  expect(said('M. Bor')).toBe('Servira Bor')
  expect(said('M. Bor / T. Gaj')).toBe('Serviraju M. Bor / T. Gaj')
})
