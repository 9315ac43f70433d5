import { useId } from 'react'
import { useAppDispatch } from '../../app/hooks'
import type { SystemCombination } from '../../domain/ticket/ticket'
import { useTranslation } from '../../i18n/useTranslation'
import { wished } from '../../platform/ticket/ticketSlice'
import styles from './Combinations.module.css'

export interface CombinationsProps {
  combinations: readonly SystemCombination[]
  selected: number | null
  free: number
  fixed: number
}

/** The choice of combinations of a system ticket. Pairs marked as fix are not part of it. */
export function Combinations({ combinations, selected, free, fixed }: CombinationsProps) {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const name = useId()
  const pairs = t('pairCount', { count: free })
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>
        <span>{t('combinations')}</span>
        <span className={styles.of}>{fixed > 0 ? `${t('fixCount', { count: fixed })} + ${pairs}` : pairs}</span>
      </legend>
      {combinations.length === 0 ? (
        <p className={styles.none}>{t('combinationsNeedPairs')}</p>
      ) : (
        <div className={styles.tiles}>
          {combinations.map(({ value, count }) => (
            <label key={value} className={styles.tile}>
              <input
                className={styles.input}
                type="radio"
                name={name}
                checked={value === selected}
                onChange={() => dispatch(wished({ wish: 'combination', k: value }))}
              />
              <span>{`${value}/${free}`}</span>
              <small className={styles.count}>{t('combinationShort', { count })}</small>
            </label>
          ))}
        </div>
      )}
    </fieldset>
  )
}
