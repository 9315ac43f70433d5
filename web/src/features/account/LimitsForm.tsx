import { useId, useState } from 'react'
import {
  FLOWS,
  fetchLimits,
  LIMIT_NAMES,
  type Limit,
  type LimitChanges,
  type LimitName,
  type Limits,
  saveLimits,
  TIMERS,
  WINDOWS,
} from '../../api/protectionApi'
import { useAppSelector } from '../../app/hooks'
import { Alert, AlertAction } from '../../components/Alert'
import { Button } from '../../components/Button'
import { Done, Failed, Form, PressButton, useForm } from '../../components/Form'
import { Spinner } from '../../components/Spinner'
import type { StakeChange } from '../../domain/ticket/stake'
import { formatDateTime } from '../../i18n/locale'
import { useTranslation } from '../../i18n/useTranslation'
import { selectAccountChanges } from '../../platform/account/protectionSlice'
import { useMoney } from '../../platform/account/useMoney'
import { useLoaded } from '../../platform/loading/useLoaded'
import { selectLanguage } from '../../platform/preferences/preferencesSelectors'
import { failureText } from './failureText'
import styles from './LimitsForm.module.css'
import {
  changesOf,
  cleanText,
  type Drafts,
  isTimer,
  MINUTES_MAX,
  readLimit,
  typedText,
  usedPercent,
  withUsed,
} from './limits'
import { useLimitText } from './useLimitText'

/** Loads the limits, and changes them. */
export function LimitsForm() {
  const { t } = useTranslation()
  const changes = useAppSelector(selectAccountChanges)
  const { loaded, again, change } = useLoaded(fetchLimits, [changes], { stays: true })
  if (loaded.status === 'loading') {
    return <Spinner />
  }
  if (loaded.status === 'failed') {
    return (
      <div role="alert">
        <Alert look="danger" action={<AlertAction onPress={again}>{t('tryAgain')}</AlertAction>}>
          {`${t('liveCommunicationError')} ${t('liveTryLater')}`}
        </Alert>
      </div>
    )
  }
  return <Fields limits={loaded.value} onLimits={(limits) => change(() => limits)} />
}

function Fields({ limits, onLimits }: { limits: Limits; onLimits: (limits: Limits) => void }) {
  const { t } = useTranslation()
  const language = useAppSelector(selectLanguage)
  const { limitName } = useLimitText()
  const [drafts, setDrafts] = useState<Drafts>({})
  const [wrong, setWrong] = useState<readonly LimitName[]>([])
  /** The fields in which the last typed text was changed. */
  const [changed, setChanged] = useState<Readonly<Partial<Record<LimitName, StakeChange>>>>({})
  const form = useForm<LimitName>()
  const hintId = useId()

  /** Sends these limits. The text that was typed for another one stays. */
  const send = (changes: LimitChanges, done: string, focus?: LimitName) =>
    form.send(
      async () => {
        onLimits(withUsed(await saveLimits(changes, language), limits))
        setChanged({})
        setDrafts((held) => Object.fromEntries(Object.entries(held).filter(([name]) => !(name in changes))))
        return { done, ...(focus && { focus }) }
      },
      (error) => ({ failed: failureText(error, t) }),
    )
  const submit = () => {
    const found = changesOf(limits, drafts)
    setWrong(found.wrong)
    const isUnchanged = Object.keys(found.changes).length === 0
    const [first] = [...found.wrong, ...(isUnchanged ? LIMIT_NAMES.filter((name) => changed[name]) : [])]
    if (first) {
      // The note of the field says what is wrong.
      form.show({ focus: first })
    } else if (isUnchanged) {
      form.show({ done: t('limitsUnchanged') })
    } else {
      send(found.changes, t('limitsSaved'))
    }
  }
  // Its button is gone afterwards, so the field gets the focus.
  const withdraw = (name: LimitName) =>
    send({ [name]: limits[name].value }, t('limitWithdrawn', { limit: limitName(name) }), name)
  const field = (name: LimitName, label: string) => (
    <LimitField
      name={name}
      label={label}
      limit={limits[name]}
      text={drafts[name] ?? typedText(language, limits[name].value)}
      isWrong={wrong.includes(name)}
      change={changed[name] ?? null}
      onText={(typed) => {
        const { text, change } = cleanText(name, typed)
        setDrafts({ ...drafts, [name]: text })
        setChanged({ ...changed, [name]: change })
        setWrong(wrong.filter((each) => each !== name))
      }}
      onWithdraw={() => withdraw(name)}
    />
  )
  return (
    <Form form={form} className={styles.form} onSubmit={submit} aria-describedby={hintId}>
      <p className={styles.hint} id={hintId}>
        {t('limitsHint')}
      </p>
      <table className={styles.table}>
        <thead>
          <tr>
            {WINDOWS.map((window) => (
              <th key={window} scope="col">
                {t(`limit_${window}`)}
              </th>
            ))}
          </tr>
        </thead>
        {FLOWS.map((flow) => (
          <tbody key={flow}>
            <tr>
              <th colSpan={WINDOWS.length} scope="rowgroup" className={styles.flow}>
                {t(`limit_${flow}`)}
              </th>
            </tr>
            <tr>
              {WINDOWS.map((window) => (
                <td key={window}>{field(`${flow}.${window}`, limitName(`${flow}.${window}`))}</td>
              ))}
            </tr>
          </tbody>
        ))}
      </table>
      {TIMERS.map((timer) => (
        <div key={timer} className={styles.timer}>
          <span className={styles.flow} aria-hidden="true">
            {t('limitInMinutes', { limit: limitName(timer) })}
          </span>
          {field(timer, t('limitInMinutes', { limit: limitName(timer) }))}
        </div>
      ))}
      <Failed text={form.failed} className={styles.answer} />
      <Done text={form.done} className={styles.answer} />
      <PressButton look="primary" type="submit" isBusy={form.isBusy}>
        {t('limitsSave')}
      </PressButton>
    </Form>
  )
}

