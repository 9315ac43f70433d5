import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { Button } from '../../components/Button'
import { cx } from '../../components/cx'
import { Dialog } from '../../components/Dialog'
import { DELIBERATE_MS } from '../../components/deliberatePress'
import { PressButton } from '../../components/Form'
import { Icon } from '../../components/Icon'
import { Spinner } from '../../components/Spinner'
import { useSecondsLeft } from '../../components/useSecondsLeft'
import { wholeNumbers } from '../../components/wholeNumbers'
import { stakeEach } from '../../domain/ticket/stake'
import { freePairs, type ReckonedTicket, type TicketPair } from '../../domain/ticket/ticket'
import { moneyInText } from '../../i18n/moneyInText'
import { useTranslation } from '../../i18n/useTranslation'
import { selectExclusion } from '../../platform/account/protectionSlice'
import { useMoney } from '../../platform/account/useMoney'
import { selectLanguage } from '../../platform/preferences/preferencesSelectors'
import { Payout } from '../../platform/ticket/Payout'
import { selectPairCount } from '../../platform/ticket/ticketSelectors'
import { formatTotalOdd } from '../../platform/ticket/totalOdd'
import { selectTicket } from '../../platform/ticket/totalsSelectors'
import { printAsked, restoreAsked } from '../../platform/view/requests'
import { pageOpened } from '../../platform/view/viewSlice'
import { selectCanReach } from './canReach'
import { selectLargestStake, stakeLowered } from './largestStake'
import { isFinal } from './order'
import { PairLine, type Row } from './PairLine'
import styles from './PlacementDialogs.module.css'
import { confirmationDeclined, outcomeRead, selectPlacement, unknownRead } from './placementSlice'
import type { PlacementState, Receipt } from './placementState'
import { betConfirmed } from './placingSteps'
import { RejectedBet } from './RejectedBet'
import { SinglesDialogs } from './SinglesDialogs'
import { SmallerStake } from './SmallerStake'
import { useFallTime } from './useFallTime'

/** The dialogs shown while a bet is placed (CONTRACT 4, *What the browser does*). */
export function PlacementDialogs() {
  const placement = useAppSelector(selectPlacement)
  switch (placement.stage) {
    case 'confirming':
      return <Confirm />
    case 'waiting':
    case 'unknown':
    case 'known':
      return <UnderWay placement={placement} />
    case 'idle':
      return <SinglesDialogs />
  }
}

/** The dialog from the confirmation to the outcome. It stays one dialog so that screen readers announce the outcome. */
function UnderWay({ placement }: { placement: Exclude<PlacementState, { stage: 'idle' | 'confirming' }> }) {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const read = () => dispatch(outcomeRead())
  const said = useSaid(placement)
  const hasPairs = useAppSelector(selectPairCount) > 0
  if (placement.stage === 'waiting') {
    return (
      <Dialog title={t('liveConfirmBetWait')}>
        <Wait untilMs={placement.sentMs + placement.delaySeconds * 1000} />
      </Dialog>
    )
  }
  if (placement.stage === 'known' && placement.outcome.kind === 'accepted') {
    return (
      <Dialog title={said.title} says={said.says} onCancel={read} icon={<Mark look="good" />}>
        <Thanks receipt={placement.outcome.receipt} />
      </Dialog>
    )
  }
  if (placement.stage === 'unknown' && placement.said === 'nothing') {
    return null
  }
  // The popup for a call without an answer has no button and closes by itself.
  const isPopup = placement.stage === 'unknown' && placement.said === 'popup'
  const close = placement.stage === 'known' ? read : () => dispatch(unknownRead())
  const refused = refusedOf(placement)
  const changes = hasPairs ? (refused?.changes ?? []) : []
  return (
    <Dialog
      role="alertdialog"
      title={said.title}
      says={said.says}
      onCancel={isPopup ? undefined : close}
      icon={<Mark look="bad" />}
    >
      {changes.length > 0 ? (
        <RejectedBet changes={changes} onClose={close} />
      ) : (
        said.texts.map((text) => (
          <p key={text} className={styles.text}>
            {text}
          </p>
        ))
      )}
      {!isPopup && changes.length === 0 && (
        <div className={styles.choices}>
          {hasPairs && refused ? (
            <SmallerStake left={refused.left} onClose={close} />
          ) : (
            <Button look="primary" className={styles.action} autoFocus onClick={close}>
              {t('ok')}
            </Button>
          )}
        </div>
      )}
    </Dialog>
  )
}

