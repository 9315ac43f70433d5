import { useState } from 'react'
import { type PaymentAnswer, type PaymentKind, sendPayment } from '../../api/cashierApi'
import { useAppDispatch, useAppSelector } from '../../app/hooks'
import type { AppDispatch, RootState } from '../../app/store'
import { type Answer, Done, Failed, Form, PressButton, useForm } from '../../components/Form'
import { QuickButtons } from '../../components/QuickButtons'
import { uuid } from '../../components/uuid'
import { readStake, stakeText } from '../../domain/ticket/stake'
import { moneyInText } from '../../i18n/moneyInText'
import { useTranslation } from '../../i18n/useTranslation'
import { memberSeen, selectUser, type User } from '../../platform/account/accountSlice'
import { statusDoubted } from '../../platform/account/protectionSlice'
import { useMoney } from '../../platform/account/useMoney'
import { selectLanguage } from '../../platform/preferences/preferencesSelectors'
import styles from './CashierDialog.module.css'
import { Field } from './Field'
import fieldStyles from './Field.module.css'
import { typedText } from './limits'
import { isStillUnsure, type PaymentStorage } from './unsurePayment'

/** The server knows the largest payment. The field has no room for more than this maximum. */
const AMOUNTS = { minStake: '0.01', maxStake: '999999999999.99' }
const QUICK_DEPOSITS = ['10', '20', '50', '100'] as const

interface PaymentFormProps {
  kind: PaymentKind
  user: User
  storage: PaymentStorage
}

/** The amount of a deposit or a withdrawal, and the button that makes it. */
export function PaymentForm({ kind, user, storage }: PaymentFormProps) {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const money = useMoney()
  const language = useAppSelector(selectLanguage)
  const unsureText = (amount: string) => t(`cashierUnsure_${kind}`, { amount: money(amount) })
  const [opened] = useState(() => {
    const unsure = storage.read(user.name)
    return unsure?.kind === kind ? unsure : null
  })
  const [text, setText] = useState(opened ? typedText(language, opened.amount) : '')
  const form = useForm<'amount'>(opened ? { failed: unsureText(opened.amount) } : {})
  const amount = readStake(text, AMOUNTS)

  const change = (typed: string) => {
    setText(stakeText(typed))
    if (form.errors.amount) {
      form.show({})
    }
  }
  const pay = async (chosen: string): Promise<Answer<'amount'>> => {
    const unsure = storage.read(user.name)
    const isRepeat = unsure?.kind === kind && unsure.amount === chosen
    const payment = isRepeat ? unsure : { kind, amount: chosen, key: uuid(), user: user.name }
    // Stored before it is sent: the page may be closed before the answer.
    storage.write(payment)
    const answer = await sendPayment(payment, language)
    if (!isStillUnsure(answer, isRepeat)) {
      storage.write(null)
    }
    if (answer.outcome === 'paid') {
      dispatch(showMoney(user.name, answer))
      setText('')
    }
    if (answer.outcome === 'rejected') {
      // The server may know of an exclusion that the page does not know yet.
      dispatch(statusDoubted())
    }
    return shownOf(answer, chosen)
  }
  const shownOf = (answer: PaymentAnswer, chosen: string): Answer<'amount'> => {
    switch (answer.outcome) {
      case 'paid':
        return { done: t(`cashierDone_${kind}`, { amount: money(chosen), balance: money(answer.balance) }) }
      case 'unknown':
        return { failed: unsureText(chosen) }
      case 'rejected':
        return {
          failed: answer.status === 429 ? t('tooManyTries') : moneyInText(language, answer.text ?? t('liveTryLater')),
        }
    }
  }
  const submit = () => {
    if (amount === null) {
      form.show({ errors: { amount: t('cashierAmountMissing') } })
    } else {
      form.send(
        () => pay(amount),
        () => ({ failed: unsureText(amount) }),
      )
    }
  }
  return (
    <Form form={form} className={styles.form} onSubmit={submit}>
      <p className={styles.available}>
        <span>{t('available')}</span>
        <b>{money(user.balance)}</b>
      </p>
      <Field label={t('cashierAmount')} error={form.errors.amount}>
        {(props) => (
          <input
            {...props}
            className={fieldStyles.input}
            name="amount"
            inputMode="decimal"
            autoComplete="off"
            maxLength={12}
            value={text}
            onChange={(event) => change(event.currentTarget.value)}
          />
        )}
      </Field>
      {kind === 'deposit' ? (
        <QuickButtons label={t('cashierQuick')} values={QUICK_DEPOSITS} text={(value) => value} onPress={change} />
      ) : (
        <QuickButtons
          label={t('cashierQuick')}
          values={[user.balance]}
          text={(balance) => t('cashierAll', { amount: money(balance) })}
          onPress={(balance) => change(typedText(language, balance))}
        />
      )}
      <Failed text={form.failed} className={styles.answer} />
      <Done text={form.done} className={styles.answer} />
      <PressButton look="primary" type="submit" isBusy={form.isBusy}>
        {t(`cashierPay_${kind}`, { amount: amount === null ? '' : money(amount) }).trim()}
      </PressButton>
    </Form>
  )
}

/** Shows the money after a payment, unless the hub has reported newer money or another user is logged in. */
function showMoney(name: string, { balance, receivable }: { balance: string; receivable: string }) {
  return (dispatch: AppDispatch, getState: () => RootState) => {
    const user = selectUser(getState())
    if (user?.name === name) {
      dispatch(memberSeen({ ...user, balance, receivable }))
    }
  }
}
