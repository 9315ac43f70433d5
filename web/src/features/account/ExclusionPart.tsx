import { useState } from 'react'
import { useAppSelector } from '../../app/hooks'
import { Button } from '../../components/Button'
import { type Exclusion, kindOf } from '../../domain/exclusion'
import { formatDateTime } from '../../i18n/locale'
import { useTranslation } from '../../i18n/useTranslation'
import { selectLanguage } from '../../platform/preferences/preferencesSelectors'
import { ExclusionForm } from './ExclusionForm'
import styles from './ExclusionPart.module.css'

interface ExclusionPartProps {
  exclusion: Exclusion | null
  onStarted: (exclusion: Exclusion | null) => void
}

/** Starts an exclusion. While one is in force, shows its end, and starts a longer one only on demand. */
export function ExclusionPart({ exclusion, onStarted }: ExclusionPartProps) {
  const { t } = useTranslation()
  const language = useAppSelector(selectLanguage)
  const [isLonger, setLonger] = useState(false)
  if (!exclusion) {
    return <ExclusionForm exclusion={null} onStarted={onStarted} />
  }
  const { until } = exclusion
  return (
    <>
      <dl className={styles.facts}>
        <dt>{t('exclusionKind')}</dt>
        <dd>{t(`exclusion_${kindOf(exclusion)}`)}</dd>
        <dt>{t('exclusionEnd')}</dt>
        <dd>{until === null ? t('exclusionTime_forever') : formatDateTime(language, until)}</dd>
      </dl>
      <p className={styles.text}>{t(until === null ? 'exclusionForeverText' : 'exclusionText')}</p>
      {until !== null && (
        <Button
          look="text"
          className={styles.longer}
          aria-expanded={isLonger}
          onClick={() => setLonger((before) => !before)}
        >
          {t('exclusionLonger')}
        </Button>
      )}
      {until !== null && isLonger && (
        // Another exclusion has other lengths.
        <ExclusionForm
          key={until}
          exclusion={exclusion}
          onStarted={(started) => {
            setLonger(false)
            onStarted(started)
          }}
        />
      )}
    </>
  )
}
