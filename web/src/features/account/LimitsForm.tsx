import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import {
  FLOWS,
  fetchLimits,
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
import { Spinner } from '../../components/Spinner'
import { formatDateTime } from '../../i18n/locale'
import { useTranslation } from '../../i18n/useTranslation'
import { selectLanguage } from '../../platform/preferences/preferencesSelectors'
import { failureText } from './failureText'
import styles from './LimitsForm.module.css'
import { changesOf, cleanText, type Drafts, isTimer, MINUTES_MAX, typedText } from './limits'
import { useLimitText } from './useLimitText'

/** Loads the limits, and changes them. */
export function LimitsForm() {
  const { t } = useTranslation()
  const [limits, setLimits] = useState<Limits | 'failed' | null>(null)
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt loads again.
  useEffect(() => {
    const giveUp = new AbortController()
    fetchLimits(giveUp.signal).then(setLimits, () => giveUp.signal.aborted || setLimits('failed'))
    return () => giveUp.abort()
  }, [attempt])
  if (limits === null) {
    return <Spinner />
  }
  if (limits === 'failed') {
    const retry = () => {
      setLimits(null)
      setAttempt(attempt + 1)
    }
    return (
      <div role="alert">
        <Alert look="danger" action={<AlertAction onPress={retry}>{t('tryAgain')}</AlertAction>}>
          {`${t('liveCommunicationError')} ${t('liveTryLater')}`}
        </Alert>
      </div>
    )
  }
  return <Fields limits={limits} onLimits={setLimits} />
}

function Fields({ limits, onLimits }: { limits: Limits; onLimits: (limits: Limits) => void }) {
  const { t } = useTranslation()
  const language = useAppSelector(selectLanguage)
  const { limitName } = useLimitText()
  const [drafts, setDrafts] = useState<Drafts>({})
  const [wrong, setWrong] = useState<readonly LimitName[]>([])
  const [answer, setAnswer] = useState<{ done?: string; failed?: string }>({})
  const [isBusy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const hintId = useId()

  const focusOn = (name: LimitName) => form.current?.querySelector<HTMLInputElement>(`[name="${name}"]`)?.focus()
  /** Sends these limits. The text that was typed for another one stays. */
  const send = async (changes: LimitChanges, done: string): Promise<boolean> => {
    setBusy(true)
    setAnswer({})
    try {
      onLimits(await saveLimits(changes, language))
      setDrafts((held) => Object.fromEntries(Object.entries(held).filter(([name]) => !(name in changes))))
      setAnswer({ done })
      return true
    } catch (error) {
      setAnswer({ failed: failureText(error, t) })
      return false
    } finally {
      setBusy(false)
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) {
      return
    }
    const found = changesOf(limits, drafts)
    setWrong(found.wrong)
    const [first] = found.wrong
    if (first) {
      setAnswer({})
      focusOn(first)
    } else if (Object.keys(found.changes).length === 0) {
      setAnswer({ done: t('limitsUnchanged') })
    } else {
      void send(found.changes, t('limitsSaved'))
    }
  }
  const withdraw = async (name: LimitName) => {
    if (!isBusy && (await send({ [name]: limits[name].value }, t('limitWithdrawn', { limit: limitName(name) })))) {
      // The button is gone.
      focusOn(name)
    }
  }
  const field = (name: LimitName, label: string) => (
    <LimitField
      name={name}
      label={label}
      limit={limits[name]}
      text={drafts[name] ?? typedText(language, limits[name].value)}
      isWrong={wrong.includes(name)}
      onText={(text) => {
        setDrafts({ ...drafts, [name]: text })
        setWrong(wrong.filter((each) => each !== name))
      }}
      onWithdraw={() => void withdraw(name)}
    />
  )
  return (
    <form ref={form} className={styles.form} onSubmit={submit} noValidate aria-busy={isBusy} aria-describedby={hintId}>
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
      <div role="alert" className={styles.answer}>
        {answer.failed && <Alert look="danger">{answer.failed}</Alert>}
      </div>
      <div role="status" className={styles.answer}>
        {answer.done && <Alert look="info">{answer.done}</Alert>}
      </div>
      <Button look="primary" type="submit" aria-disabled={isBusy}>
        {isBusy && <Spinner />}
        <span>{t('limitsSave')}</span>
      </Button>
    </form>
  )
}

interface LimitFieldProps {
  name: LimitName
  label: string
  limit: Limit
  text: string
  isWrong: boolean
  onText: (text: string) => void
  onWithdraw: () => void
}

/** The field of one limit, with its pending change. */
function LimitField({ name, label, limit: { pending }, text, isWrong, onText, onWithdraw }: LimitFieldProps) {
  const { t } = useTranslation()
  const language = useAppSelector(selectLanguage)
  const { limitName, limitValue } = useLimitText()
  const id = useId()
  return (
    <>
      <input
        className={styles.input}
        name={name}
        aria-label={label}
        inputMode={isTimer(name) ? 'numeric' : 'decimal'}
        autoComplete="off"
        maxLength={isTimer(name) ? 5 : 12}
        value={text}
        aria-invalid={isWrong}
        aria-describedby={isWrong || pending ? id : undefined}
        onChange={(event) => onText(cleanText(name, event.currentTarget.value))}
      />
      {(isWrong || pending) && (
        <p className={styles.note} id={id}>
          {isWrong && <span className={styles.wrong}>{t('limitMinutesWrong', { max: MINUTES_MAX })}</span>}
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
