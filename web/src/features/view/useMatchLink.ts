import type { MouseEvent } from 'react'
import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { answerFirst } from '../../components/answerFirst'
import type { MatchId } from '../../domain/offer'
import { selectPage } from './viewSelectors'
import { matchClosed, matchOpened, pageOpened } from './viewSlice'
import { hrefOf, type Page } from './viewUrl'

/** What a link to a match's detail needs: an address of its own, so that it opens in a new tab as well. */
export function useMatchLink(matchId: MatchId) {
  const dispatch = useAppDispatch()
  const page = useAppSelector((state) => (selectPage(state) === 'favourites' ? 'favourites' : 'list'))
  return linkTo(hrefOf({ matchId, page }), () => dispatch(matchOpened(matchId)))
}

/** What a link back to the list needs. */
export function useListLink() {
  const dispatch = useAppDispatch()
  return linkTo(hrefOf({ matchId: null, page: 'list' }), () => {
    dispatch(pageOpened('list'))
    dispatch(matchClosed())
  })
}

/** What a link to a page needs. */
export function usePageLink(page: Page) {
  const dispatch = useAppDispatch()
  return linkTo(hrefOf({ matchId: null, page }), () => dispatch(pageOpened(page)))
}

function linkTo(href: string, go: () => void) {
  return {
    href,
    onClick: (event: MouseEvent) => {
      if (isPlainPress(event)) {
        event.preventDefault()
        answerFirst(event.currentTarget.closest('[data-row]') ?? event.currentTarget, go)
      }
    },
  }
}

/** Not one that asks the browser for a new tab or window. */
function isPlainPress(event: MouseEvent): boolean {
  return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
}
