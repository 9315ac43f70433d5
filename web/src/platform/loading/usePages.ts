/** A list that the server sends in pages, newest first. */
import { type RefObject, useEffect, useRef, useState } from 'react'

export interface Page<Item> {
  readonly items: readonly Item[]
  /** The cursor of the next page, with older items; null on the last page. */
  readonly next: string | null
}

interface Held<Item> extends Page<Item> {
  /** The list that the items belong to. */
  readonly key: string | null
  readonly status: 'loading' | 'ready' | 'failed'
  /** How many of the items were added in front of the first page. */
  readonly added: number
  /** Whether new items could not be loaded. */
  readonly isStale: boolean
}

export interface Pages<Item> extends Held<Item> {
  /** Loads the next page, or the failed one again. */
  readonly more: () => void
  /** Loads the first page again and puts its new items in front. The others stay. */
  readonly refresh: (isEqual: (a: Item, b: Item) => boolean) => void
}

type FetchPage<Item> = (cursor: string | null, signal: AbortSignal) => Promise<Page<Item>>

/**
 * Loads the list of `key` page by page; for null nothing. Another key starts again. An error for which `isHandled` is
 * true changes nothing.
 */
export function usePages<Item>(
  key: string | null,
  fetchPage: FetchPage<Item>,
  isHandled: (error: unknown) => boolean = () => false,
): Pages<Item> {
  const start: Held<Item> = { key, status: 'loading', items: [], next: null, added: 0, isStale: false }
  const [held, setHeld] = useState(start)
  /** The latest calls for a page and for new items. Answers to earlier ones are ignored. */
  const paging = useRef<AbortController | null>(null)
  const refreshing = useRef<AbortController | null>(null)
  const pages = held.key === key ? held : start

  const ask = async (
    latest: RefObject<AbortController | null>,
    cursor: string | null,
    onPage: (page: Page<Item>) => void,
    failure: Partial<Held<Item>>,
  ) => {
    latest.current?.abort()
    const giveUp = new AbortController()
    latest.current = giveUp
    try {
      const page = await fetchPage(cursor, giveUp.signal)
      giveUp.signal.throwIfAborted()
      onPage(page)
    } catch (error) {
      if (!giveUp.signal.aborted && !isHandled(error)) {
        setHeld((now) => ({ ...now, ...failure }))
      }
    }
  }
  const load = (cursor: string | null) => {
    setHeld((now) => (cursor === null ? start : { ...now, status: 'loading' }))
    const add = ({ items, next }: Page<Item>) =>
      setHeld((now) => ({ ...now, status: 'ready', items: [...now.items, ...items], next }))
    void ask(paging, cursor, add, { status: 'failed' })
  }
  const refresh: Pages<Item>['refresh'] = (isEqual) => {
    const [first] = pages.items
    if (first === undefined) {
      load(null)
      return
    }
    const putInFront = ({ items }: Page<Item>) => {
      const count = items.findIndex((item) => isEqual(item, first))
      if (count === -1) {
        // More items are new than a page has.
        load(null)
        return
      }
      setHeld((now) => ({
        ...now,
        items: [...items.slice(0, count), ...now.items],
        added: now.added + count,
        isStale: false,
      }))
    }
    void ask(refreshing, null, putInFront, { isStale: true })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: starts again only for another list.
  useEffect(() => {
    if (key !== null) {
      load(null)
    }
    return () => {
      paging.current?.abort()
      refreshing.current?.abort()
    }
  }, [key])
  return { ...pages, more: () => load(pages.next), refresh }
}
