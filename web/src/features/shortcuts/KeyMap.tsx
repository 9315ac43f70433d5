import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { HeadedDialog } from '../../components/HeadedDialog'
import type { TranslationKey } from '../../i18n/keys'
import { useTranslation } from '../../i18n/useTranslation'
import { selectHasShortcuts } from '../../platform/preferences/preferencesSelectors'
import { shortcutsTurned } from '../../platform/preferences/preferencesSlice'
import { panelTurned } from '../../platform/view/viewSlice'
import styles from './KeyMap.module.css'

interface Entry {
  /** Alternative keys. Key labels are the same in all languages, except the space bar. */
  readonly keys: readonly string[]
  readonly does: TranslationKey
  /** A single character; such shortcuts can be switched off. */
  readonly single?: true
}

const SPACE = 'keySpace'

/** All keyboard shortcuts, by the part of the page where they work. */
export const KEY_MAP: readonly { readonly title: TranslationKey; readonly entries: readonly Entry[] }[] = [
  {
    title: 'keysEverywhere',
    entries: [
      { keys: ['/'], does: 'keySearch', single: true },
      { keys: ['Ctrl K', '⌘ K'], does: 'keySearch' },
      { keys: ['?'], does: 'keyMap', single: true },
      { keys: ['T'], does: 'keyTicket', single: true },
      { keys: ['V'], does: 'keyStrip', single: true },
      { keys: ['Esc'], does: 'keyEscape' },
    ],
  },
  {
    title: 'keysTicket',
    entries: [
      { keys: ['Alt Enter'], does: 'keyPlace' },
      { keys: ['↑', '↓'], does: 'keyStake' },
    ],
  },
  {
    title: 'keysList',
    entries: [
      { keys: ['↑', '↓'], does: 'keyRows' },
      { keys: ['←', '→'], does: 'keyCells' },
      { keys: ['Home', 'End'], does: 'keyEnds' },
      { keys: ['Enter', SPACE], does: 'keyPress' },
      { keys: ['F'], does: 'keyFavourite', single: true },
      { keys: ['H'], does: 'keyHide', single: true },
      { keys: ['G'], does: 'keyHistory', single: true },
    ],
  },
]

/** The dialog with all shortcuts and the switch for single-character ones. */
export function KeyMap() {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const hasShortcuts = useAppSelector(selectHasShortcuts)
  return (
    <HeadedDialog title={t('keyMapTitle')} onClose={() => dispatch(panelTurned(null))} isWide>
      <div className={styles.sections}>
        {KEY_MAP.map(({ title, entries }) => (
          <section key={title} className={styles.section}>
            <h3 className={styles.where}>{t(title)}</h3>
            <dl>
              {entries.map(({ keys, does, single }) => (
                <div key={keys.join()} className={styles.entry} data-off={(single && !hasShortcuts) || undefined}>
                  <dt className={styles.keys}>
                    {keys.map((key) => (
                      <kbd key={key} className={styles.key}>
                        {key === SPACE ? t(SPACE) : key}
                      </kbd>
                    ))}
                  </dt>
                  <dd className={styles.does}>{t(does)}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <button
        type="button"
        role="switch"
        className={styles.switch}
        aria-checked={hasShortcuts}
        onClick={() => dispatch(shortcutsTurned(!hasShortcuts))}
      >
        <span className={styles.words}>
          <b>{t('shortcuts')}</b>
          <small className={styles.detail}>{t('shortcutsWhy')}</small>
        </span>
        <span className={styles.track} aria-hidden="true">
          <i className={styles.thumb} />
        </span>
      </button>
    </HeadedDialog>
  )
}
