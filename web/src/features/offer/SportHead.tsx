import { memo } from 'react'
import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { answerFirst } from '../../components/answerFirst'
import { cx } from '../../components/cx'
import { Icon } from '../../components/Icon'
import { IconButton } from '../../components/IconButton'
import { Listbox } from '../../components/Listbox'
import { Pill } from '../../components/Pill'
import type { Screen } from '../../components/useScreen'
import type { SportId } from '../../domain/offer'
import { sportClass } from '../../domain/sportClass'
import { useTranslation } from '../../i18n/useTranslation'
import { selectColumn, selectColumns, selectFieldLabels, selectSport } from '../../platform/offer/offerSelectors'
import { scoreLayout } from '../../platform/offer/scoreLayout'
import { type ColumnSlot, columnChosen, SLOTS } from '../../platform/preferences/preferencesSlice'
import { sportToggled } from '../../platform/view/viewSlice'
import styles from './SportHead.module.css'

export interface SportHeadProps {
  sportId: SportId
  titleId: string
  matchCount: number
  collapsed: boolean
  screen: Screen
  /** How many sets of odds its rows show. */
  sets: number
  periods: number
  /** Whether there is no room for all periods: each row shows its last ones. */
  isCut: boolean
}

/** Memoised: the sport renders for each step of scrolling. */
export const SportHead = memo(function SportHead({
  sportId,
  titleId,
  matchCount,
  collapsed,
  screen,
  sets,
  periods,
  isCut,
}: SportHeadProps) {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const sport = useAppSelector((state) => selectSport(state, sportId))
  const name = sport?.name ?? ''
  return (
    <div className={styles.backdrop} data-sport-head="">
      <header className={cx(styles.head, collapsed && styles.collapsed)}>
        <div className={styles.title}>
          <span className={styles.tile}>
            <Icon name={sportClass(sportId)} />
          </span>
          <h2 className={styles.name} id={titleId}>
            {name}
          </h2>
          <Pill>{matchCount}</Pill>
          <IconButton
            label={t(collapsed ? 'expandSport' : 'collapseSport', { sport: name })}
            icon={collapsed ? 'chevronRight' : 'chevronDown'}
            iconSize="s"
            className={styles.toggle}
            aria-expanded={!collapsed}
            onClick={(event) => answerFirst(event.currentTarget, () => dispatch(sportToggled(sportId)))}
          />
        </div>
        {!collapsed && (
          <>
            {screen !== 'phone' && <ScoreLabels sportId={sportId} periods={periods} isCut={isCut} />}
            {SLOTS.slice(0, sets).map((slot) => (
              <SetHead key={slot} sportId={sportId} slot={slot} showFields={screen !== 'phone'} />
            ))}
          </>
        )}
      </header>
    </div>
  )
})

/** What the figures of a score are; each row says so itself to screen readers. */
function ScoreLabels({ sportId, periods, isCut }: { sportId: SportId; periods: number; isCut: boolean }) {
  const { t } = useTranslation()
  const layout = scoreLayout(sportId)
  return (
    <div className={styles.scoreLabels} aria-hidden="true">
      {layout.cards && (
        <>
          <span title={t('redCards')}>
            <i className={styles.redCard} />
          </span>
          <span title={t('yellowCards')}>
            <i className={styles.yellowCard} />
          </span>
          <span title={t('corners')}>
            <Icon name="flag" className={styles.flag} />
          </span>
        </>
      )}
      {Array.from({ length: periods }, (_, period) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a period is its place.
        <span key={period}>{layout.legs ? t('scoreSets') : isCut ? null : period + 1}</span>
      ))}
      <span>{t(layout.total)}</span>
      {layout.game === 'beside' && <span>{t(layout.beside)}</span>}
    </div>
  )
}

const SLOT_TEXTS = { 0: 'firstColumn', 1: 'secondColumn', 2: 'thirdColumn' } as const

/** The selector of a set of odds above the headings of its odds. */
function SetHead({ sportId, slot, showFields }: { sportId: SportId; slot: ColumnSlot; showFields: boolean }) {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const columns = useAppSelector((state) => selectColumns(state, sportId))
  const column = useAppSelector((state) => selectColumn(state, sportId, slot))
  const labels = useAppSelector((state) => column && selectFieldLabels(state, sportId, column))
  if (!column) {
    return <div className={styles.set} />
  }
  const hasLine = column.markets.some((market) => market.format)
  return (
    <div className={styles.set}>
      <Listbox
        className={styles.chooser}
        label={t(SLOT_TEXTS[slot])}
        options={columns.map(({ order, name }) => ({ value: order, text: name ?? '' }))}
        value={column.order}
        onChange={(order) => dispatch(columnChosen({ sportId, slot, order }))}
      />
      {showFields && (
        <div className={styles.fields} aria-hidden="true">
          {hasLine && <span className={styles.line} />}
          {column.fields.map((field, place) => (
            <span key={field} className={styles.field} title={labels?.[place]}>
              {labels?.[place]}
            </span>
          ))}
        </div>
      )}
    </div>
  )
}
