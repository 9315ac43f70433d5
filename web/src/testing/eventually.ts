import { vi } from 'vitest'

/** Long enough for a busy machine, and shorter than the limit of a test. */
export const WITHIN_MS = 20_000

/** Waits until a check passes; what it returns. */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: WITHIN_MS })
}
