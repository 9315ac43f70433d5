import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { encode } from '@msgpack/msgpack'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aToldBet, aToldPair, aToldSettlement } from '../testing/betBuilders'
import { decodeFrame, readFrame } from './decode'
import { decodeMsgpack } from './msgpack'
import { readBetsReport } from './readBets'
import { readMatch, readOffer } from './readEntities'

const GOLDEN = join(import.meta.dirname, '../../../tests/golden/hub')

/** One message in both encodings. */
interface GoldenVector {
  name: string
  msgpackHex: string
  json: unknown
}

const files = existsSync(GOLDEN) ? readdirSync(GOLDEN).filter((name) => name.endsWith('.json')) : []
const vectors = files.flatMap((name) => JSON.parse(readFileSync(join(GOLDEN, name), 'utf8')) as GoldenVector[])

/** The golden vector of a message, decoded from MessagePack. */
function golden(name: string): unknown[] {
  const vector = vectors.find((each) => each.name === name)
  if (!vector) {
    throw new Error(`there is no golden message "${name}"`)
  }
  return decodeMsgpack(Uint8Array.from(Buffer.from(vector.msgpackHex, 'hex'))) as unknown[]
}

describe('the golden vectors', () => {
  it('are there', () => {
    expect(vectors.length).toBeGreaterThan(0)
  })

  it.each(vectors)('$name says the same in both spellings', ({ msgpackHex, json }) => {
    const bytes = Uint8Array.from(Buffer.from(msgpackHex, 'hex'))
    expect(decodeMsgpack(bytes)).toEqual(json)
    const frame = readFrame([json])
    expect(frame.malformed).toBe(0)
    expect(frame.messages.length).toBe(1)
    expect(readFrame([decodeMsgpack(bytes)])).toEqual(frame)
  })
})

const ODD = [7, '1', 1.85, ['1.85', null], 'home', 1, null]
const MARKET = [5, 'Ukupno', null, null, 2.5, 18, 0, 3, [ODD], true, null, ['group.Golovi']]
const MATCH = [
  ...[
    17,
    'first_half',
    'Dinamo',
    'Hajduk',
    true,
    0,
    [MARKET],
    4,
    [2, 1],
    [[1, 0]],
    1,
    'Nogomet',
    600,
    'HNL',
    null,
    null,
  ],
  ...[null, null, [0, 1], [2, 3], [5, 4], false, null, null, null, ['40', 'AD'], null, 12, 8, 9],
]

describe('a message is read', () => {
  it.each<[what: string, raw: unknown[], expected: object]>([
    [
      'hello',
      [0, 'abc', 1_700_000_000_000, 2, '1.0'],
      { kind: 'hello', session: 'abc', serverTimeMs: 1_700_000_000_000, feed: 'active', version: '1.0', run: '' },
    ],
    ['ack', [1, 3, null], { kind: 'ack', n: 3 }],
    ['error', [1, null, 'too_large', 'Too large'], { kind: 'error', n: null, code: 'too_large', text: 'Too large' }],
    ['feed', [2, 1], { kind: 'feed', feed: 'recovering' }],
    ['deletion', [6, 17], { kind: 'matchDeleted', matchId: 17 }],
    ['sport removed', [8, 5], { kind: 'sportRemoved', sportId: 5 }],
    ['goal', [9, 17, 2], { kind: 'goal', matchId: 17, side: 2 }],
    [
      'sport check',
      [11, 1, 10, 4_294_967_295, 12],
      { kind: 'sportCheck', sportId: 1, matches: 10, sum: 4_294_967_295 },
    ],
    ['match check', [12, 17, 8, 9], { kind: 'matchCheck', matchId: 17, rowRevision: 8, detailRevision: 9 }],
    ['date', [13, 5], { kind: 'date', dateMs: 5 }],
    ['notice', [14, 'reload'], { kind: 'notice', what: 'reload' }],
  ])('%s', (_, raw, expected) => {
    expect(readFrame([raw])).toEqual({ messages: [expected], malformed: 0 })
  })

  it('a match with its clock as of the date', () => {
    const [message] = readFrame([[3, MATCH, 1_000_000]]).messages
    expect(message).toMatchObject({
      kind: 'match',
      match: {
        id: 17,
        score: [2, 1],
        clock: { kind: 'running', zeroMs: 400_000 },
        game: ['40', 'AD'],
        numberOfOdds: 12,
        rowRevision: 8,
        detailRevision: 9,
        markets: [{ id: 5, sbv: '2.5', balanced: true, odds: [{ id: 7, value: 1850, changed: 1 }] }],
      },
    })
  })

  it.each([
    [[...MARKET, -1], true],
    [MARKET, false],
    [[...MARKET, null], false],
    [[...MARKET, 1], false],
    [[...MARKET, -2], false],
    [[...MARKET, '-1'], false],
    [[...MARKET, [-1]], false],
    [[...MARKET, -1, 'of a later version'], true],
  ])('a market %j, suspended: %s', (market, isSuspended) => {
    expect(readFrame([[4, 17, 8, -20, [null, [market]]]])).toMatchObject({
      messages: [{ change: { markets: { order: null, told: [{ id: 5, isSuspended }] } } }],
      malformed: 0,
    })
    const offer = readOffer([[[1, null, 1, [[...MATCH.slice(0, 6), [market], ...MATCH.slice(7)]]]], null, 0])
    expect(offer.sports[0]?.matches[0]?.markets).toMatchObject([{ id: 5, isSuspended }])
  })

  it('a change, key by key', () => {
    const raw = [
      ...[4, 17, 8, -20, [[5], [MARKET]], 0, 1900, 2, 2100, -21, [1, -1], -22, [0, null], -1, 'half_time', -2, [2, 2]],
      ...[-4, [2700], -6, true, -12, null, -13, 11, -99, 'of a later version'],
    ]
    expect(readFrame([raw]).messages).toMatchObject([
      {
        kind: 'rowChange',
        matchId: 17,
        follows: 8,
        change: {
          markets: { order: [5], told: [{ id: 5 }] },
          prices: [
            [0, 1900],
            [2, 2100],
          ],
          marks: [[1, -1]],
          values: [[0, null]],
          fields: {
            status: 'half_time',
            score: [2, 2],
            clock: { kind: 'stopped', seconds: 2700 },
            suspended: true,
            game: null,
            numberOfOdds: 11,
          },
        },
      },
    ])
  })

  it.each([
    [1_700_000_000_000, { kind: 'running', zeroMs: 1_700_000_000_000 }],
    [[2700], { kind: 'stopped', seconds: 2700 }],
    ['HT', { kind: 'text', text: 'HT' }],
    [null, null],
  ])('a clock of %j', (raw, clock) => {
    expect(readFrame([[4, 1, 1, -4, raw]]).messages).toMatchObject([{ change: { fields: { clock } } }])
  })
})

