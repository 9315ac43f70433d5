import { act, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ErrorBoundary } from './ErrorBoundary'
import { later } from './later'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Waits until loading has finished, including all pauses before further attempts. */
const pass = () => act(() => vi.advanceTimersByTimeAsync(10_000))

const Hello = ({ name }: { name: string }) => <p>hello {name}</p>

describe('a part that comes later', () => {
  it('shows what waits for it, then itself, and from then on itself at once', async () => {
    const load = vi.fn(async () => Hello)
    const Part = later(load, () => <p>waiting</p>)
    const { unmount } = render(<Part name="Ana" />)
    expect(screen.getByText('waiting')).toBeTruthy()
    await pass()
    expect(screen.getByText('hello Ana')).toBeTruthy()
    unmount()
    render(<Part name="Iva" />)
    expect(screen.getByText('hello Iva')).toBeTruthy()
    expect(load).toHaveBeenCalledTimes(1)
  })

  it('is asked for again when it does not come', async () => {
    let tries = 0
    const Part = later(async () => {
      tries += 1
      if (tries < 3) {
        throw new Error('offline')
      }
      return Hello
    })
    render(<Part name="Ana" />)
    await pass()
    expect(screen.getByText('hello Ana')).toBeTruthy()
  })

  it('fails for the boundary around it, and is asked for once more when it is shown again', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    let isOffline = true
    const Part = later(async () => {
      if (isOffline) {
        throw new Error('offline')
      }
      return Hello
    })
    const { unmount } = render(
      <ErrorBoundary fallback={<p>failed</p>}>
        <Part name="Ana" />
      </ErrorBoundary>,
    )
    await pass()
    expect(screen.getByText('failed')).toBeTruthy()
    unmount()
    isOffline = false
    render(<Part name="Ana" />)
    await pass()
    expect(screen.getByText('hello Ana')).toBeTruthy()
  })
})
