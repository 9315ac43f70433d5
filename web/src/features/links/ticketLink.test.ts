import { describe, expect, it } from 'vitest'
import { PICKS_MAX, readPicks, writeTicketLink } from './ticketLink'

const pick = (id: number) => ({ matchId: id, marketId: id * 10, oddId: id * 100 })

describe('a link of a ticket', () => {
  it('says what it is read from', () => {
    const picks = [pick(17), pick(18)]
    const link = writeTicketLink('https://kvota.example', picks)
    expect(link).toBe('https://kvota.example/ticket/17.170.1700-18.180.1800')
    expect(readPicks(link.split('/ticket/')[1] ?? '')).toEqual(picks)
  })

  it('takes as many as a ticket', () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, place) => `${place}.9007199254740991.9007199254740991`).join('-')
    expect(readPicks(many(PICKS_MAX))).toHaveLength(PICKS_MAX)
    expect(readPicks(many(PICKS_MAX + 1))).toBe(null)
  })

  it.each([
    '',
    '17',
    '17.1',
    '17.1.1.1',
    '17.1.1-',
    '-17.1.1',
    '17.1.x',
    '17.1.1,18.1.1',
    '1e3.1.1',
    '9007199254740992.1.1',
    '17.1.1-17.2.2',
    '99999999999999999999.1.1',
    '1'.repeat(100_000),
  ])('%.40s is none', (text) => {
    expect(readPicks(text)).toBe(null)
  })
})
