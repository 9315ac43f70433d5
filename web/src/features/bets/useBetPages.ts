import { useEffect, useRef, useState } from 'react'
import { type BetsOf, fetchBets } from '../../api/accountApi'
import { ApiError } from '../../api/request'
import { useAppDispatch, useAppSelector } from '../../app/hooks'
import type { Bet } from '../../domain/bet'
import { selectUser, strangerSeen } from '../../platform/account/accountSlice'
import { selectLanguage } from '../../platform/preferences/preferencesSelectors'
import { loginRequired } from '../../platform/view/viewSlice'

interface Pages {
  readonly of: BetsOf
  readonly status: 'loading' | 'ready' | 'failed'
  readonly bets: readonly Bet[]
  readonly next: string | null
}

export interface BetPages extends Pages {
  /** Loads the next page, or the failed one again. */
  readonly more: () => void
}

/**
 * The open or the settled bets from the server, page by page. If the hub has reported all open bets (`isKnown`), these
 * are not loaded.
 */
export function useBetPages(of: BetsOf, isKnown: boolean): BetPages {
  const dispatch = useAppDispatch()
  const language = useAppSelector(selectLanguage)
  const user = useAppSelector(selectUser)
  const [pages, setPages] = useState<Pages>({ of, status: 'loading', bets: [], next: null })
  /** The latest request. Answers to earlier ones are ignored. */
  const asking = useRef<AbortController | null>(null)
  const isWanted = of === 'settled' || !isKnown
  const load = async (cursor: string | null, held: readonly Bet[]) => {
    asking.current?.abort()
    const giveUp = new AbortController()
    asking.current = giveUp
    setPages({ of, status: 'loading', bets: held, next: cursor })
    try {
      const { tickets, next } = await fetchBets(of, cursor, language, giveUp.signal)
      giveUp.signal.throwIfAborted()
      setPages({ of, status: 'ready', bets: [...held, ...tickets], next })
    } catch (error) {
      if (giveUp.signal.aborted) {
        return
      }
      if (error instanceof ApiError && error.failure === 'unauthorised') {
        dispatch(strangerSeen())
        dispatch(loginRequired())
      } else {
        setPages({ of, status: 'failed', bets: held, next: cursor })
      }
    }
  }
  // Without the hub, a changed balance is the only sign of a new bet.
  const balance = isKnown ? null : user?.balance
  // biome-ignore lint/correctness/useExhaustiveDependencies: loads again for another list, language, user or balance.
  useEffect(() => {
    if (isWanted) {
      void load(null, [])
    }
    return () => asking.current?.abort()
  }, [of, isWanted, language, user?.name, balance])

  if (!isWanted) {
    return { of, status: 'ready', bets: [], next: null, more: () => undefined }
  }
  const isCurrent = pages.of === of
  return {
    ...(isCurrent ? pages : { of, status: 'loading', bets: [], next: null }),
    more: () => void load(pages.next, pages.bets),
  }
}
