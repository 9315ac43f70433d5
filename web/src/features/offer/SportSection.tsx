import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  memo,
  type PointerEvent,
  useId,
  useMemo,
  useState,
} from 'react'
import { useStore } from 'react-redux'
import { useAppDispatch, useAppSelector } from '../../app/hooks'
import type { RootState } from '../../app/store'
import { Grid } from '../../components/Grid'
import type { Screen } from '../../components/useScreen'
import { remember } from '../../domain/sharing'
import { sportClass } from '../../domain/sportClass'
import { lookup } from '../../domain/table'
import { selectIsFavourite } from '../../platform/favourites/favouritesSelectors'
import { favouriteMarked } from '../../platform/favourites/favouritesSlice'
import { OfferGate } from '../../platform/offer/OfferGate'
import { selectColumns, selectSport } from '../../platform/offer/offerSelectors'
import { periodCount, scoreGrid, scoreLayout } from '../../platform/offer/scoreLayout'
import { selectHasShortcuts } from '../../platform/preferences/preferencesSelectors'
import { HiddenRow } from './HiddenRow'
import type { ListItem, SportLayout } from './listLayout'
import { MatchRow } from './MatchRow'
import { moveFocus } from './rovingFocus'
import { rowColumns } from './rowColumns'
import { SportHead } from './SportHead'
import styles from './SportSection.module.css'
import { TournamentRow } from './TournamentRow'
import { useToggleHidden } from './useToggleHidden'

export interface SportSectionProps {
  layout: SportLayout
  /** The part of it to be mounted, in pixels from its top. */
  from: number
  to: number
  screen: Screen
  /** Of the list, in rem. */
  width: number
  onPointerOver: (sportId: number, event: PointerEvent) => void
  onContextMenu: (event: MouseEvent) => void
}

interface Focus {
  readonly key: string
  readonly cell: string
}

/** A sport: its head, and a grid of the rows in sight. Memoised: sports out of sight do not render on scrolling. */
export const SportSection = memo(function SportSection({
  layout,
  from,
  to,
  screen,
  width,
  onPointerOver,
  onContextMenu,
}: SportSectionProps) {
  const { sportId, items } = layout
  const titleId = useId()
  const name = useAppSelector((state) => selectSport(state, sportId)?.name)
  const shape = scoreLayout(sportId)
  const countPeriods = useMemo(
    () =>
      remember((matches: RootState['offer']['matches']) =>
        periodCount(
          shape,
          matchesOf(items, (id) => lookup(matches, id)),
        ),
      ),
    [shape, items],
  )
  const played = useAppSelector((state) => countPeriods(state.offer.matches))
  const available = useAppSelector((state) => Math.max(selectColumns(state, sportId).length, 2))
  const columns = rowColumns(width, shape, available, screen === 'phone')
  const { sets, hasHide } = columns
  const periods = Math.min(played, columns.periods)
  const grid = scoreGrid(shape, periods, columns.periodWidth)

  const [focus, setFocus] = useState<Focus | null>(null)
  const [lastKey, setLastKey] = useState<string | null>(null)
  const toggleHidden = useToggleHidden()
  const hasShortcuts = useAppSelector(selectHasShortcuts)
  const dispatch = useAppDispatch()
  const store = useStore<RootState>()
  const isFavourite = (matchId: number) => selectIsFavourite(store.getState(), matchId)

  const mounted = mountedItems(items, from, to, focus?.key ?? null)
  const rows = mounted.filter((item) => item.kind !== 'tournament')
  const stop =
    mounted.find(({ key }) => key === lastKey) ?? rows.find(({ top }) => top >= from) ?? rows[0] ?? mounted[0]
  const tabStop = (item: ListItem) => {
    if (item.key !== stop?.key) {
      return null
    }
    return focus?.key === item.key ? focus.cell : 'match'
  }

  const follow = (event: FocusEvent) => {
    const place = placeOf(event.target)
    if (place) {
      setFocus(place)
      setLastKey(place.key)
    }
  }
  const forget = (event: FocusEvent<HTMLElement>) => {
    if (!event.currentTarget.contains(event.relatedTarget)) {
      setFocus(null)
    }
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) {
      return
    }
    const matchId = matchIdOf(event.target)
    const letter = hasShortcuts && matchId !== null ? event.key.toLowerCase() : ''
    if (letter === 'h' && matchId !== null) {
      event.preventDefault()
      toggleHidden(matchId)
    } else if (letter === 'f' && matchId !== null) {
      event.preventDefault()
      dispatch(favouriteMarked(matchId, !isFavourite(matchId)))
    } else if (moveFocus(event.currentTarget, event.target, event.key)) {
      event.preventDefault()
    }
  }

  return (
    <section
      className={styles.sport}
      aria-labelledby={titleId}
      data-sport={sportClass(sportId)}
      data-sport-id={sportId}
      data-sets={sets}
      data-time={columns.hasTime ? undefined : 'above'}
      style={{
        height: layout.height,
        '--row-grid': columns.template,
        '--row-gap': `${columns.gap}rem`,
        '--score-grid': grid.template,
        '--score-w': `${grid.width}rem`,
      }}
      onPointerEnter={(event) => onPointerOver(sportId, event)}
    >
      <OfferGate facts={headFacts}>
        <SportHead
          sportId={sportId}
          titleId={titleId}
          matchCount={layout.matchCount}
          collapsed={layout.collapsed}
          screen={screen}
          sets={sets}
          periods={periods}
          isCut={periods < played}
        />
      </OfferGate>
      {items.length > 0 && (
        <Grid
          label={name ?? ''}
          rowCount={items.length}
          onFocus={follow}
          onBlur={forget}
          onKeyDown={onKeyDown}
          onContextMenu={hasHide ? undefined : onContextMenu}
        >
          {mounted.map((item) => (
            <Item
              key={item.key}
              item={item}
              isLast={item === items.at(-1)}
              screen={screen}
              sets={sets}
              periods={periods}
              hasHide={hasHide}
              tabStop={tabStop(item)}
            />
          ))}
        </Grid>
      )}
    </section>
  )
})

