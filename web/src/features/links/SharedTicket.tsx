import { useEffect, useState } from 'react'
import { useStore } from 'react-redux'
import { fetchMatch } from '../../api/liveApi'
import { useAppDispatch, useAppSelector } from '../../app/hooks'
import type { RootState } from '../../app/store'
import { Button } from '../../components/Button'
import { cx } from '../../components/cx'
import { Dialog } from '../../components/Dialog'
import { persist } from '../../components/later'
import { Spinner } from '../../components/Spinner'
import { formatOdd } from '../../domain/oddsFormat'
import { isBettable } from '../../domain/offer'
import type { TicketPair } from '../../domain/ticket/ticket'
import { useTranslation } from '../../i18n/useTranslation'
import { matchName } from '../../platform/offer/matchName'
import { selectMatch, selectOfferStatus } from '../../platform/offer/offerSelectors'
import { selectLanguage, selectOddsFormat } from '../../platform/preferences/preferencesSelectors'
import { usePairName } from '../../platform/ticket/pairName'
import { pairOf } from '../../platform/ticket/pairOf'
import { selectPairCount } from '../../platform/ticket/ticketSelectors'
import { wished } from '../../platform/ticket/ticketSlice'
import { ticketTurned } from '../../platform/view/viewSlice'
import type { ToldMatch } from '../../protocol/frames'
import styles from './SharedTicket.module.css'
import type { Pick } from './ticketLink'

/** A pick with its current pair; null if it is not in the offer or cannot be bet on. */
export interface Looked {
  readonly pick: Pick
  readonly pair: TicketPair | null
}

export interface SharedTicketProps {
  picks: readonly Pick[]
  onClose: () => void
}

/** Shows a shared ticket at current odds, before it replaces the user's own ticket. */
export function SharedTicket({ picks, onClose }: SharedTicketProps) {
  return <SharedTicketDialog looked={useLooked(picks)} onClose={onClose} />
}

export interface SharedTicketDialogProps {
  /** Null until all picks are looked up. */
  looked: readonly Looked[] | null
  onClose: () => void
}

export function SharedTicketDialog({ looked, onClose }: SharedTicketDialogProps) {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const nameOf = usePairName()
  const format = useAppSelector(selectOddsFormat)
  const ownCount = useAppSelector(selectPairCount)
  const pairs = looked?.flatMap(({ pair }) => pair ?? []) ?? []
  const missing = (looked?.length ?? 0) - pairs.length
  const take = () => {
    onClose()
    if (ownCount > 0) {
      dispatch(wished({ wish: 'clear' }))
    }
    for (const pair of pairs) {
      dispatch(wished({ wish: 'pick', pair }))
    }
    dispatch(ticketTurned(true))
  }
  return (
    <Dialog title={t('sharedTitle')} onCancel={onClose}>
      {looked === null ? (
        <p className={styles.wait}>
          <Spinner />
          {t('sharedLoading')}
        </p>
      ) : (
        <>
          <ul className={styles.pairs} aria-label={t('pairs')}>
            {looked.map(({ pick, pair }) => (
              <li key={pick.matchId} className={cx(styles.pair, !pair && styles.gone)}>
                <b>{pair ? nameOf(pair) : t('sharedGone')}</b>
                {pair && <b className={styles.price}>{formatOdd(pair.oddValue, format)}</b>}
                {pair && (
                  <small className={styles.detail}>
                    {[pair.marketName, matchName(pair)].filter(Boolean).join(', ')}
                  </small>
                )}
              </li>
            ))}
          </ul>
          <p className={styles.text}>
            {missing > 0 && `${t('sharedMissing', { count: missing })} `}
            {pairs.length > 0 && t('sharedOddsOfNow')}
          </p>
          {ownCount > 0 && pairs.length > 0 && (
            <p className={styles.warning}>{t('sharedReplaces', { count: ownCount })}</p>
          )}
        </>
      )}
      <div className={styles.actions}>
        <Button className={styles.action} onClick={onClose}>
          {t(pairs.length > 0 || looked === null ? 'cancel' : 'close')}
        </Button>
        {pairs.length > 0 && (
          <Button look="primary" className={styles.action} onClick={take}>
            {t('sharedTake', { count: pairs.length })}
          </Button>
        )}
      </div>
    </Dialog>
  )
}

/** Looks up all picks in the current offer; null until that is done. */
function useLooked(picks: readonly Pick[]): readonly Looked[] | null {
  const store = useStore<RootState>()
  const [looked, setLooked] = useState<readonly Looked[] | null>(null)
  const status = useAppSelector(selectOfferStatus)
  const isThere = status !== 'loading'
  useEffect(() => {
    if (!isThere) {
      return
    }
    const giveUp = new AbortController()
    const language = selectLanguage(store.getState())
    void Promise.all(
      picks.map(async (pick) => {
        // A match that is not in the list is not in the offer.
        const isKnown = selectMatch(store.getState(), pick.matchId) !== undefined
        // A failed request shows nothing about the pick, so it is repeated.
        const ask = async () => (giveUp.signal.aborted ? null : fetchMatch(pick.matchId, language, giveUp.signal))
        const match = isKnown ? await persist(ask).catch(() => null) : null
        return { pick, pair: match && pairNow(match, pick) }
      }),
    ).then((all) => !giveUp.signal.aborted && setLooked(all))
    return () => giveUp.abort()
  }, [picks, isThere, store])
  return looked
}

function pairNow(match: ToldMatch, { marketId, oddId }: Pick): TicketPair | null {
  const market = match.markets.find(({ id }) => id === marketId)
  const odd = market?.odds.find(({ id }) => id === oddId)
  return market && odd && isBettable(match) ? pairOf(match, market, odd) : null
}
