import { act, renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { type Page, usePages } from './usePages'

interface Call {
  readonly cursor: string | null
  readonly signal: AbortSignal
  readonly answer: (page: Page<string>) => Promise<void>
  readonly fail: (error?: string) => Promise<void>
}

/** Uses the pages of `key`; the test answers the calls. The error "handled" is handled. */
function use(key: string | null) {
  const calls: Call[] = []
  const fetchPage = (cursor: string | null, signal: AbortSignal) =>
    new Promise<Page<string>>((resolve, reject) => {
      calls.push({
        cursor,
        signal,
        answer: (page) => act(async () => resolve(page)),
        fail: (error = 'failed') => act(async () => reject(error)),
      })
    })
  const { result, rerender, unmount } = renderHook(
    ({ of }) => usePages<string>(of, fetchPage, (error) => error === 'handled'),
    { initialProps: { of: key } },
  )
  const shown = () => [result.current.status, result.current.items.join('')]
  const more = () => act(() => result.current.more())
  const refresh = () => act(() => result.current.refresh((a, b) => a === b))
  return { calls, result, shown, more, refresh, unmount, turnTo: (of: string | null) => rerender({ of }) }
}

const page = (items: string, next: string | null = null): Page<string> => ({ items: items.split(''), next })

test('pages follow each other by their cursors', async () => {
  const { calls, result, shown, more } = use('a')
  expect(shown()).toEqual(['loading', ''])
  await calls[0]?.answer(page('54', 'older'))
  expect([shown(), result.current.next]).toEqual([['ready', '54'], 'older'])
  more()
  expect(shown()).toEqual(['loading', '54'])
  await calls[1]?.answer(page('3'))
  expect([shown(), result.current.next]).toEqual([['ready', '543'], null])
  expect(calls.map(({ cursor }) => cursor)).toEqual([null, 'older'])
})

test('a failed page is loaded again, and the others stay', async () => {
  const { calls, shown, more } = use('a')
  await calls[0]?.answer(page('54', 'older'))
  more()
  await calls[1]?.fail()
  expect(shown()).toEqual(['failed', '54'])
  more()
  expect(calls[2]?.cursor).toBe('older')
})

test('a handled error changes nothing', async () => {
  const { calls, shown } = use('a')
  await calls[0]?.fail('handled')
  expect(shown()).toEqual(['loading', ''])
})

test('another list starts again, and the answer for the earlier one is ignored', async () => {
  const { calls, shown, turnTo } = use('a')
  turnTo('b')
  await calls[0]?.answer(page('5'))
  expect([shown(), calls[0]?.signal.aborted]).toEqual([['loading', ''], true])
  await calls[1]?.answer(page('9'))
  expect(shown()).toEqual(['ready', '9'])
})

test('without a list nothing is loaded, and a page that is gone gives up its call', () => {
  const { calls, turnTo, unmount } = use(null)
  expect(calls).toEqual([])
  turnTo('a')
  unmount()
  expect(calls[0]?.signal.aborted).toBe(true)
})

test.each([
  ['new items come in front', page('765', 'older'), ['ready', '7654'], 2],
  ['no new items change nothing', page('54', 'older'), ['ready', '54'], 0],
  ['more new items than a page has start again', page('98', 'older'), ['loading', ''], 0],
])('at a refresh %s', async (_, answer, expected, added) => {
  const { calls, result, shown, refresh } = use('a')
  await calls[0]?.answer(page('54', 'older'))
  refresh()
  await calls[1]?.answer(answer)
  expect([shown(), result.current.added]).toEqual([expected, added])
})

test('a failed refresh is reported until the next one', async () => {
  const { calls, result, shown, refresh } = use('a')
  await calls[0]?.answer(page('54'))
  refresh()
  await calls[1]?.fail()
  expect([shown(), result.current.isStale]).toEqual([['ready', '54'], true])
  refresh()
  await calls[2]?.answer(page('54'))
  expect(result.current.isStale).toBe(false)
})
