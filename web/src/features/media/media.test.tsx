import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { readAddress } from '../../api/mediaApi'
import { lowDataTurned } from '../../platform/preferences/preferencesSlice'
import { aMatch, anOffer, aSport } from '../../testing/builders'
import { renderWithProviders, storeWith } from '../../testing/renderWithProviders'
import { widen } from '../../testing/viewport'
import { secondsBehind } from './behind'
import { readFieldName } from './fieldName'
import { MediaPanels } from './MediaPanels'
import { type Player, type PlayerEvents, playsNatively, startPlayer } from './player'

vi.mock('./player', async (original) => ({ ...(await original<object>()), startPlayer: vi.fn() }))

const fetched = vi.fn<typeof fetch>()
const MATCH = aMatch({ id: 17 })
const MESSAGE = { kind: 'kvota-tracker', matchId: 17, field: 'Teren 2' }

beforeEach(() => {
  vi.stubGlobal('fetch', fetched.mockReset())
  widen(1440)
})

afterEach(() => {
  vi.unstubAllGlobals()
})

function show(
  answers: { scoreboard?: [number, unknown?]; stream?: [number, unknown?] } = {},
  fields: Parameters<typeof aMatch>[0] = {},
) {
  const { scoreboard = [200, { data: '/scoreboard/17' }], stream = [204] } = answers
  fetched.mockImplementation(async (input) => {
    const [status, body] = String(input).includes('scoreboard') ? scoreboard : stream
    return new Response(body === undefined ? null : JSON.stringify(body), { status })
  })
  return renderWithProviders(<MediaPanels matchId={17} />, {
    store: storeWith(anOffer([aSport({ matches: [{ ...MATCH, ...fields }] })])),
  })
}

const frame = async () => (await screen.findByTitle('Semafor i statistika')) as HTMLIFrameElement

const strip = () => screen.getByRole('button', { name: /Semafor i statistika/ })

describe('the scoreboard', () => {
  it('is a frame of its own page, with language and width in its address', async () => {
    show()
    const { src, width } = await frame()
    expect(src.replace(location.origin, '')).toBe('/scoreboard/17?lang=hr&width=530')
    expect(width).toBe('530')
    expect(fetched.mock.calls.map(([input]) => input)).toContain('/api/v1/live/scoreboard?eventId=17')
  })

  it('has another address only where the breakpoint is crossed', async () => {
    show()
    const before = (await frame()).src
    act(() => widen(1366))
    expect((await frame()).src).toBe(before)
    act(() => widen(1364))
    expect((await frame()).src.replace(location.origin, '')).toBe('/scoreboard/17?lang=hr&width=355&tabs=0')
  })

  it('stands beside the stream on the widest of screens too', async () => {
    widen(1920)
    show({ stream: [200, { data: '/demo/live.m3u8' }] })
    expect((await frame()).src.replace(location.origin, '')).toBe('/scoreboard/17?lang=hr&width=530')
    expect(screen.queryByRole('tab')).toBe(null)
    expect(screen.getByRole('region', { name: 'Prijenos' })).toBeTruthy()
  })

  it('of a provider has its own tabs', async () => {
    widen(1200)
    show({ scoreboard: [200, { data: 'https://tracker.example/17?a=b' }], stream: [500] })
    expect((await frame()).src).toBe('https://tracker.example/17?a=b&lang=hr&width=355')
    expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual(['Statistika', 'Prijenos'])
  })

  it('says where there is none', async () => {
    show({ scoreboard: [404, {}] })
    expect(await screen.findByText('Semafor trenutačno nije dostupan.')).toBeTruthy()
    expect(document.querySelector('iframe')).toBe(null)
  })

  it('is asked for again where the call failed', async () => {
    show({ scoreboard: [500, {}] })
    const again = await screen.findByRole('button', { name: 'Pokušaj ponovno' })
    fetched.mockImplementation(async () => new Response(JSON.stringify({ data: '/scoreboard/17' })))
    await userEvent.click(again)
    expect(await frame()).toBeTruthy()
  })

  it.each(['javascript:alert(1)', 'http://elsewhere.example/', 'data:text/html,x', 'blob:x'])(
    '%s is no address',
    (data) => {
      expect(() => readAddress({ data }, 'https://kvota.example/')).toThrow(TypeError)
    },
  )

  it('names the first tab, and no other page does', async () => {
    widen(1200)
    show()
    const contentWindow = { postMessage: vi.fn() } as unknown as Window
    Object.defineProperty(await frame(), 'contentWindow', { value: contentWindow })
    const post = (source: Window | null, origin: string, data: unknown) =>
      act(() => void window.dispatchEvent(new MessageEvent('message', { source, origin, data } as MessageEventInit)))
    await post(window, location.origin, MESSAGE)
    await post(contentWindow, 'https://elsewhere.example', MESSAGE)
    await post(contentWindow, location.origin, { ...MESSAGE, matchId: 18 })
    expect(screen.queryByRole('tab', { name: 'Teren 2' })).toBe(null)
    await post(contentWindow, location.origin, MESSAGE)
    expect(screen.getByRole('tab', { name: 'Teren 2' })).toBeTruthy()
  })

  it.each([null, 5, {}, { ...MESSAGE, field: 1 }])('does not read %j', (raw) => {
    expect(readFieldName(raw, 17)).toBe(null)
  })

  it('reads no more than a short name', () => {
    expect(readFieldName({ ...MESSAGE, field: 'x'.repeat(1000) }, 17)).toHaveLength(60)
  })
})

