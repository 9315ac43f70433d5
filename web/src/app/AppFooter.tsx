import { useTranslation } from '../i18n/useTranslation'
import styles from './AppFooter.module.css'

const ARTICLE = 'https://doi.org/10.1038/s41597-019-0247-7'
const LICENCE = 'https://creativecommons.org/licenses/by/4.0/'

/**
 * Credits the source of the recorded soccer matches, as its licence requires, and says that odds on them are modelled.
 */
export function AppFooter() {
  const { t } = useTranslation()
  return (
    <footer className={styles.footer}>
      <p>{t('modelOdds')}</p>
      <p>
        <span>{t('dataCredit')}</span>{' '}
        <a className={styles.link} href={ARTICLE} rel="noreferrer" target="_blank">
          doi:10.1038/s41597-019-0247-7
        </a>{' '}
        <a className={styles.link} href={LICENCE} rel="license noreferrer" target="_blank">
          CC BY 4.0
        </a>
      </p>
    </footer>
  )
}
