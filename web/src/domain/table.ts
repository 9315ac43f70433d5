/**
 * A persistent table: rows by id, spread over shards. Copying an object of ten thousand rows for every price that moves
 * costs milliseconds; copying the one shard a row lies in costs next to nothing, and everything else stays the very
 * same object, so that whoever shows a row sees at once that it did not change.
 */
export interface Table<T extends Row> {
  readonly size: number
  /** By the hash of the id; each so short that looking through it is as good as any index. */
  readonly shards: readonly (readonly T[])[]
}

export interface Row {
  readonly id: number
}

/** New rows by id; null takes a row away. */
export type TableChanges<T> = readonly (readonly [id: number, row: T | null])[]

const SHARD_BITS = 10

const EMPTY: Table<never> = { size: 0, shards: Array<readonly never[]>(1 << SHARD_BITS).fill([]) }

export function emptyTable<T extends Row>(): Table<T> {
  return EMPTY
}

/** Spread well whatever the ids are multiples of (Knuth's multiplicative hash). */
function shardOf(id: number): number {
  return Math.imul(id % 2 ** 32, 2_654_435_761) >>> (32 - SHARD_BITS)
}

export function lookup<T extends Row>(table: Table<T>, id: number): T | undefined {
  return table.shards[shardOf(id)]?.find((row) => row.id === id)
}

/** All rows, in no order that means anything. */
export function allRows<T extends Row>(table: Table<T>): T[] {
  return table.shards.flat()
}

/** The table with the changes made; the same table where there are none. */
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

/** Changes a row of a shard; returns by how much the shard has grown. */
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

/** Changes under construction over a table that stays as it is. */
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

  /** All rows as they are with the changes. */
  rows(): T[] {
    return allRows(withChanges(this.#base, this.changes()))
  }

  changes(): TableChanges<T> {
    return [...this.#changed]
  }
}