interface LimitFieldProps {
  name: LimitName
  label: string
  limit: Limit
  text: string
  isWrong: boolean
  /** What was changed of the text that was typed last. */
  change: StakeChange
  onText: (text: string) => void
  onWithdraw: () => void
}

/** The field of one limit, with what is used of it and its pending change. */
function LimitField({ name, label, limit, text, isWrong, change, onText, onWithdraw }: LimitFieldProps) {
  const { t } = useTranslation()
  const language = useAppSelector(selectLanguage)
  const { limitName, limitUnit, limitValue } = useLimitText()
  const { pending } = limit
  const id = useId()
  const value = readLimit(name, text)
  const note = isWrong
    ? t('limitMinutesWrong', { max: MINUTES_MAX })
    : change === null
      ? null
      : value
        ? t(change === 'cut' ? 'stakeCut' : 'stakeCleaned', { amount: limitValue(name, value) })
        : t('limitDigitsOnly')
  return (
    <>
      <span className={styles.box} data-invalid={isWrong || undefined}>
        <input
          className={styles.input}
          name={name}
          aria-label={label}
          inputMode={isTimer(name) ? 'numeric' : 'decimal'}
          autoComplete="off"
          maxLength={isTimer(name) ? 5 : 12}
          value={text}
          aria-invalid={isWrong}
          aria-describedby={note || pending ? `${id}-unit ${id}` : `${id}-unit`}
          onChange={(event) => onText(event.currentTarget.value)}
        />
        <span className={styles.unit} id={`${id}-unit`}>
          {limitUnit(name)}
        </span>
      </span>
      {limit.value !== null && limit.used !== null && <Used limit={limit.value} used={limit.used} />}
      {(note || pending) && (
        <p className={styles.note} id={id}>
          {note && <span className={isWrong ? styles.wrong : styles.hinted}>{note}</span>}
          {pending && (
            <span>
              {t('limitPending', {
                value: limitValue(name, pending.value),
                time: formatDateTime(language, pending.at),
              })}
            </span>
          )}
        </p>
      )}
      {pending && (
        <Button
          look="text"
          className={styles.withdraw}
          aria-label={t('limitWithdrawOf', { limit: limitName(name) })}
          onClick={onWithdraw}
        >
          {t('limitWithdraw')}
        </Button>
      )}
    </>
  )
}

/** How much of an amount in force is used, as a bar and as a text. */
function Used({ limit, used }: { limit: string; used: string }) {
  const { t } = useTranslation()
  const money = useMoney()
  // Winnings make the loss negative.
  const positive = used.startsWith('-') ? '0.00' : used
  const percent = usedPercent(limit, positive)
  return (
    <p className={styles.used} data-used={percent}>
      <span className={styles.bar} aria-hidden="true">
        <i className={styles.part} style={{ width: `${percent}%` }} />
      </span>
      <span>{t('limitUsed', { limit: money(limit), used: money(positive) })}</span>
    </p>
  )
}
