/** A thing that a component loads from the server while it is shown. */
import { useCallback, useEffect, useState } from 'react'

export type Loaded<Value> =
  | { readonly status: 'loading' }
  | { readonly status: 'failed' }
  | { readonly status: 'ready'; readonly value: Value }

const LOADING = { status: 'loading' } as const
const FAILED = { status: 'failed' } as const

export interface Loading<Value> {
  readonly loaded: Loaded<Value>
  /** Loads it again after a failure. */
  readonly again: () => void
  /** Changes what was loaded. */
  readonly change: (next: (value: Value) => Value) => void
}

/**
 * Loads a value, and loads again when an element of `of` changes. The old value is dropped at once, unless it `stays`:
 * then it is kept until the new one is loaded, and also if that fails. Without `load` nothing is loaded.
 */
export function useLoaded<Value>(
  load: ((signal: AbortSignal) => Promise<Value>) | null,
  of: readonly unknown[],
  { stays = false } = {},
): Loading<Value> {
  const [loaded, setLoaded] = useState<Loaded<Value>>(LOADING)
  const [attempt, setAttempt] = useState(0)
  const change: Loading<Value>['change'] = (next) =>
    setLoaded((held) => (held.status === 'ready' ? { status: 'ready', value: next(held.value) } : held))
  // biome-ignore lint/correctness/useExhaustiveDependencies: the caller says what it depends on.
  useEffect(() => {
    setLoaded((held) => (stays && held.status === 'ready' ? held : LOADING))
    const giveUp = new AbortController()
    load?.(giveUp.signal).then(
      (value) => giveUp.signal.aborted || setLoaded({ status: 'ready', value }),
      () => giveUp.signal.aborted || setLoaded((held) => (held.status === 'ready' ? held : FAILED)),
    )
    return () => giveUp.abort()
  }, [...of, attempt])
  return { loaded, again: useCallback(() => setAttempt((number) => number + 1), []), change }
}
