import { useAppSelector } from '../../app/hooks'
import { Alert } from '../../components/Alert'
import type { Bet, MadeSettlement, Settlement } from '../../domain/bet'
import { formatNumber } from '../../i18n/locale'
import { useTranslation } from '../../i18n/useTranslation'
import { useMoney } from '../../platform/account/useMoney'
import { selectLanguage } from '../../platform/preferences/preferencesSelectors'
import styles from './BetSums.module.css'
import { commonReason, factorText, paidBy, stakeTax, useReason } from './betTexts'
import { useSettlements } from './useSettlements'
import { whenText } from './when'

/** The amounts of a bet: what an open bet can pay now, or how the payout of a settled one was calculated. */
export function BetSums({ bet }: { bet: Bet }) {
  return (
    <>
      {bet.state === 'open' && <Possible bet={bet} />}
      {bet.settlement && <Settled bet={bet} settlement={bet.settlement} />}
      {bet.state === 'cashed_out' && !bet.settlement && <CashedOut bet={bet} />}
      <CashOuts bet={bet} />
      <Corrections bet={bet} />
    </>
  )
}

function Possible({ bet }: { bet: Bet }) {
  const { t } = useTranslation()
  const money = useMoney()
  const { gross, winTax, paid } = bet.possible ?? { gross: bet.potentialWin, winTax: bet.winTax, paid: bet.payout }
  return (
    <dl className={styles.sums}>
      <StakeSums bet={bet} />
      {bet.cashOuts.length > 0 && <Sum name={t('cashOutStakeRest')} value={money(bet.remaining.taxedStake)} />}
      <Sum name={t('possibleWin')} value={money(gross)} />
      <Sum name={t('winTax')} value={money(winTax)} />
      <Sum
        name={t(bet.systemType > 0 ? 'possibleMostNow' : 'possibleNow')}
        value={money(paid)}
        hint={paid === bet.payout ? undefined : t('promised', { amount: money(bet.payout) })}
        isMain
      />
    </dl>
  )
}

/** The stake, its tax, and what is left of it. */
function StakeSums({ bet }: { bet: Bet }) {
  const { t } = useTranslation()
  const money = useMoney()
  return (
    <>
      <Sum name={t('stake')} value={money(bet.bruto)} />
      <Sum name={t('stakeTax')} value={money(stakeTax(bet))} />
      <Sum name={t('taxedStake')} value={money(bet.stake)} />
    </>
  )
}

function CashedOut({ bet }: { bet: Bet }) {
  const { t } = useTranslation()
  const money = useMoney()
  const paid = paidBy(bet)
  return (
    <dl className={styles.sums}>
      <Sum name={t('stake')} value={money(bet.bruto)} />
      {paid !== null && <Sum name={t('paidOut')} value={money(paid)} isMain />}
    </dl>
  )
}

function Settled({ bet, settlement }: { bet: Bet; settlement: Settlement }) {
  const { t } = useTranslation()
  const money = useMoney()
  const reasonOf = useReason()
  const explanation = useExplanation(bet)
  const { gross, winTax, paid } = settlement
  const reason = commonReason(bet) ?? settlement.reason
  const isVoid = bet.state === 'void'
  return (
    <>
      <dl className={styles.sums}>
        {isVoid ? (
          <Sum name={t('stake')} value={money(bet.bruto)} />
        ) : (
          <>
            <StakeSums bet={bet} />
            {bet.cashOuts.length > 0 && <Sum name={t('cashOutStakeRest')} value={money(bet.remaining.taxedStake)} />}
            <Sum name={t('grossWin')} value={money(gross)} />
            <Sum name={t('winTax')} value={money(winTax)} />
          </>
        )}
        <Sum name={t(isVoid ? 'returnedAll' : 'paidOut')} value={money(paid)} isMain />
      </dl>
      <p className={styles.text}>{explanation}</p>
      {cents(paid) < cents(gross) - cents(winTax) && <p className={styles.text}>{t('explainMost')}</p>}
      {reason !== null && <p className={styles.text}>{reasonOf(reason)}</p>}
    </>
  )
}

/** How the win before tax follows from the factors of the pairs. */
function useExplanation(bet: Bet): string {
  const { t } = useTranslation()
  const money = useMoney()
  if (bet.state === 'void') {
    return t('explainVoid')
  }
  if (bet.state === 'lost') {
    return t('explainLost')
  }
  if (bet.systemType > 0) {
    return t('explainSystem')
  }
  const factors = bet.pairs.map((pair) => factorText(pair, 'decimal') ?? '–')
  return [`${t('grossWin')}: ${money(bet.remaining.taxedStake)}`, ...factors].join(' × ')
}

/** The parts of the bet that were paid before it was decided, oldest first. */
function CashOuts({ bet: { cashOuts } }: { bet: Bet }) {
  const { t } = useTranslation()
  const money = useMoney()
  const language = useAppSelector(selectLanguage)
  if (cashOuts.length === 0) {
    return null
  }
  return (
    <section className={styles.corrections}>
      <h2 className={styles.title}>{t('cashOutHistory')}</h2>
      <ul>
        {cashOuts.map(({ at, share, paid }) => (
          <li key={at} className={styles.correction}>
            <span className={styles.when}>{whenText(language, at, Date.now())}</span>
            <span>{formatNumber(language, Number(share), { style: 'percent' })}</span>
            <b>{money(paid)}</b>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Settlements that were taken back or replaced, with the amounts before and after. */
function Corrections({ bet }: { bet: Bet }) {
  const { t } = useTranslation()
  const { made, isFailed } = useSettlements(bet)
  if (isFailed) {
    return (
      <div className={styles.alert}>
        <Alert look="warn">{t('correctionsFailed')}</Alert>
      </div>
    )
  }
  const last = made.at(-1)
  const isReopened = bet.settlement === null && last !== undefined
  if (made.length < 2 && !isReopened) {
    return null
  }
  return (
    <section className={styles.corrections}>
      <h2 className={styles.title}>{t('corrections')}</h2>
      <ul>
        {made.slice(1).map((after, place) => (
          <Correction key={after.number} before={made[place] as MadeSettlement} after={after} />
        ))}
        {isReopened && <Correction before={last} after={null} />}
      </ul>
    </section>
  )
}

function Correction({ before, after }: { before: MadeSettlement; after: MadeSettlement | null }) {
  const { t } = useTranslation()
  const money = useMoney()
  const reasonOf = useReason()
  const language = useAppSelector(selectLanguage)
  const amount = after ? money(after.paid) : t('betOpen').toLocaleLowerCase(language)
  return (
    <li className={styles.correction}>
      {after && <span className={styles.when}>{whenText(language, after.at, Date.now())}</span>}
      <b>{t('correctionBecame', { before: money(before.paid), after: amount })}</b>
      {after?.reason && <span className={styles.when}>{reasonOf(after.reason)}</span>}
    </li>
  )
}

interface SumProps {
  name: string
  value: string
  hint?: string | undefined
  isMain?: boolean
}

function Sum({ name, value, hint, isMain = false }: SumProps) {
  return (
    <div className={isMain ? styles.main : undefined}>
      <dt className={styles.name}>{name}</dt>
      <dd className={styles.sum}>
        <span>{value}</span>
        {hint && <small className={styles.name}>{hint}</small>}
      </dd>
    </div>
  )
}

/** An amount with two decimals as an integer. */
function cents(amount: string): number {
  return Math.round(Number(amount) * 100)
}
