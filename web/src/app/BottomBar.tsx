import type { ReactNode } from 'react'
import { Icon, type IconName } from '../components/Icon'
import { AccountMenu } from '../features/account/AccountMenu'
import { TicketButton } from '../features/ticket/TicketButton'
import { useTranslation } from '../i18n/useTranslation'
import { selectAccountStatus } from '../platform/account/accountSlice'
import { useFavouritesToggle } from '../platform/view/useFavouritesToggle'
import { useListLink, usePageLink } from '../platform/view/useMatchLink'
import { selectOpenMatchId, selectPage } from '../platform/view/viewSelectors'
import { isListPage } from '../platform/view/viewUrl'
import styles from './BottomBar.module.css'
import { useAppSelector } from './hooks'

/** The navigation bar of a phone. */
export function BottomBar() {
  const { t } = useTranslation()
  const page = useAppSelector(selectPage)
  const isFavourites = useAppSelector(selectOpenMatchId) === null && page === 'favourites'
  const isMember = useAppSelector(selectAccountStatus) === 'member'
  const list = useListLink()
  const favourites = usePageLink('favourites')
  const toggleFavourites = useFavouritesToggle()
  const bets = usePageLink('bets')
  const login = usePageLink('login')
  return (
    <nav className={styles.bar} aria-label={t('bottomNavigation')}>
      <Way icon="list" text={t('live')} isHere={isListPage(page) && !isFavourites} link={list} />
      <Way
        icon="star"
        text={t('favourites')}
        isHere={isFavourites}
        link={{
          ...favourites,
          onClick: (event) => {
            event.preventDefault()
            toggleFavourites()
          },
        }}
      />
      <TicketButton />
      <Way icon="slip" text={t('bets')} isHere={page === 'bets'} link={bets} />
      {isMember ? (
        <AccountMenu
          className={styles.anchor}
          trigger={(props) => (
            <button type="button" className={styles.way} {...props}>
              <Content icon="user">{t('account')}</Content>
            </button>
          )}
        />
      ) : (
        <Way icon="user" text={t('login')} isHere={page === 'login' || page === 'register'} link={login} />
      )}
    </nav>
  )
}

interface WayProps {
  icon: IconName
  text: string
  isHere: boolean
  link: ReturnType<typeof usePageLink>
}

function Way({ icon, text, isHere, link }: WayProps) {
  return (
    <a className={styles.way} aria-current={isHere ? 'page' : undefined} {...link}>
      <Content icon={icon}>{text}</Content>
    </a>
  )
}

function Content({ icon, children }: { icon: IconName; children: ReactNode }) {
  return (
    <>
      <Icon name={icon} size="l" />
      <span className={styles.text}>{children}</span>
    </>
  )
}
