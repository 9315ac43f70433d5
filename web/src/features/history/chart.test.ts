import { describe, expect, it } from 'vitest'
import { readHistory } from '../../api/historyApi'
import { draw, factsOf } from './chart'

const at = (second: number, value: number) => ({ atMs: second * 1000, value })

describe('a trail', () => {
  it('in figures', () => {
    expect(factsOf({ before: 1850, changes: [at(0, 2000), at(5, 1700), at(9, 1900)] })).toEqual({
      lowest: 1700,
      highest: 2000,
      first: 1850,
      last: 1900,
      count: 3,
    })
  })

  it('leaves out what was not offered', () => {
    expect(factsOf({ before: 0, changes: [at(0, 2000), at(5, 0)] })).toMatchObject({
      lowest: 2000,
      highest: 2000,
      first: 2000,
      last: 0,
    })
    expect(factsOf({ before: 0, changes: [] })).toBe(null)
  })
})

describe('a drawing', () => {
  it('steps at each change and ends at now, the price before leading in', () => {
    const { line, area, now, fromMs, toMs } = draw(
      { before: 1000, changes: [at(0, 2000), at(50, 1500)] },
      100_000,
      108,
      100,
    )
    expect([fromMs, toMs]).toEqual([-8000, 100_000])
    expect(line).toBe('M0 100H8L8 0H58L58 50H108')
    expect(area).toBe('M0 100H8V100H0ZM8 0H58V100H8ZM58 50H108V100H58Z')
    expect(now).toEqual({ x: 108, y: 50 })
  })

  it('has a gap where nothing was offered', () => {
    const { line, now } = draw({ before: 1000, changes: [at(0, 0), at(50, 2000)] }, 100_000, 108, 100)
    expect(line).toBe('M0 100H8M58 0H108')
    expect(now).toEqual({ x: 108, y: 0 })
    expect(draw({ before: 1000, changes: [at(0, 0)] }, 100_000, 108, 100).now).toBe(null)
  })

  it('of a price that never moved lies in the middle', () => {
    expect(draw({ before: 1850, changes: [] }, 100_000, 108, 100).line).toBe('M0 50H108')
  })

  it('of a small move is a small step', () => {
    expect(draw({ before: 4990, changes: [at(0, 5000)] }, 100_000, 108, 100).line).toBe('M0 52.5H8L8 47.5H108')
  })

  it('does not end before the last change, whatever our clock says', () => {
    const { line, toMs } = draw({ before: 1000, changes: [at(0, 2000), at(120, 1000)] }, 100_000, 108, 100)
    expect(toMs).toBe(120_000)
    expect(line).toBe('M0 100H8L8 0H108L108 100H108')
  })
})

describe('an answer', () => {
  it('is read in thousandths', () => {
    const raw = {
      matchId: 17,
      oddId: 1,
      date: 5,
      value: 1.9,
      before: 1.005,
      changes: [
        [3, 12.25],
        [4, 0],
      ],
    }
    expect(readHistory(raw)).toEqual({
      dateMs: 5,
      before: 1005,
      changes: [
        { atMs: 3, value: 12_250 },
        { atMs: 4, value: 0 },
      ],
    })
    expect(readHistory({ date: 5, before: null, changes: [] }).before).toBe(null)
  })

  it.each([{}, { date: 5, before: null, changes: [['a', 1]] }, { date: 5, before: 'x', changes: [] }])(
    '%j is none',
    (raw) => {
      expect(() => readHistory(raw)).toThrow(TypeError)
    },
  )
})
