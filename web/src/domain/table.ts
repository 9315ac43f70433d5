/**
 * A persistent table: rows by id, distributed over shards. Copying an object of ten thousand rows for each new price
 * would take milliseconds; copying one shard takes almost nothing. All other objects stay the same, so components see
 * by identity that their row did not change.
 */
export interface Table<T extends Row> {
  readonly size: number
  /** Indexed by the hash of the id. Each shard is short enough for a linear search. */
  readonly shards: readonly (readonly T[])[]
}

export interface Row {
  readonly id: number
}

/** New rows by id; null deletes a row. */
export type TableChanges<T> = readonly (readonly [id: number, row: T | null])[]

const SHARD_BITS = 10

const EMPTY: Table<never> = { size: 0, shards: Array<readonly never[]>(1 << SHARD_BITS).fill([]) }

export function emptyTable<T extends Row>(): Table<T> {
  return EMPTY
}

/** Distributes ids evenly, even if all are multiples of some number (Knuth's multiplicative hash). */
function shardOf(id: number): number {
  return Math.imul(id % 2 ** 32, 2_654_435_761) >>> (32 - SHARD_BITS)
}

export function lookup<T extends Row>(table: Table<T>, id: number): T | undefined {
  return table.shards[shardOf(id)]?.find((row) => row.id === id)
}

/** All rows, in no particular order. */
export function allRows<T extends Row>(table: Table<T>): T[] {
  return table.shards.flat()
}

/** The table with the changes applied; the same table if there are none. */
export function withChanges<T extends Row>(table: Table<T>, changes: TableChanges<T>): Table<T> {
  if (changes.length === 0) {
    return table
  }
  const shards = [...table.shards]
  const copied = new Map<number, T[]>()
  let { size } = table
  for (const [id, row] of changes) {
    const place = shardOf(id)
    let shard = copied.get(place)
    if (!shard) {
      shard = [...(shards[place] ?? [])]
      copied.set(place, shard)
      shards[place] = shard
    }
    size += change(shard, id, row)
  }
  return { size, shards }
}

/** Changes a row of a shard. Returns the change in the number of rows. */
function change<T extends Row>(shard: T[], id: number, row: T | null): number {
  const held = shard.findIndex((other) => other.id === id)
  if (held < 0) {
    if (row === null) {
      return 0
    }
    shard.push(row)
    return 1
  }
  if (row === null) {
    shard.splice(held, 1)
    return -1
  }
  shard[held] = row
  return 0
}

export function tableOf<T extends Row>(rows: Iterable<T>): Table<T> {
  return withChanges(
    emptyTable<T>(),
    Array.from(rows, (row) => [row.id, row] as const),
  )
}

/** Collects changes of a table. The original table is not modified. */
export class TableDraft<T extends Row> {
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

  /** All rows, with the changes applied. */
  rows(): T[] {
    return allRows(withChanges(this.#base, this.changes()))
  }

  changes(): TableChanges<T> {
    return [...this.#changed]
  }
}
