/** What is done although no paint comes, as of a window that is covered. */
const AT_MOST_MS = 100

/**
 * Does what is much work once the page has answered: what was pressed is marked, that is painted, and then it is done.
 * A press that has to wait until a whole view is there feels as if it had not been taken.
 */
export function answerFirst(pressed: Element | null, work: () => void): void {
  pressed?.setAttribute('data-taken', '')
  afterPaint(() => {
    pressed?.removeAttribute('data-taken')
    work()
  })
}

/** In the order in which they were asked for. */
export function afterPaint(work: () => void): void {
  let isDone = false
  const once = () => {
    if (!isDone) {
      isDone = true
      work()
    }
  }
  // What is posted from an animation frame runs after the paint that the frame is for.
  requestAnimationFrame(() => setTimeout(once))
  setTimeout(once, AT_MOST_MS)
}
