import { useState } from 'react'
import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { Button } from '../../components/Button'
import { Icon } from '../../components/Icon'
import { formatOdd } from '../../domain/oddsFormat'
import type { MatchId, Odd } from '../../domain/offer'
import { useTranslation } from '../../i18n/useTranslation'
import { priceAlertDropped, priceAlertSet, selectPriceAlert } from '../../platform/alerts/alertsSlice'
import { useNotePermission } from '../../platform/notices/useNotePermission'
import { selectOddsFormat } from '../../platform/preferences/preferencesSelectors'
import styles from './PriceAlertRow.module.css'
import { nextPrice } from './priceSteps'

/** Sets an alert for a price of an odd. Setting it asks for the browser's permission. */
export function PriceAlertRow({ matchId, odd: { id, value } }: { matchId: MatchId; odd: Odd }) {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const format = useAppSelector(selectOddsFormat)
  const alert = useAppSelector((state) => selectPriceAlert(state, id))
  const [target, setTarget] = useState(() => nextPrice(value, 1))
  const [, ask] = useNotePermission()
  if (alert) {
    return (
      <div className={styles.row}>
        <Icon name="bell" size="s" className={styles.set} />
        <span className={styles.text}>{t('priceAlertIsSet', { odd: formatOdd(alert.target, format) })}</span>
        <Button look="text" className={styles.button} onClick={() => dispatch(priceAlertDropped(id))}>
          {t('priceAlertDrop')}
        </Button>
      </div>
    )
  }
  if (value === 0) {
    return null
  }
  const odd = formatOdd(target, format)
  const step = (by: 1 | -1) => {
    const next = nextPrice(target, by)
    setTarget(next === value ? nextPrice(next, by) : next)
  }
  return (
    <div className={styles.row}>
      <button type="button" className={styles.step} aria-label={t('priceAlertLower')} onClick={() => step(-1)}>
        <Icon name="minus" size="s" />
      </button>
      <button type="button" className={styles.step} aria-label={t('priceAlertHigher')} onClick={() => step(1)}>
        <Icon name="plus" size="s" />
      </button>
      <Button
        className={styles.button}
        onClick={() => {
          dispatch(priceAlertSet({ matchId, oddId: id, target, rises: target > value }))
          void ask()
        }}
      >
        <Icon name="bell" size="s" />
        <span>{t('priceAlert', { odd })}</span>
      </Button>
    </div>
  )
}
