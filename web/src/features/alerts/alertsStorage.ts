/** Reads and saves the alerts. The stored text may come from another version, so what is invalid is left out. */
import {
  ALERT_KINDS,
  ALERT_MATCHES_MAX,
  type AlertsState,
  NO_ALERTS,
  PRICE_ALERTS_MAX,
  type PriceAlert,
} from '../../platform/alerts/alertsSlice'

const KEY = 'cn-alerts'

export type Kept = Pick<Storage, 'getItem' | 'setItem'>

export function loadAlerts(storage: Kept): AlertsState {
  try {
    const { matches, prices }: { matches?: unknown; prices?: unknown } = JSON.parse(storage.getItem(KEY) ?? '{}')
    return {
      matches: Object.fromEntries(
        Object.entries(matches ?? {})
          .map(
            ([id, kinds]) => [id, ALERT_KINDS.filter((kind) => Array.isArray(kinds) && kinds.includes(kind))] as const,
          )
          .filter(([id, kinds]) => /^\d+$/.test(id) && kinds.length > 0)
          .slice(-ALERT_MATCHES_MAX),
      ),
      prices: Array.isArray(prices) ? prices.filter(isPriceAlert).slice(-PRICE_ALERTS_MAX) : [],
    }
  } catch {
    return NO_ALERTS
  }
}

export function saveAlerts(storage: Kept, alerts: AlertsState): void {
  try {
    storage.setItem(KEY, JSON.stringify(alerts))
  } catch {
    // Storage full or forbidden: they are kept only as long as the page is open.
  }
}

function isPriceAlert(value: Partial<PriceAlert> | null): value is PriceAlert {
  return (
    typeof value === 'object' &&
    value !== null &&
    [value.matchId, value.oddId, value.target].every(Number.isSafeInteger) &&
    typeof value.rises === 'boolean'
  )
}