/** The headings of its columns may be looked up in the matches. */
const headFacts = ({ offer }: RootState) => [offer.matches]

interface ItemProps {
  item: ListItem
  isLast: boolean
  screen: Screen
  sets: number
  periods: number
  hasHide: boolean
  tabStop: string | null
}

function Item({ item, isLast, screen, sets, periods, hasHide, tabStop }: ItemProps) {
  const { top, rowIndex } = item
  switch (item.kind) {
    case 'tournament':
      return (
        <TournamentRow
          itemKey={item.key}
          tournament={item.tournament}
          isFolded={item.isFolded}
          top={top}
          height={item.height}
          rowIndex={rowIndex}
          isLast={isLast}
          tabStop={tabStop}
        />
      )
    case 'hidden':
      return <HiddenRow matchId={item.matchId} top={top} rowIndex={rowIndex} isTabStop={tabStop !== null} />
    case 'match':
      return (
        <MatchRow
          matchId={item.matchId}
          top={top}
          rowIndex={rowIndex}
          isLast={isLast}
          screen={screen}
          sets={sets}
          periods={periods}
          hasHide={hasHide}
          tabStop={tabStop}
        />
      )
  }
}

function* matchesOf<T>(items: readonly ListItem[], select: (id: number) => T): Iterable<T> {
  for (const item of items) {
    if (item.kind !== 'tournament') {
      yield select(item.matchId)
    }
  }
}

/** What is in sight; what has the focus and its neighbours stay mounted wherever they are. */
export function mountedItems(
  items: readonly ListItem[],
  from: number,
  to: number,
  focusedKey: string | null,
): readonly ListItem[] {
  const focused = focusedKey === null ? -1 : items.findIndex(({ key }) => key === focusedKey)
  return items.filter(
    ({ top, height }, place) =>
      (top + height > from && top < to) || (focused >= 0 && Math.abs(place - focused) <= KEPT_AROUND_FOCUS),
  )
}

/** Enough that the row above and below a row is mounted, whatever heading lies between. */
const KEPT_AROUND_FOCUS = 2

function placeOf(target: Element): Focus | null {
  const cell = target.closest<HTMLElement>('[data-cell]')?.dataset['cell']
  const id = matchIdOf(target)
  const key = id === null ? target.closest<HTMLElement>('[data-item]')?.dataset['item'] : `m${id}`
  return cell !== undefined && key !== undefined ? { key, cell } : null
}

function matchIdOf(target: EventTarget): number | null {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-row][data-match-id]') : null
  return row ? Number(row.dataset['matchId']) : null
}
