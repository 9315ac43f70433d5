import { memo, useId, useMemo, useState } from 'react'
import { flushSync } from 'react-dom'
import { useAppDispatch, useAppSelector } from '../../app/hooks'
import type { RootState } from '../../app/store'
import { cx } from '../../components/cx'
import { Icon } from '../../components/Icon'
import { OddsButton } from '../../components/OddsButton'
import { Pill } from '../../components/Pill'
import { PinButton } from '../../components/PinButton'
import type { MatchId, OddId } from '../../domain/offer'
import { useTranslation } from '../../i18n/useTranslation'
import { marketTitle } from '../../platform/offer/marketTitle'
import { matchFacts, OfferGate } from '../../platform/offer/OfferGate'
import { type MarketGroup, selectMatch } from '../../platform/offer/offerSelectors'
import { useOddView } from '../../platform/offer/useOddView'
import { selectFavouriteMarkets } from '../../platform/preferences/preferencesSelectors'
import { favouriteMarketToggled } from '../../platform/preferences/preferencesSlice'
import { usePick } from '../../platform/ticket/usePick'
import { columnsFor, type GroupShape, groupShapeSelector, type Line, roomFor } from './groupShape'
import styles from './MarketCard.module.css'
import { SuspendedSign } from './SuspendedSign'

/** The most letters of a name that stay on one line beside the sign in a card of usual width. */
const LETTERS_BESIDE_SIGN = 18

/** The two markets of an MMA bout that differ only in what a draw means, by type. */
const DRAW_NOTES: Readonly<Record<number, 'marketDrawReturns' | 'marketDrawLoses'>> = {
  11701: 'marketDrawReturns',
  11702: 'marketDrawLoses',
}

export interface MarketCardProps {
  matchId: MatchId
  group: MarketGroup
}

/**
 * The markets of one kind: a row of odds, a grid, or a ladder of lines. Memoised, so that mounted cards do not render
 * again when more are mounted.
 */
export const MarketCard = memo(function MarketCard(props: MarketCardProps) {
  const { matchId, group } = props
  const facts = useMemo(
    () => (state: RootState) => matchFacts(state, matchId, group.marketIds),
    [matchId, group.marketIds],
  )
  return (
    <OfferGate facts={facts}>
      <Card {...props} />
    </OfferGate>
  )
})

function Card({ matchId, group }: MarketCardProps) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(true)
  const id = useId()
  const select = useMemo(() => groupShapeSelector(matchId, group.marketIds), [matchId, group.marketIds])
  const shape = useAppSelector(select)
  if (!shape) {
    return null
  }
  const drawNote = shape.isOfProvider ? undefined : DRAW_NOTES[group.type]
  const note = shape.note ?? (drawNote && t(drawNote))
  const only = shape.lines.length === 1 ? shape.lines[0] : undefined
  return (
    <section className={styles.card} data-market-group={group.key}>
      <div className={styles.top}>
        <h3 className={styles.title}>
          <button
            type="button"
            className={styles.head}
            aria-expanded={open}
            aria-controls={open ? id : undefined}
            onClick={() => setOpen(!open)}
          >
            <span className={styles.name}>
              <span>{group.name}</span>
              {only?.sbv && <span className={styles.only}>{` ${only.sbv}`}</span>}
            </span>
            {shape.isSuspended && (
              <SuspendedSign
                marketIds={shape.lines.map(({ marketId }) => marketId)}
                isTight={`${group.name ?? ''} ${only?.sbv ?? ''}`.length > LETTERS_BESIDE_SIGN}
                reason={shape.reason}
              />
            )}
            {!open && <Pill>{shape.lines.reduce((sum, line) => sum + line.oddIds.length, 0)}</Pill>}
            <Icon name={open ? 'chevronDown' : 'chevronRight'} size="s" className={styles.chevron} />
          </button>
        </h3>
        <Pin matchId={matchId} group={group} />
      </div>
      {open && (
        <div className={styles.body} id={id}>
          {shape.kind === 'ladder' ? (
            <Ladder matchId={matchId} marketName={group.name ?? ''} shape={shape} />
          ) : (
            shape.lines.map((line) => (
              <List
                key={line.marketId}
                matchId={matchId}
                marketName={group.name ?? ''}
                line={line}
                showsValue={line !== only}
              />
            ))
          )}
          {note && <p className={styles.note}>{note}</p>}
        </div>
      )}
    </section>
  )
}

