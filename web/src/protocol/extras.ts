/**
 * The facts of HISTORY (docs/protocol.md, FACT): what the tracker of one sport shows beyond score and incidents. Each
 * topic is optional, and without it its marks are absent. The drawing of a sport reads the numbers of its own topics.
 */
import type { Side } from '../domain/offer'

/** The protocol numbers the topics from 1. */
const TOPICS = [
  'attack',
  'scores',
  'short',
  'timeouts',
  'rallies',
  'games',
  'bases',
  'batters',
  'table',
  'breaks',
  'visits',
  'overs',
  'balls',
  'control',
  'penalties',
  'shots',
  'periodEnd',
] as const
type Topic = (typeof TOPICS)[number]

/** The numbers of each topic, as the server sends them. */
export type Extras = Readonly<Partial<Record<Topic, readonly number[]>>>

export const NO_EXTRAS: Extras = {}

const FACTS_MAX = 20
const NUMBERS_MAX = 480

/** Reads the facts. Unknown topics and invalid facts are skipped. */
export function readExtras(raw: unknown): Extras {
  const extras: Partial<Record<Topic, readonly number[]>> = {}
  for (const fact of Array.isArray(raw) ? raw.slice(0, FACTS_MAX) : []) {
    if (!Array.isArray(fact) || fact.length > NUMBERS_MAX + 1 || !fact.every(Number.isSafeInteger)) {
      continue
    }
    const [number, ...numbers] = fact as number[]
    const topic = TOPICS[(number ?? 0) - 1]
    if (topic) {
      extras[topic] = numbers
    }
  }
  return extras
}

/** The records of a topic, `size` numbers each; an incomplete one at the end is left out. */
export function records(numbers: readonly number[] | undefined, size: number): (readonly number[])[] {
  const count = Math.floor((numbers?.length ?? 0) / size)
  return Array.from({ length: count }, (_, at) => numbers?.slice(at * size, (at + 1) * size) ?? [])
}

/** The numbers between the zeros, as those of each set. */
export function parts(numbers: readonly number[]): number[][] {
  const list: number[][] = [[]]
  for (const number of numbers) {
    if (number === 0) {
      list.push([])
    } else {
      list.at(-1)?.push(number)
    }
  }
  return list
}

export function asSide(number: number | undefined): Side | 0 {
  return number === 1 || number === 2 ? number : 0
}
