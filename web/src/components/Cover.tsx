import type { KeyboardEvent, ReactNode } from 'react'
import styles from './Cover.module.css'
import { cx } from './cx'
import { shownBy, usePressBeside } from './modal'
import { closedBy } from './overlay'

export interface CoverProps {
  label: string
  className: string | undefined
  children: ReactNode
  /** Called after Escape or a click outside the dialog. */
  onClose: () => void
}

/**
 * A dialog that is opened and closed often. A native modal dialog makes the page inert, and the browser then recomputes
 * all styles twice. This one covers the page, keeps the focus inside and hides the page from screen readers.
 */
export function Cover({ label, className, children, onClose }: CoverProps) {
  return (
    <div
      ref={asCover}
      popover="manual"
      className={styles.cover}
      {...closedBy({ onDismiss: onClose, onKey: keepWithin })}
      {...usePressBeside(onClose)}
    >
      <div role="dialog" aria-modal="true" aria-label={label} tabIndex={-1} className={cx(styles.panel, className)}>
        {children}
      </div>
    </div>
  )
}

const STOPS = 'input, button, a[href]'

/** Tab goes from the last focusable element to the first and back, as in a modal dialog. */
function keepWithin(event: KeyboardEvent<HTMLElement>): boolean {
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>(STOPS)]
  const edge = event.shiftKey ? stops[0] : stops.at(-1)
  if (event.key !== 'Tab' || (event.target !== edge && stops.includes(event.target as HTMLElement))) {
    return false
  }
  const next = event.shiftKey ? stops.at(-1) : stops[0]
  next?.focus()
  return true
}

const asCover = shownBy((cover: HTMLElement) => {
  cover.showPopover()
  cover.querySelector<HTMLElement>(STOPS)?.focus({ preventScroll: true })
  const showOthers = hideOthers(cover)
  return () => {
    showOthers()
    if (cover.isConnected) {
      cover.hidePopover()
    }
  }
})

/** Live regions stay, so that they are still announced. */
const KEPT = '[aria-hidden], [aria-live], [role="status"], [role="alert"]'

/** Hides everything outside the element from screen readers, some of which ignore `aria-modal`. Returns the reverse. */
function hideOthers(shown: Element): () => void {
  const hidden: Element[] = []
  for (let inner = shown; inner.parentElement && inner !== document.body; inner = inner.parentElement) {
    for (const other of inner.parentElement.children) {
      if (other !== inner && !other.matches(KEPT)) {
        other.setAttribute('aria-hidden', 'true')
        hidden.push(other)
      }
    }
  }
  return () => {
    for (const other of hidden) {
      other.removeAttribute('aria-hidden')
    }
  }
}
