import { useId } from 'react'
import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { cx } from '../../components/cx'
import { IconButton } from '../../components/IconButton'
import { Popover } from '../../components/Popover'
import { formatOdd } from '../../domain/oddsFormat'
import type { Match, MatchId } from '../../domain/offer'
import { useTranslation } from '../../i18n/useTranslation'
import {
  type AlertKind,
  alertTurned,
  type PriceAlert,
  priceAlertDropped,
  selectAlertKinds,
  selectAlerts,
} from '../../platform/alerts/alertsSlice'
import { useNotePermission } from '../../platform/notices/useNotePermission'
import { titleOf } from '../../platform/offer/marketTitle'
import { oddLabel } from '../../platform/offer/oddLabel'
import { selectMarket, selectMatch, selectOdd } from '../../platform/offer/offerSelectors'
import { selectOddsFormat } from '../../platform/preferences/preferencesSelectors'
import styles from './AlertBell.module.css'
import { alertName, kindsOf } from './alertEvents'

/** The button of a match's alerts, with their panel. Setting the first one asks for the browser's permission. */
export function AlertBell({ matchId }: { matchId: MatchId }) {
  const { t } = useTranslation()
  const match = useAppSelector((state) => selectMatch(state, matchId))
  const isSet = useAppSelector(
    (state) =>
      selectAlertKinds(state, matchId).length > 0 ||
      selectAlerts(state).prices.some((price) => price.matchId === matchId),
  )
  if (!match) {
    return null
  }
  return (
    <Popover
      className={styles.anchor}
      label={t('alerts')}
      trigger={(props) => (
        <IconButton
          {...props}
          className={cx(styles.bell, isSet && styles.set)}
          label={t(isSet ? 'alertsSet' : 'alerts')}
          icon="bell"
        />
      )}
    >
      <Panel match={match} />
    </Popover>
  )
}

function Panel({ match }: { match: Match }) {
  const { t } = useTranslation()
  const [permission, ask] = useNotePermission()
  const all = useAppSelector((state) => selectAlerts(state).prices)
  const prices = all.filter(({ matchId }) => matchId === match.id)
  return (
    <div className={styles.panel}>
      <h2 className={styles.title}>{t('alerts')}</h2>
      {kindsOf(match).map((kind) => (
        <Switch key={kind} match={match} kind={kind} onSet={ask} />
      ))}
      {prices.map((price) => (
        <Price key={price.oddId} price={price} />
      ))}
      <p className={styles.hint}>{t('alertsPriceHint')}</p>
      <p className={styles.hint}>
        {t(permission === 'granted' ? 'alertsGranted' : permission === 'denied' ? 'alertsDenied' : 'alertsAsk')}
      </p>
    </div>
  )
}

function Switch({ match, kind, onSet }: { match: Match; kind: AlertKind; onSet: () => Promise<unknown> }) {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const isOn = useAppSelector((state) => selectAlertKinds(state, match.id).includes(kind))
  const id = useId()
  return (
    <div className={styles.row}>
      <label className={styles.label} htmlFor={id}>
        {t(alertName(kind, match.sportId))}
      </label>
      <input
        id={id}
        className={styles.check}
        type="checkbox"
        checked={isOn}
        onChange={(event) => {
          const turned = event.currentTarget.checked
          dispatch(alertTurned({ matchId: match.id, kind, isOn: turned }))
          if (turned) {
            void onSet()
          }
        }}
      />
    </div>
  )
}

function Price({ price: { oddId, target } }: { price: PriceAlert }) {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const format = useAppSelector(selectOddsFormat)
  const odd = useAppSelector((state) => selectOdd(state, oddId))
  const market = useAppSelector((state) => odd && selectMarket(state, odd.marketId))
  const name = odd && market ? `${oddLabel(odd)}, ${titleOf(market, [odd])}` : ''
  const text = [t('alertPrice', { odd: formatOdd(target, format) }), name].filter(Boolean).join(': ')
  return (
    <div className={styles.row}>
      <span className={styles.label}>{text}</span>
      <IconButton
        label={t('alertRemove', { alert: text })}
        icon="close"
        iconSize="s"
        onClick={() => dispatch(priceAlertDropped(oddId))}
      />
    </div>
  )
}