describe('the folded panel', () => {
  it.each([1024, 390])('loads nothing at %i px until it is opened, and stays open', async (width) => {
    widen(width)
    const { store } = show()
    expect(strip().getAttribute('aria-expanded')).toBe('false')
    expect(fetched).not.toHaveBeenCalled()
    await userEvent.click(strip())
    expect((await frame()).src.replace(location.origin, '')).toBe('/scoreboard/17?lang=hr&width=355&tabs=0')
    expect(strip().getAttribute('aria-expanded')).toBe('true')
    expect(store.getState().preferences.panel).toBe(true)
    await userEvent.click(strip())
    expect(document.querySelector('iframe')).toBe(null)
  })

  it('shows what the score consists of, and whether there is a stream', () => {
    widen(390)
    show({}, { status: 'second_half', scores: [[1, 0]], performEventId: 5 })
    expect(strip().textContent).toBe('Semafor i statistikaPrijenosPV 1:0')
  })

  it('with low data is folded on every screen', async () => {
    const { store } = show()
    await frame()
    act(() => {
      store.dispatch(lowDataTurned(true))
    })
    expect([strip().getAttribute('aria-expanded'), document.querySelector('iframe')]).toEqual(['false', null])
  })

  it('has no strip where it has room beside the markets', async () => {
    widen(1200)
    show()
    await frame()
    expect(screen.queryByRole('button', { name: /Semafor i statistika/ })).toBe(null)
  })
})

