import { useEffect, useState } from 'react'
import { useAppDispatch } from '../../app/hooks'
import { later } from '../../components/later'
import { noticeShown } from '../../platform/notices/noticesSlice'
import { readPicks } from './ticketLink'

const SharedTicket = later(async () => (await import('./SharedTicket')).SharedTicket)

/** Shows the shared ticket if the page was opened by such a link. Afterwards the link is removed from the address. */
export function TicketLinkLayer() {
  const dispatch = useAppDispatch()
  const [link, setLink] = useState(readLink)
  const { picks, isBad } = link
  useEffect(() => {
    if (isBad) {
      dispatch(noticeShown('noticeBadTicketLink'))
      forget()
    }
  }, [isBad, dispatch])
  return (
    picks && (
      <SharedTicket
        picks={picks}
        onClose={() => {
          forget()
          setLink({ picks: null, isBad: false })
        }}
      />
    )
  )
}

function readLink() {
  const text = new URLSearchParams(location.search).get('ticket')
  const picks = text === null ? null : readPicks(text)
  return { picks, isBad: text !== null && picks === null }
}

function forget(): void {
  const query = new URLSearchParams(location.search)
  query.delete('ticket')
  const search = query.toString()
  history.replaceState(null, '', `/${search && `?${search}`}`)
}
