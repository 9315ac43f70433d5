import { useRef } from 'react'
import { useAppSelector } from '../app/hooks'
import { useScreen } from '../components/useScreen'
import { useWidth } from '../components/useWidth'
import type { MatchId } from '../domain/offer'
import { sportClass } from '../domain/sportClass'
import { listLayout } from '../features/offer/listLayout'
import { MatchScore } from '../features/offer/MatchScore'
import { OfferSkeleton } from '../features/offer/OfferSkeleton'
import { RowMenu } from '../features/offer/RowMenu'
import { SportChips } from '../features/offer/SportChips'
import { SportRail } from '../features/offer/SportRail'
import { SportSection } from '../features/offer/SportSection'
import { FavouriteStrip } from '../features/strip/FavouriteStrip'
import { favouritesReceived, ticketReceived } from '../platform/connection/hubMessages'
import { selectMatch, selectShownGroups } from '../platform/offer/offerSelectors'
import { periodCount, scoreGrid, scoreLayout } from '../platform/offer/scoreLayout'
import { sportFilterSet } from '../platform/preferences/preferencesSlice'
import { selectCollapsedSports, selectHiddenMatches } from '../platform/view/viewSelectors'
import { sportToggled } from '../platform/view/viewSlice'
import { aPair, aTicket } from '../testing/ticketBuilders'
import styles from './gallery.module.css'
import { BOARD_MATCHES, boardsOffer, FAVOURITE, HOVERED, PICKED, PICKED_ODD, rowsOffer } from './offers'
import { Specimen } from './Specimen'
import { force } from './steps'

const ROWS = [
  ticketReceived(aTicket({ pairs: [aPair({ matchId: PICKED, oddId: PICKED_ODD })] })),
  favouritesReceived([FAVOURITE]),
]
const HOVER = [force('hover', `[data-match-id="${HOVERED}"]`)]
const OFFER = rowsOffer()
const BOARDS = boardsOffer()
const [, TENNIS = OFFER.sports[0]] = OFFER.sports

const doNothing = () => undefined

/** The list, its rows and the parts around them. */
export function Rows() {
  return (
    <section className={styles.section}>
      <h2>MatchRow, HiddenRow, TournamentRow, SportHead</h2>
      <Specimen of="SportSection" is="rows in every state" isWide offer={OFFER} actions={ROWS} steps={HOVER}>
        <Sports />
      </Specimen>
      <Specimen
        of="SportSection"
        is="collapsed"
        isWide
        offer={{ ...OFFER, sports: TENNIS ? [TENNIS] : [] }}
        actions={[sportToggled(5)]}
      >
        <Sports />
      </Specimen>
      <Specimen of="MatchScore" is="the layout of each sport" isWide offer={BOARDS}>
        <div className={styles.row}>
          {BOARD_MATCHES.map(({ id }) => (
            <Board key={id} matchId={id} />
          ))}
        </div>
      </Specimen>
      <Specimen of="FavouriteStrip" is="favourites, one with a goal" isWide query="slip=standard">
        <FavouriteStrip />
      </Specimen>
      <Specimen of="FavouriteStrip" is="none" isWide query="nofav=1">
        <FavouriteStrip />
      </Specimen>
      <Specimen of="SportChips" is="two chosen" isWide actions={[sportFilterSet([1, 5])]}>
        <SportChips />
      </Specimen>
      <Specimen of="OfferSkeleton" is="loading" isWide isPage query="state=loading">
        <OfferSkeleton />
      </Specimen>
      <Rail is="all" />
      <Rail is="two chosen" actions={[sportFilterSet([1, 5])]} />
      <Rail is="no favourites" query="nofav=1" />
      <Rail is="loading" query="state=loading" />
      <Rail is="narrow" narrow />
      <Specimen of="RowMenu" is="open" style={{ height: '8rem' }}>
        <RowMenu matchId={101} x={8} y={8} onClose={doNothing} />
      </Specimen>
    </section>
  )
}

function Sports() {
  const list = useRef<HTMLDivElement>(null)
  const width = useWidth(list)
  const screen = useScreen()
  const groups = useAppSelector(selectShownGroups)
  const collapsed = useAppSelector(selectCollapsedSports)
  const hidden = useAppSelector(selectHiddenMatches)
  return (
    <div ref={list}>
      {listLayout({ groups, collapsed, hidden, screen, scale: 1 }).sports.map((layout) => (
        <SportSection
          key={layout.sportId}
          layout={layout}
          from={0}
          to={layout.height}
          screen={screen}
          width={(width ?? 0) / 16}
          onPointerOver={doNothing}
          onContextMenu={doNothing}
        />
      ))}
    </div>
  )
}

/** The same layout as in `SportSection`. */
function Board({ matchId }: { matchId: MatchId }) {
  const match = useAppSelector((state) => selectMatch(state, matchId))
  if (!match) {
    return null
  }
  const layout = scoreLayout(match.sportId)
  const periods = periodCount(layout, [match])
  const { template, width } = scoreGrid(layout, periods)
  const set = { '--score-grid': template, width: `${width + 1.75}rem` } as React.CSSProperties
  return (
    <div className={styles.board} style={set}>
      <p className={styles.name}>{sportClass(match.sportId)}</p>
      <MatchScore match={match} periods={periods} goal={undefined} />
    </div>
  )
}

interface RailProps {
  is: string
  query?: string
  actions?: React.ComponentProps<typeof Specimen>['actions']
  narrow?: boolean
}

function Rail({ is, query, actions, narrow = false }: RailProps) {
  const style = { '--sticky-top': 'calc(100dvh - 26rem)', width: narrow ? '4rem' : '13.5rem' } as React.CSSProperties
  return (
    <Specimen of="SportRail" is={is} query={query} actions={actions} style={style}>
      <SportRail narrow={narrow} />
    </Specimen>
  )
}