describe('the stream', () => {
  const started = vi.mocked(startPlayer)
  let events: PlayerEvents
  const stop = vi.fn()
  const player: Player = { position: () => ({ takenMs: Date.now() - 6200, toEdge: null }), stop }

  beforeEach(() => {
    stop.mockReset()
    started.mockReset().mockImplementation(async (_, __, told) => {
      events = told
      return player
    })
    vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue()
    // The clock is stopped, so that the delay of the stream does not depend on the speed of the test.
    vi.useFakeTimers({ toFake: ['Date'] })
  })
  afterEach(() => vi.useRealTimers())

  const found: [number, unknown] = [200, { data: '/demo/live.m3u8', type: 'hls' }]
  const video = () => screen.getByLabelText('Prijenos: Dinamo Zagreb – Hajduk Split') as HTMLVideoElement

  it('is fetched when it is wanted, plays without sound, and says how far it is behind', async () => {
    show({ stream: found })
    const play = await screen.findByRole('button', { name: 'Pokreni prijenos' })
    expect(started).not.toHaveBeenCalled()
    await userEvent.click(play)
    expect(started.mock.calls[0]?.[1].pathname).toBe('/demo/live.m3u8')
    expect(screen.getByText('Učitavanje…')).toBeTruthy()
    expect(video().muted).toBe(true)
    fireEvent.playing(video())
    expect(await screen.findByText('Uživo, kasni oko 6 s')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Uključi zvuk' }))
    expect(screen.getByRole('button', { name: 'Isključi zvuk' })).toBeTruthy()
  })

  it('says that it failed, lets go of it, and tries again', async () => {
    show({ stream: found })
    await userEvent.click(await screen.findByRole('button', { name: 'Pokreni prijenos' }))
    await waitFor(() => expect(events).toBeTruthy())
    act(() => events.onFailed())
    expect(screen.getByText('Prijenos se ne može prikazati.')).toBeTruthy()
    expect(stop).toHaveBeenCalledTimes(1)
    await userEvent.click(screen.getByRole('button', { name: 'Pokušaj ponovno' }))
    expect(started).toHaveBeenCalledTimes(2)
  })

  it('that the browser does not let play can be asked for once more', async () => {
    show({ stream: found })
    const play = vi
      .spyOn(HTMLMediaElement.prototype, 'play')
      .mockRejectedValueOnce(new DOMException('', 'NotAllowedError'))
    await userEvent.click(await screen.findByRole('button', { name: 'Pokreni prijenos' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Pokreni prijenos' }))
    expect(play).toHaveBeenCalledTimes(2)
  })

  it.each([1440, 1200, 390])('has neither a panel nor a tab where there is none, at %i px', async (width) => {
    widen(width)
    show()
    if (width === 390) {
      await userEvent.click(strip())
    }
    await frame()
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Prijenos' })).toBe(null))
    await waitFor(() => expect(screen.queryByRole('tab', { name: 'Prijenos' })).toBe(null))
    expect(screen.getAllByRole('region').length).toBe(1)
  })

  it('that is a sample does not claim to be live', async () => {
    show({ stream: found }, { performEventType: 'demo' })
    await userEvent.click(await screen.findByRole('button', { name: 'Pokreni prijenos' }))
    act(() => video().dispatchEvent(new Event('playing')))
    expect(await screen.findByText('Ogledni video')).toBeTruthy()
    expect(screen.queryByText(/Uživo/)).toBe(null)
  })

  it('is the fourth tab of the panel below 1365 px', async () => {
    widen(1200)
    show({ stream: found })
    await frame()
    const tabs = screen.getAllByRole('tab')
    expect(tabs.map((tab) => tab.textContent)).toEqual(['Teren', 'Statistika', 'Tijek', 'Prijenos'])
    await userEvent.click(screen.getByRole('tab', { name: 'Prijenos' }))
    expect(await screen.findByRole('button', { name: 'Pokreni prijenos' })).toBeTruthy()
    // The scoreboard stays mounted behind the stream.
    expect(document.querySelector('iframe')).not.toBe(null)
  })

  it.each([
    [{ takenMs: 1000, toEdge: 3 }, 7400, 6],
    [{ takenMs: 9000, toEdge: null }, 7400, 0],
    [{ takenMs: null, toEdge: 3.6 }, 0, 4],
    [{ takenMs: null, toEdge: null }, 0, null],
    [{ takenMs: 0, toEdge: null }, 5_000_000, null],
  ])('%j is behind at %d by %s s', (position, now, seconds) => {
    expect(secondsBehind(position, now)).toBe(seconds)
  })

  it('is left to the browser where that tells its dates, or has no other way', () => {
    const element = (type: string, more: object = {}) =>
      Object.assign(document.createElement('video'), { canPlayType: () => type, ...more }) as HTMLVideoElement
    vi.stubGlobal('MediaSource', class {})
    expect(playsNatively(element('maybe', { getStartDate: () => new Date() }))).toBe(true)
    expect(playsNatively(element('maybe'))).toBe(false)
    expect(playsNatively(element(''))).toBe(false)
    vi.unstubAllGlobals()
    Reflect.deleteProperty(window, 'MediaSource')
    expect(playsNatively(element('maybe'))).toBe(true)
  })
})
