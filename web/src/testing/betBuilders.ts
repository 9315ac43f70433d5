/** Builders for bets, as the server sends them. */

export interface BetOptions {
  readonly [field: string]: unknown
}

/** A pair as the server sends it: open, with odds of 1.85. */
export function aToldPair(fields: BetOptions = {}) {
  return {
    matchId: 1,
    marketId: 101,
    sportId: 1,
    home: 'Dinamo Zagreb',
    away: 'Hajduk Split',
    tournament: 'HNL',
    marketName: 'Konačan ishod',
    oddName: '1',
    sbv: null,
    oddValue: 1.85,
    isFix: false,
    result: 'open',
    settledAt: null,
    factor: null,
    reason: null,
    ...fields,
  }
}

/** A bet as the server sends it: an open single. With another `state` it needs a `settlement`. */
export function aToldBet(ticketId: string, fields: BetOptions = {}) {
  const state = (fields['state'] as string | undefined) ?? 'open'
  return {
    ticketId,
    ticketNumber: `${ticketId.padEnd(3, '2').slice(0, 3).toUpperCase()}-4M2X`,
    revision: 1,
    placedAt: 1_700_000_000_000,
    status: state,
    state,
    settlement: null,
    possible: state === 'open' ? { gross: '17.58', winTax: '0.81', paid: '16.77' } : null,
    systemType: 0,
    stake: '9.50',
    bruto: '10.00',
    totalOdd: '1.85',
    potentialWin: '17.58',
    winTax: '0.81',
    payout: '16.77',
    pairs: [aToldPair()],
    ...fields,
  }
}

/** A settlement as the server sends it: 16.77 paid. */
export function aToldSettlement(fields: BetOptions = {}) {
  return { number: 1, at: 1_700_000_600_000, gross: '17.58', winTax: '0.81', paid: '16.77', reason: null, ...fields }
}
