import { expect, it } from 'vitest'
import { moneyInText } from './moneyInText'

it.each([
  ['hr', 'Na računu nema dovoljno: stanje je 1000.00 EUR.', /stanje je 1\.000,00\s€\.$/],
  ['en', 'The stake must be between 1.00 EUR and 5000.00 EUR.', /between €1\.00 and €5,000\.00\.$/],
  ['hr', 'Kvota se promijenila s 1.85 na 2.00: A – B.', /^Kvota se promijenila s 1\.85 na 2\.00: A – B\.$/],
  ['hr', 'Više 2.50 EURO', /^Više 2\.50 EURO$/],
] as const)('in %s "%s" has its amounts in the format of the page', (language, text, expected) => {
  expect(moneyInText(language, text)).toMatch(expected)
})
