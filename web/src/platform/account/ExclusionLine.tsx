import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { Icon } from '../../components/Icon'
import { type Exclusion, kindOf } from '../../domain/exclusion'
import { formatDateTime, type LanguageCode, TIME } from '../../i18n/locale'
import { useTranslation } from '../../i18n/useTranslation'
import { selectLanguage } from '../preferences/preferencesSelectors'
import { pageOpened, panelTurned } from '../view/viewSlice'
import { selectUser } from './accountSlice'
import styles from './ExclusionLine.module.css'

/** The id of the line in place of the place button. What is off for its reason is described by it. */
export const BARRED_ID = 'barred'

interface ExclusionLineProps {
  exclusion: Exclusion
  /** The id of its statement. */
  id?: string
  /** The cashier needs no link to itself. */
  isInCashier?: boolean
}

/** One line: which exclusion is in force and until when, and what the bettor can still do. */
export function ExclusionLine({ exclusion, id, isInCashier = false }: ExclusionLineProps) {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const language = useAppSelector(selectLanguage)
  const hasCashier = useAppSelector((state) => (selectUser(state)?.cashier ?? 'none') !== 'none')
  const kind = t(`exclusion_${kindOf(exclusion)}`)
  const { until } = exclusion
  return (
    <span className={styles.line}>
      <Icon name="clock" className={styles.icon} />
      <b className={styles.what} id={id}>
        {until === null
          ? t('exclusionEntryForever', { kind })
          : t('exclusionEntry', { kind, time: shortTime(language, until) })}
      </b>
      <span className={styles.links}>
        {hasCashier && !isInCashier && (
          <button type="button" className={styles.link} onClick={() => dispatch(panelTurned('cashier'))}>
            {t('exclusionWithdraw')}
          </button>
        )}
        <button
          type="button"
          className={styles.link}
          onClick={() => {
            // The line may be in a dialog, which covers the page.
            dispatch(panelTurned(null))
            dispatch(pageOpened('statement'))
          }}
        >
          {t('exclusionStatement')}
        </button>
        <button type="button" className={styles.link} onClick={() => dispatch(panelTurned('protection'))}>
          {t('exclusionHelp')}
        </button>
      </span>
    </span>
  )
}

/** Without the year, if it is the current one. */
function shortTime(language: LanguageCode, ms: number): string {
  const isThisYear = new Date(ms).getFullYear() === new Date().getFullYear()
  return formatDateTime(language, ms, isThisYear ? { day: 'numeric', month: 'numeric', ...TIME } : undefined)
}
