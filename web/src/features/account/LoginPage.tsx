import { useEffect, useRef } from 'react'
import { enter } from '../../api/accountApi'
import { ApiError } from '../../api/request'
import { fetchUser } from '../../api/userApi'
import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { Alert } from '../../components/Alert'
import { cx } from '../../components/cx'
import { type Answer, Failed, type FieldErrors, Form, PressButton, useForm } from '../../components/Form'
import { usePageTitle } from '../../components/usePageTitle'
import { useTranslation } from '../../i18n/useTranslation'
import { memberSeen } from '../../platform/account/accountSlice'
import { selectLanguage } from '../../platform/preferences/preferencesSelectors'
import { placingResumed } from '../../platform/view/requests'
import { useListLink, usePageLink } from '../../platform/view/useMatchLink'
import { pageLeft, ticketTurned } from '../../platform/view/viewSlice'
import { CheckField, Field, isGoodName, NAME_MAX, NAME_MIN, PASSWORD_MIN, PasswordField } from './Field'
import fieldStyles from './Field.module.css'
import styles from './LoginPage.module.css'
import { selectHasWaitingTicket, WaitingTicket } from './WaitingTicket'

/** How many frames to wait for the ticket, which may have to be loaded. */
const FRAMES_MAX = 30

type FieldName = 'name' | 'password' | 'adult'

/** The login or registration page. Both lead back to the previous page and keep the ticket. */
export function LoginPage({ how }: { how: 'login' | 'register' }) {
  const { t } = useTranslation()
  const isLogin = how === 'login'
  const forTicket = useAppSelector((state) => state.view.loginForTicket)
  const hasTicket = useAppSelector(selectHasWaitingTicket)
  const other = usePageLink(isLogin ? 'register' : 'login')
  const list = useListLink()
  usePageTitle(t(how))
  return (
    <div className={styles.page}>
      <section
        className={cx(styles.side, hasTicket && styles.waits)}
        aria-label={t(hasTicket ? 'ticketWaits' : 'welcome')}
      >
        <Pattern />
        <p className={styles.slogan}>{t(hasTicket ? 'ticketWaits' : 'welcome')}</p>
        <p className={styles.pitch}>{t(hasTicket ? 'ticketWaitsText' : 'welcomeText')}</p>
        {hasTicket && <WaitingTicket />}
      </section>
      <div className={styles.content}>
        <LoginForm key={how} how={how} forTicket={forTicket} />
        <p className={styles.ways}>
          <span>
            <span>{t(isLogin ? 'noAccountYet' : 'haveAccount')}</span>{' '}
            <a className={styles.way} {...other}>
              {t(isLogin ? 'createAccount' : 'logIn')}
            </a>
          </span>
          <a className={styles.way} {...list}>
            {t('backToOffer')}
          </a>
        </p>
        <p className={styles.adults}>{t('adultsOnly')}</p>
      </div>
    </div>
  )
}

