import { expect, it } from 'vitest'
import type { Pair } from '../domain/offer'
import { aMatch } from '../testing/builders'
import { seenOf } from '../testing/seenOf'
import { SEEN_MAX, type Seen, withSample } from './sample'
import { freshStep, runs, scoreSteps, sheetOf } from './seen'

const sets = (...points: readonly Pair[]) => seenOf(...points.map((pair) => ({ scores: [pair] })))
const winners = (seen: Seen, index = 0) => sheetOf(seen, index).points.map(({ winner }) => winner)

it('is bounded, and keeps only changes', () => {
  const seen = seenOf(...Array.from({ length: 500 }, (_, index) => ({ score: [index, 0] as const })))
  expect(seen.length).toBe(SEEN_MAX)
  expect(seenOf({ score: [1, 0] }, { score: [1, 0] }, { betting: false }).length).toBe(1)
})

it('a sheet has the winner of each point, from the first that was seen', () => {
  expect(winners(sets([0, 0], [1, 0], [1, 1], [1, 2]))).toEqual([1, 2, 2])
  const late = sheetOf(sets([7, 5], [8, 5]), 0)
  expect([late.missed, late.points.length]).toEqual([12, 1])
})

it('a correction removes its point from the sheet', () => {
  const sheet = sheetOf(sets([0, 0], [1, 0], [1, 1], [0, 1], [0, 2]), 0)
  expect(sheet.points.map(({ winner }) => winner)).toEqual([2, 2])
  expect(sheet.missed).toBe(0)
})

it('several points at once begin the sheet again', () => {
  const sheet = sheetOf(sets([0, 0], [1, 0], [3, 2], [3, 3]), 0)
  expect([sheet.missed, sheet.points.map(({ winner }) => winner)]).toEqual([5, [2]])
})

it('a new set begins empty', () => {
  const seen = seenOf(
    { scores: [[10, 8]] },
    {
      scores: [
        [11, 8],
        [0, 0],
      ],
    },
    {
      scores: [
        [11, 8],
        [0, 1],
      ],
    },
  )
  expect([winners(seen, 0), winners(seen, 1), sheetOf(seen, 1).missed]).toEqual([[1], [2], 0])
})

it('the server of a point is the one before it', () => {
  const seen = seenOf({ scores: [[3, 3]], playerServing: 1 }, { scores: [[3, 4]], playerServing: 2 })
  expect(sheetOf(seen, 0).points).toEqual([{ winner: 2, server: 1 }])
})

it('a correction removes its step from the course of the score', () => {
  const seen = seenOf({ score: [0, 0] }, { score: [1, 0] }, { score: [2, 0] }, { score: [2, 1] }, { score: [1, 1] })
  expect(scoreSteps(seen).map(({ side, score }) => [side, score])).toEqual([
    [1, [1, 0]],
    [2, [1, 1]],
  ])
})

it('a score is fresh for five seconds, until it is corrected', () => {
  const seen = seenOf({ score: [0, 0] }, { score: [1, 0] })
  expect(freshStep(seen, 5000)?.side).toBe(1)
  expect(freshStep(seen, 6000)).toBe(null)
  expect(freshStep(seenOf({ score: [0, 0] }, { score: [1, 0] }, { score: [0, 0] }), 2500)).toBe(null)
  expect(freshStep(seenOf({ score: [3, 2] }), 0)).toBe(null)
})

it('the longest run of each side', () => {
  expect(runs([1, 1, 2, 1, 1, 1])).toEqual([3, 1])
  expect(runs([])).toEqual([0, 0])
})

it('after a gap the course of the score begins again', () => {
  const seen = seenOf({ score: [0, 0] }, { score: [1, 0] })
  const match = aMatch({ score: [2, 0] })
  expect(scoreSteps(withSample(seen, match, 5000, true))).toEqual([])
  expect(freshStep(withSample(seen, match, 5000, true), 5000)).toBe(null)
  expect(scoreSteps(withSample(seen, { ...match, score: [1, 0] }, 5000, true)).length).toBe(1)
})
