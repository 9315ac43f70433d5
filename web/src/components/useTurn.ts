/** Spreads the mounting of many expensive elements over several paints, so that no paint waits for all of them. */
import { type RefObject, useLayoutEffect, useState } from 'react'
import { afterPaint } from './answerFirst'

/** How many are filled between two paints. Slowed four times, a row of the list takes about 10 ms. */
const AT_ONCE = 3
/** At the first mounting there is nothing to press yet: a screen is filled at once. Later none is filled at once. */
const AT_LOAD = 24

interface Waiting {
  readonly element: Element
  readonly start: () => void
}

const queue = new Set<Waiting>()
let left = AT_LOAD
let isCalling = false
/** Counts the pages: a call that an earlier one has ordered does nothing. */
let page = 0

/** Whether it is the turn of an element to show its content. Those nearest to the middle of the screen come first. */
export function useTurn(place: RefObject<Element | null>): boolean {
  const [isDue, setDue] = useState(takeTurn)
  useLayoutEffect(() => {
    const element = place.current
    if (isDue || !element) {
      return
    }
    const waiting = { element, start: () => setDue(true) }
    queue.add(waiting)
    return () => {
      queue.delete(waiting)
    }
  }, [isDue, place])
  return isDue
}

function takeTurn(): boolean {
  if (!isCalling) {
    isCalling = true
    callAfterPaint()
  }
  left -= 1
  return left >= 0
}

function callAfterPaint(): void {
  const own = page
  afterPaint(() => own === page && callNext())
}

function callNext(): void {
  left = 0
  isCalling = queue.size > 0
  if (!isCalling) {
    return
  }
  const middle = window.innerHeight / 2
  const byDistance = Array.from(queue, (waiting) => ({
    waiting,
    distance: Math.abs(waiting.element.getBoundingClientRect().top - middle),
  })).sort((a, b) => a.distance - b.distance)
  for (const { waiting } of byDistance.slice(0, AT_ONCE)) {
    queue.delete(waiting)
    waiting.start()
  }
  callAfterPaint()
}

/** For tests, each of which is a page of its own. */
export function forgetTurns(): void {
  queue.clear()
  left = AT_LOAD
  isCalling = false
  page += 1
}
