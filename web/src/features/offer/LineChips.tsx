import { type KeyboardEvent, useLayoutEffect, useRef } from 'react'
import { flushSync } from 'react-dom'
import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { GridCell } from '../../components/Grid'
import { Icon } from '../../components/Icon'
import type { MarketId, MatchId, SportId } from '../../domain/offer'
import { remember } from '../../domain/sharing'
import { useTranslation } from '../../i18n/useTranslation'
import { selectLines } from '../../platform/offer/lineSelectors'
import { selectColumn, selectHasDetail, selectMarket, selectMatch } from '../../platform/offer/offerSelectors'
import type { ColumnSlot } from '../../platform/preferences/preferencesSlice'
import { lineChooserTurned, lineChosen } from '../../platform/view/viewSlice'
import styles from './LineChips.module.css'
import { focusMatch } from './useToggleHidden'

export interface LineChipsProps {
  matchId: MatchId
  sportId: SportId
  slot: ColumnSlot
  /** The market that the row shows. */
  marketId: MarketId
  /** The cell of this row that is in the tab order, if it is in this row. */
  tabStop: string | null
}

/** Only one row has them at a time. */
const sameLines = remember((lines: ReturnType<typeof selectLines>) => lines)

/** The other lines of a row's market. A press shows the odds of that line in the row. */
export function LineChips({ matchId, sportId, slot, marketId, tabStop }: LineChipsProps) {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const lines = useAppSelector((state) => {
    const match = selectMatch(state, matchId)
    const column = selectColumn(state, sportId, slot)
    return sameLines(match && column ? selectLines(state, match, column) : [])
  })
  const type = useAppSelector((state) => selectMarket(state, marketId)?.type)
  const isKnown = useAppSelector((state) => selectHasDetail(state, matchId))
  const strip = useRef<HTMLDivElement>(null)
  const place = lines.findIndex((line) => line.marketId === marketId)
  const others = lines.filter((line) => line.marketId !== marketId)

  // The neighbours of the shown line come first into view.
  useLayoutEffect(() => {
    const [box, next] = [strip.current, strip.current?.children[Math.max(0, place - 1)]]
    if (box && next instanceof HTMLElement) {
      box.scrollLeft = next.offsetLeft - box.offsetLeft
    }
  }, [place])

  const close = (change: () => unknown) => {
    flushSync(change)
    focusMatch(matchId, `line-${slot}`)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.stopPropagation()
      close(() => dispatch(lineChooserTurned(null)))
    }
  }
  if (others.length === 0) {
    return (
      <GridCell className={styles.none} aria-busy={!isKnown}>
        {isKnown ? t('linesNone') : '…'}
      </GridCell>
    )
  }
  return (
    <div className={styles.chips} ref={strip}>
      {others.map(({ marketId: id, sbv, text, isBalanced, isSuspended }) => {
        const cell = `line-${slot}-${sbv}`
        return (
          <GridCell key={id} className={styles.cell}>
            <button
              type="button"
              className={styles.chip}
              data-cell={cell}
              data-balanced={isBalanced || undefined}
              data-suspended={isSuspended || undefined}
              title={isBalanced ? t('mainLine') : undefined}
              tabIndex={tabStop === cell ? 0 : -1}
              onKeyDown={onKeyDown}
              onClick={() =>
                type !== undefined && close(() => dispatch(lineChosen({ matchId, type, sbv: isBalanced ? null : sbv })))
              }
            >
              <span>{text}</span>
              {isSuspended && <Icon name="lock" className={styles.lock} />}
              {isSuspended && <span className="vh">{`, ${t('oddLocked')}`}</span>}
            </button>
          </GridCell>
        )
      })}
    </div>
  )
}
