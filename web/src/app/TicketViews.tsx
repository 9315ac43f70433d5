/** The ticket with its place button, its share button and the placement dialogs, which are other features. */
import type { ReactNode } from 'react'
import { useShareTicket } from '../features/links/useShareTicket'
import { PlaceButton } from '../features/placement/PlaceButton'
import { PlacementDialogs } from '../features/placement/PlacementDialogs'
import { usePlace } from '../features/placement/usePlace'
import type { TicketSlots } from '../features/ticket/TicketBody'
import { TicketOver, TicketPanel } from '../features/ticket/TicketPanel'

export function useTicketSlots(): TicketSlots {
  return { placeButton: <PlaceButton />, onPlace: usePlace(), onShare: useShareTicket() }
}

/** The ticket as a column beside the list. */
export function TicketColumn() {
  return <TicketPanel slots={useTicketSlots()} />
}

interface TicketLayerProps {
  isSheet: boolean
  toasts?: ReactNode
}

/** The ticket as a sheet, on a phone, and the placement dialogs, on every screen. */
export function TicketLayer({ isSheet, toasts }: TicketLayerProps) {
  return (
    <>
      <TicketOver slots={useTicketSlots()} isSheet={isSheet} toasts={toasts} />
      <PlacementDialogs />
    </>
  )
}
