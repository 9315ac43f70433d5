import { act, renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useLoaded } from './useLoaded'

interface Call {
  readonly of: string
  readonly signal: AbortSignal
  readonly answer: (value: string) => Promise<void>
  readonly fail: () => Promise<void>
}

/** Loads the thing named `of`, for null nothing; the test answers the calls. */
function use(of: string | null, stays = false) {
  const calls: Call[] = []
  const load = (name: string) => (signal: AbortSignal) =>
    new Promise<string>((resolve, reject) => {
      calls.push({
        of: name,
        signal,
        answer: (value) => act(async () => resolve(value)),
        fail: () => act(async () => reject(new Error('failed'))),
      })
    })
  const { result, rerender, unmount } = renderHook(
    ({ name }) => useLoaded(name === null ? null : load(name), [name], { stays }),
    { initialProps: { name: of } },
  )
  return { calls, result, unmount, turnTo: (name: string | null) => rerender({ name }) }
}

const ready = (value: string) => ({ status: 'ready', value })

test('a value is loaded, and can be changed', async () => {
  const { calls, result } = use('a')
  expect(result.current.loaded).toEqual({ status: 'loading' })
  await calls[0]?.answer('A')
  expect(result.current.loaded).toEqual(ready('A'))
  act(() => result.current.change((value) => `${value}B`))
  expect(result.current.loaded).toEqual(ready('AB'))
  expect(calls).toHaveLength(1)
})

test('after a failure it can be loaded again', async () => {
  const { calls, result } = use('a')
  await calls[0]?.fail()
  expect(result.current.loaded).toEqual({ status: 'failed' })
  act(() => result.current.again())
  expect(result.current.loaded).toEqual({ status: 'loading' })
  await calls[1]?.answer('A')
  expect(result.current.loaded).toEqual(ready('A'))
})

test('another thing replaces it, and the answer for the earlier one is ignored', async () => {
  const { calls, result, turnTo } = use('a')
  turnTo('b')
  await calls[0]?.answer('A')
  expect([result.current.loaded, calls[0]?.signal.aborted]).toEqual([{ status: 'loading' }, true])
  await calls[1]?.answer('B')
  expect(result.current.loaded).toEqual(ready('B'))
  turnTo('c')
  expect(result.current.loaded).toEqual({ status: 'loading' })
  await calls[2]?.fail()
  expect(result.current.loaded).toEqual({ status: 'failed' })
})

test('a value that stays is shown until the next one, also if that fails', async () => {
  const { calls, result, turnTo } = use('a', true)
  await calls[0]?.answer('A')
  turnTo('b')
  expect(result.current.loaded).toEqual(ready('A'))
  await calls[1]?.fail()
  expect(result.current.loaded).toEqual(ready('A'))
  turnTo('c')
  await calls[2]?.answer('C')
  expect(result.current.loaded).toEqual(ready('C'))
})

test('nothing is loaded until there is something to load', () => {
  const { calls, result, turnTo, unmount } = use(null)
  expect([result.current.loaded, calls]).toEqual([{ status: 'loading' }, []])
  turnTo('a')
  expect(calls.map(({ of }) => of)).toEqual(['a'])
  unmount()
  expect(calls[0]?.signal.aborted).toBe(true)
})
