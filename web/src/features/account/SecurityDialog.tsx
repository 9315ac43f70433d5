import { useRef, useState } from 'react'
import { ApiError } from '../../api/request'
import { type AccountSession, changePassword, endSession, fetchSessions } from '../../api/securityApi'
import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { Alert } from '../../components/Alert'
import { Button } from '../../components/Button'
import { Done, Failed, type FieldErrors, Form, PressButton, useForm } from '../../components/Form'
import { HeadedDialog } from '../../components/HeadedDialog'
import { Spinner } from '../../components/Spinner'
import { formatDateTime } from '../../i18n/locale'
import { useTranslation } from '../../i18n/useTranslation'
import { selectUser } from '../../platform/account/accountSlice'
import { useLoaded } from '../../platform/loading/useLoaded'
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

type FieldName = 'old' | 'new'

function PasswordForm({ onChanged }: { onChanged: () => void }) {
  const { t } = useTranslation()
  const language = useAppSelector(selectLanguage)
  const user = useAppSelector(selectUser)
  const form = useForm<FieldName>()
  const submit = (data: FormData) => {
    const [old, chosen] = [String(data.get('old')), String(data.get('new'))]
    const errors = missing(old, chosen, t)
    if (Object.keys(errors).length > 0) {
      form.show({ errors })
      return
    }
    form.send(
      async () => {
        await changePassword(old, chosen, language)
        form.ref.current?.reset()
        onChanged()
        return { done: t('passwordChanged') }
      },
      (error) => {
        const text = failureText(error, t)
        const isWrong = error instanceof ApiError && error.failure === 'refused'
        return isWrong ? { errors: { old: text } } : { failed: text, focus: 'new' }
      },
    )
  }
  return (
    <Form form={form} className={styles.form} onSubmit={submit}>
      {/* Password managers look for the name that the password belongs to. */}
      <input type="text" name="name" autoComplete="username" value={user?.name ?? ''} readOnly hidden />
      <PasswordField label={t('passwordOld')} name="old" isNew={false} error={form.errors.old} />
      <PasswordField label={t('passwordNew')} name="new" isNew error={form.errors.new} hint={t('passwordHint')} />
      <Failed text={form.failed} className={styles.answer} />
      <Done text={form.done} className={styles.answer} />
      <PressButton look="primary" type="submit" isBusy={form.isBusy}>
        {t('passwordChange')}
      </PressButton>
    </Form>
  )
}

function missing(old: string, chosen: string, t: Translate): FieldErrors<FieldName> {
  return {
    ...(old === '' && { old: t('passwordMissing') }),
    ...(chosen === ''
      ? { new: t('passwordMissing') }
      : Array.from(chosen).length < PASSWORD_MIN && { new: t('passwordShort') }),
  }
}

function Devices() {
  const { t } = useTranslation()
  const language = useAppSelector(selectLanguage)
  const { loaded, change } = useLoaded(fetchSessions, [])
  const [hasFailed, setFailed] = useState(false)
  const [ended, setEnded] = useState('')
  const title = useRef<HTMLHeadingElement>(null)
  const sessions = loaded.status === 'ready' && !hasFailed ? loaded.value : null
  const nameOf = (session: AccountSession) => deviceName(session.agent) ?? t('deviceUnknown')
  const end = async (session: AccountSession) => {
    try {
      await endSession(session.id)
    } catch (error) {
      // A session that has ended meanwhile is what the user wanted.
      if (!(error instanceof ApiError && error.failure === 'notFound')) {
        setFailed(true)
        return
      }
    }
    change((held) => held.filter(({ id }) => id !== session.id))
    setEnded(t('deviceEnded', { device: nameOf(session) }))
    // The button is gone.
    title.current?.focus()
  }
  return (
    <section className={styles.devices} aria-busy={loaded.status === 'loading'}>
      <h3 ref={title} className={styles.subtitle} tabIndex={-1}>
        {t('devices')}
      </h3>
      {loaded.status === 'loading' && <Spinner />}
      {(loaded.status === 'failed' || hasFailed) && (
        <div role="alert">
          <Alert look="danger">{`${t('liveCommunicationError')} ${t('liveTryLater')}`}</Alert>
        </div>
      )}
      {sessions && (
        <ul>
          {sessions.map((session) => (
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
