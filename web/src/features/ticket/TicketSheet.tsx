import { type PointerEvent, type ReactNode, useId, useRef, useState } from 'react'
import { ModalDialog } from '../../components/Dialog'
import { TicketBody, type TicketSlots } from './TicketBody'
import styles from './TicketSheet.module.css'

/** The sheet closes when it is dragged down by this many CSS pixels. */
const CLOSE_AFTER_PX = 90

interface TicketSheetProps {
  slots: TicketSlots
  onClose: () => void
  children?: ReactNode
}

/** The ticket as a bottom sheet. A drag down, a tap outside, Escape, or its button closes it. */
export function TicketSheet({ slots, onClose, children }: TicketSheetProps) {
  const titleId = useId()
  const begin = useRef<number | null>(null)
  const [pulled, setPulled] = useState(0)
  const letGo = () => {
    begin.current = null
    setPulled(0)
  }
  const end = (event: PointerEvent) => {
    const by = begin.current === null ? 0 : event.clientY - begin.current
    letGo()
    if (by > CLOSE_AFTER_PX) {
      onClose()
    }
  }
  return (
    <ModalDialog
      className={styles.sheet}
      aria-labelledby={titleId}
      style={{ translate: `0 ${pulled}px`, transitionDuration: pulled > 0 ? '0s' : undefined }}
      onEscape={onClose}
      onPressBeside={onClose}
    >
      <TicketBody
        slots={slots}
        titleId={titleId}
        onClose={onClose}
        grab={
          <span
            className={styles.grab}
            onPointerDown={(event) => {
              begin.current = event.clientY
              event.currentTarget.setPointerCapture(event.pointerId)
            }}
            onPointerMove={(event) => {
              if (begin.current !== null) {
                setPulled(Math.max(0, event.clientY - begin.current))
              }
            }}
            onPointerUp={end}
            onPointerCancel={letGo}
          />
        }
      />
      {children}
    </ModalDialog>
  )
}
