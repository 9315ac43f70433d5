import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import bs from '../../../../config/translations/bs.json'
import en from '../../../../config/translations/en.json'
import hr from '../../../../config/translations/hr.json'
import sr from '../../../../config/translations/sr.json'
import { WordsProvider } from '../../i18n/useTranslation'
import { makeI18n } from '../../testing/makeI18n'
import { usePairName } from './pairName'

function Name(pair: Parameters<ReturnType<typeof usePairName>>[0]) {
  return usePairName()(pair)
}

interface Fields {
  oddName: string
  sbv: string | null
  home?: string
  marketName?: string
  sportId?: number | null
  marketType?: number | null
  oddType?: string | null
}

const TEXTS = { hr, en, bs, sr }

function named(fields: Fields, language: keyof typeof TEXTS = 'hr') {
  const pair = {
    home: 'Zadar',
    away: 'Cibona',
    marketName: 'Trostruki skok',
    sportId: null,
    marketType: null,
    oddType: null,
  }
  const i18n = makeI18n(language, TEXTS[language])
  return render(
    <WordsProvider i18n={i18n}>
      <Name {...pair} {...fields} />
    </WordsProvider>,
  ).container.textContent
}

test.each([
  ['1', null, 'Zadar'],
  ['2', null, 'Cibona'],
  ['X', null, 'Neriješeno'],
  ['1X', null, '1X'],
  ['Više', '2.5', 'Više 2.5'],
  ['1', '2.5', 'Zadar +2.5'],
  ['2', '2.5', 'Cibona -2.5'],
  ['2', '-0.5', 'Cibona +0.5'],
  ['X', '0:1', 'Neriješeno 0:1'],
  ['2', '0:1', 'Cibona 0:1'],
  ['1', '7', 'Zadar (Trostruki skok 7)'],
  ['Manje', '7', 'Manje 7'],
])('the odd %s with the line %s is called %s', (oddName, sbv, name) => {
  expect(named({ oddName, sbv })).toBe(name)
})

test.each([
  ['1', 'Zadar'],
  ['6+', '6+'],
])('the variant of a provider is not part of the name of %s in a bet without the type of its odd', (oddName, name) => {
  expect(named({ oddName, sbv: 'sr:exact_goals:6+' })).toBe(name)
})

test('without the names of the teams the odd has its own', () => {
  expect([named({ oddName: '1', sbv: null, home: '' }), named({ oddName: '1', sbv: '2.5', home: '' })]).toEqual([
    '1',
    '1 2.5',
  ])
})

test.each([
  ['soccer', 1, 7, '1', '4', 'Zadar (4. gol)'],
  ['soccer', 1, 7, 'Nitko', '4', 'Nitko (4. gol)'],
  ['soccer', 1, 42, '2', '9', 'Cibona (9. korner)'],
  ['soccer', 1, 65, '1', '1', 'Zadar (1. gol)'],
  ['basketball', 2, 110, 'X', '3', 'Neriješeno (3. četvrtina)'],
  ['basketball', 2, 122, '1', '20', 'Zadar (prvi do 20)'],
  ['baseball', 3, 7, '1', '5', 'Zadar (5. poen)'],
  ['baseball', 3, 137, '2', '6', 'Cibona (6. izmjena)'],
  ['baseball', 3, 140, 'Udarac', '31', 'Udarac (31. udarač)'],
  ['tennis', 5, 35, '1', '93', 'Zadar (93. poen)'],
  ['tennis, second set', 5, 206, '1', '8', 'Zadar (8. gem)'],
  ['tennis, second set', 5, 213, '2', '3', 'Cibona (prvi do 3)'],
  ['handball', 6, 70, '1', '10', 'Zadar (prvi do 10)'],
  ['rugby', 12, 7, '1', '4', 'Zadar (4. pogodak)'],
  ['American football', 16, 123, '1', '2', 'Zadar (2. četvrtina)'],
  ['snooker', 19, 1905, '1', '5', 'Zadar (5. frejm)'],
  ['cricket', 21, 2107, 'Da', '3', 'Da (3. over)'],
  ['cricket', 21, 2114, 'Istrčan', '3', 'Istrčan (3. wicket)'],
  ['darts', 22, 2207, '1', '2', 'Zadar (2. set)'],
  ['darts', 22, 2211, 'Manje', '10', 'Manje (10. leg)'],
  ['volleyball, third set', 23, 306, '2', '17', 'Cibona (17. poen)'],
  ['squash, first set', 37, 104, '2', '5', 'Cibona (prvi do 5)'],
  ['MMA', 117, 11_710, '1', '2', 'Zadar (2. runda)'],
])('%s (%i), market type %i: %s with the number %s is called %s', (_sport, sportId, marketType, oddName, sbv, name) => {
  expect(named({ sportId, marketType, oddName, sbv })).toBe(name)
})

test.each([
  ['hr', 'Zadar (93. poen)', 'Zadar (prvi do 3)'],
  ['en', 'Zadar (point 93)', 'Zadar (first to 3)'],
  ['bs', 'Zadar (93. poen)', 'Zadar (prvi do 3)'],
  ['sr', 'Zadar (93. поен)', 'Zadar (први до 3)'],
] as const)('the number in %s', (language, point, race) => {
  const point93 = { sportId: 5, marketType: 35, oddName: '1', sbv: '93' }
  expect(named(point93, language)).toBe(point)
  expect(named({ ...point93, marketType: 113, sbv: '3' }, language)).toBe(race)
})

test.each([
  ['exact goals', 1, 13, null, '2'],
  ['runs of a half-inning', 3, 139, '▲5', '2 ▲5'],
  ['number of sets', 5, 29, null, '2'],
])('the odd 2 of %s is an amount, not the away team', (_market, sportId, marketType, sbv, name) => {
  expect(named({ sportId, marketType, oddName: '2', sbv })).toBe(name)
})

test.each([
  ['the result', 1, 1, '3', 'Burnley', null],
  ['the draw', 1, 1, '2', 'X', null],
  ['the total', 1, 18, '12', 'Više 2.5', '2.5'],
  ['the handicap', 1, 16, '1715', 'Cibona (+1.5)', '-1.5'],
  ['exact goals', 1, 21, 'sr:exact_goals:6+:72', '2', 'sr:exact_goals:6+'],
  ['odd or even in a set', 5, 206, '70', 'Neparno', '1'],
  ['a player', 1, 40, 'sr:player:947', 'Lee Barnard', null],
])("a provider's %s has the name of its outcome", (_market, sportId, marketType, oddType, oddName, sbv) => {
  expect(named({ sportId, marketType, oddType, oddName, sbv })).toBe(oddName)
})

test("without a description of the market a provider's odd has its id", () => {
  const pair = { marketName: 'market 18', sportId: 1, marketType: 18, sbv: '2.5' }
  expect(named({ ...pair, oddType: '2', oddName: '2' })).toBe('2')
  expect(named({ ...pair, oddType: null, oddName: '2' })).toBe('2')
})

test.each([
  ['1', '1', null, 'Zadar'],
  ['X', 'X', null, 'Neriješeno'],
  ['2:1', '2:1', null, '2:1'],
  ['Više', 'Over', '2.5', 'Over 2.5'],
])("the type %s of kvota's feed is a name in the first language: %s with the line %s is called %s", (...words) => {
  const [oddType, oddName, sbv, name] = words
  expect(named({ oddType, oddName, sbv, sportId: 1, marketType: 1 })).toBe(name)
})