describe('a message about bets is read', () => {
  const SETTLED = {
    ticketId: 'A',
    revision: 3,
    state: 'won',
    results: [{ result: 'half_won', settledAt: 5, factor: '1.425', reason: 'result corrected', later: true }],
    settlement: { ...aToldSettlement(), later: true },
    possible: null,
    later: true,
  }

  it('later, in both encodings, whatever later versions add', () => {
    const message = [18, [{ ...aToldBet('A'), later: [1] }], 'later']
    const read = decodeFrame(JSON.stringify([message]))
    expect(read).toEqual({ messages: [{ kind: 'bets', raw: message }], malformed: 0 })
    expect(decodeFrame(encode([message]).slice().buffer)).toEqual(read)
    expect(readBetsReport(message)).toMatchObject({
      kind: 'bets',
      bets: [
        {
          ticketId: 'A',
          ticketNumber: 'A22-4M2X',
          state: 'open',
          possible: { gross: '17.58', winTax: '0.81', paid: '16.77' },
          pairs: [{ matchId: 1, oddValue: 1850, result: 'open', factor: null }],
        },
      ],
    })
  })

  it.each<[name: string, cause: string, state: string, parts: object]>([
    [
      'bet cashed out',
      'cashed_out',
      'cashed_out',
      {
        remaining: { bruto: '0.00', taxedStake: '0.00' },
        cashOuts: [{ at: 1_700_000_090_000, share: '1', paid: '22.77' }],
        cashOutRule: null,
      },
    ],
    [
      'bet cashed out in part',
      'cashed_out',
      'open',
      {
        remaining: { bruto: '5.00', taxedStake: '4.75' },
        cashOuts: [{ at: 1_700_000_090_000, share: '0.5', paid: '11.39' }],
        cashOutRule: null,
      },
    ],
    [
      'bet with a rule',
      'cash_out_rule',
      'open',
      {
        remaining: { bruto: '10.00', taxedStake: '9.50' },
        cashOuts: [],
        cashOutRule: { atLeast: '20.00' },
      },
    ],
  ])('golden: %s', (name, cause, state, parts) => {
    const [kind, told, progress] = golden(name)
    const read = readBetsReport([kind, told, { ...(progress as object), later: 1 }, 'later'])
    expect(read).toMatchObject({ kind: 'betChanged', cause, progress: { state, settlement: null, ...parts } })
  })

  it('golden: a settled bet says nothing about cash-outs', () => {
    expect(readBetsReport(golden('bet settled'))).not.toHaveProperty('progress.remaining')
  })

  it('golden: cash-out values', () => {
    const [kind, values] = golden('cash-out values')
    const told = (values as object[]).map((value) => ({ ...value, later: 1 }))
    expect(readBetsReport([kind, told, 'later'])).toEqual({
      kind: 'cashOutValues',
      values: [
        {
          ticketId: '0193f5c2-7d1e-7000-8000-0123456789ab',
          value: '24.25',
          winTax: '1.48',
          net: '22.77',
          reasons: [],
        },
        {
          ticketId: '0193f5c2-7d1e-7000-8000-0123456789ac',
          value: null,
          winTax: null,
          net: null,
          reasons: ['match_suspended'],
        },
      ],
    })
  })

  it('a placed bet, a change and the money', () => {
    const pairs = [aToldPair({ result: 'of_a_later_version' })]
    const told = [
      [19, aToldBet('A', { state: 'cashed_out', pairs })],
      [20, 'corrected', SETTLED],
      [21, { revision: 7, balance: '10.00', receivable: '2.50', later: 1 }],
    ]
    expect(told.map(readBetsReport)).toMatchObject([
      { kind: 'betPlaced', bet: { state: 'cashed_out', pairs: [{ result: 'open' }] } },
      {
        kind: 'betChanged',
        cause: 'corrected',
        progress: { revision: 3, results: [{ result: 'half_won', factor: '1.425' }], settlement: { paid: '16.77' } },
      },
      { kind: 'money', money: { revision: 7, balance: '10.00', receivable: '2.50' } },
    ])
  })

  it.each([
    [[18, null]],
    [[18, [{}]]],
    [[19]],
    [[19, { ...aToldBet('A'), state: 'unheard_of' }]],
    [[20, 'unheard_of', SETTLED]],
    [[20, 'cashed_out', { ...SETTLED, remaining: {} }]],
    [[22, null]],
    [[22, [{ ticketId: 'A' }]]],
    [[20, 'settled', { ...SETTLED, revision: -1 }]],
    [[20, 'settled', { ...SETTLED, settlement: {} }]],
    [[21, { revision: 1, balance: 10, receivable: '0.00' }]],
  ])('not a malformed one: %j', (raw) => {
    expect(readBetsReport(raw)).toBeNull()
  })

  it('never throws', () => {
    fc.assert(fc.property(fc.array(fc.anything()), (raw) => void readBetsReport(raw)))
  })
})

