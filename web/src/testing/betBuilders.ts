/** Builders for bets, as the server sends them (`goldenBets.test.tsx` compares them with the server's own bodies). */

export interface BetOptions {
  readonly [field: string]: unknown
}

/** A pair as the server sends it: open, with odds of 1.85. */
export function aToldPair(fields: BetOptions = {}) {
  return {
    matchId: 1,
    marketId: 101,
    marketType: 1,
    sportId: 1,
    home: 'Dinamo Zagreb',
    away: 'Hajduk Split',
    tournament: 'HNL',
    marketName: 'Konačan ishod',
    // The type is also the name, unless the odd is a provider's.
    oddType: fields.oddName ?? '1',
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

const SETTLED_AT = 1_700_000_600_000

/** What the pair and the settlement of a single are in each state of the bet. */
function decided(state: string): { pair: BetOptions; settlement: BetOptions | null } {
  switch (state) {
    case 'won':
      return { pair: { result: 'won', settledAt: SETTLED_AT, factor: '1.85' }, settlement: aToldSettlement() }
    case 'lost':
      return { pair: { result: 'lost', settledAt: SETTLED_AT, factor: '0' }, settlement: NOTHING_PAID }
    case 'void':
      return { pair: { result: 'void', settledAt: SETTLED_AT, factor: '1' }, settlement: ALL_RETURNED }
    default:
      return { pair: {}, settlement: null }
  }
}

/** A bet as the server sends it: a single, open or with a settlement that fits its `state`. */
export function aToldBet(ticketId: string, fields: BetOptions = {}) {
  const state = (fields['state'] as string | undefined) ?? 'open'
  const { pair, settlement } = decided(state)
  return {
    ticketId,
    ticketNumber: `${ticketId.padEnd(3, '2').slice(0, 3).toUpperCase()}-4M2X`,
    revision: 1,
    placedAt: 1_700_000_000_000,
    status: state,
    state,
    settlement,
    possible: state === 'open' ? { gross: '17.58', winTax: '0.81', paid: '16.77' } : null,
    systemType: 0,
    stake: '9.50',
    bruto: '10.00',
    totalOdd: '1.85',
    potentialWin: '17.58',
    winTax: '0.81',
    payout: '16.77',
    remaining: { bruto: '10.00', taxedStake: '9.50' },
    cashOuts: [],
    cashOutRule: null,
    pairs: [aToldPair(pair)],
    ...fields,
  }
}

/** A settlement as the server sends it: 16.77 paid. */
export function aToldSettlement(fields: BetOptions = {}) {
  return { number: 1, at: SETTLED_AT, gross: '17.58', winTax: '0.81', paid: '16.77', reason: null, ...fields }
}

export const NOTHING_PAID = aToldSettlement({ gross: '0.00', winTax: '0.00', paid: '0.00' })
/** The stake of a void bet is returned without tax. */
export const ALL_RETURNED = aToldSettlement({ gross: '10.00', winTax: '0.00', paid: '10.00' })

/** A cash-out of a half as the server sends it. */
export function aToldCashOut(fields: BetOptions = {}) {
  return { at: SETTLED_AT, share: '0.5', value: '7.52', winTax: '0.28', paid: '7.24', ...fields }
}
