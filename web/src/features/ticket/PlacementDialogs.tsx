import { type MouseEvent, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { Button } from '../../components/Button'
import { cx } from '../../components/cx'
import { Dialog } from '../../components/Dialog'
import { Icon } from '../../components/Icon'
import { Spinner } from '../../components/Spinner'
import { formatOdd } from '../../domain/oddsFormat'
import { freePairs } from '../../domain/ticket/ticket'
import { useMoney } from '../account/useMoney'
import { matchName } from '../offer/matchName'
import { selectOddsFormat } from '../preferences/preferencesSelectors'
import { pageOpened } from '../view/viewSlice'
import type { ReckonedTicket } from './order'
import { Payout } from './Payout'
import styles from './PlacementDialogs.module.css'
import { usePairName } from './pairName'
import { confirmationDeclined, type Outcome, type Receipt, selectPlacement, unknownRead } from './placementSlice'
import { usePlacing } from './placingContext'
import { formatTotalOdd } from './totalOdd'
import { selectTicket } from './totalsSelectors'

/** What is asked and said while a bet is placed (CONTRACT 4, *What the browser does*). */
export function PlacementDialogs() {
  const placement = useAppSelector(selectPlacement)
  switch (placement.stage) {
    case 'confirming':
      return <Confirm />
    case 'waiting':
      return <Wait sentMs={placement.sentMs} delaySeconds={placement.delaySeconds} />
    case 'unknown':
      return placement.said === 'nothing' ? null : <Said what={placement.said} />
    case 'known':
      return <Known outcome={placement.outcome} />
    case 'idle':
      return null
  }
}

function Confirm() {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const money = useMoney()
  const nameOf = usePairName()
  const { place } = usePlacing()
  const ticket = useAppSelector(selectTicket)
  const format = useAppSelector(selectOddsFormat)
  const decline = () => dispatch(confirmationDeclined())
  return (
    <Dialog title={t('liveConfirmBet')} onCancel={decline}>
      <p className={styles.text}>{useKindOf(ticket)}</p>
      <ul className={styles.pairs}>
        {ticket.pairs.map((pair) => (
          <li key={pair.matchId} className={styles.pair}>
            <b>{nameOf(pair)}</b>
            <b className={cx('n', movedClass(pair.oddValue - pair.pickedValue))}>{formatOdd(pair.oddValue, format)}</b>
            <small className={styles.detail}>{[pair.marketName, matchName(pair)].filter(Boolean).join(', ')}</small>
          </li>
        ))}
      </ul>
      <dl className={styles.sums}>
        <dt>{t('stake')}</dt>
        <dd>{money(ticket.stake)}</dd>
        {ticket.type === 0 && (
          <>
            <dt>{t('totalOdd')}</dt>
            <dd>{formatTotalOdd(ticket.totalOdd)}</dd>
          </>
        )}
      </dl>
      <Payout amount={ticket.possiblePayout} isMost={ticket.type === 1} />
      <div className={styles.actions}>
        <Button className={styles.action} onClick={decline}>
          {t('cancel')}
        </Button>
        <Button look="primary" className={styles.action} autoFocus onClick={once(place)} onKeyDown={ignoreHeldKey}>
          {t('placeBet', { amount: money(ticket.stake) })}
        </Button>
      </div>
    </Dialog>
  )
}

function movedClass(by: number): string | undefined {
  return by > 0 ? styles.up : by < 0 ? styles.down : undefined
}

/** The second click of a double one was meant for what stood there before. */
function once(act: () => void) {
  return (event: MouseEvent) => {
    if (event.detail <= 1) {
      act()
    }
  }
}

/** Enter that is held down has opened the question, and does not answer it. */
function ignoreHeldKey(event: { readonly repeat: boolean; preventDefault(): void }) {
  if (event.repeat) {
    event.preventDefault()
  }
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

function Wait({ sentMs, delaySeconds }: { sentMs: number; delaySeconds: number }) {
  const { t } = useTranslation()
  const left = useSecondsLeft(sentMs + delaySeconds * 1000)
  return (
    <Dialog title={t('liveConfirmBetWait')}>
      <p className={styles.text}>{t('waitText')}</p>
      <p className={styles.wait}>
        <Spinner className={styles.spinner} />
        {left > 0 && (
          <span className="n" role="timer" aria-live="off">
            {t('waitSeconds', { count: left })}
          </span>
        )}
      </p>
    </Dialog>
  )
}

function useSecondsLeft(untilMs: number): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 200)
    return () => clearInterval(timer)
  }, [])
  return Math.max(0, Math.ceil((untilMs - now) / 1000))
}

function Known({ outcome }: { outcome: Outcome }) {
  const { t } = useTranslation()
  switch (outcome.kind) {
    case 'accepted':
      return <Thanks receipt={outcome.receipt} />
    case 'refused':
      return <Refusal title={t('liveErrorMessage')} text={outcome.reason} />
    case 'failed':
      return <Refusal title={t('liveErrorMessage')} text={t('liveTryLater')} />
  }
}

function Thanks({ receipt }: { receipt: Receipt }) {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const money = useMoney()
  const { read } = usePlacing()
  const title = t('liveThanksMessage')
  const said = receipt.message === title ? '' : receipt.message
  return (
    <Dialog title={title} onCancel={read} icon={<Mark look="good" />}>
      {said && <p className={styles.text}>{said}</p>}
      <p className={styles.text}>{t('receiptNumber', { id: receipt.ticketId })}</p>
      <dl className={cx(styles.sums, styles.receipt)}>
        <dt>{t('stake')}</dt>
        <dd>{money(receipt.stake)}</dd>
        <dt>{t('totalOdd')}</dt>
        <dd>{formatTotalOdd(receipt.totalOdd)}</dd>
        {receipt.balance !== null && (
          <>
            <dt>{t('newBalance')}</dt>
            <dd>{money(receipt.balance)}</dd>
          </>
        )}
      </dl>
      <Payout amount={receipt.payout} />
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
    </Dialog>
  )
}

function Refusal({ title, text }: { title: string; text: string }) {
  const { t } = useTranslation()
  const { read } = usePlacing()
  return (
    <Dialog role="alertdialog" title={title} onCancel={read} icon={<Mark look="bad" />}>
      <p className={styles.text}>{text}</p>
      <div className={styles.action1}>
        <Button look="primary" className={styles.action} autoFocus onClick={read}>
          {t('ok')}
        </Button>
      </div>
    </Dialog>
  )
}

/** What is said where it is not known what came of the bet; the popup has no button and goes by itself. */
function Said({ what }: { what: 'popup' | 'communicationError' | 'error' }) {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const read = () => dispatch(unknownRead())
  const isError = what === 'error'
  return (
    <Dialog
      role="alertdialog"
      title={t(isError ? 'liveErrorMessage' : 'liveCommunicationError')}
      onCancel={what === 'popup' ? undefined : read}
      icon={<Mark look="bad" />}
    >
      {what !== 'communicationError' && <p className={styles.text}>{t('liveTryLater')}</p>}
      <p className={styles.text}>{t('outcomeUnknownText')}</p>
      {what !== 'popup' && (
        <div className={styles.action1}>
          <Button look="primary" className={styles.action} autoFocus onClick={read}>
            {t('ok')}
          </Button>
        </div>
      )}
    </Dialog>
  )
}

function Mark({ look }: { look: 'good' | 'bad' }) {
  return (
    <span className={cx(styles.mark, styles[look])}>
      <Icon name={look === 'good' ? 'tick' : 'warning'} size="l" />
    </span>
  )
}
