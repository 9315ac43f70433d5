import { useAppSelector } from '../../app/hooks'
import { useTranslation } from '../../i18n/useTranslation'
import { ExclusionLine } from '../../platform/account/ExclusionLine'
import { selectExclusion } from '../../platform/account/protectionSlice'
import styles from './ExclusionBar.module.css'

/** The bar below the header during a time-out or a self-exclusion. */
export function ExclusionBar() {
  const { t } = useTranslation()
  const exclusion = useAppSelector(selectExclusion)
  return exclusion ? (
    <section className={styles.bar} aria-label={t('protection')} data-exclusion-bar="">
      <ExclusionLine exclusion={exclusion} />
    </section>
  ) : null
}
