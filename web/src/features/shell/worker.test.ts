import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import { beforeEach, describe, expect, it, vi } from 'vitest'

const ORIGIN = 'https://kvota.example'

type Client = ReturnType<typeof aClient>

function aClient(path: string, frameType: 'top-level' | 'nested' = 'top-level') {
  return { url: ORIGIN + path, frameType, focus: vi.fn(async () => undefined), postMessage: vi.fn() }
}

const listeners = new Map<string, (event: object) => void>()
const openWindow = vi.fn(async () => undefined)
let clients: Client[] = []

beforeEach(() => {
  openWindow.mockClear()
  const self = {
    __SHELL__: { version: '1', files: ['/'] },
    location: { origin: ORIGIN },
    clients: { matchAll: async () => clients, openWindow },
    addEventListener: (name: string, listener: (event: object) => void) => listeners.set(name, listener),
  }
  runInNewContext(readFileSync('worker/sw.js', 'utf8'), { self, URL })
})

/** Clicks the notification of a goal. */
async function press(): Promise<void> {
  let done: Promise<void> = Promise.resolve()
  const event = {
    notification: { close: () => undefined, data: { href: '/?match=17' } },
    waitUntil: (work: Promise<void>) => {
      done = work
    },
  }
  listeners.get('notificationclick')?.(event)
  await done
}

describe('a notification that is pressed', () => {
  it('leads the open page to the match, whatever frame in it had the focus last', async () => {
    const page = aClient('/?match=18')
    clients = [aClient('/scoreboard/18?lang=hr&width=530', 'nested'), aClient('/api/docs'), page]
    await press()
    expect(page.focus).toHaveBeenCalledTimes(1)
    expect(page.postMessage).toHaveBeenCalledWith({ visit: `${ORIGIN}/?match=17` })
    expect(openWindow).not.toHaveBeenCalled()
  })

  it('opens one where there is none', async () => {
    clients = [aClient('/api/docs')]
    await press()
    expect(openWindow).toHaveBeenCalledWith(`${ORIGIN}/?match=17`)
  })
})