/** Keeps the markets of this type first in every match of the sport. */
function Pin({ matchId, group }: MarketCardProps) {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const sportId = useAppSelector((state) => selectMatch(state, matchId)?.sportId ?? 0)
  const isFavourite = useAppSelector((state) => selectFavouriteMarkets(state, sportId).includes(group.type))
  return (
    <PinButton
      className={styles.pin}
      icon="star"
      isPressed={isFavourite}
      label={t('favouriteMarket', { market: group.name })}
      data-pin={group.key}
      onClick={() => {
        // The card moves in the document, which takes the focus away.
        flushSync(() => dispatch(favouriteMarketToggled({ sportId, type: group.type })))
        const pins = [...document.querySelectorAll<HTMLElement>('[data-pin]')]
        pins.find(({ dataset }) => dataset['pin'] === group.key)?.focus({ preventScroll: true })
      }}
    />
  )
}

interface LadderProps {
  matchId: MatchId
  marketName: string
  shape: GroupShape
}

function Ladder({ matchId, marketName, shape }: LadderProps) {
  const { t } = useTranslation()
  const values = t(shape.values)
  return (
    <>
      <div className={styles.headings} aria-hidden="true">
        <span className={styles.value}>{values}</span>
        {shape.headings.map((heading, place) => (
          <span key={shape.lines[0]?.oddIds[place]} className={styles.heading} title={heading}>
            {heading}
          </span>
        ))}
      </div>
      {shape.lines.map(({ marketId, sbv, balanced, oddIds }) => (
        <div key={marketId} className={cx(styles.line, balanced && styles.balanced)} data-market-id={marketId}>
          <span className={styles.value}>
            <span>{sbv}</span>
            {balanced && <i className={styles.dot} title={t('mainLine')} />}
            {balanced && <span className="vh">{`, ${t('mainLine')}`}</span>}
          </span>
          {oddIds.map((oddId, place) => (
            <Slot
              key={oddId ?? shape.lines[0]?.oddIds[place]}
              matchId={matchId}
              oddId={oddId}
              label={shape.headings[place]}
              spoken={`${marketName}, ${values} ${sbv}`}
            />
          ))}
        </div>
      ))}
    </>
  )
}

interface ListProps {
  matchId: MatchId
  marketName: string
  line: Line
  /** Whether the value of the line is shown above it; otherwise it is in the title. */
  showsValue: boolean
}

function List({ matchId, marketName, line, showsValue }: ListProps) {
  const columns = columnsFor(line.oddIds.length)
  return (
    <>
      {showsValue && line.sbv && <p className={styles.special}>{line.sbv}</p>}
      <div
        className={cx(styles.list, styles[`columns${columns}`], styles[roomFor(columns, line.labels)])}
        data-market-id={line.marketId}
      >
        {line.oddIds.map((oddId, place) => (
          <Slot
            key={oddId}
            matchId={matchId}
            oddId={oddId}
            label={line.labels[place]}
            spoken={marketTitle(marketName, line.sbv)}
            labelled
          />
        ))}
      </div>
    </>
  )
}

interface SlotProps {
  matchId: MatchId
  oddId: OddId | null
  label?: string | undefined
  spoken: string
  labelled?: boolean
}

/** The cell of an odd. It stays without an odd too, so that the others do not move. */
function Slot(props: SlotProps) {
  return <div className={styles.slot}>{props.oddId !== null && <Price {...props} oddId={props.oddId} />}</div>
}

const Price = memo(function Price({ matchId, oddId, label, spoken, labelled = false }: SlotProps & { oddId: OddId }) {
  const view = useOddView(matchId, oddId, label)
  const pick = usePick()
  return (
    view && (
      <OddsButton
        {...view}
        spokenBefore={spoken}
        layout={labelled ? 'labelled' : 'price'}
        onPress={(pressedId) => pick(matchId, pressedId)}
      />
    )
  )
})
