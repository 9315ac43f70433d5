/**
 * A persistent table: rows by id, spread over shards. Copying an object of ten thousand rows for every price that moves
 * costs milliseconds; copying the one shard a row lies in costs microseconds, and everything else stays the very
 * same object, so that whoever shows a row sees at once that it did not change.
 */
export interface Table<T> {
  readonly size: number
  readonly shards: readonly (Shard<T> | null)[]
}

type Shard<T> = Readonly<Record<number, T>>

/** New rows by id; null takes a row away. */
export type TableChanges<T> = readonly (readonly [id: number, row: T | null])[]

const SHARDS = 128

const EMPTY: Table<never> = { size: 0, shards: Array<null>(SHARDS).fill(null) }

export function emptyTable<T>(): Table<T> {
  return EMPTY
}

export function lookup<T>(table: Table<T>, id: number): T | undefined {
  return table.shards[id % SHARDS]?.[id]
}

/** All rows, in no order that means anything. */
export function allRows<T>(table: Table<T>): T[] {
  const rows: T[] = []
  for (const shard of table.shards) {
    if (shard) {
      for (const row of Object.values(shard)) {
        rows.push(row)
      }
    }
  }
  return rows
}

/** The table with the changes made; the same table where there are none. */
export function withChanges<T>(table: Table<T>, changes: TableChanges<T>): Table<T> {
  if (changes.length === 0) {
    return table
  }
  const shards = [...table.shards]
  const copied = new Map<number, Record<number, T>>()
  let { size } = table
  for (const [id, row] of changes) {
    const place = id % SHARDS
    let shard = copied.get(place)
    if (!shard) {
      shard = { ...shards[place] }
      copied.set(place, shard)
      shards[place] = shard
    }
    const held = shard[id] !== undefined
    if (row !== null) {
      shard[id] = row
      size += held ? 0 : 1
    } else if (held) {
      delete shard[id]
      size -= 1
    }
  }
  return { size, shards }
}

export function tableOf<T extends { readonly id: number }>(rows: Iterable<T>): Table<T> {
  return withChanges(
    emptyTable<T>(),
    Array.from(rows, (row) => [row.id, row] as const),
  )
}

/** Changes under construction over a table that stays as it is. */
export class TableDraft<T> {
  readonly #base: Table<T>
  readonly #changed = new Map<number, T | null>()

  constructor(base: Table<T>) {
    this.#base = base
  }

  get(id: number): T | undefined {
    const changed = this.#changed.get(id)
    return changed === undefined ? lookup(this.#base, id) : (changed ?? undefined)
  }

  set(id: number, row: T): void {
    if (this.get(id) !== row) {
      this.#changed.set(id, row)
    }
  }

  delete(id: number): void {
    if (this.get(id) !== undefined) {
      this.#changed.set(id, null)
    }
  }

  /** All rows as they are with the changes. */
  rows(): T[] {
    return allRows(withChanges(this.#base, this.changes()))
  }

  changes(): TableChanges<T> {
    return [...this.#changed]
  }
}
