import { memo } from 'react'
import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { cx } from '../../components/cx'
import { Icon } from '../../components/Icon'
import { formatOdd } from '../../domain/oddsFormat'
import { type TicketPair, waitsForFeed } from '../../domain/ticket/ticket'
import { useTranslation } from '../../i18n/useTranslation'
import { pairMarket } from '../../platform/offer/marketTitle'
import { matchName } from '../../platform/offer/matchName'
import { selectMatch } from '../../platform/offer/offerSelectors'
import { selectOddsFormat } from '../../platform/preferences/preferencesSelectors'
import { usePairName } from '../../platform/ticket/pairName'
import { wished } from '../../platform/ticket/ticketSlice'
import styles from './Pair.module.css'

export interface PairProps {
  pair: TicketPair
  /** Whether the pair can be marked as fix; only in a system. */
  canFix: boolean
}

/** Memoised: when a new ticket arrives, unchanged pairs are the same objects and do not render again. */
export const Pair = memo(function Pair({ pair, canFix }: PairProps) {
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
        <span>{matchName(pair)}</span> <Score matchId={matchId} />
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
      {!canBet && (
        <p className={styles.why}>
          <Icon name={waits ? 'info' : 'warning'} size="s" />
          <span>{t(reason === null ? 'reason_unknown' : `reason_${reason}`)}</span>
        </p>
      )}
    </li>
  )
})

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

function Score({ matchId }: { matchId: number }) {
  const score = useAppSelector((state) => selectMatch(state, matchId)?.score?.join(':'))
  return score ? <b className={styles.score}>{score}</b> : null
}

/** Moves the focus to the neighbour of the removed pair, or to the panel. */
function focusNext(button: HTMLElement): void {
  const buttons = [...(button.closest('ol')?.querySelectorAll<HTMLElement>('[data-remove]') ?? [])]
  const place = buttons.indexOf(button)
  const next = buttons[place + 1] ?? buttons[place - 1] ?? button.closest<HTMLElement>('[data-ticket]')
  next?.focus({ preventScroll: true })
}
