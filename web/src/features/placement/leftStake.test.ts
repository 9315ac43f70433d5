import { describe, expect, it } from 'vitest'
import bs from '../../../../config/translations/bs.json'
import en from '../../../../config/translations/en.json'
import hr from '../../../../config/translations/hr.json'
import sr from '../../../../config/translations/sr.json'
import { makeI18n } from '../../i18n/i18n'
import { leftStake } from './leftStake'

describe.each([
  ['hr', hr],
  ['en', en],
  ['bs', bs],
  ['sr', sr],
] as const)('the stake that a rejection in %s leaves', (language, texts) => {
  const { t } = makeI18n(language, texts)

  it.each([
    ['refusedNotEnoughBalance', { isOfBalance: true, isOwnLimit: false }],
    ['refusedStakeOutOfRange', { isOfBalance: false, isOwnLimit: false }],
    ['refusedStakeLimitDay', { isOfBalance: false, isOwnLimit: true }],
    ['refusedStakeLimitMonth', { isOfBalance: false, isOwnLimit: true }],
    ['refusedLossLimitWeek', { isOfBalance: false, isOwnLimit: true }],
  ] as const)('by %s is read from its text', (key, kind) => {
    for (const amount of ['1000.50 EUR', '1.000,50 €', '€1,000.50']) {
      const reason = t(key, { balance: amount, left: amount, min: '1.00 EUR', max: amount })
      expect(leftStake(reason, t)).toEqual({ amount: '1000.50', ...kind })
    }
  })

  it('is not read from other texts', () => {
    const values = { max: '20.00 EUR', match: 'A – B', amount: '5.00 EUR', left: '5.00 EUR' }
    for (const key of [
      'refusedUserStakeLimit',
      'refusedMatchStakeLimit',
      'refusedOwes',
      'refusedDepositLimitDay',
    ] as const) {
      expect(leftStake(t(key, values), t)).toBeNull()
    }
  })
})
