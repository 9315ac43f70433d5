import { flushSync } from 'react-dom'
import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { Button } from '../../components/Button'
import { Icon } from '../../components/Icon'
import { IconButton } from '../../components/IconButton'
import { sportClass } from '../../domain/sportClass'
import { useTranslation } from '../../i18n/useTranslation'
import { selectSportSummaries } from '../offer/offerSelectors'
import { sportOrderSet } from './preferencesSlice'
import styles from './SportOrder.module.css'

/** The sports with buttons that move them, for the rail and the preferences. */
export function SportOrder() {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const sports = useAppSelector(selectSportSummaries)
  const order = useAppSelector((state) => state.preferences.sportOrder)
  const ids = sports.map(({ id }) => id)
  const move = (button: HTMLElement, place: number, step: 1 | -1) => {
    if (place + step < 0 || place + step >= sports.length) {
      return
    }
    const moved = [...ids]
    const [id] = moved.splice(place, 1)
    if (id !== undefined) {
      moved.splice(place + step, 0, id)
      // Sports that are not in the offer now keep their place after these.
      flushSync(() => dispatch(sportOrderSet([...moved, ...order.filter((other) => !ids.includes(other))])))
      // An element that is moved in the document loses the focus.
      button.focus()
    }
  }
  return (
    <>
      <ul className={styles.list} aria-label={t('sportOrder')}>
        {sports.map(({ id, name }, place) => (
          <li key={id} className={styles.sport} data-sport={sportClass(id)}>
            <Icon name={sportClass(id)} className={styles.icon} />
            <span className={styles.name}>{name}</span>
            <IconButton
              label={t('sportUp', { sport: name ?? '' })}
              icon="up"
              iconSize="s"
              className={styles.move}
              aria-disabled={place === 0}
              onClick={(event) => move(event.currentTarget, place, -1)}
            />
            <IconButton
              label={t('sportDown', { sport: name ?? '' })}
              icon="down"
              iconSize="s"
              className={styles.move}
              aria-disabled={place === sports.length - 1}
              onClick={(event) => move(event.currentTarget, place, 1)}
            />
          </li>
        ))}
      </ul>
      {order.length > 0 && (
        <Button look="quiet" className={styles.reset} onClick={() => dispatch(sportOrderSet([]))}>
          {t('sportOrderReset')}
        </Button>
      )}
    </>
  )
}
