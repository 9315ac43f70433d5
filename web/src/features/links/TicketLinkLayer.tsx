import { useEffect, useState } from 'react'
import { useStore } from 'react-redux'
import { useAppDispatch } from '../../app/hooks'
import type { AppStore } from '../../app/store'
import { later } from '../../components/later'
import { noticeShown } from '../../platform/notices/noticesSlice'
import { repeatAsked } from '../../platform/view/requests'
import { type LinkedTicket, readTicketLink } from './ticketLink'

const SharedTicket = later(async () => (await import('./SharedTicket')).SharedTicket)

/**
 * Shows the shared ticket if the page was opened by such a link, and a bet that is to be placed again. Afterwards the
 * link is removed from the address.
 */
export function TicketLinkLayer() {
  const dispatch = useAppDispatch()
  const [link, setLink] = useState(readLink)
  const { ticket, isBad } = link
  const store = useStore() as AppStore
  useEffect(
    () =>
      store.listeners.startListening({
        actionCreator: repeatAsked,
        effect: ({ payload }) => setLink({ ticket: payload, isBad: false }),
      }),
    [store],
  )
  useEffect(() => {
    if (isBad) {
      dispatch(noticeShown('noticeBadTicketLink'))
      forget()
    }
  }, [isBad, dispatch])
  return (
    ticket && (
      <SharedTicket
        ticket={ticket}
        onClose={() => {
          forget()
          setLink({ ticket: null, isBad: false })
        }}
      />
    )
  )
}

function readLink(): { ticket: LinkedTicket | null; isBad: boolean } {
  const text = new URLSearchParams(location.search).get('ticket')
  const ticket = text === null ? null : readTicketLink(text)
  return { ticket, isBad: text !== null && ticket === null }
}

function forget(): void {
  const query = new URLSearchParams(location.search)
  query.delete('ticket')
  const search = query.toString()
  history.replaceState(null, '', `/${search && `?${search}`}`)
}
