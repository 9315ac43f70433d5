/** Readers for untrusted values. Each returns a value of its type or throws `MalformedError`. */

export class MalformedError extends Error {
  override readonly name = 'MalformedError'
}

export type Reader<T> = (raw: unknown) => T

export function array(raw: unknown): readonly unknown[] {
  return Array.isArray(raw) ? raw : fail('an array', raw)
}

export function record(raw: unknown): Readonly<Record<string, unknown>> {
  const isRecord = typeof raw === 'object' && raw !== null && !Array.isArray(raw)
  return isRecord ? (raw as Record<string, unknown>) : fail('an object', raw)
}

export function integer(raw: unknown): number {
  return Number.isSafeInteger(raw) ? (raw as number) : fail('an integer', raw)
}

/** An unsigned integer: an id, a revision, a count. */
export function id(raw: unknown): number {
  const number = integer(raw)
  return number >= 0 ? number : fail('an unsigned integer', raw)
}

/** Milliseconds since the epoch. */
export const instant: Reader<number> = integer

export function bool(raw: unknown): boolean {
  return typeof raw === 'boolean' ? raw : fail('a flag', raw)
}

export function text(raw: unknown): string {
  return typeof raw === 'string' ? raw : fail('a text', raw)
}

/** A text, or a number converted to text; null if the value is absent. */
export function textOrNumber(raw: unknown): string | null {
  if (raw === null || raw === undefined) {
    return null
  }
  return typeof raw === 'number' ? String(raw) : text(raw)
}

/** Accepts null and undefined too, and returns null for them. */
export function optional<T>(reader: Reader<T>): Reader<T | null> {
  return (raw) => (raw === null || raw === undefined ? null : reader(raw))
}

export function listOf<T>(reader: Reader<T>): Reader<T[]> {
  return (raw) => array(raw).map(reader)
}

/** The elements in pairs. Throws if their number is odd. */
export function* pairs(raw: readonly unknown[]): Generator<readonly [unknown, unknown]> {
  if (raw.length % 2 !== 0) {
    fail('pairs', raw)
  }
  for (let index = 0; index < raw.length; index += 2) {
    yield [raw[index], raw[index + 1]]
  }
}

/** An amount or an odd as the text of an exact decimal: `10.00`. */
export function decimal(raw: unknown): string {
  return typeof raw === 'string' && /^\d+(\.\d+)?$/.test(raw) ? raw : fail('a decimal', raw)
}

/** One of the listed values. */
export function oneOf<const Word extends string | number>(...words: readonly Word[]): Reader<Word> {
  return (raw) => words.find((word) => word === raw) ?? fail(`one of ${words.join()}`, raw)
}

export function fail(expected: string, raw: unknown): never {
  throw new MalformedError(`expected ${expected}, got ${raw === null ? 'null' : typeof raw}`)
}
