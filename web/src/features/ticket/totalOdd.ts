import { formatOdd } from '../../domain/oddsFormat'

/** The total odd as it is shown. Thousandths decide: what lies beyond them never changes the way it is rounded. */
export function formatTotalOdd(totalOdd: string): string {
  const [whole = '0', decimals = ''] = totalOdd.split('.')
  return formatOdd(Number(whole + decimals.slice(0, 3).padEnd(3, '0')), 'decimal')
}
