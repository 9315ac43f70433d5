/**
 * Derived values that keep what did not change: a list built anew whose parts say the same as before is, part by part,
 * the list of before.
 */

/** `next`, with every part of it that equals the part of `previous` in its place taken from there. */
export function share<T>(previous: unknown, next: T): T {
  if (Object.is(previous, next)) {
    return next
  }
  if (Array.isArray(next)) {
    return (Array.isArray(previous) ? shareArray(previous, next) : next) as T
  }
  if (isPlain(next) && isPlain(previous)) {
    return shareObject(previous, next) as T
  }
  return next
}

function shareArray(previous: readonly unknown[], next: readonly unknown[]): readonly unknown[] {
  const shared = next.map((part, index) => share(previous[index], part))
  const same = shared.length === previous.length && shared.every((part, index) => Object.is(part, previous[index]))
  return same ? previous : shared
}

function shareObject(previous: Plain, next: Plain): Plain {
  const shared: Record<string, unknown> = {}
  let same = Object.keys(previous).length === Object.keys(next).length
  for (const [key, part] of Object.entries(next)) {
    shared[key] = share(previous[key], part)
    same &&= Object.is(shared[key], previous[key])
  }
  return same ? previous : shared
}

type Plain = Readonly<Record<string, unknown>>

function isPlain(value: unknown): value is Plain {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}

/** A function that remembers its last call: the same arguments give the same result, others share what they can. */
export function remember<Arguments extends readonly unknown[], Result>(
  build: (...args: Arguments) => Result,
): (...args: Arguments) => Result {
  let last: { args: Arguments; result: Result } | null = null
  return (...args) => {
    if (last?.args.every((argument, index) => Object.is(argument, args[index]))) {
      return last.result
    }
    const result = share(last?.result, build(...args))
    last = { args, result }
    return result
  }
}
