import { useId } from 'react'
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

/** The ticket in front of the list, on a phone, and the dialogs of its bet, everywhere. */
export function TicketOver({ isSheet, placing }: { isSheet: boolean; placing: PlacingCalls }) {
  const isOpen = useAppSelector(selectIsTicketOpen)
  return (
    <PlacingContext value={placing}>
      {isSheet && isOpen && <Sheet />}
      {isSheet && <SheetKey />}
      <PlacementDialogs />
    </PlacingContext>
  )
}

function Sheet() {
  const dispatch = useAppDispatch()
  return <TicketSheet onClose={() => dispatch(ticketTurned(false))} />
}

function SheetKey() {
  const dispatch = useAppDispatch()
  useTicketKey(() => dispatch(ticketTurned(true)))
  return null
}
