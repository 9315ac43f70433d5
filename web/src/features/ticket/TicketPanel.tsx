import { type ReactNode, useId } from 'react'
import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { selectIsTicketOpen } from '../../platform/view/viewSelectors'
import { ticketTurned } from '../../platform/view/viewSlice'
import { TicketBody, type TicketSlots } from './TicketBody'
import { TicketSheet } from './TicketSheet'
import { useTicketKey } from './useTicketKey'

/** The ticket as a column beside the list. */
export function TicketPanel({ slots }: { slots: TicketSlots }) {
  const titleId = useId()
  useTicketKey(() => document.getElementById(titleId)?.focus())
  return <TicketBody slots={slots} titleId={titleId} />
}

export interface TicketOverProps {
  slots: TicketSlots
  isSheet: boolean
  /** The toasts. While the sheet is open they are inside it, because behind it they could not be clicked. */
  toasts?: ReactNode
}

/** The ticket as a sheet, on a phone, and the toasts, on every screen. */
export function TicketOver({ slots, isSheet, toasts }: TicketOverProps) {
  const isOpen = useAppSelector(selectIsTicketOpen)
  return (
    <>
      {isSheet && isOpen ? <Sheet slots={slots}>{toasts}</Sheet> : toasts}
      {isSheet && <SheetKey />}
    </>
  )
}

function Sheet({ slots, children }: { slots: TicketSlots; children: ReactNode }) {
  const dispatch = useAppDispatch()
  return (
    <TicketSheet slots={slots} onClose={() => dispatch(ticketTurned(false))}>
      {children}
    </TicketSheet>
  )
}

function SheetKey() {
  const dispatch = useAppDispatch()
  useTicketKey(() => dispatch(ticketTurned(true)))
  return null
}
