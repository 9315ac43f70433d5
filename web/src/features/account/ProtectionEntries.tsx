import { fetchProtectionHistory, type ProtectionChange } from '../../api/protectionApi'
import { useAppSelector } from '../../app/hooks'
import { Alert, AlertAction } from '../../components/Alert'
import { Button } from '../../components/Button'
import { Spinner } from '../../components/Spinner'
import { formatDateTime } from '../../i18n/locale'
import { useTranslation } from '../../i18n/useTranslation'
import { usePages } from '../../platform/loading/usePages'
import { selectLanguage } from '../../platform/preferences/preferencesSelectors'
import styles from './ProtectionEntries.module.css'
import { useLimitText } from './useLimitText'

/** The changes of limits and the exclusions, newest first, in pages. */
export function ProtectionEntries() {
  const { t } = useTranslation()
  const { status, items: entries, next, more } = usePages('history', fetchEntries)
  return (
    <div aria-busy={status === 'loading'}>
      <ul>
        {entries.map((entry, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries have no id, and are only added at the end.
          <Entry key={place} entry={entry} />
        ))}
      </ul>
      {status === 'ready' && entries.length === 0 && <p className={styles.none}>{t('protectionNone')}</p>}
      {status === 'loading' && <Spinner />}
      {status === 'failed' && (
        <div role="alert">
          <Alert look="danger" action={<AlertAction onPress={more}>{t('tryAgain')}</AlertAction>}>
            {`${t('liveCommunicationError')} ${t('liveTryLater')}`}
          </Alert>
        </div>
      )}
      {status === 'ready' && next !== null && (
        <Button className={styles.older} onClick={more}>
          {t('statementOlder')}
        </Button>
      )}
    </div>
  )
}

async function fetchEntries(cursor: string | null, signal: AbortSignal) {
  const { entries, next } = await fetchProtectionHistory(cursor, signal)
  return { items: entries, next }
}

function Entry({ entry }: { entry: ProtectionChange }) {
  const { t } = useTranslation()
  const language = useAppSelector(selectLanguage)
  const { limitName, limitValue } = useLimitText()
  const timeOf = (ms: number) => formatDateTime(language, ms)
  const text = () => {
    if (entry.kind === 'unknown') {
      return t('entryUnknown')
    }
    if (entry.kind === 'exclusion') {
      const { kind, until } = entry.exclusion
      const name = t(kind === 'time_out' ? 'exclusion_time_out' : 'exclusion_self_exclusion')
      return until === null
        ? t('exclusionEntryForever', { kind: name })
        : t('exclusionEntry', { kind: name, time: timeOf(until) })
    }
    const { limit, from, to } = entry
    return from === to
      ? t('limitWithdrawn', { limit: limitName(limit) })
      : t('limitChange', { limit: limitName(limit), from: limitValue(limit, from), to: limitValue(limit, to) })
  }
  const isLater = entry.kind === 'limit' && entry.effectiveAt > entry.at
  return (
    <li className={styles.entry}>
      <span>{text()}</span>
      <small className={styles.detail}>
        {[timeOf(entry.at), isLater && t('limitEffective', { time: timeOf(entry.effectiveAt) })]
          .filter(Boolean)
          .join(' · ')}
      </small>
    </li>
  )
}
