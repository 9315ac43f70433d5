import type { MouseEvent } from 'react'
import { useAppDispatch } from '../../app/hooks'
import type { MatchId } from '../../domain/offer'
import { matchClosed, matchOpened } from './viewSlice'
import { hrefOf, matchHref } from './viewUrl'

/** What a link to a match's detail needs: an address of its own, so that it opens in a new tab as well. */
export function useMatchLink(matchId: MatchId) {
  const dispatch = useAppDispatch()
  return {
    href: matchHref(matchId),
    onClick: (event: MouseEvent) => {
      if (isPlainPress(event)) {
        event.preventDefault()
        dispatch(matchOpened(matchId))
      }
    },
  }
}

/** Not one that asks the browser for a new tab or window. */
function isPlainPress(event: MouseEvent): boolean {
  return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
}

/** What a link back to the list needs. */
export function useListLink() {
  const dispatch = useAppDispatch()
  return {
    href: hrefOf({ matchId: null }),
    onClick: (event: MouseEvent) => {
      if (isPlainPress(event)) {
        event.preventDefault()
        dispatch(matchClosed())
      }
    },
  }
}