function refusedOf(placement: PlacementState) {
  const outcome = placement.stage === 'known' ? placement.outcome : null
  return outcome?.kind === 'refused' ? outcome : null
}

/** Title and texts for the outcome of the bet; `says` is all of it as one announcement. */
function useSaid(placement: PlacementState): { title: string; texts: string[]; says: string } {
  const { t } = useTranslation()
  const language = useAppSelector(selectLanguage)
  const say = (title: string, ...texts: string[]) => ({
    title,
    texts,
    says: [title.endsWith('.') ? title : `${title}.`, ...texts].join(' '),
  })
  if (placement.stage === 'unknown' && placement.said === 'error') {
    // The contract's message says that the bet was not placed, which is not known. It follows as a quotation.
    const message = `${t('liveErrorMessage')} ${t('liveTryLater')}`
    return say(t('outcomeUnknown'), t('outcomeUnknownText'), t('outcomeError', { message }))
  }
  if (placement.stage === 'unknown') {
    const later = placement.said === 'communicationError' ? [] : [t('liveTryLater')]
    return say(t('liveCommunicationError'), ...later, t('outcomeUnknownText'))
  }
  const outcome = placement.stage === 'known' ? placement.outcome : null
  switch (outcome?.kind) {
    case 'accepted':
      return say(t('liveThanksMessage'), numberOf(outcome.receipt, t))
    case 'refused':
      return say(t('liveErrorMessage'), moneyInText(language, outcome.reason))
    case 'notPlaced':
      return say(t('liveErrorMessage'), t('notPlacedText'))
    default:
      return say(t('liveErrorMessage'), t('liveTryLater'))
  }
}

function Confirm() {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const money = useMoney()
  const ticket = useAppSelector(selectTicket)
  const canReach = useAppSelector(selectCanReach)
  const [opened] = useState(ticket.pairs)
  const rows = ticket.pairs.map((pair): Row => {
    const before = opened.find(({ oddId }) => oddId === pair.oddId)?.oddValue ?? pair.oddValue
    return { pair, before, now: pair.oddValue, reason: pair.canBet ? null : (pair.reason ?? 'unknown') }
  })
  const locked = rows.filter(({ reason }) => reason !== null).length
  const canWait = !rows.some(({ reason }) => isFinal(reason))
  const hasFallen = rows.some(({ before, now, reason }) => reason === null && now < before)
  const fellMs = useFallTime(ticket.pairs)
  const largest = useAppSelector(selectLargestStake)
  const place = () => {
    if (largest !== null) {
      dispatch(stakeLowered(largest))
      return
    }
    const isTooSoon = ticket.consent !== 'any' && Date.now() - fellMs.current < DELIBERATE_MS
    if (locked === 0 && !isTooSoon) {
      dispatch(betConfirmed())
    }
  }
  const decline = () => dispatch(confirmationDeclined())
  const amount = money(ticket.stake)
  return (
    <Dialog title={t('liveConfirmBet')} onCancel={decline}>
      <p className={styles.text}>{useKindOf(ticket)}</p>
      <ul className={styles.pairs}>
        {rows.map((row) => (
          <PairLine key={row.pair.matchId} row={row} isFix={isFixed(ticket, row.pair)} />
        ))}
      </ul>
      <dl className={styles.sums}>
        <dt>{t('stake')}</dt>
        <dd>{amount}</dd>
        <StakeEach ticket={ticket} />
        {ticket.type === 0 && (
          <>
            <dt>{t('totalOdd')}</dt>
            <dd>{formatTotalOdd(ticket.totalOdd)}</dd>
          </>
        )}
      </dl>
      {rows.every(({ now }) => now > 0) && (
        <Payout amount={ticket.possiblePayout} stake={ticket.stake} isMost={ticket.type === 1} />
      )}
      <div className={styles.actions}>
        <Button className={styles.action} onClick={decline}>
          {t('cancel')}
        </Button>
        <PressButton
          look="primary"
          className={styles.action}
          autoFocus
          aria-disabled={!canReach || locked > 0}
          onPress={place}
        >
          {!canReach
            ? t('waitingForOffer')
            : locked > 0 && canWait
              ? t('waitingForPairs', { count: locked })
              : largest === null
                ? t(hasFallen ? 'acceptAndPlace' : 'placeBet', { amount })
                : t('stakeLargest', { amount: money(largest) })}
        </PressButton>
      </div>
    </Dialog>
  )
}

