import { useAppSelector } from '../../app/hooks'
import { Icon } from '../../components/Icon'
import { later } from '../../components/later'
import { Popover } from '../../components/Popover'
import { useTranslation } from '../../i18n/useTranslation'
import { selectLanguage } from '../../platform/preferences/preferencesSelectors'
import styles from './PreferencesMenu.module.css'

/** A separate chunk, because the first paint does not need it. */
const PreferencesPanel = later(async () => (await import('./PreferencesPanel')).PreferencesPanel)

/** The preferences button, which shows the language, and its panel. */
export function PreferencesMenu() {
  const { t } = useTranslation()
  const language = useAppSelector(selectLanguage)
  return (
    <Popover
      label={t('preferences')}
      trigger={(props) => (
        <button type="button" className={styles.button} {...props}>
          <Icon name="globe" />
          <b className={styles.language}>{language.toUpperCase()}</b>
          <span className="vh">{`, ${t('preferences')}`}</span>
        </button>
      )}
    >
      <PreferencesPanel />
    </Popover>
  )
}
