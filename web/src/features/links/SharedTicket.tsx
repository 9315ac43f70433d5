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
import { freePairs, type TicketPair } from '../../domain/ticket/ticket'
import { useTranslation } from '../../i18n/useTranslation'
import { ExclusionLine } from '../../platform/account/ExclusionLine'
import { selectExclusion } from '../../platform/account/protectionSlice'
import { useMoney } from '../../platform/account/useMoney'
import { useLoaded } from '../../platform/loading/useLoaded'
import { pairMarket } from '../../platform/offer/marketTitle'
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
import type { LinkedTicket, Pick } from './ticketLink'

/** A pick with its current pair; null if it is not in the offer or cannot be bet on. */
export interface Looked {
  readonly pick: Pick
  readonly pair: TicketPair | null
}

export interface SharedTicketProps {
  ticket: LinkedTicket
  onClose: () => void
}

/** Shows a shared ticket, or a bet to be placed again, at current odds, before it replaces the user's own ticket. */
export function SharedTicket({ ticket, onClose }: SharedTicketProps) {
  return <SharedTicketDialog ticket={ticket} looked={useLooked(ticket.picks)} onClose={onClose} />
}

export interface SharedTicketDialogProps {
  ticket: Omit<LinkedTicket, 'picks'>
  /** Null until all picks are looked up. */
  looked: readonly Looked[] | null
  onClose: () => void
}

export function SharedTicketDialog({ ticket, looked, onClose }: SharedTicketDialogProps) {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const nameOf = usePairName()
  const money = useMoney()
  const format = useAppSelector(selectOddsFormat)
  const ownCount = useAppSelector(selectPairCount)
  const found = looked?.flatMap(({ pick, pair }) => (pair ? { ...pair, isFix: pick.isFix } : [])) ?? []
  const missing = (looked?.length ?? 0) - found.length
  const free = freePairs({ pairs: found })
  // Without the missing pairs the system may be too small for its combinations.
  const combination = ticket.combination !== null && ticket.combination < free ? ticket.combination : null
  const exclusion = useAppSelector(selectExclusion)
  const canTake = found.length > 0 && !exclusion
  const { stake } = ticket
  const take = () => {
    onClose()
    if (ownCount > 0) {
      dispatch(wished({ wish: 'clear' }))
    }
    for (const pair of found) {
      dispatch(wished({ wish: 'pick', pair }))
    }
    dispatch(wished({ wish: 'type', type: ticket.type }))
    for (const { matchId, isFix } of found) {
      if (isFix) {
        dispatch(wished({ wish: 'fix', matchId, on: true }))
      }
    }
    if (ticket.type === 1) {
      dispatch(wished({ wish: 'combination', k: combination }))
    }
    if (stake !== undefined) {
      dispatch(wished({ wish: 'stake', text: stake, stake }))
    }
    dispatch(ticketTurned(true))
  }
  return (
    <Dialog title={t(stake === undefined ? 'sharedTitle' : 'repeatTicket')} onCancel={onClose}>
      {looked === null ? (
        <p className={styles.wait}>
          <Spinner />
          <span>{t('sharedLoading')}</span>
        </p>
      ) : (
        <>
          <ul className={styles.pairs} aria-label={t('pairs')}>
            {looked.map(({ pick, pair }) => (
              <li key={pick.matchId} className={cx(styles.pair, !pair && styles.gone)}>
                <b>
                  <span>{pair ? nameOf(pair) : t('sharedGone')}</span>
                  {pick.isFix && ' '}
                  {pick.isFix && <span className={styles.fix}>{t('fix')}</span>}
                </b>
                {pair && <b className={styles.price}>{formatOdd(pair.oddValue, format)}</b>}
                {pair && (
                  <small className={styles.detail}>
                    {[pairMarket(pair), matchName(pair)].filter(Boolean).join(', ')}
                  </small>
                )}
              </li>
            ))}
          </ul>
          <p className={styles.text}>
            {[
              ticket.type === 1 && `${t('system')}${combination === null ? '' : ` ${combination}/${free}`}.`,
              missing > 0 && t('sharedMissing', { count: missing }),
              found.length > 0 && stake !== undefined && t('repeatStake', { amount: money(stake) }),
              found.length > 0 && t('sharedOddsOfNow'),
            ]
              .filter(Boolean)
              .join(' ')}
          </p>
          {ownCount > 0 && canTake && <p className={styles.warning}>{t('sharedReplaces', { count: ownCount })}</p>}
        </>
      )}
      {exclusion && <ExclusionLine exclusion={exclusion} />}
      <div className={styles.actions}>
        <Button className={styles.action} onClick={onClose}>
          {t(canTake || looked === null ? 'cancel' : 'close')}
        </Button>
        {canTake && (
          <Button look="primary" className={styles.action} onClick={take}>
            {t('sharedTake', { count: found.length })}
          </Button>
        )}
      </div>
    </Dialog>
  )
}

/** Looks up all picks in the current offer; null until that is done. */
function useLooked(picks: readonly Pick[]): readonly Looked[] | null {
  const store = useStore<RootState>()
  const status = useAppSelector(selectOfferStatus)
  const isThere = status !== 'loading'
  const look = (signal: AbortSignal) => {
    const language = selectLanguage(store.getState())
    return Promise.all(
      picks.map(async (pick) => {
        // A match that is not in the list is not in the offer.
        const isKnown = selectMatch(store.getState(), pick.matchId) !== undefined
        // A failed request shows nothing about the pick, so it is repeated.
        const ask = async () => (signal.aborted ? null : fetchMatch(pick.matchId, language, signal))
        const match = isKnown ? await persist(ask).catch(() => null) : null
        return { pick, pair: match && pairNow(match, pick) }
      }),
    )
  }
  const { loaded } = useLoaded(isThere ? look : null, [picks, isThere])
  return loaded.status === 'ready' ? loaded.value : null
}

function pairNow(match: ToldMatch, { marketId, oddId }: Pick): TicketPair | null {
  const market = match.markets.find(({ id, odds }) =>
    marketId === null ? odds.some((odd) => odd.id === oddId) : id === marketId,
  )
  const odd = market?.odds.find(({ id }) => id === oddId)
  return market && odd && !market.isSuspended && isBettable(match) ? pairOf(match, market, odd) : null
}
