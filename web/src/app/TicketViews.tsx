/** The ticket with its place button, its share button and the placement dialogs, which are other features. */
import type { ReactNode } from 'react'
import { later } from '../components/later'
import { useShareTicket } from '../features/links/useShareTicket'
import { OnePressBar } from '../features/placement/OnePressBar'
import { PlaceButton } from '../features/placement/PlaceButton'
import { PlacementDialogs } from '../features/placement/PlacementDialogs'
import { usePlace } from '../features/placement/usePlace'
import type { TicketSlots } from '../features/ticket/TicketBody'
import { TicketOver, TicketPanel } from '../features/ticket/TicketPanel'
import { selectAccountStatus } from '../platform/account/accountSlice'
import { useAppSelector } from './hooks'
import type { RootState } from './store'

const OpenBetsView = later(async () => (await import('./OpenBetsView')).OpenBetsView)

export function useTicketSlots(): TicketSlots {
  const isMember = useAppSelector(selectAccountStatus) === 'member'
  const openBets = useAppSelector(selectOpenBetCount)
  return {
    placeButton: <PlaceButton />,
    onPlace: usePlace(),
    onShare: useShareTicket(),
    openBets: isMember ? { count: openBets, content: <OpenBetsView /> } : null,
  }
}

/** Null until the hub has reported them all. */
function selectOpenBetCount({ bets: { known, held } }: RootState): number | null {
  return known ? Object.values(held).filter(({ state }) => state === 'open').length : null
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
      <OnePressBar />
    </>
  )
}
