import { useEffect, useId, useRef, useState } from 'react'
import { type ExclusionLength, startExclusion } from '../../api/protectionApi'
import { useAppSelector } from '../../app/hooks'
import { Alert } from '../../components/Alert'
import { Button } from '../../components/Button'
import { Failed, Form, PressButton, useForm } from '../../components/Form'
import { RadioChips } from '../../components/RadioChips'
import { type Exclusion, isLonger } from '../../domain/exclusion'
import { useTranslation } from '../../i18n/useTranslation'
import { selectUser } from '../../platform/account/accountSlice'
import { selectServerOffset } from '../../platform/connection/connectionSelectors'
import { selectLanguage } from '../../platform/preferences/preferencesSelectors'
import styles from './ExclusionForm.module.css'
import { PasswordField } from './Field'
import { failureText } from './failureText'

/** Hours of a time-out, and months of a self-exclusion. */
const LENGTHS = {
  time_out: ['24', '48', '168', '720'],
  self_exclusion: ['6', '12', '60', 'forever'],
} as const

type Kind = keyof typeof LENGTHS
type Length = (typeof LENGTHS)[Kind][number]

interface ExclusionFormProps {
  /** The one in force: only longer ones can be started. */
  exclusion: Exclusion | null
  onStarted: (exclusion: Exclusion | null) => void
}

/** Starts a time-out or a self-exclusion, after a confirmation. It cannot be taken back. */
export function ExclusionForm({ exclusion, onStarted }: ExclusionFormProps) {
  const { t } = useTranslation()
  const language = useAppSelector(selectLanguage)
  const user = useAppSelector(selectUser)
  const offset = useAppSelector(selectServerOffset)
  const [lengths] = useState(() => lengthsFor(exclusion, Date.now() + offset))
  const kinds = (Object.keys(LENGTHS) as Kind[]).filter((each) => lengths[each].length > 0)
  const [kind, setKind] = useState<Kind>(kinds[0] ?? 'self_exclusion')
  const [length, setLength] = useState<Length>(lengths[kind][0] ?? 'forever')
  const [isAsked, setAsked] = useState(false)
  const form = useForm<'password'>()

  const field = () => form.ref.current?.querySelector<HTMLInputElement>('[name="password"]')
  const submit = (data: FormData) => {
    // While it asks for confirmation, only the button confirms.
    if (isAsked) {
      return
    }
    const isEmpty = !data.get('password')
    form.show(isEmpty ? { errors: { password: t('passwordMissing') } } : {})
    setAsked(!isEmpty)
  }
  const start = () =>
    form.send(
      async () => {
        const password = field()
        onStarted(await startExclusion(lengthOf(kind, length), password?.value ?? '', language))
        if (password) {
          password.value = ''
        }
        setAsked(false)
        return {}
      },
      (error) => {
        setAsked(false)
        return { failed: failureText(error, t), focus: 'password' }
      },
    )
  return (
    <Form
      form={form}
      className={styles.form}
      onSubmit={submit}
      // Another password, as another choice, must be confirmed again.
      onChange={() => setAsked(false)}
    >
      <input type="text" name="name" autoComplete="username" value={user?.name ?? ''} readOnly hidden />
      <div>
        <h3 className={styles.label}>{t('exclusionKind')}</h3>
        <RadioChips<Kind>
          label={t('exclusionKind')}
          className={styles.chips}
          chips={kinds.map((value) => ({ value, text: t(`exclusion_${value}`) }))}
          value={kind}
          onChange={(chosen) => {
            setAsked(false)
            setKind(chosen)
            setLength(lengths[chosen][0] ?? 'forever')
          }}
        />
      </div>
      <div>
        <h3 className={styles.label}>{t('exclusionLength')}</h3>
        <RadioChips<Length>
          label={t('exclusionLength')}
          className={styles.chips}
          chips={lengths[kind].map((value) => ({ value, text: t(`exclusionTime_${value}`) }))}
          value={length}
          onChange={(chosen) => {
            setAsked(false)
            setLength(chosen)
          }}
        />
      </div>
      <PasswordField label={t('password')} name="password" isNew={false} error={form.errors.password} />
      <Alert look="warn">{t('exclusionText')}</Alert>
      <Failed text={form.failed} className={styles.answer} />
      {isAsked ? (
        <Confirmation
          text={t('exclusionConfirm', { kind: t(`exclusion_${kind}`), length: t(`exclusionTime_${length}`) })}
          isBusy={form.isBusy}
          onConfirm={start}
          onCancel={() => {
            setAsked(false)
            field()?.focus()
          }}
        />
      ) : (
        <PressButton look="primary" type="submit">
          {t('exclusionContinue')}
        </PressButton>
      )}
    </Form>
  )
}

interface ConfirmationProps {
  text: string
  isBusy: boolean
  onConfirm: () => void
  onCancel: () => void
}

function Confirmation({ text, isBusy, onConfirm, onCancel }: ConfirmationProps) {
  const { t } = useTranslation()
  const id = useId()
  const question = useRef<HTMLParagraphElement>(null)
  // The button that had the focus is gone, and the text must be read before a button is pressed.
  useEffect(() => question.current?.focus(), [])
  return (
    <fieldset className={styles.confirmation} aria-labelledby={id}>
      <p ref={question} className={styles.question} id={id} tabIndex={-1}>
        {text}
      </p>
      <div className={styles.buttons}>
        <Button onClick={onCancel}>{t('cancel')}</Button>
        <PressButton look="primary" isBusy={isBusy} onPress={onConfirm}>
          {t('exclusionStart')}
        </PressButton>
      </div>
    </fieldset>
  )
}

/** The lengths that last longer than the exclusion in force. */
function lengthsFor(exclusion: Exclusion | null, nowMs: number): Readonly<Record<Kind, readonly Length[]>> {
  const of = (kind: Kind) =>
    LENGTHS[kind].filter((length) => !exclusion || isLonger(endOf(lengthOf(kind, length), nowMs), exclusion))
  return { time_out: of('time_out'), self_exclusion: of('self_exclusion') }
}

function endOf(length: ExclusionLength, nowMs: number): number | null {
  if ('hours' in length) {
    return nowMs + length.hours * 3_600_000
  }
  return length.months === null ? null : new Date(nowMs).setMonth(new Date(nowMs).getMonth() + length.months)
}

function lengthOf(kind: Kind, length: Length): ExclusionLength {
  if (kind === 'time_out') {
    return { hours: Number(length) }
  }
  return { months: length === 'forever' ? null : Number(length) }
}
