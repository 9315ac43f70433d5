import { type RefObject, useLayoutEffect, useRef } from 'react'
import { anchorsAt, findAnchor, type ListLayout } from './listLayout'

/** Keeps what the bettor looks at where it is while rows above it come, go, or are hidden. */
export function useKeptPlace(list: RefObject<HTMLElement | null>, layout: ListLayout, isShown: boolean): void {
  const previous = useRef(layout)
  useLayoutEffect(() => {
    const before = previous.current
    const head = isShown && list.current?.querySelector<HTMLElement>('[data-sport-head]')
    // What has moved while it is not shown is made up for when it is again.
    if (before === layout || !list.current || !head) {
      return
    }
    previous.current = layout
    // A head sticks where the bars of the page end.
    const stickyTop = Number.parseFloat(getComputedStyle(head).top) || 0
    const line = stickyTop - list.current.getBoundingClientRect().top
    if (line > 0) {
      window.scrollBy(0, shift(before, layout, line, head.offsetHeight))
    }
  }, [list, layout, isShown])
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
