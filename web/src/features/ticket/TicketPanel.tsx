import { type ReactNode, useId } from 'react'
import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { selectIsTicketOpen } from '../../platform/view/viewSelectors'
import { ticketTurned } from '../../platform/view/viewSlice'
import { PlacementDialogs } from './PlacementDialogs'
import { type PlacingCalls, PlacingContext } from './placingContext'
import { TicketBody } from './TicketBody'
import { TicketSheet } from './TicketSheet'
import { useTicketKey } from './useTicketKey'

/** The ticket as a column beside the list. */
export function TicketPanel() {
  const titleId = useId()
  useTicketKey(() => document.getElementById(titleId)?.focus())
  return <TicketBody titleId={titleId} />
}

export interface TicketOverProps {
  isSheet: boolean
  placing: PlacingCalls
  /** The toasts. While the sheet is open they are inside it, because behind it they could not be clicked. */
  toasts?: ReactNode
}

/** The ticket as a sheet, on a phone, and the placement dialogs, on every screen. */
export function TicketOver({ isSheet, placing, toasts }: TicketOverProps) {
  const isOpen = useAppSelector(selectIsTicketOpen)
  return (
    <PlacingContext value={placing}>
      {isSheet && isOpen ? <Sheet>{toasts}</Sheet> : toasts}
      {isSheet && <SheetKey />}
      <PlacementDialogs />
    </PlacingContext>
  )
}

function Sheet({ children }: { children: ReactNode }) {
  const dispatch = useAppDispatch()
  return <TicketSheet onClose={() => dispatch(ticketTurned(false))}>{children}</TicketSheet>
}

function SheetKey() {
  const dispatch = useAppDispatch()
  useTicketKey(() => dispatch(ticketTurned(true)))
  return null
}
