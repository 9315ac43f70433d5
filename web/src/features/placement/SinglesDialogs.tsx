import { type ReactNode, useState } from 'react'
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
import type { ReckonedTicket } from '../../domain/ticket/ticket'
import { moneyInText } from '../../i18n/moneyInText'
import { useTranslation } from '../../i18n/useTranslation'
import { useMoney } from '../../platform/account/useMoney'
import { selectLanguage } from '../../platform/preferences/preferencesSelectors'
import { Payout } from '../../platform/ticket/Payout'
import { selectSingles, sumOf } from '../../platform/ticket/singlesSlice'
import { selectChoice } from '../../platform/ticket/ticketSelectors'
import { pageOpened } from '../../platform/view/viewSlice'
import { selectCanReach } from './canReach'
import { isFinal } from './order'
import { PairLine, type Row } from './PairLine'
import placing from './PlacementDialogs.module.css'
import styles from './SinglesDialogs.module.css'
import { selectSinglesOrder, singlesConfirmed, singlesDeclined, singlesHidden, singlesRead } from './singlesOrderSlice'
import type { SingleItem, SinglesOrderState } from './singlesOrderState'
import { useFallTime } from './useFallTime'

/** The dialogs while singles are placed: one confirmation, one wait, and one receipt for all. */
export function SinglesDialogs() {
  const order = useAppSelector(selectSinglesOrder)
  switch (order.stage) {
    case 'confirming':
      return <Confirm />
    case 'sending':
      return order.isHidden || order.isOnePress ? null : <UnderWay order={order} />
    case 'known':
      return order.isOnePress ? null : <UnderWay order={order} />
    case 'idle':
      return null
  }
}

function Confirm() {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const money = useMoney()
  const singles = useAppSelector(selectSingles)
  const { pairs, consent } = useAppSelector(selectChoice)
  const canReach = useAppSelector(selectCanReach)
  const [opened] = useState(pairs)
  const fellMs = useFallTime(pairs)
  const rows = singles.flatMap((ticket) =>
    ticket.pairs.map((pair): { row: Row; ticket: ReckonedTicket } => {
      const before = opened.find(({ oddId }) => oddId === pair.oddId)?.oddValue ?? pair.oddValue
      const reason = pair.canBet ? null : (pair.reason ?? 'unknown')
      return { ticket, row: { pair, before, now: pair.oddValue, reason } }
    }),
  )
  const locked = rows.filter(({ row }) => row.reason !== null).length
  const canWait = !rows.some(({ row }) => isFinal(row.reason))
  const hasFallen = rows.some(({ row: { before, now, reason } }) => reason === null && now < before)
  const amount = money(sumOf(singles, 'stake'))
  const decline = () => dispatch(singlesDeclined())
  const place = () => {
    const isTooSoon = consent !== 'any' && Date.now() - fellMs.current < DELIBERATE_MS
    if (locked === 0 && !isTooSoon) {
      dispatch(singlesConfirmed())
    }
  }
  return (
    <Dialog title={t('liveConfirmBet')} onCancel={decline}>
      <p className={placing.text}>{t('singlesTicket', { count: singles.length })}</p>
      <ul className={placing.pairs}>
        {rows.map(({ row, ticket }) => (
          <PairLine key={row.pair.oddId} row={row}>
            <Amounts ticket={ticket} payout={ticket.possiblePayout} />
          </PairLine>
        ))}
      </ul>
      <Total stake={sumOf(singles, 'stake')} />
      <Payout amount={sumOf(singles, 'possiblePayout')} stake={sumOf(singles, 'stake')} isMost />
      <div className={placing.actions}>
        <Button className={placing.action} onClick={decline}>
          {t('cancel')}
        </Button>
        <PressButton
          look="primary"
          className={placing.action}
          autoFocus
          aria-disabled={!canReach || locked > 0}
          onPress={place}
        >
          {!canReach
            ? t('waitingForOffer')
            : locked > 0 && canWait
              ? t('waitingForPairs', { count: locked })
              : t(hasFallen ? 'acceptAndPlace' : 'placeBet', { amount })}
        </PressButton>
      </div>
    </Dialog>
  )
}

function Amounts({ ticket, payout }: { ticket: ReckonedTicket; payout: string }) {
  const { t } = useTranslation()
  const money = useMoney()
  return (
    <small className={styles.amounts}>
      <span>{`${t('stake')} ${money(ticket.stake)}`}</span>
      <span>{`${t('possiblePayout')} ${money(payout)}`}</span>
    </small>
  )
}

function Total({ stake }: { stake: string }) {
  const { t } = useTranslation()
  const money = useMoney()
  return (
    <dl className={placing.sums}>
      <dt>{t('stakeTotal')}</dt>
      <dd>{money(stake)}</dd>
    </dl>
  )
}

