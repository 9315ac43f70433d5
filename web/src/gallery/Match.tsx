import { OPENED } from '../../e2e/fixture/offer'
import { useAppSelector } from '../app/hooks'
import type { MatchId } from '../domain/offer'
import { MarketBar } from '../features/match/MarketBar'
import { MarketCard } from '../features/match/MarketCard'
import { MatchHero } from '../features/match/MatchHero'
import { MarketsSkeleton } from '../features/match/MatchSkeleton'
import { MatchStrip } from '../features/match/MatchStrip'
import { TagFilter } from '../features/match/TagFilter'
import { ticketReceived } from '../platform/connection/hubMessages'
import { selectMarketGroups, selectMatch } from '../platform/offer/offerSelectors'
import { tagSelected } from '../platform/view/viewSlice'
import { aTicket } from '../testing/ticketBuilders'
import styles from './gallery.module.css'
import { boardsOffer, rowsOffer } from './offers'
import { Specimen } from './Specimen'
import { press } from './steps'

const ROWS = rowsOffer()
const BOARDS = boardsOffer()
const [SOCCER, TENNIS] = ROWS.sports.map(({ matches }) => matches)
const BASKETBALL = 701

const heroOf = (matches: typeof SOCCER, home: string) => matches?.find((match) => match.home === home)?.id ?? 0

const CARDS = [
  ['Ukupno golova', 'ladder, a main line'],
  ['Hendikep', 'ladder of three'],
  ['Konačan ishod', 'one line, moving'],
  ['Oba tima daju gol u 2. poluvremenu', 'two odds'],
  ['Točan rezultat', 'grid of nine'],
  ['Ukupno kornera', 'one line with its value'],
] as const

const CLOSE = [press('h3 button')]
const RECOVERING = 'match=1&state=recovering'

/** The parts of the match page. */
export function Match() {
  return (
    <section className={styles.section}>
      <h2>Match</h2>
      <Specimen of="MatchStrip" is="the opened one marked" isWide query="match=1">
        <MatchStrip matchId={OPENED} />
      </Specimen>
      <Hero is="soccer, red card" isWide id={OPENED} query="match=1" />
      <Hero is="goal" isWide id={heroOf(SOCCER, 'goal of the guests')} offer={ROWS} />
      <Hero is="not started" isWide id={heroOf(SOCCER, 'not started')} offer={ROWS} />
      <Hero is="interrupted" isWide id={heroOf(SOCCER, 'interrupted, betting off')} offer={ROWS} />
      <Hero is="tie-break" isWide id={heroOf(TENNIS, 'tie-break')} offer={ROWS} />
      <Hero is="quarters" isWide id={BASKETBALL} offer={BOARDS} />
      <Specimen of="TagFilter" is="all" isWide query="match=1">
        <TagFilter matchId={OPENED} />
      </Specimen>
      <Specimen of="TagFilter" is="one chosen" isWide query="match=1" actions={[tagSelected('group.Golovi')]}>
        <TagFilter matchId={OPENED} />
      </Specimen>
      <Specimen of="MarketBar" is="searching" isWide query="match=1">
        <MarketBar matchId={OPENED} query="gol" onQuery={() => undefined} />
      </Specimen>
      {CARDS.map(([name, is]) => (
        <Specimen key={name} of="MarketCard" is={is} query="match=1">
          <Card name={name} />
        </Specimen>
      ))}
      <Specimen of="MarketCard" is="closed" query="match=1" steps={CLOSE}>
        <Card name="Točan rezultat" />
      </Specimen>
      <Specimen of="MarketCard" is="locked" query={RECOVERING}>
        <Card name="Hendikep" />
      </Specimen>
      <Specimen of="MarketCard" is="locked, list" query={RECOVERING} actions={[ticketReceived(aTicket())]}>
        <Card name="Konačan ishod" />
      </Specimen>
      <Specimen of="MarketsSkeleton" is="loading" isWide>
        <MarketsSkeleton />
      </Specimen>
    </section>
  )
}

type HeroProps = Omit<React.ComponentProps<typeof Specimen>, 'of' | 'children'> & { id: MatchId }

function Hero({ id, ...specimen }: HeroProps) {
  return (
    <Specimen of="MatchHero" {...specimen}>
      <HeroOf id={id} />
    </Specimen>
  )
}

function HeroOf({ id }: { id: MatchId }) {
  const match = useAppSelector((state) => selectMatch(state, id))
  return match ? <MatchHero match={match} /> : null
}

function Card({ name }: { name: string }) {
  const group = useAppSelector((state) => selectMarketGroups(state, OPENED)).find((each) => each.name === name)
  return group ? <MarketCard matchId={OPENED} group={group} /> : null
}
