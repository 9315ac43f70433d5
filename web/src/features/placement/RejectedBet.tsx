import { useEffect, useState } from 'react'
import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { Button } from '../../components/Button'
import { cx } from '../../components/cx'
import { PressButton } from '../../components/Form'
import { type TicketPair, withWish } from '../../domain/ticket/ticket'
import { builderCode } from '../../domain/ticket/totals'
import { useTranslation } from '../../i18n/useTranslation'
import { useMoney } from '../../platform/account/useMoney'
import { Payout } from '../../platform/ticket/Payout'
import { selectRules } from '../../platform/ticket/rulesSlice'
import { wished } from '../../platform/ticket/ticketSlice'
import { selectTicket } from '../../platform/ticket/totalsSelectors'
import { selectCanReach } from './canReach'
import { isFinal, withPrices } from './order'
import { PairLine, type Row } from './PairLine'
import styles from './PlacementDialogs.module.css'
import type { PairChange } from './placementState'
import { changesAccepted } from './placingSteps'

/** After this time the hub has certainly sent what the rejection said. From then on only the ticket counts. */
const HUB_IS_LATER_MS = 3000

/**
 * The content of the dialog for a bet that was rejected because pairs have changed. The bettor can accept the new odds
 * and place the bet, wait until all pairs can be bet on, or place the bet without those that cannot.
 */
export function RejectedBet({ changes, onClose }: { changes: readonly PairChange[]; onClose: () => void }) {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const money = useMoney()
  const rules = useAppSelector(selectRules)
  const canReach = useAppSelector(selectCanReach)
  const current = useAppSelector(selectTicket)
  const rows = useRows(changes, current.pairs)
  const prices = new Map(rows.map(({ pair, now }) => [pair.matchId, now] as const))
  const ticket = withPrices(current, prices, rules)
  const shown = rows.filter(
    ({ pair, before, now, reason }) => now !== before || reason !== null || changes.some((each) => isOf(each, pair)),
  )
  const locked = rows.filter(({ reason }) => reason !== null)
  const count = locked.length
  const rest = withPrices(
    locked.reduce((left, { pair }) => withWish(left, { wish: 'drop', matchId: pair.matchId }), ticket),
    prices,
    rules,
  )
  const canDrop = count > 0 && builderCode(rest) === null && !locked.some(({ reason }) => isOfFeed(reason))
  const canWait = !locked.some(({ reason }) => isFinal(reason))
  const hasPrices = rows.every(({ now }) => now > 0)
  const hasMoved = rows.some(({ before, now, reason }) => reason === null && now !== before)
  const amount = money(current.stake)
  return (
    <>
      {hasMoved && <p className={styles.text}>{t('rejectedOdds')}</p>}
      {count > 0 && <p className={styles.text}>{t('rejectedLocked', { count })}</p>}
      <ul className={styles.pairs}>
        {shown.map((row) => (
          <PairLine key={row.pair.matchId} row={row} isFix={ticket.type === 1 && row.pair.isFix} />
        ))}
      </ul>
      {hasPrices && <Payout amount={ticket.possiblePayout} stake={ticket.stake} isMost={ticket.type === 1} />}
      {canDrop && (
        <dl className={cx(styles.sums, styles.without)}>
          <dt>{t('payoutWithout', { count })}</dt>
          <dd>{money(rest.possiblePayout)}</dd>
        </dl>
      )}
      <div className={styles.choices}>
        {canWait && (
          <PressButton
            look="primary"
            className={styles.action}
            aria-disabled={!canReach || count > 0}
            data-accept=""
            onPress={() => count === 0 && dispatch(changesAccepted(prices))}
          >
            {!canReach
              ? t('waitingForOffer')
              : count > 0
                ? t('waitingForPairs', { count })
                : t(hasMoved ? 'acceptAndPlace' : 'placeBet', { amount })}
          </PressButton>
        )}
        {canDrop && (
          <PressButton
            look={canWait ? 'quiet' : 'primary'}
            className={styles.action}
            aria-disabled={!canReach}
            onPress={() => {
              if (canReach) {
                for (const { pair } of locked) {
                  dispatch(wished({ wish: 'drop', matchId: pair.matchId }))
                }
                dispatch(changesAccepted(prices))
              }
            }}
          >
            {t('placeWithout', { count, amount })}
          </PressButton>
        )}
        {/* It has the focus, so that an impatient Enter during the wait accepts nothing. */}
        <Button className={styles.action} autoFocus onClick={onClose}>
          {t('cancel')}
        </Button>
      </div>
    </>
  )
}

/** The current state of each pair. Right after the answer, the answer is newer than what the hub has sent. */
function useRows(changes: readonly PairChange[], pairs: readonly TicketPair[]): readonly Row[] {
  const [first] = useState(pairs)
  const [isHubLater, setHubLater] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setHubLater(true), HUB_IS_LATER_MS)
    return () => clearTimeout(timer)
  }, [])
  return pairs.map((pair) => {
    const change = changes.find((each) => isOf(each, pair))
    const held = first.find(({ oddId }) => oddId === pair.oddId)
    const isSame = held?.oddValue === pair.oddValue && held.canBet === pair.canBet
    const answered = isSame && !isHubLater ? change : undefined
    return {
      pair,
      before: change?.sentValue ?? held?.oddValue ?? pair.oddValue,
      now: answered?.currentValue ?? pair.oddValue,
      reason: answered?.reason ?? (pair.canBet ? null : (pair.reason ?? 'unknown')),
    }
  })
}

const isOf = (change: PairChange, { matchId, oddId }: TicketPair) =>
  change.matchId === matchId && change.oddId === oddId

/** With the feed inactive no pair can be bet on, so that leaving out some does not help. */
const isOfFeed = (reason: Row['reason']) => reason === 'feed_inactive' || reason === 'feed_recovering'
