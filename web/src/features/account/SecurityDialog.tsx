import { type FormEvent, useEffect, useRef, useState } from 'react'
import { ApiError } from '../../api/request'
import { type AccountSession, changePassword, endSession, fetchSessions } from '../../api/securityApi'
import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { Alert } from '../../components/Alert'
import { Button } from '../../components/Button'
import { HeadedDialog } from '../../components/HeadedDialog'
import { Spinner } from '../../components/Spinner'
import { formatDateTime } from '../../i18n/locale'
import { useTranslation } from '../../i18n/useTranslation'
import { selectUser } from '../../platform/account/accountSlice'
import { selectLanguage } from '../../platform/preferences/preferencesSelectors'
import { panelTurned } from '../../platform/view/viewSlice'
import { deviceName } from './device'
import { PASSWORD_MIN, PasswordField } from './Field'
import { failureText } from './failureText'
import styles from './SecurityDialog.module.css'

type Translate = ReturnType<typeof useTranslation>['t']

/** Changes the password, and shows where the account is logged in. */
export function SecurityDialog() {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  // The list is fetched again after a new password, which ends all other sessions.
  const [changes, setChanges] = useState(0)
  return (
    <HeadedDialog title={t('security')} onClose={() => dispatch(panelTurned(null))}>
      <PasswordForm onChanged={() => setChanges(changes + 1)} />
      <Devices key={changes} />
    </HeadedDialog>
  )
}

interface Errors {
  readonly old?: string
  readonly new?: string
  readonly form?: string
}

function PasswordForm({ onChanged }: { onChanged: () => void }) {
  const { t } = useTranslation()
  const language = useAppSelector(selectLanguage)
  const user = useAppSelector(selectUser)
  const [errors, setErrors] = useState<Errors>({})
  const [isBusy, setBusy] = useState(false)
  const [isDone, setDone] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const complain = (found: Errors) => {
    setErrors(found)
    form.current?.querySelector<HTMLInputElement>(`[name="${found.old !== undefined ? 'old' : 'new'}"]`)?.focus()
  }
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    const [old, chosen] = [String(data.get('old')), String(data.get('new'))]
    const found = missing(old, chosen, t)
    if (isBusy || Object.keys(found).length > 0) {
      complain(found)
      return
    }
    setBusy(true)
    setErrors({})
    setDone(false)
    try {
      await changePassword(old, chosen, language)
      form.current?.reset()
      setDone(true)
      onChanged()
    } catch (error) {
      complain(errorsOf(error, t))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form ref={form} className={styles.form} onSubmit={submit} noValidate aria-busy={isBusy}>
      {/* Password managers look for the name that the password belongs to. */}
      <input type="text" name="name" autoComplete="username" value={user?.name ?? ''} readOnly hidden />
      <PasswordField label={t('passwordOld')} name="old" isNew={false} error={errors.old} />
      <PasswordField label={t('passwordNew')} name="new" isNew error={errors.new} hint={t('passwordHint')} />
      <div role="alert" className={styles.answer}>
        {errors.form && <Alert look="danger">{errors.form}</Alert>}
      </div>
      <div role="status" className={styles.answer}>
        {isDone && <Alert look="info">{t('passwordChanged')}</Alert>}
      </div>
      <Button look="primary" type="submit" aria-disabled={isBusy}>
        {isBusy && <Spinner />}
        <span>{t('passwordChange')}</span>
      </Button>
    </form>
  )
}

function missing(old: string, chosen: string, t: Translate): Errors {
  return {
    ...(old === '' && { old: t('passwordMissing') }),
    ...(chosen === ''
      ? { new: t('passwordMissing') }
      : Array.from(chosen).length < PASSWORD_MIN && { new: t('passwordShort') }),
  }
}

function errorsOf(error: unknown, t: Translate): Errors {
  const text = failureText(error, t)
  return error instanceof ApiError && error.failure === 'refused' ? { old: text } : { form: text }
}

function Devices() {
  const { t } = useTranslation()
  const language = useAppSelector(selectLanguage)
  const [sessions, setSessions] = useState<readonly AccountSession[] | 'failed' | null>(null)
  const [ended, setEnded] = useState('')
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    const giveUp = new AbortController()
    fetchSessions(giveUp.signal).then(setSessions, () => giveUp.signal.aborted || setSessions('failed'))
    return () => giveUp.abort()
  }, [])
  const nameOf = (session: AccountSession) => deviceName(session.agent) ?? t('deviceUnknown')
  const end = async (session: AccountSession) => {
    try {
      await endSession(session.id)
    } catch (error) {
      // A session that has ended meanwhile is what the user wanted.
      if (!(error instanceof ApiError && error.failure === 'notFound')) {
        setSessions('failed')
        return
      }
    }
    setSessions((held) => (Array.isArray(held) ? held.filter(({ id }) => id !== session.id) : held))
    setEnded(t('deviceEnded', { device: nameOf(session) }))
    // The button is gone.
    title.current?.focus()
  }
  return (
    <section className={styles.devices} aria-busy={sessions === null}>
      <h3 ref={title} className={styles.subtitle} tabIndex={-1}>
        {t('devices')}
      </h3>
      {sessions === null && <Spinner />}
      {sessions === 'failed' && (
        <div role="alert">
          <Alert look="danger">{`${t('liveCommunicationError')} ${t('liveTryLater')}`}</Alert>
        </div>
      )}
      {Array.isArray(sessions) && (
        <ul>
          {sessions.map((session: AccountSession) => (
            <li key={session.id} className={styles.device}>
              <span className={styles.words}>
                <b>{nameOf(session)}</b>
                <small className={styles.detail}>
                  {session.current
                    ? t('deviceThis')
                    : t('deviceSeen', { time: formatDateTime(language, session.lastSeenAt) })}
                </small>
              </span>
              {!session.current && (
                <Button aria-label={t('deviceEndOf', { device: nameOf(session) })} onClick={() => end(session)}>
                  {t('deviceEnd')}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      <p className="vh" role="status">
        {ended}
      </p>
    </section>
  )
}
