import { useStore } from 'react-redux'
import { useAppDispatch } from '../../app/hooks'
import type { RootState } from '../../app/store'
import { noticeShown } from '../../platform/notices/noticesSlice'
import { selectChoice } from '../../platform/ticket/ticketSelectors'
import { writeTicketLink } from './ticketLink'

/** Shares the ticket as a link: with the share dialog of a touch device, otherwise by copying it to the clipboard. */
export function useShareTicket(): () => void {
  const dispatch = useAppDispatch()
  const store = useStore<RootState>()
  return () => {
    const { pairs, ...choice } = selectChoice(store.getState())
    const url = writeTicketLink(location.origin, { ...choice, picks: pairs })
    void give(url).then((key) => key && dispatch(noticeShown(key, { url })))
  }
}

async function give(url: string): Promise<'noticeLinkCopied' | 'noticeLinkNotCopied' | null> {
  if (navigator.share && matchMedia('(pointer: coarse)').matches) {
    // The share dialog shows the result itself, also if the user cancels.
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
