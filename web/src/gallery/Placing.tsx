import { fixtureOffer, OPENED_MATCH } from '../../e2e/fixture/offer'
import type { TicketPair } from '../domain/ticket/ticket'
import { SharedTicket, SharedTicketDialog } from '../features/links/SharedTicket'
import { PlaceButton } from '../features/placement/PlaceButton'
import { PlacementDialogs } from '../features/placement/PlacementDialogs'
import { outcomeKnown, outcomeUnknown } from '../features/placement/placementSlice'
import { SearchDialog } from '../features/search/SearchDialog'
import { KeyMap } from '../features/shortcuts/KeyMap'
import { memberSeen } from '../platform/account/accountSlice'
import { connectionLost } from '../platform/connection/connectionSlice'
import { ticketReceived } from '../platform/connection/hubMessages'
import { aPair, aTicket } from '../testing/ticketBuilders'
import styles from './gallery.module.css'
import { Specimen } from './Specimen'
import { force, type } from './steps'
import { never, status } from './world'

const UNCHOSEN = ticketReceived(aTicket({ type: 1, pairs: [aPair({}), aPair({}), aPair({})], combination: null }))
const HOVER = [force('hover', 'button')]
const FOCUS = [force('focus-visible', 'button')]
const ABOVE = [
  memberSeen({ name: 'ana.horvat', balance: '128.40', currency: 'EUR', cashier: 'demo' }),
  ticketReceived(aTicket({ stake: '5000.00', pairs: [aPair({})] })),
]
const OVER_LIMIT = outcomeKnown({
  kind: 'refused',
  reason: 'Vaše dnevno ograničenje uloga dopušta još 2.50 EUR.',
})
const FAILED = outcomeKnown({ kind: 'failed' })
const NOT_PLACED = outcomeKnown({ kind: 'notPlaced' })

const WAITING = ticketReceived(aTicket({ pairs: [aPair({ canBet: false, reason: 'feed_inactive' })] }))
const REJECTED = [aPair({ oddValue: 1900 }), aPair({ home: 'Rijeka', away: 'Osijek', oddName: 'X', oddValue: 3150 })]
const ODDS_CHANGED = rejection(REJECTED)
const SUSPENDED = rejection([...REJECTED, aPair({ oddName: '2', canBet: false, reason: 'match_suspended' })])

const [first, second] = OPENED_MATCH.markets
const STANDARD = { type: 0, combination: null } as const
const PICKS = [
  { matchId: OPENED_MATCH.id, marketId: first?.id ?? 0, oddId: first?.odds[0]?.id ?? 0, isFix: false },
  { matchId: 1, marketId: 1, oddId: 1, isFix: false },
]
const GONE = [{ matchId: 2, marketId: second?.id ?? 0, oddId: 2, isFix: false }]
const LOOKED = [aPair({}), aPair({ home: 'Rijeka', away: 'Osijek', oddName: 'X', oddValue: 3150 }), null].map(
  (pair, place) => ({ pick: { matchId: place, marketId: place, oddId: place, isFix: false }, pair }),
)
const OFFER = fixtureOffer()

const SEARCHES = [
  ['nothing asked', ''],
  ['found', 'za'],
  ['nothing found', 'qqq'],
] as const

/** The place button, the placement dialogs up to the outcome, and the other dialogs. */
export function Placing() {
  return (
    <section className={styles.section}>
      <h2>Placing, dialogs</h2>
      <Place is="normal" />
      <Place is="hover" steps={HOVER} />
      <Place is="focus" steps={FOCUS} />
      <Place is="asked" query="stage=confirming" />
      <Place is="sending" query="stage=waiting" />
      <Place is="outcome unknown" query="stage=unknown" />
      <Place is="outcome unknown, logged out" actions={[outcomeUnknown({ login: true })]} />
      <Place is="a pair cannot be bet" query="slip=system" />
      <Place is="no combination" actions={[UNCHOSEN]} />
      <Place is="no connection" actions={[connectionLost()]} />
      <Place is="waiting for the feed" actions={[WAITING]} />
      <Place is="above the balance, with a cashier" actions={ABOVE} />
      <Dialogs is="confirm, standard" query="stage=confirming" />
      <Dialogs is="confirm, system" query="slip=system&stage=confirming" />
      <Dialogs is="wait" query="stage=waiting" />
      <Dialogs is="thanks" query="stage=accepted" />
      <Dialogs is="thanks, system" query="slip=system&stage=accepted" />
      <Dialogs is="refused, in the server's words" query="stage=refused" />
      <Dialogs is="refused, odds changed" actions={ODDS_CHANGED} />
      <Dialogs is="refused, a pair suspended" actions={SUSPENDED} />
      <Dialogs is="refused, above an own limit" actions={[OVER_LIMIT]} />
      <Dialogs is="failed" actions={[FAILED]} />
      <Dialogs is="never arrived" actions={[NOT_PLACED]} />
      <Dialogs is="popup without a button" query="stage=popup" />
      <Dialogs is="communication error" actions={[outcomeUnknown({ said: 'communicationError' })]} />
      <Dialogs is="error" actions={[outcomeUnknown({ said: 'error' })]} />
      <Specimen of="SharedTicket" is="loading" answer={never} offer={OFFER}>
        <SharedTicket ticket={{ ...STANDARD, picks: PICKS }} onClose={() => undefined} />
      </Specimen>
      <Specimen of="SharedTicket" is="nothing left of it" answer={status(404)} offer={OFFER}>
        <SharedTicket ticket={{ ...STANDARD, picks: GONE }} onClose={() => undefined} />
      </Specimen>
      <Specimen of="SharedTicket" is="some of it, instead of one's own" query="slip=standard">
        <SharedTicketDialog ticket={STANDARD} looked={LOOKED} onClose={() => undefined} />
      </Specimen>
      <Specimen of="KeyMap" is="single keys on" isWide>
        <KeyMap />
      </Specimen>
      {SEARCHES.map(([is, query]) => (
        <Search key={is} is={is} query={query} />
      ))}
    </section>
  )
}

/** A bet rejected because all of its pairs have changed. */
function rejection(pairs: readonly TicketPair[]) {
  const changes = pairs.map(({ matchId, oddId, oddValue, reason }, place) => ({
    matchId,
    oddId,
    sentValue: oddValue + 50 - place * 100,
    currentValue: oddValue,
    reason,
  }))
  return [ticketReceived(aTicket({ stake: '10.00', pairs })), outcomeKnown({ kind: 'refused', reason: '', changes })]
}

type PartProps = Omit<React.ComponentProps<typeof Specimen>, 'of' | 'children'>

function Place(specimen: PartProps) {
  return (
    <Specimen of="PlaceButton" isOnSurface {...specimen}>
      <PlaceButton />
    </Specimen>
  )
}

function Dialogs(specimen: PartProps) {
  return (
    <Specimen of="PlacementDialogs" {...specimen}>
      <PlacementDialogs />
    </Specimen>
  )
}

const NOT_TYPED = [] as const

function Search({ is, query }: { is: string; query: string }) {
  return (
    <Specimen of="SearchDialog" is={is} steps={query ? [type('input', query)] : NOT_TYPED} offer={OFFER}>
      <SearchDialog />
    </Specimen>
  )
}
