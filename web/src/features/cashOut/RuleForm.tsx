import { useId, useState } from 'react'
import { removeCashOutRule, saveCashOutRule } from '../../api/cashOutApi'
import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { Form, type FormState, PressButton, useForm } from '../../components/Form'
import { Icon } from '../../components/Icon'
import type { Bet, CashOutRule } from '../../domain/bet'
import { type CashOutValue, less } from '../../domain/cashOut'
import { readStake, stakeText } from '../../domain/ticket/stake'
import { useTranslation } from '../../i18n/useTranslation'
import { useLoginRequired } from '../../platform/account/useLoginRequired'
import { useMoney } from '../../platform/account/useMoney'
import { ruleChanged, selectRule } from './cashOutSlice'
import styles from './RuleForm.module.css'

/** A rule may ask for any amount from a cent on. */
const LIMITS = { minStake: '0.01', maxStake: '1000000.00' }

interface RuleProps {
  bet: Bet
  value: CashOutValue | undefined
}

/** The rule of a bet with its state, or the form that sets one. */
export function RuleForm({ bet, value }: RuleProps) {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const rule = useAppSelector((state) => selectRule(state, bet))
  const form = useForm()
  const requireLogin = useLoginRequired()
  const { ticketId, revision } = bet
  const change = (call: () => Promise<CashOutRule | null>) =>
    form.send(
      async () => {
        dispatch(ruleChanged({ ticketId, revision, rule: await call() }))
        return {}
      },
      (error) => {
        requireLogin(error)
        return { failed: t('cashOutRuleFailed') }
      },
    )
  return (
    <div className={styles.rule}>
      <h2 className={styles.title}>{t('cashOutRule')}</h2>
      {rule ? (
        <Active
          bet={bet}
          rule={rule}
          value={value}
          form={form}
          onRemove={() => change(() => removeCashOutRule(ticketId).then(() => null))}
        />
      ) : (
        <NewRule bet={bet} value={value} form={form} onSet={(net) => change(() => saveCashOutRule(ticketId, net))} />
      )}
      <p className={styles.failed} role="alert">
        {form.failed}
      </p>
    </div>
  )
}

interface ActiveProps extends RuleProps {
  rule: CashOutRule
  form: FormState
  onRemove: () => void
}

function Active({ rule, value, form, onRemove }: ActiveProps) {
  const { t } = useTranslation()
  const money = useMoney()
  const net = value?.net ?? null
  const isReached = net !== null && Number(net) >= Number(rule.atLeast)
  return (
    <>
      <p className={styles.text}>{t('cashOutRuleText', { amount: money(rule.atLeast) })}</p>
      <p className={styles.state}>
        <Icon name={net === null ? 'pause' : 'clock'} size="s" />
        <span>
          {net === null
            ? t('cashOutRulePaused')
            : isReached
              ? t('cashOutRuleReached')
              : t('cashOutRuleLeft', { amount: money(less(rule.atLeast, net)) })}
        </span>
      </p>
      <div className={styles.row}>
        <PressButton aria-disabled={form.isBusy} onPress={onRemove}>
          {t('cashOutRuleRemove')}
        </PressButton>
      </div>
    </>
  )
}

interface NewRuleProps extends RuleProps {
  form: FormState
  onSet: (net: string) => void
}

function NewRule({ bet, value, form, onSet }: NewRuleProps) {
  const { t } = useTranslation()
  const money = useMoney()
  const [typed, setTyped] = useState('')
  const id = useId()
  const amount = readStake(typed, LIMITS)
  const most = bet.possible?.paid ?? null
  const isTooHigh = amount !== null && most !== null && Number(amount) > Number(most)
  const isReached = amount !== null && value?.net != null && Number(amount) <= Number(value.net)
  const canSet = amount !== null && !isTooHigh
  return (
    <Form form={form} onSubmit={() => canSet && onSet(amount)}>
      <label className={styles.text} htmlFor={id}>
        {t('cashOutRuleField')}
      </label>
      <div className={styles.row}>
        <input
          id={id}
          className={styles.field}
          inputMode="decimal"
          autoComplete="off"
          maxLength={12}
          placeholder={value?.net ? money(value.net) : undefined}
          value={typed}
          aria-invalid={isTooHigh}
          aria-describedby={`${id}-hint`}
          onChange={(event) => setTyped(stakeText(event.currentTarget.value))}
        />
        <PressButton type="submit" aria-disabled={!canSet || form.isBusy}>
          {t('cashOutRuleSet')}
        </PressButton>
      </div>
      <p className={isTooHigh ? styles.failed : styles.hint} id={`${id}-hint`} aria-live="polite">
        {isTooHigh
          ? t('cashOutRuleTooHigh', { amount: money(most ?? '0') })
          : t(isReached ? 'cashOutRuleNow' : 'cashOutRuleHint')}
      </p>
    </Form>
  )
}