describe('what is not as it should be', () => {
  it('of an unknown kind, or with further elements, is no matter', () => {
    expect(
      readFrame([
        [99, 'new'],
        [6, 17, 'more'],
      ]),
    ).toEqual({
      messages: [{ kind: 'matchDeleted', matchId: 17 }],
      malformed: 0,
    })
  })

  it.each([
    [[[6, -1]]],
    [[[6]]],
    [[[6, 1.5]]],
    [[[9, 17, 3]]],
    [[[2, 7]]],
    [[[4, 17, 1, 0, -5]]],
    [[[4, 17, 1, 0, 100_000_001]]],
    [[[4, 17, 1, 0]]],
    [[[3, [17], 0]]],
    [['text']],
  ])('is left out alone: %j', (frame) => {
    expect(readFrame([...frame, [6, 17]])).toEqual({ messages: [{ kind: 'matchDeleted', matchId: 17 }], malformed: 1 })
  })

  it('never is an error of ours', () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.anything())), (frame) => {
        expect(readFrame(frame).messages.length).toBeLessThanOrEqual(frame.length)
      }),
    )
  })

  it('does not make us reserve what a length promises', () => {
    // An array with 2^32 - 1 elements and a text with 2^31 bytes.
    expect(() => decodeMsgpack(Uint8Array.of(0xdd, 0xff, 0xff, 0xff, 0xff))).toThrow()
    expect(() => decodeMsgpack(Uint8Array.of(0xdb, 0x80, 0, 0, 0))).toThrow()
  })
})

describe('an answer is read', () => {
  it('of the whole offer', () => {
    const column = [1, '1X2', ['1', 'X', '2'], false, [[1, null, '']]]
    const bytes = encode([[[1, 'Nogomet', 2, [MATCH], [column], 1]], 1, 1_000_000, 42])
    expect(readOffer(decodeMsgpack(bytes))).toMatchObject({
      dateMs: 1_000_000,
      sports: [
        {
          id: 1,
          name: 'Nogomet',
          preferred: [{ order: 1, fields: ['1', 'X', '2'], markets: [{ marketType: 1, format: '' }] }],
          matches: [{ id: 17, clock: { kind: 'running', zeroMs: 400_000 } }],
        },
      ],
    })
  })

  it('of a match, its clock standing where it is stopped', () => {
    const stopped = MATCH.with(21, true)
    expect(readMatch(stopped, 1_000_000).clock).toEqual({ kind: 'stopped', seconds: 600 })
  })
})

it('a frame of text is the same as one of bytes', () => {
  const frame = [
    [6, 17],
    [9, 17, 1],
  ]
  const bytes = encode(frame)
  expect(decodeFrame(JSON.stringify(frame))).toEqual(decodeFrame(bytes.slice().buffer))
})
