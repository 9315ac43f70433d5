import { useEffect, useId, useRef, useState } from 'react'
import { type Exclusion, fetchExclusion } from '../../api/protectionApi'
import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { Alert } from '../../components/Alert'
import { HeadedDialog } from '../../components/HeadedDialog'
import { Tabs } from '../../components/Tabs'
import { formatDateTime } from '../../i18n/locale'
import { useTranslation } from '../../i18n/useTranslation'
import { selectLanguage } from '../../platform/preferences/preferencesSelectors'
import { panelTurned } from '../../platform/view/viewSlice'
import { ExclusionForm } from './ExclusionForm'
import { LimitsForm } from './LimitsForm'
import styles from './ProtectionDialog.module.css'
import { ProtectionEntries } from './ProtectionEntries'

type Part = 'limits' | 'exclusion' | 'history'

/** Protects the bettor: limits, a time-out or self-exclusion, and the history of both. */
export function ProtectionDialog() {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const [part, setPart] = useState<Part>('limits')
  const [exclusion, setExclusion] = useState<Exclusion | null>(null)
  const panelId = useId()
  const note = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const giveUp = new AbortController()
    // Without an answer the dialog works all the same, and the server rejects what an exclusion forbids.
    fetchExclusion(giveUp.signal).then(setExclusion, () => undefined)
    return () => giveUp.abort()
  }, [])
  const tabs = [
    { value: 'limits', text: t('protectionLimits') },
    { value: 'exclusion', text: t('exclusion_time_out') },
    { value: 'history', text: t('protectionHistory') },
  ] as const
  return (
    <HeadedDialog title={t('protection')} onClose={() => dispatch(panelTurned(null))}>
      <div ref={note} role="status" className={styles.answer} tabIndex={-1}>
        {exclusion && <ExclusionNote exclusion={exclusion} />}
      </div>
      <Tabs<Part> label={t('protection')} tabs={tabs} value={part} onChange={setPart} panelId={panelId} />
      <div
        id={panelId}
        className={styles.panel}
        role="tabpanel"
        aria-label={tabs.find(({ value }) => value === part)?.text}
      >
        {/* It stays mounted, so that what was typed is not lost. */}
        <div hidden={part !== 'limits'}>
          <LimitsForm />
        </div>
        {part === 'exclusion' && (
          <ExclusionForm
            onStarted={(started) => {
              setExclusion(started)
              // The button that confirmed is gone, and the note may be scrolled out of view.
              note.current?.focus()
            }}
          />
        )}
        {part === 'history' && <ProtectionEntries />}
      </div>
    </HeadedDialog>
  )
}

function ExclusionNote({ exclusion: { kind, until } }: { exclusion: Exclusion }) {
  const { t } = useTranslation()
  const language = useAppSelector(selectLanguage)
  const known = kind === 'time_out' ? kind : 'self_exclusion'
  return (
    <Alert look="warn" className={styles.note}>
      {until === null ? t('exclusionForever') : t(`exclusionUntil_${known}`, { time: formatDateTime(language, until) })}
    </Alert>
  )
}
