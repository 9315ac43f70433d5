import { describe, expect, it, vi } from 'vitest'
import { type ShellWorld, startShell } from './shellWorker'

class FakeContainer extends EventTarget {
  controller: ServiceWorker | null = null
  readonly update = vi.fn(async () => undefined)
  readonly register = vi.fn(async () => ({ update: this.update }) as unknown as ServiceWorkerRegistration)
}

function start(isCurrent: boolean, container = new FakeContainer()) {
  const [onOld, visit, isOf] = [vi.fn(), vi.fn(), vi.fn(async () => isCurrent)]
  const world = { container: container as unknown as ShellWorld['container'], entry: '/assets/main-1.js', isOf }
  return { container, onOld, visit, isOf, shell: startShell(world, onOld, visit) }
}

const turn = () => new Promise((resolve) => setTimeout(resolve))

describe('a worker that takes over', () => {
  it('makes a page of another version an old one', async () => {
    const { container, onOld, isOf } = start(false)
    container.controller = {} as ServiceWorker
    container.dispatchEvent(new Event('controllerchange'))
    await turn()
    expect(isOf).toHaveBeenCalledWith(container.controller, '/assets/main-1.js')
    expect(onOld).toHaveBeenCalledTimes(1)
  })

  it('says nothing to a page of its own version', async () => {
    const { container, onOld } = start(true)
    container.controller = {} as ServiceWorker
    container.dispatchEvent(new Event('controllerchange'))
    await turn()
    expect(onOld).not.toHaveBeenCalled()
  })
})

it('a notification that was pressed leads the page to its match', () => {
  const { container, visit } = start(true)
  container.dispatchEvent(new MessageEvent('message', { data: { visit: '/?match=17' } }))
  container.dispatchEvent(new MessageEvent('message', { data: 'something else' }))
  expect(visit.mock.calls).toEqual([['/?match=17']])
})

it('a new version is looked for when it is told to, and no more once it is stopped', async () => {
  const { container, shell, onOld } = start(false)
  await turn()
  shell.update()
  expect(container.update).toHaveBeenCalledTimes(1)
  shell.stop()
  container.controller = {} as ServiceWorker
  container.dispatchEvent(new Event('controllerchange'))
  await turn()
  expect(onOld).not.toHaveBeenCalled()
})

it('a browser that forbids it has a client that works without', async () => {
  const container = new FakeContainer()
  container.register.mockRejectedValue(new DOMException('forbidden', 'SecurityError'))
  const { shell } = start(true, container)
  await turn()
  expect(() => shell.update()).not.toThrow()
})
