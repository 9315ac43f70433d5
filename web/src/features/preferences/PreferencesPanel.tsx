import { useState } from 'react'
import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { RadioTiles } from '../../components/RadioTiles'
import { formatOdd, ODDS_FORMATS } from '../../domain/oddsFormat'
import { LANGUAGE_NAMES, LOCALES } from '../../i18n/locale'
import { useTranslation } from '../../i18n/useTranslation'
import { canNote } from '../../platform/notices/systemNotes'
import {
  selectHasBetNotes,
  selectHasGoalNotes,
  selectHasShortcuts,
  selectHasStrip,
  selectIsLowData,
  selectLanguage,
  selectOddsType,
  selectTheme,
} from '../../platform/preferences/preferencesSelectors'
import {
  betNotesTurned,
  goalNotesTurned,
  LANGUAGES,
  languageChanged,
  lowDataTurned,
  oddsTypeChanged,
  shortcutsTurned,
  stripTurned,
  THEMES,
  themeChanged,
} from '../../platform/preferences/preferencesSlice'
import { SportOrder } from '../../platform/preferences/SportOrder'
import styles from './PreferencesPanel.module.css'
import { QuickStakes } from './QuickStakes'

/** The sample price in thousandths, shown in each odds format. */
const SAMPLE = 1500

interface NotesProps {
  label: string
  isOn: boolean
  onTurn: (on: boolean) => void
}

/** A switch for system notifications. Switching it on asks the browser for permission. */
function Notes({ label, isOn, onTurn }: NotesProps) {
  const { t } = useTranslation()
  const [permission, setPermission] = useState(Notification.permission)
  const turn = async (on: boolean) => {
    if (on && Notification.permission === 'default') {
      await Notification.requestPermission()
    }
    setPermission(Notification.permission)
    onTurn(on && Notification.permission === 'granted')
  }
  return (
    <RadioTiles
      label={label}
      columns={2}
      tiles={[
        {
          value: 1,
          text: t('goalNotesOn'),
          detail: t(permission === 'denied' ? 'goalNotesDenied' : 'goalNotesDetail'),
        },
        { value: 0, text: t('goalNotesOff') },
      ]}
      value={Number(isOn && permission === 'granted')}
      onChange={(value) => void turn(value === 1)}
    />
  )
}

function AllNotes() {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const hasGoalNotes = useAppSelector(selectHasGoalNotes)
  const hasBetNotes = useAppSelector(selectHasBetNotes)
  return (
    <>
      <Notes label={t('goalNotes')} isOn={hasGoalNotes} onTurn={(on) => dispatch(goalNotesTurned(on))} />
      <Notes label={t('betNotes')} isOn={hasBetNotes} onTurn={(on) => dispatch(betNotesTurned(on))} />
    </>
  )
}

/** The panel with all preferences: language, odds format, theme, shortcuts and more. */
export function PreferencesPanel() {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const language = useAppSelector(selectLanguage)
  const oddsType = useAppSelector(selectOddsType)
  const theme = useAppSelector(selectTheme)
  const isLowData = useAppSelector(selectIsLowData)
  const hasStrip = useAppSelector(selectHasStrip)
  const hasShortcuts = useAppSelector(selectHasShortcuts)
  return (
    <>
      <RadioTiles
        label={t('language')}
        columns={2}
        tiles={LANGUAGES.map((value) => ({ value, text: LANGUAGE_NAMES[value], lang: LOCALES[value] }))}
        value={language}
        onChange={(value) => dispatch(languageChanged(value))}
      />
      <RadioTiles
        label={t('oddsFormat')}
        columns={3}
        tiles={ODDS_FORMATS.map((format, value) => ({
          value,
          text: formatOdd(SAMPLE, format),
          detail: t(`oddsFormat_${format}`),
        }))}
        value={oddsType}
        onChange={(value) => dispatch(oddsTypeChanged(value))}
      />
      <RadioTiles
        label={t('theme')}
        columns={3}
        tiles={THEMES.map((value) => ({ value, text: t(`theme_${value}`) }))}
        value={theme}
        onChange={(value) => dispatch(themeChanged(value))}
      />
      <RadioTiles
        label={t('lowData')}
        columns={2}
        tiles={[
          { value: 1, text: t('lowDataOn'), detail: t('lowDataDetail') },
          { value: 0, text: t('lowDataOff') },
        ]}
        value={Number(isLowData)}
        onChange={(value) => dispatch(lowDataTurned(value === 1))}
      />
      <RadioTiles
        label={t('shortcuts')}
        columns={2}
        tiles={[
          { value: 1, text: t('shortcutsOn'), detail: t('shortcutsDetail') },
          { value: 0, text: t('shortcutsOff') },
        ]}
        value={Number(hasShortcuts)}
        onChange={(value) => dispatch(shortcutsTurned(value === 1))}
      />
      <RadioTiles
        label={t('stripLabel')}
        columns={2}
        tiles={[
          { value: 1, text: t('stripOn') },
          { value: 0, text: t('stripOff') },
        ]}
        value={Number(hasStrip)}
        onChange={(value) => dispatch(stripTurned(value === 1))}
      />
      <QuickStakes />
      <details className={styles.group}>
        <summary className={styles.summary}>{t('sportOrder')}</summary>
        <SportOrder />
      </details>
      {canNote() && <AllNotes />}
    </>
  )
}
