/**
 * Stores that pass fewer changes to the components below them. Each odd on the page asks several selectors at every
 * change of the store, thirty times a second; nearly always another match has changed.
 */
import type { Store } from '@reduxjs/toolkit'
import { type ReactNode, useLayoutEffect, useMemo } from 'react'
import { Provider, useStore } from 'react-redux'
import type { RootState } from '../../app/store'
import type { MarketId, MatchId } from '../../domain/offer'
import { selectMarket, selectMatch, selectMovement, selectOdd } from './offerSelectors'

type Facts = readonly unknown[]

interface OfferGateProps {
  /** What the children show of the tables of the offer. A change of anything else of the offer does not reach them. */
  facts: (state: RootState) => Facts
  children: ReactNode
}

/** Passes changes of the offer to its children only if `facts` are among them, and every change of the other state. */
export function OfferGate({ facts, children }: OfferGateProps) {
  const store = useStore<RootState>()
  const gated = useMemo(() => ({ ...store, subscribe: subscribeTo(store, facts) }), [store, facts])
  return <Provider store={gated}>{children}</Provider>
}

function subscribeTo(store: Store<RootState>, factsOf: OfferGateProps['facts']): Store['subscribe'] {
  return (listener) => {
    let state = store.getState()
    let facts = factsOf(state)
    return store.subscribe(() => {
      const [before, factsBefore] = [state, facts]
      state = store.getState()
      facts = factsOf(state)
      if (!isRestSame(before, state) || !isSame(factsBefore, facts)) {
        listener()
      }
    })
  }
}

function isSame(before: Facts, now: Facts): boolean {
  return before.length === now.length && now.every((fact, place) => fact === before[place])
}

let compared: { readonly before: RootState; readonly now: RootState; readonly isSame: boolean } | null = null

/** Whether only the tables of the offer have changed. Asked by all gates for the same two states. */
function isRestSame(before: RootState, now: RootState): boolean {
  if (compared?.before !== before || compared.now !== now) {
    const { offer: offerBefore, movements: _, ...restBefore } = before
    const { offer, movements: __, ...rest } = now
    const isOfferSame = offerBefore.status === offer.status && offerBefore.sports === offer.sports
    compared = { before, now, isSame: isOfferSame && isSame(Object.values(restBefore), Object.values(rest)) }
  }
  return compared.isSame
}

/** What a row or the card of some markets shows of a match. */
export function matchFacts(state: RootState, matchId: MatchId, marketIds: readonly MarketId[]): Facts {
  const facts: unknown[] = [selectMatch(state, matchId)]
  for (const id of marketIds) {
    const market = selectMarket(state, id)
    facts.push(market)
    for (const oddId of market?.oddIds ?? []) {
      facts.push(selectOdd(state, oddId), selectMovement(state, oddId))
    }
  }
  return facts
}

/** How often children that are out of sight hear of changes. */
const UNSEEN_EVERY_MS = 1000

/** Passes changes to its children at most once a second while they are not shown, and the rest when they are again. */
export function UnseenGate({ isShown, children }: { isShown: boolean; children: ReactNode }) {
  const store = useStore<RootState>()
  const gate = useMemo(() => unseenGate(store), [store])
  useLayoutEffect(() => gate.turn(isShown), [gate, isShown])
  return <Provider store={gate.store}>{children}</Provider>
}

function unseenGate(store: Store<RootState>) {
  const waiting = new Set<() => void>()
  let isShown = true
  let timer: number | undefined
  const tell = () => {
    window.clearTimeout(timer)
    timer = undefined
    const told = [...waiting]
    waiting.clear()
    for (const listener of told) {
      listener()
    }
  }
  const subscribe: Store['subscribe'] = (listener) => {
    const stop = store.subscribe(() => {
      if (isShown) {
        listener()
      } else {
        waiting.add(listener)
        timer ??= window.setTimeout(tell, UNSEEN_EVERY_MS)
      }
    })
    return () => {
      stop()
      waiting.delete(listener)
    }
  }
  const turn = (now: boolean) => {
    isShown = now
    if (isShown) {
      tell()
    }
  }
  return { store: { ...store, subscribe }, turn }
}
