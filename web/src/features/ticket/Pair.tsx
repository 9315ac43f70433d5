import { memo } from 'react'
import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { cx } from '../../components/cx'
import { Icon } from '../../components/Icon'
import { formatOdd } from '../../domain/oddsFormat'
import type { OddId } from '../../domain/offer'
import { type TicketPair, waitsForFeed } from '../../domain/ticket/ticket'
import { moneyInText } from '../../i18n/moneyInText'
import { useTranslation } from '../../i18n/useTranslation'
import { pairMarket } from '../../platform/offer/marketTitle'
import { matchName } from '../../platform/offer/matchName'
import { selectMatch } from '../../platform/offer/offerSelectors'
import { selectLanguage, selectOddsFormat } from '../../platform/preferences/preferencesSelectors'
import { usePairName } from '../../platform/ticket/pairName'
import { selectSingleReason } from '../../platform/ticket/singlesSlice'
import { wished } from '../../platform/ticket/ticketSlice'
import styles from './Pair.module.css'
import { PairStake } from './PairStake'

export interface PairProps {
  pair: TicketPair
  /** Whether the pair can be marked as fix; only in a system. */
  canFix: boolean
  /** Whether it is a single, with a stake of its own. */
  isSingle?: boolean
}

/** Memoised: when a new ticket arrives, unchanged pairs are the same objects and do not render again. */
export const Pair = memo(function Pair({ pair, canFix, isSingle = false }: PairProps) {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const name = usePairName()(pair)
  const { matchId, isFix, canBet, reason } = pair
  const isUp = pair.oddValue > pair.pickedValue
  const waits = waitsForFeed(pair)
  const hasMoved = canBet && pair.oddValue !== pair.pickedValue
  return (
    <li
      className={cx(
        styles.pair,
        hasMoved && (isUp ? styles.up : styles.down),
        !canBet && (waits ? styles.waiting : styles.locked),
      )}
      data-pair-match-id={matchId}
      data-pair-odd-id={pair.oddId}
    >
      <p className={styles.pick}>{name}</p>
      <p className={styles.market}>{pairMarket(pair)}</p>
      <p className={styles.match}>
        <span>{matchName(pair)}</span>
        <Score matchId={matchId} />
      </p>
      <Price pair={pair} hasMoved={hasMoved} isUp={isUp} />
      {canFix && (
        <button
          type="button"
          className={styles.fix}
          aria-pressed={isFix}
          aria-label={t('fixPair', { pair: name })}
          onClick={() => dispatch(wished({ wish: 'fix', matchId, on: !isFix }))}
        >
          {t('fix')}
        </button>
      )}
      {isSingle && <PairStake oddId={pair.oddId} name={name} />}
      <button
        type="button"
        className={styles.remove}
        aria-label={t('removePair', { pair: name })}
        data-remove=""
        onClick={(event) => {
          focusNext(event.currentTarget)
          dispatch(wished({ wish: 'drop', matchId }))
        }}
      >
        <Icon name="close" size="s" />
      </button>
      {isSingle && canBet && <Refusal oddId={pair.oddId} />}
      {!canBet && (
        <p className={styles.why}>
          <Icon name={waits ? 'info' : 'warning'} size="s" />
          <span>{t(reason === null ? 'reason_unknown' : `reason_${reason}`)}</span>
        </p>
      )}
    </li>
  )
})

/** Why the server rejected the last bet on the pair. */
function Refusal({ oddId }: { oddId: OddId }) {
  const language = useAppSelector(selectLanguage)
  const reason = useAppSelector((state) => selectSingleReason(state, oddId))
  return reason === undefined ? null : (
    <p className={styles.why}>
      <Icon name="warning" size="s" />
      <span>{moneyInText(language, reason)}</span>
    </p>
  )
}

function Price({ pair, hasMoved, isUp }: { pair: TicketPair; hasMoved: boolean; isUp: boolean }) {
  const { t } = useTranslation()
  const format = useAppSelector(selectOddsFormat)
  if (!pair.canBet) {
    return (
      <p className={styles.price}>
        <Icon name="lock" size="s" />
        {pair.oddValue > 0 && <b data-price="">{formatOdd(pair.oddValue, format)}</b>}
        <span className="vh">{`, ${t('oddLocked')}`}</span>
      </p>
    )
  }
  const picked = formatOdd(pair.pickedValue, format)
  return (
    <p className={styles.price}>
      {hasMoved && (
        <>
          <del aria-hidden="true">{picked}</del>
          <span className={styles.arrow} aria-hidden="true" />
        </>
      )}
      <b data-price="">{formatOdd(pair.oddValue, format)}</b>
      {hasMoved && (
        <span className="vh">{`, ${t(isUp ? 'oddRises' : 'oddFalls')}, ${t('oddWas', { odd: picked })}`}</span>
      )}
    </p>
  )
}

/** The score is never alone on a line. */
const NO_BREAK = '\u00a0'

function Score({ matchId }: { matchId: number }) {
  const score = useAppSelector((state) => selectMatch(state, matchId)?.score?.join(':'))
  return score ? (
    <>
      {NO_BREAK}
      <b className={styles.score}>{score}</b>
    </>
  ) : null
}

/** Moves the focus to the neighbour of the removed pair, or to the panel. */
function focusNext(button: HTMLElement): void {
  const buttons = [...(button.closest('ol')?.querySelectorAll<HTMLElement>('[data-remove]') ?? [])]
  const place = buttons.indexOf(button)
  const next = buttons[place + 1] ?? buttons[place - 1] ?? button.closest<HTMLElement>('[data-ticket]')
  next?.focus({ preventScroll: true })
}