/** From the press to the receipt. It stays one dialog so that screen readers announce the outcome. */
function UnderWay({ order }: { order: Extract<SinglesOrderState, { stage: 'sending' | 'known' }> }) {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { items } = order
  const taken = items.filter(({ outcome }) => outcome?.kind === 'accepted')
  const isKnown = order.stage === 'known'
  const canClose = isKnown || order.isUnsure
  const close = () => dispatch(isKnown ? singlesRead() : singlesHidden())
  const title = !isKnown
    ? t('liveConfirmBetWait')
    : taken.length === 0
      ? t('liveErrorMessage')
      : t('singlesTaken', { taken: taken.length, all: items.length })
  const stays = isKnown && taken.length < items.length && t('singlesStay')
  const unsure = !isKnown && order.isUnsure && t(order.login ? 'outcomeNeedsLogin' : 'outcomeUnknownText')
  return (
    <Dialog
      title={title}
      says={isKnown ? [title, stays].filter(Boolean).join(' ') : ''}
      onCancel={canClose ? close : undefined}
      icon={isKnown && <Mark isGood={taken.length === items.length} />}
    >
      {order.stage === 'sending' && <Wait untilMs={order.sentMs + order.delaySeconds * 1000} />}
      {unsure && <p className={placing.text}>{unsure}</p>}
      <ul className={placing.pairs}>
        {items.map((item) => (
          <Item key={item.key} item={item} />
        ))}
      </ul>
      {stays && <p className={placing.text}>{stays}</p>}
      {taken.length > 0 && isKnown && (
        <Total
          stake={sumOf(
            taken.map(({ ticket }) => ticket),
            'stake',
          )}
        />
      )}
      {isKnown && (
        <div className={placing.actions}>
          <Button
            className={placing.action}
            onClick={() => {
              close()
              dispatch(pageOpened('bets'))
            }}
          >
            {t('myBets')}
          </Button>
          <Button look="primary" className={placing.action} autoFocus onClick={close}>
            {t('continue')}
          </Button>
        </div>
      )}
      {!isKnown && canClose && (
        <div className={placing.choices}>
          <Button className={placing.action} onClick={close}>
            {t('close')}
          </Button>
        </div>
      )}
    </Dialog>
  )
}

function Wait({ untilMs }: { untilMs: number }) {
  const { t } = useTranslation()
  const left = useSecondsLeft(untilMs)
  return (
    <p className={placing.wait}>
      <Spinner className={placing.spinner} />
      {left > 0 && (
        <span className="n" role="timer" aria-live="off">
          {t('waitSeconds', { count: left })}
        </span>
      )}
    </p>
  )
}

/** A bet with what became of it: at which odd and under which number it was accepted, or why not. */
function Item({ item: { ticket, outcome } }: { item: SingleItem }) {
  const { t } = useTranslation()
  const language = useAppSelector(selectLanguage)
  const [pair] = ticket.pairs
  if (!pair) {
    return null
  }
  const sent = pair.oddValue
  const change = outcome?.kind === 'refused' ? outcome.changes?.find(({ oddId }) => oddId === pair.oddId) : undefined
  const accepted = outcome?.kind === 'accepted' ? outcome.receipt : null
  const now = accepted?.ticket?.pairs[0]?.oddValue ?? change?.currentValue ?? sent
  return (
    <PairLine row={{ pair, before: sent, now, reason: change?.reason ?? null }}>
      <Amounts ticket={ticket} payout={accepted?.payout ?? ticket.possiblePayout} />
      {outcome === null ? (
        <Fate look="open">{t('singleWaits')}</Fate>
      ) : accepted ? (
        <Fate look="taken">{wholeNumbers(t('singleTaken', { id: accepted.ticketNumber ?? '' }))}</Fate>
      ) : (
        <Fate look="refused">
          {t('singleRefused', {
            reason:
              outcome.kind === 'refused'
                ? moneyInText(language, outcome.reason)
                : t(outcome.kind === 'notPlaced' ? 'notPlacedText' : 'liveTryLater'),
          })}
        </Fate>
      )}
    </PairLine>
  )
}

const FATES = { open: 'clock', taken: 'tick', refused: 'warning' } as const

function Fate({ look, children }: { look: keyof typeof FATES; children: ReactNode }) {
  return (
    <small className={cx(styles.fate, styles[look])}>
      <Icon name={FATES[look]} size="s" />
      <span>{children}</span>
    </small>
  )
}

function Mark({ isGood }: { isGood: boolean }) {
  return (
    <span className={cx(placing.mark, isGood ? placing.good : placing.bad)}>
      <Icon name={isGood ? 'tick' : 'warning'} size="l" />
    </span>
  )
}