function LoginForm({ how, forTicket }: { how: 'login' | 'register'; forTicket: boolean }) {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const language = useAppSelector(selectLanguage)
  const form = useForm<FieldName>()
  const title = useRef<HTMLHeadingElement>(null)
  const isLogin = how === 'login'

  useEffect(() => {
    // The button that opened this page was in the ticket, which is not shown here. So the title gets the focus.
    if (forTicket) {
      title.current?.focus({ preventScroll: true })
    }
  }, [forTicket])
  const logIn = async (name: string, password: string, signal: AbortSignal) => {
    await enter(how, name, password, language)
    dispatch(memberSeen((await fetchUser().catch(() => null)) ?? null))
    // If the user has left the page meanwhile, do not navigate.
    if (!signal.aborted) {
      dispatch(pageLeft())
      if (forTicket) {
        dispatch(ticketTurned(true))
        focusTicket(() => dispatch(placingResumed()))
      }
    }
    return {}
  }
  const submit = (data: FormData) => {
    const name = String(data.get('name')).trim()
    const password = String(data.get('password'))
    const isAdult = isLogin || data.has('adult')
    const errors = missing({ name, password, isAdult }, isLogin, t)
    if (Object.keys(errors).length > 0) {
      form.show({ errors })
    } else {
      form.send(
        (signal) => logIn(name, password, signal),
        (error) => ({ focus: 'password', ...answerOf(error, isLogin, t) }),
      )
    }
  }
  return (
    <Form form={form} className={styles.form} onSubmit={submit}>
      <h1 ref={title} className={styles.title} tabIndex={-1}>
        {t(how)}
      </h1>
      {forTicket && <Alert look="info">{t(isLogin ? 'loginForTicket' : 'registerForTicket')}</Alert>}
      <Failed text={form.failed} className={styles.alert} />
      <Field
        label={t('userName')}
        error={form.errors.name}
        hint={isLogin ? undefined : t('errorName', { min: NAME_MIN, max: NAME_MAX })}
      >
        {(props) => (
          <input
            {...props}
            className={fieldStyles.input}
            name="name"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            required
          />
        )}
      </Field>
      <PasswordField
        label={t('password')}
        name="password"
        isNew={!isLogin}
        error={form.errors.password}
        hint={isLogin ? undefined : t('passwordHint')}
      />
      {!isLogin && <CheckField label={t('adultConfirm')} name="adult" error={form.errors.adult} />}
      <PressButton look="primary" type="submit" className={styles.submit} isBusy={form.isBusy}>
        {t(isLogin ? 'logIn' : 'createAccount')}
      </PressButton>
    </Form>
  )
}

type Translate = ReturnType<typeof useTranslation>['t']

interface Filled {
  readonly name: string
  readonly password: string
  readonly isAdult: boolean
}

function missing({ name, password, isAdult }: Filled, isLogin: boolean, t: Translate): FieldErrors<FieldName> {
  return {
    ...(name === ''
      ? { name: t('userNameMissing') }
      : !isLogin && !isGoodName(name) && { name: t('errorName', { min: NAME_MIN, max: NAME_MAX }) }),
    ...(!isAdult && { adult: t('adultMissing') }),
    ...(password === ''
      ? { password: t('passwordMissing') }
      : !isLogin && Array.from(password).length < PASSWORD_MIN && { password: t('passwordShort') }),
  }
}

function answerOf(error: unknown, isLogin: boolean, t: Translate): Answer<FieldName> {
  if (!(error instanceof ApiError)) {
    return { failed: t('liveCommunicationError') }
  }
  switch (error.failure) {
    case 'unauthorised':
      return { errors: { password: t('loginWrong') } }
    case 'tooMany':
      return { failed: t('tooManyTries') }
    case 'refused':
      // The server's text says what is wrong with the name: already in use, or not allowed.
      return isLogin
        ? { failed: error.reasons[0] ?? t('loginWrong') }
        : { errors: { name: error.reasons[0] ?? t('liveTryLater') } }
    default:
      return { failed: `${t('liveCommunicationError')} ${t('liveTryLater')}` }
  }
}

/** Focuses the ticket after the previous page is shown again. A dialog that opens then returns the focus to it. */
function focusTicket(then: () => void, frames = FRAMES_MAX): void {
  requestAnimationFrame(() => {
    const place = document.querySelector<HTMLElement>('[data-place]')
    if (!place && frames > 0) {
      focusTicket(then, frames - 1)
      return
    }
    place?.focus()
    then()
  })
}

function Pattern() {
  const squares = [0, 1, 2, 3, 4].flatMap((row) =>
    [0, 1, 2, 3, 4].filter((column) => (row + column) % 2 === 0).map((column) => ({ row, column })),
  )
  return (
    <svg className={styles.pattern} viewBox="0 0 90 90" aria-hidden="true" focusable="false">
      {squares.map(({ row, column }) => (
        <rect key={`${row} ${column}`} x={1 + column * 18} y={1 + row * 18} width="16" height="16" rx="4" />
      ))}
    </svg>
  )
}
