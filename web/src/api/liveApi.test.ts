import { encode } from '@msgpack/msgpack'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fetchMatch, fetchOffer } from './liveApi'
import { ApiError } from './request'
import { fetchTranslations, hubUrl } from './startApi'

const fetched = vi.fn<typeof fetch>()

beforeEach(() => {
  vi.stubGlobal('fetch', fetched.mockReset())
})

afterEach(() => {
  vi.unstubAllGlobals()
})

function answer(status: number, body: BodyInit | null = null) {
  fetched.mockResolvedValue(new Response(body, { status }))
}

const MATCH = [17, 'first_half', 'A', 'B', true, 0, [], 0, [1, 0], [], 1, 'Nogomet', 600]

describe('the offer', () => {
  it('is asked for in msgpack, rows only, and read', async () => {
    answer(200, encode([[[1, 'Nogomet', 1, [MATCH], [], null]], 1, 1_000_000, 7]).slice())
    const offer = await fetchOffer('sr')
    expect(fetched).toHaveBeenCalledWith(
      '/api/v1/live/offer?view=rows&lang=sr',
      expect.objectContaining({ headers: { accept: 'application/msgpack' }, credentials: 'same-origin' }),
    )
    expect(offer?.sports[0]?.matches[0]).toMatchObject({ id: 17, clock: { kind: 'running', zeroMs: 400_000 } })
  })

  it('may not be there', async () => {
    answer(204)
    expect(await fetchOffer('hr')).toBe(null)
  })
})

describe('a match', () => {
  it('has its clock as of the answer', async () => {
    answer(200, encode([MATCH, 2_000_000]).slice())
    expect((await fetchMatch(17, 'hr'))?.clock).toEqual({ kind: 'running', zeroMs: 1_400_000 })
    expect(fetched.mock.calls[0]?.[0]).toBe('/api/v1/live/match/17?lang=hr')
  })

  it('may not be there', async () => {
    answer(404, '{"message": "no such match"}')
    expect(await fetchMatch(17, 'hr')).toBe(null)
  })
})

it('texts are read key by key', async () => {
  answer(200, '{"hide": "Sakrij"}')
  expect(await fetchTranslations('hr')).toEqual({ hide: 'Sakrij' })
})

describe('a failure', () => {
  it.each([
    [400, '{"modelState": {"error": ["Neispravan ulog", 7]}}', 'refused', ['Neispravan ulog']],
    [401, '', 'unauthorised', []],
    [403, 'null', 'refused', []],
    [429, '{}', 'tooMany', []],
    [500, '<html>', 'server', []],
    [503, '{"message": "not ready"}', 'server', []],
  ])('of status %i', async (status, body, failure, reasons) => {
    answer(status, body)
    await expect(fetchOffer('hr')).rejects.toMatchObject({ name: 'ApiError', failure, status, reasons })
  })

  it('without an answer is one of the network', async () => {
    fetched.mockRejectedValue(new TypeError('failed to fetch'))
    await expect(fetchOffer('hr')).rejects.toMatchObject({ failure: 'network', status: 0 })
  })

  it.each([
    ['cut off', Uint8Array.of(0x93)],
    ['no offer', encode([[[1, 'Nogomet', 1, [['x']]]]]).slice()],
    ['nothing', Uint8Array.of()],
  ])('of a body that is %s', async (_, body) => {
    answer(200, body)
    await expect(fetchOffer('hr')).rejects.toMatchObject({ failure: 'malformed' })
  })

  it.each(['[1', '["text"]', '{"a": 1}', 'null'])('of texts that are none: %s', async (body) => {
    answer(200, body)
    await expect(fetchTranslations('hr')).rejects.toEqual(new ApiError('malformed', 200))
  })

  it('is none of a call given up', async () => {
    const giveUp = new AbortController()
    fetched.mockImplementation(() => {
      giveUp.abort()
      return Promise.reject(new DOMException('aborted', 'AbortError'))
    })
    await expect(fetchOffer('hr', giveUp.signal)).rejects.toMatchObject({ name: 'AbortError' })
  })
})

it.each([
  ['http:', 'ws://kvota.test:8080/api/v1/live/hub?lang=bs'],
  ['https:', 'wss://kvota.test:8080/api/v1/live/hub?lang=bs'],
])('the hub of a page of %s is %s', (protocol, expected) => {
  expect(hubUrl('bs', { protocol, host: 'kvota.test:8080' })).toBe(expected)
})
