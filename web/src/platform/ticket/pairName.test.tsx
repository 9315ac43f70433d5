import { expect, test } from 'vitest'
import { renderWithProviders } from '../../testing/renderWithProviders'
import { usePairName } from './pairName'

function Name(pair: Parameters<ReturnType<typeof usePairName>>[0]) {
  return usePairName()(pair)
}

const named = (oddName: string, sbv: string | null, home = 'Zadar') =>
  renderWithProviders(<Name home={home} away="Cibona" oddName={oddName} sbv={sbv} />).container.textContent

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
  ['1', '7', 'Zadar (7)'],
])('the odd %s with the line %s is called %s', (oddName, sbv, name) => {
  expect(named(oddName, sbv)).toBe(name)
})

test('without the names of the teams the odd has its own', () => {
  expect([named('1', null, ''), named('1', '2.5', '')]).toEqual(['1', '1 2.5'])
})
