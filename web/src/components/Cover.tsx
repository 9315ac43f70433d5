import type { KeyboardEvent, ReactNode } from 'react'
import styles from './Cover.module.css'
import { cx } from './cx'
import { placeOfFocus } from './placeOfFocus'

export interface CoverProps {
  label: string
  className: string | undefined
  children: ReactNode
  /** Called after Escape or a click outside the dialog. */
  onClose: () => void
}

/**
 * A dialog that is opened and closed often. A native modal dialog makes the page inert, and the browser then recomputes
 * all styles twice. This one only covers the page and keeps the focus inside.
 */
export function Cover({ label, className, children, onClose }: CoverProps) {
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      onClose()
    } else if (event.key === 'Tab') {
      keepWithin(event)
    }
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: this handles clicks outside the dialog; its key is Escape.
    <div
      ref={openAtOnce}
      popover="manual"
      className={styles.cover}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        if (event.target === event.currentTarget) {
          event.preventDefault()
          onClose()
        }
      }}
    >
      <div role="dialog" aria-modal="true" aria-label={label} tabIndex={-1} className={cx(styles.panel, className)}>
        {children}
      </div>
    </div>
  )
}

const STOPS = 'input, button, a[href]'

/** Tab goes from the last focusable element to the first and back, as in a modal dialog. */
function keepWithin(event: KeyboardEvent<HTMLElement>) {
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>(STOPS)]
  const edge = event.shiftKey ? stops[0] : stops.at(-1)
  if (event.target === edge || !stops.includes(event.target as HTMLElement)) {
    event.preventDefault()
    const next = event.shiftKey ? stops.at(-1) : stops[0]
    next?.focus()
  }
}

function openAtOnce(cover: HTMLElement | null) {
  if (!cover) {
    return
  }
  const goBack = placeOfFocus()
  cover.showPopover()
  cover.querySelector<HTMLElement>(STOPS)?.focus({ preventScroll: true })
  return () => {
    if (cover.isConnected) {
      cover.hidePopover()
    }
    goBack()
  }
}
