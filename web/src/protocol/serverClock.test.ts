import { expect, test } from 'vitest'
import { ServerClock } from './serverClock'

const HOUR = 3_600_000

/** A computer whose clock shows 10,000,000 ms. The server is 5 s ahead; the feed's dates are 800 ms old. */
function aMachine() {
  const at = { ours: 10_000_000, server: 10_005_000, steady: 1000 }
  const clock = new ServerClock({ now: () => at.ours, steady: () => at.steady })
  clock.told(at.server)
  return {
    clock,
    passes: (ms: number) => Object.assign(at, { ours: at.ours + ms, server: at.server + ms, steady: at.steady + ms }),
    sleeps: (ms: number) => Object.assign(at, { ours: at.ours + ms, server: at.server + ms }),
    isSet: (ms: number) => Object.assign(at, { ours: at.ours + ms }),
    check: () => clock.check(at.server - 800),
    error: () => at.ours + clock.offsetMs - at.server,
  }
}

test.each([HOUR, -HOUR, 5000, -5000])(
  'a clock that is set by %i ms shows the server’s time with the next change',
  (by) => {
    const machine = aMachine()
    machine.passes(60_000)
    machine.isSet(by)
    expect(machine.check()).toBe(true)
    expect(machine.error()).toBe(0)
    machine.passes(1000)
    expect(machine.check()).toBe(false)
  },
)

test('a machine that slept keeps its offset, and is set right when it is set later', () => {
  const machine = aMachine()
  machine.sleeps(HOUR)
  expect([machine.check(), machine.error()]).toEqual([false, 0])
  machine.isSet(-HOUR)
  expect([machine.check(), machine.error()]).toEqual([true, 0])
})

test('where nothing is set nothing changes, however old the dates are', () => {
  const machine = aMachine()
  for (const old of [0, 1000, 60_000]) {
    machine.passes(1000)
    expect(machine.clock.check(10_005_000 - old)).toBe(false)
  }
  expect(machine.error()).toBe(0)
})

test('a hello says it anew', () => {
  const machine = aMachine()
  machine.isSet(HOUR)
  machine.clock.told(10_005_000)
  expect(machine.error()).toBe(0)
  expect(machine.check()).toBe(false)
})
