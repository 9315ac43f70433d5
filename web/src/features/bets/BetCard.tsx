import { useId, useState } from 'react'
import { useAppSelector } from '../../app/hooks'
import { cx } from '../../components/cx'
import { Icon, type IconName } from '../../components/Icon'
import type { Bet, BetPair, BetState } from '../../domain/bet'
import { formatOdd } from '../../domain/oddsFormat'
import type { Match } from '../../domain/offer'
import { combinationCount } from '../../domain/ticket/totals'
import { useTranslation } from '../../i18n/useTranslation'
import { useMoney } from '../account/useMoney'
import { matchName } from '../offer/matchName'
import { selectMatch } from '../offer/offerSelectors'
import { useMomentText } from '../offer/useMomentText'
import { selectLanguage, selectOddsFormat } from '../preferences/preferencesSelectors'
import { usePairName } from '../ticket/pairName'
import { formatTotalOdd } from '../ticket/totalOdd'
import styles from './BetCard.module.css'
import { whenText } from './when'

const ICONS: Readonly<Record<BetState, IconName>> = {
  open: 'clock',
  won: 'tick',
  lost: 'close',
  void: 'void',
  cashed_out: 'out',
}
const TEXTS = { open: 'betOpen', won: 'betWon', lost: 'betLost', void: 'betVoid', cashed_out: 'betCashedOut' } as const

/** The label of the amount. For an open system bet it is the maximum, not the expected payout. */
const PAYOUTS = {
  open: 'payoutPossible',
  openSystem: 'payoutMost',
  won: 'payout',
  lost: 'payout',
  void: 'returned',
  cashed_out: 'payout',
} as const

/** A bet as one line, which opens to show its pairs. */
export function BetCard({ bet, isOpenAtFirst }: { bet: Bet; isOpenAtFirst: boolean }) {
  const { t } = useTranslation()
  const money = useMoney()
  const language = useAppSelector(selectLanguage)
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  const id = useId()
  const isSystem = bet.systemType > 0
  const free = bet.pairs.filter((pair) => !pair.isFix).length
  const when = whenText(language, bet.placedAt, Date.now())
  return (
    <article className={styles.bet} data-ticket-id={bet.ticketId}>
      <button
        type="button"
        className={styles.head}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <span className={cx(styles.status, styles[bet.state])}>
          <Icon name={ICONS[bet.state]} size="s" />
          {t(TEXTS[bet.state])}
        </span>
        <span className={styles.what}>
          <b className={styles.kind}>
            {isSystem
              ? t('systemTicket', {
                  k: bet.systemType,
                  of: free,
                  combinations: t('combinationShort', { count: combinationCount(free, bet.systemType) }),
                })
              : `${t('standard')}, ${t('pairCount', { count: bet.pairs.length })}`}
          </b>
          <small className={styles.small}>{t('betWhen', { when, id: bet.ticketId })}</small>
        </span>
        <Figure className={styles.odd} value={isSystem ? '–' : formatTotalOdd(bet.totalOdd)} name={t('odds')} />
        <Figure className={styles.paid} value={money(bet.bruto)} name={t('paid')} />
        <Figure
          value={money(bet.state === 'lost' ? '0.00' : bet.payout)}
          name={t(PAYOUTS[bet.state === 'open' && isSystem ? 'openSystem' : bet.state])}
        />
        <Icon name={isOpen ? 'chevronDown' : 'chevronRight'} size="s" />
      </button>
      {isOpen && (
        <div id={id}>
          <ul className={styles.pairs}>
            {bet.pairs.map((pair) => (
              <Pair key={pair.matchId} pair={pair} isOpen={bet.state === 'open'} />
            ))}
          </ul>
          <dl className={styles.receipt}>
            <Sum name={t('taxedStake')} value={money(bet.stake)} />
            <Sum name={t('possibleWin')} value={money(bet.potentialWin)} />
            <Sum name={t('winTax')} value={money(bet.winTax)} />
            <Sum name={t('possiblePayout')} value={money(bet.payout)} />
          </dl>
        </div>
      )}
    </article>
  )
}

function Sum({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt className={styles.small}>{name}</dt>
      <dd className={styles.sum}>{value}</dd>
    </div>
  )
}

function Figure({ value, name, className }: { value: string; name: string; className?: string | undefined }) {
  return (
    <span className={cx(styles.figure, className)}>
      {value}
      <small className={styles.small}>{name}</small>
    </span>
  )
}

function Pair({ pair, isOpen }: { pair: BetPair; isOpen: boolean }) {
  const { t } = useTranslation()
  const name = usePairName()(pair)
  const format = useAppSelector(selectOddsFormat)
  const match = useAppSelector((state) => selectMatch(state, pair.matchId))
  return (
    <li className={styles.pair}>
      <span className={styles.what}>
        <b className={styles.kind}>
          {name}
          {pair.isFix && <span className={styles.fix}>{t('fix')}</span>}
        </b>
        <small className={styles.small}>{[pair.marketName, matchName(pair)].filter(Boolean).join(', ')}</small>
      </span>
      {isOpen && match ? <Live match={match} /> : <span />}
      <b className={styles.value}>{formatOdd(pair.oddValue, format)}</b>
    </li>
  )
}

function Live({ match }: { match: Match }) {
  const when = useMomentText(match)
  return <span className={styles.live}>{[when, match.score?.join(':')].filter(Boolean).join(' ')}</span>
}
