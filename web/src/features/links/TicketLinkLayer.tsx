import { useEffect, useState } from 'react'
import { useAppDispatch } from '../../app/hooks'
import { later } from '../../components/later'
import { noticeShown } from '../../platform/notices/noticesSlice'
import { readTicketLink } from './ticketLink'

const SharedTicket = later(async () => (await import('./SharedTicket')).SharedTicket)

/** Shows the shared ticket if the page was opened by such a link. Afterwards the link is removed from the address. */
export function TicketLinkLayer() {
  const dispatch = useAppDispatch()
  const [link, setLink] = useState(readLink)
  const { ticket, isBad } = link
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

function readLink() {
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
