import type { KeyboardEvent } from 'react'
import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { cx } from '../../components/cx'
import { ignoreHeldKey, once } from '../../components/deliberatePress'
import { Icon } from '../../components/Icon'
import { Spinner } from '../../components/Spinner'
import { useSecondsLeft } from '../../components/useSecondsLeft'
import type { Bet } from '../../domain/bet'
import { delayOf, paidForShare, type SharePercent, WHOLE } from '../../domain/cashOut'
import { formatDateTime, formatNumber, TIME } from '../../i18n/locale'
import { useTranslation } from '../../i18n/useTranslation'
import { useMoney } from '../../platform/account/useMoney'
import { selectIsLowData, selectLanguage } from '../../platform/preferences/preferencesSelectors'
import { selectDelays } from '../../platform/ticket/rulesSlice'
import styles from './CashOutButton.module.css'
import {
  cashOutConfirmed,
  confirmationAsked,
  flowEnded,
  selectFlow,
  selectTolerance,
  selectValue,
} from './cashOutSlice'
import type { CashOutFlow, HeldValue } from './cashOutState'
import { mainReason, useReasonText } from './reasons'

interface CashOutButtonProps {
  className?: string | undefined
  bet: Bet
  percent: SharePercent
  /** The id of the text beside it. */
  describedBy: string
}

/**
 * The first press asks for confirmation, the second one cashes out. It remains the same button of the same size in all
 * states, so that it keeps the focus and nothing moves.
 */
export function CashOutButton({ className, bet, percent, describedBy }: CashOutButtonProps) {
  const dispatch = useAppDispatch()
  const { ticketId } = bet
  const delays = useAppSelector(selectDelays)
  const flow = useAppSelector((state) => selectFlow(state, ticketId))
  const value = useAppSelector((state) => selectValue(state, ticketId))
  const tolerance = useAppSelector(selectTolerance)
  const isSending = flow?.stage === 'sending'
  const isConfirming = flow?.stage === 'confirming'
  const isAvailable = value !== undefined && value.net !== null
  const press = () => {
    const nowMs = Date.now()
    if (isConfirming) {
      dispatch(cashOutConfirmed({ ticketId, nowMs, delaySeconds: delayOf(bet, delays) }))
    } else if (isAvailable && !isSending) {
      dispatch(confirmationAsked({ ticketId, percent, nowMs, tolerance }))
    }
  }
  const onKeyDown = (event: KeyboardEvent) => {
    ignoreHeldKey(event)
    if (event.key === 'Escape' && isConfirming) {
      event.stopPropagation()
      dispatch(flowEnded(ticketId))
    }
  }
  return (
    <button
      type="button"
      className={cx(
        className,
        styles.button,
        isSending ? styles.busy : !isAvailable ? styles.unavailable : isConfirming && styles.confirm,
      )}
      aria-disabled={isSending || !isAvailable}
      aria-busy={isSending}
      aria-describedby={describedBy}
      data-cash-out={ticketId}
      onClick={once(press)}
      onKeyDown={onKeyDown}
    >
      {isSending ? (
        <Sending flow={flow} />
      ) : value === undefined ? (
        <Waiting />
      ) : value.net === null ? (
        <Unavailable value={value} />
      ) : (
        <Amount value={value} percent={flow?.stage === 'confirming' ? flow.percent : percent} flow={flow} />
      )}
    </button>
  )
}

/** What the press pays, with the direction of the last change. */
function Amount({ value, percent, flow }: { value: HeldValue; percent: SharePercent; flow: CashOutFlow | undefined }) {
  const { t } = useTranslation()
  const money = useMoney()
  const language = useAppSelector(selectLanguage)
  const isLowData = useAppSelector(selectIsLowData)
  const { movement } = value
  const confirming = flow?.stage === 'confirming' ? flow : null
  return (
    <>
      <span className={styles.label}>
        {confirming
          ? t(confirming.fellFrom === null ? 'cashOutConfirm' : 'cashOutConfirmNew')
          : percent === WHOLE
            ? t('cashOutNow')
            : t('cashOutNowPart', { percent: formatNumber(language, percent / 100, { style: 'percent' }) })}
      </span>
      <b
        key={`amount-${value.movedMs}`}
        className={cx(styles.amount, movement && styles[movement], movement !== null && !isLowData && styles.flash)}
      >
        <span>{money(paidForShare(value, percent) ?? '0')}</span>
        <span className={styles.arrow} aria-hidden="true" />
        {movement && <span className="vh">{`, ${t(movement === 'up' ? 'oddRises' : 'oddFalls')}`}</span>}
      </b>
      {confirming && <span key={`time-${confirming.sinceMs}`} className={styles.time} aria-hidden="true" />}
    </>
  )
}

function Unavailable({ value }: { value: HeldValue }) {
  const { t } = useTranslation()
  const language = useAppSelector(selectLanguage)
  const reason = useReasonText()(mainReason(value.reasons))
  const since =
    value.sinceMs === null ? null : t('cashOutSince', { time: formatDateTime(language, value.sinceMs, TIME) })
  return (
    <>
      <Icon name="lock" size="s" />
      <span className={styles.reason}>{since === null ? reason : `${reason}, ${since}`}</span>
    </>
  )
}

/** No value was received yet, or the connection is lost. */
function Waiting() {
  const { t } = useTranslation()
  return <span className={styles.reason}>{t('cashOutWaits')}</span>
}

/** Counts down the in-play delay. Afterwards the answer can come at any time. */
function Sending({ flow }: { flow: Extract<CashOutFlow, { stage: 'sending' }> }) {
  const { t } = useTranslation()
  const left = useSecondsLeft(flow.sentMs + flow.delaySeconds * 1000)
  return (
    <>
      <Spinner />
      <span className={cx(styles.label, 'n')}>
        {flow.isUnsure
          ? t('cashOutUnsure')
          : left > 0
            ? t('cashOutSendingLeft', { seconds: left })
            : t('cashOutSending')}
      </span>
    </>
  )
}
