/** The work starts after this time even without a paint, for example if the window is covered. */
const AT_MOST_MS = 100

/**
 * Marks the pressed element, lets the browser paint that, and only then starts expensive work. Otherwise a press that
 * opens a whole view would seem to have no effect.
 */
export function answerFirst(pressed: Element | null, work: () => void): void {
  pressed?.setAttribute('data-taken', '')
  afterPaint(() => {
    pressed?.removeAttribute('data-taken')
    work()
  })
}

/** Runs work after the next paint, in the order of the calls. */
export function afterPaint(work: () => void): void {
  let isDone = false
  const once = () => {
    if (!isDone) {
      isDone = true
      work()
    }
  }
  // A timer set in an animation frame runs after the paint of that frame.
  requestAnimationFrame(() => setTimeout(once))
  setTimeout(once, AT_MOST_MS)
}
