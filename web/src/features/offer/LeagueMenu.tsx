import { Icon } from '../../components/Icon'
import { later } from '../../components/later'
import { Popover } from '../../components/Popover'
import { useTranslation } from '../../i18n/useTranslation'
import styles from './LeagueMenu.module.css'

const LeaguePanel = later(async () => (await import('./LeaguePanel')).LeaguePanel)

/** The leagues of the list where the rail has no room for them. */
export function LeagueMenu() {
  const { t } = useTranslation()
  return (
    <Popover
      className={styles.anchor}
      label={t('leagues')}
      trigger={(props) => (
        <button type="button" className={styles.button} {...props}>
          <span>{t('leagues')}</span>
          <Icon name="chevronDown" size="s" />
        </button>
      )}
    >
      {(close) => <LeaguePanel onGo={close} />}
    </Popover>
  )
}
