import { useId } from 'react'
import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { Alert, AlertAction } from '../../components/Alert'
import { PressButton } from '../../components/Form'
import { waitsForFeed } from '../../domain/ticket/ticket'
import { useTranslation } from '../../i18n/useTranslation'
import { useMoney } from '../../platform/account/useMoney'
import { selectSingles, sumOf } from '../../platform/ticket/singlesSlice'
import { selectChoice } from '../../platform/ticket/ticketSelectors'
import { wished } from '../../platform/ticket/ticketSlice'
import { selectCanReach } from './canReach'
import styles from './PlaceButton.module.css'
import { selectPlacement } from './placementSlice'
import { obstacleToSingles } from './singlesObstacle'
import { isDoubtful, selectSinglesOrder } from './singlesOrderSlice'
import { UnknownOutcome } from './UnknownOutcome'
import { usePlace } from './usePlace'

/** The button that places all singles of the ticket, with the sum of their stakes. */
export function PlaceSingles() {
  const { t } = useTranslation()
  const money = useMoney()
  const place = usePlace()
  const singles = useAppSelector(selectSingles)
  const canReach = useAppSelector(selectCanReach)
  const hasObstacle = useAppSelector((state) => obstacleToSingles(state) !== null)
  const isBusy = useAppSelector(
    (state) => selectSinglesOrder(state).stage === 'sending' || selectPlacement(state).stage === 'unknown',
  )
  const id = useId()
  return (
    <>
      <div id={id}>
        <SinglesObstacle />
      </div>
      <PressButton
        look="primary"
        className={styles.place}
        aria-disabled={isBusy || !canReach || hasObstacle}
        aria-busy={isBusy}
        aria-describedby={id}
        data-place=""
        isBusy={isBusy}
        onPress={place}
      >
        {canReach ? t('placeBet', { amount: money(sumOf(singles, 'stake')) }) : t('waitingForOffer')}
      </PressButton>
    </>
  )
}

function SinglesObstacle() {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { pairs } = useAppSelector(selectChoice)
  const key = useAppSelector((state) => obstacleToSingles(state)?.key ?? null)
  const balance = useAppSelector((state) => obstacleToSingles(state)?.values.balance ?? '')
  const limit = useAppSelector((state) => obstacleToSingles(state)?.values.amount ?? '')
  const placement = useAppSelector(selectPlacement)
  const order = useAppSelector(selectSinglesOrder)
  const locked = pairs.filter((pair) => !pair.canBet && !waitsForFeed(pair))
  if (placement.stage === 'unknown') {
    return <UnknownOutcome login={placement.login} />
  }
  if (order.stage === 'sending' && isDoubtful(order)) {
    return <UnknownOutcome login={order.login} />
  }
  if (key === 'liveRemoveDisabledPairs') {
    return (
      <Alert
        look="warn"
        className={styles.obstacle}
        action={
          <AlertAction
            onPress={() => {
              for (const { matchId } of locked) {
                dispatch(wished({ wish: 'drop', matchId }))
              }
            }}
          >
            {t('removeLocked', { count: locked.length })}
          </AlertAction>
        }
      >
        {t('lockedCount', { count: locked.length })}
      </Alert>
    )
  }
  return (
    key && (
      <Alert look={key === 'pairsWait' ? 'info' : 'warn'} className={styles.obstacle}>
        {t(key, { balance, amount: limit })}
      </Alert>
    )
  )
}