/** A standard ticket keeps its fixes without effect. */
function isFixed({ type }: ReckonedTicket, { isFix }: TicketPair): boolean {
  return type === 1 && isFix
}

function StakeEach({ ticket }: { ticket: ReckonedTicket }) {
  const { t } = useTranslation()
  const money = useMoney()
  return ticket.type === 1 && ticket.numberOfOdds > 0 ? (
    <>
      <dt>{t('stakeEach')}</dt>
      <dd>{money(stakeEach(ticket))}</dd>
    </>
  ) : null
}

function useKindOf(ticket: ReckonedTicket): string {
  const { t } = useTranslation()
  return ticket.type === 0
    ? t('standardTicket', { pairs: t('pairCount', { count: ticket.pairs.length }) })
    : t('systemTicket', {
        k: ticket.combination ?? 0,
        of: freePairs(ticket),
        combinations: t('combinationCount', { count: ticket.numberOfOdds }),
      })
}

function Wait({ untilMs }: { untilMs: number }) {
  const { t } = useTranslation()
  const left = useSecondsLeft(untilMs)
  return (
    <>
      <p className={styles.text}>{t('waitText')}</p>
      <p className={styles.wait}>
        <Spinner className={styles.spinner} />
        {left > 0 && (
          <span className="n" role="timer" aria-live="off">
            {t('waitSeconds', { count: left })}
          </span>
        )}
      </p>
    </>
  )
}

/** Where to find the bet, with its number if the server has sent it. */
function numberOf({ ticketNumber }: Receipt, t: TFunction): string {
  return ticketNumber ? t('receiptNumber', { id: ticketNumber }) : ''
}

function Thanks({ receipt }: { receipt: Receipt }) {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const money = useMoney()
  const isBarred = useAppSelector(selectExclusion) !== null
  const { ticket } = receipt
  const read = () => dispatch(outcomeRead())
  const said = receipt.message === t('liveThanksMessage') ? '' : receipt.message
  return (
    <>
      {said && <p className={styles.text}>{said}</p>}
      <p className={styles.text}>{wholeNumbers(numberOf(receipt, t))}</p>
      {receipt.ticket && <Accepted ticket={receipt.ticket} />}
      <dl className={cx(styles.sums, styles.receipt)}>
        <dt>{t('stake')}</dt>
        <dd>{money(receipt.stake)}</dd>
        {receipt.ticket && <StakeEach ticket={receipt.ticket} />}
        {receipt.totalOdd && (
          <>
            <dt>{t('totalOdd')}</dt>
            <dd>{formatTotalOdd(receipt.totalOdd)}</dd>
          </>
        )}
        {receipt.balance !== null && (
          <>
            <dt>{t('newBalance')}</dt>
            <dd>{money(receipt.balance)}</dd>
          </>
        )}
      </dl>
      <Payout amount={receipt.payout} isMost={!receipt.totalOdd} />
      <div className={styles.others}>
        {receipt.ticketId !== '' && (
          <Button onClick={() => dispatch(printAsked(receipt.ticketId))}>{t('printReceipt')}</Button>
        )}
        {ticket && !isBarred && (
          <Button
            onClick={() => {
              read()
              dispatch(restoreAsked(ticket))
            }}
          >
            {t('keepPairs')}
          </Button>
        )}
      </div>
      <div className={styles.actions}>
        <Button
          className={styles.action}
          onClick={() => {
            read()
            dispatch(pageOpened('bets'))
          }}
        >
          {t('myBets')}
        </Button>
        <Button look="primary" className={styles.action} autoFocus onClick={read}>
          {t('continue')}
        </Button>
      </div>
    </>
  )
}

/** The kind of the ticket, and its pairs at the accepted prices. */
function Accepted({ ticket }: { ticket: ReckonedTicket }) {
  return (
    <>
      <p className={styles.text}>{useKindOf(ticket)}</p>
      <ul className={styles.pairs}>
        {ticket.pairs.map((pair) => (
          <PairLine
            key={pair.matchId}
            row={{ pair, before: pair.oddValue, now: pair.oddValue, reason: null }}
            isFix={isFixed(ticket, pair)}
          />
        ))}
      </ul>
    </>
  )
}

function Mark({ look }: { look: 'good' | 'bad' }) {
  return (
    <span className={cx(styles.mark, styles[look])}>
      <Icon name={look === 'good' ? 'tick' : 'warning'} size="l" />
    </span>
  )
}
