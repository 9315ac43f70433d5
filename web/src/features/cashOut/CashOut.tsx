import { useId, useState } from 'react'
import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { Button } from '../../components/Button'
import { Icon } from '../../components/Icon'
import type { Bet } from '../../domain/bet'
import { FALL_PERCENT, largestPart, type SharePercent, WHOLE } from '../../domain/cashOut'
import { formatNumber } from '../../i18n/locale'
import { moneyInText } from '../../i18n/moneyInText'
import { useTranslation } from '../../i18n/useTranslation'
import { useMoney } from '../../platform/account/useMoney'
import { selectAcceptsFall, selectLanguage } from '../../platform/preferences/preferencesSelectors'
import { fallAccepted } from '../../platform/preferences/preferencesSlice'
import { selectCashOutRules, selectRules } from '../../platform/ticket/rulesSlice'
import styles from './CashOut.module.css'
import { CashOutButton } from './CashOutButton'
import { flowEnded, selectFlow, selectRule, selectValue } from './cashOutSlice'
import { CONFIRM_MS } from './cashOutState'
import { Formula } from './Formula'
import { RuleForm } from './RuleForm'
import { useReasonText } from './reasons'
import { ShareField } from './ShareField'

/** The cash-out of an open bet: its value with the button, and on demand a part, the rule and the calculation. */
export function CashOut({ bet }: { bet: Bet }) {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const rules = useAppSelector(selectCashOutRules)
  const { minStake } = useAppSelector(selectRules)
  const flow = useAppSelector((state) => selectFlow(state, bet.ticketId))
  const value = useAppSelector((state) => selectValue(state, bet.ticketId))
  const [isOpen, setOpen] = useState(false)
  const [chosen, setChosen] = useState<SharePercent>(WHOLE)
  const id = useId()
  if (bet.state !== 'open' || !rules?.isEnabled) {
    return null
  }
  const most = largestPart(bet.remaining, minStake)
  // After a cash-out of a part, the same part of the rest may be too large.
  const allowed = chosen === WHOLE || most === null ? WHOLE : Math.min(chosen, most)
  // After a reload, the share that is being cashed out was chosen on the page before.
  const percent = flow && 'percent' in flow ? flow.percent : allowed
  const isSending = flow?.stage === 'sending'
  return (
    <section className={styles.cashOut} aria-label={[t('cashOut'), bet.ticketNumber].join(' ')}>
      <div className={styles.bar}>
        <div className={styles.head}>
          <b className={styles.title}>{t('cashOut')}</b>
          <FallField
            onTurn={() => {
              // The bettor has not confirmed with this.
              if (flow?.stage === 'confirming') {
                dispatch(flowEnded(bet.ticketId))
              }
            }}
          />
        </div>
        <div className={styles.info} id={`${id}-info`}>
          <Info bet={bet} />
        </div>
        <Button
          look="text"
          className={styles.options}
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          onClick={() => setOpen(!isOpen)}
        >
          <span>{t('cashOutOptions')}</span>
          <Icon name={isOpen ? 'chevronDown' : 'chevronRight'} size="s" />
        </Button>
        <CashOutButton className={styles.button} bet={bet} percent={percent} describedBy={`${id}-info`} />
      </div>
      {isOpen && (
        <div className={styles.panel} id={id}>
          <ShareField
            bet={bet}
            value={value}
            percent={percent}
            most={most}
            isLocked={isSending}
            onChange={(next) => {
              setChosen(next)
              // The bettor has not confirmed this share.
              if (flow?.stage === 'confirming') {
                dispatch(flowEnded(bet.ticketId))
              }
            }}
          />
          <RuleForm bet={bet} value={value} />
          <Formula bet={bet} value={value} rules={rules} percent={percent} />
        </div>
      )}
    </section>
  )
}

/** Whether a value that fell a little is accepted too. It holds for all bets. */
function FallField({ onTurn }: { onTurn: () => void }) {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const language = useAppSelector(selectLanguage)
  const accepts = useAppSelector(selectAcceptsFall)
  return (
    <label className={styles.fall}>
      <input
        type="checkbox"
        checked={accepts}
        onChange={(event) => {
          dispatch(fallAccepted(event.currentTarget.checked))
          onTurn()
        }}
      />
      <span>{t('cashOutFall', { percent: formatNumber(language, FALL_PERCENT / 100, { style: 'percent' }) })}</span>
    </label>
  )
}

/** One line: what happened to a cash-out, otherwise the rule, otherwise the value before tax. Listeners announce outcomes to screen readers. */
function Info({ bet }: { bet: Bet }) {
  const { t } = useTranslation()
  const money = useMoney()
  const reasonOf = useReasonText()
  const language = useAppSelector(selectLanguage)
  const flow = useAppSelector((state) => selectFlow(state, bet.ticketId))
  const rule = useAppSelector((state) => selectRule(state, bet))
  const value = useAppSelector((state) => selectValue(state, bet.ticketId))
  switch (flow?.stage) {
    case 'confirming':
      if (flow.fellFrom !== null) {
        return <p className={styles.fell}>{t('cashOutFell', { before: money(flow.fellFrom), net: money(flow.net) })}</p>
      }
      return <p className={styles.note}>{t('cashOutConfirmSays', { seconds: CONFIRM_MS / 1000 })}</p>
    case 'sending':
      if (flow.isUnsure) {
        return <p className={styles.fell}>{t('cashOutUnsureText')}</p>
      }
      break
    case 'paid':
      return (
        <p className={styles.paid}>
          <Icon name="tick" size="s" />
          <span>{t('cashOutPaid', { amount: money(flow.paid) })}</span>
        </p>
      )
    case 'settled':
      return <p className={styles.note}>{t('cashOutSettled')}</p>
    case 'failed':
      return (
        <p className={styles.failed}>
          <Icon name="warning" size="s" />
          <span>
            {flow.text === null
              ? flow.reason === null
                ? t('cashOutFailed')
                : reasonOf(flow.reason)
              : moneyInText(language, flow.text)}
          </span>
        </p>
      )
  }
  if (rule) {
    return (
      <p className={styles.note}>
        <Icon name="clock" size="s" />
        <span>{t('cashOutRuleChip', { amount: money(rule.atLeast) })}</span>
      </p>
    )
  }
  if (!value) {
    return null
  }
  return (
    <p className={styles.note}>
      {value.value !== null && value.winTax !== null
        ? t('cashOutBeforeTax', { value: money(value.value), tax: money(value.winTax) })
        : t('cashOutReturns')}
    </p>
  )
}
