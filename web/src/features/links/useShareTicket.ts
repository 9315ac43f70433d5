import { useStore } from 'react-redux'
import { useAppDispatch } from '../../app/hooks'
import type { RootState } from '../../app/store'
import { noticeShown } from '../notices/noticesSlice'
import { selectChoice } from '../ticket/ticketSelectors'
import { writeTicketLink } from './ticketLink'

/** Gives the ticket away as a link: by the machine's own sheet where a finger asks, else into the clipboard. */
export function useShareTicket(): () => void {
  const dispatch = useAppDispatch()
  const store = useStore<RootState>()
  return () => {
    const url = writeTicketLink(location.origin, selectChoice(store.getState()).pairs)
    void give(url).then((key) => key && dispatch(noticeShown(key, { url })))
  }
}

async function give(url: string): Promise<'noticeLinkCopied' | 'noticeLinkNotCopied' | null> {
  if (navigator.share && matchMedia('(pointer: coarse)').matches) {
    // Given away, or thought better of: either has been seen.
    await navigator.share({ url }).catch(() => undefined)
    return null
  }
  try {
    await navigator.clipboard.writeText(url)
    return 'noticeLinkCopied'
  } catch {
    return 'noticeLinkNotCopied'
  }
}
