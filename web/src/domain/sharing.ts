/**
 * Structural sharing for derived values: the parts of a new value that equal the old ones are replaced by the old
 * objects, so that comparison by identity sees no change.
 */

/** `next`, with each part that equals the part of `previous` at the same position replaced by it. */
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

/**
 * Memoises the last call. With the same arguments it returns the same result; a new result shares parts with the old.
 */
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
