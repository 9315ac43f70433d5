/** The prices that an alert can be set for: rounder the higher they are. All in thousandths. */
const STEPS: readonly (readonly [below: number, step: number])[] = [
  [2000, 50],
  [5000, 100],
  [10_000, 250],
  [30_000, 1000],
  [Number.POSITIVE_INFINITY, 5000],
]

const LOWEST = 1050
const HIGHEST = 1_000_000

/** The next price above or below another. */
export function nextPrice(price: number, by: 1 | -1): number {
  const at = by === 1 ? price : price - 1
  const step = STEPS.find(([below]) => at < below)?.[1] ?? 0
  const next = by === 1 ? Math.floor(price / step) * step + step : Math.ceil(price / step) * step - step
  return Math.min(HIGHEST, Math.max(LOWEST, next))
}
