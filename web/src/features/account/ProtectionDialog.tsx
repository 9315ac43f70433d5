import { useEffect, useId, useRef, useState } from 'react'
import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { Alert } from '../../components/Alert'
import { HeadedDialog } from '../../components/HeadedDialog'
import { Tabs } from '../../components/Tabs'
import type { Exclusion } from '../../domain/exclusion'
import { useTranslation } from '../../i18n/useTranslation'
import { exclusionText } from '../../platform/account/exclusionText'
import { exclusionStarted, selectExclusion, statusDoubted } from '../../platform/account/protectionSlice'
import { selectLanguage } from '../../platform/preferences/preferencesSelectors'
import { panelTurned } from '../../platform/view/viewSlice'
import { ExclusionPart } from './ExclusionPart'
import { LimitsForm } from './LimitsForm'
import styles from './ProtectionDialog.module.css'
import { ProtectionEntries } from './ProtectionEntries'

type Part = 'limits' | 'exclusion' | 'history'

/** Protects the bettor: limits, a time-out or self-exclusion, and the history of both. */
export function ProtectionDialog() {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const exclusion = useAppSelector(selectExclusion)
  const [part, setPart] = useState<Part>(exclusion ? 'exclusion' : 'limits')
  const panelId = useId()
  const note = useRef<HTMLDivElement>(null)
  useEffect(() => {
    dispatch(statusDoubted())
  }, [dispatch])
  const tabs = [
    { value: 'limits', text: t('protectionLimits') },
    { value: 'exclusion', text: t('protectionExclusion') },
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
          <ExclusionPart
            exclusion={exclusion}
            onStarted={(started) => {
              dispatch(exclusionStarted(started))
              dispatch(statusDoubted())
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

function ExclusionNote({ exclusion }: { exclusion: Exclusion }) {
  const { t } = useTranslation()
  const { key, values } = exclusionText(exclusion, useAppSelector(selectLanguage))
  return (
    <Alert look="warn" className={styles.note}>
      {t(key, values)}
    </Alert>
  )
}
