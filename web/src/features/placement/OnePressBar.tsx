import type { ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { cx } from '../../components/cx'
import { Icon } from '../../components/Icon'
import { Spinner } from '../../components/Spinner'
import { useTopModal } from '../../components/topModal'
import { useSecondsLeft } from '../../components/useSecondsLeft'
import { wholeNumbers } from '../../components/wholeNumbers'
import { formatOdd } from '../../domain/oddsFormat'
import type { ReckonedTicket } from '../../domain/ticket/ticket'
import { moneyInText } from '../../i18n/moneyInText'
import { useTranslation } from '../../i18n/useTranslation'
import { useMoney } from '../../platform/account/useMoney'
import { matchName } from '../../platform/offer/matchName'
import { selectLanguage, selectOddsFormat } from '../../platform/preferences/preferencesSelectors'
import { usePairName } from '../../platform/ticket/pairName'
import { pageOpened } from '../../platform/view/viewSlice'
import styles from './OnePressBar.module.css'
import { UNDO_MS } from './onePressListeners'
import { onePressUndone, selectOnePressBet } from './onePressSlice'
import type { OnePressBet } from './onePressState'
import type { Outcome } from './placementState'
import { selectSinglesOrder, singlesRead } from './singlesOrderSlice'
import type { SinglesOrderState } from './singlesOrderState'

/** The bet of one press: first with the time in which it can be taken back, then with its outcome. */
export function OnePressBar() {
  const modal = useTopModal()
  const bet = useAppSelector(selectOnePressBet)
  const order = useAppSelector(selectSinglesOrder)
  const bar = bet ? <Waiting key={bet.sinceMs} bet={bet} /> : <Sent order={order} />
  return modal ? createPortal(bar, modal) : bar
}

function Waiting({ bet: { ticket, untilMs } }: { bet: OnePressBet }) {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const left = useSecondsLeft(untilMs)
  return (
    <Bar ticket={ticket} press={{ text: t('onePressUndo'), onPress: () => dispatch(onePressUndone()) }}>
      <span className="n" role="timer" aria-live="off">
        {t('onePressWaits', { count: left })}
      </span>
      <span className={styles.time} style={{ animationDuration: `${UNDO_MS}ms` }} aria-hidden="true" />
    </Bar>
  )
}

function Sent({ order }: { order: SinglesOrderState }) {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  if ((order.stage !== 'sending' && order.stage !== 'known') || !order.isOnePress) {
    return null
  }
  const [item] = order.items
  if (!item) {
    return null
  }
  if (order.stage === 'sending') {
    return (
      <Bar
        ticket={item.ticket}
        press={order.login ? { text: t('logIn'), onPress: () => dispatch(pageOpened('login', true)) } : null}
      >
        {order.isUnsure ? (
          t(order.login ? 'outcomeNeedsLogin' : 'outcomeUnknown')
        ) : (
          <>
            <Spinner className={styles.spinner} />
            <span>{t('singleWaits')}</span>
          </>
        )}
      </Bar>
    )
  }
  return (
    <Bar ticket={item.ticket} press={{ text: t('close'), onPress: () => dispatch(singlesRead()) }}>
      {item.outcome && <Fate outcome={item.outcome} />}
    </Bar>
  )
}

function Fate({ outcome }: { outcome: Outcome }) {
  const { t } = useTranslation()
  const language = useAppSelector(selectLanguage)
  const isAccepted = outcome.kind === 'accepted'
  const text =
    outcome.kind === 'accepted'
      ? wholeNumbers(t('singleTaken', { id: outcome.receipt.ticketNumber ?? '' }))
      : t('singleRefused', {
          reason:
            outcome.kind === 'refused'
              ? moneyInText(language, outcome.reason)
              : t(outcome.kind === 'notPlaced' ? 'notPlacedText' : 'liveTryLater'),
        })
  return (
    <span className={cx(styles.fate, isAccepted ? styles.taken : styles.refused)} role="alert">
      <Icon name={isAccepted ? 'tick' : 'warning'} size="s" />
      <span>{text}</span>
    </span>
  )
}

interface BarProps {
  ticket: ReckonedTicket
  press: { readonly text: string; readonly onPress: () => void } | null
  children: ReactNode
}

function Bar({ ticket, press, children }: BarProps) {
  const { t } = useTranslation()
  const money = useMoney()
  const nameOf = usePairName()
  const format = useAppSelector(selectOddsFormat)
  const [pair] = ticket.pairs
  return (
    pair && (
      <section className={styles.bar} aria-label={t('onePress')} data-one-press="">
        <p className={styles.pick}>
          <b>{nameOf(pair)}</b> <small>{matchName(pair)}</small>
        </p>
        <p className={cx(styles.price, 'n')}>
          <span>{formatOdd(pair.oddValue, format)}</span> <span className={styles.stake}>{money(ticket.stake)}</span>
        </p>
        <p className={styles.state}>{children}</p>
        {press && (
          <button type="button" className={styles.press} onClick={press.onPress}>
            {press.text}
          </button>
        )}
      </section>
    )
  )
}
