import { useId } from 'react'
import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { Alert, AlertAction } from '../../components/Alert'
import { PressButton } from '../../components/Form'
import type { Exclusion } from '../../domain/exclusion'
import { freePairs, waitsForFeed } from '../../domain/ticket/ticket'
import { useTranslation } from '../../i18n/useTranslation'
import { selectUser } from '../../platform/account/accountSlice'
import { BARRED_ID, ExclusionLine } from '../../platform/account/ExclusionLine'
import { selectExclusion } from '../../platform/account/protectionSlice'
import { useMoney } from '../../platform/account/useMoney'
import { selectIsSingles } from '../../platform/ticket/singlesSlice'
import { selectChoice } from '../../platform/ticket/ticketSelectors'
import { wished } from '../../platform/ticket/ticketSlice'
import { SYSTEM_FROM, selectBuilderCode, selectWaitsForFeed } from '../../platform/ticket/totalsSelectors'
import { panelTurned } from '../../platform/view/viewSlice'
import { selectCanReach } from './canReach'
import { selectHasCashier, selectIsEnough, selectLargestStake } from './largestStake'
import styles from './PlaceButton.module.css'
import { PlaceSingles } from './PlaceSingles'
import { selectPlacement } from './placementSlice'
import { isDoubtful, selectSinglesOrder } from './singlesOrderSlice'
import { UnknownOutcome } from './UnknownOutcome'
import { usePlace } from './usePlace'

/** The button that places the bet. During an exclusion a line takes its place. */
export function PlaceButton() {
  const exclusion = useAppSelector(selectExclusion)
  const isSingles = useAppSelector(selectIsSingles)
  return exclusion ? <Barred exclusion={exclusion} /> : isSingles ? <PlaceSingles /> : <Active />
}

function Barred({ exclusion }: { exclusion: Exclusion }) {
  const isUnknown = useAppSelector((state) => selectPlacement(state).stage === 'unknown')
  return (
    <>
      {/* The bet that was placed before it. */}
      {isUnknown && <Obstacle />}
      {/* What focuses the button focuses the line instead. */}
      <div className={styles.barred} tabIndex={-1} data-place="">
        <ExclusionLine exclusion={exclusion} id={BARRED_ID} />
      </div>
    </>
  )
}

/** If it cannot place the bet, the reason is shown above it. */
function Active() {
  const { t } = useTranslation()
  const money = useMoney()
  const place = usePlace()
  const stake = useAppSelector((state) => selectChoice(state).stake)
  const placement = useAppSelector(selectPlacement)
  const canReach = useAppSelector(selectCanReach)
  const code = useAppSelector(selectBuilderCode)
  const waits = useAppSelector(selectWaitsForFeed)
  const largest = useAppSelector(selectLargestStake)
  const isTooMuch = useAppSelector((state) => largest !== null && !selectIsEnough(state, largest))
  const isSending = useAppSelector((state) => selectSinglesOrder(state).stage === 'sending')
  const isBusy = placement.stage === 'waiting' || placement.stage === 'unknown' || isSending
  const amount =
    largest === null || isTooMuch || code !== null
      ? t('placeBet', { amount: money(stake) })
      : t('stakeLargest', { amount: money(largest) })
  const obstacleId = useId()
  return (
    <>
      <div id={obstacleId}>
        <Obstacle />
      </div>
      <PressButton
        look="primary"
        className={styles.place}
        aria-disabled={isBusy || !canReach || code !== null || isTooMuch || placement.stage === 'confirming'}
        aria-busy={isBusy}
        aria-describedby={obstacleId}
        data-place=""
        isBusy={isBusy}
        onPress={place}
      >
        {placement.stage === 'waiting'
          ? t('liveConfirmBetWait')
          : !canReach
            ? t('waitingForOffer')
            : waits
              ? t('waitingForFeed')
              : amount}
      </PressButton>
    </>
  )
}

/** The reason why the ticket cannot be placed, if there is one. */
function Obstacle() {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const money = useMoney()
  const balance = useAppSelector(selectUser)?.balance ?? null
  const largest = useAppSelector(selectLargestStake)
  const hasCashier = useAppSelector(selectHasCashier)
  const hasChoice = useAppSelector((state) => freePairs(selectChoice(state)) >= SYSTEM_FROM)
  const placement = useAppSelector(selectPlacement)
  const singles = useAppSelector(selectSinglesOrder)
  const code = useAppSelector(selectBuilderCode)
  const locked = useAppSelector((state) =>
    selectChoice(state)
      .pairs.filter((pair) => !pair.canBet && !waitsForFeed(pair))
      .map(({ matchId }) => matchId)
      .join(),
  )
  if (placement.stage === 'unknown') {
    return <UnknownOutcome login={placement.login} />
  }
  if (singles.stage === 'sending' && isDoubtful(singles)) {
    return <UnknownOutcome login={singles.login} />
  }
  if (code === 1 && locked === '') {
    return (
      <Alert look="info" className={styles.obstacle}>
        {t('pairsWait')}
      </Alert>
    )
  }
  if (code === 1) {
    const ids = locked.split(',').map(Number)
    return (
      <Alert
        look="warn"
        className={styles.obstacle}
        action={
          <AlertAction
            onPress={() => {
              for (const matchId of ids) {
                dispatch(wished({ wish: 'drop', matchId }))
              }
            }}
          >
            {t('removeLocked', { count: ids.length })}
          </AlertAction>
        }
      >
        {t('lockedCount', { count: ids.length })}
      </Alert>
    )
  }
  if (code === 0) {
    return (
      <Alert look="warn" className={styles.obstacle}>
        {t(hasChoice ? 'liveAtLeastOneComb' : 'combinationsNeedPairs')}
      </Alert>
    )
  }
  if (largest === null) {
    return null
  }
  if (largest !== balance) {
    return (
      <Alert look="warn" className={styles.obstacle}>
        {t('stakeMax', { amount: money(largest) })}
      </Alert>
    )
  }
  return (
    <Alert
      look="warn"
      className={styles.obstacle}
      action={
        hasCashier && <AlertAction onPress={() => dispatch(panelTurned('cashier'))}>{t('cashier_deposit')}</AlertAction>
      }
    >
      {t('refusedNotEnoughBalance', { balance: money(balance) })}
    </Alert>
  )
}
