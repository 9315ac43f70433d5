import { type KeyboardEvent, useEffect, useId, useMemo, useState } from 'react'
import { flushSync } from 'react-dom'
import { useStore } from 'react-redux'
import { useAppDispatch, useAppSelector } from '../../app/hooks'
import type { RootState } from '../../app/store'
import { afterPaint, answerFirst } from '../../components/answerFirst'
import { Cover } from '../../components/Cover'
import { cx } from '../../components/cx'
import { Icon } from '../../components/Icon'
import { IconButton } from '../../components/IconButton'
import { placeByKey } from '../../components/listKeys'
import { useOncePainted } from '../../components/useOncePainted'
import type { MatchId } from '../../domain/offer'
import { sportClass } from '../../domain/sportClass'
import { useTranslation } from '../../i18n/useTranslation'
import { matchName } from '../../platform/offer/matchName'
import { selectMatch, selectSportGroups, selectSportSummaries } from '../../platform/offer/offerSelectors'
import { useMomentText } from '../../platform/offer/useMomentText'
import { sportFilterSet } from '../../platform/preferences/preferencesSlice'
import { matchOpened, pageOpened, panelTurned } from '../../platform/view/viewSlice'
import styles from './SearchDialog.module.css'
import { entriesOf, type Found, find } from './search'

/** The search for matches, tournaments and sports, in Latin or Cyrillic letters. */
export function SearchDialog() {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const store = useStore<RootState>()
  const [query, setQuery] = useState('')
  const [place, setPlace] = useState(0)
  const id = useId()
  const groups = useAppSelector(selectSportGroups)
  const sports = useAppSelector(selectSportSummaries)
  // Normalising a thousand names for each typed letter would be slow. They change only with the matches in the offer.
  const entries = useMemo(
    () => entriesOf(groups, sports, (matchId) => selectMatch(store.getState(), matchId)),
    [groups, sports, store],
  )
  // The typed letter is painted before the results.
  const looked = useOncePainted(query)
  const found = useMemo(() => find(entries, looked), [entries, looked])
  const current = found[Math.min(place, found.length - 1)]
  const close = () => dispatch(panelTurned(null))
  const closeSoon = () => afterPaint(close)
  const open = (one: Found) => {
    // Close first: the dialog restores the focus, and then the opened view takes it.
    flushSync(close)
    if (document.activeElement instanceof HTMLElement) {
      document.activeElement.blur()
    }
    if (one.kind === 'match') {
      dispatch(matchOpened(one.id))
    } else {
      dispatch(pageOpened('list'))
      dispatch(sportFilterSet([one.id]))
    }
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const isAcross =
      event.key === 'ArrowLeft' || event.key === 'ArrowRight' || event.key === 'Home' || event.key === 'End'
    const next = isAcross ? null : placeByKey(event.key, found.indexOf(current as Found), found.length)
    if (next !== null) {
      event.preventDefault()
      setPlace(found.length > 0 ? next : 0)
    } else if (event.key === 'Enter') {
      const chosen = looked === query ? current : find(entries, query)[0]
      if (chosen) {
        event.preventDefault()
        answerFirst(document.getElementById(optionId(chosen)), () => open(chosen))
      }
    }
  }
  const optionId = (one: Found) => `${id}-${one.kind}-${one.id}`
  return (
    <Cover className={styles.dialog} label={t('search')} onClose={closeSoon}>
      <div className={styles.field}>
        <Icon name="search" className={styles.glass} />
        <input
          className={styles.input}
          type="text"
          role="combobox"
          aria-label={t('searchLabel')}
          aria-autocomplete="list"
          aria-expanded={found.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={current ? optionId(current) : undefined}
          placeholder={t('searchHint')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="go"
          maxLength={80}
          value={query}
          onChange={(event) => {
            setQuery(event.currentTarget.value)
            setPlace(0)
          }}
          onKeyDown={onKeyDown}
        />
        <IconButton label={t('close')} icon="close" onClick={closeSoon} />
      </div>
      <p className={cx(found.length > 0 && 'vh', styles.said)} role="status">
        {looked.trim() === '' ? t('searchEmpty') : t('searchFound', { count: found.length })}
      </p>
      <div className={styles.list} id={`${id}-list`} role="listbox" aria-label={t('searchResults')}>
        {found.map((one) => (
          <Option
            key={`${one.kind} ${one.id}`}
            id={optionId(one)}
            found={one}
            isCurrent={one === current}
            onOpen={(pressed) => answerFirst(pressed, () => open(one))}
          />
        ))}
      </div>
    </Cover>
  )
}

interface OptionProps {
  id: string
  found: Found
  isCurrent: boolean
  onOpen: (pressed: Element) => void
}

/** A result. It handles clicks only; the keys are handled by the field, as in any combobox. */
function Option({ id, found, isCurrent, onOpen }: OptionProps) {
  useEffect(() => {
    if (isCurrent) {
      document.getElementById(id)?.scrollIntoView({ block: 'nearest' })
    }
  }, [id, isCurrent])
  const sport = sportClass(found.kind === 'sport' ? found.id : found.sportId)
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field, which refers to this by its id.
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the Enter key.
    <div
      className={styles.option}
      role="option"
      id={id}
      aria-selected={isCurrent}
      data-sport={sport}
      onClick={(event) => onOpen(event.currentTarget)}
    >
      <span className={styles.tile}>
        <Icon name={sport} size="s" />
      </span>
      {found.kind === 'match' ? <MatchText id={found.id} tournament={found.tournament} /> : <SportText {...found} />}
    </div>
  )
}

function MatchText({ id, tournament }: { id: MatchId; tournament: string | null }) {
  const match = useAppSelector((state) => selectMatch(state, id))
  return match ? (
    <>
      <span className={styles.text}>
        <b className={styles.name}>{matchName(match)}</b>
        <small className={styles.around}>{tournament}</small>
      </span>
      <span className={styles.score}>
        <b>{match.score?.join(':')}</b>
        <When match={match} />
      </span>
    </>
  ) : null
}

function When({ match }: { match: Parameters<typeof useMomentText>[0] }) {
  return <small className={styles.around}>{useMomentText(match)}</small>
}

function SportText({ name, matchCount }: { name: string | null; matchCount: number }) {
  const { t } = useTranslation()
  return (
    <span className={styles.text}>
      <b className={styles.name}>{name}</b>
      <small className={styles.around}>{t('matchCount', { count: matchCount })}</small>
    </span>
  )
}
