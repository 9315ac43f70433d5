import { type MouseEvent, type PointerEvent, useCallback, useMemo, useRef, useState } from 'react'
import { useAppSelector } from '../../app/hooks'
import { ErrorBoundary } from '../../components/ErrorBoundary'
import { later } from '../../components/later'
import { useMediaQuery } from '../../components/useMediaQuery'
import { useScreen } from '../../components/useScreen'
import { useTextScale } from '../../components/useTextScale'
import { useWidth } from '../../components/useWidth'
import type { MatchId, SportId } from '../../domain/offer'
import { selectShownGroups } from '../../platform/offer/offerSelectors'
import { selectPinnedLeagues } from '../../platform/preferences/preferencesSelectors'
import { selectCollapsedLeagues, selectCollapsedSports, selectHiddenMatches } from '../../platform/view/viewSelectors'
import { listLayout } from './listLayout'
import { SportSection } from './SportSection'
import { useShownList } from './shownList'
import { useHeldOrder } from './useHeldOrder'
import { useKeptPlace } from './useKeptPlace'
import { useListWindow } from './useListWindow'
import { useRememberedScroll } from './useRememberedScroll'

/** It comes with the ticket, after the first paint; where it does not come, the match's own page can hide it. */
const RowMenu = later(async () => (await import('./RowMenu')).RowMenu)

/** The same query as in the style sheets. */
const WIDE_PHONE = '(min-width: 40em)'

interface OpenMenu {
  readonly matchId: MatchId
  readonly x: number
  readonly y: number
}

/**
 * All sports with their matches. The page scrolls it; of its rows only those in sight are mounted, or those that were
 * when it was last shown.
 */
export function OfferList({ isShown }: { isShown: boolean }) {
  const list = useRef<HTMLDivElement>(null)
  const screen = useScreen()
  const isWidePhone = useMediaQuery(WIDE_PHONE)
  const scale = useTextScale()
  const width = useWidth(list)
  const [sportUnderPointer, setSportUnderPointer] = useState<SportId | null>(null)
  const [menu, setMenu] = useState<OpenMenu | null>(null)

  const groups = useHeldOrder(useAppSelector(selectShownGroups), sportUnderPointer, useAppSelector(selectPinnedLeagues))
  const collapsed = useAppSelector(selectCollapsedSports)
  const folded = useAppSelector(selectCollapsedLeagues)
  const hidden = useAppSelector(selectHiddenMatches)
  // Kept, because its identity shows that something has moved, and because sports are memoised on it.
  const layout = useMemo(
    () => listLayout({ groups, collapsed, folded, hidden, screen, isWidePhone, scale }),
    [groups, collapsed, folded, hidden, screen, isWidePhone, scale],
  )
  const { from, to } = useListWindow(list, isShown)
  useRememberedScroll(isShown)
  useKeptPlace(list, layout, isShown)
  useShownList(list, layout, isShown)

  const pointerOver = useCallback((sportId: SportId, event: PointerEvent) => {
    if (event.pointerType === 'mouse') {
      setSportUnderPointer(sportId)
    }
  }, [])
  const openMenu = useCallback((event: MouseEvent) => {
    const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-row="match"]') : null
    if (row) {
      event.preventDefault()
      setMenu({ matchId: Number(row.dataset['matchId']), ...menuPlace(event, row) })
    }
  }, [])

  return (
    <>
      <div ref={list} onPointerLeave={() => setSportUnderPointer(null)}>
        {layout.sports.map((sport) => {
          // Rows come with the columns that the width has room for.
          const isInSight = width !== null && sport.top < to && sport.top + sport.height > from
          return (
            <SportSection
              key={sport.sportId}
              layout={sport}
              from={isInSight ? from - sport.top : 0}
              to={isInSight ? to - sport.top : 0}
              screen={screen}
              width={(width ?? 0) / (16 * scale)}
              onPointerOver={pointerOver}
              onContextMenu={openMenu}
            />
          )
        })}
      </div>
      {menu && (
        <ErrorBoundary key={menu.matchId} fallback={null}>
          <RowMenu {...menu} onClose={() => setMenu(null)} />
        </ErrorBoundary>
      )}
    </>
  )
}

/** At the pointer; asked for by a key, at the row. */
function menuPlace(event: MouseEvent, row: HTMLElement): { x: number; y: number } {
  if (event.clientX !== 0 || event.clientY !== 0) {
    return { x: event.clientX, y: event.clientY }
  }
  const { left, bottom } = row.getBoundingClientRect()
  return { x: left + 16, y: bottom }
}
