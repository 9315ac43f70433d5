import { type RefObject, useLayoutEffect, useRef } from 'react'
import { anchorsAt, findAnchor, type ListLayout } from './listLayout'

/**
 * Keeps what the bettor looks at where it is while rows above it come, go, or are hidden.
 *
 * @param stickyTop where the page's own sticky bars end, in the window
 * @param headHeight of a sport, which sticks below them
 */
export function useKeptPlace(
  list: RefObject<HTMLElement | null>,
  layout: ListLayout,
  stickyTop: number,
  headHeight: number,
): void {
  const previous = useRef(layout)
  useLayoutEffect(() => {
    const before = previous.current
    previous.current = layout
    if (before === layout || !list.current) {
      return
    }
    const line = stickyTop - list.current.getBoundingClientRect().top
    if (line > 0) {
      window.scrollBy(0, shift(before, layout, line, headHeight))
    }
  }, [list, layout, stickyTop, headHeight])
}

/** How far the page has to be scrolled. `line` is the height of the list that stands below the sticky bars. */
export function shift(before: ListLayout, now: ListLayout, line: number, headHeight: number): number {
  const sportAtLine = before.sports.find((sport) => sport.top <= line && line < sport.top + sport.height)
  const sportNow = now.sports.find((sport) => sport.sportId === sportAtLine?.sportId)
  if (sportAtLine && sportNow?.collapsed && !sportAtLine.collapsed) {
    // It has been collapsed by its head, which stuck below the bars: there it shall stay.
    return sportNow.top - line
  }
  for (const anchor of anchorsAt(before, line + headHeight)) {
    const top = findAnchor(now, anchor)
    if (top !== null) {
      return top - anchor.top
    }
  }
  return 0
}
