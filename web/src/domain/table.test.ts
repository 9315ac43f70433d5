import fc from 'fast-check'
import { expect, it } from 'vitest'
import { allRows, emptyTable, lookup, TableDraft, tableOf, withChanges } from './table'

interface Counted {
  readonly id: number
  readonly count: number
}

const id = fc.nat(300)
const change = fc
  .tuple(id, fc.option(fc.nat()))
  .map(([id, count]) => [id, count === null ? null : { id, count }] as const)

const sorted = (rows: readonly Counted[]) => [...rows].sort((a, b) => a.id - b.id)

it('a table holds what a map would, whatever changes', () => {
  fc.assert(
    fc.property(fc.array(fc.array(change)), (rounds) => {
      const map = new Map<number, Counted>()
      let table = emptyTable<Counted>()
      for (const round of rounds) {
        table = withChanges(table, round)
        for (const [key, row] of round) {
          if (row === null) {
            map.delete(key)
          } else {
            map.set(key, row)
          }
        }
      }
      expect(table.size).toBe(map.size)
      expect(sorted(allRows(table))).toEqual(sorted([...map.values()]))
      for (let key = 0; key <= 300; key += 1) {
        expect(lookup(table, key)).toBe(map.get(key))
      }
    }),
  )
})

it('a draft reads what was written and leaves its table as it is', () => {
  fc.assert(
    fc.property(fc.array(change), fc.array(change), (before, writes) => {
      const table = withChanges(emptyTable<Counted>(), before)
      const rows = allRows(table)
      const draft = new TableDraft(table)
      let expected = table
      for (const write of writes) {
        const [key, row] = write
        if (row === null) {
          draft.delete(key)
        } else {
          draft.set(key, row)
        }
        expected = withChanges(expected, [write])
        expect(draft.get(key)).toBe(lookup(expected, key))
      }
      expect(sorted(allRows(withChanges(table, draft.changes())))).toEqual(sorted(allRows(expected)))
      expect(sorted(draft.rows())).toEqual(sorted(allRows(expected)))
      expect(allRows(table)).toEqual(rows)
    }),
  )
})

it('ids are spread, whatever they are multiples of', () => {
  for (const step of [1, 2, 10, 64, 1000, 1024, 2 ** 20, 2 ** 32 + 8]) {
    const table = tableOf(Array.from({ length: 4096 }, (_, place) => ({ id: place * step })))
    expect(Math.max(...table.shards.map((shard) => shard.length))).toBeLessThan(32)
  }
})

it('without a change a table is the very same', () => {
  const table = tableOf([{ id: 1 }])
  expect(withChanges(table, [])).toBe(table)
  const draft = new TableDraft(table)
  const row = lookup(table, 1)
  if (row) {
    draft.set(1, row)
  }
  draft.delete(2)
  expect(draft.changes()).toEqual([])
})

it('ids may be as large as a number can count', () => {
  const table = tableOf([{ id: Number.MAX_SAFE_INTEGER }])
  expect(lookup(table, Number.MAX_SAFE_INTEGER)).toEqual({ id: Number.MAX_SAFE_INTEGER })
})
