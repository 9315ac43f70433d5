import { useAppSelector } from '../../app/hooks'
import { Icon } from '../../components/Icon'
import { useTranslation } from '../../i18n/useTranslation'
import { selectAccountStatus, selectUser } from '../../platform/account/accountSlice'
import { useMoney } from '../../platform/account/useMoney'
import { usePageLink } from '../../platform/view/useMatchLink'
import { selectPage } from '../../platform/view/viewSelectors'
import styles from './AccountButton.module.css'
import { AccountMenu } from './AccountMenu'

/** In the header: the balance of the signed-in user, or the login link, except on the page to which it leads. */
export function AccountButton() {
  const { t } = useTranslation()
  const status = useAppSelector(selectAccountStatus)
  const user = useAppSelector(selectUser)
  const money = useMoney()
  const link = usePageLink('login')
  const isLogin = useAppSelector(selectPage) === 'login'
  if (status === 'unknown' || (status === 'anonymous' && isLogin)) {
    return <span className={styles.place} />
  }
  if (status === 'anonymous') {
    return (
      <a className={styles.login} {...link}>
        {t('login')}
      </a>
    )
  }
  return (
    <AccountMenu
      trigger={(props) => (
        <button type="button" className={styles.button} {...props}>
          <span className="vh">{`${t('account')}, ${user?.name ?? ''} `}</span>
          {user && <b className={styles.balance}>{money(user.balance)}</b>}
          <span className={styles.face} aria-hidden="true">
            {user ? initials(user.name) : <Icon name="user" size="s" />}
          </span>
        </button>
      )}
    />
  )
}

function initials(name: string): string {
  const words = name.split(/[\s._-]+/).filter(Boolean)
  const letters = words.length > 1 ? words.map((word) => Array.from(word)[0]) : Array.from(name)
  return letters.slice(0, 2).join('').toUpperCase()
}
