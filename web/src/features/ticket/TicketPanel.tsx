import { type ReactNode, useId } from 'react'
import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { selectIsTicketOpen } from '../view/viewSelectors'
import { ticketTurned } from '../view/viewSlice'
import { PlacementDialogs } from './PlacementDialogs'
import { type PlacingCalls, PlacingContext } from './placingContext'
import { TicketBody } from './TicketBody'
import { TicketSheet } from './TicketSheet'
import { useTicketKey } from './useTicketKey'

/** The ticket beside the list. */
export function TicketPanel() {
  const titleId = useId()
  useTicketKey(() => document.getElementById(titleId)?.focus())
  return <TicketBody titleId={titleId} />
}

export interface TicketOverProps {
  isSheet: boolean
  placing: PlacingCalls
  /** The messages in passing, over the page; in the sheet while it is open, for behind it they could not be pressed. */
  toasts?: ReactNode
}

/** The ticket in front of the list, on a phone, and the dialogs of its bet, everywhere. */
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
