import { useAppSelector } from '../../app/hooks'
import type { Bet, BetPair } from '../../domain/bet'
import {
  type CashOutRules,
  type CashOutValue,
  factorNow,
  fairValue,
  less,
  paidForShare,
  type SharePercent,
  WHOLE,
} from '../../domain/cashOut'
import { formatOdd } from '../../domain/oddsFormat'
import { formatNumber } from '../../i18n/locale'
import { useTranslation } from '../../i18n/useTranslation'
import { useMoney } from '../../platform/account/useMoney'
import { selectOdd } from '../../platform/offer/offerSelectors'
import { selectLanguage, selectOddsFormat } from '../../platform/preferences/preferencesSelectors'
import { useOfferedPairs } from '../../platform/ticket/offeredPair'
import { usePairName } from '../../platform/ticket/pairName'
import styles from './Formula.module.css'

interface FormulaProps {
  bet: Bet
  value: CashOutValue | undefined
  rules: CashOutRules
  /** How much of the bet is cashed out. */
  percent: SharePercent
}

/** How the server calculates the value: the pairs, our margin, the tax, and a limit if it applies. */
export function Formula({ bet, value, rules, percent }: FormulaProps) {
  const { t } = useTranslation()
  const money = useMoney()
  const language = useAppSelector(selectLanguage)
  const known = value && value.value !== null && value.winTax !== null && value.net !== null ? value : null
  const fair = known?.value ? fairValue(known.value, rules.margin) : null
  const margin = formatNumber(language, Number(rules.margin) / 100, { style: 'percent', maximumFractionDigits: 2 })
  const beforeLimit = known?.value && known.winTax ? less(known.value, known.winTax) : null
  const paid = known && paidForShare(known, percent)
  const limited = beforeLimit !== null && known?.net ? less(beforeLimit, known.net) : '0.00'
  const minus = (amount: string | null) => (amount === null ? '–' : `− ${money(amount)}`)
  return (
    <details className={styles.formula}>
      <summary className={styles.summary}>{t('cashOutFormula')}</summary>
      <dl className={styles.lines}>
        <div>
          <dt>{t('cashOutStakeRest')}</dt>
          <dd>{money(bet.remaining.taxedStake)}</dd>
        </div>
        {bet.pairs.map((pair) => (
          <PairLine key={pair.matchId} pair={pair} />
        ))}
        <div className={styles.sum}>
          <dt>{t('cashOutFair')}</dt>
          <dd>{fair === null ? '–' : money(fair)}</dd>
        </div>
        <div>
          <dt>{t('cashOutMargin', { percent: margin })}</dt>
          <dd>{minus(fair !== null && known?.value ? less(fair, known.value) : null)}</dd>
        </div>
        <div>
          <dt>{t('winTax')}</dt>
          <dd>{minus(known?.winTax ?? null)}</dd>
        </div>
        {limited !== '0.00' && (
          <div>
            <dt>{t('cashOutLimit')}</dt>
            <dd>{minus(limited)}</dd>
          </div>
        )}
        {percent !== WHOLE && (
          <div>
            <dt>{t('cashOutShare')}</dt>
            <dd>{`× ${formatNumber(language, percent / 100, { style: 'percent' })}`}</dd>
          </div>
        )}
        <div className={styles.sum}>
          <dt>{t('cashOutYouGet')}</dt>
          <dd>{paid ? money(paid) : '–'}</dd>
        </div>
      </dl>
      <p className={styles.text}>
        {bet.systemType > 0 ? `${t('cashOutFormulaText')} ${t('cashOutFormulaSystem')}` : t('cashOutFormulaText')}
      </p>
    </details>
  )
}

/** A factor of the product. */
function PairLine({ pair }: { pair: BetPair }) {
  const { t } = useTranslation()
  const nameOf = usePairName()
  const [texts = pair] = useOfferedPairs([pair])
  const format = useAppSelector(selectOddsFormat)
  const now = useAppSelector((state) => (pair.oddId === null ? null : (selectOdd(state, pair.oddId)?.value ?? null)))
  const factor = factorNow(pair, now)
  const taken = formatOdd(pair.oddValue, format)
  return (
    <div>
      <dt>
        <span>{nameOf(texts)}</span>
        <small className={styles.detail}>
          {pair.factor !== null
            ? t(`result_${pair.result}`)
            : now === null
              ? t('cashOutOddUnknown', { taken })
              : t('cashOutOddNow', { taken, now: formatOdd(now, format) })}
        </small>
      </dt>
      <dd>{factor === null ? '× …' : `× ${factor}`}</dd>
    </div>
  )
}
