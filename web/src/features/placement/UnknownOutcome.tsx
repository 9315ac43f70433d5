import { useAppDispatch } from '../../app/hooks'
import { Alert, AlertAction } from '../../components/Alert'
import { useTranslation } from '../../i18n/useTranslation'
import { pageOpened } from '../../platform/view/viewSlice'
import styles from './PlaceButton.module.css'

/** The outcome of a bet is not known. With `login`, it can be asked for only after the user who placed it logs in. */
export function UnknownOutcome({ login }: { login: boolean }) {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  return (
    <Alert
      look="warn"
      className={styles.obstacle}
      action={login && <AlertAction onPress={() => dispatch(pageOpened('login', true))}>{t('logIn')}</AlertAction>}
    >
      <b className={styles.unknown}>{t('outcomeUnknown')}</b>
      <span>{t(login ? 'outcomeNeedsLogin' : 'outcomeUnknownText')}</span>
    </Alert>
  )
}
