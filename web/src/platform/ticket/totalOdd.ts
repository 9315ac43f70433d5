import { formatOdd } from '../../domain/oddsFormat'

/** Formats the total odd. It is cut to thousandths first, so later decimals do not affect the rounding. */
export function formatTotalOdd(totalOdd: string): string {
  const [whole = '0', decimals = ''] = totalOdd.split('.')
  return formatOdd(Number(whole + decimals.slice(0, 3).padEnd(3, '0')), 'decimal')
}
