/** Names and reasons of bets, in the language of the page. */

import type { IconName } from '../../components/Icon'
import type { Bet, BetPair, PairResult } from '../../domain/bet'
import { formatOdd, type OddsFormat } from '../../domain/oddsFormat'
import { centsOf, writeCents } from '../../domain/ticket/stake'
import { combinationCount } from '../../domain/ticket/totals'
import { useTranslation } from '../../i18n/useTranslation'
import { useOfferedPairs } from '../../platform/ticket/offeredPair'
import { usePairName } from '../../platform/ticket/pairName'

export const RESULT_ICONS: Readonly<Record<PairResult, IconName>> = {
  open: 'clock',
  won: 'tick',
  lost: 'close',
  void: 'void',
  half_won: 'tick',
  half_lost: 'close',
  dead_heat: 'bars',
}

/** The reasons that have a translation. Others are the provider's own texts. */
const REASONS = {
  source_restarted: 'settleReason_source_restarted',
  'match abandoned': 'settleReason_match_abandoned',
  'match postponed': 'settleReason_match_postponed',
  'result corrected': 'settleReason_result_corrected',
} as const

/** Returns a function that translates a reason. */
export function useReason(): (reason: string) => string {
  const { t } = useTranslation()
  return (reason) => {
    const key = Object.hasOwn(REASONS, reason) ? REASONS[reason as keyof typeof REASONS] : null
    return t('reason', { reason: key ? t(key) : reason })
  }
}

/**
 * Returns the reason that all pairs of a settled bet have, and its settlement if that has one: it is shown once, for the
 * bet. Null if they differ.
 */
export function commonReason({ pairs, settlement }: Pick<Bet, 'pairs' | 'settlement'>): string | null {
  const [first = null] = pairs.map(({ reason }) => reason)
  const isCommon = settlement !== null && pairs.every(({ reason }) => reason === first)
  return isCommon && (settlement.reason ?? first) === first ? first : null
}

/** How many picks a collapsed bet names. */
const NAMED = 2

/** The names of the picks of a bet: the first two, and how many others there are. */
export function usePicks({ pairs }: Pick<Bet, 'pairs'>): string {
  const { t } = useTranslation()
  const nameOf = usePairName()
  const picks = useOfferedPairs(pairs.slice(0, NAMED)).map(nameOf).join(', ')
  const more = pairs.length - NAMED
  return more > 0 ? t('betMore', { picks, more }) : picks
}

/** Returns a function that names the kind of a bet: standard with its number of pairs, or its system. */
export function useBetKind(): (bet: Bet) => string {
  const { t } = useTranslation()
  return ({ systemType, pairs }) => {
    if (systemType === 0) {
      return `${t('standard')}, ${t('pairCount', { count: pairs.length })}`
    }
    const of = pairs.filter(({ isFix }) => !isFix).length
    const combinations = t('combinationShort', { count: combinationCount(of, systemType) })
    return t('systemTicket', { k: systemType, of, combinations })
  }
}

/** What a bet that is not open has paid, its cash-outs included; null if that is not known. */
export function paidBy({ state, settlement, cashOuts }: Pick<Bet, 'state' | 'settlement' | 'cashOuts'>): string | null {
  const all = [...cashOuts, ...(settlement ? [settlement] : [])]
  if (all.length === 0) {
    return state === 'lost' ? '0.00' : null
  }
  const cents = all.reduce((total, { paid }) => total + Math.round(Number(paid) * 100), 0)
  return (cents / 100).toFixed(2)
}

/** The tax of the stake. */
export function stakeTax({ bruto, stake }: Pick<Bet, 'bruto' | 'stake'>): string {
  return writeCents(centsOf(bruto) - centsOf(stake))
}

/** What a decided pair counts as: the odd in the chosen format if it is simply won, otherwise an exact decimal. */
export function factorText({ result, factor, oddValue }: BetPair, format: OddsFormat): string | null {
  if (factor === null) {
    return null
  }
  if (result === 'won') {
    return formatOdd(oddValue, format)
  }
  const [whole = '0', decimals = ''] = factor.split('.')
  const exact = decimals.replace(/0+$/, '')
  return exact === '' && whole === '0' ? whole : `${whole}.${exact.padEnd(2, '0')}`
}
