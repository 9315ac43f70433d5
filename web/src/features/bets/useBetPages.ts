import { type BetsOf, fetchBets } from '../../api/accountApi'
import { useAppSelector } from '../../app/hooks'
import type { Bet } from '../../domain/bet'
import { selectUser } from '../../platform/account/accountSlice'
import { useLoginRequired } from '../../platform/account/useLoginRequired'
import { type Pages, usePages } from '../../platform/loading/usePages'
import { selectLanguage } from '../../platform/preferences/preferencesSelectors'

/**
 * The open or the settled bets from the server, page by page. If the hub has reported all open bets (`isKnown`), these
 * are not loaded.
 */
export function useBetPages(of: BetsOf, isKnown: boolean): Pages<Bet> {
  const language = useAppSelector(selectLanguage)
  const user = useAppSelector(selectUser)
  const isWanted = of === 'settled' || !isKnown
  // Without the hub, a changed balance is the only sign of a new bet.
  const balance = isKnown ? null : user?.balance
  const key = isWanted ? JSON.stringify([of, language, user?.name, balance]) : null
  const fetchPage = async (cursor: string | null, signal: AbortSignal) => {
    const { tickets, next } = await fetchBets(of, cursor, language, signal)
    return { items: tickets, next }
  }
  const pages = usePages(key, fetchPage, useLoginRequired())
  return isWanted ? pages : { ...pages, status: 'ready', more: () => undefined }
}
