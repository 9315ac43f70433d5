import { encode } from '@msgpack/msgpack'
import { expect, test, vi } from 'vitest'
import { startingWith } from './liveApi'

const bytes = (value: unknown) => Promise.resolve(new Uint8Array(encode(value)).buffer)

test('the early offer answers the first call alone', async () => {
  const later = vi.fn(async () => null)
  const fetchOffer = startingWith({ language: 'hr', body: bytes([[], 0, null, 7]) }, later, () => 1000)
  expect((await fetchOffer('hr'))?.sports).toEqual([])
  expect(later).not.toHaveBeenCalled()
  await fetchOffer('hr')
  expect(later).toHaveBeenCalledTimes(1)
})

test.each([
  ['in another language', 'en', bytes([[], 0, null, 7]), 1000],
  ['that is old', 'hr', bytes([[], 0, null, 7]), 20_000],
  ['that failed', 'hr', Promise.resolve(null), 1000],
  ['that is malformed', 'hr', bytes('offer'), 1000],
])('an early offer %s is fetched again', async (_, language, body, now) => {
  const later = vi.fn(async () => null)
  await startingWith({ language: 'hr', body }, later, () => now)(language)
  expect(later).toHaveBeenCalledTimes(1)
})
