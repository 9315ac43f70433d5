import { BottomBar } from '../app/BottomBar'
import { useAppSelector } from '../app/hooks'
import { useTicketSlots } from '../app/TicketViews'
import { cx } from '../components/cx'
import { DEFAULT_RULES, type TicketRules } from '../domain/ticket/rules'
import { Combinations } from '../features/ticket/Combinations'
import { Pair } from '../features/ticket/Pair'
import { StakeField } from '../features/ticket/StakeField'
import { Sums } from '../features/ticket/Sums'
import { TicketBody } from '../features/ticket/TicketBody'
import { connectionLost } from '../platform/connection/connectionSlice'
import { ticketReceived } from '../platform/connection/hubMessages'
import { pairsLost } from '../platform/ticket/keptTicketSlice'
import { selectTicket } from '../platform/ticket/totalsSelectors'
import { aPair, aTicket } from '../testing/ticketBuilders'
import styles from './gallery.module.css'
import { Specimen } from './Specimen'
import { force, type } from './steps'

const PAIRS = {
  normal: aPair({ sbv: '2.5', oddName: 'Više', marketName: 'Ukupno golova' }),
  'odd gone up': aPair({ oddValue: 2050, pickedValue: 1850 }),
  'odd gone down': aPair({ oddValue: 1720, pickedValue: 1850 }),
  fixed: aPair({ isFix: true }),
  'fixed, gone up': aPair({ isFix: true, oddValue: 2050, pickedValue: 1850 }),
  suspended: aPair({ canBet: false, reason: 'match_suspended' }),
  'for no reason told': aPair({ canBet: false, reason: null }),
  'long names': aPair({
    home: 'Brighton & Hove Albion Football Club',
    away: 'Wolverhampton Wanderers Football Club',
    marketName: 'Oba tima daju gol u drugom poluvremenu',
  }),
} as const

const SYSTEM = 'slip=system'
const FOCUS = [force('focus-visible', 'input')]
const TYPED = [type('input', '12,345')]
/** A stake tax of 5 %. */
const TAXED: TicketRules = {
  ...DEFAULT_RULES,
  tax: [{ type: 'stake', from: '0', to: null, percentage: '5' }],
}
const LONG = aTicket({ pairs: Array.from({ length: 3 }, () => aPair({ oddValue: 99_000 })), stake: '50000.00' })
/** A system ticket with too few free pairs. */
const FEW = ticketReceived(aTicket({ type: 1, pairs: [aPair({}), aPair({ isFix: true })] }))
const SHORT = ticketReceived(aTicket({ stake: '20.00', pairs: [aPair({ oddValue: 1010 })] }, TAXED))
const LOST = [
  ticketReceived(aTicket({})),
  pairsLost([aPair({}), aPair({ home: 'Rijeka', away: 'Osijek', oddName: 'X' })]),
]
const UNCHOSEN = ticketReceived(aTicket({ type: 1, pairs: [aPair({}), aPair({}), aPair({})], combination: null }))

/** The whole ticket and its parts. */
export function Ticket() {
  return (
    <section className={styles.section}>
      <h2>Ticket</h2>
      <Whole is="standard" />
      <Whole is="system" query={SYSTEM} />
      <Whole is="empty" query="slip=empty" />
      <Whole is="waiting for the connection" actions={[connectionLost()]} />
      <Whole is="system without a combination" actions={[UNCHOSEN]} />
      <Whole is="system of too few" actions={[FEW]} />
      <Whole is="payout below the stake" actions={[SHORT]} />
      <Whole is="pairs lost" actions={LOST} />
      <Whole is="before a login" query="anonymous=1" />
      {Object.entries(PAIRS).map(([is, pair]) => (
        <Specimen key={is} of="Pair" is={is}>
          <ol className={styles.ticket}>
            <Pair pair={pair} canFix={false} />
            <Pair pair={pair} canFix />
          </ol>
        </Specimen>
      ))}
      <Specimen of="Combinations" isOnSurface is="one chosen, one fixed" query={SYSTEM}>
        <Combinations
          combinations={[
            { value: 1, count: 5 },
            { value: 2, count: 10 },
            { value: 3, count: 10 },
            { value: 4, count: 5 },
          ]}
          selected={2}
          free={5}
          fixed={1}
        />
      </Specimen>
      <Specimen of="Combinations" isOnSurface is="too few pairs" query={SYSTEM}>
        <Combinations combinations={[]} selected={null} free={1} fixed={0} />
      </Specimen>
      <Specimen of="StakeField" isOnSurface is="with quick amounts">
        <StakeField hasQuick />
      </Specimen>
      <Specimen of="StakeField" isOnSurface is="without">
        <StakeField hasQuick={false} />
      </Specimen>
      <Specimen of="StakeField" isOnSurface is="focus" steps={FOCUS}>
        <StakeField hasQuick={false} />
      </Specimen>
      <Specimen of="StakeField" isOnSurface is="typed beyond its cents: cut" steps={TYPED}>
        <StakeField hasQuick={false} />
      </Specimen>
      <Lines is="folded" />
      <Lines is="whole" isWhole />
      <Lines is="whole, system" isWhole query={SYSTEM} />
      <Lines is="total odd at its most" actions={[ticketReceived(LONG)]} />
      <Bar is="pairs" />
      <Bar is="empty" query="slip=empty&page=favourites" />
      <Bar is="stranger" query="anonymous=1&page=login" />
    </section>
  )
}

type PartProps = Omit<React.ComponentProps<typeof Specimen>, 'of' | 'children'>

function Whole(specimen: PartProps) {
  return (
    <Specimen of="TicketBody" {...specimen}>
      <div className={styles.ticket} style={{ height: '48rem' }}>
        <WholeTicket titleId={`title-${specimen.is}`} />
      </div>
    </Specimen>
  )
}

function WholeTicket({ titleId }: { titleId: string }) {
  return <TicketBody slots={useTicketSlots()} titleId={titleId} />
}

function Lines({ isWhole = false, ...specimen }: PartProps & { isWhole?: boolean }) {
  return (
    <Specimen of="Sums" isOnSurface {...specimen}>
      <TicketSums isWhole={isWhole} />
    </Specimen>
  )
}

function TicketSums({ isWhole }: { isWhole: boolean }) {
  const ticket = useAppSelector(selectTicket)
  return <Sums ticket={ticket} isWhole={isWhole} onTurn={() => undefined} />
}

/** The bottom bar of a phone, with the ticket button. */
function Bar(specimen: PartProps) {
  return (
    <Specimen of="BottomBar, TicketButton" {...specimen}>
      <div className={cx(styles.panel, styles.flex)}>
        <BottomBar />
      </div>
    </Specimen>
  )
}
