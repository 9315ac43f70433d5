/** Checks and cleaning for every unit test. Files share a worker's modules and window, so nothing may be left behind. */
import { cleanup, configure, getConfig } from '@testing-library/react'
import type { DetachedWindowAPI } from 'happy-dom'
import { afterEach, vi } from 'vitest'
import { forgetTurns } from '../components/useTurn'
import { WITHIN_MS } from './eventually'

const { asyncWrapper } = getConfig()
const [nextFrame, later] = [window.requestAnimationFrame.bind(window), globalThis.setTimeout]

/** An act of the user includes what starts after the next paint (`answerFirst`). Tests may replace the timers. */
function untilPainted(): Promise<void> {
  return new Promise((resolve) => nextFrame(() => later(resolve)))
}

configure({
  asyncUtilTimeout: WITHIN_MS,
  asyncWrapper: (act) =>
    asyncWrapper(async () => {
      const done = await act()
      await untilPainted()
      return done
    }),
})

const { error } = console

/** The store's check of serializable values only prints an error; here it fails the test. */
console.error = (...parts: unknown[]) => {
  error(...parts)
  if (String(parts[0]).startsWith('A non-serializable value')) {
    throw new Error(String(parts[0]))
  }
}

/** No test speaks to a server: one that needs an answer puts its own in this place. */
globalThis.fetch = () => Promise.reject(new TypeError('no server'))

const { happyDOM } = window as unknown as { happyDOM: DetachedWindowAPI }
const { innerWidth: width, innerHeight: height } = window

afterEach(() => {
  cleanup()
  forgetTurns()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  for (const element of [document.documentElement, document.body]) {
    for (const name of element.getAttributeNames()) {
      element.removeAttribute(name)
    }
  }
  document.body.replaceChildren()
  localStorage.clear()
  sessionStorage.clear()
  history.replaceState(null, '', '/')
  happyDOM.setViewport({ width, height })
})
