import type { MouseEvent } from 'react'
import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { answerFirst } from '../../components/answerFirst'
import type { MatchId } from '../../domain/offer'
import { selectPage } from './viewSelectors'
import { matchClosed, matchOpened, pageOpened } from './viewSlice'
import { hrefOf, isListPage, type Page } from './viewUrl'

/** The props of a link to a match. It has a real address, so that it can open in a new tab. */
export function useMatchLink(matchId: MatchId) {
  const dispatch = useAppDispatch()
  const page = useAppSelector(selectPage)
  return linkTo(hrefOf({ matchId, page: isListPage(page) ? page : 'list' }), () => dispatch(matchOpened(matchId)))
}

/** The props of a link back to the list. */
export function useListLink() {
  const dispatch = useAppDispatch()
  return linkTo(hrefOf({ matchId: null, page: 'list' }), () => {
    dispatch(pageOpened('list'))
    dispatch(matchClosed())
  })
}

/** The props of a link to a page. */
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

/** Whether the click is a plain one, not one that opens a new tab or window. */
function isPlainPress(event: MouseEvent): boolean {
  return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
}
