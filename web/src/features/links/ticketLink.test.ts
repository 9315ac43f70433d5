import { describe, expect, it } from 'vitest'
import { PICKS_MAX, readTicketLink, writeTicketLink } from './ticketLink'

const pick = (id: number, isFix = false) => ({ matchId: id, marketId: id * 10, oddId: id * 100, isFix })
const standard = { type: 0, combination: null } as const
const system = (combination: number | null) => ({ type: 1, combination }) as const

describe('a link of a ticket', () => {
  it.each([
    [{ ...standard, picks: [pick(17), pick(18)] }, '17.170.1700-18.180.1800'],
    [
      { ...system(2), picks: [pick(17, true), pick(18), pick(19), pick(20)] },
      '2-17.170.1700.1-18.180.1800-19.190.1900-20.200.2000',
    ],
    [{ ...system(null), picks: [pick(17), pick(18, true)] }, '0-17.170.1700-18.180.1800.1'],
  ])('says what it is read from', (ticket, text) => {
    const link = writeTicketLink('https://kvota.example', ticket)
    expect(link).toBe(`https://kvota.example/ticket/${text}`)
    expect(readTicketLink(link.split('/ticket/')[1] ?? '')).toEqual(ticket)
  })

  it('leaves out the fixed pairs of a ticket that is no system', () => {
    expect(writeTicketLink('', { ...standard, picks: [pick(17, true)] })).toBe('/ticket/17.170.1700')
  })

  it('takes as many as a ticket', () => {
    const many = (count: number) =>
      ['0', ...Array.from({ length: count }, (_, place) => `${place}.9007199254740991.9007199254740991.1`)].join('-')
    expect(readTicketLink(many(PICKS_MAX))?.picks).toHaveLength(PICKS_MAX)
    expect(readTicketLink(many(PICKS_MAX + 1))).toBe(null)
  })

  it.each([
    '',
    '17',
    '17.1',
    '17.1.1.1',
    '2-17.1.1.2',
    '2-17.1.1.1.1',
    '2-17.1.1-18.1.1',
    '1-17.1.1-18.1.1.1',
    '100-17.1.1',
    '2-',
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
    expect(readTicketLink(text)).toBe(null)
  })
})
